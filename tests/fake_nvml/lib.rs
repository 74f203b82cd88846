//! A stand-in for NVIDIA's management library that fails on demand.
//!
//! The tests build it with `rustc --crate-type cdylib` and lay a file `control` beside it, which is
//! read again at every count of the devices, so that things can change while a sampler runs:
//!
//! ```text
//! count 2                          devices that are counted
//! handles 1                        devices that can be opened (as many as are counted if left out)
//! processes 64                     processes on each device
//! lost 1                           device 1 has fallen off the bus
//! uuid 1 GPU-other                 another card in the place of device 1
//! mig 0 2                          device 0 is partitioned into two
//! nvmlDeviceGetPowerUsage 3        this function answers with code 3
//! nvmlDeviceGetPowerUsage/1 3      only for device 1
//! hang nvmlDeviceGetTemperature 4  this function takes four seconds
//! ```
//!
//! Built with `--cfg old` it lacks what drivers before 510 lack.

#![allow(non_snake_case, clippy::missing_safety_doc)]

use std::{
    collections::HashMap,
    ffi::{c_char, c_int, c_uint, c_ulonglong},
    fs,
    path::PathBuf,
    sync::{Mutex, OnceLock, PoisonError},
    time::{Duration, Instant},
};

const SUCCESS: u32 = 0;
const INVALID_ARGUMENT: u32 = 2;
const NOT_FOUND: u32 = 6;
const INSUFFICIENT_SIZE: u32 = 7;
const GPU_IS_LOST: u32 = 15;
const GIB: u64 = 1 << 30;
/// Handles of instances begin here: 1000 + 10 × device + instance.
const INSTANCES: usize = 1000;

#[derive(Clone, Default)]
struct Control {
    numbers: HashMap<String, u32>,
    hangs: HashMap<String, u64>,
    lost: Vec<usize>,
    uuids: HashMap<usize, String>,
    partitions: HashMap<usize, u32>,
}

static CONTROL: Mutex<Option<Control>> = Mutex::new(None);

/// The folder of this very file: where the code of this function is mapped from.
fn folder() -> PathBuf {
    let here = folder as *const () as usize;
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    for line in maps.lines() {
        let Some((start, rest)) = line.split_once('-') else { continue };
        let end = rest.split(' ').next().unwrap_or("");
        let hex = |text: &str| usize::from_str_radix(text, 16).unwrap_or(0);
        if (hex(start)..hex(end)).contains(&here) {
            let path = line.splitn(6, ' ').last().unwrap_or("").trim();
            return PathBuf::from(path).parent().map(PathBuf::from).unwrap_or_default();
        }
    }
    PathBuf::new()
}

fn reload() {
    let mut control = Control::default();
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let path = FOLDER.get_or_init(folder).join("control");
    for line in fs::read_to_string(path).unwrap_or_default().lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |index: usize| words.get(index).and_then(|word| word.parse().ok()).unwrap_or(0);
        match words.as_slice() {
            ["hang", name, _] => {
                control.hangs.insert((*name).to_owned(), u64::from(number(2)));
            }
            ["lost", _] => control.lost.push(number(1) as usize),
            ["uuid", _, uuid] => {
                control.uuids.insert(number(1) as usize, (*uuid).to_owned());
            }
            ["mig", _, _] => {
                control.partitions.insert(number(1) as usize, number(2));
            }
            [name, _] => {
                control.numbers.insert((*name).to_owned(), number(1));
            }
            _ => {}
        }
    }
    *CONTROL.lock().unwrap_or_else(PoisonError::into_inner) = Some(control);
}

fn with<T>(read: impl FnOnce(&Control) -> T) -> T {
    let mut control = CONTROL.lock().unwrap_or_else(PoisonError::into_inner);
    read(control.get_or_insert_default())
}

fn number(name: &str, otherwise: u32) -> u32 {
    with(|control| control.numbers.get(name).copied().unwrap_or(otherwise))
}

/// What a function answers before it does anything; none: it may go on.
fn refuse(name: &str, device: Option<usize>) -> Option<u32> {
    let (secs, code) = with(|control| {
        let own = device.and_then(|device| control.numbers.get(&format!("{name}/{}", device - 1)));
        let code = own.or_else(|| control.numbers.get(name)).copied();
        let card = device.map(|it| if it >= INSTANCES { (it - INSTANCES) / 10 } else { it - 1 });
        let lost = card.is_some_and(|card| control.lost.contains(&card));
        (control.hangs.get(name).copied(), if lost { Some(GPU_IS_LOST) } else { code })
    });
    if let Some(secs) = secs {
        std::thread::sleep(Duration::from_secs(secs));
    }
    code
}

unsafe fn write_text(text: &str, out: *mut c_char, length: usize) -> u32 {
    if text.len() >= length {
        return INSUFFICIENT_SIZE;
    }
    for (index, byte) in text.bytes().chain([0]).enumerate() {
        unsafe { *out.add(index) = byte as c_char };
    }
    SUCCESS
}

macro_rules! of_system {
    ($($name:ident($($arg:ident: $kind:ty),*) $body:block)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $kind),*) -> u32 {
            if let Some(code) = refuse(stringify!($name), None) {
                return code;
            }
            unsafe { $body }
        }
    )*};
}

macro_rules! of_device {
    ($($(#[$meta:meta])* $name:ident($device:ident $(, $arg:ident: $kind:ty)*) $body:block)*) => {$(
        $(#[$meta])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($device: usize $(, $arg: $kind)*) -> u32 {
            if let Some(code) = refuse(stringify!($name), Some($device)) {
                return code;
            }
            unsafe { $body }
        }
    )*};
}

/// A number as a plain answer.
macro_rules! answers {
    ($($name:ident $kind:ty = |$device:ident| $value:expr;)*) => {
        of_device! {$(
            $name($device, out: *mut $kind) {
                *out = $value;
                SUCCESS
            }
        )*}
    };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvmlInit_v2() -> u32 {
    reload();
    refuse("nvmlInit_v2", None).unwrap_or(SUCCESS)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvmlShutdown() -> u32 {
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvmlDeviceGetCount_v2(count: *mut c_uint) -> u32 {
    reload();
    if let Some(code) = refuse("nvmlDeviceGetCount_v2", None) {
        return code;
    }
    unsafe { *count = number("count", 1) };
    SUCCESS
}

of_system! {
    nvmlSystemGetDriverVersion(out: *mut c_char, length: c_uint) {
        write_text("550.54.15", out, length as usize)
    }
    nvmlSystemGetCudaDriverVersion_v2(version: *mut c_int) {
        *version = 12_040;
        SUCCESS
    }
    nvmlDeviceGetHandleByIndex_v2(index: c_uint, device: *mut usize) {
        if index >= number("handles", number("count", 1)) {
            return INVALID_ARGUMENT;
        }
        *device = index as usize + 1;
        SUCCESS
    }
}

#[repr(C)]
pub struct MemoryV1 {
    total: c_ulonglong,
    free: c_ulonglong,
    used: c_ulonglong,
}

#[repr(C)]
pub struct MemoryV2 {
    version: c_uint,
    total: c_ulonglong,
    reserved: c_ulonglong,
    free: c_ulonglong,
    used: c_ulonglong,
}

#[repr(C)]
pub struct Pci {
    legacy_bus_id: [c_char; 16],
    numbers: [c_uint; 5],
    bus_id: [c_char; 32],
}

#[repr(C)]
pub struct FieldValue {
    field: c_uint,
    scope: c_uint,
    timestamp: i64,
    latency: i64,
    kind: c_uint,
    code: u32,
    value: c_ulonglong,
}

#[repr(C)]
pub struct Process {
    pid: c_uint,
    used: c_ulonglong,
    instances: [c_uint; 2],
}

/// Bytes that count up by 1 GiB a second.
fn counter() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    (START.get_or_init(Instant::now).elapsed().as_secs_f64() * GIB as f64) as u64
}

unsafe fn processes(count: *mut c_uint, out: *mut Process, first: u32, present: u32) -> u32 {
    unsafe {
        let room = std::mem::replace(&mut *count, present);
        if present == 0 {
            return SUCCESS;
        }
        if room < present || out.is_null() {
            return INSUFFICIENT_SIZE;
        }
        let hidden = number("hidden", 0) == 1;
        for index in 0..present {
            // The first one is the test itself, which has a name and an owner.
            let pid = if index == 0 { std::process::id() } else { first + index };
            let used = if hidden { c_ulonglong::MAX } else { u64::from(index + 1) << 20 };
            *out.add(index as usize) = Process { pid, used, instances: [u32::MAX; 2] };
        }
        SUCCESS
    }
}

answers! {
    nvmlDeviceGetPowerUsage c_uint = |device| 300_000 + device as c_uint;
    nvmlDeviceGetEnforcedPowerLimit c_uint = |_device| 700_000;
    nvmlDeviceGetMemoryBusWidth c_uint = |_device| 5120;
    nvmlDeviceGetCurrentClocksThrottleReasons c_ulonglong = |_device| 0x04 | 0x20;
    nvmlDeviceGetMaxMigDeviceCount c_uint = |_device| 7;
}

of_device! {
    nvmlDeviceGetName(device, out: *mut c_char, length: c_uint) {
        let name = if device >= INSTANCES {
            "NVIDIA H100 80GB HBM3 MIG 1g.10gb"
        } else {
            "NVIDIA H100 80GB HBM3"
        };
        write_text(name, out, length as usize)
    }
    nvmlDeviceGetUUID(device, out: *mut c_char, length: c_uint) {
        let own = with(|control| control.uuids.get(&(device - 1)).cloned());
        let kind = if device >= INSTANCES { "MIG" } else { "GPU" };
        let uuid = own.unwrap_or_else(|| format!("{kind}-00000000-0000-0000-0000-{device:012}"));
        write_text(&uuid, out, length as usize)
    }
    nvmlDeviceGetPciInfo_v3(device, out: *mut Pci) {
        let pci = &mut *out;
        write_text(&format!("00000000:{device:02X}:00.0"), pci.bus_id.as_mut_ptr(), 32)
    }
    #[cfg(not(old))]
    nvmlDeviceGetMemoryInfo_v2(device, out: *mut MemoryV2) {
        let memory = &mut *out;
        if memory.version & 0xff_ffff != size_of::<MemoryV2>() as u32 {
            return 25;
        }
        (memory.total, memory.reserved) = (80 * GIB, GIB);
        memory.used = (10 + device as u64 % 8) * GIB;
        memory.free = memory.total - memory.reserved - memory.used;
        SUCCESS
    }
    nvmlDeviceGetMemoryInfo(device, out: *mut MemoryV1) {
        let memory = &mut *out;
        memory.total = 80 * GIB;
        memory.used = (11 + device as u64 % 8) * GIB;
        memory.free = memory.total - memory.used;
        SUCCESS
    }
    nvmlDeviceGetUtilizationRates(_device, out: *mut [c_uint; 2]) {
        *out = [97, 55];
        SUCCESS
    }
    nvmlDeviceGetTemperature(_device, _sensor: c_uint, out: *mut c_uint) {
        *out = 61;
        SUCCESS
    }
    nvmlDeviceGetClockInfo(_device, clock: c_uint, out: *mut c_uint) {
        *out = if clock == 2 { 2600 } else { 1755 };
        SUCCESS
    }
    nvmlDeviceGetMaxClockInfo(_device, _clock: c_uint, out: *mut c_uint) {
        *out = 2619;
        SUCCESS
    }
    nvmlDeviceGetCudaComputeCapability(_device, major: *mut c_int, minor: *mut c_int) {
        (*major, *minor) = (9, 0);
        SUCCESS
    }
    nvmlDeviceGetTotalEccErrors(_device, kind: c_uint, _counter: c_uint, out: *mut c_ulonglong) {
        *out = if kind == 0 { 3 } else { 0 };
        SUCCESS
    }
    nvmlDeviceGetPcieThroughput(_device, counter: c_uint, out: *mut c_uint) {
        *out = if counter == 0 { 1000 } else { 2000 };
        SUCCESS
    }
    nvmlDeviceGetFieldValues(_device, count: c_int, values: *mut FieldValue) {
        for index in 0..count as usize {
            let value = &mut *values.add(index);
            value.kind = 3;
            value.code = SUCCESS;
            value.value = match (value.field, value.scope) {
                // NVLink in KiB over all links, PCI Express in bytes.
                (138 | 139, u32::MAX) => counter() >> 10,
                (197 | 198, _) => counter(),
                _ => {
                    value.code = INVALID_ARGUMENT;
                    0
                }
            };
        }
        SUCCESS
    }
    #[cfg(not(old))]
    nvmlDeviceGetComputeRunningProcesses_v3(_device, count: *mut c_uint, out: *mut Process) {
        processes(count, out, 4_000_000_000, number("processes", 2))
    }
    #[cfg(not(old))]
    nvmlDeviceGetGraphicsRunningProcesses_v3(_device, count: *mut c_uint, out: *mut Process) {
        processes(count, out, 4_100_000_000, number("drawing", 0))
    }
    nvmlDeviceGetComputeRunningProcesses_v2(_device, count: *mut c_uint, out: *mut Process) {
        processes(count, out, 4_000_000_000, number("processes", 2))
    }
    nvmlDeviceGetGraphicsRunningProcesses_v2(_device, count: *mut c_uint, out: *mut Process) {
        processes(count, out, 4_100_000_000, number("drawing", 0))
    }
    nvmlDeviceGetMigMode(device, current: *mut c_uint, pending: *mut c_uint) {
        let parts = with(|control| control.partitions.contains_key(&(device - 1)));
        (*current, *pending) = (u32::from(parts), u32::from(parts));
        SUCCESS
    }
    nvmlDeviceGetMigDeviceHandleByIndex(device, index: c_uint, out: *mut usize) {
        let parts = with(|control| control.partitions.get(&(device - 1)).copied().unwrap_or(0));
        if index >= parts {
            return NOT_FOUND;
        }
        *out = INSTANCES + 10 * (device - 1) + index as usize;
        SUCCESS
    }
}
