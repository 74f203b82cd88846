//! vramplan: opens the planner, or answers on the command line.

use std::{process::ExitCode, sync::Arc, time::Instant};

use anyhow::Context as _;
use clap::Parser as _;
use vramplan::{
    catalogue::CatalogueProblem,
    cli::{self, Arguments},
    text::{Language, Texts},
    ui::{
        app::StartOptions,
        run::{RunError, run},
    },
};

/// What is logged unless `RUST_LOG` says otherwise: warnings, but not those of the window library
/// and of the check of certificates, whose errors are told in our own words.
const QUIET: &str = "warn,winit=error,eframe=off,rustls_platform_verifier=off";

fn main() -> ExitCode {
    let started = Instant::now();
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or(QUIET)).init();
    let arguments = Arguments::parse();
    match &arguments.command {
        Some(command) => cli::run(command),
        None => match open_window(arguments, started) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("vramplan: {error:#}");
                ExitCode::from(cli::EXIT_FAILED)
            }
        },
    }
}

fn open_window(arguments: Arguments, started: Instant) -> anyhow::Result<()> {
    let (catalogue, problems) = cli::load_catalogue();
    let open = arguments
        .preset
        .map(|path| std::path::absolute(&path).with_context(|| path.display().to_string()))
        .transpose()?;
    let notices = problems.iter().map(CatalogueProblem::message).collect();
    run(StartOptions {
        open,
        catalogue: Some(Arc::new(catalogue)),
        notices,
        started: Some(started),
    })
    .map_err(|error| anyhow::Error::msg(in_words(&error)))
}

fn in_words(error: &RunError) -> String {
    Texts::new(Language::of_environment()).message(&error.message())
}
