//! One line of a case file: its cells by column name, and what can be wrong with one.

use std::collections::HashMap;

use csv::StringRecord;

use super::schema;
use crate::message::Message;

/// Names of the columns that a file has, and where they stand.
#[derive(Clone, Debug)]
pub(super) struct Header {
    places: HashMap<String, usize>,
    count: usize,
}

impl Header {
    /// Columns of a header line; of two with the same name the first counts.
    pub fn of(record: &StringRecord) -> Self {
        let mut places = HashMap::new();
        for (place, name) in record.iter().enumerate() {
            places.entry(name.trim().to_owned()).or_insert(place);
        }
        Self { places, count: record.len() }
    }

    /// A cell without surrounding blanks; empty where the file lacks the column.
    pub fn cell<'a>(&self, record: &'a StringRecord, column: &str) -> &'a str {
        let place = self.places.get(column);
        place.and_then(|&place| record.get(place)).unwrap_or_default().trim()
    }

    /// Whether the file has a column.
    pub fn has(&self, column: &str) -> bool {
        self.places.contains_key(column)
    }
}

/// A cell that cannot be read: where it stands, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct RowError {
    /// Line of the file, the header being line 1.
    pub line: u64,
    /// Name of the column; none where the line as a whole is at fault.
    pub column: Option<String>,
    /// What is wrong with it.
    pub message: Message,
}

/// One line, whose cells are found by the names of their columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    header: &'a Header,
    record: &'a StringRecord,
}

impl<'a> Row<'a> {
    /// A line whose known columns all hold values of the schema.
    ///
    /// # Errors
    ///
    /// [`RowError`] for the first cell that does not, or for a line of another length than the header.
    pub fn checked(
        header: &'a Header,
        record: &'a StringRecord,
        line: u64,
    ) -> Result<Self, RowError> {
        if record.len() != header.count {
            let message = Message::new("cases-length")
                .with("cells", record.len() as u64)
                .with("columns", header.count as u64);
            return Err(RowError { line, column: None, message });
        }
        let row = Self { header, record };
        for (column, kind) in schema::COLUMNS {
            let text = row.text(column);
            if let Some(message) = kind.complaint(text) {
                return Err(RowError { line, column: Some((*column).to_owned()), message });
            }
        }
        if row.text("id").is_empty() {
            let message = Message::new("cases-no-id");
            return Err(RowError { line, column: Some("id".to_owned()), message });
        }
        Ok(row)
    }

    /// The row itself says that this column was filled from a default.
    pub fn is_assumed(&self, column: &str) -> bool {
        self.text("assumed").split_whitespace().any(|name| name == column)
    }

    /// The cell without surrounding blanks; empty where the file lacks the column.
    pub fn text(&self, column: &str) -> &'a str {
        self.header.cell(self.record, column)
    }

    /// The cell, none if it is empty.
    pub fn stated(&self, column: &str) -> Option<&'a str> {
        Some(self.text(column)).filter(|text| !text.is_empty())
    }

    /// A whole number.
    pub fn count(&self, column: &str) -> Option<u32> {
        self.stated(column)?.parse().ok()
    }

    /// A whole number, one if it is not stated.
    pub fn degree(&self, column: &str) -> u32 {
        self.count(column).unwrap_or(1)
    }

    /// A number.
    pub fn number(&self, column: &str) -> Option<f64> {
        self.stated(column)?.parse().ok()
    }

    /// Yes or no.
    pub fn yes(&self, column: &str) -> Option<bool> {
        self.stated(column).map(|text| text == "yes")
    }

    /// Words of a cell that holds a list.
    pub fn list(&self, column: &str) -> impl Iterator<Item = &'a str> {
        self.text(column).split(',').map(str::trim).filter(|word| !word.is_empty())
    }
}
