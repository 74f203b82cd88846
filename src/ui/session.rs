//! What the window shows: the plan, its answer, the pinned plan and the settings. Views read it; only the app writes it.

mod answer;
mod edit;

use std::{path::PathBuf, sync::Arc};

pub use self::answer::{Answer, Pinned, Ready};
use super::{
    command::Tab,
    history::{History, Snapshot},
    live::Live,
};
use crate::{
    catalogue::Catalogue,
    plan::{
        Field, Issue, Plan,
        file::{Example, PresetFile},
    },
    text::{Language, Texts},
};

/// Everything a view may read.
pub struct Session {
    /// What exists.
    pub catalogue: Arc<Catalogue>,
    /// The words.
    pub texts: Texts,
    /// The plan being edited.
    pub plan: Plan,
    /// Title of the preset.
    pub title: String,
    /// Author's note of the preset.
    pub note: String,
    /// What follows from the plan.
    pub answer: Answer,
    /// The pinned plan, if any.
    pub pinned: Option<Pinned>,
    /// Stage chosen by the person; none follows the worst.
    pub selected_stage: Option<usize>,
    /// Tab shown.
    pub tab: Tab,
    /// Advanced fields are shown.
    pub show_advanced: bool,
    /// File the plan was opened from or saved to.
    pub path: Option<PathBuf>,
    /// There are unsaved changes.
    pub dirty: bool,
    /// What the attached GPUs do.
    pub live: Live,
    /// Time the last estimate took, with everything that the window shows of it.
    pub estimate_secs: f64,
    /// Steps that can be taken back.
    pub(super) history: History,
    /// The preset as it was opened or saved last.
    pub(super) saved: Snapshot,
}

impl Session {
    /// A session with the default plan.
    #[must_use]
    pub fn new(catalogue: Arc<Catalogue>, texts: Texts) -> Self {
        let mut session = Self {
            catalogue,
            texts,
            plan: Plan::default(),
            title: String::new(),
            note: String::new(),
            answer: Answer::Invalid(Vec::new()),
            pinned: None,
            selected_stage: None,
            tab: Tab::default(),
            show_advanced: false,
            path: None,
            dirty: false,
            live: Live::default(),
            estimate_secs: 0.0,
            history: History::default(),
            saved: Snapshot::default(),
        };
        session.recompute();
        // The first answer makes tables that are kept; the time shown is that of an answer alone.
        session.recompute();
        session
    }

    /// A session in English with the embedded catalogue, for tests of views.
    #[must_use]
    pub fn for_test() -> Self {
        Self::new(Arc::new(Catalogue::embedded().clone()), Texts::new(Language::English))
    }

    /// Issues at one field, the worst first.
    pub fn issues_at(&self, field: Field) -> impl Iterator<Item = &Issue> {
        self.issues().iter().filter(move |issue| issue.field == field)
    }

    /// Every issue of the plan, the worst first.
    #[must_use]
    pub fn issues(&self) -> &[Issue] {
        match &self.answer {
            Answer::Invalid(issues) => issues,
            Answer::Ready(ready) => &ready.issues,
        }
    }

    /// The presets that come with the program.
    #[must_use]
    pub fn examples(&self) -> &'static [Example] {
        crate::plan::file::examples()
    }

    /// One of them with its title and its note in the language of the interface.
    #[must_use]
    pub fn example_preset(&self, index: usize) -> Option<PresetFile> {
        let example = self.examples().get(index)?;
        let (title, note) = (self.texts.get(example.title_key), self.texts.get(example.note_key));
        let plan = example.preset.plan.clone();
        Some(PresetFile { title: title.into_owned(), note: note.into_owned(), plan })
    }

    /// The title of the preset, or one made from model and machines where the author gave none.
    #[must_use]
    pub fn shown_title(&self) -> String {
        if self.title.is_empty() { self.automatic_title() } else { self.title.clone() }
    }

    fn automatic_title(&self) -> String {
        let model = self.plan.model_name(&self.catalogue);
        let count = self.plan.hardware.gpus.to_string();
        let gpu = self.plan.gpu(&self.catalogue).map_or_else(
            || self.texts.get("title-unknown-gpu").into_owned(),
            |gpu| short_gpu_name(&gpu.name).to_owned(),
        );
        let args = [("model", model), ("count", count.as_str()), ("gpu", gpu.as_str())];
        self.texts.with("title-automatic", &args)
    }

    /// The preset as it would be written to a file.
    #[must_use]
    pub fn preset(&self) -> PresetFile {
        PresetFile { title: self.title.clone(), note: self.note.clone(), plan: self.plan.clone() }
    }

    /// There is a step to take back.
    #[must_use]
    pub fn can_undo(&self) -> bool {
        self.history.can_undo()
    }

    /// There is a step to make again.
    #[must_use]
    pub fn can_redo(&self) -> bool {
        self.history.can_redo()
    }
}

/// A card's name without maker and series, as people say it.
fn short_gpu_name(name: &str) -> &str {
    ["NVIDIA GeForce ", "NVIDIA ", "AMD ", "Intel ", "Apple "]
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))
        .unwrap_or(name)
}
