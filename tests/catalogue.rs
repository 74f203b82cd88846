//! The catalogue: complete, with sources, and consistent in itself.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::collections::HashSet;

use vramplan::{
    catalogue::{CapacityBasis, Catalogue, Confidence, Gpu, parse_size, plausible_architecture},
    memory::params::count,
    units::{Bytes, GIB},
};

/// Largest difference between the printed bandwidth and rate × width: makers round to 0.1 TB/s.
const BANDWIDTH_TOLERANCE: f64 = 0.025;

fn label_share(gpu: &Gpu) -> Option<f64> {
    Some(f64::from(gpu.driver_mib?) / 1024.0 / gpu.memory_gb)
}

#[test]
fn the_catalogue_holds_every_device_model_link_and_overhead() {
    let catalogue = Catalogue::embedded();
    assert_eq!(catalogue.gpus.len(), 171, "devices");
    assert_eq!(catalogue.models.len(), 107, "models");
    assert_eq!(catalogue.links.len(), 170, "links");
    assert_eq!(catalogue.overheads.len(), 80, "overheads");
}

#[test]
fn no_name_or_id_occurs_twice() {
    let catalogue = Catalogue::embedded();
    let distinct = |names: Vec<String>| names.into_iter().collect::<HashSet<_>>().len();
    let gpus = catalogue.gpus.iter().map(|gpu| gpu.name.to_lowercase()).collect();
    assert_eq!(distinct(gpus), 171, "devices");
    let ids = catalogue.models.iter().map(|model| model.id.to_lowercase()).collect();
    assert_eq!(distinct(ids), 107, "ids of models");
    let names = catalogue.models.iter().map(|model| model.name.to_lowercase()).collect();
    assert_eq!(distinct(names), 107, "names of models");
    let ids = catalogue.overheads.iter().map(|overhead| overhead.id.clone()).collect();
    assert_eq!(distinct(ids), 80, "overheads");
}

#[test]
fn every_entry_names_its_sources() {
    let catalogue = Catalogue::embedded();
    for gpu in &catalogue.gpus {
        assert_eq!(gpu.sources.len(), 2, "{}: two sources", gpu.name);
        assert!(gpu.sources.iter().all(|source| !source.is_empty()), "{}: empty source", gpu.name);
    }
    for confidence in [Confidence::High, Confidence::Medium, Confidence::Low] {
        let some = catalogue.gpus.iter().any(|gpu| gpu.confidence == confidence);
        assert!(some, "no device has confidence {confidence:?}: the column was lost");
    }
    assert!(catalogue.models.iter().all(|model| !model.source.is_empty()), "models");
    assert!(catalogue.links.iter().all(|link| !link.source.is_empty()), "links");
    assert!(catalogue.overheads.iter().all(|overhead| !overhead.source.is_empty()), "overheads");
}

#[test]
fn every_entry_keeps_the_rules() {
    let catalogue = Catalogue::embedded();
    for gpu in &catalogue.gpus {
        assert_eq!(gpu.flaws(), [], "{}", gpu.name);
    }
    for model in &catalogue.models {
        assert_eq!(model.flaws(), [], "{}", model.id);
    }
    for link in &catalogue.links {
        assert_eq!(link.flaws(), [], "{}", link.item);
    }
    for overhead in &catalogue.overheads {
        assert_eq!(overhead.flaws(), [], "{}", overhead.id);
    }
}

#[test]
fn bandwidth_is_data_rate_times_bus_width() {
    let mut checked = 0;
    for gpu in &Catalogue::embedded().gpus {
        let Some(computed) = gpu.bandwidth_from_bus() else {
            continue;
        };
        let error = gpu.bandwidth_gbps / computed.giga() - 1.0;
        assert!(
            error.abs() <= BANDWIDTH_TOLERANCE,
            "{}: {} printed, {} from the bus",
            gpu.name,
            gpu.bandwidth_gbps,
            computed.giga()
        );
        checked += 1;
    }
    assert_eq!(checked, 166, "all devices but the five TPUs state rate and width");
}

#[test]
fn overheads_in_bytes_agree_with_their_mib() {
    for overhead in &Catalogue::embedded().overheads {
        let mib = overhead.mib.expect("every row has MiB");
        let bytes = overhead.bytes().as_f64();
        let error = (bytes / 1_048_576.0 - mib).abs();
        assert!(error <= 1e-4 * mib.max(1.0), "{}: {bytes} B, {mib} MiB", overhead.id);
    }
}

#[test]
fn no_card_reports_less_than_the_stated_share_of_its_label() {
    let catalogue = Catalogue::embedded();
    let reported = || catalogue.gpus.iter().filter(|gpu| gpu.driver_mib.is_some());
    assert_eq!(reported().count(), 98, "cards with a driver report");
    // The label of these counts memory that the package has and the driver never shows.
    for gpu in reported().filter(|gpu| gpu.architecture != "Blackwell Ultra") {
        let (share, rule) = (label_share(gpu).unwrap(), gpu.usable_share_of_label());
        assert!(share >= rule, "{}: reports {share} of the label, rule {rule}", gpu.name);
        assert!(share <= rule + 0.012, "{}: {share}, the rule {rule} is too low", gpu.name);
    }
}

#[test]
fn the_driver_report_goes_before_the_label() {
    let catalogue = Catalogue::embedded();
    let h100 = catalogue.gpu("NVIDIA H100 80GB HBM3").unwrap();
    assert_eq!(h100.usable_memory(), (Bytes::from_mib(81_559), CapacityBasis::Driver), "H100");
    let mi300x = catalogue.gpus.iter().find(|gpu| gpu.name.contains("MI300X")).unwrap();
    let (bytes, basis) = mi300x.usable_memory();
    assert_eq!(basis, CapacityBasis::Label, "no report is known");
    assert!(bytes < Bytes(192 * GIB), "less than the label");
    assert!(bytes.gib() > 189.0, "labels count binary gigabytes");
}

#[test]
fn apple_devices_leave_the_system_its_share_of_the_memory() {
    let catalogue = Catalogue::embedded();
    let usable = |name: &str| catalogue.gpu(name).unwrap().usable_memory().0.gib();
    assert!((usable("Apple M1") - 16.0 * 2.0 / 3.0).abs() < 0.01, "two thirds of 16 GB");
    assert!((usable("Apple M2 Ultra") - 144.0).abs() < 0.01, "three quarters of 192 GB");
}

#[test]
fn devices_are_found_by_name_and_alias_whatever_the_case() {
    let catalogue = Catalogue::embedded();
    for gpu in &catalogue.gpus {
        assert_eq!(catalogue.gpu(&gpu.name), Some(gpu), "{} by its own name", gpu.name);
        for alias in &gpu.aliases {
            let found = catalogue.gpu(&alias.to_uppercase()).unwrap();
            let answers = found.name.eq_ignore_ascii_case(alias)
                || found.aliases.iter().any(|other| other.eq_ignore_ascii_case(alias));
            assert!(answers, "{alias} led to {}", found.name);
        }
    }
    assert_eq!(catalogue.gpu("no such card"), None, "an unknown card is a value, not an error");
    assert!(catalogue.model("LLAMA-3.1-8B").is_some(), "models too");
}

#[test]
fn every_model_counts_to_its_exact_parameters() {
    for model in &Catalogue::embedded().models {
        let counts = count(&model.architecture);
        assert_eq!(counts.total, model.params_total, "{} total", model.id);
        assert_eq!(counts.active, model.params_active, "{} active", model.id);
    }
}

#[test]
fn a_tied_head_is_counted_once() {
    let catalogue = Catalogue::embedded();
    let mut arch = catalogue.model("llama-3.2-1b").unwrap().architecture.clone();
    assert!(arch.tied, "Llama 3.2 1B shares embedding and head");
    assert_eq!(count(&arch).head, 0, "no weights of its own");
    let tied = count(&arch);
    arch.tied = false;
    let untied = count(&arch);
    let table = u64::from(arch.vocab) * u64::from(arch.hidden);
    assert_eq!(untied.total - tied.total, table, "one table more");
    assert_eq!(untied.tensors - tied.tensors, 1, "one tensor more");
}

#[test]
fn what_changes_no_count_is_kept_too() {
    let arch = |id: &str| &Catalogue::embedded().model(id).unwrap().architecture;
    let window = |id: &str| arch(id).window.map(|window| (window.size, window.sliding_layers));
    assert_eq!(window("mistral-7b-v0.1"), Some((4096, 32)), "every layer slides");
    assert_eq!(window("gemma-2-9b"), Some((4096, 21)), "every other layer slides");
    assert_eq!(window("gemma-3-1b"), Some((512, 22)), "five of six layers slide");
    assert_eq!(window("gpt-oss-20b"), Some((128, 12)), "every other layer slides");
    assert_eq!(window("qwen2.5-7b"), None, "the window is switched off");
    let caps = |id: &str| (arch(id).attention_softcap, arch(id).final_softcap);
    assert_eq!(caps("gemma-2-2b"), (true, true), "Gemma 2 caps scores and logits");
    assert_eq!(caps("gemma-3-1b"), (false, false), "Gemma 3 does not");
    let dropout = |id: &str| (arch(id).dropout > 0.0, arch(id).attention_dropout > 0.0);
    assert_eq!(dropout("gpt2"), (true, true), "GPT-2 drops both");
    assert_eq!(dropout("opt-1.3b"), (true, false), "OPT keeps the attention weights");
    assert_eq!(dropout("llama-3.1-8b"), (false, false), "Llama drops nothing");
    assert!(arch("gpt-oss-20b").attention_sinks, "gpt-oss has sinks");
    assert_eq!(arch("falcon-7b").kv_heads, 1, "Falcon 7B has one key-value head");
}

#[test]
fn a_proposal_for_a_bare_size_counts_to_about_that_size() {
    for size in ["100M", "350M", "1B", "3B", "7B", "13B", "33B", "70B", "175B", "405B", "1T", "2T"]
    {
        let wanted = parse_size(size).unwrap();
        let counted = count(&plausible_architecture(wanted)).total;
        let error = counted as f64 / wanted as f64 - 1.0;
        assert!(error.abs() < 0.03, "{size}: {counted} parameters");
    }
}
