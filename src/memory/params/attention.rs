//! Tensors of attention: separate or fused projections, latent attention, query and key norms, sinks.

use super::{Emit, ModuleKind, ParamTensor, TpSplit};
use crate::catalogue::{Architecture, Mla, QkNorm};

const ATTENTION: ModuleKind = ModuleKind::Attention;

/// Visits the tensors of one block's attention.
pub(super) fn visit<F: FnMut(ParamTensor)>(arch: &Architecture, emit: &mut Emit<'_, F>) {
    let value_width = if let Some(mla) = arch.mla {
        latent_projections(arch, mla, emit);
        u64::from(arch.heads).saturating_mul(u64::from(mla.v_dim))
    } else {
        if arch.fused_qkv {
            fused_projection(arch, emit);
        } else {
            projections(arch, emit);
        }
        query_width(arch)
    };
    let hidden = u64::from(arch.hidden);
    emit.matrix("o_proj.weight", ATTENTION, [hidden, value_width], TpSplit::Row);
    if arch.biases.attention_out {
        emit.vector("o_proj.bias", ATTENTION, hidden, TpSplit::Replicated);
    }
    query_key_norms(arch, emit);
    if arch.attention_sinks {
        emit.vector("sinks", ATTENTION, u64::from(arch.heads), TpSplit::Column);
    }
}

/// `a·d`, without latent attention.
fn query_width(arch: &Architecture) -> u64 {
    u64::from(arch.heads) * u64::from(arch.head_dim)
}

/// Separate projections.
///
/// ```text
/// q_proj   a·d × h
/// k_proj   g·d × h
/// v_proj   g·d × h        biases: a·d, g·d, g·d
/// ```
fn projections<F: FnMut(ParamTensor)>(arch: &Architecture, emit: &mut Emit<'_, F>) {
    let (hidden, kv_width) = (u64::from(arch.hidden), arch.kv_width());
    for (weight, bias, rows) in [
        ("q_proj.weight", "q_proj.bias", query_width(arch)),
        ("k_proj.weight", "k_proj.bias", kv_width),
        ("v_proj.weight", "v_proj.bias", kv_width),
    ] {
        emit.matrix(weight, ATTENTION, [rows, hidden], TpSplit::Column);
        if arch.biases.qkv {
            emit.vector(bias, ATTENTION, rows, TpSplit::Column);
        }
    }
}

/// One matrix for queries, keys and values.
///
/// ```text
/// qkv_proj   (a + 2·g)·d × h        bias: (a + 2·g)·d
/// ```
fn fused_projection<F: FnMut(ParamTensor)>(arch: &Architecture, emit: &mut Emit<'_, F>) {
    let rows = query_width(arch).saturating_add(arch.kv_width().saturating_mul(2));
    emit.matrix("qkv_proj.weight", ATTENTION, [rows, u64::from(arch.hidden)], TpSplit::Column);
    if arch.biases.qkv {
        emit.vector("qkv_proj.bias", ATTENTION, rows, TpSplit::Column);
    }
}

/// Multi-head latent attention: queries of rank `r_q` (or direct), keys and values of rank `r`.
///
/// ```text
/// q_proj                a·(d_n + d_r) × h               (without query compression)
/// q_a_proj              r_q × h          bias r_q
/// q_a_layernorm         r_q
/// q_b_proj              a·(d_n + d_r) × r_q
/// kv_a_proj_with_mqa    (r + d_r) × h    bias r + d_r
/// kv_a_layernorm        r
/// kv_b_proj             a·(d_n + d_v) × r
/// ```
///
/// Source: DeepSeek-AI 2024, arXiv:2405.04434, section 2.1; names as in transformers.
fn latent_projections<F: FnMut(ParamTensor)>(
    arch: &Architecture,
    mla: Mla,
    emit: &mut Emit<'_, F>,
) {
    let (hidden, heads) = (u64::from(arch.hidden), u64::from(arch.heads));
    let [rank, nope, rope, value] =
        [mla.kv_lora_rank, mla.qk_nope_dim, mla.qk_rope_dim, mla.v_dim].map(u64::from);
    let query_rows = heads.saturating_mul(nope + rope);
    if let Some(query_rank) = mla.q_lora_rank.map(u64::from) {
        emit.matrix("q_a_proj.weight", ATTENTION, [query_rank, hidden], TpSplit::Replicated);
        if arch.biases.qkv {
            emit.vector("q_a_proj.bias", ATTENTION, query_rank, TpSplit::Replicated);
        }
        emit.vector("q_a_layernorm.weight", ModuleKind::Norm, query_rank, TpSplit::Replicated);
        emit.matrix("q_b_proj.weight", ATTENTION, [query_rows, query_rank], TpSplit::Column);
    } else {
        emit.matrix("q_proj.weight", ATTENTION, [query_rows, hidden], TpSplit::Column);
    }
    let latent = [rank + rope, hidden];
    emit.matrix("kv_a_proj_with_mqa.weight", ATTENTION, latent, TpSplit::Replicated);
    if arch.biases.qkv {
        emit.vector("kv_a_proj_with_mqa.bias", ATTENTION, rank + rope, TpSplit::Replicated);
    }
    emit.vector("kv_a_layernorm.weight", ModuleKind::Norm, rank, TpSplit::Replicated);
    let expanded = [heads.saturating_mul(nope + value), rank];
    emit.matrix("kv_b_proj.weight", ATTENTION, expanded, TpSplit::Column);
}

/// Norms on queries and keys.
///
/// ```text
/// q_norm, k_norm   d, d           (each head)
/// q_norm, k_norm   a·d, g·d       (all heads together)
/// ```
fn query_key_norms<F: FnMut(ParamTensor)>(arch: &Architecture, emit: &mut Emit<'_, F>) {
    let (queries, keys) = match arch.qk_norm {
        QkNorm::None => return,
        QkNorm::PerHead => (u64::from(arch.head_dim), u64::from(arch.head_dim)),
        QkNorm::AllHeads => (query_width(arch), arch.kv_width()),
    };
    emit.norm(["q_norm.weight", "q_norm.bias"], arch.norm, queries);
    emit.norm(["k_norm.weight", "k_norm.bias"], arch.norm, keys);
}
