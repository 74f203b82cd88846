//! Undo and redo: what the preset was before each step.

use crate::plan::{Field, Plan};

/// Steps that can be taken back; older ones are forgotten.
const MAX_STEPS: usize = 500;

/// Edits of one field that follow each other within this time are one step, seconds.
const COALESCE_SECS: f64 = 1.0;

/// Everything that a step of undo brings back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// The plan.
    pub plan: Plan,
    /// Title of the preset.
    pub title: String,
    /// Author's note of the preset.
    pub note: String,
}

/// What a step changed; successive changes of the same thing may be one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// One field of the plan.
    Field(Field),
    /// The title or the note.
    Title,
    /// Many fields at once: always a step of its own.
    Whole,
}

/// When a change was made, and whether a pointer button was down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// Seconds since the start.
    pub secs: f64,
    /// A pointer button is down, as while a slider is dragged.
    pub held: bool,
}

#[derive(Clone, Copy, Debug)]
struct Last {
    change: Change,
    moment: Moment,
}

/// The steps that were made, and those that were taken back.
#[derive(Debug, Default)]
pub struct History {
    past: Vec<Snapshot>,
    future: Vec<Snapshot>,
    last: Option<Last>,
}

impl History {
    /// Notes a change: `before` is what undo brings back.
    pub fn record(&mut self, before: Snapshot, change: Change, moment: Moment) {
        let continues = self.last.is_some_and(|last| last.continues_with(change, moment));
        self.last = Some(Last { change, moment });
        self.future.clear();
        if continues {
            return;
        }
        if self.past.len() >= MAX_STEPS {
            self.past.remove(0);
        }
        self.past.push(before);
    }

    /// The pointer button is up: the next press begins a new step once the time is over.
    pub fn release(&mut self) {
        if let Some(last) = &mut self.last {
            last.moment.held = false;
        }
    }

    /// One step back; gives what was before it.
    pub fn undo(&mut self, now: Snapshot) -> Option<Snapshot> {
        let before = self.past.pop()?;
        self.future.push(now);
        self.last = None;
        Some(before)
    }

    /// One step forward again.
    pub fn redo(&mut self, now: Snapshot) -> Option<Snapshot> {
        let after = self.future.pop()?;
        self.past.push(now);
        self.last = None;
        Some(after)
    }

    /// There is a step to take back.
    #[must_use]
    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// There is a step to make again.
    #[must_use]
    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    /// Forgets every step.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

impl Last {
    fn continues_with(self, change: Change, moment: Moment) -> bool {
        let in_time = moment.secs - self.moment.secs <= COALESCE_SECS;
        let same_drag = self.moment.held && moment.held;
        change != Change::Whole && self.change == change && (in_time || same_drag)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titled(title: &str) -> Snapshot {
        Snapshot { title: title.to_owned(), ..Snapshot::default() }
    }

    const SEQUENCE: Change = Change::Field(Field::Sequence);

    fn at(secs: f64, held: bool) -> Moment {
        Moment { secs, held }
    }

    #[test]
    fn a_drag_of_a_slider_is_one_step_however_long_it_takes() {
        let mut history = History::default();
        history.record(titled("a"), SEQUENCE, at(0.0, true));
        history.record(titled("b"), SEQUENCE, at(9.0, true));
        assert_eq!(history.undo(titled("c")), Some(titled("a")));
        assert!(!history.can_undo());
    }

    #[test]
    fn two_drags_with_a_pause_between_are_two_steps() {
        let mut history = History::default();
        history.record(titled("a"), SEQUENCE, at(0.0, true));
        history.release();
        history.record(titled("b"), SEQUENCE, at(9.0, true));
        assert_eq!(history.undo(titled("c")), Some(titled("b")));
        assert!(history.can_undo());
    }

    #[test]
    fn another_field_is_another_step() {
        let mut history = History::default();
        history.record(titled("a"), SEQUENCE, at(0.0, false));
        history.record(titled("b"), Change::Field(Field::Gpus), at(0.1, false));
        assert_eq!(history.undo(titled("c")), Some(titled("b")));
    }

    #[test]
    fn redo_brings_back_what_undo_took_until_something_else_is_changed() {
        let mut history = History::default();
        history.record(titled("a"), SEQUENCE, at(0.0, false));
        assert_eq!(history.undo(titled("b")), Some(titled("a")));
        assert_eq!(history.redo(titled("a")), Some(titled("b")));
        assert_eq!(history.undo(titled("b")), Some(titled("a")));
        history.record(titled("a"), Change::Whole, at(5.0, false));
        assert!(!history.can_redo());
    }
}
