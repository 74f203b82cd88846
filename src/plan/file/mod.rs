//! The preset: a small, readable RON file that holds one plan with its title and its author's note.
//!
//! ```text
//! (
//!     version: 1,
//!     title: "8B QLoRA on one 24 GB card",
//!     note: "…",
//!     plan: (
//!         hardware: (gpu: Catalogue("NVIDIA GeForce RTX 4090")),
//!     ),
//! )
//! ```
//!
//! What a plan leaves out has its default. Unknown fields and newer versions are refused, so that
//! nothing a colleague wrote is dropped in silence; older versions are brought up to date.

mod disk;
mod error;
mod examples;

use ron::{extensions::Extensions, ser::PrettyConfig};
use serde::{Deserialize, Serialize};

pub use self::{
    disk::{MAX_FILE_BYTES, load, read_limited, read_text, save_atomically},
    error::FileError,
    examples::{Example, examples},
};
use super::Plan;

/// Version of the format that [`write()`] produces.
pub const VERSION: u32 = 1;

/// What a preset holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PresetFile {
    /// Title for people.
    pub title: String,
    /// What the author has to say about it.
    pub note: String,
    /// The plan, with its custom GPU and model inside.
    pub plan: Plan,
}

/// Reads a preset.
///
/// # Errors
///
/// A [`FileError`] that names the field or the version, the line and the column, and what to do.
pub fn parse(text: &str) -> Result<PresetFile, FileError> {
    match read::<Stamp>(text)?.version {
        Some(VERSION) => read::<Version1>(text).map(PresetFile::from),
        Some(0) => Err(FileError::UnknownVersion { found: 0 }),
        Some(found) => Err(FileError::NewerVersion { found, known: VERSION }),
        None => Err(FileError::NoVersion),
    }
}

/// Writes a preset; [`parse`] gives back exactly the same.
#[must_use]
pub fn write(preset: &PresetFile) -> String {
    let file = Version1Ref {
        version: VERSION,
        title: &preset.title,
        note: &preset.note,
        plan: &preset.plan,
    };
    let layout = PrettyConfig::new().struct_names(false).escape_strings(false);
    match options().to_string_pretty(&file, layout) {
        Ok(mut text) => {
            text.push('\n');
            text
        }
        Err(error) => {
            // Only a formatter that fails could bring us here, and a string's never does.
            log::error!("the preset could not be written as text: {error}");
            String::new()
        }
    }
}

/// `field: 3` instead of `field: Some(3)`, `Custom(name: …)` instead of `Custom((name: …))`.
fn options() -> ron::Options {
    ron::Options::default()
        .with_default_extension(Extensions::IMPLICIT_SOME | Extensions::UNWRAP_VARIANT_NEWTYPES)
}

fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, FileError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    options().from_str(text).map_err(|error| FileError::from_ron(text, &error))
}

/// Only the version, whatever else there is: a newer file may have fields that we do not know.
#[derive(Deserialize)]
#[serde(rename = "Preset")]
struct Stamp {
    #[serde(default)]
    version: Option<u32>,
}

/// Version 1 as it is read.
#[derive(Deserialize)]
#[serde(rename = "Preset", deny_unknown_fields)]
struct Version1 {
    #[serde(rename = "version")]
    _version: u32,
    #[serde(default)]
    title: String,
    #[serde(default)]
    note: String,
    plan: Plan,
}

/// Version 1 as it is written, without copies.
#[derive(Serialize)]
#[serde(rename = "Preset")]
struct Version1Ref<'a> {
    version: u32,
    title: &'a str,
    note: &'a str,
    plan: &'a Plan,
}

impl From<Version1> for PresetFile {
    fn from(file: Version1) -> Self {
        Self { title: file.title, note: file.note, plan: file.plan }
    }
}
