//! Parameter counts of configurations changed at random, against shapes written down here the way
//! the modules of Hugging Face transformers declare them. Nothing here uses the planner's own lists.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod classic;
mod declared;
mod llama;

use declared::{Size, llama_architecture};
use proptest::prelude::*;
use vramplan::{
    catalogue::{Architecture, Mla, Moe},
    memory::params::count,
};

proptest! {
    #[test]
    fn no_architecture_however_absurd_makes_the_count_panic(
        numbers in proptest::array::uniform8(any::<u32>()), gated: bool, tied: bool, latent: bool,
    ) {
        let [hidden, layers, heads, kv_heads, head_dim, ffn, vocab, experts] = numbers;
        let size = Size {
            hidden, layers, groups: 1, queries_per_group: 1, head_dim, ffn, vocab, rows: 1, tied,
        };
        let mut arch = Architecture { heads, kv_heads, gated_mlp: gated, ..llama_architecture(size) };
        arch.fused_qkv = tied;
        arch.moe = Some(Moe { experts, topk: layers, expert_ffn: ffn, shared_ffn: ffn, first_dense: heads });
        arch.mla = latent.then_some(Mla {
            q_lora_rank: Some(ffn), kv_lora_rank: hidden, qk_nope_dim: ffn, qk_rope_dim: ffn, v_dim: vocab,
        });
        let counts = count(&arch);
        prop_assert!(counts.active <= counts.total, "never more active than there are");
    }
}
