//! The catalogue with the person's own entries, for window and command line alike.

use std::path::PathBuf;

use crate::catalogue::{Catalogue, CatalogueProblem};

/// Folder of the person's own catalogue files: `vramplan/catalogue` in the configuration folder of
/// the system; none where there is no home.
#[must_use]
pub fn user_catalogue_folder() -> Option<PathBuf> {
    directories::ProjectDirs::from("", "", "vramplan")
        .map(|folders| folders.config_dir().join("catalogue"))
}

/// The embedded catalogue with the person's own entries, and what was wrong with these.
#[must_use]
pub fn load_catalogue() -> (Catalogue, Vec<CatalogueProblem>) {
    match user_catalogue_folder() {
        Some(folder) => Catalogue::with_user_folder(&folder),
        None => (Catalogue::embedded().clone(), Vec::new()),
    }
}
