//! Invented samples of attached GPUs.

use vramplan::{
    monitor::{
        Clocks, DeviceKey, EccErrors, GpuSample, Host, LinkTraffic, MemoryUse, Missing,
        ProcessSample, Reading, Snapshot, Utilisation,
    },
    units::Bytes,
};

/// Memory of the invented cards as the driver reports it, MiB.
pub const TOTAL_MIB: u64 = 81_559;
/// What driver and firmware keep, MiB.
pub const RESERVED_MIB: u64 = 551;

/// A process of a training job.
pub fn process(pid: u32, mib: u64) -> ProcessSample {
    ProcessSample {
        pid,
        name: Reading::Value("python".to_owned()),
        user: Reading::Value("ada".to_owned()),
        memory: Reading::Value(Bytes::from_mib(mib)),
        graphics: false,
    }
}

/// A card of which so much is used.
pub fn gpu(index: u32, used_mib: u64) -> GpuSample {
    let free = TOTAL_MIB - RESERVED_MIB - used_mib;
    let amount = |mib| Reading::Value(Bytes::from_mib(mib));
    GpuSample {
        key: DeviceKey {
            host: String::new(),
            uuid: format!("GPU-5a1e0000-0000-4000-8000-00000000{index:04}"),
        },
        index,
        name: Reading::Value("NVIDIA H100 80GB HBM3".to_owned()),
        bus_id: Reading::Value(format!("00000000:{:02X}:00.0", 0x18 + 0x11 * index)),
        memory: MemoryUse {
            used: amount(used_mib),
            reserved: amount(RESERVED_MIB),
            free: amount(free),
            total: amount(TOTAL_MIB),
        },
        utilisation: Utilisation {
            compute_percent: Reading::Value(97.0),
            memory_percent: Reading::Value(58.0),
        },
        temperature_celsius: Reading::Value(61.0),
        power_watts: Reading::Value(612.0),
        power_limit_watts: Reading::Value(700.0),
        clocks: Clocks {
            sm_mhz: Reading::Value(1755.0),
            memory_mhz: Reading::Value(2619.0),
            memory_max_mhz: Reading::Value(2619.0),
        },
        bus_width_bits: Reading::Value(5120),
        pcie: LinkTraffic {
            sent_bytes_per_sec: Reading::Value(1.4e9),
            received_bytes_per_sec: Reading::Value(2.1e9),
        },
        nvlink: LinkTraffic {
            sent_bytes_per_sec: Reading::Value(148e9),
            received_bytes_per_sec: Reading::Value(151e9),
        },
        ecc: EccErrors { corrected: Reading::Value(0), uncorrected: Reading::Value(0) },
        throttling: Reading::Value(Vec::new()),
        compute_capability: Reading::Value((9, 0)),
        mig: Vec::new(),
        processes: Reading::Value(vec![process(41_230 + index, used_mib.saturating_sub(60))]),
    }
}

/// A machine with so many cards, each with the same job.
pub fn snapshot(unix_secs: f64, gpus: u32, used_mib: u64) -> Snapshot {
    Snapshot {
        unix_secs,
        host: host(),
        gpus: (0..gpus).map(|index| gpu(index, used_mib)).collect(),
    }
}

/// Driver and CUDA.
pub fn host() -> Host {
    Host {
        driver_version: Reading::Value("550.54.15".to_owned()),
        cuda_version: Reading::Value("12.4".to_owned()),
    }
}

/// The same card after it fell off the bus.
pub fn lost(index: u32) -> GpuSample {
    fn none<T>() -> Reading<T> {
        Reading::Missing(Missing::GpuLost)
    }
    let known = gpu(index, 0);
    let traffic = || LinkTraffic { sent_bytes_per_sec: none(), received_bytes_per_sec: none() };
    GpuSample {
        key: known.key,
        index,
        name: known.name,
        bus_id: known.bus_id,
        memory: MemoryUse { used: none(), reserved: none(), free: none(), total: none() },
        utilisation: Utilisation { compute_percent: none(), memory_percent: none() },
        temperature_celsius: none(),
        power_watts: none(),
        power_limit_watts: none(),
        clocks: Clocks { sm_mhz: none(), memory_mhz: none(), memory_max_mhz: none() },
        bus_width_bits: none(),
        pcie: traffic(),
        nvlink: traffic(),
        ecc: EccErrors { corrected: none(), uncorrected: none() },
        throttling: none(),
        compute_capability: none(),
        mig: Vec::new(),
        processes: none(),
    }
}

/// A fleet of hosts with eight cards each; every card is used differently.
pub fn fleet(unix_secs: f64, gpus: u32) -> Snapshot {
    let mut snapshot = snapshot(unix_secs, gpus, 0);
    for (number, gpu) in (0_u32..).zip(&mut snapshot.gpus) {
        let used = u64::from((number * 7919 + 1013) % 71_000);
        let index = number % 8;
        *gpu = self::gpu(index, used);
        gpu.key = DeviceKey {
            host: format!("node-{:03}", number / 8 + 1),
            uuid: format!("GPU-5a1e0000-0000-4000-8000-{number:012}"),
        };
        gpu.utilisation.compute_percent = Reading::Value(f64::from((number * 37) % 101));
        gpu.temperature_celsius = Reading::Value(f64::from(38 + (number * 13) % 40));
        gpu.power_watts = Reading::Value(f64::from(120 + (number * 53) % 560));
        gpu.processes = Reading::Missing(Missing::NotReported);
    }
    snapshot
}
