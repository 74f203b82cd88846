//! Many GPUs as a table: which are shown, and in which order.

use std::cmp::Ordering;

use crate::{
    monitor::{GpuSample, Missing, Reading, Snapshot},
    plan::choices,
};

choices! {
    /// A column of the fleet's table.
    pub enum FleetColumn {
        /// How it is; the worst first.
        #[default]
        State = "live-fleet-state",
        /// Host.
        Host = "live-fleet-host",
        /// Index of the GPU.
        Gpu = "live-fleet-gpu",
        /// Name of the card.
        Name = "live-fleet-name",
        /// Share of the memory that is used.
        Memory = "live-fleet-memory",
        /// Utilisation.
        Compute = "live-fleet-compute",
        /// Temperature.
        Temperature = "live-fleet-temperature",
        /// Power.
        Power = "live-fleet-power",
    }
}

/// How a GPU is, from good to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Health {
    /// Nothing is the matter.
    Fine,
    /// Its clocks are held back.
    HeldBack,
    /// It has memory errors that could not be corrected.
    Errors,
    /// More of its memory is used than the person wants.
    Alert,
    /// It does not answer any more.
    Lost,
}

impl Health {
    /// Text key of the word for it.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Fine => "live-health-fine",
            Self::HeldBack => "live-health-held-back",
            Self::Errors => "live-health-errors",
            Self::Alert => "live-health-alert",
            Self::Lost => "live-health-lost",
        }
    }

    /// How a GPU is, where more than `alert_percent` of the memory is too much.
    #[must_use]
    pub fn of(gpu: &GpuSample, alert_percent: f64) -> Self {
        if is_lost(gpu) {
            Self::Lost
        } else if used_percent(gpu).is_some_and(|percent| percent > alert_percent) {
            Self::Alert
        } else if gpu.ecc.uncorrected.value().is_some_and(|errors| *errors > 0) {
            Self::Errors
        } else if gpu.throttling.value().is_some_and(|reasons| reasons.iter().any(slows_down)) {
            Self::HeldBack
        } else {
            Self::Fine
        }
    }
}

/// The GPU fell off the bus.
#[must_use]
pub fn is_lost(gpu: &GpuSample) -> bool {
    let lost = |missing: Option<&Missing>| missing == Some(&Missing::GpuLost);
    lost(missing(&gpu.memory.used)) || lost(missing(&gpu.temperature_celsius))
}

/// Share of the memory that is used, percent.
fn used_percent(gpu: &GpuSample) -> Option<f64> {
    gpu.memory.used_percent()
}

/// A reason that holds back work: neither idleness nor somebody's wish.
fn slows_down(reason: &&'static str) -> bool {
    !matches!(
        *reason,
        "live-throttle-idle" | "live-throttle-application-clocks" | "live-throttle-display-clocks"
    )
}

fn missing<T>(reading: &Reading<T>) -> Option<&Missing> {
    match reading {
        Reading::Value(_) => None,
        Reading::Missing(why) => Some(why),
    }
}

/// Which GPUs of a fleet are shown, and in which order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FleetView {
    /// Column that decides the order.
    pub column: FleetColumn,
    /// The other way round than the column usually has it.
    pub reversed: bool,
    /// Words that a GPU must have.
    pub filter: String,
    /// Indices of the GPUs that are shown.
    pub order: Vec<usize>,
}

impl FleetView {
    /// Sorts by a column; the same column again turns the order round.
    pub fn sort_by(&mut self, column: FleetColumn) {
        self.reversed = self.column == column && !self.reversed;
        self.column = column;
    }

    /// Finds and sorts anew: another sample, another wish.
    pub fn arrange(&mut self, snapshot: &Snapshot, alert_percent: f64) {
        let words: Vec<String> = self.filter.split_whitespace().map(str::to_lowercase).collect();
        let gpus = || snapshot.gpus.iter().enumerate();
        self.order.clear();
        self.order.extend(gpus().filter(|(_, gpu)| has(gpu, &words)).map(|(index, _)| index));
        let (column, reversed) = (self.column, self.reversed);
        self.order.sort_by(|one, other| {
            let (Some(a), Some(b)) = (snapshot.gpus.get(*one), snapshot.gpus.get(*other)) else {
                return Ordering::Equal;
            };
            let order = compare(column, a, b, alert_percent, reversed);
            order.then_with(|| place(a).cmp(&place(b)))
        });
    }
}

fn place(gpu: &GpuSample) -> (&str, u32) {
    (&gpu.key.host, gpu.index)
}

/// All words stand in host, name, UUID or bus id.
fn has(gpu: &GpuSample, words: &[String]) -> bool {
    let texts = [Some(&gpu.key.host), Some(&gpu.key.uuid), gpu.name.value(), gpu.bus_id.value()];
    let in_it = |word: &String| texts.iter().flatten().any(|it| it.to_lowercase().contains(word));
    words.iter().all(in_it)
}

/// Names from A to Z, figures from large to small, or the other way round; what has no figure comes
/// last either way.
fn compare(
    column: FleetColumn,
    a: &GpuSample,
    b: &GpuSample,
    alert_percent: f64,
    reversed: bool,
) -> Ordering {
    let turned = |order: Ordering| if reversed { order.reverse() } else { order };
    // Whole numbers, so that rows do not change places at every breath.
    let larger_first = |of: fn(&GpuSample) -> Option<f64>| match (of(a), of(b)) {
        (Some(one), Some(other)) => turned(other.round().total_cmp(&one.round())),
        (one, other) => other.is_some().cmp(&one.is_some()),
    };
    match column {
        FleetColumn::State => {
            turned(Health::of(b, alert_percent).cmp(&Health::of(a, alert_percent)))
                .then_with(|| larger_first(used_percent))
        }
        FleetColumn::Host => turned(a.key.host.cmp(&b.key.host)),
        FleetColumn::Gpu => turned(a.index.cmp(&b.index)),
        FleetColumn::Name => turned(a.name.value().cmp(&b.name.value())),
        FleetColumn::Memory => larger_first(used_percent),
        FleetColumn::Compute => {
            larger_first(|gpu| gpu.utilisation.compute_percent.value().copied())
        }
        FleetColumn::Temperature => larger_first(|gpu| gpu.temperature_celsius.value().copied()),
        FleetColumn::Power => larger_first(|gpu| gpu.power_watts.value().copied()),
    }
}
