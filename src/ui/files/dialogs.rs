//! The dialogs that ask for a file.

use std::path::{Path, PathBuf};

/// Ending of preset files.
pub const ENDING: &str = "ron";
/// Ending of recordings that can be played back.
pub const RECORDING_ENDING: &str = "jsonl";

/// The system's dialogs, or a test's.
pub trait Dialogs: Send + 'static {
    /// Asks for a file to open.
    fn pick_to_open(&mut self, filter_name: &str) -> Option<PathBuf>;

    /// Asks where to save.
    fn pick_to_save(&mut self, suggested_name: &str) -> Option<PathBuf>;

    /// Asks for a recording to play.
    fn pick_recording(&mut self, filter_name: &str) -> Option<PathBuf> {
        self.pick_to_open(filter_name)
    }

    /// Asks where to record.
    fn pick_recording_target(&mut self, suggested_name: &str) -> Option<PathBuf> {
        self.pick_to_save(suggested_name)
    }
}

/// The system's own dialogs.
pub struct SystemDialogs;

impl Dialogs for SystemDialogs {
    fn pick_to_open(&mut self, filter_name: &str) -> Option<PathBuf> {
        rfd::FileDialog::new().add_filter(filter_name, &[ENDING]).pick_file()
    }

    fn pick_to_save(&mut self, suggested_name: &str) -> Option<PathBuf> {
        rfd::FileDialog::new().set_file_name(suggested_name).save_file().map(with_ending)
    }

    fn pick_recording(&mut self, filter_name: &str) -> Option<PathBuf> {
        rfd::FileDialog::new().add_filter(filter_name, &[RECORDING_ENDING]).pick_file()
    }

    fn pick_recording_target(&mut self, suggested_name: &str) -> Option<PathBuf> {
        rfd::FileDialog::new().set_file_name(suggested_name).save_file()
    }
}

/// For the thread that never shows one.
pub(super) struct NoDialogs;

impl Dialogs for NoDialogs {
    fn pick_to_open(&mut self, _filter_name: &str) -> Option<PathBuf> {
        None
    }

    fn pick_to_save(&mut self, _suggested_name: &str) -> Option<PathBuf> {
        None
    }
}

/// A path as a person types it: `~` is the home folder, and what is relative starts from the folder in
/// which the program was started. None for an empty text.
#[must_use]
pub fn typed_path(text: &str) -> Option<PathBuf> {
    let home = directories::BaseDirs::new().map(|folders| folders.home_dir().to_owned());
    let path = in_home(text.trim(), home.as_deref());
    if path.as_os_str().is_empty() {
        return None;
    }
    Some(std::path::absolute(&path).unwrap_or(path))
}

fn in_home(text: &str, home: Option<&Path>) -> PathBuf {
    let rest =
        text.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with(['/', '\\']));
    match (rest, home) {
        (Some(rest), Some(home)) => home.join(rest.trim_start_matches(['/', '\\'])),
        _ => PathBuf::from(text),
    }
}

/// The path with the ending of presets if the person typed none, unless that would overwrite a file
/// about which the dialog has not asked.
pub(super) fn with_ending(path: PathBuf) -> PathBuf {
    let complete = path.with_extension(ENDING);
    if path.extension().is_some() || exists(&complete) { path } else { complete }
}

pub(super) fn exists(path: &Path) -> bool {
    path.try_exists().unwrap_or(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tilde_is_the_home_folder_and_only_at_the_start() {
        let home = Some(Path::new("/home/ada"));
        assert_eq!(in_home("~/plans/a.ron", home), Path::new("/home/ada/plans/a.ron"));
        assert_eq!(in_home("~", home), Path::new("/home/ada"), "alone");
        assert_eq!(in_home("~bob/a.ron", home), Path::new("~bob/a.ron"), "another's is not known");
        assert_eq!(in_home("/tmp/~/a.ron", home), Path::new("/tmp/~/a.ron"), "not at the start");
        assert_eq!(in_home("~/a.ron", None), Path::new("~/a.ron"), "nobody has a home");
        assert_eq!(typed_path("  "), None, "nothing typed");
    }

    #[test]
    fn the_ending_is_added_unless_that_overwrites_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let plain = folder.path().join("plan");
        assert_eq!(with_ending(plain.clone()), plain.with_extension("ron"), "added");
        std::fs::write(plain.with_extension("ron"), "other").expect("write");
        assert_eq!(with_ending(plain.clone()), plain, "the dialog did not ask about the other");
    }
}
