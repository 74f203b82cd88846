//! `vramplan validate`: predictions beside measured runs.

use std::{fmt::Write as _, fs::File, io, io::Read, path::Path};

use super::{EXIT_FITS, EXIT_WRONG_INPUT, Format, Printed, ValidateArguments, load_catalogue};
use crate::{
    interop::cases::{json, problems, text, validate},
    text::{Language, Texts},
};

pub(super) fn validate_cases(arguments: &ValidateArguments) -> Printed {
    let texts = Texts::new(arguments.lang.unwrap_or_else(Language::of_environment));
    let mut errors = String::new();
    let (mut catalogue, mut faults) = load_catalogue();
    for file in &arguments.models {
        faults.extend(catalogue.add_file(file));
    }
    for fault in &faults {
        line(&mut errors, &texts.message(&fault.message()));
    }
    let shown = arguments.cases.display().to_string();
    let file = match open(&arguments.cases) {
        Ok(file) => file,
        Err(error) => {
            let args = [("file", &*shown), ("reason", &*error.to_string())];
            line(&mut errors, &texts.with("cases-cannot-open", &args));
            return Printed::wrong_input(errors);
        }
    };
    let validation = match validate(file, &catalogue, arguments.by.as_deref()) {
        Ok(validation) => validation,
        Err(error) => {
            let reason = texts.message(&error.message());
            line(&mut errors, &texts.with("cli-in-file", &[("file", &shown), ("reason", &reason)]));
            return Printed::wrong_input(errors);
        }
    };
    for problem in problems(&validation, &texts) {
        line(&mut errors, &texts.with("cli-in-file", &[("file", &shown), ("reason", &problem)]));
    }
    let output = match arguments.format {
        Format::Text => text(&validation, &texts),
        Format::Json => json(&validation, &texts),
    };
    let code = if validation.has_errors() { EXIT_WRONG_INPUT } else { EXIT_FITS };
    Printed { output, errors, code }
}

/// The file, or standard input for `-`.
fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    if path.as_os_str() == "-" {
        Ok(Box::new(io::stdin().lock()))
    } else {
        Ok(Box::new(File::open(path)?))
    }
}

fn line(errors: &mut String, text: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(errors, "vramplan: {text}");
}
