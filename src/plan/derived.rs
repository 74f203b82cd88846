//! A plan with its names looked up and its degrees worked out.

use super::{GpuChoice, ModelChoice, NodeLink, Plan, PlanError, Severity, Sharding};
use crate::catalogue::{Architecture, Catalogue, Gpu};

/// A valid plan together with the architecture and the card that its names stand for.
#[derive(Clone, Copy, Debug)]
pub struct Resolved<'a> {
    /// The plan itself.
    pub plan: &'a Plan,
    /// The model's architecture.
    pub arch: &'a Architecture,
    /// The card.
    pub gpu: &'a Gpu,
    /// The catalogue it was resolved with, for links and overheads.
    pub catalogue: &'a Catalogue,
    /// Parallel degrees and sizes per rank.
    pub layout: Layout,
}

/// Parallel degrees and sizes per rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// GPUs in all.
    pub world: u64,
    /// Tensor-parallel degree, `t`.
    pub tensor: u64,
    /// Pipeline stages, `p`.
    pub pipeline: u64,
    /// Model chunks per stage (1 unless the schedule interleaves).
    pub chunks: u64,
    /// Context-parallel degree.
    pub context: u64,
    /// Data-parallel degree: what remains of the GPUs.
    pub data: u64,
    /// Expert-parallel degree.
    pub expert: u64,
    /// Tensor-parallel degree of the experts.
    pub expert_tensor: u64,
    /// Ranks that share one copy of the sharded state, `N`: data x context / replicas.
    pub shards: u64,
    /// Ranks that share one copy of the experts' sharded state.
    pub expert_shards: u64,
    /// Micro-batches per step and data-parallel rank.
    pub micro_batches: u64,
    /// Tokens of one micro-batch on one rank, `T` = b·s / context.
    pub tokens: u64,
    /// Tokens of all micro-batches of a step on all ranks.
    pub global_tokens: u64,
}

impl Plan {
    /// Looks up the names and works out the degrees.
    ///
    /// # Errors
    ///
    /// [`PlanError::Invalid`] with every issue of any severity if one of them is an error.
    pub fn resolve<'a>(&'a self, catalogue: &'a Catalogue) -> Result<Resolved<'a>, PlanError> {
        let issues = self.validate(catalogue);
        if issues.iter().any(|issue| issue.severity == Severity::Error) {
            return Err(PlanError::Invalid(issues));
        }
        let (Some(arch), Some(gpu)) = (self.architecture(catalogue), self.gpu(catalogue)) else {
            return Err(PlanError::Invalid(issues));
        };
        Ok(Resolved { plan: self, arch, gpu, catalogue, layout: self.layout() })
    }

    /// The model's architecture, none if its id is unknown.
    #[must_use]
    pub fn architecture<'a>(&'a self, catalogue: &'a Catalogue) -> Option<&'a Architecture> {
        match &self.model {
            ModelChoice::Catalogue(id) => catalogue.model(id).map(|model| &model.architecture),
            ModelChoice::Custom(custom) => Some(&custom.architecture),
        }
    }

    /// The model's name for people.
    #[must_use]
    pub fn model_name<'a>(&'a self, catalogue: &'a Catalogue) -> &'a str {
        match &self.model {
            ModelChoice::Catalogue(id) => catalogue.model(id).map_or(id, |model| &model.name),
            ModelChoice::Custom(custom) => &custom.name,
        }
    }

    /// The card, none if its name is unknown.
    #[must_use]
    pub fn gpu<'a>(&'a self, catalogue: &'a Catalogue) -> Option<&'a Gpu> {
        match &self.hardware.gpu {
            GpuChoice::Catalogue(name) => catalogue.gpu(name),
            GpuChoice::Custom(gpu) => Some(gpu),
        }
    }

    /// Parallel degrees and sizes per rank; degrees of zero count as one.
    #[must_use]
    pub fn layout(&self) -> Layout {
        let axes = &self.parallelism;
        let degree = |value: u32| u64::from(value.max(1));
        let (tensor, pipeline, context) =
            (degree(axes.tensor), degree(axes.pipeline), degree(axes.context));
        let world = degree(self.hardware.gpus);
        // Saturating, since this also answers for plans whose sizes are out of bounds.
        let product = tensor.saturating_mul(pipeline).saturating_mul(context);
        let data = (world / product).max(1);
        let expert = degree(axes.expert);
        let expert_tensor = axes.expert_tensor.map_or(tensor, degree);
        let replicas = degree(axes.replicas);
        let micro_batches = degree(self.workload.accumulation);
        let sequences = degree(self.workload.micro_batch);
        let sequence = degree(self.workload.sequence);
        Layout {
            world,
            tensor,
            pipeline,
            chunks: if axes.interleaves() { degree(axes.virtual_stages) } else { 1 },
            context,
            data,
            expert,
            expert_tensor,
            shards: (data.saturating_mul(context) / replicas).max(1),
            expert_shards: (data.saturating_mul(context).saturating_mul(tensor)
                / (expert * expert_tensor)
                / replicas)
                .max(1),
            micro_batches,
            tokens: sequences * sequence.div_ceil(context),
            global_tokens: (sequences * sequence)
                .saturating_mul(micro_batches)
                .saturating_mul(data),
        }
    }
}

impl super::Parallelism {
    /// Stages hold several model chunks.
    #[must_use]
    pub fn interleaves(&self) -> bool {
        self.schedule == super::Schedule::Interleaved && self.pipeline > 1
    }
}

impl Resolved<'_> {
    /// Sharding ranks for a kind of state: `N` if `least` or a higher stage of sharding is chosen, 1 otherwise.
    #[must_use]
    pub fn shards_from(&self, least: Sharding) -> u64 {
        if self.plan.parallelism.sharding as u8 >= least as u8 { self.layout.shards } else { 1 }
    }

    /// The same for routed experts.
    #[must_use]
    pub fn expert_shards_from(&self, least: Sharding) -> u64 {
        if self.plan.parallelism.sharding as u8 >= least as u8 {
            self.layout.expert_shards
        } else {
            1
        }
    }

    /// Layers of a pipeline stage: `(first layer, number)`.
    ///
    /// First and last stage take what the plan says; the rest is divided evenly, and what does not
    /// divide goes one layer each to the stages in front.
    #[must_use]
    pub fn stage_layers(&self, stage: u64) -> (u64, u64) {
        let axes = &self.plan.parallelism;
        let layers = u64::from(self.arch.layers);
        let stages = self.layout.pipeline;
        if stages == 1 {
            return (0, layers);
        }
        let first = axes.first_stage_layers.map(u64::from);
        let last = axes.last_stage_layers.map(u64::from);
        let fixed_stages = u64::from(first.is_some()) + u64::from(last.is_some());
        let free_layers = layers.saturating_sub(first.unwrap_or(0) + last.unwrap_or(0));
        let free_stages = stages.saturating_sub(fixed_stages).max(1);
        let (each, extra) = (free_layers / free_stages, free_layers % free_stages);
        let free_index = |index: u64| index - u64::from(first.is_some() && index > 0);
        let start_of_free = |index: u64| {
            let before = free_index(index);
            first.unwrap_or(0) + each * before + before.min(extra)
        };
        if stage == 0 {
            return (0, first.unwrap_or(each + u64::from(extra > 0)));
        }
        if stage + 1 == stages
            && let Some(last) = last
        {
            return (layers.saturating_sub(last), last);
        }
        (start_of_free(stage), each + u64::from(free_index(stage) < extra))
    }

    /// GPUs of a group fit inside one node.
    #[must_use]
    pub fn inside_node(&self, group: u64) -> bool {
        group <= u64::from(self.plan.hardware.gpus_per_node.max(1))
    }

    /// The card's fast link is used inside a node.
    #[must_use]
    pub fn uses_fast_link(&self) -> bool {
        self.gpu.nvlink.is_some() && self.plan.hardware.node_link == NodeLink::Auto
    }
}
