//! What can be wrong with a user's catalogue folder: each says where, and what to do.

use std::{io, path::PathBuf};

use super::{Flaw, Rule};
use crate::message::{Arg, Message};

/// A file or entry of the user's folder that could not be used. The rest is loaded all the same.
#[derive(Debug, thiserror::Error)]
pub enum CatalogueProblem {
    /// The folder exists, but its list of files cannot be read.
    #[error("cannot list the catalogue folder {}: {source}; check that it is a folder and that you may read it", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {source}; check that it is a text file in UTF-8 and that you may read it", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file is not what a catalogue file looks like.
    #[error("{}, line {line}, column {column}, field `{field}`: {reason}; correct this place, nothing of the file was loaded", file.display())]
    Syntax {
        /// The file.
        file: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The field concerned, or the last one before the place; empty before the first.
        field: String,
        /// What is wrong there.
        reason: SyntaxReason,
    },
    /// An entry breaks a rule.
    #[error("{}, line {line}, column {column}, `{entry}`: field `{}` {}; correct it, this entry was left out", file.display(), flaw.field, flaw.rule)]
    Entry {
        /// The file.
        file: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// Name or id of the entry.
        entry: String,
        /// The field and the rule it breaks.
        flaw: Flaw,
    },
}

/// Why a file does not look like a catalogue file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxReason {
    /// A field that entries of this kind do not have.
    #[error("there is no such field; the fields are {known}")]
    UnknownField {
        /// All fields of this place.
        known: String,
    },
    /// A field without which the entry means nothing.
    #[error("this field is missing")]
    MissingField,
    /// A field that stands there twice.
    #[error("this field is given twice")]
    RepeatedField,
    /// Anything else, in the parser's words.
    #[error("{detail}")]
    Other {
        /// What the parser says.
        detail: String,
    },
}

impl SyntaxReason {
    /// Text key of the problem, without its place.
    fn message_key(&self) -> &'static str {
        match self {
            Self::UnknownField { .. } => "catalogue-problem-unknown-field",
            Self::MissingField => "catalogue-problem-missing-field",
            Self::RepeatedField => "catalogue-problem-repeated-field",
            Self::Other { .. } => "catalogue-problem-syntax",
        }
    }
}

impl CatalogueProblem {
    /// The line of the file, from 1, where one is to blame.
    #[must_use]
    pub const fn line(&self) -> Option<usize> {
        match self {
            Self::Syntax { line, .. } | Self::Entry { line, .. } => Some(*line),
            Self::Folder { .. } | Self::Read { .. } => None,
        }
    }

    /// The field to blame, where one is.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::Syntax { field, .. } if !field.is_empty() => Some(field),
            Self::Entry { flaw, .. } => Some(flaw.field),
            _ => None,
        }
    }

    /// The same as a sentence in the person's language.
    #[must_use]
    pub fn message(&self) -> Message {
        let path = |path: &PathBuf| path.display().to_string();
        let place = |key, file, line: usize, column: usize| {
            Message::new(key)
                .with("file", path(file))
                .with("line", line as u64)
                .with("column", column as u64)
        };
        match self {
            Self::Folder { folder, source } => Message::new("catalogue-problem-folder")
                .with("folder", path(folder))
                .with("reason", source.to_string()),
            Self::Read { file, source } => Message::new("catalogue-problem-read")
                .with("file", path(file))
                .with("reason", source.to_string()),
            Self::Syntax { file, line, column, field, reason } => {
                let message =
                    place(reason.message_key(), file, *line, *column).with("field", field.clone());
                match reason {
                    SyntaxReason::UnknownField { known } => message.with("known", known.clone()),
                    SyntaxReason::Other { detail } => message.with("reason", detail.clone()),
                    SyntaxReason::MissingField | SyntaxReason::RepeatedField => message,
                }
            }
            Self::Entry { file, line, column, entry, flaw } => {
                place("catalogue-problem-entry", file, *line, *column)
                    .with("entry", entry.clone())
                    .with("field", flaw.field.to_owned())
                    .with("rule", Arg::Key(Rule::key(flaw.rule)))
            }
        }
    }
}
