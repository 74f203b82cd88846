//! How the session changes: the only place that writes to it.

use std::path::PathBuf;

use super::{Answer, Session};
use crate::{
    plan::{Group, Plan, file::PresetFile},
    text::Texts,
    ui::{
        command::{Action, Command, Tab},
        history::{Change, Moment, Snapshot},
    },
};

impl Session {
    /// Carries out a command that concerns nothing but the session; false if it is not one.
    pub fn apply(&mut self, command: &Command, moment: Moment) -> bool {
        match command {
            Command::Edit { plan, field } => {
                self.change(Change::Field(*field), moment, |now| now.plan = (**plan).clone());
            }
            Command::ResetGroup(group) => {
                self.change(Change::Whole, moment, |now| reset_group(&mut now.plan, *group));
            }
            Command::SetTitle { title, note } => self.change(Change::Title, moment, |now| {
                now.title.clone_from(title);
                now.note.clone_from(note);
            }),
            Command::SelectStage(stage) => {
                self.selected_stage = *stage;
                self.recompute();
            }
            Command::SetLanguage(language) => self.texts = Texts::new(*language),
            Command::Run(action) => return self.run(*action, moment),
            Command::OpenExample(_) | Command::OpenFile(_) => return false,
            Command::Live(command) => return self.live.apply(command),
        }
        true
    }

    fn run(&mut self, action: Action, moment: Moment) -> bool {
        match action {
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            Action::Pin => self.pin(),
            Action::Unpin => self.pinned = None,
            Action::RestorePinned => self.restore_pinned(moment),
            Action::ShowMemory => self.tab = Tab::Memory,
            Action::ShowThroughput => self.tab = Tab::Throughput,
            Action::ShowLive => self.tab = Tab::Live,
            Action::ToggleAdvanced => self.show_advanced = !self.show_advanced,
            _ => return false,
        }
        true
    }

    /// The action would do something now.
    #[must_use]
    pub fn can_run(&self, action: Action) -> bool {
        match action {
            Action::Undo => self.can_undo(),
            Action::Redo => self.can_redo(),
            Action::Pin => matches!(self.answer, Answer::Ready(_)),
            Action::Unpin | Action::RestorePinned => self.pinned.is_some(),
            _ => true,
        }
    }

    /// The preset as undo would keep it.
    pub(in crate::ui) fn snapshot(&self) -> Snapshot {
        Snapshot { plan: self.plan.clone(), title: self.title.clone(), note: self.note.clone() }
    }

    /// Another preset takes the place of this one: nothing of it can be undone.
    pub(in crate::ui) fn open(&mut self, preset: PresetFile, path: Option<PathBuf>) {
        self.history.clear();
        self.selected_stage = None;
        self.path = path;
        self.saved = Snapshot { plan: preset.plan, title: preset.title, note: preset.note };
        self.show(self.saved.clone());
        self.recompute(); // the same plan may come with another stage shown
    }

    /// The preset that was open at the end of the last run, with its unsaved changes.
    pub(in crate::ui) fn restore(
        &mut self,
        preset: PresetFile,
        saved: PresetFile,
        path: Option<PathBuf>,
    ) {
        self.open(saved, path);
        self.show(Snapshot { plan: preset.plan, title: preset.title, note: preset.note });
    }

    /// The preset stands in this file as `written`.
    pub(in crate::ui) fn mark_saved(&mut self, written: Snapshot, path: PathBuf) {
        self.saved = written;
        self.path = Some(path);
        self.dirty = self.snapshot() != self.saved;
    }

    /// The unsaved changes are not wanted any more.
    pub(in crate::ui) fn discard_changes(&mut self) {
        self.history.clear();
        self.show(self.saved.clone());
    }

    fn change(&mut self, change: Change, moment: Moment, edit: impl FnOnce(&mut Snapshot)) {
        let before = self.snapshot();
        let mut after = before.clone();
        edit(&mut after);
        if after == before {
            return;
        }
        self.history.record(before, change, moment);
        self.show(after);
    }

    fn undo(&mut self) {
        if let Some(before) = self.history.undo(self.snapshot()) {
            self.show(before);
        }
    }

    fn redo(&mut self) {
        if let Some(after) = self.history.redo(self.snapshot()) {
            self.show(after);
        }
    }

    fn restore_pinned(&mut self, moment: Moment) {
        let Some(pinned) = &self.pinned else { return };
        let plan = pinned.plan.clone();
        self.change(Change::Whole, moment, |now| now.plan = plan);
    }

    fn show(&mut self, now: Snapshot) {
        let Snapshot { plan, title, note } = now;
        let same_plan = plan == self.plan;
        (self.plan, self.title, self.note) = (plan, title, note);
        self.dirty = self.snapshot() != self.saved;
        if !same_plan {
            self.recompute();
        }
    }
}

/// One group of fields back to its defaults.
fn reset_group(plan: &mut Plan, group: Group) {
    let defaults = Plan::default();
    match group {
        Group::Model => plan.model = defaults.model,
        Group::Hardware => plan.hardware = defaults.hardware,
        Group::Workload => plan.workload = defaults.workload,
        Group::Precision => plan.precision = defaults.precision,
        Group::Optimizer => plan.optimizer = defaults.optimizer,
        Group::Parallelism => plan.parallelism = defaults.parallelism,
        Group::Checkpointing => plan.checkpointing = defaults.checkpointing,
        Group::Framework => plan.framework = defaults.framework,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Field;

    const LATER: Moment = Moment { secs: 100.0, held: false };

    fn edit_sequence(session: &mut Session, sequence: u32, moment: Moment) {
        let mut plan = session.plan.clone();
        plan.workload.sequence = sequence;
        session.apply(&Command::Edit { plan: Box::new(plan), field: Field::Sequence }, moment);
    }

    #[test]
    fn an_undone_edit_leaves_no_unsaved_changes() {
        let mut session = Session::for_test();
        edit_sequence(&mut session, 4096, Moment::default());
        assert!(session.dirty, "the edit is not saved");
        session.apply(&Command::Run(Action::Undo), LATER);
        assert_eq!(session.plan, Plan::default(), "as before");
        assert!(!session.dirty, "nothing is left to save");
        assert!(session.can_redo(), "and it can be made again");
    }

    #[test]
    fn a_reset_touches_its_group_only() {
        let mut session = Session::for_test();
        edit_sequence(&mut session, 4096, Moment::default());
        session.apply(&Command::ResetGroup(Group::Hardware), LATER);
        assert_eq!(session.plan.workload.sequence, 4096, "another group");
        session.apply(&Command::ResetGroup(Group::Workload), LATER);
        assert_eq!(session.plan, Plan::default(), "its own group");
    }

    #[test]
    fn a_plan_that_cannot_run_shows_no_numbers() {
        let mut session = Session::for_test();
        let mut plan = session.plan.clone();
        plan.model = crate::plan::ModelChoice::Catalogue("no such model".to_owned());
        session.apply(&Command::Edit { plan: Box::new(plan), field: Field::Model }, LATER);
        assert!(matches!(session.answer, Answer::Invalid(_)), "issues instead of numbers");
        assert!(session.issues_at(Field::Model).next().is_some(), "said at the field");
    }

    #[test]
    fn the_pinned_plan_can_be_brought_back() {
        let mut session = Session::for_test();
        session.apply(&Command::Run(Action::Pin), LATER);
        edit_sequence(&mut session, 4096, LATER);
        session.apply(&Command::Run(Action::RestorePinned), LATER);
        assert_eq!(session.plan, Plan::default());
    }
}
