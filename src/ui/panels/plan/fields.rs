//! Which group a field belongs to.

use crate::plan::{Field, Group};

/// The group under whose heading a field stands.
pub const fn group_of(field: Field) -> Group {
    use Field as F;
    match field {
        F::Model | F::Architecture => Group::Model,
        F::Gpu
        | F::Gpus
        | F::GpusPerNode
        | F::NodeLink
        | F::Network
        | F::MemoryInUse
        | F::Price => Group::Hardware,
        F::Task
        | F::Method
        | F::Sequence
        | F::MicroBatch
        | F::Accumulation
        | F::PaddedMask
        | F::OnesMask
        | F::VaryingLengths
        | F::TrainingTokens
        | F::LoraRank
        | F::LoraTargets
        | F::LoraDtype
        | F::LoraDropout
        | F::LoraEmbeddings
        | F::PromptTokens
        | F::GeneratedTokens
        | F::Concurrency
        | F::Cache => Group::Workload,
        F::Recipe
        | F::ParamDtype
        | F::ComputeDtype
        | F::GradDtype
        | F::Mixed
        | F::WeightFormat
        | F::QuantisedKernel
        | F::KvDtype
        | F::ScaleRecipe
        | F::ScaledLinears
        | F::ScaledExperts
        | F::ScaledGather => Group::Precision,
        F::Optimizer
        | F::StateDtype
        | F::StepKernel
        | F::OptimizerInBackward
        | F::ClipGradients
        | F::SetToNone => Group::Optimizer,
        F::Tensor
        | F::SequenceParallel
        | F::LossParallel
        | F::Pipeline
        | F::VirtualStages
        | F::Schedule
        | F::FirstStageLayers
        | F::LastStageLayers
        | F::Context
        | F::ContextExchange
        | F::OverlapTensor
        | F::OverlapExpert
        | F::DispatchOnceANode
        | F::Expert
        | F::ExpertTensor
        | F::Sharding
        | F::Replicas
        | F::Reshard
        | F::ReduceDtype => Group::Parallelism,
        F::Checkpointing
        | F::EveryNth
        | F::RecomputedBlocks
        | F::RecomputeCore
        | F::RecomputeNorms
        | F::RecomputeMlp
        | F::RecomputeExperts
        | F::RecomputeLatent
        | F::Reentrant
        | F::OffloadActivations
        | F::OffloadBlocks => Group::Checkpointing,
        F::Profile
        | F::Attention
        | F::Loss
        | F::KeepLogits
        | F::Compile
        | F::FlatParameters
        | F::CudaGraphs
        | F::Dropout
        | F::Offload
        | F::ExpandableSegments
        | F::EagerKernelLoading => Group::Framework,
    }
}
