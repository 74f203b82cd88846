//! `vramplan models` and `vramplan gpus`: what a plan can name.

use std::fmt::Write as _;

use super::{EXIT_FITS, EXIT_WRONG_INPUT, Printed, load_catalogue};
use crate::{
    text::{Language, Texts},
    units::short_count,
};

pub(super) fn models(words: &[String]) -> Printed {
    let (catalogue, _) = load_catalogue();
    let rows = catalogue.models.iter().filter_map(|model| {
        let text = format!("{} {} {}", model.id, model.name, model.family);
        let size = short_count(model.params_total as f64);
        matches(&text, words).then(|| format!("{size:>8}  {:<20}  {}", model.id, model.name))
    });
    printed(rows, words)
}

pub(super) fn gpus(words: &[String]) -> Printed {
    let (catalogue, _) = load_catalogue();
    let rows = catalogue.gpus.iter().filter_map(|gpu| {
        let text =
            format!("{} {} {} {}", gpu.name, gpu.aliases.join(" "), gpu.vendor, gpu.architecture);
        let memory = gpu.usable_memory().0.to_string();
        let bandwidth = gpu.bandwidth().to_string();
        matches(&text, words).then(|| format!("{memory:>10}  {bandwidth:>10}  {}", gpu.name))
    });
    printed(rows, words)
}

/// All words occur, whatever the case.
fn matches(text: &str, words: &[String]) -> bool {
    let text = text.to_lowercase();
    words.iter().all(|word| text.contains(&word.to_lowercase()))
}

fn printed(rows: impl Iterator<Item = String>, words: &[String]) -> Printed {
    let mut output = String::new();
    for row in rows {
        // Writing to a string cannot fail.
        let _ = writeln!(output, "{row}");
    }
    if output.is_empty() {
        let texts = Texts::new(Language::of_environment());
        let nothing = texts.with("cli-nothing-found", &[("words", &words.join(" "))]);
        let errors = format!("vramplan: {nothing}\n");
        return Printed { output, errors, code: EXIT_WRONG_INPUT };
    }
    Printed::output(output, EXIT_FITS)
}
