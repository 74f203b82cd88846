//! Names that the catalogue does not know, with the closest that it does.

use super::Issues;
use crate::{
    catalogue::{Architecture, Catalogue, Gpu},
    message::Message,
    plan::{Field, GpuChoice, ModelChoice, Plan},
};

/// How many close names are offered.
const SUGGESTIONS: usize = 3;

pub(super) fn check(
    plan: &Plan,
    catalogue: &Catalogue,
    arch: Option<&Architecture>,
    gpu: Option<&Gpu>,
    issues: &mut Issues,
) {
    if let (ModelChoice::Catalogue(id), None) = (&plan.model, arch) {
        issues.error_if(true, Field::Model, || {
            let known = catalogue.models.iter().map(|model| (&*model.id, closeness(id, &model.id)));
            let named =
                catalogue.models.iter().map(|model| (&*model.id, closeness(id, &model.name)));
            unknown("issue-unknown-model", id, known.chain(named))
        });
    }
    if let (GpuChoice::Catalogue(name), None) = (&plan.hardware.gpu, gpu) {
        issues.error_if(true, Field::Gpu, || {
            let known = catalogue.gpus.iter().map(|gpu| {
                let alias =
                    gpu.aliases.iter().map(|alias| closeness(name, alias)).fold(0.0, f64::max);
                (&*gpu.name, alias.max(closeness(name, &gpu.name)))
            });
            unknown("issue-unknown-gpu", name, known)
        });
    }
}

/// How much two names look alike, whatever the case: 1 for the same.
fn closeness(typed: &str, known: &str) -> f64 {
    strsim::jaro_winkler(&typed.to_lowercase(), &known.to_lowercase())
}

fn unknown<'a>(
    key: &'static str,
    typed: &str,
    known: impl Iterator<Item = (&'a str, f64)>,
) -> Message {
    let mut ranked: Vec<(&str, f64)> = known.collect();
    ranked.sort_by(|left, right| right.1.total_cmp(&left.1));
    let mut names: Vec<&str> = Vec::with_capacity(SUGGESTIONS);
    for (name, _) in ranked {
        if names.len() < SUGGESTIONS && !names.contains(&name) {
            names.push(name);
        }
    }
    Message::new(key).with("name", typed.to_owned()).with("closest", names.join(", "))
}
