//! Where the figures come from.

use std::{
    fmt,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{Fault, Sampler, Snapshot, replay::Replay};
use crate::message::Message;

/// Where the figures come from.
///
/// Printed for debugging, a server's address is without name and password.
#[derive(Clone, PartialEq)]
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
        /// Address of the server, http or https, with a name and a password where it wants them:
        /// show [`shown_address`] instead.
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

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nvml { library } => f.debug_struct("Nvml").field("library", library).finish(),
            Self::Replay(path) => f.debug_tuple("Replay").field(path).finish(),
            Self::Prometheus { url, timeout } => f
                .debug_struct("Prometheus")
                .field("url", &shown_address(url))
                .field("timeout", timeout)
                .finish(),
        }
    }
}

/// An address as it may be shown: without name and password.
#[must_use]
pub fn shown_address(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    // A password may have a slash in it though it should not: better to show too little.
    let shown = match (authority.rsplit_once('@'), path.rsplit_once('@')) {
        (None, None) => return url.to_owned(),
        (_, Some((_, behind))) => behind.to_owned(),
        (Some((_, host)), None) => format!("{host}{path}"),
    };
    if scheme.is_empty() { shown } else { format!("{scheme}://{shown}") }
}

/// Says what is wrong with the address of a Prometheus server; nothing is sent.
///
/// # Errors
///
/// A [`Fault`] that says what is missing.
pub fn check_address(url: &str) -> Result<(), Fault> {
    #[cfg(feature = "prometheus")]
    return super::prometheus::Address::parse(url).map(|_| ());
    #[cfg(not(feature = "prometheus"))]
    open_prometheus(url, Duration::ZERO).map(|_| ())
}

impl Source {
    /// Shortest time between two readings: servers renew their figures at most every few seconds.
    pub(super) const fn least_interval(&self) -> Duration {
        match self {
            Self::Prometheus { .. } => Duration::from_secs(5),
            Self::Nvml { .. } | Self::Replay(_) => Duration::ZERO,
        }
    }

    /// Opens the source to be read on the caller's own thread, which may have to wait for it.
    ///
    /// # Errors
    ///
    /// A [`Fault`] where it cannot be opened.
    pub fn sampler(&self) -> Result<Box<dyn Sampler>, Fault> {
        Ok(match (self.opener())()? {
            Engine::Live(sampler) => sampler,
            Engine::Replay(replay) => replay,
        })
    }

    /// How this source is opened.
    pub(super) fn opener(&self) -> Open {
        match self.clone() {
            Self::Nvml { library } => Box::new(move || open_nvml(library.as_deref())),
            Self::Replay(path) => {
                Box::new(move || Ok(Engine::Replay(Box::new(Replay::open(&path)?))))
            }
            Self::Prometheus { url, timeout } => Box::new(move || open_prometheus(&url, timeout)),
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

#[cfg(feature = "prometheus")]
fn open_prometheus(url: &str, timeout: Duration) -> Result<Engine, Fault> {
    let sampler = super::prometheus::PrometheusSampler::open(url, timeout)?;
    Ok(Engine::Live(Box::new(sampler)))
}

#[cfg(not(feature = "prometheus"))]
fn open_prometheus(_url: &str, _timeout: Duration) -> Result<Engine, Fault> {
    Err(Fault {
        what: Message::new("live-fault-no-prometheus"),
        remedy: Message::new("live-remedy-no-prometheus"),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_shown_wherever_it_stands() {
        for url in [
            "https://me:hunter2@host/x",
            "me:hunter2@host",
            "http://me:hun/ter2@host",
            "http://me:hunter2@host?x=1",
        ] {
            let shown = shown_address(url);
            assert!(!shown.contains("ter2") && shown.contains("host"), "{shown}");
            let source = Source::Prometheus { url: url.to_owned(), timeout: Duration::ZERO };
            assert!(!format!("{source:?}").contains("ter2"), "{source:?}");
        }
        assert_eq!(shown_address("http://host:9090/x"), "http://host:9090/x", "as it is");
    }
}
