//! Tensors of the feed-forward block: dense, or a router with routed and shared experts.

use super::{Emit, ModuleKind, ParamTensor, TpSplit};
use crate::catalogue::{Architecture, Moe};

/// Visits a dense feed-forward block.
pub(super) fn visit_dense<F: FnMut(ParamTensor)>(arch: &Architecture, emit: &mut Emit<'_, F>) {
    mlp(arch, ModuleKind::Mlp, u64::from(arch.ffn), emit);
}

/// Visits the router, the routed experts and the shared ones.
///
/// ```text
/// gate   E × h        bias E
/// ```
pub(super) fn visit_moe<F: FnMut(ParamTensor)>(
    arch: &Architecture,
    moe: Moe,
    emit: &mut Emit<'_, F>,
) {
    let (hidden, experts) = (u64::from(arch.hidden), u64::from(moe.experts));
    emit.matrix("gate.weight", ModuleKind::Router, [experts, hidden], TpSplit::Replicated);
    if arch.biases.router {
        emit.vector("gate.bias", ModuleKind::Router, experts, TpSplit::Replicated);
    }
    routed_experts(arch, moe, emit);
    if moe.shared_ffn > 0 {
        mlp(arch, ModuleKind::SharedExpert, u64::from(moe.shared_ffn), emit);
    }
}

/// Matrices of a block of width `f`.
///
/// ```text
/// gate_proj      f × h                   (gated)
/// up_proj        f × h
/// down_proj      h × f
/// gate_up_proj   2·f × h                 (gated and fused, instead of the first two)
/// biases         as many as rows
/// ```
fn mlp<F: FnMut(ParamTensor)>(
    arch: &Architecture,
    module: ModuleKind,
    width: u64,
    emit: &mut Emit<'_, F>,
) {
    let hidden = u64::from(arch.hidden);
    let mut column = |weight, bias, rows| {
        emit.matrix(weight, module, [rows, hidden], TpSplit::Column);
        if arch.biases.mlp {
            emit.vector(bias, module, rows, TpSplit::Column);
        }
    };
    if arch.gated_mlp && arch.fused_gate_up {
        column("gate_up_proj.weight", "gate_up_proj.bias", 2 * width);
    } else {
        if arch.gated_mlp {
            column("gate_proj.weight", "gate_proj.bias", width);
        }
        column("up_proj.weight", "up_proj.bias", width);
    }
    emit.matrix("down_proj.weight", module, [hidden, width], TpSplit::Row);
    if arch.biases.mlp {
        emit.vector("down_proj.bias", module, hidden, TpSplit::Replicated);
    }
}

/// The routed experts of one layer, stacked: two three-dimensional tensors (and two of biases).
///
/// ```text
/// experts.gate_up_proj   E × 2·f_m × h     (up_proj: E × f_m × h without a gate)
/// experts.down_proj      E × h × f_m
/// biases                 E × 2·f_m, E × h
/// ```
fn routed_experts<F: FnMut(ParamTensor)>(arch: &Architecture, moe: Moe, emit: &mut Emit<'_, F>) {
    let (hidden, width) = (u64::from(arch.hidden), u64::from(moe.expert_ffn));
    let (weight, bias, rows) = if arch.gated_mlp {
        ("experts.gate_up_proj", "experts.gate_up_proj_bias", 2 * width)
    } else {
        ("experts.up_proj", "experts.up_proj_bias", width)
    };
    let mut stacked = |name, rows, cols, split| {
        let copies = u64::from(moe.experts);
        (emit.0)(ParamTensor { name, module: ModuleKind::Expert, rows, cols, copies, split });
    };
    stacked(weight, rows, hidden, TpSplit::Column);
    if arch.biases.mlp {
        stacked(bias, rows, 1, TpSplit::Column);
    }
    stacked("experts.down_proj", hidden, width, TpSplit::Row);
    if arch.biases.mlp {
        stacked("experts.down_proj_bias", hidden, 1, TpSplit::Replicated);
    }
}
