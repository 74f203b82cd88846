//! What the roofline teaches, in words with the plan's own numbers.

use std::borrow::Cow;

use egui::{Label, Ui};

use crate::{
    catalogue::{Gpu, MemoryKind},
    plan::Choice as _,
    text::Texts,
    throughput::{HostLink, MemoryLevels, Operation},
    ui::{
        session::{Ready, Session},
        theme::bold,
    },
    units::{Secs, grouped, percent},
};

/// Operations that are spoken of: the heaviest ones.
const HEAVIEST: usize = 2;

/// The sentences under the plot.
pub fn lessons(ui: &mut Ui, session: &Session, ready: &Ready, gpu: &Gpu) {
    let Some(levels) = &ready.speed_explanation.levels else { return };
    let texts = &session.texts;
    ui.add_space(4.0);
    ui.label(bold(ui, texts.get("lesson-title")));
    let mut sentences = vec![intensity(texts, levels)];
    sentences.extend(heaviest(texts, &ready.estimate.speed.operations, levels));
    sentences.extend(other_memory(session, gpu));
    sentences.push(host(texts, gpu, levels));
    if let Some(megabytes) = gpu.l2_mb {
        sentences.push(texts.with("lesson-cache", &[("size", &grouped(megabytes, 0))]));
    }
    for sentence in sentences {
        ui.add(Label::new(sentence).wrap());
        ui.add_space(2.0);
    }
    ui.add_space(6.0);
}

/// The card's kind of memory as it is called; the plain word where it is unknown.
pub fn memory_type<'a>(texts: &'a Texts, gpu: &'a Gpu) -> Cow<'a, str> {
    if gpu.memory_type.is_empty() {
        texts.get("roofline-memory")
    } else {
        Cow::Borrowed(gpu.memory_type.as_str())
    }
}

/// What arithmetic intensity is, and where this card's ridge lies.
fn intensity(texts: &Texts, levels: &MemoryLevels) -> String {
    let (peak, bandwidth) = (levels.peak.to_string(), levels.bandwidth.to_string());
    let ridge = grouped(levels.ridge(), 0);
    let args =
        [("peak", peak.as_str()), ("bandwidth", bandwidth.as_str()), ("ridge", ridge.as_str())];
    texts.with("lesson-intensity", &args)
}

/// Where the heaviest operations stand.
fn heaviest(texts: &Texts, operations: &[Operation], levels: &MemoryLevels) -> Vec<String> {
    let whole: Secs = operations.iter().map(|operation| operation.time).sum();
    let mut sorted: Vec<&Operation> = operations.iter().collect();
    sorted.sort_by(|one, other| other.time.0.total_cmp(&one.time.0));
    let sentence = |operation: &&Operation| {
        let intensity = operation.intensity().filter(|intensity| *intensity > 0.0);
        let key = match intensity {
            None => "lesson-operation-bytes",
            Some(intensity) if intensity < levels.ridge() => "lesson-operation-left",
            Some(_) => "lesson-operation-right",
        };
        let share = percent(operation.time.0 / whole.0.max(f64::MIN_POSITIVE));
        let intensity = grouped(intensity.unwrap_or(0.0), 1);
        let (name, bound) = (texts.get(operation.class.key()), texts.get(operation.bound.key()));
        let args = [
            ("name", name.as_ref()),
            ("share", share.as_str()),
            ("intensity", intensity.as_str()),
            ("bound", bound.as_ref()),
        ];
        texts.with(key, &args)
    };
    sorted.iter().take(HEAVIEST).map(sentence).collect()
}

/// The other way to build a memory, on the fastest card of the catalogue that has it.
fn other_memory(session: &Session, gpu: &Gpu) -> Option<String> {
    let texts = &session.texts;
    let (kind, key) = match gpu.memory_kind() {
        MemoryKind::Stacked => (MemoryKind::Graphics, "lesson-stacked"),
        MemoryKind::Graphics | MemoryKind::Other => (MemoryKind::Stacked, "lesson-not-stacked"),
    };
    let other = session.catalogue.fastest_memory(kind)?;
    let ratio = gpu.bandwidth_gbps / other.bandwidth_gbps;
    let times = grouped(ratio.max(1.0 / ratio), 1);
    let (own_rate, other_rate) = (gpu.bandwidth().to_string(), other.bandwidth().to_string());
    let (own, other_type) = (memory_type(texts, gpu), memory_type(texts, other));
    let args = [
        ("memory", own.as_ref()),
        ("bandwidth", own_rate.as_str()),
        ("card", other.name.as_str()),
        ("other-memory", other_type.as_ref()),
        ("other-bandwidth", other_rate.as_str()),
        ("times", times.as_str()),
    ];
    (ratio.is_finite() && ratio > 0.0).then(|| texts.with(key, &args))
}

/// What one pass over the weights takes from the card's memory and from the host's.
fn host(texts: &Texts, gpu: &Gpu, levels: &MemoryLevels) -> String {
    if levels.host_link == HostLink::Shared {
        return texts.get("lesson-host-shared").into_owned();
    }
    let (link, rate) = (levels.host_link.to_string(), levels.host.to_string());
    let (near, far) = (levels.from_memory().to_string(), levels.from_host().to_string());
    let (weights, times) = (levels.weights.to_string(), grouped(levels.times_slower(), 0));
    let memory = memory_type(texts, gpu);
    let args = [
        ("link", link.as_str()),
        ("bandwidth", rate.as_str()),
        ("weights", weights.as_str()),
        ("memory", memory.as_ref()),
        ("near", near.as_str()),
        ("far", far.as_str()),
        ("times", times.as_str()),
    ];
    texts.with("lesson-host", &args)
}
