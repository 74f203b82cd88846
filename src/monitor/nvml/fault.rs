//! The library's return codes in our words.

use nvml_wrapper::error::NvmlError;

use crate::{
    message::Message,
    monitor::{Fault, Missing, Reading},
};

/// Code of `NVML_ERROR_ARGUMENT_VERSION_MISMATCH`: the driver does not know this version of a call.
pub(super) const ARGUMENT_VERSION_MISMATCH: u32 = 25;
/// Code of `NVML_ERROR_GPU_NOT_FOUND`.
const GPU_NOT_FOUND: u32 = 28;

/// What a call said, or why it said nothing; `function` is its name in the library.
pub(super) fn reading<T>(function: &str, result: Result<T, NvmlError>) -> Reading<T> {
    match result {
        Ok(value) => Reading::Value(value),
        Err(error) => Reading::Missing(missing(function, &error)),
    }
}

/// Why a call said nothing.
pub(super) fn missing(function: &str, error: &NvmlError) -> Missing {
    match error {
        NvmlError::NotSupported => Missing::NotSupported,
        NvmlError::NoPermission => Missing::NoPermission,
        NvmlError::NoData => Missing::NotAvailable,
        NvmlError::FailedToLoadSymbol(_)
        | NvmlError::FunctionNotFound
        | NvmlError::UnexpectedVariant(ARGUMENT_VERSION_MISMATCH) => {
            Missing::FunctionMissing(function.to_owned())
        }
        NvmlError::GpuLost | NvmlError::UnexpectedVariant(GPU_NOT_FOUND) => Missing::GpuLost,
        NvmlError::UnexpectedVariant(code) => Missing::Code(code.to_string()),
        other => Missing::Code(other.to_string()),
    }
}

/// Why nothing can be read at all.
pub(super) fn of(error: &NvmlError) -> Fault {
    let (what, remedy) = match error {
        NvmlError::LibloadingError(reason) => (
            Message::new("live-fault-no-library").with("reason", in_full(reason)),
            Message::new("live-remedy-no-library"),
        ),
        NvmlError::DriverNotLoaded => (
            Message::new("live-fault-driver-not-loaded"),
            Message::new("live-remedy-driver-not-loaded"),
        ),
        NvmlError::LibRmVersionMismatch => (
            Message::new("live-fault-version-mismatch"),
            Message::new("live-remedy-version-mismatch"),
        ),
        NvmlError::NoPermission => {
            (Message::new("live-fault-no-permission"), Message::new("live-remedy-no-permission"))
        }
        NvmlError::FailedToLoadSymbol(reason) => (
            Message::new("live-fault-old-library").with("reason", reason.clone()),
            Message::new("live-remedy-old-library"),
        ),
        NvmlError::UnexpectedVariant(code) => (
            Message::new("live-fault-code").with("code", code.to_string()),
            Message::new("live-remedy-code"),
        ),
        other => (
            Message::new("live-fault-driver").with("reason", other.to_string()),
            Message::new("live-remedy-code"),
        ),
    };
    Fault { what, remedy }
}

/// The loader's own words, which its short form leaves out.
fn in_full(error: &(dyn std::error::Error + 'static)) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}
