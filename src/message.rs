//! What the engine has to say to a person, as a text key and its arguments: the words are in `assets/locales`.

use crate::units::Bytes;

/// One sentence for a person, not yet in any language.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Key of the text in the localisation files.
    pub key: &'static str,
    /// What is put in, by name.
    pub args: Vec<(&'static str, Arg)>,
}

/// A value put into a [`Message`].
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// Text that is the same in every language (a name, a number already printed).
    Text(String),
    /// A whole number.
    Count(u64),
    /// An amount of memory, printed with its unit.
    Bytes(Bytes),
    /// Another text key, translated before it is put in.
    Key(&'static str),
}

impl Message {
    /// A sentence without arguments.
    #[must_use]
    pub const fn new(key: &'static str) -> Self {
        Self { key, args: Vec::new() }
    }

    /// The same sentence with one more argument.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Arg>) -> Self {
        self.args.push((name, value.into()));
        self
    }
}

impl From<u64> for Arg {
    fn from(value: u64) -> Self {
        Self::Count(value)
    }
}

impl From<u32> for Arg {
    fn from(value: u32) -> Self {
        Self::Count(u64::from(value))
    }
}

impl From<String> for Arg {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl From<Bytes> for Arg {
    fn from(value: Bytes) -> Self {
        Self::Bytes(value)
    }
}
