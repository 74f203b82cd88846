//! Random plans: valid ones for the most part, from a seed.

use vramplan::{
    catalogue::{Catalogue, Dtype},
    plan::{
        AttentionKernel, CheckpointPolicy, Choice, GpuChoice, LossKind, Method, ModelChoice,
        Offload, OptimizerKind, Plan, Profile, Recipe, Schedule, Sharding, StepKernel, Task,
        WeightFormat,
    },
};

/// A small deterministic generator (`SplitMix64`).
pub struct Dice(pub u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::try_from(self.below(from.len() as u64)).expect("an index")]
    }

    fn any<T: Choice>(&mut self) -> T {
        self.pick(T::ALL)
    }

    fn yes(&mut self) -> bool {
        self.below(2) == 0
    }
}

/// A plan in which every knob was turned at random.
pub fn random_plan(seed: u64, catalogue: &Catalogue) -> Plan {
    let dice = &mut Dice(seed);
    let mut plan = Plan::default();
    let model = &catalogue.models
        [usize::try_from(dice.below(catalogue.models.len() as u64)).expect("an index")];
    let gpu = &catalogue.gpus
        [usize::try_from(dice.below(catalogue.gpus.len() as u64)).expect("an index")];
    plan.model = ModelChoice::Catalogue(model.id.clone());
    plan.hardware.gpu = GpuChoice::Catalogue(gpu.name.clone());
    let arch = &model.architecture;
    let dividing = |dice: &mut Dice, of: u32| {
        let degrees: Vec<u32> =
            [1, 1, 1, 2, 4, 8].into_iter().filter(|ways| of.is_multiple_of(*ways)).collect();
        dice.pick(&degrees)
    };
    let axes = &mut plan.parallelism;
    axes.tensor = dividing(dice, arch.heads);
    if !arch.kv_heads.is_multiple_of(axes.tensor) || !arch.ffn.is_multiple_of(axes.tensor) {
        axes.tensor = 1;
    }
    axes.pipeline = dice.pick(&[1, 1, 1, 2, 3, 4, 8]).min(arch.layers);
    axes.context = dice.pick(&[1, 1, 1, 2, 4]);
    let data = dice.pick(&[1, 1, 2, 3, 4, 8, 64]);
    axes.schedule = dice.any::<Schedule>();
    axes.virtual_stages = dice.pick(&[1, 2, 3, 4]);
    axes.sharding = dice.any::<Sharding>();
    axes.sequence_parallel = dice.yes();
    axes.loss_parallel = dice.yes();
    axes.reshard_after_forward = dice.yes();
    axes.reduce_dtype = dice.pick(&[Dtype::Fp32, Dtype::Bf16]);
    if let Some(moe) = arch.moe {
        let room = data * axes.context * axes.tensor;
        axes.expert = dice.pick(&[1, 2, 4, 8]);
        if !room.is_multiple_of(axes.expert) || moe.experts % axes.expert != 0 {
            axes.expert = 1;
        }
    }
    plan.hardware.gpus = axes.tensor * axes.pipeline * axes.context * data;
    workload(&mut plan, dice);
    formats(&mut plan, dice);
    plan.checkpointing.policy = dice.any::<CheckpointPolicy>();
    plan.checkpointing.every_nth = dice.pick(&[1, 2, 3, 7]);
    plan.checkpointing.offload = dice.below(8) == 0;
    let framework = &mut plan.framework;
    framework.profile = dice.any::<Profile>();
    framework.attention = dice.any::<AttentionKernel>();
    framework.loss = dice.any::<LossKind>();
    framework.keep_logits = dice.yes();
    framework.compile = dice.yes();
    framework.dropout = dice.yes();
    framework.expandable_segments = dice.yes();
    framework.offload = dice.any::<Offload>();
    plan
}

fn workload(plan: &mut Plan, dice: &mut Dice) {
    let work = &mut plan.workload;
    work.task = dice.any::<Task>();
    work.method = dice.any::<Method>();
    work.sequence = dice.pick(&[128, 512, 2048, 4096, 8192, 131_072]);
    work.micro_batch = dice.pick(&[1, 2, 3, 8, 64]);
    work.accumulation = plan.parallelism.pipeline * dice.pick(&[1, 2, 4]);
    work.padded_mask = dice.below(6) == 0;
    work.prompt_tokens = dice.pick(&[1, 100, 2048, 32_768]);
    work.generated_tokens = dice.pick(&[0, 1, 512, 8192]);
    work.concurrency = dice.pick(&[1, 2, 64, 1000]);
    work.lora.rank = dice.pick(&[1, 8, 64]);
    work.lora.targets = dice.any();
    work.lora.dtype = dice.pick(&[Dtype::Fp32, Dtype::Bf16]);
    work.lora.dropout = dice.pick(&[0.0, 0.05]);
    work.lora.train_embeddings = dice.below(4) == 0;
}

fn formats(plan: &mut Plan, dice: &mut Dice) {
    dice.any::<Recipe>().apply(&mut plan.precision);
    plan.precision.weight_format = dice.any::<WeightFormat>();
    plan.precision.kv_dtype = dice.pick(&[Dtype::Bf16, Dtype::Fp8]);
    let optimizer = &mut plan.optimizer;
    optimizer.kind = dice.any::<OptimizerKind>();
    optimizer.implementation = dice.any::<StepKernel>();
    optimizer.state_dtype = dice.pick(&[None, Some(Dtype::Fp32), Some(Dtype::Bf16)]);
    optimizer.in_backward = dice.below(6) == 0;
    optimizer.clip_gradients = dice.yes();
    optimizer.set_to_none = dice.yes();
}
