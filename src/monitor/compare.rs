//! The plan against what a GPU really holds: two bars on one scale, and what can explain the rest.

mod causes;

pub use self::causes::{Cause, Explanation};
use super::{Calibration, GpuSample, ProcessSample};
use crate::{
    catalogue::Catalogue,
    memory::{MemoryEstimate, Part, StageMemory},
    message::Message,
    plan::{Plan, choices},
    units::Bytes,
};

/// Which memory of a GPU belongs to the run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// All that is used.
    #[default]
    WholeGpu,
    /// What these processes hold: one, or several ranks that share the GPU.
    Processes(Vec<u32>),
}

choices! {
    /// A part of one of the two bars.
    pub enum BarPart {
        /// Live tensors of the plan.
        #[default]
        Tensors = "live-bar-tensors",
        /// What the plan's allocator holds beyond them.
        Reserve = "live-bar-reserve",
        /// Context and libraries: planned, or measured by a calibration.
        Context = "live-bar-context",
        /// What the run's processes hold; the driver does not tell more.
        Run = "live-bar-run",
        /// What other processes hold.
        Others = "live-bar-others",
        /// Used by somebody whom the driver does not list.
        Unlisted = "live-bar-unlisted",
        /// Kept by driver and firmware.
        Driver = "live-bar-driver",
        /// Free.
        Free = "live-bar-free",
    }
}

/// What is compared.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The catalogue it is resolved with.
    pub catalogue: &'a Catalogue,
    /// Its memory; with the calibration applied if there is one.
    pub memory: &'a MemoryEstimate,
    /// Which pipeline stage the GPU has.
    pub stage: usize,
    /// The GPU.
    pub gpu: &'a GpuSample,
    /// Which of its memory belongs to the run.
    pub scope: &'a Scope,
    /// Memory of the same scope some minutes ago, and how many seconds ago; none if unknown.
    pub earlier: Option<(Bytes, f64)>,
    /// Overhead that was measured on this machine; splits the context off the measured bar.
    pub calibration: Option<&'a Calibration>,
}

/// Planned and measured, part by part.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Bar of the plan, in the order in which it is stacked.
    pub planned: Vec<(BarPart, Bytes)>,
    /// Bar of the GPU, in the order in which it is stacked.
    pub measured: Vec<(BarPart, Bytes)>,
    /// Right end of the scale of both.
    pub scale: Bytes,
    /// Device memory of the plan at its peak.
    pub planned_bytes: Bytes,
    /// Device memory of the run now.
    pub measured_bytes: Bytes,
    /// Measured less planned, GiB.
    pub difference_gib: f64,
    /// Measured less planned, percent of planned; none where nothing is planned.
    pub difference_percent: Option<f64>,
    /// The measured figure lies within the estimate's band, or so near the plan that nothing is to be
    /// explained.
    pub within_band: bool,
    /// What can explain the difference, likeliest first.
    pub explanations: Vec<Explanation>,
}

/// Compares a stage of the plan with a GPU.
///
/// # Errors
///
/// A sentence where the GPU does not tell how much the scope holds.
pub fn compare(question: &Question<'_>) -> Result<Comparison, Message> {
    let Some(stage) = question.memory.stages.get(question.stage) else {
        return Err(Message::new("live-compare-no-stage"));
    };
    let held = Held::of(question.gpu, question.scope)?;
    let (planned_bytes, measured_bytes) = (stage.total(), held.run);
    let total = question.gpu.memory.total.value().copied().unwrap_or_default();
    let planned = planned_bar(stage, question.memory.capacity);
    let measured = measured_bar(question, &held, stage);
    let sum = |bar: &[(BarPart, Bytes)]| bar.iter().map(|(_, bytes)| *bytes).sum::<Bytes>();
    let scale = total.max(sum(&planned)).max(sum(&measured));
    let difference_gib = measured_bytes.gib_above(planned_bytes);
    let percent = || 100.0 * difference_gib / planned_bytes.gib();
    Ok(Comparison {
        scale,
        planned,
        measured,
        planned_bytes,
        measured_bytes,
        difference_gib,
        difference_percent: (planned_bytes > Bytes::ZERO).then(percent),
        within_band: (stage.low..=stage.high).contains(&measured_bytes)
            || causes::is_nothing(planned_bytes, measured_bytes),
        explanations: causes::explain(question, stage, &held),
    })
}

/// Who holds how much of a GPU.
struct Held {
    run: Bytes,
    others: Bytes,
    unlisted: Bytes,
    drawing: Bytes,
}

impl Held {
    fn of(gpu: &GpuSample, scope: &Scope) -> Result<Self, Message> {
        let used = gpu.memory.used.value().copied();
        let processes = gpu.processes.value().map(Vec::as_slice).unwrap_or_default();
        let sum = |chosen: &dyn Fn(&ProcessSample) -> bool| -> Bytes {
            let chosen = processes.iter().filter(|process| chosen(process));
            chosen.filter_map(|process| process.memory.value().copied()).sum()
        };
        let listed = sum(&|_| true);
        let drawing = sum(&|process| process.graphics);
        let pids = match scope {
            Scope::WholeGpu => {
                let run = used.ok_or_else(|| Message::new("live-compare-no-memory"))?;
                let unlisted = run.saturating_sub(listed);
                return Ok(Self { run, others: Bytes::ZERO, unlisted, drawing });
            }
            Scope::Processes(pids) => pids,
        };
        let own = |process: &ProcessSample| pids.contains(&process.pid);
        let found = processes.iter().filter(|process| own(process));
        if found.clone().count() == 0 {
            return Err(Message::new("live-compare-no-process"));
        }
        if found.clone().any(|process| process.memory.value().is_none()) {
            return Err(Message::new("live-compare-hidden"));
        }
        Ok(Self {
            run: sum(&own),
            others: sum(&|process| !own(process)),
            unlisted: used.unwrap_or_default().saturating_sub(listed),
            drawing: sum(&|process| process.graphics && !own(process)),
        })
    }
}

fn bar(parts: impl IntoIterator<Item = (BarPart, Bytes)>) -> Vec<(BarPart, Bytes)> {
    parts.into_iter().filter(|(_, bytes)| *bytes > Bytes::ZERO).collect()
}

fn planned_bar(stage: &StageMemory, capacity: Bytes) -> Vec<(BarPart, Bytes)> {
    bar([
        (BarPart::Tensors, stage.parts.live()),
        (BarPart::Reserve, stage.parts.get(Part::AllocatorReserve)),
        (BarPart::Context, stage.parts.get(Part::Context)),
        (BarPart::Free, capacity.saturating_sub(stage.total())),
    ])
}

fn measured_bar(
    question: &Question<'_>,
    held: &Held,
    stage: &StageMemory,
) -> Vec<(BarPart, Bytes)> {
    let context = match question.calibration {
        Some(_) => stage.parts.get(Part::Context).min(held.run),
        None => Bytes::ZERO,
    };
    // In a whole GPU's figure those whom the driver does not list are part of the run.
    let unlisted = match question.scope {
        Scope::WholeGpu => Bytes::ZERO,
        Scope::Processes(_) => held.unlisted,
    };
    let memory = &question.gpu.memory;
    bar([
        (BarPart::Run, held.run.saturating_sub(context)),
        (BarPart::Context, context),
        (BarPart::Others, held.others),
        (BarPart::Unlisted, unlisted),
        (BarPart::Driver, memory.reserved.value().copied().unwrap_or_default()),
        (BarPart::Free, memory.free.value().copied().unwrap_or_default()),
    ])
}
