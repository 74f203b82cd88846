//! Builds the stand-in for NVIDIA's library, once for all tests, and lays copies of it.

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::{Mutex, PoisonError},
};

/// A library of one's own: a copy with its own control file, so that tests do not meet.
pub struct FakeLibrary {
    folder: tempfile::TempDir,
}

impl FakeLibrary {
    /// As a driver of today has it.
    pub fn new(control: &str) -> Self {
        Self::variant("today", &[], control)
    }

    /// As a driver before 510 has it.
    #[allow(dead_code, reason = "not every user of this support needs it")]
    pub fn of_old_driver(control: &str) -> Self {
        Self::variant("old", &["--cfg", "old"], control)
    }

    fn variant(name: &str, flags: &[&str], control: &str) -> Self {
        let library = Self { folder: tempfile::tempdir().expect("a folder") };
        std::fs::copy(built(name, flags), library.path()).expect("a copy of the library");
        library.control(control);
        library
    }

    /// Where it lies.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("libnvidia-ml.so.1")
    }

    /// Changes what it does from the next sample on.
    pub fn control(&self, control: &str) {
        // A reader sees the old file or the new one, never half of it.
        let new = self.folder.path().join("control.new");
        std::fs::write(&new, control).expect("written");
        std::fs::rename(new, self.folder.path().join("control")).expect("renamed");
    }
}

fn built(name: &str, flags: &[&str]) -> PathBuf {
    static BUILDING: Mutex<()> = Mutex::new(());
    let _one_at_a_time = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake_nvml/lib.rs");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let library = folder.join(format!("fake_nvml_{name}.so"));
    let changed = |path: &Path| std::fs::metadata(path).and_then(|it| it.modified()).ok();
    if changed(&library).is_none_or(|built| Some(built) < changed(&source)) {
        // Another test program may build it at the same time: the rename makes either one whole.
        let unfinished = folder.join(format!("fake_nvml_{name}_{}.so", std::process::id()));
        let compiler = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
        let output = Command::new(compiler)
            .args(["--edition", "2024", "--crate-type", "cdylib", "--crate-name", "fake_nvml"])
            .args(["-O", "-C", "strip=symbols", "--cap-lints", "allow"])
            .args(flags)
            .arg("-o")
            .arg(&unfinished)
            .arg(source)
            .output()
            .expect("a compiler");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::rename(unfinished, &library).expect("in its place");
    }
    library
}
