//! Elements of low-rank adapters on one rank.

use super::{
    params::{LayerKind, ModuleKind, ParamTensor, TpSplit, for_each_layer_param},
    saved::{Adapters, Linear},
};
use crate::plan::Resolved;

/// Elements of the adapters of one block.
///
/// ```text
/// n = r · (inputs + outputs)      for each adapted linear; the side that tensor parallelism
///                                 divides is divided, the other is whole
/// ```
///
/// Routed experts get none: grouped matrices are not linears to the adapter library.
///
/// Source: Hu et al. 2021, arXiv:2106.09685, section 4.1.
pub(super) fn adapter_elements(plan: &Resolved<'_>, kind: LayerKind, adapters: &Adapters) -> u64 {
    let mut elements = 0_u64;
    for_each_layer_param(plan.arch, kind, &mut |tensor| {
        if linear_of(&tensor).is_some_and(|linear| adapters.on(linear)) {
            let ways = plan.layout.tensor.max(1);
            let (outputs, inputs) = match tensor.split {
                TpSplit::Column | TpSplit::Vocab => (tensor.rows.div_ceil(ways), tensor.cols),
                TpSplit::Row => (tensor.rows, tensor.cols.div_ceil(ways)),
                TpSplit::Replicated => (tensor.rows, tensor.cols),
            };
            elements = elements.saturating_add(adapters.rank.saturating_mul(outputs + inputs));
        }
    });
    elements
}

/// Which linear a parameter tensor is, none if it cannot have an adapter.
fn linear_of(tensor: &ParamTensor) -> Option<Linear> {
    if !tensor.is_matrix() {
        return None;
    }
    let name = tensor.name;
    match tensor.module {
        ModuleKind::Attention => Some(match name.split('.').next().unwrap_or(name) {
            "q_proj" | "q_a_proj" | "q_b_proj" => Linear::Query,
            "k_proj" | "kv_a_proj_with_mqa" => Linear::Key,
            "v_proj" | "kv_b_proj" => Linear::Value,
            "o_proj" => Linear::Out,
            _ => Linear::Qkv,
        }),
        ModuleKind::Mlp | ModuleKind::SharedExpert => {
            Some(if name.starts_with("down") { Linear::Down } else { Linear::Up })
        }
        _ => None,
    }
}
