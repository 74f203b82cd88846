//! Where in a catalogue file something is wrong: line, column and field.

use std::path::Path;

use ron::error::{Error, SpannedError};

use super::{CatalogueProblem, SyntaxReason};

/// A file that cannot be read as a catalogue, with the place and the field.
pub(super) fn syntax_problem(file: &Path, text: &str, error: &SpannedError) -> CatalogueProblem {
    let place = error.span.start;
    let field = field_at(text, error);
    CatalogueProblem::Syntax {
        file: file.to_owned(),
        line: place.line,
        column: place.col,
        field,
        reason: reason(&error.code),
    }
}

/// The field that an error names, or else the last one before it; empty before the first.
pub(crate) fn field_at(text: &str, error: &SpannedError) -> String {
    match &error.code {
        Error::NoSuchStructField { found, .. } => found.clone(),
        Error::MissingStructField { field, .. } | Error::DuplicateStructField { field, .. } => {
            (*field).to_owned()
        }
        _ => last_field(before(text, error.span.end.line, error.span.end.col)).to_owned(),
    }
}

/// What is wrong, in a person's terms where the parser's own are obscure.
fn reason(error: &Error) -> SyntaxReason {
    match error {
        Error::NoSuchStructField { expected, .. } => {
            SyntaxReason::UnknownField { known: expected.join(", ") }
        }
        Error::MissingStructField { .. } => SyntaxReason::MissingField,
        Error::DuplicateStructField { .. } => SyntaxReason::RepeatedField,
        other => SyntaxReason::Other { detail: other.to_string() },
    }
}

/// Line and column, from 1, of a field in the entry of this name; of the entry if it lacks the field.
pub(super) fn field_of_entry(text: &str, entry: &str, field: &str) -> (usize, usize) {
    let start = text.find(&format!("{entry:?}")).unwrap_or(0);
    let field = field.rsplit('.').next().unwrap_or(field);
    let key = text.get(..start).map_or(0, |head| head.rfind('(').unwrap_or(0));
    let position = text.get(key..).and_then(|rest| position_of_field(rest, field));
    line_and_column(text, position.map_or(start, |offset| key + offset))
}

/// Offset of `field:` as a whole word.
fn position_of_field(text: &str, field: &str) -> Option<usize> {
    text.match_indices(field).map(|(offset, _)| offset).find(|&offset| {
        let head = text.get(..offset).unwrap_or_default();
        let tail = text.get(offset + field.len()..).unwrap_or_default();
        !head.ends_with(is_word) && tail.trim_start().starts_with(':')
    })
}

/// The name in front of the last colon that is not inside a string or a comment.
fn last_field(text: &str) -> &str {
    let (mut quoted, mut escaped, mut colon) = (false, false, None);
    let (mut comment, mut previous) = (false, ' ');
    for (offset, letter) in text.char_indices() {
        let slashes = previous == '/' && letter == '/';
        previous = letter;
        match letter {
            '\n' if comment => comment = false,
            _ if comment => {}
            _ if slashes && !quoted => comment = true,
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ':' if !quoted => colon = Some(offset),
            _ => {}
        }
    }
    let name = colon.and_then(|offset| text.get(..offset)).unwrap_or_default().trim_end();
    name.rsplit(|letter| !is_word(letter)).next().unwrap_or_default()
}

/// The text up to a line and column, both from 1.
fn before(text: &str, line: usize, column: usize) -> &str {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = text.get(start..).unwrap_or_default();
    let length = rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at);
    text.get(..start + length).unwrap_or(text)
}

/// Line and column of an offset, both from 1.
fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let head = text.get(..offset).unwrap_or_default();
    let line_start = head.rfind('\n').map_or(0, |at| at + 1);
    let column = head.get(line_start..).unwrap_or_default().chars().count() + 1;
    (head.matches('\n').count() + 1, column)
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_field_is_found_behind_strings_with_colons() {
        assert_eq!(last_field("(name: \"a: b\", memory_gb: "), "memory_gb", "not the string's");
        assert_eq!(last_field("("), "", "nothing before the first field");
        assert_eq!(last_field("// note: x\n(a: 1"), "a", "not the comment's");
        assert_eq!(last_field("(a: 1, // note: x\n"), "a", "nor a later comment's");
    }

    #[test]
    fn a_field_is_found_in_its_own_entry() {
        let text = "(gpus: [\n(name: \"A\", memory_gb: 1),\n(name: \"B\",\n  memory_gb: 0),\n])";
        assert_eq!(field_of_entry(text, "B", "memory_gb"), (4, 3), "the second entry's field");
        assert_eq!(field_of_entry(text, "B", "tdp_watts"), (3, 8), "the entry's name instead");
    }
}
