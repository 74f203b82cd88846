//! The user's folder: it adds to the catalogue, overrides it, and nothing in it can break the rest.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::{fs, path::Path};

use vramplan::catalogue::{Catalogue, CatalogueProblem, Rule};

/// A plausible entry of a user's file.
const MY_CARD: &str =
    r#"(name: "My Card", memory_gb: 48, bandwidth_gbps: 900, bus_width_bits: 384)"#;

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

#[test]
fn the_name_goes_before_an_alias() {
    let files = [(
        "a.ron",
        r#"(gpus: [
            (name: "First", aliases: ["Second"], memory_gb: 1, bandwidth_gbps: 1),
            (name: "Second", memory_gb: 2, bandwidth_gbps: 1),
        ])"#,
    )];
    let (catalogue, problems) = Catalogue::with_user_folder(folder(&files).path());
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(catalogue.gpu("second").unwrap().name, "Second", "the name wins");
}

#[test]
fn a_folder_that_does_not_exist_changes_nothing() {
    let (catalogue, problems) = Catalogue::with_user_folder(Path::new("/no/such/folder"));
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(&catalogue, Catalogue::embedded(), "the embedded facts");
}

#[test]
fn a_users_card_is_added() {
    let files = [("mine.ron", format!("(gpus: [{MY_CARD}])"))];
    let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
    let (catalogue, problems) = Catalogue::with_user_folder(folder(&files).path());
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(catalogue.gpus.len(), 172, "one more");
    assert!((catalogue.gpu("my card").unwrap().memory_gb - 48.0).abs() < 1e-9, "its memory");
}

#[test]
fn a_users_entry_overrides_the_catalogues() {
    let files = [(
        "mine.ron",
        r#"(
            gpus: [(name: "nvidia h100 80gb hbm3", memory_gb: 96, bandwidth_gbps: 2400, tdp_watts: 500)],
            models: [(id: "GPT2", name: "My GPT-2", architecture: (
                hidden: 64, layers: 2, heads: 4, kv_heads: 4, head_dim: 16, ffn: 256,
                gated_mlp: false, vocab: 1000, tied: true,
            ))],
        )"#,
    )];
    let (catalogue, problems) = Catalogue::with_user_folder(folder(&files).path());
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!((catalogue.gpus.len(), catalogue.models.len()), (171, 107), "nothing is doubled");
    let card = catalogue.gpu("NVIDIA H100 80GB HBM3").unwrap();
    assert!((card.bandwidth_gbps - 2400.0).abs() < 1e-9, "the user's bandwidth");
    assert_eq!(catalogue.model("gpt2").unwrap().name, "My GPT-2", "the user's model");
}

#[test]
fn a_broken_file_is_reported_with_its_place_and_the_others_are_loaded() {
    let good = format!("(gpus: [{MY_CARD}])");
    let files = [
        (
            "a-type.ron",
            "(gpus: [\n    (\n        name: \"A\",\n        memory_gb: \"lots\",\n    ),\n])",
        ),
        ("b-unknown.ron", "(gpus: [\n    (name: \"B\", memory_gb: 1, bandwith: 2),\n])"),
        ("c-missing.ron", "(gpus: [\n    (name: \"C\", memory_gb: 1),\n])"),
        ("d-syntax.ron", "(gpus: [\n    (name: \"D\", memory_gb: 1\n"),
        ("e-good.ron", good.as_str()),
    ];
    let (catalogue, problems) = Catalogue::with_user_folder(folder(&files).path());
    let reported: Vec<_> = problems
        .iter()
        .map(|problem| (problem.field().unwrap(), problem.line().unwrap()))
        .collect();
    let expected = [("memory_gb", 4), ("bandwith", 2), ("bandwidth_gbps", 2), ("memory_gb", 2)];
    assert_eq!(reported, expected, "{problems:#?}");
    let keys: Vec<_> = problems.iter().map(|problem| problem.message().key).collect();
    let expected_keys = ["syntax", "unknown-field", "missing-field", "syntax"];
    assert_eq!(keys, expected_keys.map(|end| format!("catalogue-problem-{end}")), "the text keys");
    assert!(catalogue.gpu("My Card").is_some(), "the good file is loaded");
    assert_eq!(catalogue.gpus.len(), 172, "nothing of the broken ones");
}

#[test]
fn an_impossible_entry_is_left_out_and_its_neighbours_are_loaded() {
    let text = format!(
        "(gpus: [\n  (name: \"Slow\", memory_gb: 24,\n    bandwidth_gbps: 0),\n  {MY_CARD},\n], models: [\n  (id: \"odd\", name: \"Odd\", architecture: (\n    hidden: 64, layers: 0, heads: 4, kv_heads: 3,\n    head_dim: 16, ffn: 256, gated_mlp: true, vocab: 1000, tied: true)),\n])"
    );
    let (catalogue, problems) = Catalogue::with_user_folder(folder(&[("a.ron", &text)]).path());
    let flaws: Vec<_> = problems
        .iter()
        .map(|problem| match problem {
            CatalogueProblem::Entry { entry, line, flaw, .. } => {
                (entry.as_str(), *line, flaw.field, flaw.rule)
            }
            other => panic!("unexpected {other}"),
        })
        .collect();
    let expected = [
        ("Slow", 3, "bandwidth_gbps", Rule::Positive),
        ("odd", 7, "layers", Rule::Positive),
        ("odd", 7, "kv_heads", Rule::DividesHeads),
    ];
    assert_eq!(flaws, expected, "fields and lines");
    assert!(catalogue.gpu("My Card").is_some(), "the neighbour is loaded");
    assert!(catalogue.gpu("Slow").is_none() && catalogue.model("odd").is_none(), "the others not");
}

#[test]
fn a_problem_says_where_it_is_and_what_to_do() {
    let files = [("a.ron", "(gpus: [(name: \"A\", memory_gb: -1, bandwidth_gbps: 1)])")];
    let (_, problems) = Catalogue::with_user_folder(folder(&files).path());
    let text = problems[0].to_string();
    for part in ["a.ron", "line 1", "`A`", "`memory_gb`", "must be a number above 0", "left out"] {
        assert!(text.contains(part), "{part:?} is missing in {text:?}");
    }
    assert_eq!(problems[0].message().key, "catalogue-problem-entry", "the text key");
}
