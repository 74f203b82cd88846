//! Several ranks of one run: each alike GPU as a bar, the fullest against the plan.

use egui::{Label, RichText, Ui};

use super::compare::{measured_row, planned_row, question, words};
use crate::{
    memory::StageMemory,
    monitor::{
        GpuSample, alike,
        compare::{Comparison, Scope, compare},
    },
    ui::{
        command::Command,
        live::LiveCommand,
        session::{Ready, Session},
        theme::tokens,
        widgets::piece_bars::PieceBars,
    },
};

/// Most ranks that are drawn: as many as fit a screen.
const MOST_RANKS: usize = 16;

/// The GPUs beside the selected one that may run the same plan, itself among them.
fn ranks<'a>(session: &'a Session, gpu: &'a GpuSample) -> Vec<&'a GpuSample> {
    let snapshot = session.live.monitor.latest();
    snapshot.map(|all| alike(all, gpu).take(MOST_RANKS).collect()).unwrap_or_default()
}

/// Whether to compare every GPU of this kind; not offered for one alone or for single processes.
pub fn choice(ui: &mut Ui, session: &Session, gpu: &GpuSample, commands: &mut Vec<Command>) {
    if ranks(session, gpu).len() < 2 || session.live.scope() != Scope::WholeGpu {
        return;
    }
    let mut every = session.live.all_ranks;
    let response = ui.checkbox(&mut every, session.texts.get("live-all-ranks"));
    let hint = session.texts.hint("live-all-ranks").unwrap_or_default();
    if response.on_hover_text(hint).changed() {
        commands.push(Command::Live(LiveCommand::AllRanks(every)));
    }
}

/// Bars of all ranks and the words about the fullest; false where there is nothing to draw.
pub fn all_ranks(
    ui: &mut Ui,
    session: &Session,
    ready: &Ready,
    (stage, gpu): (&StageMemory, &GpuSample),
) -> bool {
    if !session.live.all_ranks || session.live.scope() != Scope::WholeGpu {
        return false;
    }
    let scope = Scope::WholeGpu;
    let compared: Vec<(&GpuSample, Comparison)> = ranks(session, gpu)
        .into_iter()
        .filter_map(|rank| Some((rank, compare(&question(session, ready, rank, &scope)).ok()?)))
        .collect();
    let used = |(_, comparison): &&(&GpuSample, Comparison)| comparison.measured_bytes;
    let (Some((fullest, worst)), Some((_, least))) =
        (compared.iter().max_by_key(used), compared.iter().min_by_key(used))
    else {
        return false;
    };
    if compared.len() < 2 {
        return false;
    }
    let mut rows = vec![planned_row(session, stage, worst)];
    for (rank, comparison) in &compared {
        let name = session.texts.with("live-rank", &[("index", &rank.index.to_string())]);
        rows.push(measured_row(session, name, comparison));
    }
    let scale = compared.iter().map(|(_, comparison)| comparison.scale).max().unwrap_or_default();
    PieceBars {
        rows: &rows,
        scale,
        capacity: fullest.memory.total.value().copied(),
        texts: &session.texts,
    }
    .show(ui);
    let text = session.texts.with(
        "live-ranks",
        &[
            ("count", &compared.len().to_string()),
            ("low", &least.measured_bytes.to_string()),
            ("high", &worst.measured_bytes.to_string()),
            ("index", &fullest.index.to_string()),
        ],
    );
    ui.add(Label::new(RichText::new(text).small().color(tokens(ui).weak_text)).wrap());
    words(ui, session, ready, worst);
    true
}
