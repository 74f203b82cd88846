//! The answer as one JSON object: bytes are exact, names do not depend on the language.
//!
//! Names of parts, moments and shares of time are the text keys without their prefix, such as
//! `optimizer` for `part-optimizer`. A change that could break a reader raises [`SCHEMA_VERSION`].

use std::collections::BTreeMap;

use serde::Serialize;

use super::answer::Answer;
use crate::{
    catalogue::CapacityBasis,
    estimate::Estimate,
    memory::{StageMemory, Verdict},
    plan::{Choice, Issue, Severity},
    text::Texts,
    throughput::{Figures, SpeedEstimate},
};

/// Version of the object's shape.
pub const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct Root<'a> {
    schema_version: u32,
    title: &'a str,
    model: &'a str,
    gpu: &'a str,
    gpus: u32,
    verdict: &'static str,
    #[serde(flatten)]
    memory: Option<Memory>,
    speed: Option<Speed>,
    /// Serving: sequences that surely fit in memory at once.
    most_sequences: Option<u32>,
    issues: Vec<IssueEntry>,
}

#[derive(Serialize)]
struct Memory {
    capacity_bytes: u64,
    capacity_basis: &'static str,
    worst_stage: usize,
    stages: Vec<Stage>,
}

#[derive(Serialize)]
struct Stage {
    #[serde(rename = "stage")]
    index: u32,
    layers: u32,
    peak: &'static str,
    total_bytes: u64,
    reserved_bytes: u64,
    allocated_bytes: u64,
    low_bytes: u64,
    high_bytes: u64,
    static_bytes: u64,
    saved_bytes: u64,
    parts: BTreeMap<&'static str, u64>,
}

#[derive(Serialize)]
struct Speed {
    bound_by: &'static str,
    #[serde(flatten)]
    figures: SpeedFigures,
    time_secs: BTreeMap<&'static str, f64>,
    achieved_fractions: BTreeMap<&'static str, f64>,
    /// Mean power of one card, watts.
    power_watts: Option<f64>,
    /// Mean bandwidth of one card's memory, GB/s.
    achieved_gbps: f64,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum SpeedFigures {
    Training {
        step_secs: f64,
        tokens_per_sec_per_gpu: f64,
        tokens_per_sec: f64,
        mfu: f64,
        hfu: f64,
        time_to_train_secs: f64,
        gpu_hours: f64,
        energy_kwh: Option<f64>,
        cost_usd: Option<f64>,
    },
    Serving {
        decode_tokens_per_sec: f64,
        decode_tokens_per_sec_per_user: f64,
        decode_ceiling_tokens_per_sec: f64,
        prefill_tokens_per_sec: f64,
        time_to_first_token_secs: f64,
        token_latency_secs: f64,
        kwh_per_million_tokens: Option<f64>,
        usd_per_million_tokens: Option<f64>,
    },
}

#[derive(Serialize)]
struct IssueEntry {
    severity: &'static str,
    field: &'static str,
    code: &'static str,
    message: String,
}

pub(super) fn text(answer: &Answer<'_>, texts: &Texts) -> String {
    let plan = &answer.preset.plan;
    let root = Root {
        schema_version: SCHEMA_VERSION,
        title: &answer.preset.title,
        model: plan.model_name(answer.catalogue),
        gpu: plan.gpu(answer.catalogue).map_or("", |gpu| &gpu.name),
        gpus: plan.hardware.gpus,
        verdict: answer.estimate.as_ref().map_or("invalid", verdict),
        memory: answer.estimate.as_ref().map(memory),
        speed: answer.estimate.as_ref().and_then(Estimate::speed_if_it_fits).map(speed),
        most_sequences: answer.most_sequences,
        issues: answer.issues.iter().map(|issue| issue_entry(issue, texts)).collect(),
    };
    match serde_json::to_string_pretty(&root) {
        Ok(text) => text + "\n",
        Err(error) => {
            // Only maps with odd keys or a failing writer could bring us here.
            log::error!("the answer could not be written as JSON: {error}");
            String::new()
        }
    }
}

/// A name without the prefix that its text key has.
fn name(choice: impl Choice) -> &'static str {
    let key = choice.key();
    key.split_once('-').map_or(key, |(_, name)| name)
}

const fn verdict(estimate: &Estimate) -> &'static str {
    match estimate.memory.verdict {
        Verdict::Fits => "fits",
        Verdict::Tight => "tight",
        Verdict::DoesNotFit => "does-not-fit",
    }
}

fn memory(estimate: &Estimate) -> Memory {
    let memory = &estimate.memory;
    Memory {
        capacity_bytes: memory.capacity.0,
        capacity_basis: match memory.capacity_basis {
            CapacityBasis::Driver => "driver",
            CapacityBasis::Label => "label",
        },
        worst_stage: memory.worst,
        stages: memory.stages.iter().map(stage).collect(),
    }
}

fn stage(stage: &StageMemory) -> Stage {
    Stage {
        index: stage.stage,
        layers: stage.layers,
        peak: name(stage.peak),
        total_bytes: stage.total().0,
        reserved_bytes: stage.reserved.0,
        allocated_bytes: stage.allocated.0,
        low_bytes: stage.low.0,
        high_bytes: stage.high.0,
        static_bytes: stage.static_bytes.0,
        saved_bytes: stage.saved_bytes.0,
        parts: stage.parts.iter().map(|(part, bytes)| (name(part), bytes.0)).collect(),
    }
}

fn speed(speed: &SpeedEstimate) -> Speed {
    Speed {
        bound_by: name(speed.bound_by),
        figures: figures(&speed.figures),
        time_secs: speed.time.iter().map(|(part, secs)| (name(*part), secs.0)).collect(),
        achieved_fractions: speed
            .fractions
            .iter()
            .map(|fraction| (fraction.label, fraction.value))
            .collect(),
        achieved_gbps: speed.achieved_bandwidth().giga(),
        power_watts: speed.power.map(|power| power.watts),
    }
}

fn figures(figures: &Figures) -> SpeedFigures {
    match figures {
        Figures::Training(training) => SpeedFigures::Training {
            step_secs: training.step.0,
            tokens_per_sec_per_gpu: training.tokens_per_sec_per_gpu,
            tokens_per_sec: training.tokens_per_sec,
            mfu: training.mfu,
            hfu: training.hfu,
            time_to_train_secs: training.time_to_train.0,
            gpu_hours: training.gpu_hours,
            energy_kwh: training.energy_kwh,
            cost_usd: training.cost_usd,
        },
        Figures::Serving(serving) => SpeedFigures::Serving {
            decode_tokens_per_sec: serving.decode_tokens_per_sec,
            decode_tokens_per_sec_per_user: serving.decode_tokens_per_sec_per_user,
            decode_ceiling_tokens_per_sec: serving.decode_ceiling_tokens_per_sec,
            prefill_tokens_per_sec: serving.prefill_tokens_per_sec,
            time_to_first_token_secs: serving.time_to_first_token.0,
            token_latency_secs: serving.token_latency.0,
            kwh_per_million_tokens: serving.kwh_per_million_tokens,
            usd_per_million_tokens: serving.usd_per_million_tokens,
        },
    }
}

fn issue_entry(issue: &Issue, texts: &Texts) -> IssueEntry {
    IssueEntry {
        severity: match issue.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        },
        field: name(issue.field),
        code: issue.message.key,
        message: texts.message(&issue.message),
    }
}
