//! `vramplan estimate`: from a file to an answer.

use std::{fmt::Write as _, io, path::Path};

use super::{
    EXIT_DOES_NOT_FIT, EXIT_FITS, EXIT_TIGHT, EXIT_WRONG_INPUT, EstimateArguments, Format, Printed,
    json, load_catalogue, report,
};
use crate::{
    catalogue::Catalogue,
    estimate::{Estimate, estimate, most_sequences},
    memory::Verdict,
    plan::{
        Issue, PlanError,
        file::{FileError, PresetFile, parse, read_limited, read_text},
    },
    text::{Language, Texts},
};

/// A plan with everything that was found out about it.
pub(super) struct Answer<'a> {
    pub(super) preset: &'a PresetFile,
    pub(super) catalogue: &'a Catalogue,
    pub(super) issues: Vec<Issue>,
    /// None for a plan that cannot run.
    pub(super) estimate: Option<Estimate>,
    /// Serving: sequences that surely fit in memory at once.
    pub(super) most_sequences: Option<u32>,
}

fn find_out(preset: &PresetFile, catalogue: &Catalogue) -> (Vec<Issue>, Option<Estimate>) {
    match estimate(&preset.plan, catalogue) {
        Ok(estimate) => (preset.plan.validate(catalogue), Some(estimate)),
        Err(PlanError::Invalid(issues)) => (issues, None),
    }
}

pub(super) fn estimate_plan(arguments: &EstimateArguments) -> Printed {
    let texts = Texts::new(arguments.lang.unwrap_or_else(Language::of_environment));
    let mut errors = String::new();
    let (catalogue, problems) = load_catalogue();
    for problem in &problems {
        line(&mut errors, &texts.message(&problem.message()));
    }
    let preset = match read(&arguments.plan) {
        Ok(preset) => preset,
        Err(error) => {
            line(&mut errors, &in_file(&arguments.plan, &error, &texts));
            return Printed::wrong_input(errors);
        }
    };
    let (issues, estimate) = find_out(&preset, &catalogue);
    let code = exit_code(estimate.as_ref());
    if estimate.is_none() {
        line(&mut errors, &texts.with("cli-invalid", &[("file", &shown(&arguments.plan))]));
        for issue in &issues {
            line(&mut errors, &report::issue_line(issue, &texts));
        }
    }
    let most_sequences = estimate.as_ref().and_then(|_| most_sequences(&preset.plan, &catalogue));
    let answer =
        Answer { preset: &preset, catalogue: &catalogue, issues, estimate, most_sequences };
    let output = match arguments.format {
        Format::Text => report::text(&answer, &texts, arguments.all_stages),
        Format::Json => json::text(&answer, &texts),
    };
    Printed { output, errors, code }
}

fn exit_code(estimate: Option<&Estimate>) -> u8 {
    match estimate.map(|estimate| estimate.memory.verdict) {
        Some(Verdict::Fits) => EXIT_FITS,
        Some(Verdict::Tight) => EXIT_TIGHT,
        Some(Verdict::DoesNotFit) => EXIT_DOES_NOT_FIT,
        None => EXIT_WRONG_INPUT,
    }
}

/// The preset in a file, or on standard input for `-`.
fn read(path: &Path) -> Result<PresetFile, FileError> {
    if path.as_os_str() == "-" {
        parse(&read_limited(io::stdin().lock(), path)?)
    } else {
        parse(&read_text(path)?)
    }
}

/// Errors inside a file do not name it, those of the disk do.
fn in_file(path: &Path, error: &FileError, texts: &Texts) -> String {
    let message = texts.message(&error.message());
    if error.names_path() {
        message
    } else {
        texts.with("cli-in-file", &[("file", &shown(path)), ("reason", &message)])
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn line(errors: &mut String, text: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(errors, "vramplan: {text}");
}
