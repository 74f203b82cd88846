//! What the program has to say apart from the plan: a list of messages, the latest also as toasts.

use std::collections::VecDeque;

use crate::message::Message;

/// Messages that are kept.
const MAX_ENTRIES: usize = 200;
/// How long a toast stays, seconds.
const TOAST_SECS: f64 = 5.0;
/// How long a toast with an error stays, seconds.
const ERROR_TOAST_SECS: f64 = 12.0;

/// How much a message matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Something was done.
    Info,
    /// Something may not be as wished.
    Warning,
    /// Something was not done.
    Error,
}

/// One message, not yet in any language, so that it follows a change of the language.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// How much it matters.
    pub level: Level,
    /// What it says.
    pub message: Message,
}

/// A message that lies over the window for a while.
#[derive(Clone, Debug, PartialEq)]
pub struct Toast {
    /// The message.
    pub entry: Entry,
    /// When it goes, seconds since the start.
    pub until_secs: f64,
}

/// All messages since the start.
#[derive(Clone, Debug, Default)]
pub struct Messages {
    entries: VecDeque<Entry>,
    toasts: Vec<Toast>,
    unread: usize,
}

impl Messages {
    /// Adds a message at a time (seconds since the start).
    pub fn push(&mut self, level: Level, message: Message, now_secs: f64) {
        let entry = Entry { level, message };
        let stay_secs = if level == Level::Info { TOAST_SECS } else { ERROR_TOAST_SECS };
        self.toasts.push(Toast { entry: entry.clone(), until_secs: now_secs + stay_secs });
        if self.entries.len() >= MAX_ENTRIES {
            self.entries.pop_front();
        }
        self.entries.push_back(entry);
        self.unread += usize::from(level != Level::Info);
    }

    /// All messages, the latest first.
    #[must_use]
    pub fn entries(&self) -> impl ExactSizeIterator<Item = &Entry> {
        self.entries.iter().rev()
    }

    /// Warnings and errors since the list was looked at.
    #[must_use]
    pub fn unread(&self) -> usize {
        self.unread
    }

    /// The list is being looked at.
    pub fn mark_read(&mut self) {
        self.unread = 0;
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Toasts still to be shown; gives the time until the next one goes, seconds.
    pub fn expire(&mut self, now_secs: f64) -> Option<f64> {
        self.toasts.retain(|toast| toast.until_secs > now_secs);
        let next = self.toasts.iter().map(|toast| toast.until_secs - now_secs);
        next.min_by(f64::total_cmp)
    }

    /// Toasts still to be shown, the oldest first.
    #[must_use]
    pub fn toasts(&self) -> &[Toast] {
        &self.toasts
    }

    /// Takes a toast away before its time.
    pub fn dismiss(&mut self, index: usize) {
        if index < self.toasts.len() {
            self.toasts.remove(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_toast_goes_and_its_message_stays_in_the_list() {
        let mut messages = Messages::default();
        messages.push(Level::Info, Message::new("message-saved"), 1.0);
        assert!(messages.expire(2.0).is_some_and(|left| left <= TOAST_SECS), "still there");
        assert_eq!(messages.expire(1.0 + TOAST_SECS), None, "gone");
        assert_eq!(messages.entries().len(), 1, "kept in the list");
    }

    #[test]
    fn only_warnings_and_errors_ask_to_be_read() {
        let mut messages = Messages::default();
        messages.push(Level::Info, Message::new("message-saved"), 0.0);
        messages.push(Level::Error, Message::new("message-saved"), 0.0);
        assert_eq!(messages.unread(), 1);
        messages.mark_read();
        assert_eq!(messages.unread(), 0);
    }
}
