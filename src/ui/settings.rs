//! What is kept from one run to the next: settings, and the plan that was open.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{command::Tab, live::LiveSettings, session::Session};
use crate::{
    plan::file::{FileError, PresetFile, parse, write},
    text::Language,
};

/// Files that the menu remembers.
const MAX_RECENT_FILES: usize = 10;
/// Smallest and largest zoom.
const ZOOM_RANGE: std::ops::RangeInclusive<f32> = 0.5..=3.0;
/// Key of the plan in the storage; the settings have eframe's own key.
pub const PLAN_KEY: &str = "plan";

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ThemeChoice {
    /// As the system has it.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl From<ThemeChoice> for egui::ThemePreference {
    fn from(choice: ThemeChoice) -> Self {
        match choice {
            ThemeChoice::System => Self::System,
            ThemeChoice::Light => Self::Light,
            ThemeChoice::Dark => Self::Dark,
        }
    }
}

/// How a person likes the window. Fields that an older version lacked have their defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Language; none until the person chooses one: the environment decides.
    pub language: Option<Language>,
    /// Theme.
    pub theme: ThemeChoice,
    /// Zoom, 1 = 100 %.
    pub zoom: f32,
    /// Files that were opened or saved, the latest first.
    pub recent_files: Vec<PathBuf>,
    /// Advanced fields are shown.
    pub show_advanced: bool,
    /// Tab shown.
    pub tab: Tab,
    /// What the live panel remembers.
    pub live: LiveSettings,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            language: None,
            theme: ThemeChoice::default(),
            zoom: 1.0,
            recent_files: Vec::new(),
            show_advanced: false,
            tab: Tab::default(),
            live: LiveSettings::default(),
        }
    }
}

impl Settings {
    /// The language to speak.
    #[must_use]
    pub fn language_or_default(&self) -> Language {
        self.language.unwrap_or_else(Language::of_environment)
    }

    /// Puts a file in front of the recent ones.
    pub fn remember_file(&mut self, path: &Path) {
        self.recent_files.retain(|known| known != path);
        self.recent_files.insert(0, path.to_owned());
        self.recent_files.truncate(MAX_RECENT_FILES);
    }

    /// The zoom within sensible limits, whatever the storage says.
    #[must_use]
    pub fn sane_zoom(&self) -> f32 {
        if self.zoom.is_finite() {
            self.zoom.clamp(*ZOOM_RANGE.start(), *ZOOM_RANGE.end())
        } else {
            1.0
        }
    }
}

/// The plan that was open, with its unsaved changes, as texts of the file format.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StoredPlan {
    /// The preset as it was on the screen.
    pub now: String,
    /// The preset as it was opened or saved last.
    pub saved: String,
    /// Its file.
    pub path: Option<PathBuf>,
}

impl StoredPlan {
    /// What is to be kept of a session.
    #[must_use]
    pub fn of(session: &Session) -> Self {
        let saved = &session.saved;
        Self {
            now: write(&session.preset()),
            saved: write(&PresetFile {
                title: saved.title.clone(),
                note: saved.note.clone(),
                plan: saved.plan.clone(),
            }),
            path: session.path.clone(),
        }
    }

    /// Puts it back into a session.
    ///
    /// # Errors
    ///
    /// What is wrong with the plan if this version cannot read it; the session is as it was.
    pub fn restore(self, session: &mut Session) -> Result<(), FileError> {
        let now = parse(&self.now)?;
        match parse(&self.saved) {
            Ok(saved) => session.restore(now, saved, self.path),
            Err(_) => session.restore(now, PresetFile::default(), None),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recent_files_are_few_and_each_stands_there_once() {
        let mut settings = Settings::default();
        for number in 0..20 {
            settings.remember_file(Path::new(&format!("plan{number}.ron")));
        }
        settings.remember_file(Path::new("plan15.ron"));
        assert_eq!(settings.recent_files.len(), MAX_RECENT_FILES);
        assert_eq!(
            settings.recent_files.first().map(PathBuf::as_path),
            Some(Path::new("plan15.ron"))
        );
        let copies =
            settings.recent_files.iter().filter(|path| path.ends_with("plan15.ron")).count();
        assert_eq!(copies, 1, "once only");
    }

    #[test]
    fn a_plan_comes_back_with_its_file_and_its_unsaved_changes() {
        let mut session = Session::for_test();
        session.path = Some(PathBuf::from("plan.ron"));
        session.title = "changed".to_owned();
        let stored = StoredPlan::of(&session);
        let mut other = Session::for_test();
        assert!(stored.restore(&mut other).is_ok(), "it can be read");
        assert_eq!(other.title, "changed");
        assert_eq!(other.path, Some(PathBuf::from("plan.ron")));
        assert!(other.dirty, "the title is not saved");
    }
}
