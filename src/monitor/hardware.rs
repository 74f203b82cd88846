//! An attached GPU as the hardware of a plan.

use super::{GpuSample, Snapshot};
use crate::{
    catalogue::{Catalogue, Gpu},
    message::Message,
    plan::GpuChoice,
    units::{Bytes, MIB},
};

/// How far the reported memory may be from the catalogue's for it to be the same card.
const SAME_MEMORY: f64 = 0.03;
/// Transfers a clock on each pin of the memory bus: NVIDIA's memory clocks are of double data rate.
const TRANSFERS_PER_CLOCK: f64 = 2.0;
/// Bits of a byte.
const BITS: f64 = 8.0;

/// A card for the plan, and what is to be said about it.
#[derive(Clone, Debug, PartialEq)]
pub struct GpuMatch {
    /// What the plan's hardware becomes.
    pub choice: GpuChoice,
    /// How it was found, and what was guessed.
    pub notes: Vec<Message>,
}

/// The card of the catalogue that this GPU is, or a description of it from its own figures.
///
/// ```text
/// bandwidth [GB/s] = bus width [bit] / 8 × 2 × highest memory clock [MHz] / 1000
/// ```
///
/// # Errors
///
/// A sentence where the GPU does not tell enough to be described.
pub fn use_as_hardware(sample: &GpuSample, catalogue: &Catalogue) -> Result<GpuMatch, Message> {
    let Some(name) = sample.name.value() else {
        return Err(Message::new("live-hardware-no-name"));
    };
    let total = sample.memory.total.value().copied();
    let named = || catalogue.gpus.iter().filter(|gpu| is_named(gpu, name));
    let closest = total.and_then(|total| {
        let off = |gpu: &Gpu| (gpu.usable_memory().0.share_of(total) - 1.0).abs();
        let best = named().min_by(|one, other| off(one).total_cmp(&off(other)))?;
        (off(best) <= SAME_MEMORY).then_some(best)
    });
    // Without a figure (unified memory) the name alone decides.
    let known = if total.is_some() { closest } else { named().next() };
    if let Some(gpu) = known {
        let note = Message::new("live-hardware-found").with("name", gpu.name.clone());
        return Ok(GpuMatch { choice: GpuChoice::Catalogue(gpu.name.clone()), notes: vec![note] });
    }
    let Some(total) = total else {
        return Err(Message::new("live-hardware-no-memory").with("name", name.clone()));
    };
    if let Some(gpu) = named().next() {
        return Ok(other_memory(gpu, total));
    }
    described(sample, name, total, catalogue)
}

/// Memory of a GPU that is taken already, MiB, rounded up; none where it is unknown. What some
/// processes hold (a run that is to be replaced) is not counted.
#[must_use]
pub fn memory_in_use_mib(sample: &GpuSample, without_pids: &[u32]) -> Option<u32> {
    let (total, free) = (sample.memory.total.value()?, sample.memory.free.value()?);
    let processes = sample.processes.value().map(Vec::as_slice).unwrap_or_default();
    let own: Bytes = processes
        .iter()
        .filter(|process| without_pids.contains(&process.pid))
        .filter_map(|process| process.memory.value().copied())
        .sum();
    let taken = total.saturating_sub(*free).saturating_sub(own);
    u32::try_from(taken.0.div_ceil(MIB)).ok()
}

/// GPUs of this name on the same host, itself included.
pub fn alike<'a>(
    snapshot: &'a Snapshot,
    sample: &'a GpuSample,
) -> impl Iterator<Item = &'a GpuSample> {
    snapshot.gpus.iter().filter(|other| {
        other.key.host == sample.key.host
            && other.name.value().is_some()
            && other.name == sample.name
    })
}

/// Number of GPUs of this name on the same host, itself included.
#[must_use]
pub fn count_alike(snapshot: &Snapshot, sample: &GpuSample) -> u32 {
    u32::try_from(alike(snapshot, sample).count()).unwrap_or(u32::MAX).max(1)
}

/// The attached GPU is a card of this kind, as far as its name says; one without a name may be.
#[must_use]
pub fn is_same_card(gpu: &Gpu, sample: &GpuSample) -> bool {
    sample.name.value().is_none_or(|name| is_named(gpu, name))
}

fn is_named(gpu: &Gpu, name: &str) -> bool {
    let plain = |text: &str| {
        let text = text.trim();
        let maker = text.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("nvidia "));
        text.get(if maker { 7 } else { 0 }..).unwrap_or_default().to_ascii_lowercase()
    };
    let name = plain(name);
    plain(&gpu.name) == name || gpu.aliases.iter().any(|alias| plain(alias) == name)
}

/// A card of the catalogue whose memory differs: another size on sale, or error correction.
fn other_memory(gpu: &Gpu, total: Bytes) -> GpuMatch {
    let (known, _) = gpu.usable_memory();
    let mut own = gpu.clone();
    set_memory(&mut own, total);
    let note = Message::new("live-hardware-other-memory")
        .with("name", gpu.name.clone())
        .with("known", known)
        .with("found", total);
    GpuMatch { choice: GpuChoice::Custom(Box::new(own)), notes: vec![note] }
}

fn set_memory(gpu: &mut Gpu, total: Bytes) {
    gpu.memory_gb = total.gib().round().max(1.0);
    gpu.driver_mib = u32::try_from(total.0 / MIB).ok();
    "observed".clone_into(&mut gpu.driver_mib_basis);
}

fn described(
    sample: &GpuSample,
    name: &str,
    total: Bytes,
    catalogue: &Catalogue,
) -> Result<GpuMatch, Message> {
    let (Some(&width), Some(&clock_mhz)) =
        (sample.bus_width_bits.value(), sample.clocks.memory_max_mhz.value())
    else {
        return Err(Message::new("live-hardware-no-bandwidth").with("name", name.to_owned()));
    };
    let mut gpu = Gpu { name: name.to_owned(), vendor: "NVIDIA".to_owned(), ..Gpu::default() };
    set_memory(&mut gpu, total);
    let rate_gbps = TRANSFERS_PER_CLOCK * clock_mhz / 1000.0;
    gpu.bus_width_bits = Some(width);
    gpu.data_rate_gbps = Some(rate_gbps);
    gpu.bandwidth_gbps = f64::from(width) / BITS * rate_gbps;
    gpu.notes = format!(
        "{} GB/s = {width} bit / 8 × 2 × {clock_mhz} MHz / 1000",
        gpu.bandwidth_gbps.round()
    );
    let mut notes = vec![
        Message::new("live-hardware-described")
            .with("name", name.to_owned())
            .with("equation", gpu.notes.clone()),
    ];
    if let Some((major, minor)) = sample.compute_capability.value() {
        let capability = format!("{major}.{minor}");
        let sibling = catalogue
            .gpus
            .iter()
            .find(|other| other.compute_capability.as_deref() == Some(&capability));
        gpu.architecture = sibling.map(|other| other.architecture.clone()).unwrap_or_default();
        gpu.compute_capability = Some(capability);
    }
    notes.push(Message::new("live-hardware-no-rates"));
    Ok(GpuMatch { choice: GpuChoice::Custom(Box::new(gpu)), notes })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monitor::{DeviceKey, Missing, Reading};

    fn sample(name: &str, mib: u64) -> GpuSample {
        let mut gpu = GpuSample::blank(DeviceKey::default(), 0, &Missing::NotReported);
        gpu.name = Reading::Value(name.to_owned());
        gpu.memory.total = Reading::Value(Bytes::from_mib(mib));
        gpu.bus_width_bits = Reading::Value(5120);
        gpu.clocks.memory_max_mhz = Reading::Value(2619.0);
        gpu.compute_capability = Reading::Value((9, 0));
        gpu
    }

    fn matched(name: &str, mib: u64) -> GpuMatch {
        use_as_hardware(&sample(name, mib), Catalogue::embedded()).expect("a card")
    }

    #[test]
    fn every_nvidia_card_of_the_catalogue_is_recognised_by_its_own_report() {
        let catalogue = Catalogue::embedded();
        let cards = catalogue.gpus.iter().filter(|gpu| gpu.vendor == "NVIDIA");
        for gpu in cards.filter(|gpu| gpu.driver_mib.is_some()) {
            let found = matched(&gpu.name, u64::from(gpu.driver_mib.unwrap_or(0)));
            assert_eq!(found.choice, GpuChoice::Catalogue(gpu.name.clone()), "{}", gpu.name);
        }
    }

    #[test]
    fn a_known_name_with_another_memory_keeps_the_rates_and_takes_the_memory() {
        let found = matched("NVIDIA H100 80GB HBM3", 95_830);
        let GpuChoice::Custom(gpu) = found.choice else { panic!("{found:?}") };
        assert_eq!(gpu.driver_mib, Some(95_830));
        assert!(gpu.tflops.bf16.is_some(), "as the catalogue has it");
        assert!(gpu.flaws().is_empty(), "{:?}", gpu.flaws());
    }

    #[test]
    fn an_unknown_card_is_described_by_bus_and_clock() {
        let found = matched("NVIDIA Mystery 1", 81_559);
        let GpuChoice::Custom(gpu) = found.choice else { panic!("{found:?}") };
        assert!((gpu.bandwidth_gbps - 3352.0).abs() < 1.0, "an H100's: {}", gpu.bandwidth_gbps);
        assert_eq!(gpu.architecture, "Hopper", "by its compute capability");
        assert!(gpu.flaws().is_empty(), "{:?}", gpu.flaws());
        let bus = gpu.bandwidth_from_bus().expect("both are set").giga();
        assert!((bus - gpu.bandwidth_gbps).abs() < 1e-6, "the catalogue's own equation agrees");
    }

    #[test]
    fn a_card_that_tells_too_little_is_refused_with_a_sentence() {
        let mut card = sample("NVIDIA Mystery 1", 81_559);
        card.bus_width_bits = Reading::Missing(Missing::NotSupported);
        let why = use_as_hardware(&card, Catalogue::embedded()).expect_err("too little");
        assert_eq!(why.key, "live-hardware-no-bandwidth");
        card.memory.total = Reading::Missing(Missing::NotSupported);
        let why = use_as_hardware(&card, Catalogue::embedded()).expect_err("too little");
        assert_eq!(why.key, "live-hardware-no-memory");
    }

    #[test]
    fn what_others_hold_is_in_use_and_the_run_itself_is_not() {
        let mut card = sample("x", 1000);
        card.memory.free = Reading::Value(Bytes::from_mib(300));
        assert_eq!(memory_in_use_mib(&card, &[]), Some(700));
        let process = crate::monitor::ProcessSample {
            pid: 7,
            name: Reading::none(&Missing::NotAvailable),
            user: Reading::none(&Missing::NotAvailable),
            memory: Reading::Value(Bytes::from_mib(500)),
            graphics: false,
        };
        card.processes = Reading::Value(vec![process]);
        assert_eq!(memory_in_use_mib(&card, &[7]), Some(200));
        card.memory.free = Reading::Missing(Missing::NotSupported);
        assert_eq!(memory_in_use_mib(&card, &[]), None, "unknown is not nothing");
    }
}
