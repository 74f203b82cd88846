//! What stands out: the highest use of each GPU, and GPUs that are nearly full.

use std::collections::BTreeMap;

use super::{DeviceKey, Snapshot, history::Frame};
use crate::units::Bytes;

/// The highest use of a GPU's memory since the mark was reset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peak {
    /// Used memory.
    pub used: Bytes,
    /// When, seconds since 1970.
    pub unix_secs: f64,
}

/// Highest use of each GPU.
pub(super) type Peaks = BTreeMap<DeviceKey, Peak>;

/// Raises the marks.
pub(super) fn raise(peaks: &mut Peaks, frame: &Frame) {
    for (key, [used, ..]) in &frame.rows {
        if used.is_nan() {
            continue;
        }
        let now = Peak { used: Bytes::from_f64(f64::from(*used)), unix_secs: frame.unix_secs };
        match peaks.get_mut(key.as_ref()) {
            Some(peak) if peak.used >= now.used => {}
            Some(peak) => *peak = now,
            None => {
                peaks.insert(key.as_ref().clone(), now);
            }
        }
    }
}

/// A GPU whose memory is used beyond the alert line.
#[derive(Clone, Debug, PartialEq)]
pub struct Alert {
    /// Which.
    pub key: DeviceKey,
    /// Used share of its memory, percent.
    pub used_percent: f64,
}

/// GPUs beyond the line, fullest first.
pub(super) fn alerts(snapshot: &Snapshot, above_percent: f64) -> Vec<Alert> {
    let mut alerts: Vec<Alert> = snapshot
        .gpus
        .iter()
        .filter_map(|gpu| {
            let used_percent = gpu.memory.used_percent()?;
            (used_percent > above_percent).then(|| Alert { key: gpu.key.clone(), used_percent })
        })
        .collect();
    alerts.sort_by(|one, other| other.used_percent.total_cmp(&one.used_percent));
    alerts
}
