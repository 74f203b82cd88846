//! Checks of a plan: each issue names the field that can mend it, and how.
//!
//! One file for each group of fields. Nothing is allocated for a plan without remarks, since this
//! runs with every estimate. Fields that the task does not use (lengths of served sequences in
//! training, optimizer and recomputation in serving) are not looked at.

mod architecture;
mod bounds;
mod degrees;
mod experts;
mod framework;
mod hardware;
mod optimizer;
mod pipeline;
mod precision;
mod unknown;
mod workload;

pub use self::bounds::MAX_SEQUENCES;
use super::{Field, Issue, Layout, Method, Plan, Severity, Task};
use crate::{
    catalogue::{Architecture, Catalogue, Gpu},
    message::Message,
};

impl Plan {
    /// Every issue of the plan, the worst first. Empty for a plan without remarks.
    #[must_use]
    pub fn validate(&self, catalogue: &Catalogue) -> Vec<Issue> {
        let mut issues = Issues::default();
        self.find_issues(catalogue, &mut issues);
        issues.worst_first()
    }

    fn find_issues(&self, catalogue: &Catalogue, issues: &mut Issues) {
        let arch = self.architecture(catalogue);
        let gpu = self.gpu(catalogue);
        unknown::check(self, catalogue, arch, gpu, issues);
        bounds::check(self, issues);
        let (Some(arch), Some(gpu)) = (arch, gpu) else {
            return;
        };
        architecture::check(self, arch, issues);
        hardware::check_card(self, gpu, issues);
        if issues.any_error() {
            // Sizes that are zero or out of bounds make every further remark meaningless.
            return;
        }
        let checked = Checked { plan: self, arch, gpu, layout: self.layout() };
        hardware::check(&checked, issues);
        workload::check(&checked, issues);
        precision::check(&checked, issues);
        degrees::check(&checked, issues);
        pipeline::check(&checked, issues);
        experts::check(&checked, issues);
        if checked.trains() {
            optimizer::check(&checked, issues);
        }
        framework::check(&checked, issues);
    }
}

/// A plan whose sizes are within bounds, with what its names stand for.
struct Checked<'a> {
    plan: &'a Plan,
    arch: &'a Architecture,
    gpu: &'a Gpu,
    layout: Layout,
}

impl Checked<'_> {
    fn trains(&self) -> bool {
        self.plan.workload.task == Task::Training
    }

    fn trains_all_weights(&self) -> bool {
        self.trains() && self.plan.workload.method == Method::Full
    }
}

/// The issues so far.
#[derive(Default)]
struct Issues(Vec<Issue>);

impl Issues {
    fn error_if(&mut self, bad: bool, field: Field, message: impl FnOnce() -> Message) {
        if bad {
            self.0.push(Issue::error(field, message()));
        }
    }

    fn warning_if(&mut self, bad: bool, field: Field, message: impl FnOnce() -> Message) {
        if bad {
            self.0.push(Issue::warning(field, message()));
        }
    }

    fn note_if(&mut self, so: bool, field: Field, message: impl FnOnce() -> Message) {
        if so {
            self.0.push(Issue::note(field, message()));
        }
    }

    fn any_error(&self) -> bool {
        self.0.iter().any(|issue| issue.severity == Severity::Error)
    }

    fn worst_first(mut self) -> Vec<Issue> {
        self.0.sort_by_key(|issue| std::cmp::Reverse(issue.severity));
        self.0
    }
}

/// Largest divisor of `whole` that is not above `wish`; 1 at least.
fn divisor_below(whole: u32, wish: u32) -> u32 {
    (1..=wish.min(whole)).rev().find(|&degree| whole.is_multiple_of(degree)).unwrap_or(1)
}
