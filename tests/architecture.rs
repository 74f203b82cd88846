//! The borders between the parts of the program: data flows one way, and only `ui` knows egui.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Modules and what they may use, besides themselves.
const MAY_USE: &[(&str, &[&str])] = &[
    ("units", &[]),
    ("message", &["units"]),
    ("explain", &["units"]),
    ("catalogue", &["units", "message"]),
    ("plan", &["units", "message", "catalogue"]),
    ("memory", &["units", "message", "explain", "catalogue", "plan"]),
    ("throughput", &["units", "message", "explain", "catalogue", "plan", "memory"]),
    ("estimate", &["catalogue", "plan", "memory", "throughput"]),
    ("text", &["units", "message", "explain", "plan"]),
    ("monitor", &["units", "message", "explain", "catalogue", "plan", "memory", "estimate"]),
    (
        "interop",
        &[
            "units",
            "message",
            "explain",
            "catalogue",
            "plan",
            "memory",
            "throughput",
            "estimate",
            "text",
        ],
    ),
    (
        "cli",
        &[
            "interop",
            "monitor",
            "units",
            "message",
            "explain",
            "catalogue",
            "plan",
            "memory",
            "throughput",
            "estimate",
            "text",
        ],
    ),
];

/// Longest file we accept without a good reason, in lines.
const MOST_LINES: usize = 400;

fn sources(under: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(under).expect("a readable folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Files of a top-level module: `src/name.rs` and everything in `src/name/`.
fn files_of(module: &str) -> Vec<PathBuf> {
    let single = root().join(format!("{module}.rs"));
    let folder = root().join(module);
    let mut files = if folder.is_dir() { sources(&folder) } else { Vec::new() };
    if single.is_file() {
        files.push(single);
    }
    assert!(!files.is_empty(), "module {module} exists");
    files
}

/// Code without comments and without the tests at the end of a file.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a readable file");
    let code = text.split("#[cfg(test)]").next().unwrap_or(&text);
    code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Top-level modules that a file names after `crate::`.
fn used_modules(code: &str) -> Vec<String> {
    let mut modules = Vec::new();
    for (start, _) in code.match_indices("crate::") {
        let rest = &code[start + "crate::".len()..];
        if let Some(list) = rest.strip_prefix('{') {
            let mut depth = 0;
            let mut name = String::new();
            for letter in list.chars() {
                match letter {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => modules.push(std::mem::take(&mut name)),
                    _ if depth == 0 => name.push(letter),
                    _ => {}
                }
            }
            modules.push(name);
        } else {
            modules.push(rest.to_owned());
        }
    }
    modules
        .iter()
        .map(|path| {
            path.trim()
                .split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
                .next()
                .unwrap_or("")
                .to_owned()
        })
        .filter(|name| !name.is_empty())
        .collect()
}

#[test]
fn data_flows_one_way() {
    for (module, allowed) in MAY_USE {
        for file in files_of(module) {
            for used in used_modules(&code(&file)) {
                let known = MAY_USE.iter().any(|(name, _)| *name == used) || used == "ui";
                let fine = used == *module || allowed.contains(&used.as_str()) || !known;
                assert!(
                    fine,
                    "{} uses crate::{used}, which {module} must not know",
                    file.display()
                );
            }
        }
    }
}

#[test]
fn only_the_ui_knows_egui() {
    for (module, _) in MAY_USE {
        for file in files_of(module) {
            let code = code(&file);
            for name in ["egui", "eframe", "rfd", "egui_plot"] {
                assert!(!code.contains(&format!("{name}::")), "{} names {name}", file.display());
            }
        }
    }
}

#[test]
fn the_ui_does_no_arithmetic_on_bytes() {
    for file in files_of("ui") {
        for (number, line) in code(&file).lines().enumerate() {
            let raw = [
                "/ 1024",
                "1073741824",
                "/ GIB",
                "* GIB",
                "GIB as",
                "/ MIB",
                "* MIB",
                ".as_f64() /",
                ".as_f64() *",
            ]
            .iter()
            .any(|sign| line.contains(sign));
            assert!(!raw, "{}:{} computes with bytes", file.display(), number + 1);
        }
    }
}

#[test]
fn colours_are_named_in_the_theme_and_nowhere_else() {
    for file in files_of("ui") {
        if file.ends_with("theme.rs") || file.components().any(|part| part.as_os_str() == "theme") {
            continue;
        }
        let code = code(&file);
        for literal in ["from_rgb(", "from_gray(", "from_rgba_unmultiplied(", "hex_color!("] {
            assert!(!code.contains(literal), "{} has a literal colour", file.display());
        }
    }
}

#[test]
fn nothing_outside_tests_can_panic_on_purpose() {
    for file in sources(&root()) {
        let code = code(&file);
        for word in
            [".unwrap()", ".expect(", "todo!(", "unimplemented!(", "panic!(", "unreachable!("]
        {
            assert!(!code.contains(word), "{} contains {word}", file.display());
        }
    }
}

#[test]
fn files_stay_short() {
    for file in sources(&root()) {
        let lines = fs::read_to_string(&file).expect("a readable file").lines().count();
        assert!(lines <= MOST_LINES, "{} has {lines} lines", file.display());
    }
}
