//! Every family's tensors, one by one, against the shapes that the real classes instantiate.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeMap;

use serde_json::Value;
use vramplan::{
    catalogue::{Catalogue, NormPlacement},
    memory::params::{
        ModuleKind, ParamTensor, count, for_each_embedding_param, for_each_head_param,
        for_each_layer_param, layer_kind,
    },
};

type Shapes = BTreeMap<String, Vec<u64>>;

/// Shapes of transformers 5.24.0, last layer of one model of each family.
fn reference() -> serde_json::Map<String, Value> {
    let text = include_str!("reference/layer_shapes.json");
    let mut all: serde_json::Map<String, Value> = serde_json::from_str(text).unwrap();
    all.remove("_about");
    all
}

/// The name that the planner gives to the tensor that a family calls otherwise.
fn planner_name(theirs: &str, placement: NormPlacement) -> String {
    let last = theirs
        .trim_start_matches("self_attn.")
        .trim_start_matches("self_attention.")
        .trim_start_matches("attention.")
        .trim_start_matches("attn.");
    let renamed = match last {
        "dense.weight" | "out_proj.weight" | "c_proj.weight" => "o_proj.weight",
        "dense.bias" | "out_proj.bias" | "c_proj.bias" => "o_proj.bias",
        "c_attn.weight" | "query_key_value.weight" | "Wqkv.weight" => "qkv_proj.weight",
        "c_attn.bias" | "query_key_value.bias" => "qkv_proj.bias",
        other => other,
    };
    let (stem, kind) = renamed.rsplit_once('.').unwrap_or((renamed, ""));
    let (first_norm, second_norm) = match placement {
        NormPlacement::Post => ("post_attention_layernorm", "post_feedforward_layernorm"),
        _ => ("input_layernorm", "post_attention_layernorm"),
    };
    let stem = match stem {
        "mlp.c_fc" | "mlp.fc1" | "mlp.fc_in" | "mlp.dense_h_to_4h" | "fc1" | "ffn.up_proj" => {
            "up_proj"
        }
        "mlp.c_proj" | "mlp.fc2" | "mlp.fc_out" | "mlp.dense_4h_to_h" | "fc2" | "ffn.down_proj" => {
            "down_proj"
        }
        "mlp.router" => "gate",
        "ln_1" | "ln_attn" | "norm_1" | "self_attn_layer_norm" => first_norm,
        "ln_pair" | "ln_mlp" | "norm_2" | "final_layer_norm" => second_norm,
        other => other.trim_start_matches("mlp."),
    };
    if kind.is_empty() { stem.to_owned() } else { format!("{stem}.{kind}") }
}

/// Rows first: GPT-2 and gpt-oss store (some) matrices with the inputs first.
fn rows_first(class: &str, mut shape: Vec<u64>) -> Vec<u64> {
    let transposed = match class {
        "GPT2LMHeadModel" => shape.len() == 2,
        "GptOssForCausalLM" => shape.len() == 3,
        _ => false,
    };
    if transposed {
        let last = shape.len() - 1;
        shape.swap(last, last - 1);
    }
    shape
}

fn shape_of(tensor: &ParamTensor) -> Vec<u64> {
    let mut shape = Vec::new();
    if tensor.is_stacked() {
        shape.push(tensor.copies);
    }
    shape.push(tensor.rows);
    if tensor.cols > 1 {
        shape.push(tensor.cols);
    }
    shape
}

fn shared_name(tensor: &ParamTensor) -> String {
    match tensor.module {
        ModuleKind::SharedExpert => format!("shared_experts.{}", tensor.name),
        _ => tensor.name.to_owned(),
    }
}

#[test]
fn every_tensor_of_a_layer_has_the_shape_of_the_real_one() {
    for (id, entry) in reference() {
        let arch = &Catalogue::embedded().model(&id).expect("in the catalogue").architecture;
        let class = entry["class"].as_str().unwrap();
        let theirs: Shapes = entry["shapes"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, shape)| {
                let shape = shape.as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
                (planner_name(name, arch.norm_placement), rows_first(class, shape))
            })
            .collect();
        let mut ours = Shapes::new();
        for_each_layer_param(arch, layer_kind(arch, arch.layers - 1), &mut |tensor| {
            let before = ours.insert(shared_name(&tensor), shape_of(&tensor));
            assert!(before.is_none(), "{id}: {} twice", tensor.name);
        });
        assert_eq!(ours, theirs, "{id}");
    }
}

#[test]
fn what_lies_outside_the_layers_adds_up_as_in_the_real_models() {
    for (id, entry) in reference() {
        let arch = &Catalogue::embedded().model(&id).expect("in the catalogue").architecture;
        let mut outside: Vec<u64> = Vec::new();
        for_each_embedding_param(arch, &mut |tensor| outside.push(tensor.elements()));
        for_each_head_param(arch, &mut |tensor| outside.push(tensor.elements()));
        let other = entry["other"].as_object().unwrap().values().map(|n| n.as_u64().unwrap());
        let theirs: u64 = other.sum::<u64>()
            + entry["embedding"].as_u64().unwrap()
            + entry["head"].as_u64().unwrap();
        assert_eq!(outside.iter().sum::<u64>(), theirs, "{id}");
        let counts = count(arch);
        let layers = counts.total - counts.embedding - counts.final_norm - counts.head;
        assert_eq!(layers, entry["layers_sum"].as_u64().unwrap(), "{id} layers");
    }
}
