//! The recording that comes with the program: it is invented, and says so where it is offered.

use std::io::Write as _;

use tempfile::NamedTempFile;

/// Eight GPUs under load for a minute and a half; `tests/live_example.rs` makes the file.
pub const EXAMPLE: &[u8] = include_bytes!("../../../assets/recordings/eight-gpus.jsonl");

/// The example as a file, which is gone when it is dropped; none where there is no room for it.
pub fn written() -> Option<NamedTempFile> {
    let write = || {
        let mut file = tempfile::Builder::new().prefix("vramplan-").suffix(".jsonl").tempfile()?;
        file.write_all(EXAMPLE)?;
        file.flush()?;
        Ok::<_, std::io::Error>(file)
    };
    write().inspect_err(|error| log::warn!("the example was not written: {error}")).ok()
}
