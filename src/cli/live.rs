//! `vramplan live`: what the attached GPUs do now.

use std::{fmt::Write as _, path::PathBuf, thread, time::Duration};

use clap::Args;

use super::{EXIT_FAILED, EXIT_FITS, EXIT_WRONG_INPUT, Format, Printed, language};
use crate::{
    monitor::{Fault, GpuSample, ProcessSample, Reading, Snapshot, Source},
    text::{Language, Texts},
    units::percent,
};

/// Rates of links need two readings; this far apart.
const BETWEEN_READINGS: Duration = Duration::from_millis(500);
/// How long a server may take to answer.
const SERVER_TIMEOUT: Duration = Duration::from_secs(10);

/// Arguments of `live`.
#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("source").multiple(false)))]
pub struct LiveArguments {
    /// Print the first sample of a recording instead
    #[arg(long, value_name = "FILE", group = "source")]
    pub replay: Option<PathBuf>,
    /// Read a fleet from this Prometheus server instead
    #[arg(long, value_name = "URL", group = "source")]
    pub prometheus: Option<String>,
    /// Load this library instead of the system's libnvidia-ml
    #[arg(long, value_name = "FILE", group = "source")]
    pub library: Option<PathBuf>,
    /// For people or for programs
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Language, en or zh-CN; the environment's if left out
    #[arg(long, value_name = "LANGUAGE", value_parser = language)]
    pub lang: Option<Language>,
}

impl LiveArguments {
    fn source(&self) -> Source {
        if let Some(path) = &self.replay {
            Source::Replay(path.clone())
        } else if let Some(url) = &self.prometheus {
            Source::Prometheus { url: url.clone(), timeout: SERVER_TIMEOUT }
        } else {
            Source::Nvml { library: self.library.clone() }
        }
    }
}

pub(super) fn live(arguments: &LiveArguments) -> Printed {
    let texts = Texts::new(arguments.lang.unwrap_or_else(Language::of_environment));
    let answer = read(&arguments.source()).and_then(|snapshot| match snapshot.no_gpus() {
        Some(notice) => Err(notice),
        None => Ok(snapshot),
    });
    let snapshot = match answer {
        Ok(snapshot) => snapshot,
        Err(fault) => {
            let (what, remedy) = (texts.message(&fault.what), texts.message(&fault.remedy));
            let errors = format!("vramplan: {what}\n{remedy}\n");
            let code = if arguments.replay.is_some() { EXIT_WRONG_INPUT } else { EXIT_FAILED };
            return Printed { output: String::new(), errors, code };
        }
    };
    let output = match arguments.format {
        Format::Text => text(&snapshot, &texts),
        // A snapshot is plain numbers and texts, which JSON has all.
        Format::Json => serde_json::to_string(&snapshot).unwrap_or_default() + "\n",
    };
    Printed::output(output, EXIT_FITS)
}

fn read(source: &Source) -> Result<Snapshot, Fault> {
    let mut sampler = source.sampler()?;
    let first = sampler.sample()?;
    if !matches!(source, Source::Nvml { .. }) {
        return Ok(first);
    }
    thread::sleep(BETWEEN_READINGS);
    sampler.sample()
}

fn text(snapshot: &Snapshot, texts: &Texts) -> String {
    let mut out = String::new();
    let host = &snapshot.host;
    let args = [("driver", &*cell(&host.driver_version)), ("cuda", &*cell(&host.cuda_version))];
    line(&mut out, &texts.with("live-cli-host", &args));
    for gpu in &snapshot.gpus {
        line(&mut out, &gpu_line(gpu, texts));
        for part in &gpu.mig {
            let used = cell(&part.memory.used);
            let total = cell(&part.memory.total);
            let args = [("name", &*cell(&part.name)), ("used", &*used), ("total", &*total)];
            line(&mut out, &texts.with("live-cli-part", &args));
        }
        for process in gpu.processes.value().into_iter().flatten() {
            line(&mut out, &process_line(process, texts));
        }
    }
    out
}

fn gpu_line(gpu: &GpuSample, texts: &Texts) -> String {
    let share = |reading: &Reading<f64>| cell(&reading.clone().map(|it| percent(it / 100.0)));
    let degrees = gpu.temperature_celsius.clone().map(|it| format!("{it:.0} °C"));
    let watts = gpu.power_watts.clone().map(|it| format!("{it:.0} W"));
    let place = if gpu.key.host.is_empty() {
        gpu.index.to_string()
    } else {
        format!("{}/{}", gpu.key.host, gpu.index)
    };
    texts.with(
        "live-cli-gpu",
        &[
            ("index", &place),
            ("name", &cell(&gpu.name)),
            ("used", &cell(&gpu.memory.used)),
            ("total", &cell(&gpu.memory.total)),
            ("free", &cell(&gpu.memory.free)),
            ("compute", &share(&gpu.utilisation.compute_percent)),
            ("temperature", &cell(&degrees)),
            ("power", &cell(&watts)),
        ],
    )
}

fn process_line(process: &ProcessSample, texts: &Texts) -> String {
    texts.with(
        "live-cli-process",
        &[
            ("pid", &process.pid.to_string()),
            ("user", &cell(&process.user)),
            ("memory", &cell(&process.memory)),
            ("name", &cell(&process.name)),
        ],
    )
}

/// A value, or the dash that stands for none.
fn cell<T: ToString>(reading: &Reading<T>) -> String {
    reading.value().map_or_else(|| "–".to_owned(), ToString::to_string)
}

fn line(out: &mut String, text: &str) {
    // Names come from others and must not steer the terminal.
    let plain: String = text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{plain}");
}
