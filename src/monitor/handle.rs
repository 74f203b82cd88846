//! The monitor as the window holds it: starts and stops the worker, collects what it read.

use std::{path::PathBuf, time::Duration};

use super::{Fault, Snapshot};

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

/// How the worker is.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Status {
    /// Not running: the tab is closed and nothing records.
    #[default]
    Stopped,
    /// The first sample is not there yet.
    Starting,
    /// Samples come in.
    Running,
    /// Paused by the person.
    Paused,
    /// A call to the source has not come back for some time; the window goes on.
    Waiting {
        /// For how long already, seconds.
        secs: f64,
    },
    /// The source cannot be read; a retry is offered.
    Failed(Fault),
}

/// The worker's handle. Never blocks.
#[derive(Default)]
pub struct Monitor {
    status: Status,
    latest: Option<Snapshot>,
}

impl Monitor {
    /// How the worker is.
    #[must_use]
    pub const fn status(&self) -> &Status {
        &self.status
    }

    /// The last sample.
    #[must_use]
    pub const fn latest(&self) -> Option<&Snapshot> {
        self.latest.as_ref()
    }
}
