//! Why a card's clocks are held back, as keys of texts.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use super::{Missing, Reading};

/// Bits of the driver's `nvmlClocksEventReasons` with the key of their text.
///
/// Source: NVIDIA's NVML API reference, group `NvmlClocksEventReasons`.
pub(super) const REASONS: &[(u64, &str)] = &[
    (0x01, "live-throttle-idle"),
    (0x02, "live-throttle-application-clocks"),
    (0x04, "live-throttle-power-cap"),
    (0x08, "live-throttle-hardware"),
    (0x10, "live-throttle-sync-boost"),
    (0x20, "live-throttle-thermal-software"),
    (0x40, "live-throttle-thermal-hardware"),
    (0x80, "live-throttle-power-brake"),
    (0x100, "live-throttle-display-clocks"),
];

/// Key of what the driver says beyond [`REASONS`].
pub(super) const UNKNOWN: &str = "live-throttle-unknown";

/// Keys of the reasons in a bit field.
#[cfg(feature = "nvml")]
pub(super) fn keys(bits: u64) -> Vec<&'static str> {
    let mut rest = bits;
    let mut keys = Vec::new();
    for &(bit, key) in REASONS {
        if bits & bit != 0 {
            keys.push(key);
            rest &= !bit;
        }
    }
    if rest != 0 {
        keys.push(UNKNOWN);
    }
    keys
}

fn known(name: &str) -> &'static str {
    REASONS.iter().map(|&(_, key)| key).find(|key| *key == name).unwrap_or(UNKNOWN)
}

/// Writes the keys as they are.
pub(super) fn serialize<S: Serializer>(
    reasons: &Reading<Vec<&'static str>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    reasons.serialize(serializer)
}

/// Reads the keys; one that this version does not know becomes [`UNKNOWN`].
pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Reading<Vec<&'static str>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Value(Vec<String>),
        Missing(Missing),
    }
    match Written::deserialize(deserializer) {
        Ok(Written::Value(names)) => {
            Ok(Reading::Value(names.iter().map(|name| known(name)).collect()))
        }
        Ok(Written::Missing(why)) => Ok(Reading::Missing(why)),
        Err(_) => Err(D::Error::custom("throttling: expected a list of reasons")),
    }
}
