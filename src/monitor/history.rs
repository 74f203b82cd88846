//! What the sensors said over time, in bounded memory.
//!
//! Every sample of the last hour is kept; what is older is kept as low and high of a span, and the
//! spans grow with the age of the history, so that a peak never gets lost.

mod series;

use std::{collections::BTreeMap, sync::Arc};

use self::series::Series;
use super::{DeviceKey, GpuSample, Reading, Snapshot};

/// Samples of one GPU that are kept in full: an hour at the fastest rate (5 a second).
pub const FULL_SAMPLES: usize = 18_000;
/// Samples of all GPUs together that are kept in full: 16 GPUs for an hour at the fastest rate.
///
/// Larger fleets keep less of each GPU in full, so that memory stays bounded (about 6 MB).
pub const FULL_SAMPLES_OF_ALL: usize = 16 * FULL_SAMPLES;
/// Spans of one GPU, and of all together, that are kept of the time before.
const OLD_SPANS: usize = 2048;
const OLD_SPANS_OF_ALL: usize = 16 * OLD_SPANS;
/// GPUs that are kept; those of a larger fleet have no past.
const MOST_GPUS: usize = 8192;
/// Seconds that are kept in full.
pub const FULL_SECS: f64 = 3600.0;

/// A clock that goes back by no more than this was corrected, not set.
const CLOCK_CORRECTION_SECS: f64 = 60.0;

/// What is kept over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Metric {
    /// Used memory, bytes.
    UsedMemory,
    /// Utilisation of compute, percent.
    Compute,
    /// Power, watts.
    Power,
    /// Temperature, degrees Celsius.
    Temperature,
}

/// Number of metrics.
pub(super) const METRICS: usize = 4;

/// A point of a curve: low and high of everything that falls into it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeriesPoint {
    /// When it begins, seconds since 1970.
    pub unix_secs: f64,
    /// Lowest value in it, in the metric's unit.
    pub low: f64,
    /// Highest value in it, in the metric's unit.
    pub high: f64,
    /// Nothing is known between the point before and this one: a curve should break.
    pub after_gap: bool,
}

/// The figures of one sample, as they are handed over and kept.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// When, seconds since 1970.
    pub unix_secs: f64,
    /// Of every GPU: the metrics in their order, `NAN` where missing.
    pub rows: Vec<(Arc<DeviceKey>, [f32; METRICS])>,
}

/// Names of devices, kept once.
#[derive(Default)]
pub(super) struct Names(BTreeMap<DeviceKey, Arc<DeviceKey>>);

impl Names {
    fn shared(&mut self, key: &DeviceKey) -> Arc<DeviceKey> {
        if let Some(known) = self.0.get(key) {
            return Arc::clone(known);
        }
        let shared = Arc::new(key.clone());
        self.0.insert(key.clone(), Arc::clone(&shared));
        shared
    }
}

impl Frame {
    /// The figures of a snapshot.
    pub fn of(snapshot: &Snapshot, names: &mut Names) -> Self {
        let rows = snapshot.gpus.iter().map(|gpu| (names.shared(&gpu.key), figures(gpu)));
        Self { unix_secs: snapshot.unix_secs, rows: rows.collect() }
    }
}

fn figures(gpu: &GpuSample) -> [f32; METRICS] {
    [
        gpu.memory.used.value().map_or(f32::NAN, |bytes| narrow(bytes.as_f64())),
        number(&gpu.utilisation.compute_percent),
        number(&gpu.power_watts),
        number(&gpu.temperature_celsius),
    ]
}

fn number(reading: &Reading<f64>) -> f32 {
    reading.value().map_or(f32::NAN, |value| narrow(*value))
}

#[expect(clippy::cast_possible_truncation, reason = "24 bits are more than a curve can show")]
const fn narrow(value: f64) -> f32 {
    value as f32
}

/// Every GPU's past.
#[derive(Default)]
pub struct History {
    series: BTreeMap<DeviceKey, Series>,
    last_unix_secs: Option<f64>,
}

impl History {
    /// Curve of one metric of one GPU from a moment on, at most `max_points` points (at least 1),
    /// each with low and high of what it stands for; empty for a GPU that was never seen.
    ///
    /// `from_unix_secs` counts since 1970.
    #[must_use]
    pub fn series(
        &self,
        key: &DeviceKey,
        metric: Metric,
        from_unix_secs: f64,
        max_points: usize,
    ) -> Vec<SeriesPoint> {
        self.series
            .get(key)
            .map(|series| series.points(metric, from_unix_secs, max_points.max(1)))
            .unwrap_or_default()
    }

    /// Every GPU that has a past, in order.
    pub fn keys(&self) -> impl Iterator<Item = &DeviceKey> {
        self.series.keys()
    }

    /// When the last sample was taken, seconds since 1970.
    #[must_use]
    pub const fn last_unix_secs(&self) -> Option<f64> {
        self.last_unix_secs
    }

    /// When the first sample that is still kept was taken, seconds since 1970.
    #[must_use]
    pub fn first_unix_secs(&self) -> Option<f64> {
        self.series.values().filter_map(Series::first_unix_secs).reduce(f64::min)
    }

    /// Nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.series.is_empty()
    }

    /// Memory that the history takes, bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.series.values().map(Series::memory_bytes).sum()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Adds a snapshot.
    pub fn add(&mut self, snapshot: &Snapshot) {
        self.add_frame(&Frame::of(snapshot, &mut Names::default()));
    }

    /// Adds the figures of one sample. A clock that was set back far starts anew; one that is
    /// corrected a little stands still for a moment.
    pub(super) fn add_frame(&mut self, frame: &Frame) {
        let mut unix_secs = frame.unix_secs;
        match self.last_unix_secs {
            Some(last) if unix_secs < last - CLOCK_CORRECTION_SECS => self.clear(),
            Some(last) => unix_secs = unix_secs.max(last),
            None => {}
        }
        self.last_unix_secs = Some(unix_secs);
        for (key, figures) in &frame.rows {
            if !self.series.contains_key(key.as_ref()) && self.series.len() < MOST_GPUS {
                self.series.insert(key.as_ref().clone(), Series::new(unix_secs));
            }
            if let Some(series) = self.series.get_mut(key.as_ref()) {
                series.push(unix_secs, *figures);
            }
        }
        let gpus = self.series.len().max(1);
        let most = (FULL_SAMPLES_OF_ALL / gpus).min(FULL_SAMPLES);
        let most_old = (OLD_SPANS_OF_ALL / gpus).min(OLD_SPANS);
        for series in self.series.values_mut() {
            series.thin(unix_secs - FULL_SECS, most, most_old);
        }
    }
}
