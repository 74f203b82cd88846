//! Where the figures come from.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use super::{Fault, Sampler, Snapshot, replay::Replay};
use crate::message::Message;

/// Where the figures come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// NVIDIA's management library on this machine; a path replaces the system's library.
    Nvml {
        /// Library to load; the system's if none.
        library: Option<PathBuf>,
    },
    /// A recorded file.
    Replay(PathBuf),
    /// A Prometheus server that scrapes NVIDIA's DCGM exporter.
    Prometheus {
        /// Address of the server, http or https.
        url: String,
        /// How long to wait for an answer.
        timeout: Duration,
    },
}

impl Default for Source {
    fn default() -> Self {
        Self::Nvml { library: None }
    }
}

/// What the worker reads from.
pub(super) enum Engine {
    /// Something that has a present only.
    Live(Box<dyn Sampler>),
    /// A recording, which has a past and a future.
    Replay(Box<Replay>),
}

/// Opens a source, on the worker's thread.
pub(super) type Open = Box<dyn FnMut() -> Result<Engine, Fault> + Send>;

impl Source {
    /// How this source is opened.
    pub(super) fn opener(&self) -> Open {
        match self.clone() {
            Self::Nvml { library } => Box::new(move || open_nvml(library.as_deref())),
            Self::Replay(path) => {
                Box::new(move || Ok(Engine::Replay(Box::new(Replay::open(&path)?))))
            }
            Self::Prometheus { .. } => Box::new(|| {
                Err(Fault {
                    what: Message::new("live-fault-no-prometheus"),
                    remedy: Message::new("live-remedy-no-prometheus"),
                })
            }),
        }
    }
}

#[cfg(feature = "nvml")]
fn open_nvml(library: Option<&Path>) -> Result<Engine, Fault> {
    Ok(Engine::Live(Box::new(super::nvml::NvmlSampler::open(library)?)))
}

#[cfg(not(feature = "nvml"))]
fn open_nvml(_library: Option<&Path>) -> Result<Engine, Fault> {
    Err(Fault {
        what: Message::new("live-fault-without-nvml"),
        remedy: Message::new("live-remedy-without-nvml"),
    })
}

impl Snapshot {
    /// What to say where the source works but has no GPU; none where there are some.
    #[must_use]
    pub fn no_gpus(&self) -> Option<Fault> {
        self.gpus.is_empty().then(|| Fault {
            what: Message::new("live-fault-no-gpus"),
            remedy: Message::new("live-remedy-no-gpus"),
        })
    }
}
