//! The Throughput tab: headline figures, where the time goes, roofline, and what the estimate rests on.

use egui::{CollapsingHeader, Frame, Label, Margin, RichText, Sense, Ui};

use super::{
    figure::{Figure, figures},
    heading, roofline,
    table::{Columns, NumberColumn, Row, Rows, note, row_tip, table},
};
use crate::{
    explain::{Quantity, tokens_per_sec},
    memory::Verdict,
    plan::{Choice as _, Field},
    throughput::{
        AchievedFraction, Figures, GroupTraffic, PowerDraw, ServingFigures, TimePart,
        TrainingFigures,
    },
    ui::{
        session::{Ready, Session},
        theme::{CARD_RADIUS, bold, time_color, tokens},
        widgets::{
            segment::tip,
            step_bar::{StepBar, time_tip},
            term_view::{term_details, why_line},
        },
    },
    units::{Secs, energy, grouped, money, percent, short_amount, short_count},
};

/// Headline figures, step time, roofline, fractions.
pub fn throughput_tab(ui: &mut Ui, session: &Session, ready: &Ready) {
    if ready.estimate.memory.verdict == Verdict::DoesNotFit {
        not_reached(ui, session);
    }
    heading(ui, &session.texts.get("speed-title"));
    note(ui, &session.texts.get("speed-note"));
    ui.add_space(4.0);
    headline(ui, session, ready);
    headline_terms(ui, session, ready);
    ui.add_space(8.0);
    step_time(ui, session, ready);
    traffic(ui, session, &ready.estimate.speed.communication);
    ui.add_space(12.0);
    roofline::roofline(ui, session, ready);
    ui.add_space(12.0);
    fractions(ui, session, &ready.estimate.speed.fractions);
}

/// Says above all figures that they are not reached.
fn not_reached(ui: &mut Ui, session: &Session) {
    let error = tokens(ui).error;
    Frame::new()
        .stroke(egui::Stroke::new(1.0, error))
        .corner_radius(CARD_RADIUS)
        .inner_margin(Margin::symmetric(10, 6))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.add(
                Label::new(RichText::new(session.texts.get("speed-does-not-fit")).color(error))
                    .wrap(),
            );
        });
    ui.add_space(6.0);
}

fn headline(ui: &mut Ui, session: &Session, ready: &Ready) {
    let mut list = match &ready.estimate.speed.figures {
        Figures::Training(training) => training_figures(session, training),
        Figures::Serving(serving) => serving_figures(session, serving),
    };
    list.insert(list.len().saturating_sub(2), bandwidth_figure(session, ready));
    if let Some(sequences) = ready.most_sequences {
        list.insert(list.len().saturating_sub(2), sequences_figure(session, sequences));
    }
    if let Some(power) = &ready.estimate.speed.power {
        let before_cost = list.len().saturating_sub(2);
        list.insert(before_cost, power_figure(session, power));
    }
    if let Some(usd) = ready.estimate.speed.cards_usd {
        list.push(cards_figure(session, usd));
    }
    for figure in &mut list {
        figure.width = 132.0;
        figure.struck = ready.estimate.memory.verdict == Verdict::DoesNotFit;
    }
    figures(ui, &list);
}

/// The equations behind the headline figures, folded away until someone asks.
fn headline_terms(ui: &mut Ui, session: &Session, ready: &Ready) {
    let terms = &ready.speed_explanation.headline;
    if terms.is_empty() {
        return;
    }
    let title = session.texts.get("speed-why");
    CollapsingHeader::new(title.as_ref()).id_salt("headline terms").show(ui, |ui| {
        for term in terms {
            term_details(ui, &session.texts, term);
            ui.add_space(6.0);
        }
    });
}

/// A figure from its number and the key of its caption, whose hint explains it.
fn figure(session: &Session, value: String, key: &'static str) -> Figure {
    Figure {
        value,
        caption: session.texts.get(key).into_owned(),
        hint: session.texts.hint(key).unwrap_or_default().to_owned(),
        ..Figure::default()
    }
}

fn rate(session: &Session, tokens: f64) -> String {
    session.texts.with("value-tokens-per-sec", &[("rate", &tokens_per_sec(tokens))])
}

/// What the card's memory delivers on average, and what of its bandwidth that is.
fn bandwidth_figure(session: &Session, ready: &Ready) -> Figure {
    let achieved = ready.estimate.speed.achieved_bandwidth();
    let mut shown = figure(session, achieved.to_string(), "speed-bandwidth");
    if let Some(gpu) = session.plan.gpu(&session.catalogue) {
        let peak = gpu.bandwidth();
        let share = percent(achieved.0 / peak.0.max(f64::MIN_POSITIVE));
        let args = [("share", share.as_str()), ("limit", &*peak.to_string())];
        shown.detail = session.texts.with("speed-of-limit", &args);
    }
    shown
}

/// Sequences that fit at once.
fn sequences_figure(session: &Session, sequences: u32) -> Figure {
    let mut shown = figure(session, short_count(f64::from(sequences)), "speed-most-sequences");
    let work = &session.plan.workload;
    let each = f64::from(work.prompt_tokens) + f64::from(work.generated_tokens);
    let tokens = short_count(each);
    shown.detail = session.texts.with("speed-sequence-length", &[("tokens", &tokens)]);
    shown
}

/// What the cards cost when they came out.
fn cards_figure(session: &Session, usd: f64) -> Figure {
    let value = session.texts.with("speed-cost-value", &[("cost", &short_amount(usd))]);
    let mut shown = figure(session, value, "speed-cards");
    if let Some(year) = session.plan.gpu(&session.catalogue).and_then(|gpu| gpu.year) {
        shown.detail = session.texts.with("speed-cards-year", &[("year", &year.to_string())]);
    }
    shown
}

/// Mean power of a card, and what of its limit that is.
fn power_figure(session: &Session, power: &PowerDraw) -> Figure {
    let watts = |watts| Quantity::Watts(watts).to_string();
    let mut shown = figure(session, watts(power.watts), "speed-power");
    let (share, limit) = (percent(power.watts / power.limit_watts), watts(power.limit_watts));
    shown.detail = session.texts.with("speed-of-limit", &[("share", &share), ("limit", &limit)]);
    shown
}

fn energy_figure(session: &Session, used: Option<f64>, key: &'static str) -> Figure {
    let unknown = || session.texts.get("speed-unknown").into_owned();
    figure(session, used.map_or_else(unknown, energy), key)
}

/// A cost, or which field makes it known.
fn cost_figure(session: &Session, cost: Option<String>, key: &'static str) -> Figure {
    let known = cost.is_some();
    let value = cost.map_or_else(
        || session.texts.get("speed-unknown").into_owned(),
        |cost| session.texts.with("speed-cost-value", &[("cost", &cost)]),
    );
    let mut shown = figure(session, value, key);
    if !known {
        let field = session.texts.get(Field::Price.key());
        shown.detail = session.texts.with("speed-cost-unset", &[("field", &field)]);
    }
    shown
}

fn training_figures(session: &Session, speed: &TrainingFigures) -> Vec<Figure> {
    let tokens = short_count(session.plan.workload.training_tokens);
    let mut time = figure(session, speed.time_to_train.to_string(), "speed-time");
    time.detail = session.texts.with("verdict-for-tokens", &[("tokens", &tokens)]);
    vec![
        figure(session, rate(session, speed.tokens_per_sec_per_gpu), "speed-per-gpu"),
        figure(session, rate(session, speed.tokens_per_sec), "speed-in-all"),
        figure(session, speed.step.to_string(), "speed-step"),
        figure(session, percent(speed.mfu), "speed-mfu"),
        figure(session, percent(speed.hfu), "speed-hfu"),
        time,
        figure(session, short_amount(speed.gpu_hours), "speed-gpu-hours"),
        energy_figure(session, speed.energy_kwh, "speed-energy"),
        cost_figure(session, speed.cost_usd.map(short_amount), "speed-cost"),
    ]
}

fn serving_figures(session: &Session, speed: &ServingFigures) -> Vec<Figure> {
    vec![
        figure(session, rate(session, speed.decode_tokens_per_sec), "speed-decode"),
        figure(session, rate(session, speed.decode_ceiling_tokens_per_sec), "speed-decode-ceiling"),
        figure(session, rate(session, speed.decode_tokens_per_sec_per_user), "speed-per-user"),
        figure(session, speed.token_latency.to_string(), "speed-token-latency"),
        figure(session, speed.time_to_first_token.to_string(), "speed-first-token"),
        figure(session, rate(session, speed.prefill_tokens_per_sec), "speed-prefill"),
        energy_figure(session, speed.kwh_per_million_tokens, "speed-energy-million"),
        cost_figure(session, speed.usd_per_million_tokens.map(money), "speed-cost-million"),
    ]
}

const TIME_COLUMNS: Columns<'static> = Columns {
    swatches: true,
    name_title: "time-part",
    name_width: 190.0,
    numbers: &[
        NumberColumn { title: "operations-time", width: 76.0 },
        NumberColumn { title: "table-share", width: 50.0 },
    ],
    last_title: "table-why",
};

fn step_time(ui: &mut Ui, session: &Session, ready: &Ready) {
    let speed = &ready.estimate.speed;
    let bar =
        StepBar { time: &speed.time, explanation: &ready.speed_explanation, texts: &session.texts };
    let total = bar.total();
    let key = match speed.figures {
        Figures::Training(_) => "time-title-step",
        Figures::Serving(_) => "time-title-token",
    };
    heading(ui, &session.texts.with(key, &[("total", &total.to_string())]));
    bound_sentence(ui, session, ready);
    bar.show(ui);
    table(ui, &TIME_COLUMNS, &session.texts, |rows| {
        for &(part, secs) in &speed.time {
            time_row(rows, session, ready, part, secs, total);
        }
    });
}

/// What bounds the plan, and what would lift it.
fn bound_sentence(ui: &mut Ui, session: &Session, ready: &Ready) {
    let speed = &ready.estimate.speed;
    let bound = speed.bound_by;
    let name = session.texts.get(bound.key());
    let what = session.texts.with("speed-bound-by", &[("bound", &name)]);
    let hint = session.texts.hint(bound.key()).unwrap_or_default();
    let share = percent(speed.time_bound_by(bound).0 / speed.total_time().0.max(f64::MIN_POSITIVE));
    let lifted = speed.time_if_lifted().to_string();
    let args = [("share", share.as_str()), ("time", lifted.as_str())];
    let lift = session.texts.with("speed-lift", &args);
    ui.add(Label::new(RichText::new(format!("{what} {hint} {lift}"))).wrap());
    ui.add_space(4.0);
}

fn time_row(
    rows: &mut Rows<'_>,
    session: &Session,
    ready: &Ready,
    part: TimePart,
    secs: Secs,
    total: Secs,
) {
    let texts = &session.texts;
    let name = texts.get(part.key());
    let terms = || {
        ready
            .speed_explanation
            .time
            .iter()
            .filter(move |(owner, _)| *owner == part)
            .map(|(_, term)| term)
    };
    let (time, share) = (secs.to_string(), percent(secs.0 / total.0.max(f64::MIN_POSITIVE)));
    let why = why_line(texts, terms());
    let args = [
        ("part", name.as_ref()),
        ("time", time.as_str()),
        ("share", share.as_str()),
        ("why", why.as_str()),
    ];
    let content = Row {
        swatch: Some(time_color(part)),
        name: name.to_string(),
        sentence: texts.with("time-row", &args),
        numbers: vec![time, share],
        last: why,
        ..Row::default()
    };
    let response = rows.add(&content, Sense::focusable_noninteractive());
    tip(&response, |ui| {
        ui.label(bold(ui, &content.name));
        if let Some(hint) = texts.hint(part.key()) {
            ui.label(hint);
        }
        time_tip(ui, texts, part, terms());
    });
}

const TRAFFIC_COLUMNS: Columns<'static> = Columns {
    swatches: false,
    name_title: "traffic-group",
    name_width: 190.0,
    numbers: &[
        NumberColumn { title: "traffic-ranks", width: 50.0 },
        NumberColumn { title: "traffic-sent", width: 84.0 },
        NumberColumn { title: "operations-bandwidth", width: 54.0 },
        NumberColumn { title: "operations-time", width: 76.0 },
        NumberColumn { title: "traffic-hidden", width: 76.0 },
        NumberColumn { title: "traffic-exposed", width: 76.0 },
    ],
    last_title: "traffic-link",
};

/// What the parallel axes send, hidden and exposed; nothing on one GPU.
fn traffic(ui: &mut Ui, session: &Session, groups: &[GroupTraffic]) {
    if groups.is_empty() {
        return;
    }
    ui.add_space(12.0);
    heading(ui, &session.texts.get("traffic-title"));
    note(ui, &session.texts.get("traffic-note"));
    table(ui, &TRAFFIC_COLUMNS, &session.texts, |rows| {
        for group in groups {
            traffic_row(rows, session, group);
        }
    });
}

fn traffic_row(rows: &mut Rows<'_>, session: &Session, group: &GroupTraffic) {
    let texts = &session.texts;
    let name = texts.get(group.group.key());
    let link =
        texts.get(if group.crosses_nodes { "traffic-across-nodes" } else { "traffic-inside-node" });
    let (ranks, time) = (group.ranks.to_string(), group.time.to_string());
    let (hidden, exposed) = (group.hidden().to_string(), group.exposed.to_string());
    let sent = group.bytes.to_string();
    let rate = grouped(group.rate().giga(), 1);
    let args = [
        ("group", name.as_ref()),
        ("ranks", ranks.as_str()),
        ("time", time.as_str()),
        ("exposed", exposed.as_str()),
    ];
    let content = Row {
        name: name.to_string(),
        sentence: texts.with("traffic-row", &args),
        numbers: vec![ranks, sent, rate, time, hidden, exposed],
        last: link.to_string(),
        ..Row::default()
    };
    let hint = texts.hint(group.group.key()).unwrap_or_default();
    let response = rows.add(&content, Sense::hover());
    row_tip(&response, texts, &content, hint, &TRAFFIC_COLUMNS);
}

const FRACTION_COLUMNS: Columns<'static> = Columns {
    swatches: false,
    name_title: "fractions-of",
    name_width: 240.0,
    numbers: &[NumberColumn { title: "fractions-value", width: 66.0 }],
    last_title: "fractions-source",
};

/// The fractions of the peaks that were assumed to be achieved.
fn fractions(ui: &mut Ui, session: &Session, fractions: &[AchievedFraction]) {
    heading(ui, &session.texts.get("fractions-title"));
    note(ui, &session.texts.get("fractions-note"));
    table(ui, &FRACTION_COLUMNS, &session.texts, |rows| {
        for fraction in fractions {
            let name = session.texts.get(fraction.label);
            let value = percent(fraction.value);
            let source = session.texts.get(fraction.source);
            let content = Row {
                name: name.to_string(),
                sentence: session.texts.with(
                    "fractions-row",
                    &[("name", &name), ("value", &value), ("source", &source)],
                ),
                numbers: vec![value],
                last: source.to_string(),
                ..Row::default()
            };
            let response = rows.add(&content, Sense::hover());
            row_tip(&response, &session.texts, &content, "", &FRACTION_COLUMNS);
        }
    });
}
