//! The roofline: an operation takes as long as its arithmetic or its memory traffic, whichever is longer.

use super::{
    fractions::{
        Family, KERNEL_RAMP_SECS, NARROW_SUSTAINED_GAIN, PLAIN_SHARE, POWER_EXPONENT,
        ROWWISE_SHARE, SOFTMAX_WIDTH, SUSTAINED_ATTENTION, SUSTAINED_BANDWIDTH_LAUNCHED,
        SUSTAINED_SHARE, UNIT_BYTES_PER_SEC, UNPACK_OPERATIONS,
    },
    host,
};
use crate::{
    catalogue::{Dtype, Gpu},
    plan::{Profile, Resolved, ScaleRecipe, Task},
    units::FlopsPerSec,
};

/// Rows and columns of the output tile that one multiprocessor computes at a time.
const TILE: f64 = 128.0;
/// Bits of a number format from which on products are wide.
const WIDE_BITS: u64 = 16;
/// Rows from which on products fetch whole tiles and keep enough loads in flight.
const FULL_TILE_ROWS: u32 = 16;
/// Multiprocessors assumed where the card's number is unknown.
const UNITS_IF_UNKNOWN: f64 = 100.0;
/// Most that a badly filled last wave of tiles can cost; smaller tiles and split sums help beyond it.
const WORST_WAVE_FACTOR: f64 = 2.0;
/// Slowest rate taken for a card without any, so that nothing divides by zero.
const LEAST_FLOPS_PER_SEC: f64 = 1e9;
/// Slowest bandwidth taken, likewise.
const LEAST_BYTES_PER_SEC: f64 = 1e6;

/// Work of some operations and the time it takes, by what limits it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Cost {
    /// Floating-point operations.
    pub flops: f64,
    /// Bytes to and from device memory.
    pub bytes: f64,
    /// Seconds of operations limited by arithmetic.
    pub compute_secs: f64,
    /// Seconds of operations limited by memory bandwidth.
    pub memory_secs: f64,
    /// Seconds in which kernels ramp up and down.
    pub launch_secs: f64,
    /// Seconds of arithmetic behind memory traffic: it takes power, not time.
    pub hidden_secs: f64,
}

impl Cost {
    /// All of the time.
    pub(super) fn secs(&self) -> f64 {
        self.compute_secs + self.memory_secs + self.launch_secs
    }

    /// Kernels that ramp up and down.
    pub(super) fn kernels(&self) -> f64 {
        self.launch_secs / KERNEL_RAMP_SECS
    }
}

impl std::ops::Add for Cost {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            flops: self.flops + other.flops,
            bytes: self.bytes + other.bytes,
            compute_secs: self.compute_secs + other.compute_secs,
            memory_secs: self.memory_secs + other.memory_secs,
            launch_secs: self.launch_secs + other.launch_secs,
            hidden_secs: self.hidden_secs + other.hidden_secs,
        }
    }
}

impl std::ops::Mul<f64> for Cost {
    type Output = Self;
    fn mul(self, times: f64) -> Self {
        Self {
            flops: self.flops * times,
            bytes: self.bytes * times,
            compute_secs: self.compute_secs * times,
            memory_secs: self.memory_secs * times,
            launch_secs: self.launch_secs * times,
            hidden_secs: self.hidden_secs * times,
        }
    }
}

/// A matrix product of `rows × inputs` with `inputs × outputs`, so many times with different weights.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gemm {
    /// Rows of the input, for each of the copies.
    pub rows: f64,
    /// Columns of the weights.
    pub outputs: f64,
    /// Rows of the weights.
    pub inputs: f64,
    /// Products with weights of their own (experts).
    pub copies: f64,
    /// Bytes of one element of inputs and outputs.
    pub element_bytes: f64,
    /// Bytes of one weight.
    pub weight_bytes: f64,
    /// Weights are unpacked by the product's own kernel.
    pub unpacks: bool,
    /// They are unpacked again for every row, and multiplied by plain arithmetic.
    pub by_rows: bool,
}

/// What the card achieves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Machine {
    /// Data-sheet rate of the compute format, the yardstick of utilisation.
    pub peak: FlopsPerSec,
    /// The format whose rate that is: another one where the card lacks the compute format.
    pub peak_dtype: Dtype,
    /// Achieved rate of products in the compute format.
    pub matmul_flops_per_sec: f64,
    /// Achieved rate of products in 16 (or 32) bits: head, adapters, router.
    pub wide_flops_per_sec: f64,
    /// Achieved rate of the attention core.
    pub attention_flops_per_sec: f64,
    /// Data-sheet rate of plain 32-bit arithmetic.
    pub plain_flops_per_sec: f64,
    /// Achieved memory bandwidth.
    pub bytes_per_sec: f64,
    /// Data-sheet bandwidth.
    pub peak_bytes_per_sec: f64,
    /// Multiprocessors.
    pub units: f64,
    /// Achieved fraction of products.
    pub matmul_share: f64,
    /// Achieved fraction of attention.
    pub attention_share: f64,
    /// Achieved fraction of bandwidth.
    pub bandwidth_share: f64,
}

impl Machine {
    /// Rates of a plan's card in the plan's compute format.
    pub(super) fn new(plan: &Resolved<'_>) -> Self {
        let gpu = plan.gpu;
        let compute = plan.plan.precision.compute_dtype;
        let wide = if compute == Dtype::Fp32 { Dtype::Fp32 } else { Dtype::Bf16 };
        let family = Family::of(gpu);
        let measured = family.measured();
        let (peak, peak_dtype) = peak_or_nearest(gpu, compute);
        let (wide_peak, _) = peak_or_nearest(gpu, wide);
        let power = power_share(gpu, family);
        let share = |dtype: Dtype| {
            let gain = if dtype.bits() < WIDE_BITS { NARROW_SUSTAINED_GAIN } else { 1.0 };
            let sustained = (family.sustained() * power * gain).min(1.0);
            if dtype == Dtype::Fp32 { PLAIN_SHARE } else { measured.matmul(dtype) * sustained }
        };
        let matmul_share = share(peak_dtype) * recipe_share(plan);
        let attention_share = attention_share(plan, family, power);
        let bandwidth_share = bandwidth_share(plan, family);
        let (plain_peak, _) = peak_or_nearest(gpu, Dtype::Fp32);
        let peak_bytes_per_sec = gpu.bandwidth().0.max(LEAST_BYTES_PER_SEC);
        let units = gpu.units.unwrap_or(UNITS_IF_UNKNOWN).max(1.0);
        let wide_share = share(wide);
        let (matmul_rate, wide_rate) = match narrow_sums(plan) {
            Some(narrow) => {
                let rate = narrow.0 * measured.matmul_8 * SUSTAINED_SHARE;
                (rate.max(peak.0 * matmul_share), rate.max(wide_peak.0 * wide_share))
            }
            None => (peak.0 * matmul_share, wide_peak.0 * wide_share),
        };
        Self {
            peak,
            peak_dtype,
            matmul_flops_per_sec: matmul_rate,
            wide_flops_per_sec: wide_rate,
            attention_flops_per_sec: wide_peak.0 * attention_share,
            plain_flops_per_sec: plain_peak.0,
            bytes_per_sec: (peak_bytes_per_sec * bandwidth_share)
                .min(requested_bytes_per_sec(plan)),
            peak_bytes_per_sec,
            units,
            matmul_share,
            attention_share,
            bandwidth_share,
        }
    }

    /// Time of one kind of operation.
    ///
    /// ```text
    /// τ = max(F / (R·η_R), B / (W·η_W)) + kernels · τ_ramp
    /// ```
    ///
    /// Source: Williams, Waterman, Patterson 2009, "Roofline".
    pub(super) fn cost(&self, flops: f64, flops_per_sec: f64, bytes: f64, kernels: f64) -> Cost {
        self.bounded(flops, bytes, flops / flops_per_sec, kernels)
    }

    /// Time of operations that only move bytes.
    pub(super) fn streaming(&self, bytes: f64, kernels: f64) -> Cost {
        self.cost(0.0, self.wide_flops_per_sec, bytes, kernels)
    }

    /// Time of a matrix product.
    ///
    /// ```text
    /// F = 2·m·n·k        B = m·k·β + k·n·β_w + m·n·β        (each times the copies)
    /// w = tiles / multiprocessors
    /// τ = max(F/(R·η)·(w + 1/2)/w, unpacking, B/(W·η_W))
    /// by rows: τ = max(m·unpacking + F/R_plain, B/(W·η_W))
    /// ```
    ///
    /// On average half of the last wave of tiles is idle (the factor is at most 2: smaller tiles and
    /// split sums help beyond it). Source: NVIDIA, "Matrix multiplication background", tile and wave
    /// quantisation.
    pub(super) fn matmul(&self, gemm: &Gemm, flops_per_sec: f64) -> Cost {
        let Gemm { rows, outputs, inputs, copies, element_bytes, weight_bytes, unpacks, by_rows } =
            *gemm;
        if rows <= 0.0 || outputs <= 0.0 || inputs <= 0.0 || copies <= 0.0 {
            return Cost::default();
        }
        let flops = 2.0 * rows * outputs * inputs * copies;
        let weights = inputs * outputs * copies;
        let bytes =
            copies * (rows * inputs + rows * outputs) * element_bytes + weights * weight_bytes;
        let waves = (rows / TILE).ceil() * (outputs / TILE).ceil() * copies / self.units;
        let factor = ((waves + 0.5) / waves).min(WORST_WAVE_FACTOR);
        let multiply_secs = flops / flops_per_sec * factor;
        let unpack_secs =
            if unpacks { weights * UNPACK_OPERATIONS / self.plain_flops_per_sec } else { 0.0 };
        let compute_secs = if by_rows {
            rows * unpack_secs + flops / self.plain_flops_per_sec
        } else {
            multiply_secs.max(unpack_secs)
        };
        self.bounded(flops, bytes, compute_secs, 1.0)
    }

    /// Whichever is longer, arithmetic or traffic.
    fn bounded(&self, flops: f64, bytes: f64, compute_secs: f64, kernels: f64) -> Cost {
        let memory_secs = bytes / self.bytes_per_sec;
        let limited_by_compute = compute_secs >= memory_secs;
        Cost {
            flops,
            bytes,
            compute_secs: if limited_by_compute { compute_secs } else { 0.0 },
            memory_secs: if limited_by_compute { 0.0 } else { memory_secs },
            launch_secs: kernels * KERNEL_RAMP_SECS,
            hidden_secs: if limited_by_compute { 0.0 } else { compute_secs },
        }
    }
}

/// What more or less power makes of the rate: `(P/(e·R))^(1/3)`.
///
/// `e·R` is what the largest card of the family draws at its full rate; power grows with the clock and
/// the square of the voltage, which follows the clock.
fn power_share(gpu: &Gpu, family: Family) -> f64 {
    let needed = family.watts_per_tflops() * wide_tflops(gpu);
    match gpu.tdp_watts {
        Some(limit) if limit > 0.0 && needed > 0.0 => (limit / needed).powf(POWER_EXPONENT),
        _ => 1.0,
    }
}

/// Data-sheet rate of 16-bit products in TFLOPS, 0 if the card has none.
fn wide_tflops(gpu: &Gpu) -> f64 {
    gpu.peak(Dtype::Bf16).or(gpu.peak(Dtype::Fp16)).map_or(0.0, FlopsPerSec::tera)
}

/// What a scale for each row leaves of the rate of 8-bit products.
fn recipe_share(plan: &Resolved<'_>) -> f64 {
    let precision = &plan.plan.precision;
    match precision.scaled.recipe {
        ScaleRecipe::Rowwise | ScaleRecipe::RowwiseWideWeightGradients
            if precision.compute_dtype == Dtype::Fp8
                && plan.plan.workload.task == Task::Training =>
        {
            ROWWISE_SHARE
        }
        _ => 1.0,
    }
}

/// Rate of products of IEEE halves with 16-bit sums, where it is higher and lean serving loops use it.
fn narrow_sums(plan: &Resolved<'_>) -> Option<FlopsPerSec> {
    let lean = plan.plan.workload.task == Task::Inference
        && plan.plan.framework.profile != Profile::HuggingFace
        && plan.plan.precision.compute_dtype == Dtype::Fp16;
    let tflops = &plan.gpu.tflops;
    let (wide, narrow) = tflops.fp16.zip(tflops.fp16_acc16)?;
    (lean && narrow > wide).then(|| FlopsPerSec::from_tera(narrow))
}

/// Achieved fraction of the attention core: exponentials take as long as some more columns of a head.
///
/// ```text
/// η·(128 + d_0)/128 · d/(d + d_0)
/// ```
fn attention_share(plan: &Resolved<'_>, family: Family, power: f64) -> f64 {
    let measured = family.measured();
    let vendor_kernels = plan.plan.framework.profile == Profile::Megatron;
    let best = if vendor_kernels && measured.attention_vendor > measured.attention {
        measured.attention_vendor * (family.sustained() * power).min(1.0)
    } else {
        measured.attention * SUSTAINED_ATTENTION * power.min(1.0)
    };
    let width = plan.arch.query_width() as f64 / f64::from(plan.arch.heads.max(1));
    let by_width = width / (width + SOFTMAX_WIDTH) * (128.0 + SOFTMAX_WIDTH) / 128.0;
    best * by_width.min(1.0)
}

/// Achieved fraction of the bandwidth.
fn bandwidth_share(plan: &Resolved<'_>, family: Family) -> f64 {
    let measured = family.measured();
    let launched = plan.plan.workload.task == Task::Inference
        && family.is_stacked()
        && !host::is_captured(plan);
    let sustained =
        if launched { SUSTAINED_BANDWIDTH_LAUNCHED } else { measured.sustained_bandwidth };
    measured.bandwidth * sustained
}

/// Bandwidth that the loads in flight of all multiprocessors ask for when few rows are multiplied.
fn requested_bytes_per_sec(plan: &Resolved<'_>) -> f64 {
    let workload = &plan.plan.workload;
    let few_rows = workload.task == Task::Inference && workload.concurrency < FULL_TILE_ROWS;
    match plan.gpu.units {
        Some(units) if few_rows => units.max(1.0) * UNIT_BYTES_PER_SEC,
        _ => f64::INFINITY,
    }
}

/// Rate of a number format, or of the nearest that the card has: narrow formats fall back to 16 bits,
/// 16 bits to 32 where that is all there is or faster (every narrow product can be run wider).
pub(super) fn peak_or_nearest(gpu: &Gpu, dtype: Dtype) -> (FlopsPerSec, Dtype) {
    let first: &[Dtype] = match dtype {
        Dtype::Fp4 => &[Dtype::Fp4, Dtype::Fp8],
        Dtype::Fp8 => &[Dtype::Fp8],
        Dtype::Int8 => &[Dtype::Int8],
        Dtype::Fp32 | Dtype::Bf16 | Dtype::Fp16 => &[],
    };
    let usable = |candidate: &Dtype| {
        let rate = gpu.peak(*candidate)?;
        (rate.0.is_finite() && rate.0 > LEAST_FLOPS_PER_SEC).then_some((rate, *candidate))
    };
    let other_16 = if dtype == Dtype::Fp16 { Dtype::Bf16 } else { Dtype::Fp16 };
    let own_16 = if dtype == Dtype::Fp16 { Dtype::Fp16 } else { Dtype::Bf16 };
    let faster = |left: Option<(FlopsPerSec, Dtype)>, right: Option<(FlopsPerSec, Dtype)>| match (
        left, right,
    ) {
        (Some(first), Some(second)) if second.0.0 > first.0.0 => Some(second),
        (Some(first), _) => Some(first),
        (None, second) => second,
    };
    let sixteen = usable(&own_16).or_else(|| usable(&other_16));
    let wide = faster(sixteen, usable(&Dtype::Fp32));
    let chosen = if dtype == Dtype::Fp32 {
        usable(&Dtype::Fp32).or(sixteen)
    } else {
        faster(first.iter().find_map(usable), wide)
    };
    chosen.unwrap_or((FlopsPerSec(LEAST_FLOPS_PER_SEC), dtype))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;

    fn nearest(name: &str, dtype: Dtype) -> (f64, Dtype) {
        let gpu = Catalogue::embedded().gpu(name).expect("a card of the catalogue");
        let (rate, used) = peak_or_nearest(gpu, dtype);
        (rate.tera(), used)
    }

    #[test]
    fn a_missing_number_format_falls_back_to_the_nearest() {
        assert_eq!(nearest("Tesla V100-SXM2-16GB", Dtype::Bf16), (125.0, Dtype::Fp16), "no bf16");
        assert_eq!(nearest("NVIDIA A100-SXM4-80GB", Dtype::Fp8), (312.0, Dtype::Bf16), "no fp8");
        assert_eq!(nearest("NVIDIA H100 80GB HBM3", Dtype::Fp8), (1979.0, Dtype::Fp8), "has it");
    }
}
