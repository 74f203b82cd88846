//! The two calls that the safe wrapper lacks, with the library's own functions and structures.

use nvml_wrapper::{
    Device,
    error::{NvmlError, nvml_try},
};
use nvml_wrapper_sys::bindings::{
    nvmlFieldValue_t, nvmlMemory_t,
    nvmlValueType_enum_NVML_VALUE_TYPE_UNSIGNED_INT as UNSIGNED_INT,
    nvmlValueType_enum_NVML_VALUE_TYPE_UNSIGNED_LONG as UNSIGNED_LONG,
    nvmlValueType_enum_NVML_VALUE_TYPE_UNSIGNED_LONG_LONG as UNSIGNED_LONG_LONG,
};

/// Scope of a counter: all links together.
pub(super) const ALL_LINKS: u32 = u32::MAX;

/// Memory as drivers before 510 tell it, bytes; `used` includes what the driver keeps.
pub(super) struct MemoryV1 {
    pub total: u64,
    pub free: u64,
    pub used: u64,
}

/// The first version of the memory call.
pub(super) fn memory_v1(device: &Device<'_>) -> Result<MemoryV1, NvmlError> {
    let call = device
        .nvml()
        .lib()
        .nvmlDeviceGetMemoryInfo
        .as_ref()
        .map_err(|error| NvmlError::FailedToLoadSymbol(error.to_string()))?;
    let mut memory = nvmlMemory_t { total: 0, free: 0, used: 0 };
    // SAFETY: the handle is valid as long as `device`, and the library fills the structure that its
    // header declares for this very function.
    nvml_try(unsafe { call(device.handle(), &raw mut memory) })?;
    Ok(MemoryV1 { total: memory.total, free: memory.free, used: memory.used })
}

/// Counters of a device, in the order of `fields` (pairs of field and scope).
pub(super) fn counters<const N: usize>(
    device: &Device<'_>,
    fields: [(u32, u32); N],
) -> Result<[Result<u64, NvmlError>; N], NvmlError> {
    let call = device
        .nvml()
        .lib()
        .nvmlDeviceGetFieldValues
        .as_ref()
        .map_err(|error| NvmlError::FailedToLoadSymbol(error.to_string()))?;
    let mut values = fields.map(|(field, scope)| {
        // SAFETY: the structure is plain numbers, for which zero is a value.
        let mut value: nvmlFieldValue_t = unsafe { std::mem::zeroed() };
        value.fieldId = field;
        value.scopeId = scope;
        value
    });
    let count = i32::try_from(N).unwrap_or(i32::MAX);
    // SAFETY: the handle is valid as long as `device`, and there are `count` values.
    nvml_try(unsafe { call(device.handle(), count, values.as_mut_ptr()) })?;
    Ok(values.map(|value| {
        nvml_try(value.nvmlReturn)?;
        // SAFETY: the library filled the member that the type names; all are plain numbers.
        unsafe {
            match value.valueType {
                UNSIGNED_INT => Ok(u64::from(value.value.uiVal)),
                UNSIGNED_LONG | UNSIGNED_LONG_LONG => Ok(value.value.ullVal),
                other => Err(NvmlError::UnexpectedVariant(other)),
            }
        }
    }))
}
