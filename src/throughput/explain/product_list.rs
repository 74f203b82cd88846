//! The matrix products of one forward pass, by shape.

use crate::{
    plan::Task,
    throughput::{
        answer::{OperationClass, ProductKind, ProductShape},
        assembly,
        operations::{Bench, Pass},
        roofline::{Cost, Gemm},
        serving, shapes,
    },
};

/// Products of one block, of the first with experts if the model has any, and of the head.
pub(super) fn of(bench: &Bench<'_>) -> Vec<ProductShape> {
    let pass = pass(bench);
    let mut list = Vec::with_capacity(10);
    let mut add = |kind, (gemm, cost): (Gemm, Cost)| {
        if let Some(shape) = shape(kind, &gemm, &cost) {
            list.push(shape);
        }
    };
    let arch = bench.plan.arch;
    for (kind, product) in
        attention_kinds(arch.mla.is_some()).into_iter().zip(shapes::attention(arch))
    {
        add(kind, bench.product(&pass, &product));
    }
    let width = arch.moe.map_or(arch.ffn, |moe| moe.shared_ffn);
    let kinds = [ProductKind::Up, ProductKind::Down];
    for (kind, product) in kinds.into_iter().zip(shapes::feed_forward(arch, width)) {
        add(kind, bench.product(&pass, &product));
    }
    if let Some(moe) = &arch.moe {
        add(ProductKind::Router, bench.product(&pass, &shapes::router(arch, moe)));
        let kinds = [ProductKind::ExpertUp, ProductKind::ExpertDown];
        for (kind, product) in kinds.into_iter().zip(bench.expert_products(&pass, moe)) {
            add(kind, product);
        }
    }
    add(ProductKind::Head, bench.head_product(pass.tokens));
    list
}

const fn attention_kinds(latent: bool) -> [ProductKind; 5] {
    use ProductKind::{AttentionOutput, KeysValues, Latent, Queries, QueriesDown};
    if latent {
        [QueriesDown, Queries, Latent, KeysValues, AttentionOutput]
    } else {
        [Queries, KeysValues, AttentionOutput, Queries, Queries]
    }
}

/// A micro-batch in training, a token of every sequence when serving.
fn pass(bench: &Bench<'_>) -> Pass {
    match bench.plan.plan.workload.task {
        Task::Training => Pass {
            tokens: bench.plan.layout.tokens as f64,
            sequence: f64::from(bench.plan.plan.workload.sequence.max(1)),
            pairs: 0.0,
            cached: 0.0,
        },
        Task::Inference => serving::token_pass(bench),
    }
}

/// Nothing for a product that the model does not have.
fn shape(kind: ProductKind, gemm: &Gemm, cost: &Cost) -> Option<ProductShape> {
    (cost.secs() > 0.0).then(|| ProductShape {
        kind,
        rows: gemm.rows,
        inputs: gemm.inputs,
        outputs: gemm.outputs,
        copies: gemm.copies,
        cost: assembly::operation(OperationClass::Matmul, cost),
    })
}
