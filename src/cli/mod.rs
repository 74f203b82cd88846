//! The command line: the same engine, without a window.

mod answer;
mod catalogue;
mod json;
mod list;
mod live;
mod report;
mod validate;

use std::{
    io::{self, Write as _},
    path::PathBuf,
    process::ExitCode,
};

use clap::{Args, Parser, Subcommand, ValueEnum};

pub use self::{
    catalogue::{load_catalogue, user_catalogue_folder},
    live::LiveArguments,
};
use crate::text::{Language, Texts};

/// The plan fits.
pub const EXIT_FITS: u8 = 0;
/// Anything that is neither an answer nor the input's fault: no display, a broken pipe.
pub const EXIT_FAILED: u8 = 1;
/// The input is wrong; the message says where and what to do.
pub const EXIT_WRONG_INPUT: u8 = 2;
/// The plan may or may not fit: the capacity lies inside the estimate's band.
pub const EXIT_TIGHT: u8 = 3;
/// The plan does not fit.
pub const EXIT_DOES_NOT_FIT: u8 = 4;

const EXAMPLES: &str = "\
Examples:
  vramplan                                    open the planner with the last plan
  vramplan plan.ron                           open a preset
  vramplan estimate plan.ron                  answer on the terminal
  vramplan estimate plan.ron --format json    answer for a script
  vramplan validate runs.csv                  compare predictions with measured runs
  vramplan live                               print what the attached GPUs do
  vramplan gpus h100                          find the name of a GPU
  vramplan models llama                       find the id of a model";

const ESTIMATE_EXAMPLES: &str = "\
Exit code:
  0  the plan fits
  2  the input is wrong (the message says where, and what to do)
  3  tight: the capacity lies inside the estimate's band
  4  the plan does not fit

Examples:
  vramplan estimate plan.ron
  vramplan estimate plan.ron --all-stages
  vramplan estimate plan.ron --format json | jq .stages[0].parts
  vramplan estimate - < plan.ron && echo it fits";

const VALIDATE_HELP: &str = "\
The file has a header line and one measured run a line. Columns may come in any order, unknown
ones are ignored, empty cells take the framework's defaults. Needed are id, model and gpu.
Others say what ran: task, framework, gpus, dp, shard, tp, pp, micro_batch, seq, method,
param_dtype, optimizer, checkpointing, attention, loss, base_format, prompt_len, gen_len, ...
And what was measured: allocated_gib, reserved_gib, device_gib, unspecified_gib, fits,
tokens_per_s_per_gpu, step_s, mfu, decode_tokens_per_s, ...
docs/cases.md describes all of them, docs/cases-example.csv is an example.

Exit code:
  0  every row was read (some may have been skipped: the reasons are printed)
  2  a row or the file could not be read; the message names line and column

Examples:
  vramplan validate runs.csv
  vramplan validate runs.csv --by framework
  vramplan validate runs.csv --format json | jq .summary.metrics
  vramplan validate runs.csv --models my-models.ron";

/// Plans GPU memory and throughput of transformer models: in a window, or on the command line.
#[derive(Debug, Parser)]
#[command(version, about, after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct Arguments {
    /// What to do; opens the window if left out
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Preset to open in the window
    #[arg(value_name = "PRESET")]
    pub preset: Option<PathBuf>,
}

/// A subcommand: answers on the terminal.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Say whether a plan fits, what fills the memory and how fast it runs
    #[command(after_help = ESTIMATE_EXAMPLES)]
    Estimate(EstimateArguments),
    /// Predict measured runs of a CSV file and say how far the predictions are off
    #[command(after_help = VALIDATE_HELP)]
    Validate(ValidateArguments),
    /// Say what the attached GPUs do now
    Live(LiveArguments),
    /// List the models of the catalogue
    Models(ListArguments),
    /// List the GPUs of the catalogue
    Gpus(ListArguments),
}

/// Arguments of `estimate`.
#[derive(Debug, Args)]
pub struct EstimateArguments {
    /// Preset file, or - for standard input
    #[arg(value_name = "PLAN.ron")]
    pub plan: PathBuf,
    /// For people or for programs
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Print every pipeline stage in full, not only the fullest, the first and the last
    #[arg(long)]
    pub all_stages: bool,
    /// Language, en or zh-CN; the environment's if left out
    #[arg(long, value_name = "LANGUAGE", value_parser = language)]
    pub lang: Option<Language>,
}

/// Arguments of `validate`.
#[derive(Debug, Args)]
pub struct ValidateArguments {
    /// File of measured runs, or - for standard input
    #[arg(value_name = "CASES.csv")]
    pub cases: PathBuf,
    /// For people or for programs
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Sum up the rows of each value of this column as well
    #[arg(long, value_name = "COLUMN")]
    pub by: Option<String>,
    /// Catalogue file with more models or GPUs; may be given several times
    #[arg(long, value_name = "FILE.ron")]
    pub models: Vec<PathBuf>,
    /// Language, en or zh-CN; the environment's if left out
    #[arg(long, value_name = "LANGUAGE", value_parser = language)]
    pub lang: Option<Language>,
}

/// Arguments of the lists.
#[derive(Debug, Args)]
pub struct ListArguments {
    /// Only entries that contain these words, in any order
    #[arg(value_name = "WORD")]
    pub words: Vec<String>,
}

/// How an answer is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Lines for people
    Text,
    /// One JSON object with exact bytes
    Json,
}

/// Carries out a subcommand; the exit code says what came of it.
#[must_use]
pub fn run(command: &Command) -> ExitCode {
    let answer = match command {
        Command::Estimate(arguments) => answer::estimate_plan(arguments),
        Command::Validate(arguments) => validate::validate_cases(arguments),
        Command::Live(arguments) => live::live(arguments),
        Command::Models(arguments) => list::models(&arguments.words),
        Command::Gpus(arguments) => list::gpus(&arguments.words),
    };
    print(&answer)
}

/// What a subcommand has to say, and its exit code.
struct Printed {
    output: String,
    errors: String,
    code: u8,
}

impl Printed {
    fn output(output: String, code: u8) -> Self {
        Self { output, errors: String::new(), code }
    }

    fn wrong_input(errors: String) -> Self {
        Self { output: String::new(), errors, code: EXIT_WRONG_INPUT }
    }
}

/// Prints without the panic that `println!` answers a closed pipe with.
fn print(answer: &Printed) -> ExitCode {
    // Nothing is left to say where standard error is closed too.
    let _ = io::stderr().write_all(answer.errors.as_bytes());
    let mut stdout = io::stdout().lock();
    match stdout.write_all(answer.output.as_bytes()).and_then(|()| stdout.flush()) {
        // Whoever reads has enough, as with `| head`.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let texts = Texts::new(Language::of_environment());
            let what = texts.with("cli-cannot-print", &[("reason", &error.to_string())]);
            let _ = writeln!(io::stderr(), "vramplan: {what}");
            ExitCode::from(EXIT_FAILED)
        }
        _ => ExitCode::from(answer.code),
    }
}

fn language(code: &str) -> Result<Language, String> {
    Language::from_code(code).ok_or_else(|| {
        let known: Vec<&str> = Language::ALL.iter().map(|language| language.code()).collect();
        format!("choose one of: {}", known.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn a_path_alone_opens_the_window() {
        let arguments = Arguments::try_parse_from(["vramplan", "plan.ron"]).expect("accepted");
        assert!(arguments.command.is_none(), "no subcommand");
        assert_eq!(arguments.preset, Some(PathBuf::from("plan.ron")), "the preset to open");
    }
}
