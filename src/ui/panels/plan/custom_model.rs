//! The editor of one's own model.

use egui::{Align2, Key, RichText, TextEdit, Ui};

use super::{custom_rows::Editor, model::proposal, rows::Decimals};
use crate::{
    catalogue::{
        Activation, Architecture, Mla, Moe, Norm, NormPlacement, Positions, QkNorm, SizeError,
        Window,
    },
    memory::params,
    plan::CustomModel,
    text::Texts,
    ui::{
        theme::focus_frame,
        widgets::{field_row::fact_row, issue_list::error_line},
    },
    units::grouped,
};

/// Largest width or number that can be typed.
const MOST: u32 = 1 << 24;

const ACTIVATIONS: [(Activation, &str); 4] = [
    (Activation::Silu, "activation-silu"),
    (Activation::Gelu, "activation-gelu"),
    (Activation::GeluNew, "activation-gelu-new"),
    (Activation::Relu, "activation-relu"),
];
const NORMS: [(Norm, &str); 3] = [
    (Norm::RmsNorm, "norm-rms"),
    (Norm::LayerNorm, "norm-layer"),
    (Norm::LayerNormNoBias, "norm-layer-no-bias"),
];
const PLACEMENTS: [(NormPlacement, &str); 5] = [
    (NormPlacement::Pre, "placement-pre"),
    (NormPlacement::Post, "placement-post"),
    (NormPlacement::Sandwich, "placement-sandwich"),
    (NormPlacement::ParallelShared, "placement-parallel-shared"),
    (NormPlacement::ParallelSeparate, "placement-parallel-separate"),
];
const QK_NORMS: [(QkNorm, &str); 3] = [
    (QkNorm::None, "qk-norm-none"),
    (QkNorm::PerHead, "qk-norm-per-head"),
    (QkNorm::AllHeads, "qk-norm-all-heads"),
];

/// Name, size to propose from, and every field of the architecture.
pub fn custom_model_ui(ui: &mut Ui, texts: &Texts, model: &mut CustomModel) {
    let mut editor = Editor { ui, texts };
    editor.text("custom-model-name", &mut model.name);
    size(&mut editor, model);
    let before = model.architecture.clone();
    dimensions(&mut editor, &mut model.architecture);
    let fold = egui::CollapsingHeader::new(RichText::new(texts.get("custom-model-more")).small());
    let shown = fold.id_salt("more").show(editor.ui, |ui| {
        let mut editor = Editor { ui, texts };
        shape(&mut editor, &mut model.architecture);
        biases(&mut editor, &mut model.architecture);
        window(&mut editor, &mut model.architecture);
        experts(&mut editor, &mut model.architecture);
        latent(&mut editor, &mut model.architecture);
    });
    focus_frame(editor.ui, &shown.header_response);
    if model.architecture != before {
        // From here on it is the person's own, not a proposal.
        model.proposed_from = None;
    }
}

/// A size such as `13B` replaces the architecture by a plausible one.
fn size(editor: &mut Editor<'_, '_>, model: &mut CustomModel) {
    let id = editor.ui.scope_id().with("size");
    let mut text = editor.ui.data(|data| data.get_temp::<String>(id)).unwrap_or_default();
    let mut propose = false;
    let mut edited = false;
    editor.row("custom-model-size", "", |ui, texts, label| {
        let words = texts.get("custom-model-propose");
        let field = TextEdit::singleline(&mut text)
            .hint_text("13B")
            .align(Align2::LEFT_CENTER)
            .desired_width(64.0);
        let field = ui.add(field);
        label.describe(&field);
        edited = field.changed();
        propose |= field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        propose |= ui.button(words.as_ref()).clicked();
    });
    let mut error: Option<SizeError> =
        editor.ui.data(|data| data.get_temp::<Option<SizeError>>(id)).flatten();
    if edited {
        error = None;
    }
    if propose {
        error = proposal(&text, editor.texts).map(|proposed| *model = proposed).err();
        if error.is_none() {
            text.clear();
        }
    }
    editor.ui.data_mut(|data| data.insert_temp(id, error));
    editor.ui.data_mut(|data| data.insert_temp(id, text));
    if let Some(error) = error {
        error_line(editor.ui, &editor.texts.get(size_error_key(error)));
    } else if let Some(size) = &model.proposed_from {
        let params = grouped(params::count(&model.architecture).total as f64, 0);
        let args = [("size", size.as_str()), ("params", params.as_str())];
        fact_row(editor.ui, &editor.texts.with("custom-model-proposed", &args));
    }
}

const fn size_error_key(error: SizeError) -> &'static str {
    match error {
        SizeError::NotASize => "custom-model-not-a-size",
        SizeError::OutOfRange => "custom-model-size-range",
    }
}

/// What every transformer has.
fn dimensions(editor: &mut Editor<'_, '_>, arch: &mut Architecture) {
    editor.count("arch-hidden", "", &mut arch.hidden, 1..=MOST);
    editor.count("arch-layers", "", &mut arch.layers, 1..=4096);
    editor.count("arch-heads", "", &mut arch.heads, 1..=MOST);
    editor.count("arch-kv-heads", "", &mut arch.kv_heads, 1..=MOST);
    editor.count("arch-head-dim", "", &mut arch.head_dim, 1..=MOST);
    editor.count("arch-ffn", "", &mut arch.ffn, 1..=MOST);
    editor.count("arch-vocab", "", &mut arch.vocab, 1..=MOST);
    editor.check("arch-gated-mlp", &mut arch.gated_mlp);
    editor.check("arch-tied", &mut arch.tied);
}

/// Norms, positions and kernels.
fn shape(editor: &mut Editor<'_, '_>, arch: &mut Architecture) {
    editor.count("arch-max-positions", "unit-tokens", &mut arch.max_positions, 0..=1 << 30);
    editor.pick("arch-activation", &mut arch.activation, &ACTIVATIONS);
    editor.pick("arch-norm", &mut arch.norm, &NORMS);
    editor.pick("arch-norm-placement", &mut arch.norm_placement, &PLACEMENTS);
    editor.pick("arch-qk-norm", &mut arch.qk_norm, &QK_NORMS);
    positions(editor, &mut arch.positions);
    editor.check("arch-head", &mut arch.head);
    editor.check("arch-final-norm", &mut arch.final_norm);
    editor.check("arch-embedding-norm", &mut arch.embedding_norm);
    editor.check("arch-attention-sinks", &mut arch.attention_sinks);
    editor.check("arch-fused-qkv", &mut arch.fused_qkv);
    editor.check("arch-fused-gate-up", &mut arch.fused_gate_up);
    editor.check("arch-attention-softcap", &mut arch.attention_softcap);
    editor.check("arch-final-softcap", &mut arch.final_softcap);
    let mut width = arch.embedding_dim.unwrap_or(0);
    editor.count("arch-embedding-dim", "", &mut width, 0..=MOST);
    arch.embedding_dim = (width > 0).then_some(width);
    probability(editor, "arch-dropout", &mut arch.dropout);
    probability(editor, "arch-attention-dropout", &mut arch.attention_dropout);
}

#[expect(clippy::cast_possible_truncation, reason = "a probability of three decimals")]
fn probability(editor: &mut Editor<'_, '_>, key: &'static str, value: &mut f32) {
    let before = f64::from(*value);
    let mut wide = before;
    editor.number(key, "", &mut wide, &Decimals { decimals: 3, range: 0.0..=0.99 });
    if wide.to_bits() != before.to_bits() {
        *value = wide as f32;
    }
}

fn positions(editor: &mut Editor<'_, '_>, positions: &mut Positions) {
    let rows = match *positions {
        Positions::Learned { rows } => rows,
        _ => 2048,
    };
    let kinds = [
        (Positions::Rotary, "positions-rotary"),
        (Positions::Learned { rows }, "positions-learned"),
        (Positions::Alibi, "positions-alibi"),
        (Positions::None, "positions-none"),
    ];
    editor.pick("arch-positions", positions, &kinds);
    if let Positions::Learned { rows } = positions {
        editor.count("arch-position-rows", "", rows, 1..=MOST);
    }
}

fn biases(editor: &mut Editor<'_, '_>, arch: &mut Architecture) {
    editor.heading("arch-biases");
    editor.check("arch-bias-qkv", &mut arch.biases.qkv);
    editor.check("arch-bias-attention-out", &mut arch.biases.attention_out);
    editor.check("arch-bias-mlp", &mut arch.biases.mlp);
    editor.check("arch-bias-head", &mut arch.biases.head);
    editor.check("arch-bias-router", &mut arch.biases.router);
}

fn window(editor: &mut Editor<'_, '_>, arch: &mut Architecture) {
    let start = Window { size: 4096, sliding_layers: arch.layers };
    if let Some(window) = optional(editor, "arch-window", &mut arch.window, start) {
        editor.count("arch-window-size", "unit-tokens", &mut window.size, 1..=1 << 30);
        editor.count("arch-sliding-layers", "", &mut window.sliding_layers, 0..=4096);
    }
}

fn experts(editor: &mut Editor<'_, '_>, arch: &mut Architecture) {
    let start = Moe { experts: 8, topk: 2, expert_ffn: arch.ffn, shared_ffn: 0, first_dense: 0 };
    if let Some(moe) = optional(editor, "arch-moe", &mut arch.moe, start) {
        editor.count("arch-experts", "", &mut moe.experts, 1..=65_536);
        editor.count("arch-topk", "", &mut moe.topk, 1..=65_536);
        editor.count("arch-expert-ffn", "", &mut moe.expert_ffn, 1..=MOST);
        editor.count("arch-shared-ffn", "", &mut moe.shared_ffn, 0..=MOST);
        editor.count("arch-first-dense", "unit-layers", &mut moe.first_dense, 0..=4096);
    }
}

fn latent(editor: &mut Editor<'_, '_>, arch: &mut Architecture) {
    let start = Mla {
        q_lora_rank: Some(1536),
        kv_lora_rank: 512,
        qk_nope_dim: 128,
        qk_rope_dim: 64,
        v_dim: 128,
    };
    if let Some(mla) = optional(editor, "arch-mla", &mut arch.mla, start) {
        let mut rank = mla.q_lora_rank.unwrap_or(0);
        editor.count("arch-q-lora-rank", "", &mut rank, 0..=MOST);
        mla.q_lora_rank = (rank > 0).then_some(rank);
        editor.count("arch-kv-lora-rank", "", &mut mla.kv_lora_rank, 1..=MOST);
        editor.count("arch-qk-nope-dim", "", &mut mla.qk_nope_dim, 1..=MOST);
        editor.count("arch-qk-rope-dim", "", &mut mla.qk_rope_dim, 0..=MOST);
        editor.count("arch-v-dim", "", &mut mla.v_dim, 1..=MOST);
    }
}

/// A check box that adds or takes away a part of the architecture; the part, if it is there.
fn optional<'m, T>(
    editor: &mut Editor<'_, '_>,
    key: &'static str,
    part: &'m mut Option<T>,
    start: T,
) -> Option<&'m mut T> {
    let mut there = part.is_some();
    editor.check(key, &mut there);
    if there && part.is_none() {
        *part = Some(start);
    } else if !there {
        *part = None;
    }
    part.as_mut()
}
