//! The recording as a table: units in the heads, empty cells where a sensor says nothing.

use std::io::{self, Write};

use crate::monitor::{GpuSample, Reading, Snapshot};

const COLUMNS: &[&str] = &[
    "unix_secs",
    "host",
    "index",
    "uuid",
    "name",
    "used_bytes",
    "reserved_bytes",
    "free_bytes",
    "total_bytes",
    "compute_percent",
    "memory_percent",
    "temperature_celsius",
    "power_watts",
    "power_limit_watts",
    "sm_mhz",
    "memory_mhz",
    "pcie_sent_bytes_per_sec",
    "pcie_received_bytes_per_sec",
    "nvlink_sent_bytes_per_sec",
    "nvlink_received_bytes_per_sec",
    "ecc_corrected",
    "ecc_uncorrected",
    "throttling",
    "processes",
];

/// The line with the names of the columns.
pub(super) fn write_head(out: &mut impl Write) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    table.write_record(COLUMNS)?;
    table.flush()
}

/// One line for each GPU.
pub(super) fn write_rows(out: &mut impl Write, snapshot: &Snapshot) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    for gpu in &snapshot.gpus {
        table.write_record(cells(snapshot.unix_secs, gpu))?;
    }
    table.flush()
}

fn cell<T: ToString>(reading: &Reading<T>) -> String {
    reading.value().map(ToString::to_string).unwrap_or_default()
}

fn cells(unix_secs: f64, gpu: &GpuSample) -> Vec<String> {
    let bytes =
        |reading: &Reading<crate::units::Bytes>| cell(&reading.clone().map(|bytes| bytes.0));
    vec![
        format!("{unix_secs:.3}"),
        gpu.key.host.clone(),
        gpu.index.to_string(),
        gpu.key.uuid.clone(),
        cell(&gpu.name),
        bytes(&gpu.memory.used),
        bytes(&gpu.memory.reserved),
        bytes(&gpu.memory.free),
        bytes(&gpu.memory.total),
        cell(&gpu.utilisation.compute_percent),
        cell(&gpu.utilisation.memory_percent),
        cell(&gpu.temperature_celsius),
        cell(&gpu.power_watts),
        cell(&gpu.power_limit_watts),
        cell(&gpu.clocks.sm_mhz),
        cell(&gpu.clocks.memory_mhz),
        cell(&gpu.pcie.sent_bytes_per_sec),
        cell(&gpu.pcie.received_bytes_per_sec),
        cell(&gpu.nvlink.sent_bytes_per_sec),
        cell(&gpu.nvlink.received_bytes_per_sec),
        cell(&gpu.ecc.corrected),
        cell(&gpu.ecc.uncorrected),
        gpu.throttling.value().map(|keys| keys.join(" ")).unwrap_or_default(),
        gpu.processes.value().map(|list| list.len().to_string()).unwrap_or_default(),
    ]
}
