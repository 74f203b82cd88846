//! The editor of one's own card.

use egui::Ui;

use super::{custom_rows::Editor, rows::Decimals, rows::trimmed};
use crate::{
    catalogue::{Gpu, NvLink, Tflops},
    text::Texts,
    ui::widgets::field_row::fact_row,
};

/// Width of the memory bus that a card without one starts from, bits.
const STARTING_BUS_BITS: u32 = 256;

/// Every figure of a card that the estimate uses.
pub fn custom_gpu_ui(ui: &mut Ui, texts: &Texts, gpu: &mut Gpu) {
    let mut editor = Editor { ui, texts };
    editor.text("custom-gpu-name", &mut gpu.name);
    memory(&mut editor, gpu);
    bandwidth(&mut editor, gpu);
    editor.heading("custom-gpu-rates");
    rates(&mut editor, &mut gpu.tflops);
    editor.heading("custom-gpu-links");
    links(&mut editor, gpu);
    editor.optional("custom-gpu-tdp", "unit-watts", &mut gpu.tdp_watts, &Decimals::up_to(1e5, 0));
    editor.optional("custom-gpu-price", "unit-usd", &mut gpu.price_usd, &Decimals::up_to(1e7, 0));
}

/// Memory on the label; another label is another card, of which no driver has reported yet.
fn memory(editor: &mut Editor<'_, '_>, gpu: &mut Gpu) {
    let before = gpu.memory_gb;
    let how = Decimals { decimals: 1, range: 0.1..=1e6 };
    editor.number("custom-gpu-memory", "unit-gb", &mut gpu.memory_gb, &how);
    if gpu.memory_gb.to_bits() != before.to_bits() {
        gpu.driver_mib = None;
        gpu.driver_mib_basis.clear();
        gpu.driver_mib_alternatives.clear();
        gpu.memory_options_gb.clear();
        gpu.usable_share = None;
    }
}

/// Bandwidth, from rate and width of the bus or as it is.
fn bandwidth(editor: &mut Editor<'_, '_>, gpu: &mut Gpu) {
    let mut from_bus = gpu.data_rate_gbps.is_some() && gpu.bus_width_bits.is_some();
    let before = from_bus;
    editor.check("custom-gpu-from-bus", &mut from_bus);
    if from_bus && !before {
        let width = *gpu.bus_width_bits.get_or_insert(STARTING_BUS_BITS);
        gpu.data_rate_gbps = Some(pin_rate_gbits(gpu.bandwidth_gbps, width));
    } else if before && !from_bus {
        gpu.data_rate_gbps = None;
    }
    let (Some(mut rate), Some(mut width)) = (gpu.data_rate_gbps, gpu.bus_width_bits) else {
        let how = Decimals { decimals: 1, range: 0.1..=1e6 };
        editor.number("custom-gpu-bandwidth", "unit-gbytes", &mut gpu.bandwidth_gbps, &how);
        return;
    };
    let inputs = (rate.to_bits(), width);
    let how = Decimals { decimals: 2, range: 0.01..=1000.0 };
    editor.number("custom-gpu-data-rate", "unit-gbits-pin", &mut rate, &how);
    editor.count("custom-gpu-bus-width", "unit-bits", &mut width, 1..=1 << 20);
    if inputs != (rate.to_bits(), width) || from_bus != before {
        (gpu.data_rate_gbps, gpu.bus_width_bits) = (Some(rate), Some(width));
        if let Some(bandwidth) = gpu.bandwidth_from_bus() {
            gpu.bandwidth_gbps = bandwidth.giga();
        }
    }
    if let Some(bandwidth) = gpu.bandwidth_from_bus() {
        let args = [
            ("rate", &*trimmed(rate, 2)),
            ("width", &*width.to_string()),
            ("bandwidth", &*bandwidth.to_string()),
        ];
        fact_row(editor.ui, &editor.texts.with("custom-gpu-equation", &args));
    }
}

/// The rate of one pin that gives a bandwidth.
///
/// ```text
/// rate [Gbit/s per pin] = bandwidth [GB/s] × 8 / width [bit]
/// ```
fn pin_rate_gbits(bandwidth_gbps: f64, width_bits: u32) -> f64 {
    bandwidth_gbps * 8.0 / f64::from(width_bits.max(1))
}

/// Dense rates by number format.
fn rates(editor: &mut Editor<'_, '_>, tflops: &mut Tflops) {
    let how = Decimals::up_to(1e6, 1);
    for (key, rate) in [
        ("custom-gpu-fp32", &mut tflops.fp32),
        ("custom-gpu-tf32", &mut tflops.tf32),
        ("custom-gpu-bf16", &mut tflops.bf16),
        ("custom-gpu-fp16", &mut tflops.fp16),
        ("custom-gpu-fp8", &mut tflops.fp8),
        ("custom-gpu-int8", &mut tflops.int8),
        ("custom-gpu-fp4", &mut tflops.fp4),
    ] {
        editor.optional(key, "unit-tflops", rate, &how);
    }
}

/// Links to other cards and to the host.
fn links(editor: &mut Editor<'_, '_>, gpu: &mut Gpu) {
    let mut nvlink = gpu.nvlink.as_ref().map(|link| link.bidirectional_gbps);
    let before = nvlink;
    editor.optional("custom-gpu-nvlink", "unit-gbytes", &mut nvlink, &Decimals::up_to(1e5, 0));
    if nvlink != before {
        let generation = gpu.nvlink.take().map_or_else(String::new, |link| link.generation);
        gpu.nvlink = nvlink.map(|bidirectional_gbps| NvLink { generation, bidirectional_gbps });
    }
    let both = &mut gpu.c2c_bidirectional_gbps;
    editor.optional("custom-gpu-c2c", "unit-gbytes", both, &Decimals::up_to(1e5, 0));
    let mut generation = gpu.pcie_gen.unwrap_or(0);
    editor.count("custom-gpu-pcie-gen", "", &mut generation, 0..=9);
    let mut lanes = gpu.pcie_lanes.unwrap_or(0);
    editor.count("custom-gpu-pcie-lanes", "unit-lanes", &mut lanes, 0..=64);
    gpu.pcie_gen = (generation > 0).then_some(generation);
    gpu.pcie_lanes = (lanes > 0).then_some(lanes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pin_rate_is_the_inverse_of_the_bandwidth_equation() {
        let gpu = Gpu {
            bus_width_bits: Some(384),
            data_rate_gbps: Some(pin_rate_gbits(1008.0, 384)),
            ..Gpu::default()
        };
        assert_eq!(gpu.data_rate_gbps, Some(21.0), "an RTX 4090's GDDR6X");
        let back = gpu.bandwidth_from_bus().map(crate::units::BytesPerSec::giga);
        assert_eq!(back, Some(1008.0), "and back");
    }
}
