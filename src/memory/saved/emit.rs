//! The building blocks of the tables: norms, inputs of linears, attention cores.

use super::{
    rules::{Linear, Rules, Style},
    tensor::{SavedTensor, Split},
};
use crate::{catalogue::Norm, memory::Part, plan::AttentionKernel};

/// Receives the rows of a table.
pub(super) struct Emit<'r, 'a, F> {
    pub rules: &'r Rules<'a>,
    pub sink: F,
}

impl<F: FnMut(SavedTensor)> Emit<'_, '_, F> {
    /// One row, one copy.
    pub fn row(
        &mut self,
        name: &'static str,
        part: Part,
        (shape, width): (&'static str, u64),
        bytes: u64,
        split: Split,
    ) {
        (self.sink)(SavedTensor { name, part, shape, width, bytes, copies: 1, split });
    }

    fn rows(&mut self, tensor: SavedTensor) {
        if tensor.copies > 0 && tensor.width > 0 && tensor.bytes > 0 {
            (self.sink)(tensor);
        }
    }

    /// What a norm over `width` keeps; its output belongs to the linears that read it.
    ///
    /// ```text
    /// RMSNorm, bf16      4·h (fp32 copy) + 2·h (normalised, if its weight trains) + 4 (rstd)
    /// RMSNorm, weight applied in fp32 (Gemma, OLMo 2, gpt-oss)     4·h + 4·h (normalised stays fp32) + 4
    /// RMSNorm, fp32      4·h (the residual stream itself) + 4·h + 4
    /// LayerNorm          residual·h (the input itself) + 8 (mean, rstd)
    /// fused              residual·h + statistics
    /// ```
    ///
    /// Source: traced storages of transformers 5.24 on torch 2.15, to the byte.
    ///
    /// `input_bytes` is the width of what it normalises: the residual stream's, or a projection's.
    pub fn norm(
        &mut self,
        part: Part,
        shape: (&'static str, u64),
        (groups, input_bytes): (u64, u64),
        split: Split,
    ) {
        let rules = self.rules;
        let residual = input_bytes;
        let stats = rules.norm_stats() * groups;
        let layer_norm = matches!(rules.arch.norm, Norm::LayerNorm | Norm::LayerNormNoBias);
        if layer_norm || rules.style == Style::Fused {
            self.row("saved-norm-input", part, shape, residual, split);
        } else {
            self.row("saved-norm-input-fp32", part, shape, 4, split);
            if rules.base_trains {
                let normalised = if rules.arch.norm.weight_in_fp32() { 4 } else { residual };
                self.row("saved-normalised", part, shape, normalised, split);
            }
        }
        self.row("saved-norm-statistics", part, (self.stats_shape(groups), stats), 4, split);
    }

    /// Shape of a norm's statistics: one value or two for each token, or for each of its heads.
    fn stats_shape(&self, groups: u64) -> &'static str {
        let query = groups == u64::from(self.rules.arch.heads);
        match (groups, self.rules.norm_stats()) {
            (1, 1) => "T",
            (1, _) => "2·T",
            (_, 1) if query => "T·a",
            (_, 1) => "T·g",
            (..) if query => "2·T·a",
            (..) => "2·T·g",
        }
    }

    /// What linears keep of the input they share.
    ///
    /// A weight that trains keeps its input, in the format it is multiplied in: under autocast each
    /// linear casts a wide input for itself. An adapter in another format than the activations casts
    /// too, and dropout before it keeps a mask. A frozen linear without adapter keeps nothing.
    ///
    /// `kept` says that another operation keeps the input already; `wide` that it is in the residual
    /// stream's format.
    pub fn inputs(
        &mut self,
        linears: &[Linear],
        part: Part,
        (shape, width): (&'static str, u64),
        (kept, wide): (bool, bool),
        split: Split,
    ) {
        let rules = self.rules;
        let row =
            |name, bytes, copies| SavedTensor { name, part, shape, width, bytes, copies, split };
        let act = rules.numbers.act_bytes;
        if rules.base_trains {
            if rules.numbers.autocast && wide {
                self.rows(row("saved-linear-input-cast", act, linears.len() as u64));
            } else if !kept {
                self.rows(row("saved-linear-input", act, 1));
            }
        }
        let Some(adapters) = rules.adapters else { return };
        let adapted = linears.iter().filter(|&&linear| adapters.on(linear)).count() as u64;
        if rules.numbers.autocast {
            // Whatever the adapters' own format, autocast multiplies 16-bit copies.
            self.rows(row("saved-adapter-input-cast", act, adapted));
        } else if adapters.bytes != act {
            self.rows(row("saved-adapter-input-cast", adapters.bytes, adapted));
        } else if adapted > 0 && !kept {
            self.rows(row("saved-adapter-input", act, 1));
        }
        if adapters.dropout {
            self.rows(row("saved-adapter-dropout", 1, adapted));
        }
        let low_rank = ("T·r", adapters.rank);
        let low_rank_bytes = if rules.numbers.autocast { act } else { adapters.bytes };
        self.rows(SavedTensor {
            shape: low_rank.0,
            width: low_rank.1,
            split: Split::Whole,
            ..row("saved-adapter-product", low_rank_bytes, adapted)
        });
    }

    /// What the core of attention keeps of queries of width `query`, keys of width `key` and values
    /// of width `value`, with an output of width `out`.
    ///
    /// ```text
    /// flash, efficient    q + k + v + out + 4·a
    /// eager               q + k' + v' + 4·a·s (fp32 softmax) + 2·a·s (its 16-bit copy)
    /// math                6·A·2 (q, k, v and their scaled copies) + 4·a·s
    /// ```
    ///
    /// Source: traced storages of torch 2.15; k' and v' are repeated to all query heads.
    pub fn attention_core(&mut self, widths: CoreWidths) {
        let part = Part::AttentionActivations;
        let split = Split::Tensor;
        let rules = self.rules;
        let act = rules.numbers.act_bytes;
        let heads = u64::from(rules.arch.heads);
        // A kernel takes a single key-value head expanded as a view; a matrix product copies it.
        let copied = rules.attention != AttentionKernel::Flash;
        let one_head = rules.arch.kv_heads <= 1 && rules.arch.mla.is_none();
        let repeated = copied || rules.padded_mask && !one_head;
        let (key, value) =
            if repeated { (widths.query, widths.out) } else { (widths.key, widths.value) };
        let scores = ("T·a·s", heads * rules.sequence);
        match rules.attention {
            AttentionKernel::Flash => {
                self.row("saved-queries", part, ("T·A", widths.query), act, split);
                self.row("saved-keys", part, ("T·K", key), act, split);
                self.row("saved-values", part, ("T·K", value), act, split);
                self.row("saved-attention-output", part, ("T·A", widths.out), act, split);
                self.row("saved-log-sum-exp", part, ("T·a", heads), 4, split);
            }
            AttentionKernel::Math if act < 4 => {
                self.row("saved-scaled-qkv", part, ("6·T·A", 6 * widths.query), act, split);
                self.row("saved-probabilities-fp32", part, scores, 4, split);
                if rules.attention_dropout {
                    self.row("saved-probabilities-dropped", part, scores, 4, split);
                    self.row("saved-attention-dropout", part, scores, 1, split);
                }
            }
            AttentionKernel::Math | AttentionKernel::Eager => {
                self.row("saved-queries", part, ("T·A", widths.query), act, split);
                self.row("saved-keys-repeated", part, ("T·A", key), act, split);
                self.row("saved-values-repeated", part, ("T·A", value), act, split);
                self.eager_scores(scores);
            }
        }
        if rules.padded_mask {
            let mask = ("T·s", rules.sequence);
            self.row("saved-attention-mask", part, mask, act, Split::Whole);
        } else if rules.attention == AttentionKernel::Flash {
            self.window_mask(widths);
        }
        if rules.ring_attention {
            self.row("saved-ring-output", part, ("T·A", widths.out), act, split);
        }
    }

    /// Probabilities of eager attention.
    ///
    /// ```text
    /// most models         4·a·s (softmax in fp32) + 2·a·s (its 16-bit copy)
    /// GPT-2 and fused     2·a·s (softmax in the activations' format; autocast: fp32)
    /// with dropout        2·a·s (what it leaves) + a·s (its mask)
    /// ```
    fn eager_scores(&mut self, scores: (&'static str, u64)) {
        let (part, split) = (Part::AttentionActivations, Split::Tensor);
        let act = self.rules.numbers.act_bytes;
        let softmax = self.rules.softmax_bytes();
        self.row("saved-probabilities", part, scores, softmax, split);
        if self.rules.attention_dropout {
            self.row("saved-probabilities-dropped", part, scores, act, split);
            self.row("saved-attention-dropout", part, scores, 1, split);
        } else if softmax > act {
            self.row("saved-probabilities-half", part, scores, act, split);
        }
        if self.rules.arch.attention_softcap {
            self.row("saved-capped-scores", part, scores, act, split);
        }
    }

    /// torch's automatic choice of kernel with an active window: the mask is a tensor of its own in
    /// every sliding layer, and keys and values are repeated. Spread over all layers here, since
    /// sliding and other layers are not told apart.
    fn window_mask(&mut self, widths: CoreWidths) {
        let arch = self.rules.arch;
        let Some(window) = arch.window else { return };
        let active = self.rules.sequence >= u64::from(window.size);
        if !active || arch.norm != Norm::RmsNormOffset || self.rules.style == Style::Fused {
            return;
        }
        let part = Part::AttentionActivations;
        let act = self.rules.numbers.act_bytes;
        let (sliding, layers) = (u64::from(arch.sliding_layers()), u64::from(arch.layers.max(1)));
        let mask = ("T·s", self.rules.sequence * sliding / layers);
        self.row("saved-sliding-mask", part, mask, act, Split::Whole);
        let copied = widths.query + widths.out;
        let more = match arch.kv_heads {
            0 | 1 => 0, // one head is expanded as a view
            _ => copied.saturating_sub(widths.key + widths.value),
        };
        let repeated = ("T·2·(A − K)", more * sliding / layers);
        self.row("saved-sliding-repeated", part, repeated, act, Split::Tensor);
    }
}

/// Widths of what attention's core works on.
#[derive(Clone, Copy, Debug)]
pub(super) struct CoreWidths {
    /// All query heads.
    pub query: u64,
    /// All key heads.
    pub key: u64,
    /// All value heads.
    pub value: u64,
    /// The output.
    pub out: u64,
}
