//! Matrix products of a block.

use super::{Bench, Pass};
use crate::{
    catalogue::Moe,
    plan::{LoraTargets, Method, Task},
    throughput::{
        formats,
        fractions::UNPACKING_PRODUCT_SHARE,
        roofline::{Cost, Gemm},
        shapes::{self, Product},
    },
};

/// A product as the roofline wants it.
pub(super) fn gemm(
    bench: &Bench<'_>,
    product: &Product,
    rows: f64,
    copies: f64,
    weight_bytes: f64,
) -> Gemm {
    Gemm {
        rows,
        outputs: product.outputs,
        inputs: product.inputs,
        copies,
        element_bytes: bench.element_bytes,
        weight_bytes,
        unpacks: weight_bytes < bench.element_bytes
            && bench.plan.plan.precision.compute_dtype.bits() >= 16,
        by_rows: weight_bytes < bench.element_bytes && formats::unpacks_by_rows(bench.plan),
    }
}

/// Bytes of a weight as the product reads it: as stored when decoding, unpacked otherwise.
fn weight_bytes(bench: &Bench<'_>, pass: &Pass) -> f64 {
    let format = bench.plan.plan.precision.weight_format;
    let decodes = bench.plan.plan.workload.task == Task::Inference && pass.cached > 0.0;
    if decodes || formats::unpacks_in_products(bench.plan) {
        formats::stored_bytes(format)
    } else {
        bench.element_bytes
    }
}

/// Rate of the products with the blocks' weights.
fn rate(bench: &Bench<'_>, pass: &Pass) -> f64 {
    let rate = bench.machine.matmul_flops_per_sec;
    let unpacking = pass.cached <= 0.0 && formats::unpacks_in_products(bench.plan);
    if unpacking { rate * UNPACKING_PRODUCT_SHARE } else { rate }
}

/// Products of one block's forward pass on one rank, routed experts and their router aside.
pub(super) fn dense(bench: &Bench<'_>, pass: &Pass, moe: Option<&Moe>) -> Cost {
    let arch = bench.plan.arch;
    let width = moe.map_or(arch.ffn, |moe| moe.shared_ffn);
    of_all(bench, pass, &shapes::attention(arch))
        + of_all(bench, pass, &shapes::feed_forward(arch, width))
}

/// The product that chooses the experts of every token.
pub(super) fn router(bench: &Bench<'_>, pass: &Pass, moe: &Moe) -> Cost {
    of_all(bench, pass, &[shapes::router(bench.plan.arch, moe)])
}

fn of_all(bench: &Bench<'_>, pass: &Pass, products: &[Product]) -> Cost {
    products.iter().fold(Cost::default(), |sum, product| sum + one(bench, pass, product).1)
}

/// One product with a block's weights.
pub(super) fn one(bench: &Bench<'_>, pass: &Pass, product: &Product) -> (Gemm, Cost) {
    let product = product.divided(bench.tensor);
    let gemm = gemm(bench, &product, pass.tokens, 1.0, weight_bytes(bench, pass));
    (gemm, bench.machine.matmul(&gemm, rate(bench, pass)))
}

/// Products of the routed experts on this rank, evenly loaded.
///
/// ```text
/// rows = T·k·e_t/t over E/e local experts        F = 2·T·k·P_expert/t
/// ```
///
/// `e` expert-parallel degree, `e_t` tensor-parallel degree of the experts. Weights of an expert that
/// no token chose are not read: `E/e·(1 − (1 − k/E)^(T·e))` are.
pub(super) fn routed(bench: &Bench<'_>, pass: &Pass, moe: &Moe) -> [(Gemm, Cost); 2] {
    let layout = &bench.plan.layout;
    let (expert_tensor, groups) = (layout.expert_tensor as f64, layout.expert as f64);
    let chosen = f64::from(moe.topk) / f64::from(moe.experts.max(1));
    let missed = (1.0 - chosen).max(0.0).powf(pass.tokens * groups);
    let touched = (bench.local_experts(moe) * (1.0 - missed)).max(1.0);
    let rows = pass.tokens * f64::from(moe.topk) * expert_tensor / bench.tensor;
    let (weight_bytes, rate) = (weight_bytes(bench, pass), rate(bench, pass));
    shapes::feed_forward(bench.plan.arch, moe.expert_ffn).map(|product| {
        let product = product.divided(expert_tensor);
        let gemm = gemm(bench, &product, rows / touched, touched, weight_bytes);
        (gemm, bench.machine.matmul(&gemm, rate))
    })
}

/// Widths that adapters read and write in one block: `(inputs, outputs)` summed over the targets.
///
/// Routed experts are stacked tensors, not linears, and get none.
pub(super) fn adapter_widths(bench: &Bench<'_>, moe: Option<&Moe>) -> (f64, f64) {
    let workload = &bench.plan.plan.workload;
    if workload.task == Task::Inference || workload.method == Method::Full {
        return (0.0, 0.0);
    }
    let arch = bench.plan.arch;
    let total = |products: &[Product]| {
        products
            .iter()
            .filter(|product| product.outputs > 0.0)
            .fold((0.0, 0.0), |(inputs, outputs), product| {
                (inputs + product.inputs, outputs + product.outputs)
            })
    };
    let [queries, keys_values, output, ..] = shapes::attention(arch);
    let attention = total(&shapes::attention(arch));
    let all = || {
        let width = moe.map_or(arch.ffn, |moe| moe.shared_ffn);
        let (inputs, outputs) = total(&shapes::feed_forward(arch, width));
        (attention.0 + inputs, attention.1 + outputs)
    };
    let all_but = |left_out: &Product, share: f64| {
        let (inputs, outputs) = all();
        (inputs - left_out.inputs, outputs - left_out.outputs * share)
    };
    match workload.lora.targets {
        LoraTargets::AllLinear => all(),
        LoraTargets::AllButOutput => all_but(&output, 1.0),
        LoraTargets::AllButKey => all_but(&keys_values, 0.5),
        LoraTargets::Attention => attention,
        LoraTargets::Qkv => total(&[queries, keys_values]),
        LoraTargets::QueryValue => {
            let (inputs, outputs) = total(&[queries]);
            (inputs + keys_values.inputs, outputs + keys_values.outputs / 2.0)
        }
    }
}

/// Products with the adapters of one block.
///
/// ```text
/// F = 2·T·r·(Σ inputs + Σ outputs)/t
/// ```
pub(super) fn adapters(bench: &Bench<'_>, pass: &Pass, moe: Option<&Moe>) -> Cost {
    let (inputs, outputs) = adapter_widths(bench, moe);
    if inputs <= 0.0 {
        return Cost::default();
    }
    let lora = &bench.plan.plan.workload.lora;
    let width = (inputs + outputs) / bench.tensor;
    let flops = 2.0 * pass.tokens * f64::from(lora.rank) * width;
    let bytes = pass.tokens * width * lora.dtype.bytes() as f64;
    bench.machine.cost(flops, bench.machine.wide_flops_per_sec, bytes, 4.0)
}
