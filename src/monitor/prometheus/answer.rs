//! Prometheus's answers and DCGM's labels.

use std::{borrow::Cow, collections::BTreeMap};

use serde::Deserialize;

use super::fault;
use crate::{
    monitor::{DeviceKey, Fault, GpuSample, Host, MemoryUse, MigInstance, Missing, Reading},
    units::{Bytes, MIB},
};

#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(borrow)]
    status: Cow<'a, str>,
    #[serde(borrow, default)]
    error: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    data: Option<Data<'a>>,
}

#[derive(Deserialize)]
struct Data<'a> {
    #[serde(borrow)]
    result: Vec<Series<'a>>,
}

#[derive(Deserialize)]
struct Series<'a> {
    #[serde(borrow, default)]
    metric: Labels<'a>,
    /// When it was evaluated, seconds since 1970, and the value.
    #[serde(borrow)]
    value: (f64, Cow<'a, str>),
}

/// Labels of DCGM's exporter.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Labels<'a> {
    #[serde(borrow, rename = "__name__")]
    name: Cow<'a, str>,
    #[serde(borrow, rename = "Hostname")]
    hostname: Cow<'a, str>,
    #[serde(borrow)]
    instance: Cow<'a, str>,
    #[serde(borrow)]
    gpu: Cow<'a, str>,
    #[serde(borrow, rename = "UUID")]
    uuid: Cow<'a, str>,
    #[serde(borrow, rename = "modelName")]
    model: Cow<'a, str>,
    #[serde(borrow)]
    pci_bus_id: Cow<'a, str>,
    #[serde(borrow, rename = "DCGM_FI_DRIVER_VERSION")]
    driver: Cow<'a, str>,
    #[serde(borrow, rename = "GPU_I_ID")]
    part: Cow<'a, str>,
    #[serde(borrow, rename = "GPU_I_PROFILE")]
    profile: Cow<'a, str>,
}

/// All GPUs of an answer.
pub(super) struct Fleet {
    pub host: Host,
    pub gpus: Vec<GpuSample>,
}

fn parsed<'a>(bytes: &'a [u8], host: &str) -> Result<Vec<Series<'a>>, Fault> {
    let answer: Answer<'a> =
        serde_json::from_slice(bytes).map_err(|_| fault::not_prometheus(host))?;
    if answer.status != "success" {
        let reason = answer.error.map(Cow::into_owned).unwrap_or_default();
        return Err(fault::refused_query(host, reason));
    }
    Ok(answer.data.ok_or_else(|| fault::not_prometheus(host))?.result)
}

/// Age of the newest figure, seconds; none where there is no figure.
pub(super) fn age_secs(bytes: &[u8], host: &str) -> Result<Option<f64>, Fault> {
    let series = parsed(bytes, host)?;
    let age = |it: &Series<'_>| Some(it.value.0 - it.value.1.parse::<f64>().ok()?);
    Ok(series.first().and_then(age).filter(|age| age.is_finite()))
}

/// The GPUs, by host and index.
pub(super) fn fleet(bytes: &[u8], host: &str) -> Result<Fleet, Fault> {
    let all = parsed(bytes, host)?;
    let mut gpus: BTreeMap<(String, u32, String), GpuSample> = BTreeMap::new();
    let mut drivers: Vec<String> = Vec::new();
    for series in &all {
        let labels = &series.metric;
        let Ok(value) = series.value.1.parse::<f64>() else { continue };
        if !value.is_finite() || value < 0.0 {
            continue;
        }
        let index = labels.gpu.parse().unwrap_or(0);
        let machine = if labels.hostname.is_empty() { &labels.instance } else { &labels.hostname };
        let uuid = if labels.uuid.is_empty() { &labels.gpu } else { &labels.uuid };
        let place = (machine.to_string(), index, uuid.to_string());
        let gpu = gpus.entry(place).or_insert_with(|| described(labels, machine, uuid, index));
        if !drivers.iter().any(|known| *known == labels.driver) {
            drivers.push(labels.driver.to_string());
        }
        if labels.part.is_empty() {
            put(gpu, &labels.name, value);
        } else {
            put_part(gpu, labels, value);
        }
    }
    let mut gpus: Vec<GpuSample> = gpus.into_values().collect();
    for gpu in &mut gpus {
        add_up(&mut gpu.memory);
        gpu.mig.iter_mut().for_each(|part| add_up(&mut part.memory));
    }
    // Hosts of a fleet may have different drivers: then none is the fleet's.
    let driver = match drivers.as_slice() {
        [only] if !only.is_empty() => Reading::Value(only.clone()),
        _ => Reading::Missing(Missing::NotReported),
    };
    let host = Host { driver_version: driver, cuda_version: Reading::none(&Missing::NotReported) };
    Ok(Fleet { host, gpus })
}

fn described(labels: &Labels<'_>, machine: &str, uuid: &str, index: u32) -> GpuSample {
    let key = DeviceKey { host: machine.to_owned(), uuid: uuid.to_owned() };
    let mut gpu = GpuSample::blank(key, index, &Missing::NotReported);
    let text = |label: &str| match label {
        "" => Reading::Missing(Missing::NotReported),
        text => Reading::Value(text.to_owned()),
    };
    gpu.name = text(&labels.model);
    gpu.bus_id = text(&labels.pci_bus_id);
    gpu
}

/// Puts a figure of an instance where it belongs.
fn put_part(gpu: &mut GpuSample, labels: &Labels<'_>, value: f64) {
    let uuid = format!("{}/{}", gpu.key.uuid, labels.part);
    if let Some(part) = gpu.mig.iter_mut().find(|part| part.uuid == uuid) {
        return put_memory(&mut part.memory, &labels.name, value);
    }
    let mut memory = MemoryUse::blank(&Missing::NotReported);
    put_memory(&mut memory, &labels.name, value);
    gpu.mig.push(MigInstance {
        uuid,
        name: Reading::Value(labels.profile.to_string()),
        memory,
        processes: Reading::none(&Missing::NotReported),
    });
}

/// Puts a figure where it belongs.
fn put(gpu: &mut GpuSample, name: &str, value: f64) {
    let slot = match name {
        "DCGM_FI_DEV_GPU_UTIL" => &mut gpu.utilisation.compute_percent,
        "DCGM_FI_DEV_MEM_COPY_UTIL" => &mut gpu.utilisation.memory_percent,
        "DCGM_FI_DEV_POWER_USAGE" => &mut gpu.power_watts,
        "DCGM_FI_DEV_GPU_TEMP" => &mut gpu.temperature_celsius,
        "DCGM_FI_DEV_SM_CLOCK" => &mut gpu.clocks.sm_mhz,
        "DCGM_FI_DEV_MEM_CLOCK" => &mut gpu.clocks.memory_mhz,
        _ => return put_memory(&mut gpu.memory, name, value),
    };
    *slot = Reading::Value(value);
}

fn put_memory(memory: &mut MemoryUse, name: &str, mib: f64) {
    let slot = match name {
        "DCGM_FI_DEV_FB_USED" => &mut memory.used,
        "DCGM_FI_DEV_FB_FREE" => &mut memory.free,
        "DCGM_FI_DEV_FB_RESERVED" => &mut memory.reserved,
        _ => return,
    };
    *slot = Reading::Value(Bytes::from_f64(mib * MIB as f64));
}

/// The exporter has no total: it is used, free and, where it is reported, reserved together.
fn add_up(memory: &mut MemoryUse) {
    if let (Some(used), Some(free)) = (memory.used.value(), memory.free.value()) {
        let reserved = memory.reserved.value().copied().unwrap_or_default();
        memory.total = Reading::Value(*used + *free + reserved);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(name: &str, labels: &str, value: &str) -> String {
        format!(r#"{{"metric":{{"__name__":"{name}",{labels}}},"value":[1700.5,"{value}"]}}"#)
    }

    fn answer(all: &[String]) -> String {
        let list = all.join(",");
        format!(r#"{{"status":"success","data":{{"resultType":"vector","result":[{list}]}}}}"#)
    }

    const CARD: &str = r#""Hostname":"n1","gpu":"3","UUID":"GPU-a","modelName":"NVIDIA H100 80GB HBM3","pci_bus_id":"00000000:1B:00.0""#;

    #[test]
    fn figures_are_put_together_by_host_and_card() {
        let text = answer(&[
            series("DCGM_FI_DEV_FB_USED", CARD, "1024"),
            series("DCGM_FI_DEV_FB_FREE", CARD, "3072"),
            series("DCGM_FI_DEV_GPU_UTIL", CARD, "99"),
            series("DCGM_FI_DEV_POWER_USAGE", CARD, "NaN"),
            series("DCGM_FI_DEV_FB_USED", r#""instance":"n0:9400","gpu":"0""#, "7"),
        ]);
        let fleet = fleet(text.as_bytes(), "host").expect("an answer");
        assert_eq!(fleet.gpus.len(), 2);
        let (other, card) = (&fleet.gpus[0], &fleet.gpus[1]);
        assert_eq!(other.key.host, "n0:9400", "the scraped address where the host has no name");
        assert_eq!((card.key.host.as_str(), card.index), ("n1", 3));
        assert_eq!(card.memory.total, Reading::Value(Bytes::from_mib(4096)), "used and free");
        assert_eq!(card.utilisation.compute_percent, Reading::Value(99.0));
        assert_eq!(card.power_watts, Reading::Missing(Missing::NotReported), "not zero");
        assert_eq!(other.memory.total, Reading::Missing(Missing::NotReported), "free is unknown");
    }

    #[test]
    fn instances_of_a_partitioned_card_have_their_own_memory() {
        let part = |id| format!(r#"{CARD},"GPU_I_ID":"{id}","GPU_I_PROFILE":"1g.10gb""#);
        let text = answer(&[
            series("DCGM_FI_DEV_FB_USED", &part("7"), "10"),
            series("DCGM_FI_DEV_FB_FREE", &part("7"), "20"),
            series("DCGM_FI_DEV_FB_USED", &part("8"), "30"),
        ]);
        let fleet = fleet(text.as_bytes(), "host").expect("an answer");
        let parts = &fleet.gpus[0].mig;
        assert_eq!(parts.len(), 2, "{parts:?}");
        assert_eq!(parts[0].memory.total, Reading::Value(Bytes::from_mib(30)));
    }

    #[test]
    fn what_is_no_answer_of_prometheus_is_said_to_be_none() {
        for text in ["", "<html>", "[]", "{\"status\":\"success\"}", "{\"a\":1}"] {
            let Err(fault) = fleet(text.as_bytes(), "host") else { panic!("{text} is no answer") };
            assert_eq!(fault.what.key, "live-server-other", "{text}");
        }
        let refused = r#"{"status":"error","errorType":"bad_data","error":"too many series"}"#;
        let Err(fault) = fleet(refused.as_bytes(), "host") else { panic!("refused") };
        assert_eq!(fault.what.key, "live-server-query");
    }
}
