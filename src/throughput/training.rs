//! A training step: the busiest pipeline stage, what waits for it, and where the time goes.

use super::{
    answer::{
        Bound, CommunicationGroup, Figures, GroupTraffic, Operation, OperationClass, SpeedEstimate,
        TimeCauses, TimePart, TrainingFigures,
    },
    assembly::{self, Sent, TimeParts},
    classes::ClassCosts,
    collectives::{Load, Window, exposed_secs},
    cost, formats, host, model_flops,
    operations::{Bench, Pass, mean_pairs},
    optimizer,
    pipeline::{self, StageShape},
    power::Phases,
    roofline::Cost,
    traffic::{self, DataTraffic, LocalWeights, Paths},
    work::{self, Work, WorkTimes},
};
use crate::{
    catalogue::Moe,
    plan::{Resolved, Schedule},
    units::Secs,
};

/// Gradients added to those of earlier micro-batches: read, written, and the addend read.
fn accumulation(bench: &Bench<'_>, local: &LocalWeights) -> Work {
    let gradient = bench.plan.plan.precision.grad_dtype.bytes() as f64;
    let cost = bench.machine.streaming(local.trained() * (2.0 * gradient + 2.0), 0.0);
    let useful = ClassCosts::default().with(OperationClass::Elementwise, cost);
    Work { useful, ..Work::default() }
}

/// Weights of a stage on one rank.
fn local_weights(bench: &Bench<'_>, stage: StageShape, moe: Option<&Moe>) -> LocalWeights {
    let edges = bench.weights.embedding * f64::from(u8::from(stage.first))
        + bench.weights.head
            * f64::from(u8::from(stage.last && !(stage.first && bench.plan.arch.tied)));
    let edges = edges / bench.tensor;
    let blocks = stage.dense * bench.local_shared_weights(None)
        + stage.moe * bench.local_shared_weights(moe);
    let experts = stage.moe * moe.map_or(0.0, |moe| bench.local_expert_weights(moe));
    let shared = blocks + edges;
    if !formats::is_frozen(bench.plan) {
        return LocalWeights {
            shared,
            experts,
            shared_trained: shared,
            experts_trained: experts,
            blocks: stage.dense + stage.moe,
        };
    }
    let adapters = stage.dense * model_flops::adapter_weights(bench, None)
        + stage.moe * model_flops::adapter_weights(bench, moe);
    let whole = if bench.plan.plan.workload.lora.train_embeddings { edges } else { 0.0 };
    LocalWeights {
        shared: shared + adapters / bench.tensor,
        experts,
        shared_trained: adapters / bench.tensor + whole,
        experts_trained: 0.0,
        blocks: stage.dense + stage.moe,
    }
}

/// Answers a training plan.
///
/// ```text
/// step = m·τ_busiest + bubble + exposed data-parallel traffic + optimizer + host
/// ```
pub(super) fn estimate(plan: &Resolved<'_>) -> SpeedEstimate {
    let bench = Bench::new(plan);
    Step::new(&bench).answer()
}

fn heavier(left: LocalWeights, right: LocalWeights) -> LocalWeights {
    if right.shared + right.experts > left.shared + left.experts { right } else { left }
}

/// A step whose stages are known.
#[derive(Clone, Copy)]
struct Step<'a> {
    bench: &'a Bench<'a>,
    paths: Paths,
    /// One micro-batch on the stage that makes the step longest.
    busiest: Work,
    /// Its times.
    times: WorkTimes,
    /// Time of all other stages for one micro-batch.
    others_secs: f64,
    /// Weights of the stage that has the most.
    largest: LocalWeights,
    /// Data-parallel collectives.
    data: DataTraffic,
    /// Copies of parameters and activations to and from the host.
    copied_secs: f64,
    /// Sends between neighbouring stages in one micro-batch.
    neighbours: Load,
}

impl<'a> Step<'a> {
    /// Works out the busiest stage: one block of each kind, head and loss, and how many of them a
    /// stage has.
    fn new(bench: &'a Bench<'a>) -> Self {
        let plan = bench.plan;
        let arch = plan.arch;
        let paths = Paths::new(bench);
        let moe = arch.moe.as_ref();
        let sequence = f64::from(plan.plan.workload.sequence.max(1));
        let tokens = plan.layout.tokens as f64;
        let pass = Pass { tokens, sequence, pairs: mean_pairs(arch, sequence), cached: 0.0 };
        let dense = if arch.dense_layers() > 0 {
            work::block(bench, &paths, &pass, None)
        } else {
            Work::default()
        };
        let sparse =
            moe.map_or_else(Work::default, |moe| work::block(bench, &paths, &pass, Some(moe)));
        let edge = work::edge(bench, &pass);
        let entry = work::entry(bench, &pass);
        let shapes = || pipeline::candidate_stages(plan).map(|at| pipeline::stage_shape(plan, at));
        let largest = shapes()
            .map(|shape| local_weights(bench, shape, moe))
            .fold(LocalWeights::default(), heavier);
        let total_secs = f64::from(arch.dense_layers()) * dense.secs()
            + f64::from(arch.moe_layers()) * sparse.secs()
            + edge.secs()
            + entry.secs();
        let accumulation = accumulation(bench, &largest);
        let copied_secs = optimizer::fetch_secs(bench, largest.shared + largest.experts)
            + host::activation_secs(bench, largest.blocks);
        let neighbours = traffic::neighbours(bench, &paths, tokens);
        let data = traffic::data(bench, &paths, &largest);
        let [dense_times, sparse_times, entry_times, edge_times, accumulated] =
            [&dense, &sparse, &entry, &edge, &accumulation].map(WorkTimes::of);
        let mut step = Self {
            bench,
            paths,
            busiest: Work::default(),
            times: WorkTimes::default(),
            others_secs: 0.0,
            largest,
            data,
            copied_secs,
            neighbours,
        };
        let mut longest_secs = 0.0;
        let (mut slowest, mut times, mut others_secs) = <(StageShape, WorkTimes, f64)>::default();
        for shape in shapes() {
            let own = dense_times * shape.dense
                + sparse_times * shape.moe
                + entry_times * f64::from(u8::from(shape.first))
                + edge_times * f64::from(u8::from(shape.last));
            step.others_secs = (total_secs - own.secs).max(0.0);
            step.times = own + accumulated;
            let secs = step.varying_secs();
            if secs > longest_secs {
                longest_secs = secs;
                (slowest, times, others_secs) = (shape, step.times, step.others_secs);
            }
        }
        (step.times, step.others_secs) = (times, others_secs);
        let mut busiest = dense.times(slowest.dense).plus(accumulation);
        if slowest.moe > 0.0 {
            busiest = busiest.plus(sparse.times(slowest.moe));
        }
        if slowest.first {
            busiest = busiest.plus(entry);
        }
        if slowest.last {
            busiest = busiest.plus(edge);
        }
        step.busiest = busiest;
        step
    }

    /// The part of the step that depends on which stage is taken for the busiest.
    fn varying_secs(&self) -> f64 {
        let (data_secs, copies_secs) = self.exposed_secs();
        self.micro_batches() * (self.times.secs + self.neighbours_exposed_secs())
            + self.bubble_secs()
            + data_secs
            + copies_secs
    }

    fn micro_batches(&self) -> f64 {
        self.bench.plan.layout.micro_batches.max(1) as f64
    }

    /// What shows of the sends between stages: interleaved schedules run them behind other chunks.
    fn neighbours_exposed_secs(&self) -> f64 {
        match self.bench.plan.plan.parallelism.schedule {
            Schedule::Interleaved => exposed_secs(self.neighbours.secs, self.times.window_secs),
            _ => self.neighbours.secs,
        }
    }

    /// Time the busiest stage waits for the others.
    fn bubble_secs(&self) -> f64 {
        let stages = self.bench.plan.layout.pipeline as f64;
        if stages <= 1.0 {
            return 0.0;
        }
        let others = self.others_secs + (stages - 1.0) * self.neighbours.secs;
        others * pipeline::bubble_share(self.bench.plan)
    }

    /// What shows of the traffic behind compute: `(data-parallel collectives, copies to and from the
    /// host)`.
    ///
    /// All of it shares the time that compute takes and that sends between stages do not hide behind
    /// already; what happens once a step has one micro-batch's.
    fn exposed_secs(&self) -> (f64, f64) {
        let times = self.micro_batches();
        let sends_hidden_secs = self.neighbours.secs - self.neighbours_exposed_secs();
        let window_secs = self.times.window_secs - sends_hidden_secs;
        let mut window = Window::new(times * window_secs);
        let every_secs =
            window.exposed_secs(times * self.data.every_micro_batch.secs, f64::INFINITY);
        let once_secs = window.exposed_secs(self.data.once.secs, window_secs);
        (
            every_secs + once_secs + self.data.after.secs,
            window.exposed_secs(self.copied_secs, f64::INFINITY),
        )
    }

    /// Time of the optimizer step in host memory.
    fn host_step_secs(&self) -> f64 {
        let local = &self.largest;
        optimizer::host_step_secs(self.bench, local.shared_trained, local.experts_trained)
    }

    fn answer(&self) -> SpeedEstimate {
        let bench = self.bench;
        let times = self.micro_batches();
        let useful = self.busiest.useful();
        let optimizer =
            optimizer::step(bench, self.largest.shared_trained, self.largest.experts_trained);
        let (data_exposed_secs, copies_exposed_secs) = self.exposed_secs();
        let again = self.busiest.recomputation();
        let communication_secs = times
            * (self.busiest.blocking_traffic_secs() + self.neighbours_exposed_secs())
            + data_exposed_secs;
        let bubble_secs = self.bubble_secs();
        let host_secs = self.host_step_secs() + copies_exposed_secs;
        let gap_secs = times * self.busiest.launch_gap_secs;
        let mut parts = TimeParts::default();
        parts.add(TimePart::Compute, times * useful.compute_secs);
        parts.add(TimePart::MemoryBandwidth, times * useful.memory_secs);
        parts.add(TimePart::Recomputation, times * again.secs());
        parts.add(TimePart::ExposedCommunication, communication_secs);
        parts.add(TimePart::Bubble, bubble_secs);
        parts.add(TimePart::Optimizer, optimizer.secs());
        parts.add(TimePart::HostTransfer, host_secs);
        parts.add(TimePart::Launch, times * useful.launch_secs + gap_secs);
        let power = Phases::default()
            .operations(&((useful + again) * times + optimizer))
            .communication(communication_secs)
            .waiting(bubble_secs + host_secs + gap_secs)
            .draw(bench.plan.gpu);
        let step = parts.total();
        SpeedEstimate {
            figures: Figures::Training(self.figures(step, power.map(|power| power.watts))),
            operations: self.operations(optimizer),
            bound_by: parts.bound(),
            time: parts.into_vec(),
            communication: self.communication(data_exposed_secs),
            fractions: assembly::fractions(bench, &self.paths),
            causes: self.causes(copies_exposed_secs),
            power,
            cards_usd: cost::of_cards(bench.plan),
        }
    }

    /// What the explanation of the time needs beside operations and collectives.
    fn causes(&self, copies_exposed_secs: f64) -> TimeCauses {
        let times = self.micro_batches();
        TimeCauses {
            micro_batches: self.bench.plan.layout.micro_batches.max(1),
            kernels: times * self.busiest.useful().kernels(),
            host_wait: Secs(times * self.busiest.launch_gap_secs),
            host_step: Secs(self.host_step_secs()),
            host_copies: Secs(self.copied_secs),
            host_copies_hidden: Secs(self.copied_secs - copies_exposed_secs),
            ..TimeCauses::default()
        }
    }

    fn figures(&self, step: Secs, watts: Option<f64>) -> TrainingFigures {
        let plan = self.bench.plan;
        let tokens = plan.layout.global_tokens as f64;
        let tokens_per_sec = tokens / step.0;
        let run = cost::of_run(plan, tokens_per_sec, watts);
        let flops = model_flops::of_step(self.bench);
        let capacity = self.bench.machine.peak.0 * plan.layout.world as f64 * step.0;
        TrainingFigures {
            step,
            tokens_per_sec_per_gpu: tokens_per_sec / plan.layout.world as f64,
            tokens_per_sec,
            mfu: flops.model.0 / capacity,
            hfu: (flops.model.0 + flops.recomputed.0) / capacity,
            time_to_train: run.time_to_train,
            gpu_hours: run.gpu_hours,
            energy_kwh: run.energy_kwh,
            cost_usd: run.cost_usd,
            model_flops: flops.model,
            attention_flops: flops.attention,
            frozen_flops: flops.frozen,
            peak: self.bench.machine.peak,
        }
    }

    fn operations(&self, optimizer: Cost) -> Vec<Operation> {
        let work = (self.busiest.useful + self.busiest.recomputed) * self.micro_batches();
        assembly::operations(&work.with(OperationClass::Optimizer, optimizer))
    }

    fn communication(&self, data_exposed_secs: f64) -> Vec<GroupTraffic> {
        let times = self.micro_batches();
        let traffic = &self.busiest.traffic;
        let data_path =
            if self.paths.shards.size > 1.0 { &self.paths.shards } else { &self.paths.replicas };
        let busiest = &self.busiest;
        let data = &self.data;
        let of = |group, path, load: Load, exposed_secs| Sent { group, path, load, exposed_secs };
        let rows = [
            of(
                CommunicationGroup::Tensor,
                &self.paths.tensor,
                traffic.tensor * times,
                times * busiest.tensor_exposed_secs,
            ),
            of(
                CommunicationGroup::Context,
                &self.paths.context,
                traffic.context * times,
                times * busiest.context_exposed_secs,
            ),
            of(
                CommunicationGroup::Expert,
                &self.paths.expert,
                traffic.expert * times,
                times * busiest.expert_exposed_secs,
            ),
            of(
                CommunicationGroup::Pipeline,
                &self.paths.pipeline,
                self.neighbours * times,
                times * self.neighbours_exposed_secs(),
            ),
            of(
                CommunicationGroup::Data,
                data_path,
                data.every_micro_batch * times + data.once + data.after,
                data_exposed_secs,
            ),
        ];
        assembly::communication(&rows)
    }
}

/// What a share of the time means for the verdict.
pub(super) const fn bound_of(part: TimePart) -> Bound {
    match part {
        TimePart::Compute | TimePart::Recomputation => Bound::Compute,
        TimePart::MemoryBandwidth | TimePart::Optimizer => Bound::MemoryBandwidth,
        TimePart::ExposedCommunication => Bound::Communication,
        TimePart::Bubble => Bound::Bubble,
        TimePart::HostTransfer => Bound::Host,
        TimePart::Launch => Bound::Launch,
    }
}
