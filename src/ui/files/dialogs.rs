//! The dialogs that ask for a file.

use std::path::{Path, PathBuf};

/// Ending of preset files.
pub const ENDING: &str = "ron";

/// The system's dialogs, or a test's.
pub trait Dialogs: Send + 'static {
    /// Asks for a file to open.
    fn pick_to_open(&mut self, filter_name: &str) -> Option<PathBuf>;

    /// Asks where to save.
    fn pick_to_save(&mut self, suggested_name: &str) -> Option<PathBuf>;
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

/// The path with the ending of presets if the person typed none, unless that would overwrite a file
/// about which the dialog has not asked.
fn with_ending(path: PathBuf) -> PathBuf {
    let complete = path.with_extension(ENDING);
    if path.extension().is_some() || exists(&complete) { path } else { complete }
}

fn exists(path: &Path) -> bool {
    path.try_exists().unwrap_or(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_is_added_unless_that_overwrites_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let plain = folder.path().join("plan");
        assert_eq!(with_ending(plain.clone()), plain.with_extension("ron"), "added");
        std::fs::write(plain.with_extension("ron"), "other").expect("write");
        assert_eq!(with_ending(plain.clone()), plain, "the dialog did not ask about the other");
    }
}
