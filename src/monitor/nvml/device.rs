//! One GPU: what never changes is read once, everything else at each sample.

use nvml_wrapper::{
    Device,
    enum_wrappers::device::{Clock, EccCounter, MemoryError, TemperatureSensor},
    error::NvmlError,
};

use super::{
    fault::{self, reading},
    partition, processes, raw,
    traffic::Traffic,
};
use crate::{
    monitor::{
        Clocks, DeviceKey, EccErrors, GpuSample, MemoryUse, Missing, Reading, Utilisation,
        system::ProcessTable, throttle,
    },
    units::Bytes,
};

/// What was read once of a GPU.
#[derive(Clone)]
pub(super) struct Known {
    key: DeviceKey,
    name: Reading<String>,
    bus_id: Reading<String>,
    bus_width_bits: Reading<u32>,
    memory_max_mhz: Reading<f64>,
    compute_capability: Reading<(u32, u32)>,
}

impl Known {
    fn read(device: &Device<'_>, uuid: String) -> Self {
        let capability = device
            .cuda_compute_capability()
            .map(|it| (u32::try_from(it.major).unwrap_or(0), u32::try_from(it.minor).unwrap_or(0)));
        Self {
            key: DeviceKey { host: String::new(), uuid },
            name: reading("nvmlDeviceGetName", device.name()),
            bus_id: reading("nvmlDeviceGetPciInfo_v3", device.pci_info().map(|it| it.bus_id)),
            bus_width_bits: reading("nvmlDeviceGetMemoryBusWidth", device.memory_bus_width()),
            memory_max_mhz: mhz("nvmlDeviceGetMaxClockInfo", device.max_clock_info(Clock::Memory)),
            compute_capability: reading("nvmlDeviceGetCudaComputeCapability", capability),
        }
    }

    /// Something was not readable yet (a GPU that was waking up), so it is worth asking again.
    fn is_partial(&self) -> bool {
        self.name.value().is_none()
    }
}

/// Everything of a GPU that answers.
pub(super) fn sample(
    device: &Device<'_>,
    index: u32,
    known: &mut Option<Known>,
    traffic: &mut Traffic,
    table: &mut ProcessTable,
) -> GpuSample {
    let uuid = match device.uuid() {
        Ok(uuid) => uuid,
        Err(error) => {
            let why = fault::missing("nvmlDeviceGetUUID", &error);
            if why == Missing::GpuLost {
                return silent(index, known.as_ref(), &why);
            }
            index.to_string()
        }
    };
    if known.as_ref().is_none_or(|known| known.key.uuid != uuid || known.is_partial()) {
        *known = None;
    }
    let known = known.get_or_insert_with(|| Known::read(device, uuid));
    let utilisation = device.utilization_rates();
    let percent =
        |it: Result<u32, NvmlError>| reading("nvmlDeviceGetUtilizationRates", it).map(f64::from);
    let utilisation = match utilisation {
        Ok(rates) => Utilisation {
            compute_percent: percent(Ok(rates.gpu)),
            memory_percent: percent(Ok(rates.memory)),
        },
        Err(error) => {
            let why = fault::missing("nvmlDeviceGetUtilizationRates", &error);
            Utilisation {
                compute_percent: Reading::none(&why),
                memory_percent: Reading::none(&why),
            }
        }
    };
    let errors = |kind| {
        let errors = device.total_ecc_errors(kind, EccCounter::Volatile);
        reading("nvmlDeviceGetTotalEccErrors", errors)
    };
    GpuSample {
        key: known.key.clone(),
        index,
        name: known.name.clone(),
        bus_id: known.bus_id.clone(),
        memory: memory(device),
        utilisation,
        temperature_celsius: reading(
            "nvmlDeviceGetTemperature",
            device.temperature(TemperatureSensor::Gpu).map(f64::from),
        ),
        power_watts: watts("nvmlDeviceGetPowerUsage", device.power_usage()),
        power_limit_watts: watts("nvmlDeviceGetEnforcedPowerLimit", device.enforced_power_limit()),
        clocks: Clocks {
            sm_mhz: mhz("nvmlDeviceGetClockInfo", device.clock_info(Clock::SM)),
            memory_mhz: mhz("nvmlDeviceGetClockInfo", device.clock_info(Clock::Memory)),
            memory_max_mhz: known.memory_max_mhz.clone(),
        },
        bus_width_bits: known.bus_width_bits.clone(),
        pcie: traffic.pcie(device, index, &known.key),
        nvlink: traffic.nvlink(device, &known.key),
        ecc: EccErrors {
            corrected: errors(MemoryError::Corrected),
            uncorrected: errors(MemoryError::Uncorrected),
        },
        throttling: reading(
            "nvmlDeviceGetCurrentClocksThrottleReasons",
            device.current_throttle_reasons().map(|reasons| throttle::keys(reasons.bits())),
        ),
        compute_capability: known.compute_capability.clone(),
        mig: partition::instances(device, table),
        processes: processes::of(device, table),
    }
}

/// A GPU that does not answer, as it was known before.
pub(super) fn silent(index: u32, known: Option<&Known>, why: &Missing) -> GpuSample {
    let Some(known) = known else {
        let key = DeviceKey { host: String::new(), uuid: index.to_string() };
        return GpuSample::blank(key, index, why);
    };
    let mut sample = GpuSample::blank(known.key.clone(), index, why);
    sample.name = known.name.clone();
    sample.bus_id = known.bus_id.clone();
    sample.bus_width_bits = known.bus_width_bits.clone();
    sample.clocks.memory_max_mhz = known.memory_max_mhz.clone();
    sample.compute_capability = known.compute_capability.clone();
    sample
}

/// Memory of a card or an instance.
///
/// Drivers before 510 lack the call that tells reserved from used: there `used` has both in it.
pub(super) fn memory(device: &Device<'_>) -> MemoryUse {
    const FUNCTION: &str = "nvmlDeviceGetMemoryInfo_v2";
    let bytes = |value| Reading::Value(Bytes(value));
    let error = match device.memory_info() {
        Ok(info) => {
            return MemoryUse {
                used: bytes(info.used),
                reserved: bytes(info.reserved),
                free: bytes(info.free),
                total: bytes(info.total),
            };
        }
        Err(error) => error,
    };
    let why = fault::missing(FUNCTION, &error);
    if !matches!(why, Missing::FunctionMissing(_)) {
        return MemoryUse::blank(&why);
    }
    match raw::memory_v1(device) {
        Ok(info) => MemoryUse {
            used: bytes(info.used),
            reserved: Reading::Missing(why),
            free: bytes(info.free),
            total: bytes(info.total),
        },
        Err(error) => MemoryUse::blank(&fault::missing("nvmlDeviceGetMemoryInfo", &error)),
    }
}

fn watts(function: &str, milliwatts: Result<u32, NvmlError>) -> Reading<f64> {
    reading(function, milliwatts.map(|it| f64::from(it) / 1000.0))
}

fn mhz(function: &str, mhz: Result<u32, NvmlError>) -> Reading<f64> {
    reading(function, mhz.map(f64::from))
}
