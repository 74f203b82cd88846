//! A prediction against the figures of its row.

use super::{predicted::Predicted, row::Row};
use crate::{
    plan::{Choice as _, choices},
    units::{Bytes, GIB},
};

choices! {
    /// A figure that is compared.
    pub enum Metric {
        /// Live tensors at the peak.
        #[default]
        Allocated = "metric-allocated",
        /// Live and in-flight blocks at the peak.
        Active = "metric-active",
        /// What the caching allocator holds.
        Reserved = "metric-reserved",
        /// What the driver reports.
        Device = "metric-device",
        /// A memory figure whose kind is not named: against the middle of allocated and device.
        Unspecified = "metric-unspecified",
        /// Training speed, in whatever the row measures it; positive errors are too fast.
        Speed = "metric-speed",
        /// Generated tokens per second.
        Decode = "metric-decode",
        /// Prompt tokens per second.
        Prefill = "metric-prefill",
        /// Exact bytes at the peak.
        PeakBytes = "metric-peak-bytes",
        /// Bytes between steps.
        StaticBytes = "metric-static-bytes",
        /// Bytes of the weights.
        ParamsBytes = "metric-params-bytes",
        /// Bytes of optimizer states.
        OptimizerBytes = "metric-optimizer-bytes",
        /// Bytes of gradients alive at the peak.
        GradsBytes = "metric-grads-bytes",
        /// Bytes saved for backward.
        SavedBytes = "metric-saved-bytes",
        /// Of these, one block's.
        LayerBytes = "metric-layer-bytes",
        /// Of these, the head's and the loss's.
        HeadBytes = "metric-head-bytes",
        /// Bytes of the cache.
        KvBytes = "metric-kv-bytes",
        /// Live bytes while the prompts go through.
        PrefillPeak = "metric-prefill-peak",
        /// Live bytes when the last token is generated.
        DecodePeak = "metric-decode-peak",
    }
}

impl Metric {
    /// Its name in JSON: the text key without its prefix.
    #[must_use]
    pub fn name(self) -> &'static str {
        let key = self.key();
        key.strip_prefix("metric-").unwrap_or(key)
    }

    /// It is a speed, not an amount of memory.
    #[must_use]
    pub const fn is_speed(self) -> bool {
        matches!(self, Self::Speed | Self::Decode | Self::Prefill)
    }

    /// It is counted in bytes, and printed as GiB.
    #[must_use]
    pub const fn is_bytes(self) -> bool {
        !self.is_speed()
            && !matches!(
                self,
                Self::Allocated | Self::Active | Self::Reserved | Self::Device | Self::Unspecified
            )
    }
}

/// One predicted figure and the measured one, in the same unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MetricScore {
    /// Which.
    pub metric: Metric,
    /// What the planner says.
    pub predicted: f64,
    /// What was measured.
    pub measured: f64,
    /// What the error is relative to: the measured figure, of gradients the whole peak (they may be
    /// next to nothing at the peak, and then anything is far off).
    pub base: f64,
}

impl MetricScore {
    /// Signed relative error: positive where the prediction is too high.
    #[must_use]
    pub fn error(&self) -> f64 {
        (self.predicted - self.measured) / self.base
    }
}

/// Whether a run fitted, and what the planner says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FitScore {
    /// It ran.
    pub ran: bool,
    /// `yes`, `tight` or `no`.
    pub predicted: &'static str,
    /// It ran and used less than 80 % of its card.
    pub roomy: bool,
}

/// Share of the card below which a run that was measured counts as roomy.
const ROOMY: f64 = 0.8;

/// Columns of bytes that are compared as they are.
const BYTES: [(Metric, &str); 10] = [
    (Metric::PeakBytes, "allocated_bytes"),
    (Metric::StaticBytes, "static_bytes"),
    (Metric::ParamsBytes, "params_bytes"),
    (Metric::OptimizerBytes, "optimizer_bytes"),
    (Metric::SavedBytes, "saved_bytes"),
    (Metric::LayerBytes, "saved_per_layer_bytes"),
    (Metric::HeadBytes, "head_saved_bytes"),
    (Metric::KvBytes, "kv_bytes"),
    (Metric::PrefillPeak, "prefill_peak_bytes"),
    (Metric::DecodePeak, "decode_peak_bytes"),
];

/// Every comparison that a row allows.
pub(super) fn scores(row: &Row<'_>, predicted: &Predicted) -> Vec<MetricScore> {
    let mut scores = Vec::new();
    memory(row, predicted, &mut scores);
    if let (Some(predicted), Some(measured), Some(base)) = (
        bytes_of(predicted, Metric::GradsBytes),
        row.number("grads_at_peak_bytes"),
        row.number("allocated_bytes").filter(|&peak| peak > 0.0),
    ) {
        scores.push(MetricScore { metric: Metric::GradsBytes, predicted, measured, base });
    }
    for (metric, column) in BYTES {
        push(&mut scores, metric, bytes_of(predicted, metric), row.number(column));
    }
    speed(row, predicted, &mut scores);
    scores
}

/// Adds a comparison of two figures that are there; nothing is divided by zero.
fn push(
    scores: &mut Vec<MetricScore>,
    metric: Metric,
    predicted: Option<f64>,
    measured: Option<f64>,
) {
    if let (Some(predicted), Some(measured)) = (predicted, measured)
        && measured > 0.0
    {
        scores.push(MetricScore { metric, predicted, measured, base: measured });
    }
}

fn bytes_of(predicted: &Predicted, metric: Metric) -> Option<f64> {
    let exact = |bytes: Option<u64>| bytes.map(|bytes| Bytes(bytes).as_f64());
    match metric {
        // Exact: a GiB is a power of two.
        Metric::PeakBytes => predicted.allocated_gib.map(|gib| gib * GIB as f64),
        Metric::StaticBytes => exact(predicted.static_bytes),
        Metric::ParamsBytes => exact(predicted.params_bytes),
        Metric::OptimizerBytes => exact(predicted.optimizer_bytes),
        Metric::GradsBytes => exact(predicted.grads_at_peak_bytes),
        Metric::SavedBytes => exact(predicted.saved_bytes),
        Metric::LayerBytes => exact(predicted.saved_per_layer_bytes),
        Metric::HeadBytes => exact(predicted.head_saved_bytes),
        Metric::KvBytes => exact(predicted.kv_bytes),
        Metric::PrefillPeak => exact(predicted.prefill_peak_bytes),
        Metric::DecodePeak => exact(predicted.decode_peak_bytes),
        _ => None,
    }
}

/// Peaks of memory. The peak of loading a model is none of a step.
fn memory(row: &Row<'_>, predicted: &Predicted, scores: &mut Vec<MetricScore>) {
    if row.text("memory_covers") == "load-or-gather" {
        return;
    }
    let decode = predicted.decode_peak_bytes.map(|bytes| Bytes(bytes).gib());
    let allocated = match row.text("memory_covers") {
        "decode" => decode.or(predicted.allocated_gib),
        _ => predicted.allocated_gib,
    };
    let middle = allocated.zip(predicted.device_gib).map(|(low, high)| f64::midpoint(low, high));
    let columns = [
        (Metric::Allocated, "allocated_gib", allocated),
        (Metric::Active, "active_gib", predicted.active_gib),
        (Metric::Reserved, "reserved_gib", predicted.reserved_gib),
        (Metric::Device, "device_gib", predicted.device_gib),
        (Metric::Unspecified, "unspecified_gib", middle),
    ];
    for (metric, column, predicted) in columns {
        let measured = row.number(column).map(|gib| reading(row, gib, predicted));
        push(scores, metric, predicted, measured);
    }
}

/// Of a figure whose unit is in doubt, the reading that is nearer to the prediction.
fn reading(row: &Row<'_>, gib: f64, predicted: Option<f64>) -> f64 {
    let other = row.number("memory_gb_reading_gib").filter(|&other| other > 0.0);
    match (row.yes("memory_unit_doubt"), other, predicted) {
        (Some(true), Some(other), Some(predicted)) => {
            let off = |reading: f64| (predicted / reading - 1.0).abs();
            if off(other) < off(gib) { other } else { gib }
        }
        _ => gib,
    }
}

/// Columns that can measure the speed of training, in the order of preference.
const SPEEDS: [&str; 5] = ["tokens_per_s_per_gpu", "step_s", "tflops_per_gpu", "mfu", "hfu"];

fn speed(row: &Row<'_>, predicted: &Predicted, scores: &mut Vec<MetricScore>) {
    let named = row.stated("speed_metric");
    let column = named.or_else(|| SPEEDS.into_iter().find(|column| row.stated(column).is_some()));
    let measured = column.and_then(|column| row.number(column));
    match column {
        // A longer step is a lower speed.
        Some("step_s") => {
            let inverse =
                |secs: Option<f64>| secs.filter(|&secs| secs > 0.0).map(|secs| 1.0 / secs);
            push(scores, Metric::Speed, inverse(predicted.step_s), inverse(measured));
        }
        Some("tokens_per_s_per_gpu") => {
            push(scores, Metric::Speed, predicted.tokens_per_s_per_gpu, measured);
        }
        Some("tflops_per_gpu") => push(scores, Metric::Speed, predicted.tflops_per_gpu, measured),
        Some("mfu") => push(scores, Metric::Speed, predicted.mfu, measured),
        Some("hfu") => push(scores, Metric::Speed, predicted.hfu, measured),
        _ => {}
    }
    for (metric, column, figure) in [
        (Metric::Decode, "decode_tokens_per_s", predicted.decode_tokens_per_s),
        (Metric::Prefill, "prefill_tokens_per_s", predicted.prefill_tokens_per_s),
    ] {
        push(scores, metric, figure, row.number(column));
    }
}

/// Whether it ran, if the row says so.
pub(super) fn fit(row: &Row<'_>, predicted: &Predicted, capacity: Bytes) -> Option<FitScore> {
    let ran = row.yes("fits")?;
    let used = ["device_gib", "reserved_gib", "active_gib", "allocated_gib", "unspecified_gib"]
        .iter()
        .filter_map(|column| row.number(column))
        .fold(None, |most: Option<f64>, gib| Some(most.map_or(gib, |most| most.max(gib))));
    let roomy = ran && used.is_some_and(|gib| gib < ROOMY * capacity.gib());
    Some(FitScore { ran, predicted: predicted.fits, roomy })
}

/// Whether the phases of the two peaks are the same.
pub(super) fn moment_agrees(row: &Row<'_>, predicted: &Predicted) -> Option<bool> {
    let measured = row.stated("peak_moment")?;
    Some(predicted.peak_moment.split('.').next() == Some(measured))
}
