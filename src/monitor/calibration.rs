//! What this machine's runtime takes, as measured, in place of the catalogue's figure.
//!
//! The estimate stays a pure function of plan and catalogue: a calibration is applied to its answer.

use serde::{Deserialize, Serialize};

use super::{GpuSample, Host};
use crate::{
    explain::{Quantity, Source, Term},
    memory::{MemoryEstimate, Part, Parts, StageDetail, StageMemory},
    message::Message,
    units::Bytes,
};

/// An idle process with less than this has no context yet.
const LEAST_CONTEXT: Bytes = Bytes::from_mib(50);
/// An idle process with more than this holds something else.
const MOST_CONTEXT: Bytes = Bytes::from_mib(4096);

/// What was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CalibrationKind {
    /// A process that has a context and nothing else.
    Idle,
    /// A whole run at its peak; what the plan does not explain counts as overhead.
    Peak,
}

/// Overhead of the runtime on one kind of GPU with one driver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Name of the GPU as the driver has it.
    pub gpu_name: String,
    /// Version of the driver.
    pub driver_version: String,
    /// What was measured.
    pub kind: CalibrationKind,
    /// Context, kernels and libraries of a process.
    pub overhead: Bytes,
    /// When, seconds since 1970.
    pub unix_secs: f64,
}

impl Calibration {
    /// From a process that only has its context, such as a Python shell after `torch.cuda.init()`.
    ///
    /// # Errors
    ///
    /// A sentence where the process is not there, hides its memory, or cannot be idle.
    pub fn of_idle(
        gpu: &GpuSample,
        host: &Host,
        pid: u32,
        unix_secs: f64,
    ) -> Result<Self, Message> {
        let processes = gpu.processes.value().map(Vec::as_slice).unwrap_or_default();
        let process = processes.iter().find(|process| process.pid == pid);
        let Some(process) = process else {
            return Err(Message::new("live-calibrate-no-process").with("pid", pid.to_string()));
        };
        let Some(&overhead) = process.memory.value() else {
            return Err(Message::new("live-calibrate-hidden"));
        };
        if !(LEAST_CONTEXT..=MOST_CONTEXT).contains(&overhead) {
            return Err(Message::new("live-calibrate-not-idle")
                .with("bytes", overhead)
                .with("least", LEAST_CONTEXT)
                .with("most", MOST_CONTEXT));
        }
        Self::new(gpu, host, CalibrationKind::Idle, overhead, unix_secs)
    }

    /// From the highest device memory of a run of this very plan on one GPU.
    ///
    /// ```text
    /// overhead = planned context + (measured peak − planned peak)
    /// ```
    ///
    /// # Errors
    ///
    /// A sentence where the run used less than the plan has without any context.
    pub fn of_peak(
        gpu: &GpuSample,
        host: &Host,
        peak: Bytes,
        planned: &StageMemory,
        unix_secs: f64,
    ) -> Result<Self, Message> {
        let context = planned.parts.get(Part::Context);
        let rest = planned.total().saturating_sub(context);
        if peak <= rest {
            return Err(Message::new("live-calibrate-below-plan")
                .with("measured", peak)
                .with("planned", planned.total()));
        }
        Self::new(gpu, host, CalibrationKind::Peak, peak.saturating_sub(rest), unix_secs)
    }

    fn new(
        gpu: &GpuSample,
        host: &Host,
        kind: CalibrationKind,
        overhead: Bytes,
        unix_secs: f64,
    ) -> Result<Self, Message> {
        let Some(gpu_name) = gpu.name.value().cloned() else {
            return Err(Message::new("live-hardware-no-name"));
        };
        let driver_version = host.driver_version.value().cloned().unwrap_or_default();
        Ok(Self { gpu_name, driver_version, kind, overhead, unix_secs })
    }

    /// Whether it was measured on this kind of GPU with this driver.
    #[must_use]
    pub fn is_of(&self, gpu_name: &str, driver_version: Option<&str>) -> bool {
        self.gpu_name.eq_ignore_ascii_case(gpu_name)
            && driver_version.is_none_or(|version| version == self.driver_version)
    }

    /// Context part of a stage: an idle process has no workspaces of the libraries yet.
    fn context_of(&self, stage: &StageMemory) -> Bytes {
        match self.kind {
            CalibrationKind::Peak => self.overhead,
            CalibrationKind::Idle => {
                let reserve = stage.parts.get(Part::AllocatorReserve);
                let workspaces =
                    stage.reserved.saturating_sub(stage.allocated).saturating_sub(reserve);
                self.overhead + workspaces
            }
        }
    }

    /// The estimate with the measured overhead in place of the catalogue's: parts, band, verdict.
    #[must_use]
    pub fn apply(&self, memory: &MemoryEstimate) -> MemoryEstimate {
        let mut own = memory.clone();
        for stage in &mut own.stages {
            let context = stage.parts.get(Part::Context);
            let measured = self.context_of(stage);
            // What is measured is in doubt no longer.
            let doubt = Bytes::from_f64(crate::memory::RUNTIME_DOUBT * context.as_f64());
            let moved = |bytes: Bytes| (bytes + measured).saturating_sub(context);
            stage.parts = with_context(&stage.parts, measured);
            let low = moved(stage.low + doubt);
            stage.high = moved(stage.high.saturating_sub(doubt)).max(stage.parts.total());
            stage.low = low.min(stage.parts.total());
        }
        own.judge(memory.capacity);
        own
    }

    /// The detail of a stage with the measured overhead, which names this machine as its source.
    #[must_use]
    pub fn apply_to_detail(&self, planned: &StageMemory, detail: &StageDetail) -> StageDetail {
        let mut own = detail.clone();
        let measured = self.context_of(planned);
        for point in &mut own.timeline {
            point.parts = with_context(&point.parts, measured);
        }
        let terms = &mut own.explanation.terms;
        let at = terms.iter().position(|(part, _)| *part == Part::Context).unwrap_or(terms.len());
        terms.retain(|(part, _)| *part != Part::Context);
        terms.insert(at.min(terms.len()), (Part::Context, Self::term(measured)));
        own
    }

    fn term(measured: Bytes) -> Term {
        Term {
            label: "term-measured-overhead",
            equation: "M",
            inputs: vec![(crate::explain::symbol::SIZE, Quantity::Bytes(measured))],
            result: Quantity::Bytes(measured),
            source: Source("source-measured-here"),
        }
    }
}

fn with_context(parts: &Parts, context: Bytes) -> Parts {
    let mut own = Parts::default();
    for (part, bytes) in parts.iter().filter(|(part, _)| *part != Part::Context) {
        own.add(part, bytes);
    }
    own.add(Part::Context, context);
    own
}
