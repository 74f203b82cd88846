//! How a person likes the live panel; kept from one run to the next.

use std::path::PathBuf;

use serde::{Deserialize, Serialize, Serializer};

use crate::{
    monitor::{Calibration, shown_address},
    plan::choices,
};

/// Shortest and longest time between two samples, seconds.
pub const INTERVAL_RANGE_SECS: std::ops::RangeInclusive<f64> = 0.2..=10.0;
/// Lowest and highest share of the memory that is warned of, percent; the highest never warns.
pub const ALERT_RANGE_PERCENT: std::ops::RangeInclusive<f64> = 50.0..=100.0;

choices! {
    /// Where the figures come from.
    pub enum SourceKind {
        /// The driver of this machine.
        #[default]
        ThisMachine = "live-source-machine",
        /// A file that was recorded before.
        Recording = "live-source-recording",
        /// A Prometheus server.
        Prometheus = "live-source-prometheus",
        /// The recording that comes with the program.
        Example = "live-source-example",
    }
}

choices! {
    /// How much of the past the plots show.
    pub enum HistoryWindow {
        /// A minute.
        #[default]
        Minute = "live-window-minute",
        /// Five minutes.
        FiveMinutes = "live-window-five-minutes",
        /// A quarter of an hour.
        Quarter = "live-window-quarter",
        /// An hour.
        Hour = "live-window-hour",
    }
}

impl HistoryWindow {
    /// Its length, seconds.
    #[must_use]
    pub const fn secs(self) -> f64 {
        match self {
            Self::Minute => 60.0,
            Self::FiveMinutes => 300.0,
            Self::Quarter => 900.0,
            Self::Hour => 3600.0,
        }
    }

    /// Distance between two marks of its axis, seconds.
    #[must_use]
    pub const fn step_secs(self) -> f64 {
        match self {
            Self::Minute => 15.0,
            Self::FiveMinutes => 60.0,
            Self::Quarter => 180.0,
            Self::Hour => 600.0,
        }
    }
}

/// What the live panel remembers. Fields that an older version lacked have their defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LiveSettings {
    /// Where the figures come from.
    pub source: SourceKind,
    /// The recorded file that was opened last.
    pub recording: Option<PathBuf>,
    /// Address of the Prometheus server; a name and a password in it are not written to the disk.
    #[serde(serialize_with = "without_password")]
    pub prometheus_url: String,
    /// Time between two samples, seconds.
    pub interval_secs: f64,
    /// Share of the memory from which the panel warns, percent; 100 never warns.
    pub alert_percent: f64,
    /// How much of the past the plots show.
    pub window: HistoryWindow,
    /// Overheads that were measured here, the newest last.
    pub calibrations: Vec<Calibration>,
}

/// Writes an address without the name and the password that may be in it: they are asked for again.
fn without_password<S: Serializer>(url: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&shown_address(url))
}

impl Default for LiveSettings {
    fn default() -> Self {
        Self {
            source: SourceKind::default(),
            recording: None,
            prometheus_url: "http://localhost:9090".to_owned(),
            interval_secs: 0.5,
            alert_percent: 95.0,
            window: HistoryWindow::default(),
            calibrations: Vec::new(),
        }
    }
}

impl LiveSettings {
    /// The same within sensible limits, whatever the storage says.
    #[must_use]
    pub fn sane(mut self) -> Self {
        let defaults = Self::default();
        self.interval_secs =
            within(self.interval_secs, &INTERVAL_RANGE_SECS, defaults.interval_secs);
        self.alert_percent =
            within(self.alert_percent, &ALERT_RANGE_PERCENT, defaults.alert_percent);
        self
    }
}

fn within(value: f64, range: &std::ops::RangeInclusive<f64>, default: f64) -> f64 {
    if value.is_finite() { value.clamp(*range.start(), *range.end()) } else { default }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_in_an_address_does_not_reach_the_disk() {
        let settings = LiveSettings {
            prometheus_url: "http://ada:secret@host:9090".to_owned(),
            ..LiveSettings::default()
        };
        let written = ron::to_string(&settings).expect("settings that can be written");
        assert!(written.contains("http://host:9090"), "the address is kept: {written}");
        assert!(!written.contains("secret") && !written.contains("ada"), "no more: {written}");
    }

    #[test]
    fn a_storage_with_nonsense_in_it_gives_sensible_settings() {
        let settings =
            LiveSettings { interval_secs: f64::NAN, alert_percent: 1e9, ..LiveSettings::default() };
        let sane = settings.sane();
        assert!((sane.interval_secs - 0.5).abs() < 1e-9, "the default: {}", sane.interval_secs);
        assert!((sane.alert_percent - 100.0).abs() < 1e-9, "the limit: {}", sane.alert_percent);
    }
}
