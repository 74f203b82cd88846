//! Reading the GPUs of this machine through NVIDIA's management library, loaded at run time.

mod device;
mod fault;
mod partition;
mod processes;
#[allow(
    unsafe_code,
    reason = "the safe wrapper lacks the memory call of old drivers and counters over all NVLinks"
)]
mod raw;
mod traffic;

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use nvml_wrapper::{Nvml, error::NvmlError};

use self::{device::Known, fault::reading, traffic::Traffic};
use super::{Fault, GpuSample, Host, Missing, Reading, Sampler, Snapshot, system::ProcessTable};

/// Where there is no GPU, the library is opened anew after this long: it looks for them only then.
const LOOK_AGAIN_AFTER: Duration = Duration::from_secs(10);

/// Reads all GPUs of this machine.
pub(super) struct NvmlSampler {
    library: Option<PathBuf>,
    nvml: Nvml,
    opened: Instant,
    host: Host,
    /// What was read once, by index.
    known: Vec<Option<Known>>,
    traffic: Traffic,
    processes: ProcessTable,
}

impl NvmlSampler {
    /// Loads the library (the system's if none is named) and connects it to the driver.
    ///
    /// # Errors
    ///
    /// A [`Fault`] for each way in which that can fail.
    pub fn open(library: Option<&Path>) -> Result<Self, Fault> {
        let nvml = connect(library)?;
        let host = host(&nvml);
        Ok(Self {
            library: library.map(Path::to_owned),
            nvml,
            opened: Instant::now(),
            host,
            known: Vec::new(),
            traffic: Traffic::default(),
            processes: ProcessTable::default(),
        })
    }

    fn look_again(&mut self) -> Result<(), Fault> {
        if self.opened.elapsed() >= LOOK_AGAIN_AFTER {
            self.nvml = connect(self.library.as_deref())?;
            self.host = host(&self.nvml);
            self.opened = Instant::now();
        }
        Ok(())
    }

    fn gpu(&mut self, index: u32) -> Option<GpuSample> {
        let slot = self.known.get_mut(index as usize)?;
        match self.nvml.device_by_index(index) {
            Ok(device) => {
                Some(device::sample(&device, index, slot, &mut self.traffic, &mut self.processes))
            }
            // It went between the count and this call.
            Err(NvmlError::InvalidArg | NvmlError::NotFound) => None,
            Err(error) => {
                let why = fault::missing("nvmlDeviceGetHandleByIndex_v2", &error);
                Some(device::silent(index, slot.as_ref(), &why))
            }
        }
    }
}

impl Sampler for NvmlSampler {
    fn sample(&mut self) -> Result<Snapshot, Fault> {
        let count = self.nvml.device_count().map_err(|error| fault::of(&error))?;
        if count == 0 {
            self.look_again()?;
        }
        if count as usize != self.known.len() {
            // Another card may have this index now.
            self.known.clear();
            self.known.resize_with(count as usize, || None);
        }
        self.traffic.begin(count);
        let gpus = (0..count).filter_map(|index| self.gpu(index)).collect();
        self.processes.forget_old();
        Ok(Snapshot { unix_secs: now_unix_secs(), host: self.host.clone(), gpus })
    }
}

fn connect(library: Option<&Path>) -> Result<Nvml, Fault> {
    let opened = match library {
        Some(path) => Nvml::builder().lib_path(path.as_os_str()).init(),
        None => Nvml::init(),
    };
    opened.map_err(|error| fault::of(&error))
}

fn host(nvml: &Nvml) -> Host {
    let cuda = nvml.sys_cuda_driver_version().map(|version| {
        let major = nvml_wrapper::cuda_driver_version_major(version);
        format!("{major}.{}", nvml_wrapper::cuda_driver_version_minor(version))
    });
    Host {
        driver_version: reading("nvmlSystemGetDriverVersion", nvml.sys_driver_version()),
        cuda_version: reading("nvmlSystemGetCudaDriverVersion_v2", cuda),
    }
}

fn now_unix_secs() -> f64 {
    // A clock before 1970 is as good as none.
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}

impl<T> Reading<T> {
    /// The value, or this reason.
    fn or_missing(value: Option<T>, why: Missing) -> Self {
        value.map_or(Self::Missing(why), Self::Value)
    }
}
