//! Readings in words: a value with its unit, or a dash with its reason.

use crate::{
    monitor::{GpuSample, Missing, Reading},
    text::Texts,
    units::{Bytes, BytesPerSec, grouped, percent},
};

/// What stands where there is no value.
pub const DASH: &str = "–";

/// A reading as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The value with its unit, or a dash.
    pub text: String,
    /// Why there is no value.
    pub missing: Option<String>,
}

impl Shown {
    /// A reading, printed.
    pub fn of<T>(texts: &Texts, reading: &Reading<T>, print: impl FnOnce(&T) -> String) -> Self {
        match reading {
            Reading::Value(value) => Self { text: print(value), missing: None },
            Reading::Missing(why) => Self::missing(texts, why),
        }
    }

    /// A dash with its reason.
    #[must_use]
    pub fn missing(texts: &Texts, why: &Missing) -> Self {
        Self { text: DASH.to_owned(), missing: Some(texts.message(&why.message())) }
    }

    /// A share of 0 to 100.
    #[must_use]
    pub fn percent(texts: &Texts, reading: &Reading<f64>) -> Self {
        Self::of(texts, reading, |value| percent(value / 100.0))
    }

    /// A whole number with a unit.
    #[must_use]
    pub fn whole(texts: &Texts, reading: &Reading<f64>, unit: &str) -> Self {
        Self::of(texts, reading, |value| format!("{} {unit}", grouped(*value, 0)))
    }

    /// An amount of memory.
    #[must_use]
    pub fn bytes(texts: &Texts, reading: &Reading<Bytes>) -> Self {
        Self::of(texts, reading, Bytes::to_string)
    }

    /// A rate over a link.
    #[must_use]
    pub fn rate(texts: &Texts, reading: &Reading<f64>) -> Self {
        Self::of(texts, reading, |rate| BytesPerSec(*rate).to_string())
    }

    /// A text as it is.
    #[must_use]
    pub fn text(texts: &Texts, reading: &Reading<String>) -> Self {
        Self::of(texts, reading, String::clone)
    }

    /// Two readings with one unit behind both: `512 / 700 W`. Without the second, the first alone.
    #[must_use]
    pub fn of_limit(texts: &Texts, now: &Reading<f64>, limit: &Reading<f64>, unit: &str) -> Self {
        match limit {
            Reading::Value(limit) => Self::of(texts, now, |now| {
                format!("{} / {} {unit}", grouped(*now, 0), grouped(*limit, 0))
            }),
            Reading::Missing(_) => Self::whole(texts, now, unit),
        }
    }
}

/// Used of total, as in `61.20 of 79.65 GiB`.
#[must_use]
pub fn used_of_total(texts: &Texts, gpu: &GpuSample) -> Shown {
    let memory = &gpu.memory;
    match (&memory.used, &memory.total) {
        (Reading::Value(used), Reading::Value(total)) => {
            let (used, total) = (used.gib_cell(), total.gib_cell());
            let text = texts.with("live-used-of-total", &[("used", &used), ("total", &total)]);
            Shown { text, missing: None }
        }
        (used, _) => Shown::bytes(texts, used),
    }
}

/// The card's name without its maker, or a word for a card without one.
#[must_use]
pub fn short_name(texts: &Texts, gpu: &GpuSample) -> String {
    match gpu.name.value() {
        Some(name) => name.strip_prefix("NVIDIA ").unwrap_or(name).to_owned(),
        None => texts.get("live-unknown-gpu").into_owned(),
    }
}

/// "GPU 3", with its host where there is one.
#[must_use]
pub fn place_name(texts: &Texts, gpu: &GpuSample) -> String {
    let index = gpu.index.to_string();
    if gpu.key.host.is_empty() {
        texts.with("live-gpu-index", &[("index", &index)])
    } else {
        texts.with("live-gpu-on-host", &[("index", &index), ("host", &gpu.key.host)])
    }
}
