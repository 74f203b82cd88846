//! The plan while the panel edits it: a copy, the defaults beside it, and the issues to show.

use super::fields::group_of;
use crate::{
    plan::{Field, Group, Issue, Plan, Severity},
    text::Texts,
    ui::{command::Command, session::Session},
};

/// The copy that widgets edit; [`Form::finish`] turns it into a command if it differs.
pub struct Form<'a> {
    /// What the window shows.
    pub session: &'a Session,
    /// The words.
    pub texts: &'a Texts,
    /// The copy being edited.
    pub plan: Plan,
    /// What every field starts from.
    pub defaults: Plan,
    /// Other commands of the panel.
    pub commands: &'a mut Vec<Command>,
    touched: Option<Field>,
    shown: Vec<Field>,
}

impl<'a> Form<'a> {
    /// Starts from the session's plan.
    pub fn new(session: &'a Session, commands: &'a mut Vec<Command>) -> Self {
        Self {
            session,
            texts: &session.texts,
            plan: session.plan.clone(),
            defaults: Plan::default(),
            commands,
            touched: None,
            shown: Vec::with_capacity(64),
        }
    }

    /// Remembers which field a person changed.
    pub fn touch(&mut self, field: Field) {
        self.touched = Some(field);
    }

    /// Remembers that a field and its issues are in sight.
    pub fn mark_shown(&mut self, field: Field) {
        self.shown.push(field);
    }

    /// Every issue of the plan.
    pub fn issues(&self) -> &'a [Issue] {
        self.session.issues()
    }

    /// Issues at one field.
    pub fn issues_at(&self, field: Field) -> impl Iterator<Item = &'a Issue> + use<'a> {
        self.issues().iter().filter(move |issue| issue.field == field)
    }

    /// The worst error or warning at one field.
    pub fn worst_at(&self, field: Field) -> Option<Severity> {
        let severities = self.issues_at(field).map(|issue| issue.severity);
        severities.filter(|&severity| severity > Severity::Note).max()
    }

    /// A field that is folded away and has an error or a warning that is not said elsewhere.
    pub fn must_show(&self, field: Field) -> bool {
        !self.shown.contains(&field)
            && self.issues_at(field).any(|issue| issue.severity > Severity::Note)
    }

    /// Errors and warnings whose field is not in sight, so that none is ever hidden.
    pub fn issues_out_of_sight(&self) -> impl Iterator<Item = &'a Issue> {
        self.issues()
            .iter()
            .filter(|issue| issue.severity > Severity::Note && !self.shown.contains(&issue.field))
    }

    /// How many errors and warnings a group has, and the worst of them.
    pub fn trouble_in(&self, group: Group) -> Option<(usize, Severity)> {
        let mut count = 0;
        let mut worst = Severity::Note;
        for issue in self.issues().iter().filter(|issue| group_of(issue.field) == group) {
            if issue.severity > Severity::Note {
                count += 1;
                worst = worst.max(issue.severity);
            }
        }
        (count > 0).then_some((count, worst))
    }

    /// A group that a person has changed.
    pub fn differs(&self, group: Group) -> bool {
        let (plan, defaults) = (&self.plan, &self.defaults);
        match group {
            Group::Model => plan.model != defaults.model,
            Group::Hardware => plan.hardware != defaults.hardware,
            Group::Workload => plan.workload != defaults.workload,
            Group::Precision => plan.precision != defaults.precision,
            Group::Optimizer => plan.optimizer != defaults.optimizer,
            Group::Parallelism => plan.parallelism != defaults.parallelism,
            Group::Checkpointing => plan.checkpointing != defaults.checkpointing,
            Group::Framework => plan.framework != defaults.framework,
        }
    }

    /// One command for what was changed, if anything was.
    pub fn finish(self) {
        if self.plan != self.session.plan {
            self.commands.push(Command::Edit {
                plan: Box::new(self.plan),
                field: self.touched.unwrap_or_default(),
            });
        }
    }
}
