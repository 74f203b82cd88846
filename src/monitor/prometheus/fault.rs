//! Why a server could not be read, in words.

use std::io;

use ureq::Error;

use crate::{message::Message, monitor::Fault};

fn fault(what: &'static str, remedy: &'static str, host: &str) -> Fault {
    Fault { what: Message::new(what).with("host", host.to_owned()), remedy: Message::new(remedy) }
}

fn with(mut fault: Fault, name: &'static str, value: String) -> Fault {
    fault.what = fault.what.with(name, value);
    fault
}

/// A call that brought no answer.
pub(super) fn of_call(error: &Error, host: &str) -> Fault {
    match error {
        Error::Timeout(_) => fault("live-server-timeout", "live-remedy-server-timeout", host),
        Error::HostNotFound => {
            fault("live-server-unknown-host", "live-remedy-server-address", host)
        }
        Error::Tls(_) | Error::Rustls(_) | Error::Pem(_) | Error::TlsRequired => {
            of_encryption(error.to_string(), host)
        }
        Error::BodyExceedsLimit(_) => {
            fault("live-server-too-large", "live-remedy-server-other", host)
        }
        Error::Protocol(_) | Error::Http(_) | Error::LargeResponseHeader(..) => {
            not_prometheus(host)
        }
        Error::Io(error) => of_transport(error, host),
        other => with(
            fault("live-server-failed", "live-remedy-server-address", host),
            "reason",
            other.to_string(),
        ),
    }
}

fn of_transport(error: &io::Error, host: &str) -> Fault {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => {
            fault("live-server-refused", "live-remedy-server-refused", host)
        }
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => {
            fault("live-server-timeout", "live-remedy-server-timeout", host)
        }
        // How the encryption's own errors come through the transport.
        io::ErrorKind::InvalidData => of_encryption(error.to_string(), host),
        _ => with(
            fault("live-server-failed", "live-remedy-server-address", host),
            "reason",
            error.to_string(),
        ),
    }
}

fn of_encryption(reason: String, host: &str) -> Fault {
    with(fault("live-server-tls", "live-remedy-server-tls", host), "reason", reason)
}

/// An answer that is none of Prometheus's.
pub(super) fn not_prometheus(host: &str) -> Fault {
    fault("live-server-other", "live-remedy-server-other", host)
}

/// A query that the server refused, with its own reason.
pub(super) fn refused_query(host: &str, reason: String) -> Fault {
    with(fault("live-server-query", "live-remedy-server-other", host), "reason", reason)
}

/// A server without figures of GPUs.
pub(super) fn no_figures(host: &str) -> Fault {
    fault("live-server-no-figures", "live-remedy-server-no-figures", host)
}

/// Figures that nobody renews.
pub(super) fn stale(host: &str, age_secs: f64) -> Fault {
    let age = crate::units::Secs(age_secs.round()).to_string();
    with(fault("live-server-stale", "live-remedy-server-no-figures", host), "age", age)
}

/// What the status of an answer says; 400 and 422 carry Prometheus's own reason.
pub(super) fn check_status(status: u16, location: Option<&str>, host: &str) -> Result<(), Fault> {
    let (what, remedy) = match status {
        200..=299 | 400 | 422 => return Ok(()),
        300..=399 => {
            // Only where it leads to, without the question that was asked.
            let to = location.unwrap_or_default();
            let to = to.split('?').next().unwrap_or_default().to_owned();
            let redirect = fault("live-server-redirect", "live-remedy-server-redirect", host);
            return Err(with(redirect, "location", to));
        }
        401 | 403 | 407 => ("live-server-denied", "live-remedy-server-denied"),
        404 => ("live-server-not-found", "live-remedy-server-other"),
        _ => ("live-server-status", "live-remedy-server-status"),
    };
    Err(with(fault(what, remedy, host), "status", status.to_string()))
}
