//! The verdict: does it fit, by how much, how fast is it; or why the plan cannot run.

use egui::{
    Color32, Frame, Label, Margin, Rect, RichText, ScrollArea, Stroke, Ui, UiBuilder, pos2, vec2,
};

use super::figure::{FIGURE_HEIGHT, Figure, figures};
use crate::{
    catalogue::CapacityBasis,
    explain::tokens_per_sec,
    memory::{MemoryEstimate, StageMemory, Verdict},
    plan::{Choice as _, Issue, Severity},
    throughput::{Figures, ServingFigures, TrainingFigures},
    ui::{
        session::{Ready, Session},
        theme::{CARD_RADIUS, SMALL_TEXT_POINTS, VERDICT_TEXT_POINTS, bold, tokens, verdict_color},
    },
    units::{grouped, percent, short_amount, short_count},
};

/// Width of the word of the verdict, points.
const WORD_WIDTH: f32 = 118.0;
/// Width of the coloured edge, points.
const EDGE_WIDTH: f32 = 4.0;

/// The verdict in words, colour and figures.
pub fn verdict_card(ui: &mut Ui, session: &Session, ready: &Ready) {
    let memory = &ready.estimate.memory;
    let color = verdict_color(ui, memory.verdict);
    card(ui, color, |ui| {
        ui.horizontal_top(|ui| {
            let place = Rect::from_min_size(ui.cursor().min, vec2(WORD_WIDTH, FIGURE_HEIGHT));
            ui.allocate_rect(place, egui::Sense::hover());
            word(ui, place, &session.texts.get(memory.verdict.key()), color);
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                figures(ui, &verdict_figures(ui, session, ready));
                largest_part(ui, session, memory);
            });
        });
    });
}

/// What fills the memory most; where it does not fit, that is the first thing to change.
fn largest_part(ui: &mut Ui, session: &Session, memory: &MemoryEstimate) {
    let Some(worst) = memory.stages.get(memory.worst) else { return };
    let Some((part, bytes)) = worst.parts.iter().max_by_key(|(_, bytes)| *bytes) else { return };
    let texts = &session.texts;
    let short = memory.verdict == Verdict::DoesNotFit;
    let key = if short { "verdict-largest-short" } else { "verdict-largest" };
    let (name, size) = (texts.get(part.key()), bytes.to_string());
    let share = percent(bytes.share_of(worst.total()));
    let args = [("part", name.as_ref()), ("size", size.as_str()), ("share", share.as_str())];
    let color = if short { tokens(ui).text } else { tokens(ui).weak_text };
    let text = RichText::new(texts.with(key, &args)).size(SMALL_TEXT_POINTS).color(color);
    ui.add(Label::new(text).truncate());
}

fn word(ui: &mut Ui, place: Rect, text: &str, color: Color32) {
    let text = bold(ui, text).size(VERDICT_TEXT_POINTS).color(color);
    ui.new_child(UiBuilder::new().max_rect(place)).add(Label::new(text).wrap());
}

/// A card with a coloured edge on its left.
fn card(ui: &mut Ui, edge: Color32, add_contents: impl FnOnce(&mut Ui)) {
    let frame = Frame::new()
        .fill(tokens(ui).card_fill)
        .stroke(Stroke::new(1.0, tokens(ui).line))
        .corner_radius(CARD_RADIUS)
        .inner_margin(Margin { left: 16, right: 12, top: 8, bottom: 6 });
    let response = frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        add_contents(ui);
    });
    let rect = response.response.rect;
    let side = Rect::from_min_max(rect.min, pos2(rect.left() + EDGE_WIDTH, rect.bottom()));
    ui.painter().rect_filled(
        side,
        egui::CornerRadius { nw: CARD_RADIUS, sw: CARD_RADIUS, ne: 0, se: 0 },
        edge,
    );
}

fn verdict_figures(ui: &Ui, session: &Session, ready: &Ready) -> Vec<Figure> {
    let memory = &ready.estimate.memory;
    let Some(worst) = memory.stages.get(memory.worst) else { return Vec::new() };
    let mut figures = vec![used(session, ready, worst), headroom(ui, session, memory, worst)];
    figures.extend(speed(session, ready));
    figures
}

/// "49.20 of 79.65 GiB", with stage, moment and band.
fn used(session: &Session, ready: &Ready, worst: &StageMemory) -> Figure {
    let (texts, memory) = (&session.texts, &ready.estimate.memory);
    let (used, capacity) = (grouped(worst.total().gib(), 2), grouped(memory.capacity.gib(), 2));
    let moment = texts.get(worst.peak.key());
    let stage = worst.stage.to_string();
    let caption = if memory.stages.len() > 1 {
        texts.with("verdict-peak-of-stage", &[("stage", &stage), ("moment", &moment)])
    } else {
        texts.with("verdict-peak", &[("moment", &moment)])
    };
    let (low, high) = (grouped(worst.low.gib(), 1), grouped(worst.high.gib(), 1));
    Figure {
        value: texts.with("verdict-used", &[("used", &used), ("capacity", &capacity)]),
        caption,
        detail: texts.with("verdict-band", &[("low", &low), ("high", &high)]),
        hint: texts.get("verdict-band-hint").into_owned(),
        detail_hint: band_hint(session, ready, worst),
        width: 140.0,
        ..Figure::default()
    }
}

/// What the band is made of and what it decides.
fn band_hint(session: &Session, ready: &Ready, worst: &StageMemory) -> String {
    let doubt = &ready.doubt;
    let (low, high) = (grouped(worst.low.gib(), 2), grouped(worst.high.gib(), 2));
    let shares = [doubt.profile_share, doubt.runtime_share, doubt.reserve_needed_share];
    let [tensors, libraries, reserve] = shares.map(percent);
    let args = [
        ("low", low.as_str()),
        ("high", high.as_str()),
        ("tensors", tensors.as_str()),
        ("libraries", libraries.as_str()),
        ("reserve", reserve.as_str()),
    ];
    session.texts.with("verdict-band-tip", &args)
}

/// What is left, or by how much it is short.
fn headroom(ui: &Ui, session: &Session, memory: &MemoryEstimate, worst: &StageMemory) -> Figure {
    let texts = &session.texts;
    let left = memory.capacity.gib_above(worst.total());
    let amount = grouped(left.abs(), 2);
    let short = left < 0.0;
    let color = verdict_color(ui, memory.verdict);
    let basis = match memory.capacity_basis {
        CapacityBasis::Driver => texts.get("capacity-from-driver"),
        CapacityBasis::Label => texts.get("capacity-from-label"),
    };
    let (key, hint) = if short {
        ("verdict-short", "verdict-short-hint")
    } else {
        ("verdict-headroom", "verdict-headroom-hint")
    };
    Figure {
        value: texts.with("value-gib", &[("amount", &amount)]),
        caption: texts.get(key).into_owned(),
        detail: basis.into_owned(),
        hint: texts.get(hint).into_owned(),
        width: 92.0,
        color: short.then_some(color),
        ..Figure::default()
    }
}

fn speed(session: &Session, ready: &Ready) -> Vec<Figure> {
    let mut figures = match &ready.estimate.speed.figures {
        Figures::Training(training) => training_speed(session, training),
        Figures::Serving(serving) => serving_speed(session, serving),
    };
    figures.insert(2, bound(session, ready));
    if ready.estimate.memory.verdict == Verdict::DoesNotFit {
        for figure in &mut figures {
            figure.struck = true;
            figure.detail.clear();
            figure.hint = session.texts.get("verdict-not-reached-hint").into_owned();
        }
    }
    figures
}

fn bound(session: &Session, ready: &Ready) -> Figure {
    let texts = &session.texts;
    let bound = ready.estimate.speed.bound_by;
    Figure {
        value: texts.get(bound.key()).into_owned(),
        caption: texts.get("verdict-bound").into_owned(),
        hint: texts.hint(bound.key()).unwrap_or_default().to_owned(),
        width: 134.0,
        ..Figure::default()
    }
}

fn training_speed(session: &Session, speed: &TrainingFigures) -> Vec<Figure> {
    let texts = &session.texts;
    let (each, all) =
        (tokens_per_sec(speed.tokens_per_sec_per_gpu), tokens_per_sec(speed.tokens_per_sec));
    let (step, hfu) = (speed.step.to_string(), percent(speed.hfu));
    let tokens = short_count(session.plan.workload.training_tokens);
    let gpu_hours = short_amount(speed.gpu_hours);
    vec![
        Figure {
            value: texts.with("value-tokens-per-sec", &[("rate", &each)]),
            caption: texts.get("verdict-per-gpu").into_owned(),
            detail: texts.with("verdict-in-all", &[("rate", &all)]),
            hint: texts.get("verdict-estimate-hint").into_owned(),
            width: 112.0,
            ..Figure::default()
        },
        Figure {
            value: texts.with("verdict-mfu", &[("mfu", &percent(speed.mfu))]),
            caption: texts.with("verdict-step", &[("time", &step)]),
            detail: texts.with("verdict-hfu", &[("hfu", &hfu)]),
            hint: texts.get("verdict-mfu-hint").into_owned(),
            width: 72.0,
            caption_is_result: true,
            ..Figure::default()
        },
        Figure {
            value: speed.time_to_train.to_string(),
            caption: texts.with("verdict-for-tokens", &[("tokens", &tokens)]),
            detail: texts.with("verdict-gpu-hours", &[("hours", &gpu_hours)]),
            hint: texts.get("verdict-time-hint").into_owned(),
            width: 94.0,
            ..Figure::default()
        },
    ]
}

fn serving_speed(session: &Session, speed: &ServingFigures) -> Vec<Figure> {
    let texts = &session.texts;
    let (all, each) = (
        tokens_per_sec(speed.decode_tokens_per_sec),
        tokens_per_sec(speed.decode_tokens_per_sec_per_user),
    );
    let prefill = tokens_per_sec(speed.prefill_tokens_per_sec);
    vec![
        Figure {
            value: texts.with("value-tokens-per-sec", &[("rate", &all)]),
            caption: texts.get("verdict-generated").into_owned(),
            detail: texts.with("verdict-per-user", &[("rate", &each)]),
            hint: texts.get("verdict-estimate-hint").into_owned(),
            width: 112.0,
            ..Figure::default()
        },
        Figure {
            value: speed.time_to_first_token.to_string(),
            caption: texts.get("verdict-first-token").into_owned(),
            detail: texts.with("verdict-prefill", &[("rate", &prefill)]),
            hint: texts.get("verdict-first-token-hint").into_owned(),
            width: 120.0,
            ..Figure::default()
        },
        Figure {
            value: speed.token_latency.to_string(),
            caption: texts.get("verdict-token-latency").into_owned(),
            hint: texts.get("verdict-token-latency-hint").into_owned(),
            width: 66.0,
            ..Figure::default()
        },
    ]
}

/// Why the plan cannot run, each reason with the field that can mend it. No numbers.
pub fn cannot_run(ui: &mut Ui, session: &Session, issues: &[Issue]) {
    let error = tokens(ui).error;
    card(ui, error, |ui| {
        let title = session.texts.get("verdict-cannot-run");
        ui.label(bold(ui, title).size(VERDICT_TEXT_POINTS).color(error));
        ui.add_space(2.0);
        ScrollArea::vertical().id_salt("issues").show(ui, |ui| {
            for issue in issues {
                issue_line(ui, session, issue);
            }
        });
    });
    ui.add_space(10.0);
    ui.label(RichText::new(session.texts.get("verdict-no-numbers")).color(tokens(ui).weak_text));
}

fn issue_line(ui: &mut Ui, session: &Session, issue: &Issue) {
    let color = match issue.severity {
        Severity::Error => tokens(ui).error,
        Severity::Warning => tokens(ui).warning,
        Severity::Note => tokens(ui).weak_text,
    };
    ui.horizontal_top(|ui| {
        ui.label(RichText::new("■").color(color));
        let field = session.texts.get(issue.field.key());
        ui.add(Label::new(RichText::new(field).strong()).extend());
        ui.add(Label::new(session.texts.message(&issue.message)).wrap());
    });
}
