//! The newer families: gated feed-forward blocks, RMS norms, experts, latent attention.

use proptest::prelude::*;
use vramplan::catalogue::{Biases, Mla, Moe, NormPlacement, QkNorm};

use crate::declared::{ALL_BUT_HEAD, Declared, Size, agree, llama_architecture, size};

/// Frame of the Llama-like families: embedding, layers, final norm, head.
fn llama_like(size: Size, mut layer: impl FnMut(&mut Declared, u64)) -> Declared {
    let [hidden, layers, .., vocab] = size.wide();
    let mut model = Declared::default();
    model.embedding(vocab, hidden);
    for index in 0..layers {
        layer(&mut model, index);
    }
    model.rms_norm(hidden);
    if !size.tied {
        model.linear(hidden, vocab, false);
    }
    model
}

/// `LlamaAttention`, with a bias on queries, keys and values (Qwen2) or on all.
fn llama_attention(model: &mut Declared, size: Size, qkv_bias: bool, out_bias: bool) {
    let [hidden, _, heads, groups, dim, ..] = size.wide();
    model.linear(hidden, heads * dim, qkv_bias);
    model.linear(hidden, groups * dim, qkv_bias);
    model.linear(hidden, groups * dim, qkv_bias);
    model.linear(heads * dim, hidden, out_bias);
}

proptest! {
    #[test]
    fn llama_and_qwen2_count_as_declared(
        size in size(), qkv_bias: bool, out_bias: bool, mlp_bias: bool,
    ) {
        let mut arch = llama_architecture(size);
        arch.biases.qkv = qkv_bias;
        arch.biases.attention_out = out_bias;
        arch.biases.mlp = mlp_bias;
        let [hidden, _, _, _, _, ffn, _] = size.wide();
        let model = llama_like(size, |model, _| {
            llama_attention(model, size, qkv_bias, out_bias);
            model.gated_mlp(hidden, ffn, mlp_bias);
            model.rms_norm(hidden);
            model.rms_norm(hidden);
        });
        agree(&arch, &model)?;
    }

    #[test]
    fn phi3_with_fused_matrices_counts_as_declared(size in size()) {
        let mut arch = llama_architecture(size);
        arch.fused_qkv = true;
        arch.fused_gate_up = true;
        let [hidden, _, heads, groups, dim, ffn, _] = size.wide();
        let model = llama_like(size, |model, _| {
            model.linear(hidden, heads * dim + 2 * (groups * dim), false);
            model.linear(heads * dim, hidden, false);
            model.linear(hidden, 2 * ffn, false);
            model.linear(ffn, hidden, false);
            model.rms_norm(hidden);
            model.rms_norm(hidden);
        });
        agree(&arch, &model)?;
    }

    #[test]
    fn gemma3_and_qwen3_with_norms_of_each_head_count_as_declared(size in size(), sandwich: bool) {
        let mut arch = llama_architecture(size);
        arch.qk_norm = QkNorm::PerHead;
        arch.norm_placement = if sandwich { NormPlacement::Sandwich } else { NormPlacement::Pre };
        let [hidden, _, _, _, dim, ffn, _] = size.wide();
        let model = llama_like(size, |model, _| {
            llama_attention(model, size, false, false);
            model.rms_norm(dim);
            model.rms_norm(dim);
            model.gated_mlp(hidden, ffn, false);
            for _ in 0..if sandwich { 4 } else { 2 } {
                model.rms_norm(hidden);
            }
        });
        agree(&arch, &model)?;
    }

    #[test]
    fn olmo2_with_norms_over_all_heads_counts_as_declared(size in size()) {
        let mut arch = llama_architecture(size);
        arch.qk_norm = QkNorm::AllHeads;
        arch.norm_placement = NormPlacement::Post;
        let [hidden, _, heads, groups, dim, ffn, _] = size.wide();
        let model = llama_like(size, |model, _| {
            llama_attention(model, size, false, false);
            model.rms_norm(heads * dim);
            model.rms_norm(groups * dim);
            model.gated_mlp(hidden, ffn, false);
            model.rms_norm(hidden);
            model.rms_norm(hidden);
        });
        agree(&arch, &model)?;
    }

    #[test]
    fn mixtral_and_gpt_oss_count_as_declared(
        size in size(), experts in 1_u32..64, used in 1_u32..64, gpt_oss: bool,
    ) {
        let mut arch = llama_architecture(size);
        let topk = used.min(experts);
        arch.moe = Some(Moe { experts, topk, expert_ffn: size.ffn, shared_ffn: 0, first_dense: 0 });
        if gpt_oss {
            arch.biases = Biases { router: true, ..ALL_BUT_HEAD };
            arch.attention_sinks = true;
        }
        let [hidden, _, heads, _, _, ffn, _] = size.wide();
        let model = llama_like(size, |model, _| {
            llama_attention(model, size, gpt_oss, gpt_oss);
            if gpt_oss {
                model.parameter(&[heads]);
            }
            model.linear(hidden, u64::from(experts), gpt_oss);
            model.experts(u64::from(experts), hidden, ffn, gpt_oss);
            model.rms_norm(hidden);
            model.rms_norm(hidden);
        });
        agree(&arch, &model)?;
    }

    #[test]
    fn deepseek_with_latent_attention_and_shared_experts_counts_as_declared(
        size in size(), query_rank in proptest::option::of(1_u32..2000), rank in 1_u32..1000,
        nope in 1_u32..200, rope in 1_u32..100, value in 1_u32..200,
        experts in 1_u32..64, used in 1_u32..64, width in 1_u32..2000, shared in 0_u32..3,
        first_dense in 0_u32..50,
    ) {
        let mut arch = llama_architecture(size);
        arch.kv_heads = arch.heads;
        arch.head_dim = nope + rope;
        let (topk, first_dense) = (used.min(experts), first_dense.min(size.layers));
        arch.moe = Some(Moe { experts, topk, expert_ffn: width, shared_ffn: shared * width, first_dense });
        arch.mla = Some(Mla {
            q_lora_rank: query_rank, kv_lora_rank: rank, qk_nope_dim: nope, qk_rope_dim: rope, v_dim: value,
        });
        let [hidden, _, heads, _, _, ffn, _] = size.wide();
        let [rank, nope, rope, value, experts, width, shared] =
            [rank, nope, rope, value, experts, width, shared].map(u64::from);
        let model = llama_like(size, |model, index| {
            if let Some(query_rank) = query_rank.map(u64::from) {
                model.linear(hidden, query_rank, false);
                model.rms_norm(query_rank);
                model.linear(query_rank, heads * (nope + rope), false);
            } else {
                model.linear(hidden, heads * (nope + rope), false);
            }
            model.linear(hidden, rank + rope, false);
            model.rms_norm(rank);
            model.linear(rank, heads * (nope + value), false);
            model.linear(heads * value, hidden, false);
            if index < u64::from(first_dense) {
                model.gated_mlp(hidden, ffn, false);
            } else {
                model.linear(hidden, experts, false);
                model.experts(experts, hidden, width, false);
                if shared > 0 {
                    model.gated_mlp(hidden, width * shared, false);
                }
            }
            model.rms_norm(hidden);
            model.rms_norm(hidden);
        });
        agree(&arch, &model)?;
    }
}
