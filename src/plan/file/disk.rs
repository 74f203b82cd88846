//! Presets on the disk: read with a limit, written so that the old file survives every failure.

use std::{
    fs::{self, File},
    io::{self, ErrorKind, Read as _, Write as _},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use super::{FileError, PresetFile, parse};

/// Largest file that is read at all; a preset has a few KiB.
pub const MAX_FILE_BYTES: u64 = 1 << 20;

/// Reads a preset from the disk.
///
/// # Errors
///
/// A [`FileError`] that names the path, or the place in the file, and what to do.
pub fn load(path: &Path) -> Result<PresetFile, FileError> {
    parse(&read_text(path)?)
}

/// Reads a file of at most [`MAX_FILE_BYTES`] as text.
///
/// # Errors
///
/// A [`FileError`] that names the path and what to do.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    let failed = |error: io::Error| read_error(path, &error);
    let file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.is_dir() {
        return Err(FileError::IsFolder { path: path.to_owned() });
    }
    read_limited(file, path)
}

/// Reads at most [`MAX_FILE_BYTES`] as text from anywhere; `path` is the name for messages.
///
/// # Errors
///
/// A [`FileError`] that names the path and what to do.
pub fn read_limited(source: impl io::Read, path: &Path) -> Result<String, FileError> {
    // The limit holds for what is read, not for what the file system says: a device has no length.
    let mut bytes = Vec::new();
    let read = source.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| read_error(path, &error))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(FileError::TooLarge { path: path.to_owned() });
    }
    String::from_utf8(bytes).map_err(|_| FileError::NotText { path: path.to_owned() })
}

/// Writes a temporary file in the same folder, syncs it and renames it, so that at any moment the
/// path holds either the whole old text or the whole new one.
///
/// A link is followed: the file that it points to is replaced, not the link.
///
/// # Errors
///
/// A [`FileError`] that names the path and what to do; the old file is intact.
pub fn save_atomically(path: &Path, text: &str) -> Result<(), FileError> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let old = fs::metadata(&target).ok();
    if old.as_ref().is_some_and(fs::Metadata::is_dir) {
        return Err(FileError::IsFolder { path: path.to_owned() });
    }
    // A rename would replace a write-protected file all the same, since it asks the folder only.
    if old.as_ref().is_some_and(|metadata| metadata.permissions().readonly()) {
        return Err(FileError::WriteDenied { path: path.to_owned() });
    }
    let permissions = old.map(|metadata| metadata.permissions());
    replace(&target, text, permissions).map_err(|error| write_error(path, &error))
}

fn replace(target: &Path, text: &str, permissions: Option<fs::Permissions>) -> io::Result<()> {
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let mut file = temporary_file(&folder)?;
    file.write_all(text.as_bytes())?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    file.persist(target).map_err(|error| error.error)?;
    // The rename itself is safe after a power cut once the folder is synced; not every system can.
    if let Ok(folder) = File::open(&folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// A new file that others may read as far as the person's own settings (umask) allow.
fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".vramplan-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
        builder.tempfile_in(folder)
    }
    #[cfg(not(unix))]
    builder.tempfile_in(folder)
}

fn read_error(path: &Path, error: &io::Error) -> FileError {
    let path = path.to_owned();
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => FileError::NotFound { path },
        ErrorKind::PermissionDenied => FileError::ReadDenied { path },
        ErrorKind::IsADirectory => FileError::IsFolder { path },
        _ => FileError::Read { path, detail: plain(error) },
    }
}

fn write_error(path: &Path, error: &io::Error) -> FileError {
    let path = path.to_owned();
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => FileError::NoFolder { path },
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            FileError::WriteDenied { path }
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::WriteZero => {
            FileError::DiskFull { path }
        }
        ErrorKind::IsADirectory => FileError::IsFolder { path },
        _ => FileError::Write { path, detail: plain(error) },
    }
}

/// The system's words without the path of the temporary file, which nobody knows.
fn plain(error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code).to_string(),
        None => error.kind().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("a temporary folder")
    }

    #[test]
    fn saving_replaces_the_text_and_leaves_nothing_else_behind() {
        let folder = folder();
        let path = folder.path().join("plan.ron");
        save_atomically(&path, "one").expect("first save");
        save_atomically(&path, "two").expect("second save");
        assert_eq!(fs::read_to_string(&path).expect("read"), "two", "the later text");
        let files = fs::read_dir(folder.path()).expect("list").count();
        assert_eq!(files, 1, "no temporary file is left");
    }

    #[test]
    fn a_write_protected_file_stays_as_it_is() {
        let folder = folder();
        let path = folder.path().join("plan.ron");
        fs::write(&path, "old").expect("write");
        let mut permissions = fs::metadata(&path).expect("metadata").permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).expect("protect");
        let error = save_atomically(&path, "new").expect_err("refused");
        assert_eq!(error, FileError::WriteDenied { path: path.clone() }, "names the path");
        assert_eq!(fs::read_to_string(&path).expect("read"), "old", "intact");
    }

    #[test]
    fn a_missing_folder_is_named() {
        let path = folder().path().join("nowhere/plan.ron");
        let error = save_atomically(&path, "text").expect_err("refused");
        assert_eq!(error, FileError::NoFolder { path }, "names the path");
    }

    #[cfg(unix)]
    #[test]
    fn a_full_disk_leaves_the_old_file_intact() {
        let path = Path::new("plan.ron");
        let error = write_error(path, &io::Error::from(ErrorKind::StorageFull));
        assert_eq!(error, FileError::DiskFull { path: path.to_owned() }, "says that it is full");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_followed() {
        let folder = folder();
        let (file, link) = (folder.path().join("real.ron"), folder.path().join("link.ron"));
        fs::write(&file, "old").expect("write");
        std::os::unix::fs::symlink(&file, &link).expect("link");
        save_atomically(&link, "new").expect("save");
        assert_eq!(fs::read_to_string(&file).expect("read"), "new", "the file behind the link");
        assert!(fs::symlink_metadata(&link).expect("metadata").is_symlink(), "still a link");
    }

    #[test]
    fn folders_large_files_and_other_encodings_are_refused() {
        let folder = folder();
        let path = folder.path().join("plan.ron");
        let own = |make: fn(PathBuf) -> FileError| make(path.clone());
        assert_eq!(load(&path), Err(own(|path| FileError::NotFound { path })), "missing");
        fs::write(&path, vec![b' '; (1 << 20) + 1]).expect("write");
        assert_eq!(load(&path), Err(own(|path| FileError::TooLarge { path })), "too large");
        fs::write(&path, [0xff, 0xfe, 0x28]).expect("write");
        assert_eq!(load(&path), Err(own(|path| FileError::NotText { path })), "not text");
        let error = read_text(folder.path()).expect_err("a folder");
        assert_eq!(error, FileError::IsFolder { path: folder.path().to_owned() }, "a folder");
    }
}
