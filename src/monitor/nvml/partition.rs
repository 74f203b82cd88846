//! Instances of a partitioned card (MIG).

use nvml_wrapper::Device;

use super::{device, fault::reading, processes};
use crate::monitor::{MigInstance, system::ProcessTable};

/// State of a card that is partitioned.
const ENABLED: u32 = 1;

/// The instances; none where the card is not partitioned or cannot be.
pub(super) fn instances(card: &Device<'_>, table: &mut ProcessTable) -> Vec<MigInstance> {
    if !card.mig_mode().is_ok_and(|mode| mode.current == ENABLED) {
        return Vec::new();
    }
    let most = card.mig_device_count().unwrap_or(0);
    // Places without an instance answer with an error.
    (0..most)
        .filter_map(|index| Some((index, card.mig_device_by_index(index).ok()?)))
        .map(|(index, instance)| MigInstance {
            uuid: instance.uuid().unwrap_or_else(|_| index.to_string()),
            name: reading("nvmlDeviceGetName", instance.name()),
            memory: device::memory(&instance),
            processes: processes::of(&instance, table),
        })
        .collect()
}
