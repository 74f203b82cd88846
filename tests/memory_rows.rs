//! The memory figures on traced and measured runs, guarded against getting worse.
//!
//! The bounds are what was reached, with a little room; `docs/accuracy.md` says what is known about
//! the rows that are far off.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::{fs, path::Path};

use vramplan::{
    catalogue::Catalogue,
    interop::cases::{GroupSummary, Summary, validate},
};

fn summary(name: &str) -> Summary {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference");
    let mut catalogue = Catalogue::embedded().clone();
    let problems = catalogue.add_file(&folder.join("toy_models.ron"));
    assert!(problems.is_empty(), "the small models are fine: {problems:?}");
    let file = fs::File::open(folder.join(name)).expect("a reference file");
    validate(file, &catalogue, None).expect("a readable header").summary()
}

/// Median and 90th percentile of the absolute error are within their bounds, in per cent.
fn within(of: &GroupSummary, metric: &str, rows: usize, median: f64, p90: f64) {
    let found = of.metrics[metric];
    let (reached_median, reached_p90) = (100.0 * found.median, 100.0 * found.p90);
    println!("{metric}: n {} median {reached_median:.2} % p90 {reached_p90:.2} %", found.n);
    assert!(found.n >= rows, "{metric}: every row counts, {} of {rows}", found.n);
    assert!(reached_median <= median, "{metric}: median {reached_median:.2} % above {median} %");
    assert!(reached_p90 <= p90, "{metric}: 90th percentile {reached_p90:.2} % above {p90} %");
}

#[test]
fn traced_training_steps_and_served_models_are_predicted_to_the_byte_at_the_median() {
    let all = summary("traced.csv");
    assert_eq!(all.rows, all.ok, "every traced row is represented");
    within(&all.whole, "allocated", 302, 0.01, 2.5);
    within(&all.whole, "params-bytes", 349, 0.001, 0.001);
    within(&all.whole, "optimizer-bytes", 298, 0.001, 0.001);
    within(&all.whole, "static-bytes", 302, 0.001, 0.01);
    within(&all.whole, "saved-bytes", 286, 0.01, 0.1);
    within(&all.whole, "kv-bytes", 48, 0.001, 0.001);
    within(&all.whole, "prefill-peak", 48, 0.05, 0.5);
    within(&all.whole, "decode-peak", 48, 0.1, 1.0);
    let moments = all.whole.moments.expect("phases of the peaks");
    assert!(moments.right * 100 >= moments.n * 95, "phase right: {moments:?}");
}

#[test]
fn measured_training_memory_is_as_close_as_it_was() {
    let all = summary("train.csv");
    assert!(all.ok * 100 >= all.rows * 97, "rows are represented: {} of {}", all.ok, all.rows);
    within(&all.whole, "allocated", 17, 1.0, 3.5);
    within(&all.whole, "active", 4, 5.0, 9.0);
    within(&all.whole, "reserved", 100, 5.0, 15.0);
    within(&all.whole, "unspecified", 69, 7.5, 23.0);
    let fits = all.whole.fits.expect("verdicts");
    println!("{fits:?}");
    assert_eq!(fits.ran_but_no, 0, "ran, but is said not to fit: {fits:?}");
    assert_eq!(fits.failed_but_yes, 0, "ran out of memory, but is said to fit: {fits:?}");
    assert_eq!(fits.roomy_not_yes, 0, "used little, but is not said to fit: {fits:?}");
    assert!(fits.tight * 100 <= fits.n * 15, "not everything is tight: {fits:?}");
}

#[test]
fn measured_serving_memory_is_as_close_as_it_was() {
    let all = summary("inference.csv");
    assert_eq!(all.rows, all.ok, "every row is represented");
    within(&all.whole, "allocated", 104, 1.5, 6.0);
    let fits = all.whole.fits.expect("verdicts");
    assert!(fits.ran_but_no == 0 && fits.failed_but_yes == 0, "{fits:?}");
}
