//! Samples in which every sensor is missing: to begin with, and for GPUs that do not answer.

use super::{
    Clocks, DeviceKey, EccErrors, GpuSample, LinkTraffic, MemoryUse, Missing, Reading, Utilisation,
};

impl<T> Reading<T> {
    /// No value, for this reason.
    #[must_use]
    pub fn none(why: &Missing) -> Self {
        Self::Missing(why.clone())
    }
}

impl GpuSample {
    /// A GPU of which nothing is known, for one reason.
    #[must_use]
    pub fn blank(key: DeviceKey, index: u32, why: &Missing) -> Self {
        Self {
            key,
            index,
            name: Reading::none(why),
            bus_id: Reading::none(why),
            memory: MemoryUse::blank(why),
            utilisation: Utilisation {
                compute_percent: Reading::none(why),
                memory_percent: Reading::none(why),
            },
            temperature_celsius: Reading::none(why),
            power_watts: Reading::none(why),
            power_limit_watts: Reading::none(why),
            clocks: Clocks {
                sm_mhz: Reading::none(why),
                memory_mhz: Reading::none(why),
                memory_max_mhz: Reading::none(why),
            },
            bus_width_bits: Reading::none(why),
            pcie: LinkTraffic::blank(why),
            nvlink: LinkTraffic::blank(why),
            ecc: EccErrors { corrected: Reading::none(why), uncorrected: Reading::none(why) },
            throttling: Reading::none(why),
            compute_capability: Reading::none(why),
            mig: Vec::new(),
            processes: Reading::none(why),
        }
    }
}

impl MemoryUse {
    /// Memory of which nothing is known, for one reason.
    #[must_use]
    pub fn blank(why: &Missing) -> Self {
        Self {
            used: Reading::none(why),
            reserved: Reading::none(why),
            free: Reading::none(why),
            total: Reading::none(why),
        }
    }
}

impl LinkTraffic {
    /// A link of which nothing is known, for one reason.
    #[must_use]
    pub fn blank(why: &Missing) -> Self {
        Self { sent_bytes_per_sec: Reading::none(why), received_bytes_per_sec: Reading::none(why) }
    }
}
