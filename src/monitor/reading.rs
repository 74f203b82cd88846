//! A sensor's value, or why there is none.

use serde::{Deserialize, Serialize};

use crate::message::Message;

/// What one sensor says. A missing sensor is never zero.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Reading<T> {
    /// The value.
    Value(T),
    /// No value, and why.
    Missing(Missing),
}

impl<T> Reading<T> {
    /// The value, if there is one.
    pub const fn value(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Missing(_) => None,
        }
    }

    /// The same with another value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Reading<U> {
        match self {
            Self::Value(value) => Reading::Value(change(value)),
            Self::Missing(why) => Reading::Missing(why),
        }
    }
}

/// Why a sensor has no value.
///
/// Written as an object with the field `missing`, so that no value can be taken for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "missing", content = "detail")]
pub enum Missing {
    /// The card or its driver mode has no such sensor.
    NotSupported,
    /// The user may not read it.
    NoPermission,
    /// The driver is too old: it lacks this function.
    FunctionMissing(String),
    /// The GPU fell off the bus.
    GpuLost,
    /// The driver does not say how much a process uses (WDDM, WSL, containers).
    NotAvailable,
    /// The source does not report it.
    NotReported,
    /// The driver answered with a code that we do not know.
    Code(String),
}

impl Missing {
    /// Why, for the tooltip of the dash.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::NotSupported => Message::new("live-missing-not-supported"),
            Self::NoPermission => Message::new("live-missing-no-permission"),
            Self::FunctionMissing(name) => {
                Message::new("live-missing-function").with("function", name.clone())
            }
            Self::GpuLost => Message::new("live-missing-gpu-lost"),
            Self::NotAvailable => Message::new("live-missing-not-available"),
            Self::NotReported => Message::new("live-missing-not-reported"),
            Self::Code(code) => Message::new("live-missing-code").with("code", code.clone()),
        }
    }
}
