//! Rates over PCI Express and NVLink from the driver's counters.

use std::{collections::HashMap, time::Instant};

use nvml_wrapper::{
    Device,
    enum_wrappers::device::PcieUtilCounter,
    error::NvmlError,
    sys_exports::field_id::{
        NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_RX, NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_TX,
        NVML_FI_DEV_PCIE_COUNT_RX_BYTES, NVML_FI_DEV_PCIE_COUNT_TX_BYTES,
    },
};

use super::{
    fault,
    raw::{self, ALL_LINKS},
};
use crate::monitor::{DeviceKey, LinkTraffic, Missing, Reading};

/// Bytes in the unit of NVLink's counters (KiB) and of the slow PCI Express call (KB).
const NVLINK_UNIT_BYTES: u64 = 1024;
const PCIE_UNIT_BYTES: f64 = 1000.0;
/// GPUs whose PCI Express is measured in one sample where there is no counter: each takes 40 ms.
const SLOW_CALLS: u32 = 2;

/// Counters as they were, to make rates of.
#[derive(Default)]
pub(super) struct Traffic {
    pcie: HashMap<DeviceKey, Counted>,
    nvlink: HashMap<DeviceKey, Counted>,
    /// Last rates of the slow call.
    slow: HashMap<DeviceKey, LinkTraffic>,
    turn: u32,
    turns: u32,
}

#[derive(Clone, Copy)]
struct Counted {
    at: Instant,
    sent: u64,
    received: u64,
}

impl Traffic {
    /// A new sample of so many GPUs begins.
    pub fn begin(&mut self, gpus: u32) {
        self.turns = gpus.div_ceil(SLOW_CALLS).max(1);
        self.turn = (self.turn + 1) % self.turns;
    }

    /// All links together.
    pub fn nvlink(&mut self, device: &Device<'_>, key: &DeviceKey) -> LinkTraffic {
        let fields = [
            (NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_TX, ALL_LINKS),
            (NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_RX, ALL_LINKS),
        ];
        match counted(device, fields, NVLINK_UNIT_BYTES) {
            Ok(now) => rates(&mut self.nvlink, key, now),
            Err(error) => LinkTraffic::blank(&why(&error)),
        }
    }

    /// Counters where the driver has them, measured otherwise.
    pub fn pcie(&mut self, device: &Device<'_>, index: u32, key: &DeviceKey) -> LinkTraffic {
        let fields = [(NVML_FI_DEV_PCIE_COUNT_TX_BYTES, 0), (NVML_FI_DEV_PCIE_COUNT_RX_BYTES, 0)];
        match counted(device, fields, 1) {
            Ok(now) => rates(&mut self.pcie, key, now),
            Err(_) if index % self.turns == self.turn => self.measured(device, key),
            Err(_) => {
                let last = self.slow.get(key).cloned();
                last.unwrap_or_else(|| LinkTraffic::blank(&Missing::NotAvailable))
            }
        }
    }

    /// The call listens to the bus for 20 ms in each direction, so that the GPUs take turns.
    fn measured(&mut self, device: &Device<'_>, key: &DeviceKey) -> LinkTraffic {
        let one = |counter| match device.pcie_throughput(counter) {
            Ok(value) => Reading::Value(f64::from(value) * PCIE_UNIT_BYTES),
            Err(error) => Reading::Missing(fault::missing("nvmlDeviceGetPcieThroughput", &error)),
        };
        let rates = LinkTraffic {
            sent_bytes_per_sec: one(PcieUtilCounter::Send),
            received_bytes_per_sec: one(PcieUtilCounter::Receive),
        };
        self.slow.insert(key.clone(), rates.clone());
        rates
    }
}

fn counted(
    device: &Device<'_>,
    fields: [(u32, u32); 2],
    unit_bytes: u64,
) -> Result<Counted, NvmlError> {
    let [sent, received] = raw::counters(device, fields)?;
    let bytes = |units: u64| units.saturating_mul(unit_bytes);
    Ok(Counted { at: Instant::now(), sent: bytes(sent?), received: bytes(received?) })
}

fn why(error: &NvmlError) -> Missing {
    match error {
        // What cards without such links answer.
        NvmlError::InvalidArg | NvmlError::NotFound => Missing::NotSupported,
        other => fault::missing("nvmlDeviceGetFieldValues", other),
    }
}

/// Bytes a second since the last sample; not available at the first one.
fn rates(last: &mut HashMap<DeviceKey, Counted>, key: &DeviceKey, now: Counted) -> LinkTraffic {
    let before = last.insert(key.clone(), now);
    let rate = |before: u64, after: u64, secs: f64| {
        // A counter that was set back says nothing.
        let bytes = after.checked_sub(before).filter(|_| secs > 0.0);
        Reading::or_missing(bytes.map(|it| it as f64 / secs), Missing::NotAvailable)
    };
    let Some(before) = before else { return LinkTraffic::blank(&Missing::NotAvailable) };
    let secs = now.at.duration_since(before.at).as_secs_f64();
    LinkTraffic {
        sent_bytes_per_sec: rate(before.sent, now.sent, secs),
        received_bytes_per_sec: rate(before.received, now.received, secs),
    }
}
