//! Plan against measured: the bars, each explanation with its condition, and calibration.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use vramplan::{
    catalogue::Catalogue,
    estimate::estimate,
    memory::{self, MemoryEstimate, Part, Verdict},
    monitor::{
        Calibration, DeviceKey, GpuSample, Host, Missing, ProcessSample, Reading,
        compare::{BarPart, Cause, Comparison, Question, Scope, compare},
    },
    plan::{Method, Plan, Task},
    text::{Language, Texts},
    units::{Bytes, MIB},
};

fn catalogue() -> &'static Catalogue {
    Catalogue::embedded()
}

fn memory_of(plan: &Plan) -> MemoryEstimate {
    estimate(plan, catalogue()).expect("a valid plan").memory
}

fn process(pid: u32, bytes: Bytes, graphics: bool) -> ProcessSample {
    let name = Reading::Value("python train.py".to_owned());
    let user = Reading::Value("me".to_owned());
    ProcessSample { pid, name, user, memory: Reading::Value(bytes), graphics }
}

/// A card of 24 GiB on which the first process is the run.
fn gpu(processes: &[(u32, Bytes)]) -> GpuSample {
    let mut gpu = GpuSample::blank(DeviceKey::default(), 0, &Missing::NotReported);
    let total = Bytes::from_mib(24_564);
    let reserved = Bytes::from_mib(300);
    let used: Bytes = processes.iter().map(|(_, bytes)| *bytes).sum();
    gpu.name = Reading::Value("NVIDIA GeForce RTX 4090".to_owned());
    gpu.memory.total = Reading::Value(total);
    gpu.memory.reserved = Reading::Value(reserved);
    gpu.memory.used = Reading::Value(used);
    gpu.memory.free = Reading::Value(total.saturating_sub(reserved).saturating_sub(used));
    let all = processes.iter().map(|&(pid, bytes)| process(pid, bytes, false));
    gpu.processes = Reading::Value(all.collect());
    gpu
}

fn ask(plan: &Plan, gpu: &GpuSample, scope: &Scope, earlier: Option<(Bytes, f64)>) -> Comparison {
    let memory = memory_of(plan);
    let question = Question {
        plan,
        catalogue: catalogue(),
        memory: &memory,
        stage: 0,
        gpu,
        scope,
        earlier,
        calibration: None,
    };
    let answer = compare(&question).expect("comparable");
    for &language in Language::ALL {
        let texts = Texts::new(language);
        for explanation in &answer.explanations {
            let text = texts.message(&explanation.message);
            assert!(!text.contains('{') && text != explanation.message.key, "{text}");
        }
    }
    answer
}

fn causes(answer: &Comparison) -> Vec<Cause> {
    answer.explanations.iter().map(|explanation| explanation.cause).collect()
}

/// Causes where the run's own process holds the plan's total and so much more or less.
fn causes_at(plan: &Plan, offset_mib: i64) -> Vec<Cause> {
    let planned = memory_of(plan).stages[0].total().0;
    let run = planned.saturating_add_signed(offset_mib * MIB.cast_signed());
    causes(&ask(plan, &gpu(&[(1, Bytes(run))]), &Scope::Processes(vec![1]), None))
}

/// How much more another plan holds, MiB.
fn offset_mib(plan: &Plan, other: &Plan) -> i64 {
    let total = |plan| memory_of(plan).stages[0].total().0.cast_signed();
    (total(other) - total(plan)) / MIB.cast_signed()
}

/// Adapters on a small model, with a large part that changes in a step.
fn training() -> Plan {
    let mut plan = Plan::default();
    plan.workload.method = Method::Lora;
    plan.workload.micro_batch = 2;
    plan.workload.sequence = 1024;
    plan.checkpointing = vramplan::plan::Checkpointing {
        policy: vramplan::plan::CheckpointPolicy::None,
        ..Default::default()
    };
    plan
}

fn eighty_gb(mut plan: Plan) -> Plan {
    plan.hardware.gpu = vramplan::plan::GpuChoice::Catalogue("NVIDIA H100 80GB HBM3".to_owned());
    plan
}

#[test]
fn both_bars_add_up_on_one_scale() {
    let plan = Plan::default();
    let planned = memory_of(&plan).stages[0].total();
    let others = Bytes::from_mib(2000);
    let card = gpu(&[(1, planned), (2, others)]);
    let answer = ask(&plan, &card, &Scope::Processes(vec![1]), None);
    let sum = |bar: &[(BarPart, Bytes)]| bar.iter().map(|(_, bytes)| *bytes).sum::<Bytes>();
    assert_eq!(Reading::Value(sum(&answer.measured)), card.memory.total, "all of the card");
    assert!(answer.measured.contains(&(BarPart::Others, others)), "{:?}", answer.measured);
    assert!(answer.measured.contains(&(BarPart::Driver, Bytes::from_mib(300))));
    assert_eq!(answer.scale, sum(&answer.measured).max(sum(&answer.planned)));
    assert!(answer.difference_gib.abs() < 1e-9, "the run holds what is planned");
    assert_eq!(causes(&answer), [Cause::WithinBand], "nothing to explain");
}

#[test]
fn a_run_that_has_not_loaded_its_weights_is_said_to_be_loading() {
    let plan = training();
    let answer = ask(&plan, &gpu(&[(1, Bytes::from_mib(900))]), &Scope::WholeGpu, None);
    assert_eq!(causes(&answer).first(), Some(&Cause::Loading), "{answer:?}");
    assert!(answer.difference_percent.expect("planned") < -50.0);
}

#[test]
fn a_run_between_idle_and_peak_may_not_have_been_at_its_peak() {
    let plan = training();
    let stage = &memory_of(&plan).stages[0];
    let idle = stage.static_bytes + stage.parts.get(Part::Context);
    let between = Bytes(u64::midpoint(idle.0, stage.low.0));
    let answer = ask(&plan, &gpu(&[(1, between)]), &Scope::WholeGpu, None);
    assert_eq!(causes(&answer).first(), Some(&Cause::NotAtPeak), "{answer:?}");
}

#[test]
fn another_process_comes_first_where_it_holds_the_difference() {
    let plan = training();
    let planned = memory_of(&plan).stages[0].total();
    let card = gpu(&[(1, planned), (2, Bytes::from_mib(3000))]);
    let answer = ask(&plan, &card, &Scope::WholeGpu, None);
    assert_eq!(causes(&answer).first(), Some(&Cause::OtherProcess), "{answer:?}");
    let own = ask(&plan, &card, &Scope::Processes(vec![1]), None);
    assert!(!causes(&own).contains(&Cause::OtherProcess), "left out by choosing the run");
}

#[test]
fn memory_of_nobody_who_is_listed_is_named() {
    let plan = training();
    let planned = memory_of(&plan).stages[0].total();
    let mut card = gpu(&[(1, planned)]);
    card.memory.used = Reading::Value(planned + Bytes::from_mib(3000));
    let answer = ask(&plan, &card, &Scope::WholeGpu, None);
    assert!(causes(&answer).contains(&Cause::Unlisted), "{answer:?}");
    let own = ask(&plan, &card, &Scope::Processes(vec![1]), None);
    assert!(own.measured.contains(&(BarPart::Unlisted, Bytes::from_mib(3000))), "{own:?}");
}

#[test]
fn use_that_grows_while_the_work_is_the_same_is_named() {
    let plan = training();
    let run = memory_of(&plan).stages[0].total() + Bytes::from_mib(1500);
    let before = run.saturating_sub(Bytes::from_mib(1400));
    let scope = Scope::Processes(vec![1]);
    let answer = ask(&plan, &gpu(&[(1, run)]), &scope, Some((before, 600.0)));
    assert_eq!(causes(&answer).first(), Some(&Cause::Growing), "{answer:?}");
    let steady = ask(&plan, &gpu(&[(1, run)]), &scope, Some((run, 600.0)));
    assert!(!causes(&steady).contains(&Cause::Growing), "{steady:?}");
}

#[test]
fn varying_lengths_without_growing_segments_may_fragment() {
    let mut plan = training();
    plan.workload.varying_lengths = true;
    assert!(causes_at(&plan, 1500).contains(&Cause::Fragmentation));
    plan.framework.expandable_segments = true;
    assert!(!causes_at(&plan, 1500).contains(&Cause::Fragmentation), "these segments grow");
}

#[test]
fn twice_the_batch_is_recognised_by_its_own_total() {
    let plan = eighty_gb(training());
    let mut twice = plan.clone();
    twice.workload.micro_batch *= 2;
    let offset = offset_mib(&plan, &twice);
    let found = causes_at(&plan, offset);
    assert!(
        found.contains(&Cause::MicroBatch) || found.contains(&Cause::Sequence),
        "twice the tokens: {found:?}"
    );
    let mut three = plan.clone();
    three.workload.micro_batch += 1;
    let offset = offset_mib(&plan, &three);
    assert!(causes_at(&plan, offset).contains(&Cause::MicroBatch), "one more");
}

#[test]
fn half_the_sequences_served_at_once_are_recognised() {
    let mut plan = eighty_gb(Plan::default());
    plan.workload.task = Task::Inference;
    plan.workload.concurrency = 64;
    let mut half = plan.clone();
    half.workload.concurrency = 32;
    let offset = offset_mib(&plan, &half);
    let found = causes_at(&plan, offset);
    assert!(found.contains(&Cause::Concurrency), "{found:?}");
}

#[test]
fn the_reserve_explains_only_what_it_can_hold() {
    let plan = eighty_gb(training());
    let stage = &memory_of(&plan).stages[0];
    let changing = stage.allocated.saturating_sub(stage.static_bytes).0 / MIB;
    let quarter = i64::try_from(changing / 4).expect("small");
    assert!(causes_at(&plan, quarter).contains(&Cause::LargerReserve));
    assert!(!causes_at(&plan, quarter * 3).contains(&Cause::LargerReserve), "too much");
    let reserve = stage.parts.get(Part::AllocatorReserve).0 / MIB;
    let part = -i64::try_from(reserve * 3 / 4).expect("small");
    assert!(reserve > 600, "the plan has a reserve: {reserve} MiB");
    assert!(causes_at(&plan, part).contains(&Cause::SmallerReserve));
}

#[test]
fn the_context_explains_small_differences_unless_it_was_measured() {
    let plan = training();
    assert!(causes_at(&plan, 700).contains(&Cause::Context), "kernels loaded at once");
    assert!(!causes_at(&plan, 3000).contains(&Cause::Context), "never so much");
}

#[test]
fn an_old_driver_counts_what_it_keeps_for_itself() {
    let plan = training();
    let run = memory_of(&plan).stages[0].total() + Bytes::from_mib(900);
    let mut card = gpu(&[(1, run)]);
    let old = Missing::FunctionMissing("nvmlDeviceGetMemoryInfo_v2".to_owned());
    card.memory.reserved = Reading::Missing(old);
    assert!(causes(&ask(&plan, &card, &Scope::WholeGpu, None)).contains(&Cause::OldDriver));
}

#[test]
fn what_cannot_be_compared_says_why() {
    let plan = Plan::default();
    let memory = memory_of(&plan);
    let why = |gpu: &GpuSample, scope: &Scope| {
        let question = Question {
            plan: &plan,
            catalogue: catalogue(),
            memory: &memory,
            stage: 0,
            gpu,
            scope,
            earlier: None,
            calibration: None,
        };
        compare(&question).expect_err("not comparable").key
    };
    let mut card = gpu(&[(1, Bytes::from_mib(1000))]);
    assert_eq!(why(&card, &Scope::Processes(vec![2])), "live-compare-no-process");
    if let Reading::Value(list) = &mut card.processes {
        list[0].memory = Reading::Missing(Missing::NotAvailable);
    }
    assert_eq!(why(&card, &Scope::Processes(vec![1])), "live-compare-hidden");
    card.memory.used = Reading::Missing(Missing::NotSupported);
    assert_eq!(why(&card, &Scope::WholeGpu), "live-compare-no-memory");
}

fn host() -> Host {
    Host {
        driver_version: Reading::Value("550.54.15".to_owned()),
        cuda_version: Reading::Value("12.4".to_owned()),
    }
}

#[test]
fn an_idle_process_calibrates_the_context_and_its_doubt_goes() {
    let plan = Plan::default();
    let memory = memory_of(&plan);
    let planned = &memory.stages[0];
    let idle = Bytes::from_mib(258);
    let card = gpu(&[(1, idle)]);
    let calibration = Calibration::of_idle(&card, &host(), 1, 1.0).expect("idle");
    let own = calibration.apply(&memory);
    let workspaces =
        planned.reserved.0 - planned.allocated.0 - planned.parts.get(Part::AllocatorReserve).0;
    assert_eq!(own.stages[0].parts.get(Part::Context), idle + Bytes(workspaces), "measured");
    assert_eq!(own.stages[0].parts.live(), planned.parts.live(), "the rest is the plan's");
    let width = |low: Bytes, high: Bytes| high.0 - low.0;
    assert!(
        width(own.stages[0].low, own.stages[0].high) < width(planned.low, planned.high),
        "what is measured is in doubt no longer"
    );
    let text = ron::to_string(&calibration).expect("kept in the settings");
    assert_eq!(ron::from_str::<Calibration>(&text).expect("read again"), calibration);
}

#[test]
fn a_measured_peak_becomes_the_plans_total_and_changes_the_verdict() {
    let plan = Plan::default();
    let memory = memory_of(&plan);
    let card = gpu(&[]);
    let peak = memory.capacity + Bytes::from_mib(3000);
    let planned = &memory.stages[0];
    let calibration =
        Calibration::of_peak(&card, &host(), peak, planned, 1.0).expect("above the plan");
    let own = calibration.apply(&memory);
    assert_eq!(own.stages[0].total(), peak, "the plan meets the measured peak");
    assert_eq!(memory.verdict, Verdict::Fits, "as planned");
    assert_eq!(own.verdict, Verdict::DoesNotFit, "as measured");
    let resolved = plan.resolve(catalogue()).expect("valid");
    let detail = memory::detail(&resolved, 0);
    let detail = calibration.apply_to_detail(planned, &detail);
    let terms: Vec<_> = detail.explanation.of(Part::Context).collect();
    assert_eq!(terms.len(), 1, "one source");
    assert_eq!(terms[0].source.0, "source-measured-here");
    assert!(calibration.is_of("nvidia geforce rtx 4090", Some("550.54.15")), "this driver");
    assert!(!calibration.is_of("NVIDIA GeForce RTX 4090", Some("560.1")), "not another one");
}

#[test]
fn what_cannot_be_an_idle_process_is_refused() {
    let card = gpu(&[(1, Bytes::from_mib(9000))]);
    let why = |pid| Calibration::of_idle(&card, &host(), pid, 1.0).expect_err("refused").key;
    assert_eq!(why(1), "live-calibrate-not-idle");
    assert_eq!(why(2), "live-calibrate-no-process");
    let memory = memory_of(&Plan::default());
    let low = Bytes::from_mib(100);
    let why = Calibration::of_peak(&card, &host(), low, &memory.stages[0], 1.0);
    assert_eq!(why.expect_err("refused").key, "live-calibrate-below-plan");
}
