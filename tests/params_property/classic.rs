//! The older families: two matrices, layer norms.

use proptest::prelude::*;
use vramplan::catalogue::{Biases, Norm, NormPlacement, Positions};

use crate::declared::{ALL_BUT_HEAD, Declared, Size, agree, classic_architecture, size};

proptest! {
    #[test]
    fn gpt2_counts_as_declared(size in size()) {
        let size = size.classic();
        let mut arch = classic_architecture(size, ALL_BUT_HEAD);
        arch.fused_qkv = true;
        arch.positions = Positions::Learned { rows: size.rows };
        let [hidden, layers, _, _, _, ffn, vocab] = size.wide();
        let mut model = Declared::default();
        model.embedding(vocab, hidden);
        model.embedding(u64::from(size.rows), hidden);
        for _ in 0..layers {
            model.layer_norm(hidden);
            model.conv1d(3 * hidden, hidden);
            model.conv1d(hidden, hidden);
            model.layer_norm(hidden);
            model.conv1d(ffn, hidden);
            model.conv1d(hidden, ffn);
        }
        model.layer_norm(hidden);
        if !size.tied {
            model.linear(hidden, vocab, false);
        }
        agree(&arch, &model)?;
    }

    #[test]
    fn gpt_neox_counts_as_declared(size in size()) {
        let size = size.classic();
        let mut arch = classic_architecture(size, ALL_BUT_HEAD);
        arch.fused_qkv = true;
        arch.norm_placement = NormPlacement::ParallelSeparate;
        let [hidden, layers, _, _, _, ffn, vocab] = size.wide();
        let mut model = Declared::default();
        model.embedding(vocab, hidden);
        for _ in 0..layers {
            model.layer_norm(hidden);
            model.layer_norm(hidden);
            model.linear(hidden, 3 * hidden, true);
            model.linear(hidden, hidden, true);
            model.linear(hidden, ffn, true);
            model.linear(ffn, hidden, true);
        }
        model.layer_norm(hidden);
        if !size.tied {
            model.linear(hidden, vocab, false);
        }
        agree(&arch, &model)?;
    }

    #[test]
    fn opt_with_projected_embeddings_counts_as_declared(size in size(), width in 1_u32..3000, before: bool) {
        let size = Size { tied: true, ..size.classic() };
        let mut arch = classic_architecture(size, ALL_BUT_HEAD);
        arch.positions = Positions::Learned { rows: size.rows + 2 };
        arch.embedding_dim = Some(width);
        arch.norm_placement = if before { NormPlacement::Pre } else { NormPlacement::Post };
        arch.final_norm = before;
        let [hidden, layers, _, _, _, ffn, vocab] = size.wide();
        let mut model = Declared::default();
        model.embedding(vocab, u64::from(width));
        model.embedding(u64::from(size.rows) + 2, hidden);
        if u64::from(width) != hidden {
            model.linear(hidden, u64::from(width), false);
            model.linear(u64::from(width), hidden, false);
        }
        for _ in 0..layers {
            for _ in ["k_proj", "v_proj", "q_proj", "out_proj"] {
                model.linear(hidden, hidden, true);
            }
            model.layer_norm(hidden);
            model.linear(hidden, ffn, true);
            model.linear(ffn, hidden, true);
            model.layer_norm(hidden);
        }
        if before {
            model.layer_norm(hidden);
        }
        agree(&arch, &model)?;
    }

    #[test]
    fn bloom_counts_as_declared(size in size()) {
        let size = size.classic();
        let size = Size { ffn: 4 * size.hidden, tied: true, ..size };
        let mut arch = classic_architecture(size, ALL_BUT_HEAD);
        arch.fused_qkv = true;
        arch.embedding_norm = true;
        arch.positions = Positions::Alibi;
        let [hidden, layers, _, _, _, _, vocab] = size.wide();
        let mut model = Declared::default();
        model.embedding(vocab, hidden);
        model.layer_norm(hidden);
        for _ in 0..layers {
            model.layer_norm(hidden);
            model.linear(hidden, 3 * hidden, true);
            model.linear(hidden, hidden, true);
            model.layer_norm(hidden);
            model.linear(hidden, 4 * hidden, true);
            model.linear(4 * hidden, hidden, true);
        }
        model.layer_norm(hidden);
        agree(&arch, &model)?;
    }

    #[test]
    fn falcon_old_and_new_counts_as_declared(size in size(), new: bool) {
        // h = a·d in every Falcon; the old ones have one key-value head.
        let size = if new { size } else { Size { queries_per_group: size.heads(), groups: 1, ..size } };
        let size = Size { hidden: size.heads() * size.head_dim, ..size };
        let mut arch = classic_architecture(size, Biases::default());
        arch.fused_qkv = true;
        arch.norm_placement =
            if new { NormPlacement::ParallelSeparate } else { NormPlacement::ParallelShared };
        let [hidden, layers, heads, groups, dim, ffn, vocab] = size.wide();
        let mut model = Declared::default();
        model.embedding(vocab, hidden);
        for _ in 0..layers {
            let qkv = if new { (groups * 2 + heads) * dim } else { hidden + 2 * dim };
            model.linear(hidden, qkv, false);
            model.linear(hidden, hidden, false);
            model.linear(hidden, ffn, false);
            model.linear(ffn, hidden, false);
            model.layer_norm(hidden);
            if new {
                model.layer_norm(hidden);
            }
        }
        model.layer_norm(hidden);
        if !size.tied {
            model.linear(hidden, vocab, false);
        }
        agree(&arch, &model)?;
    }

    #[test]
    fn gpt_j_and_phi_with_a_biased_head_count_as_declared(size in size(), phi: bool) {
        let size = Size { tied: false, ..size.classic() };
        let biases = Biases { qkv: phi, attention_out: phi, mlp: true, head: true, router: false };
        let mut arch = classic_architecture(size, biases);
        arch.norm_placement = NormPlacement::ParallelShared;
        let [hidden, layers, _, _, _, ffn, vocab] = size.wide();
        let mut model = Declared::default();
        model.embedding(vocab, hidden);
        for _ in 0..layers {
            for _ in ["q_proj", "k_proj", "v_proj", "dense"] {
                model.linear(hidden, hidden, phi);
            }
            model.linear(hidden, ffn, true);
            model.linear(ffn, hidden, true);
            model.layer_norm(hidden);
        }
        model.layer_norm(hidden);
        model.linear(hidden, vocab, true);
        agree(&arch, &model)?;
    }

    #[test]
    fn mpt_with_norms_without_bias_counts_as_declared(size in size()) {
        let size = Size { tied: true, ..size.classic() };
        let mut arch = classic_architecture(size, Biases::default());
        arch.norm = Norm::LayerNormNoBias;
        arch.fused_qkv = true;
        arch.positions = Positions::Alibi;
        let [hidden, layers, _, _, _, ffn, vocab] = size.wide();
        let mut model = Declared::default();
        model.embedding(vocab, hidden);
        for _ in 0..layers {
            model.parameter(&[hidden]);
            model.linear(hidden, 3 * hidden, false);
            model.linear(hidden, hidden, false);
            model.parameter(&[hidden]);
            model.linear(hidden, ffn, false);
            model.linear(ffn, hidden, false);
        }
        model.parameter(&[hidden]);
        agree(&arch, &model)?;
    }
}
