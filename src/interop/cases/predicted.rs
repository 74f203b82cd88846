//! What the planner says of a row, under the names of the columns that it is compared with.

use serde::Serialize;

use super::row::Row;
use crate::{
    estimate::Estimate,
    memory::{Moment, Part, StageMemory, Verdict},
    plan::{Choice as _, Plan, Task},
    throughput::{Figures, ServingFigures, TrainingFigures},
};

/// Predicted figures; those that do not apply are absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Predicted {
    /// Live tensors at the peak, GiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allocated_gib: Option<f64>,
    /// The same: torch counts blocks that are still in use by another stream besides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active_gib: Option<f64>,
    /// What the caching allocator holds at the peak, GiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reserved_gib: Option<f64>,
    /// What the driver reports, GiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_gib: Option<f64>,
    /// Low end of the band of the latter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_low_gib: Option<f64>,
    /// High end of the band.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_high_gib: Option<f64>,
    /// `yes`, `tight` or `no`.
    pub fits: &'static str,
    /// Phase of the peak, and the moment in it behind a dot.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub peak_moment: String,
    /// Pipeline stage that the figures are of, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_stage: Option<u32>,
    /// Bytes alive between steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub static_bytes: Option<u64>,
    /// Bytes of the weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub params_bytes: Option<u64>,
    /// Bytes of the gradients alive at the peak.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grads_at_peak_bytes: Option<u64>,
    /// Bytes of optimizer states and master weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimizer_bytes: Option<u64>,
    /// Bytes that the forward leaves alive beyond the static ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saved_bytes: Option<u64>,
    /// Of these, one block's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saved_per_layer_bytes: Option<u64>,
    /// Of these, the last norm's, the head's and the loss's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head_saved_bytes: Option<u64>,
    /// Tokens per second of one GPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_per_s_per_gpu: Option<f64>,
    /// Model TFLOP/s of one GPU, by the row's convention.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tflops_per_gpu: Option<f64>,
    /// Share of the peak rate for the model's own work, by the row's convention.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mfu: Option<f64>,
    /// The same with recomputation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hfu: Option<f64>,
    /// One optimizer step, seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step_s: Option<f64>,
    /// Bytes of the cache when the prompts have gone through.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kv_bytes: Option<u64>,
    /// Live bytes while the prompts go through.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefill_peak_bytes: Option<u64>,
    /// Live bytes when the last token is generated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decode_peak_bytes: Option<u64>,
    /// Generated tokens per second of all sequences.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decode_tokens_per_s: Option<f64>,
    /// Prompt tokens per second of all sequences.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefill_tokens_per_s: Option<f64>,
}

impl Predicted {
    /// What an estimate says, in the row's own terms.
    pub(super) fn of(row: &Row<'_>, plan: &Plan, answer: &Estimate) -> Self {
        let mut predicted = Self { fits: fits(answer.memory.verdict), ..Self::default() };
        if let Some(stage) = stage(row, answer) {
            predicted.memory(stage, plan.workload.task);
        }
        match &answer.speed.figures {
            Figures::Training(figures) => {
                predicted.training(figures, row, f64::from(plan.hardware.gpus));
            }
            Figures::Serving(figures) => predicted.serving(figures),
        }
        predicted
    }

    fn memory(&mut self, stage: &StageMemory, task: Task) {
        self.allocated_gib = Some(stage.allocated.gib());
        self.active_gib = Some(stage.allocated.gib());
        self.reserved_gib = Some(stage.reserved.gib());
        self.device_gib = Some(stage.total().gib());
        self.device_low_gib = Some(stage.low.gib());
        self.device_high_gib = Some(stage.high.gib());
        self.peak_stage = Some(stage.stage);
        self.peak_moment = moment(stage.peak);
        self.static_bytes = Some(stage.static_bytes.0);
        self.params_bytes = Some(stage.parts.get(Part::Parameters).0);
        if task == Task::Training {
            let states =
                stage.parts.get(Part::OptimizerState) + stage.parts.get(Part::MasterWeights);
            self.grads_at_peak_bytes = Some(stage.parts.get(Part::Gradients).0);
            self.optimizer_bytes = Some(states.0);
            self.saved_bytes = Some(stage.saved_bytes.0);
            self.saved_per_layer_bytes = Some(stage.saved_per_layer.0);
            self.head_saved_bytes = Some(stage.head_saved.0);
        }
        if let Some(serving) = &stage.serving {
            self.kv_bytes = Some(serving.kv.0);
            self.prefill_peak_bytes = Some(serving.prefill_peak.0);
            self.decode_peak_bytes = Some(serving.decode_peak.0);
        }
    }

    /// Utilisation as the row's source counts it.
    ///
    /// ```text
    /// full 6·P + 12·L·A·s    half: attention halved    none: attention left out
    /// frozen weights' gradients count unless the row says they do not
    /// ```
    fn training(&mut self, figures: &TrainingFigures, row: &Row<'_>, gpus: f64) {
        let share_of_attention = match row.text("flops_convention") {
            "half" => 0.5,
            "none" => 0.0,
            _ => 1.0,
        };
        let frozen = if row.text("flops_frozen") == "not-counted" { 0.0 } else { 1.0 };
        let counted = figures.model_flops.0
            - (1.0 - share_of_attention) * figures.attention_flops.0
            + frozen * figures.frozen_flops.0;
        let scale = counted / figures.model_flops.0;
        let per_gpu = counted / figures.step.0 / gpus;
        self.step_s = Some(figures.step.0);
        self.tokens_per_s_per_gpu = Some(figures.tokens_per_sec_per_gpu);
        self.tflops_per_gpu = Some(crate::units::FlopsPerSec(per_gpu).tera());
        self.mfu = Some(figures.mfu * scale);
        self.hfu = Some(figures.hfu * scale);
    }

    fn serving(&mut self, figures: &ServingFigures) {
        self.decode_tokens_per_s = Some(figures.decode_tokens_per_sec);
        self.prefill_tokens_per_s = Some(figures.prefill_tokens_per_sec);
    }
}

/// The stage that the row speaks of: the one it names, or the fullest.
fn stage<'a>(row: &Row<'_>, answer: &'a Estimate) -> Option<&'a StageMemory> {
    let stages = &answer.memory.stages;
    let named = row.count("stage").and_then(|stage| usize::try_from(stage).ok());
    stages.get(named.unwrap_or(answer.memory.worst))
}

const fn fits(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Fits => "yes",
        Verdict::Tight => "tight",
        Verdict::DoesNotFit => "no",
    }
}

/// `forward`, `backward` or `optimizer`, and the moment in it: the text key, split.
fn moment(moment: Moment) -> String {
    let key = moment.key();
    let name = key.strip_prefix("moment-").unwrap_or(key);
    let (phase, rest) = name.split_once('-').unwrap_or((name, ""));
    match phase {
        "forward" | "backward" | "optimizer" if rest.is_empty() => phase.to_owned(),
        "forward" | "backward" | "optimizer" => format!("{phase}.{rest}"),
        _ => format!("forward.{name}"),
    }
}
