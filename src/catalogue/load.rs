//! The catalogue as a whole: the embedded facts, and a user's folder on top of them.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use ron::extensions::Extensions;
use serde::{Deserialize, Serialize};

use super::{CatalogueProblem, Flaw, Gpu, Link, MemoryKind, Model, Overhead, locate};

/// The embedded files, with their names for the log.
const EMBEDDED: [(&str, &str); 4] = [
    ("gpus.ron", include_str!("../../assets/catalogue/gpus.ron")),
    ("models.ron", include_str!("../../assets/catalogue/models.ron")),
    ("links.ron", include_str!("../../assets/catalogue/links.ron")),
    ("overheads.ron", include_str!("../../assets/catalogue/overheads.ron")),
];

/// Everything that exists, as far as the program knows. A catalogue file has the same shape; every
/// list may be left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Catalogue {
    /// Devices.
    pub gpus: Vec<Gpu>,
    /// Models.
    pub models: Vec<Model>,
    /// Links and what was measured over them.
    pub links: Vec<Link>,
    /// Measured overheads.
    pub overheads: Vec<Overhead>,
}

impl Catalogue {
    /// Year and month of the embedded facts.
    pub const DATE: &str = "2026-11";

    /// The facts that come with the program, read once.
    #[must_use]
    pub fn embedded() -> &'static Self {
        static EMBEDDED_CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
        EMBEDDED_CATALOGUE.get_or_init(|| {
            let mut all = Self::default();
            for (name, text) in EMBEDDED {
                match Self::parse(text) {
                    Ok(part) => all.append(part),
                    Err(error) => log::error!("embedded catalogue {name} is broken: {error}"),
                }
            }
            all
        })
    }

    /// The embedded facts with the `*.ron` files of a folder on top, in the order of their names,
    /// and what was wrong with these.
    ///
    /// An entry replaces the one of the same name (models: id; links: category, item and detail)
    /// whatever the case, or is added. A folder that does not exist is an empty one.
    #[must_use]
    pub fn with_user_folder(dir: &Path) -> (Self, Vec<CatalogueProblem>) {
        let mut catalogue = Self::embedded().clone();
        let mut problems = Vec::new();
        match ron_files(dir) {
            Ok(files) => {
                for file in files {
                    catalogue.load_user_file(&file, &mut problems);
                }
            }
            Err(source) if source.kind() == io::ErrorKind::NotFound => {}
            Err(source) => {
                problems.push(CatalogueProblem::Folder { folder: dir.to_owned(), source });
            }
        }
        (catalogue, problems)
    }

    /// Adds the entries of one file as those of a user's folder, and says what was wrong with it.
    #[must_use = "the file may be broken"]
    pub fn add_file(&mut self, file: &Path) -> Vec<CatalogueProblem> {
        let mut problems = Vec::new();
        self.load_user_file(file, &mut problems);
        problems
    }

    /// The device of this name, or else the first with this alias, whatever the case.
    #[must_use]
    pub fn gpu(&self, name: &str) -> Option<&Gpu> {
        let name = name.trim();
        let is_alias = |alias: &String| alias.eq_ignore_ascii_case(name);
        self.gpus
            .iter()
            .find(|gpu| gpu.name.eq_ignore_ascii_case(name))
            .or_else(|| self.gpus.iter().find(|gpu| gpu.aliases.iter().any(is_alias)))
    }

    /// The device with the fastest memory of a kind; of equally fast ones the first.
    #[must_use]
    pub fn fastest_memory(&self, kind: MemoryKind) -> Option<&Gpu> {
        let of_kind = self.gpus.iter().filter(|gpu| gpu.memory_kind() == kind);
        of_kind.fold(None, |fastest: Option<&Gpu>, gpu| match fastest {
            Some(before) if before.bandwidth_gbps >= gpu.bandwidth_gbps => Some(before),
            _ => Some(gpu),
        })
    }

    /// The model with this id, whatever the case.
    #[must_use]
    pub fn model(&self, id: &str) -> Option<&Model> {
        let id = id.trim();
        self.models.iter().find(|model| model.id.eq_ignore_ascii_case(id))
    }

    /// Reads one catalogue file; optional fields need no `Some`.
    fn parse(text: &str) -> Result<Self, ron::error::SpannedError> {
        ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME).from_str(text)
    }

    fn append(&mut self, mut part: Self) {
        self.gpus.append(&mut part.gpus);
        self.models.append(&mut part.models);
        self.links.append(&mut part.links);
        self.overheads.append(&mut part.overheads);
    }

    /// Adds the good entries of one file; reports the others, or why the file cannot be read.
    fn load_user_file(&mut self, file: &Path, problems: &mut Vec<CatalogueProblem>) {
        let text = match fs::read_to_string(file) {
            Ok(text) => text,
            Err(source) => {
                problems.push(CatalogueProblem::Read { file: file.to_owned(), source });
                return;
            }
        };
        match Self::parse(&text) {
            Ok(part) => self.merge(part, &mut Report { file, text: &text, problems }),
            Err(error) => problems.push(locate::syntax_problem(file, &text, &error)),
        }
    }

    /// Overrides or adds every entry that keeps the rules.
    fn merge(&mut self, part: Self, report: &mut Report<'_>) {
        for gpu in part.gpus {
            if report.accepts(&gpu.name, &gpu.flaws()) {
                put(&mut self.gpus, gpu, |old, new| old.name.eq_ignore_ascii_case(&new.name));
            }
        }
        for model in part.models {
            if report.accepts(&model.id, &model.flaws()) {
                put(&mut self.models, model, |old, new| old.id.eq_ignore_ascii_case(&new.id));
            }
        }
        for link in part.links {
            if report.accepts(&link.item, &link.flaws()) {
                put(&mut self.links, link, |old, new| {
                    (old.category, &old.item, &old.detail) == (new.category, &new.item, &new.detail)
                });
            }
        }
        for overhead in part.overheads {
            if report.accepts(&overhead.id, &overhead.flaws()) {
                put(&mut self.overheads, overhead, |old, new| old.id == new.id);
            }
        }
    }
}

/// Replaces the entry that `same` finds, or adds a new one.
fn put<T>(entries: &mut Vec<T>, new: T, same: impl Fn(&T, &T) -> bool) {
    match entries.iter_mut().find(|old| same(old, &new)) {
        Some(old) => *old = new,
        None => entries.push(new),
    }
}

/// Where the flaws of one file's entries go.
struct Report<'a> {
    file: &'a Path,
    text: &'a str,
    problems: &'a mut Vec<CatalogueProblem>,
}

impl Report<'_> {
    /// Whether an entry is free of flaws; reports those it has.
    fn accepts(&mut self, entry: &str, flaws: &[Flaw]) -> bool {
        for &flaw in flaws {
            let (line, column) = locate::field_of_entry(self.text, entry, flaw.field);
            let (file, entry) = (self.file.to_owned(), entry.to_owned());
            self.problems.push(CatalogueProblem::Entry { file, line, column, entry, flaw });
        }
        flaws.is_empty()
    }
}

/// The `*.ron` files of a folder, by name.
fn ron_files(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end.eq_ignore_ascii_case("ron")) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_file_is_read_without_error() {
        for (name, text) in EMBEDDED {
            let part = Catalogue::parse(text);
            assert!(
                part.is_ok(),
                "{name}: {}",
                part.err().map_or(String::new(), |e| e.to_string())
            );
        }
    }
}
