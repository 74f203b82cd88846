//! Lengths, adapters and the format of frozen weights.

use super::{Checked, Issues};
use crate::{
    catalogue::{Dtype, Positions},
    message::Message,
    plan::{Field, Method, WeightFormat},
};

/// Tokens of one step, on all ranks: more than any training run has in all.
const MAX_STEP_TOKENS: u64 = 1_000_000_000_000;

pub(super) fn check(checked: &Checked<'_>, issues: &mut Issues) {
    let work = &checked.plan.workload;
    if checked.trains() {
        length(checked, u64::from(work.sequence), Field::Sequence, issues);
        let tokens = checked.layout.global_tokens;
        issues.error_if(tokens > MAX_STEP_TOKENS, Field::Accumulation, || {
            Message::new("issue-step-tokens").with("limit", MAX_STEP_TOKENS)
        });
        if work.method != Method::Full {
            adapters(checked, issues);
            frozen_weights(checked, issues);
        }
    } else {
        let tokens = u64::from(work.prompt_tokens) + u64::from(work.generated_tokens);
        length(checked, tokens, Field::PromptTokens, issues);
    }
}

/// A learned table of positions ends somewhere; others only get worse beyond what they were trained on.
fn length(checked: &Checked<'_>, tokens: u64, field: Field, issues: &mut Issues) {
    if let Positions::Learned { rows } = checked.arch.positions {
        issues.error_if(tokens > u64::from(rows), field, || {
            Message::new("issue-beyond-positions").with("tokens", tokens).with("rows", rows)
        });
        return;
    }
    let most = checked.arch.max_positions;
    issues.warning_if(most > 0 && tokens > u64::from(most), field, || {
        Message::new("issue-beyond-context").with("tokens", tokens).with("most", most)
    });
}

fn adapters(checked: &Checked<'_>, issues: &mut Issues) {
    let lora = &checked.plan.workload.lora;
    let hidden = checked.arch.hidden;
    issues.warning_if(lora.rank >= hidden, Field::LoraRank, || {
        Message::new("issue-lora-rank").with("rank", lora.rank).with("hidden", hidden)
    });
    let trainable = matches!(lora.dtype, Dtype::Fp32 | Dtype::Bf16 | Dtype::Fp16);
    issues.error_if(!trainable, Field::LoraDtype, || {
        Message::new("issue-lora-dtype").with("dtype", lora.dtype.name().to_owned())
    });
    issues.note_if(lora.train_embeddings && checked.arch.tied, Field::LoraEmbeddings, || {
        Message::new("issue-lora-tied")
    });
}

fn frozen_weights(checked: &Checked<'_>, issues: &mut Issues) {
    let format = checked.plan.precision.weight_format;
    let plain = matches!(format, WeightFormat::Bf16 | WeightFormat::Fp16 | WeightFormat::Fp32);
    let quantised_method = checked.plan.workload.method == Method::Qlora;
    issues.warning_if(quantised_method && plain, Field::WeightFormat, || {
        Message::new("issue-qlora-plain")
    });
    issues.warning_if(!quantised_method && !plain, Field::WeightFormat, || {
        Message::new("issue-lora-quantised")
    });
    issues.error_if(format == WeightFormat::Q4KM, Field::WeightFormat, || {
        Message::new("issue-q4km-training")
    });
}
