//! Why a preset cannot be read or written; each says where, and what to do.

use std::path::PathBuf;

use ron::error::{Error, SpannedError};

use crate::{catalogue::locate::field_at, message::Message};

/// Why a preset cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// Not the RON it should be.
    #[error(
        "line {line}, column {column}{}: {detail}; correct this place and open the file again",
        in_field(field)
    )]
    Syntax {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The last field before the place; empty before the first.
        field: String,
        /// What was expected.
        detail: String,
    },
    /// A field that this version of the format does not have.
    #[error(
        "line {line}, column {column}: there is no field “{field}” here; correct or remove it. Closest first, there are: {known}"
    )]
    UnknownField {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The field.
        field: String,
        /// All fields of this place, those that look most like it first.
        known: String,
    },
    /// A field without which the rest means nothing.
    #[error(
        "line {line}, column {column}: the field “{field}” is missing before this place; add it"
    )]
    MissingField {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The field.
        field: String,
    },
    /// A field stands there twice.
    #[error(
        "line {line}, column {column}: the field “{field}” stands there twice; remove one of the two"
    )]
    RepeatedField {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The field.
        field: String,
    },
    /// A value that is none of the choices.
    #[error(
        "line {line}, column {column}: “{found}” is not a choice here; correct it. Closest first, there are: {known}"
    )]
    UnknownChoice {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The value.
        found: String,
        /// All choices, those that look most like it first.
        known: String,
    },
    /// The file does not say which version of the format it has.
    #[error(
        "the file does not say its format version, so it may not be a preset; if it is one, add “version: 1” as its first field"
    )]
    NoVersion,
    /// Written by a later program.
    #[error(
        "the file has format version {found}, and this vramplan reads versions up to {known}; open it with a newer vramplan"
    )]
    NewerVersion {
        /// Version of the file.
        found: u32,
        /// Latest version that can be read.
        known: u32,
    },
    /// A version that never was.
    #[error("there is no format version {found}; the first one is 1, so check the field “version”")]
    UnknownVersion {
        /// Version of the file.
        found: u32,
    },
    /// Far larger than a preset can be.
    #[error("{} is larger than 1 MiB, so it cannot be a preset; choose another file", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// Not text.
    #[error("{} is not text in UTF-8, so it cannot be a preset; choose another file, or convert it to UTF-8", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
    },
    /// No such file.
    #[error("{} does not exist; check its name or choose another file", path.display())]
    NotFound {
        /// The file.
        path: PathBuf,
    },
    /// A folder, not a file.
    #[error("{} is a folder; choose a file in it", path.display())]
    IsFolder {
        /// The folder.
        path: PathBuf,
    },
    /// No permission to read.
    #[error("you may not read {}; change its permissions or choose another file", path.display())]
    ReadDenied {
        /// The file.
        path: PathBuf,
    },
    /// Anything else that went wrong while reading.
    #[error("{} cannot be read: {detail}; check the disk or choose another file", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        detail: String,
    },
    /// The folder to save in is missing.
    #[error("{} cannot be saved, because its folder does not exist; create the folder or save elsewhere", path.display())]
    NoFolder {
        /// The file.
        path: PathBuf,
    },
    /// No permission to write.
    #[error("{} was not saved, because you may not write there; change the permissions or save elsewhere", path.display())]
    WriteDenied {
        /// The file.
        path: PathBuf,
    },
    /// No room.
    #[error("{} was not saved, because the disk is full; free some space or save elsewhere", path.display())]
    DiskFull {
        /// The file.
        path: PathBuf,
    },
    /// Anything else that went wrong while writing.
    #[error("{} was not saved: {detail}; check the disk or save elsewhere", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        detail: String,
    },
}

impl FileError {
    /// What the RON reader found, in our words.
    pub(super) fn from_ron(text: &str, error: &SpannedError) -> Self {
        let (line, column) = (error.span.start.line, error.span.start.col);
        match &error.code {
            Error::NoSuchStructField { expected, found, .. } => {
                let (field, known) = (found.clone(), closest_first(found, expected));
                Self::UnknownField { line, column, field, known }
            }
            Error::NoSuchEnumVariant { expected, found, .. } => {
                let (found, known) = (found.clone(), closest_first(found, expected));
                Self::UnknownChoice { line, column, found, known }
            }
            Error::MissingStructField { field, .. } => {
                Self::MissingField { line, column, field: (*field).to_owned() }
            }
            Error::DuplicateStructField { field, .. } => {
                Self::RepeatedField { line, column, field: (*field).to_owned() }
            }
            other => {
                let field = field_at(text, error);
                Self::Syntax { line, column, field, detail: other.to_string() }
            }
        }
    }

    /// The same as a sentence in the person's language.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::Syntax { line, column, field, detail } if field.is_empty() => {
                at("file-error-syntax-start", *line, *column).with("detail", detail.clone())
            }
            Self::Syntax { line, column, field, detail } => at("file-error-syntax", *line, *column)
                .with("field", field.clone())
                .with("detail", detail.clone()),
            Self::UnknownField { line, column, field, known } => {
                at("file-error-unknown-field", *line, *column)
                    .with("field", field.clone())
                    .with("known", known.clone())
            }
            Self::MissingField { line, column, field } => {
                at("file-error-missing-field", *line, *column).with("field", field.clone())
            }
            Self::RepeatedField { line, column, field } => {
                at("file-error-repeated-field", *line, *column).with("field", field.clone())
            }
            Self::UnknownChoice { line, column, found, known } => {
                at("file-error-unknown-choice", *line, *column)
                    .with("found", found.clone())
                    .with("known", known.clone())
            }
            Self::NoVersion => Message::new("file-error-no-version"),
            Self::NewerVersion { found, known } => Message::new("file-error-newer-version")
                .with("found", found.to_string())
                .with("known", known.to_string()),
            Self::UnknownVersion { found } => {
                Message::new("file-error-unknown-version").with("found", found.to_string())
            }
            _ => self.disk_message(),
        }
    }

    /// The message names the file itself; the others name a place in it.
    #[must_use]
    pub const fn names_path(&self) -> bool {
        !matches!(
            self,
            Self::Syntax { .. }
                | Self::UnknownField { .. }
                | Self::MissingField { .. }
                | Self::RepeatedField { .. }
                | Self::UnknownChoice { .. }
                | Self::NoVersion
                | Self::NewerVersion { .. }
                | Self::UnknownVersion { .. }
        )
    }

    /// Errors of the disk: all name the path.
    fn disk_message(&self) -> Message {
        let (key, path, detail) = match self {
            Self::TooLarge { path } => ("file-error-too-large", path, None),
            Self::NotText { path } => ("file-error-not-text", path, None),
            Self::NotFound { path } => ("file-error-not-found", path, None),
            Self::IsFolder { path } => ("file-error-is-folder", path, None),
            Self::ReadDenied { path } => ("file-error-read-denied", path, None),
            Self::Read { path, detail } => ("file-error-read", path, Some(detail)),
            Self::NoFolder { path } => ("file-error-no-folder", path, None),
            Self::WriteDenied { path } => ("file-error-write-denied", path, None),
            Self::DiskFull { path } => ("file-error-disk-full", path, None),
            Self::Write { path, detail } => ("file-error-write", path, Some(detail)),
            _ => return Message::new("file-error-no-version"),
        };
        let message = Message::new(key).with("path", path.display().to_string());
        match detail {
            Some(detail) => message.with("detail", detail.clone()),
            None => message,
        }
    }
}

/// The part of a sentence that names the field, where there is one.
fn in_field(field: &str) -> String {
    if field.is_empty() { String::new() } else { format!(", field “{field}”") }
}

fn at(key: &'static str, line: usize, column: usize) -> Message {
    Message::new(key).with("line", line.to_string()).with("column", column.to_string())
}

/// All names, those that look most like `found` first.
fn closest_first(found: &str, expected: &[&str]) -> String {
    let mut names = expected.to_vec();
    names.sort_by(|left, right| {
        strsim::jaro_winkler(found, right).total_cmp(&strsim::jaro_winkler(found, left))
    });
    names.join(", ")
}
