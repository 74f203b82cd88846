//! Mixtures of experts: all weights are resident, a token passes through a few.

use vramplan::{
    memory::{Part, Verdict, params},
    plan::{Method, Plan, Profile, Recipe, Sharding, WeightFormat},
    throughput::{self, Figures},
};

use crate::planner::{
    answer, architecture, catalogue, part, serving, sharded, stage, state_bytes, states_of,
    training, with, with_architecture, with_card,
};

/// A model like Qwen3.5 122B-A10B: about 120 B parameters, of which fewer than 12 B are active.
fn large_sparse(plan: &Plan) -> Plan {
    with_architecture(plan, |arch| {
        (arch.hidden, arch.layers, arch.vocab) = (3072, 48, 248_320);
        (arch.heads, arch.kv_heads, arch.head_dim) = (32, 2, 256);
        let moe = arch.moe.as_mut().expect("experts");
        (moe.experts, moe.topk, moe.expert_ffn, moe.shared_ffn) = (256, 8, 1024, 1024);
    })
}

/// llmfit sized a mixture of experts by the parameters active per token and called it a perfect fit.
#[test]
fn resident_weights_are_all_experts_and_not_the_active_ones() {
    let plan = large_sparse(&with(&serving("qwen3-235b-a22b", 2048), |plan| {
        plan.precision.weight_format = WeightFormat::Nf4;
    }));
    let plan = with_card(&plan, |gpu| gpu.driver_mib = Some(48 * 1024));
    let counts = params::count(plan.architecture(catalogue()).expect("a model"));
    assert!((118e9..125e9).contains(&(counts.total as f64)), "{}", counts.total);
    assert!((7e9..12e9).contains(&(counts.active as f64)), "{}", counts.active);
    let weights = stage(&plan).parts.get(Part::Parameters).gib();
    assert!(weights >= 60.0, "4.5 bits of all of them: {weights} GiB");
    assert_eq!(answer(&plan).verdict, Verdict::DoesNotFit, "on a card of 48 GiB");
}

/// llmfit fell back to all parameters where a card was missing from its table: 13 times too slow.
#[test]
fn a_typed_card_decodes_a_mixture_of_experts_as_fast_as_a_listed_one() {
    let speed =
        |plan: &Plan| match throughput::estimate(&plan.resolve(catalogue()).expect("a valid plan"))
            .figures
        {
            Figures::Serving(figures) => figures.decode_tokens_per_sec,
            Figures::Training(_) => panic!("it serves"),
        };
    let listed = serving("olmoe-1b-7b", 512);
    let typed = with_card(&listed, |gpu| gpu.name = "A card nobody knows".to_owned());
    assert!((speed(&listed) - speed(&typed)).abs() < 1e-9, "the name is no input");
}

/// Megatron-LM's estimate treats a layer of experts as a dense one of `ffn_hidden_size`.
#[test]
fn activations_follow_the_experts_a_token_passes_through() {
    let saved = |topk| {
        let plan = with_architecture(&training("mixtral-8x7b"), |arch| {
            arch.moe.as_mut().expect("experts").topk = topk;
        });
        stage(&plan).saved_per_layer.0
    };
    // Per token and expert 4·h + 8·f_m + 40 bytes.
    assert_eq!(saved(2) - saved(1), 2048 * (4 * 4096 + 8 * 14_336 + 40), "one expert more");
    let narrow = with_architecture(&training("mixtral-8x7b"), |arch| arch.ffn /= 2);
    assert_eq!(stage(&narrow).saved_per_layer.0, saved(2), "the dense width is not used");
}

/// Megatron-Bridge divided everything by TP, which is wrong wherever ETP·EP is another number.
///
/// ```text
/// attention 41,943,040 / 4   experts 1,409,286,144 / 8   router and norms 40,960 whole
/// 32 · 186,687,488 + 2·32,000·4096 / 4 + 4096 = 6,039,539,712 parameters
/// ```
#[test]
fn tensor_parallel_replicated_and_expert_weights_are_three_buckets() {
    let plan = with(&training("mixtral-8x7b"), |plan| {
        plan.framework.profile = Profile::Megatron;
        plan.hardware.gpus = 8;
        plan.parallelism.tensor = 4;
        plan.parallelism.expert = 8;
        plan.parallelism.expert_tensor = Some(1);
    });
    assert_eq!(part(&plan, Part::Parameters), 2 * 6_039_539_712, "each divided by its own degree");
}

/// aiconfigurator counted all experts on every GPU: eight times too much, and no room for the cache.
#[test]
fn expert_parallel_serving_divides_the_experts() {
    let plan = with_architecture(&serving("deepseek-v3", 1024), |arch| {
        arch.moe.as_mut().expect("experts").experts = 384;
    });
    let counts = params::count(plan.architecture(catalogue()).expect("a model"));
    let routed = counts.routed_experts * 58;
    let rest = counts.total - routed;
    let plan = with(&plan, |plan| {
        plan.hardware.gpus = 8;
        plan.parallelism.tensor = 8;
        plan.parallelism.expert = 8;
        plan.parallelism.expert_tensor = Some(1);
    });
    let held = part(&plan, Part::Parameters) / 2;
    assert!(held >= (routed + rest) / 8, "nothing is lost: {held}");
    assert!(held <= routed / 8 + rest / 4, "an eighth of the experts, the rest by TP: {held}");
}

/// FSDP2 divides the first dimension: the stacked experts of a layer do not split beyond their number.
///
/// ```text
/// experts 45,097,156,608 / 8 · 12 bytes = 63.0 GiB on the first of 64 ranks, not 7.9
/// ```
#[test]
fn a_stacked_expert_tensor_does_not_split_beyond_its_experts() {
    let mut plan = training("mixtral-8x7b");
    Recipe::Fp32CastAtGather.apply(&mut plan.precision);
    plan.framework.profile = Profile::Fsdp2;
    let idle = stage(&sharded(&plan, 64, Sharding::Zero3)).static_bytes.gib();
    assert!((63.0..64.0).contains(&idle), "{idle} GiB between steps");
}

/// Frozen weights of several widths are each divided by the ranks that share them.
///
/// ```text
/// Mixtral 8x7B in nf4 on 64 FSDP2 ranks (stacked experts divide by 8 only, a router's 8 rows by 8)
/// experts 45,097,156,608 · 4.5/8 / 8 + attention 1,342,177,280 · 4.5/8 / 64       = 3,182,690,304
/// 2 · (262,144,000 / 64 + 32 · 4096 + 266,240 / 64)                               =     8,462,464
/// fp32 adapters of rank 16 on attention 4 · 13,631,488 / 64                       =       851,968
/// ```
#[test]
fn quantised_experts_and_16_bit_embeddings_are_divided_by_their_own_ranks() {
    let plan = with(&training("mixtral-8x7b"), |plan| {
        plan.workload.method = Method::Qlora;
        plan.precision.weight_format = WeightFormat::Nf4;
        plan.framework.profile = Profile::Fsdp2;
    });
    let held = part(&sharded(&plan, 64, Sharding::Zero3), Part::Parameters);
    let expected = 3_182_690_304 + 8_462_464 + 851_968;
    assert!(held.abs_diff(expected) * 1000 < expected, "{held}, not {expected}");
}

/// Tensor-parallel ranks hand their own share of the tokens to the experts: whether the experts are
/// whole or divided, a rank computes the same number of products.
///
/// ```text
/// gate, up and product in 16 bits: 6 bytes · k · T / t for every entry of the experts' width
/// ETP 1: T/4 tokens of whole experts     ETP 4: T tokens of a quarter of each
/// ```
#[test]
fn expert_activations_are_divided_by_tp_whatever_the_experts_own_degree() {
    let saved = |expert_tensor, expert, more| {
        let plan = with(&training("mixtral-8x7b"), |plan| {
            plan.framework.profile = Profile::Megatron;
            plan.hardware.gpus = 8;
            plan.parallelism.tensor = 4;
            plan.parallelism.expert = expert;
            plan.parallelism.expert_tensor = Some(expert_tensor);
        });
        let wide = with_architecture(&plan, |arch| {
            arch.moe.as_mut().expect("experts").expert_ffn += more;
        });
        stage(&wide).saved_per_layer.0
    };
    for (expert_tensor, expert) in [(4, 2), (1, 8)] {
        let rise = saved(expert_tensor, expert, 1024) - saved(expert_tensor, expert, 0);
        assert_eq!(rise, 6 * 2 * 2048 / 4 * 1024, "ETP {expert_tensor}, EP {expert}");
    }
}

/// Experts are replicated over fewer ranks than the rest, and so is their optimizer state sharded.
#[test]
fn expert_state_is_sharded_over_the_ranks_that_share_an_expert() {
    let mut plan = states_of("mixtral-8x7b", Recipe::Bf16MasterFp32Grads);
    plan.framework.profile = Profile::Megatron;
    plan.parallelism.expert = 8;
    let plan = sharded(&plan, 8, Sharding::Zero1);
    let counts = params::count(architecture("mixtral-8x7b"));
    let routed = counts.routed_experts * 32;
    let rest = counts.total - routed;
    // An expert lives on one rank only, so that its 12 bytes stay whole there.
    let expected = 18 * routed / 8 + 6 * rest + 12 * rest / 8;
    assert_eq!(state_bytes(&stage(&plan).parts), expected, "each by its own ranks");
}
