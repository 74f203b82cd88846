//! What is wrong or doubtful about a plan, said at the field that can mend it.

use super::choices;
use crate::message::Message;

/// How bad an [`Issue`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; the estimate stands.
    Note,
    /// Probably not what was meant; the estimate stands.
    Warning,
    /// Cannot run; there is no estimate.
    Error,
}

choices! {
    /// A group of the plan's fields, as the window shows them.
    pub enum Group {
        /// Which model.
        #[default]
        Model = "group-model",
        /// Which machines.
        Hardware = "group-hardware",
        /// Which task, batch and lengths.
        Workload = "group-workload",
        /// Which number formats.
        Precision = "group-precision",
        /// Which optimizer.
        Optimizer = "group-optimizer",
        /// How the work is divided.
        Parallelism = "group-parallelism",
        /// What is recomputed.
        Checkpointing = "group-checkpointing",
        /// Which software.
        Framework = "group-framework",
    }
}

choices! {
    /// One input of the plan; `<key>-hint` explains it.
    pub enum Field {
        /// Catalogue or custom model.
        #[default]
        Model = "field-model",
        /// Query heads and other fields of a custom model.
        Architecture = "field-architecture",
        /// The card.
        Gpu = "field-gpu",
        /// Number of GPUs.
        Gpus = "field-gpus",
        /// GPUs per node.
        GpusPerNode = "field-gpus-per-node",
        /// Link inside a node.
        NodeLink = "field-node-link",
        /// Network between nodes.
        Network = "field-network",
        /// Memory that something else uses.
        MemoryInUse = "field-memory-in-use",
        /// Price of a GPU hour.
        Price = "field-price",
        /// Training or inference.
        Task = "field-task",
        /// Full, LoRA, QLoRA.
        Method = "field-method",
        /// Sequence length.
        Sequence = "field-sequence",
        /// Micro-batch.
        MicroBatch = "field-micro-batch",
        /// Gradient accumulation.
        Accumulation = "field-accumulation",
        /// Padding mask.
        PaddedMask = "field-padded-mask",
        /// A mask of ones is passed.
        OnesMask = "field-ones-mask",
        /// Batches of different lengths.
        VaryingLengths = "field-varying-lengths",
        /// Tokens to train on.
        TrainingTokens = "field-training-tokens",
        /// LoRA rank.
        LoraRank = "field-lora-rank",
        /// LoRA targets.
        LoraTargets = "field-lora-targets",
        /// LoRA number format.
        LoraDtype = "field-lora-dtype",
        /// LoRA dropout.
        LoraDropout = "field-lora-dropout",
        /// Embedding and head train in full.
        LoraEmbeddings = "field-lora-embeddings",
        /// Prompt length.
        PromptTokens = "field-prompt-tokens",
        /// Generated length.
        GeneratedTokens = "field-generated-tokens",
        /// Sequences at once.
        Concurrency = "field-concurrency",
        /// How the cache gets its memory.
        Cache = "field-cache",
        /// Recipe of number formats.
        Recipe = "field-recipe",
        /// Parameter format.
        ParamDtype = "field-param-dtype",
        /// Compute format.
        ComputeDtype = "field-compute-dtype",
        /// Gradient format.
        GradDtype = "field-grad-dtype",
        /// Mixed-precision mechanism.
        Mixed = "field-mixed",
        /// Format of frozen or served weights.
        WeightFormat = "field-weight-format",
        /// Kernel of products with integers in groups.
        QuantisedKernel = "field-quantised-kernel",
        /// Cache format.
        KvDtype = "field-kv-dtype",
        /// What shares a scale.
        ScaleRecipe = "field-scale-recipe",
        /// Dense products in the scaled format.
        ScaledLinears = "field-scaled-linears",
        /// Experts' products in the scaled format.
        ScaledExperts = "field-scaled-experts",
        /// Weights gathered in the scaled format.
        ScaledGather = "field-scaled-gather",
        /// Optimizer.
        Optimizer = "field-optimizer",
        /// State format.
        StateDtype = "field-state-dtype",
        /// Kernel of the step.
        StepKernel = "field-step-kernel",
        /// Step inside backward.
        OptimizerInBackward = "field-optimizer-in-backward",
        /// Gradient clipping.
        ClipGradients = "field-clip-gradients",
        /// Gradients freed or zeroed.
        SetToNone = "field-set-to-none",
        /// Tensor parallel.
        Tensor = "field-tensor",
        /// Sequence parallel.
        SequenceParallel = "field-sequence-parallel",
        /// Logits divided over the tensor-parallel group.
        LossParallel = "field-loss-parallel",
        /// Pipeline stages.
        Pipeline = "field-pipeline",
        /// Chunks per stage.
        VirtualStages = "field-virtual-stages",
        /// Pipeline schedule.
        Schedule = "field-schedule",
        /// Layers of the first stage.
        FirstStageLayers = "field-first-stage-layers",
        /// Layers of the last stage.
        LastStageLayers = "field-last-stage-layers",
        /// Context parallel.
        Context = "field-context",
        /// How context-parallel ranks exchange tokens.
        ContextExchange = "field-context-exchange",
        /// Tensor-parallel communication behind the products.
        OverlapTensor = "field-overlap-tensor",
        /// Expert-parallel communication behind another micro-batch.
        OverlapExpert = "field-overlap-expert",
        /// A token crosses the network once for each node.
        DispatchOnceANode = "field-dispatch-once",
        /// Expert parallel.
        Expert = "field-expert",
        /// Expert tensor parallel.
        ExpertTensor = "field-expert-tensor",
        /// Sharding.
        Sharding = "field-sharding",
        /// Replicas of the shards.
        Replicas = "field-replicas",
        /// Reshard after forward.
        Reshard = "field-reshard",
        /// Reduction format.
        ReduceDtype = "field-reduce-dtype",
        /// Checkpointing policy.
        Checkpointing = "field-checkpointing",
        /// Every n-th block.
        EveryNth = "field-every-nth",
        /// Blocks that are recomputed whole.
        RecomputedBlocks = "field-recomputed-blocks",
        /// Core attention is recomputed.
        RecomputeCore = "field-recompute-core",
        /// Norms are recomputed.
        RecomputeNorms = "field-recompute-norms",
        /// The dense feed-forward block is recomputed.
        RecomputeMlp = "field-recompute-mlp",
        /// The experts' activation is recomputed.
        RecomputeExperts = "field-recompute-experts",
        /// Latent projections are recomputed.
        RecomputeLatent = "field-recompute-latent",
        /// Reentrant checkpointing.
        Reentrant = "field-reentrant",
        /// Offload of kept activations.
        OffloadActivations = "field-offload-activations",
        /// Blocks whose activations are offloaded.
        OffloadBlocks = "field-offload-blocks",
        /// Framework.
        Profile = "field-profile",
        /// Attention kernel.
        Attention = "field-attention",
        /// Loss.
        Loss = "field-loss",
        /// Logits kept.
        KeepLogits = "field-keep-logits",
        /// Compiled model.
        Compile = "field-compile",
        /// Dropout.
        Dropout = "field-dropout",
        /// Host offload.
        Offload = "field-offload",
        /// FSDP's flat parameters.
        FlatParameters = "field-flat-parameters",
        /// Captured graphs.
        CudaGraphs = "field-cuda-graphs",
        /// Allocator setting.
        ExpandableSegments = "field-expandable-segments",
        /// Kernels loaded with the context.
        EagerKernelLoading = "field-eager-kernel-loading",
    }
}

/// One thing that is wrong or doubtful, with its remedy.
#[derive(Clone, Debug, PartialEq)]
pub struct Issue {
    /// How bad it is.
    pub severity: Severity,
    /// The input that can mend it.
    pub field: Field,
    /// What is wrong, and what to do about it.
    pub message: Message,
}

impl Issue {
    /// An issue that leaves no estimate.
    #[must_use]
    pub const fn error(field: Field, message: Message) -> Self {
        Self { severity: Severity::Error, field, message }
    }

    /// An issue that leaves a doubtful estimate.
    #[must_use]
    pub const fn warning(field: Field, message: Message) -> Self {
        Self { severity: Severity::Warning, field, message }
    }

    /// Something worth knowing.
    #[must_use]
    pub const fn note(field: Field, message: Message) -> Self {
        Self { severity: Severity::Note, field, message }
    }
}

/// Why there is no estimate.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// The plan cannot run as it is; each issue names its field and remedy.
    #[error("the plan cannot run as it is: {} problem(s), each named at its field", .0.len())]
    Invalid(Vec<Issue>),
}
