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
            Self::DividesHeads => "must divide `heads` without remainder",
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
        for (field, p) in [("dropout", self.dropout), ("attention_dropout", self.attention_dropout)]
        {
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
