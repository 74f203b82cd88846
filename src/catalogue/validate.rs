//! Whether an entry makes sense: rules that a file's syntax cannot express.

use std::fmt;

use super::{Architecture, Gpu, Link, Mla, Model, Moe, Overhead};

/// One field of an entry that breaks a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// Name of the field, with a dot inside nested ones (`moe.topk`).
    pub field: &'static str,
    /// The rule that it breaks.
    pub rule: Rule,
}

impl Flaw {
    /// Text key of the field's label in the editors.
    #[must_use]
    pub fn label_key(&self) -> &'static str {
        label_key(self.field)
    }
}

/// Text key of the label that a field of a model or a card has in the editors; the name itself, which
/// is shown as it is, where the editors do not have the field.
#[must_use]
pub fn label_key(field: &'static str) -> &'static str {
    LABELS.iter().find(|(name, _)| *name == field).map_or(field, |(_, key)| *key)
}

/// Fields of models and cards by their names in files, with the keys of their labels.
const LABELS: [(&str, &str); 46] = [
    ("hidden", "arch-hidden"),
    ("layers", "arch-layers"),
    ("heads", "arch-heads"),
    ("kv_heads", "arch-kv-heads"),
    ("head_dim", "arch-head-dim"),
    ("ffn", "arch-ffn"),
    ("vocab", "arch-vocab"),
    ("embedding_dim", "arch-embedding-dim"),
    ("positions", "arch-position-rows"),
    ("dropout", "arch-dropout"),
    ("attention_dropout", "arch-attention-dropout"),
    ("embedding_dropout", "arch-embedding-dropout"),
    ("window.size", "arch-window-size"),
    ("window.sliding_layers", "arch-sliding-layers"),
    ("moe.experts", "arch-experts"),
    ("moe.topk", "arch-topk"),
    ("moe.expert_ffn", "arch-expert-ffn"),
    ("moe.shared_ffn", "arch-shared-ffn"),
    ("moe.first_dense", "arch-first-dense"),
    ("mla.q_lora_rank", "arch-q-lora-rank"),
    ("mla.kv_lora_rank", "arch-kv-lora-rank"),
    ("mla.qk_nope_dim", "arch-qk-nope-dim"),
    ("mla.qk_rope_dim", "arch-qk-rope-dim"),
    ("mla.v_dim", "arch-v-dim"),
    ("name", "custom-gpu-name"),
    ("memory_gb", "custom-gpu-memory"),
    ("driver_mib", "custom-gpu-memory"),
    ("usable_share", "custom-gpu-memory"),
    ("bus_width_bits", "custom-gpu-bus-width"),
    ("data_rate_gbps", "custom-gpu-data-rate"),
    ("bandwidth_gbps", "custom-gpu-bandwidth"),
    ("tflops.fp32", "custom-gpu-fp32"),
    ("tflops.tf32", "custom-gpu-tf32"),
    ("tflops.fp16", "custom-gpu-fp16"),
    ("tflops.fp16_acc16", "custom-gpu-fp16"),
    ("tflops.bf16", "custom-gpu-bf16"),
    ("tflops.fp8", "custom-gpu-fp8"),
    ("tflops.fp8_acc16", "custom-gpu-fp8"),
    ("tflops.int8", "custom-gpu-int8"),
    ("tflops.fp4", "custom-gpu-fp4"),
    ("nvlink.bidirectional_gbps", "custom-gpu-nvlink"),
    ("tdp_watts", "custom-gpu-tdp"),
    ("price_usd", "custom-gpu-price"),
    ("c2c_bidirectional_gbps", "custom-gpu-c2c"),
    ("pcie_gen", "custom-gpu-pcie-gen"),
    ("pcie_lanes", "custom-gpu-pcie-lanes"),
];

/// A rule that a field has to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Must not be empty.
    NotEmpty,
    /// Must be a number above 0.
    Positive,
    /// Must lie above 0 and not above 1.
    Fraction,
    /// Must lie from 0 on and below 1.
    Probability,
    /// `heads` must be a multiple of it.
    DividesHeads,
    /// Must not be above the number of experts.
    AtMostExperts,
    /// Must not be above the number of layers.
    AtMostLayers,
}

impl Rule {
    /// Text key of the rule.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::NotEmpty => "catalogue-rule-not-empty",
            Self::Positive => "catalogue-rule-positive",
            Self::Fraction => "catalogue-rule-fraction",
            Self::Probability => "catalogue-rule-probability",
            Self::DividesHeads => "catalogue-rule-divides-heads",
            Self::AtMostExperts => "catalogue-rule-at-most-experts",
            Self::AtMostLayers => "catalogue-rule-at-most-layers",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotEmpty => "must not be empty",
            Self::Positive => "must be a number above 0",
            Self::Fraction => "must lie above 0 and not above 1",
            Self::Probability => "must lie from 0 on and below 1",
            Self::DividesHeads => "must divide the number of query heads without remainder",
            Self::AtMostExperts => "must not be above the number of experts",
            Self::AtMostLayers => "must not be above the number of layers",
        })
    }
}

/// Collects flaws, in the order of the fields.
#[derive(Default)]
struct Flaws(Vec<Flaw>);

impl Flaws {
    fn require(&mut self, field: &'static str, rule: Rule, kept: bool) {
        if !kept {
            self.0.push(Flaw { field, rule });
        }
    }

    fn not_empty(&mut self, field: &'static str, text: &str) {
        self.require(field, Rule::NotEmpty, !text.trim().is_empty());
    }

    fn positive(&mut self, field: &'static str, value: impl Into<f64>) {
        let value = value.into();
        self.require(field, Rule::Positive, value.is_finite() && value > 0.0);
    }

    fn positive_if_given(&mut self, field: &'static str, value: Option<impl Into<f64>>) {
        if let Some(value) = value {
            self.positive(field, value);
        }
    }
}

impl Gpu {
    /// Fields that break a rule; empty if all is well.
    #[must_use]
    pub fn flaws(&self) -> Vec<Flaw> {
        let mut flaws = Flaws::default();
        flaws.not_empty("name", &self.name);
        flaws.positive("memory_gb", self.memory_gb);
        flaws.positive_if_given("driver_mib", self.driver_mib);
        let share = self.usable_share;
        flaws.require("usable_share", Rule::Fraction, share.is_none_or(|x| x > 0.0 && x <= 1.0));
        flaws.positive_if_given("bus_width_bits", self.bus_width_bits);
        flaws.positive_if_given("data_rate_gbps", self.data_rate_gbps);
        flaws.positive("bandwidth_gbps", self.bandwidth_gbps);
        for (field, rate) in [
            ("tflops.fp32", self.tflops.fp32),
            ("tflops.tf32", self.tflops.tf32),
            ("tflops.fp16", self.tflops.fp16),
            ("tflops.fp16_acc16", self.tflops.fp16_acc16),
            ("tflops.bf16", self.tflops.bf16),
            ("tflops.fp8", self.tflops.fp8),
            ("tflops.fp8_acc16", self.tflops.fp8_acc16),
            ("tflops.int8", self.tflops.int8),
            ("tflops.fp4", self.tflops.fp4),
        ] {
            flaws.positive_if_given(field, rate);
        }
        let link = self.nvlink.as_ref().map(|link| link.bidirectional_gbps);
        flaws.positive_if_given("nvlink.bidirectional_gbps", link);
        flaws.positive_if_given("c2c_bidirectional_gbps", self.c2c_bidirectional_gbps);
        flaws.positive_if_given("tdp_watts", self.tdp_watts);
        flaws.positive_if_given("price_usd", self.price_usd);
        flaws.0
    }
}

impl Model {
    /// Fields that break a rule; empty if all is well.
    #[must_use]
    pub fn flaws(&self) -> Vec<Flaw> {
        let mut flaws = Flaws::default();
        flaws.not_empty("id", &self.id);
        flaws.not_empty("name", &self.name);
        flaws.0.extend(self.architecture.flaws());
        flaws.0
    }
}

impl Architecture {
    /// Fields that break a rule; empty if all is well.
    #[must_use]
    pub fn flaws(&self) -> Vec<Flaw> {
        let mut flaws = Flaws::default();
        for (field, value) in [
            ("hidden", self.hidden),
            ("layers", self.layers),
            ("heads", self.heads),
            ("kv_heads", self.kv_heads),
            ("head_dim", self.head_dim),
            ("ffn", self.ffn),
            ("vocab", self.vocab),
        ] {
            flaws.positive(field, value);
        }
        let divides = self.kv_heads == 0 || self.heads.is_multiple_of(self.kv_heads);
        flaws.require("kv_heads", Rule::DividesHeads, divides);
        flaws.positive_if_given("embedding_dim", self.embedding_dim);
        for (field, p) in [
            ("dropout", self.dropout),
            ("attention_dropout", self.attention_dropout),
            ("embedding_dropout", self.embedding_dropout),
        ] {
            flaws.require(field, Rule::Probability, (0.0..1.0).contains(&p));
        }
        if let Some(window) = self.window {
            flaws.positive("window.size", window.size);
            let within = window.sliding_layers <= self.layers;
            flaws.require("window.sliding_layers", Rule::AtMostLayers, within);
        }
        if let Some(moe) = self.moe {
            moe_flaws(&mut flaws, moe, self.layers);
        }
        if let Some(mla) = self.mla {
            mla_flaws(&mut flaws, mla);
        }
        flaws.0
    }
}

fn moe_flaws(flaws: &mut Flaws, moe: Moe, layers: u32) {
    flaws.positive("moe.experts", moe.experts);
    flaws.positive("moe.topk", moe.topk);
    flaws.require("moe.topk", Rule::AtMostExperts, moe.topk <= moe.experts);
    flaws.positive("moe.expert_ffn", moe.expert_ffn);
    flaws.require("moe.first_dense", Rule::AtMostLayers, moe.first_dense <= layers);
}

fn mla_flaws(flaws: &mut Flaws, mla: Mla) {
    flaws.positive_if_given("mla.q_lora_rank", mla.q_lora_rank);
    flaws.positive("mla.kv_lora_rank", mla.kv_lora_rank);
    flaws.positive("mla.qk_nope_dim", mla.qk_nope_dim);
    flaws.positive("mla.qk_rope_dim", mla.qk_rope_dim);
    flaws.positive("mla.v_dim", mla.v_dim);
}

impl Link {
    /// Fields that break a rule; empty if all is well.
    #[must_use]
    pub fn flaws(&self) -> Vec<Flaw> {
        let mut flaws = Flaws::default();
        flaws.not_empty("item", &self.item);
        flaws.require("value", Rule::Positive, self.value.is_finite() && self.value >= 0.0);
        flaws.0
    }
}

impl Overhead {
    /// Fields that break a rule; empty if all is well.
    #[must_use]
    pub fn flaws(&self) -> Vec<Flaw> {
        let mut flaws = Flaws::default();
        flaws.not_empty("id", &self.id);
        flaws.not_empty("thing", &self.thing);
        flaws.positive("value", self.value);
        flaws.0
    }
}
