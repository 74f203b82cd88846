//! Every text in every language: nothing missing, nothing left over, nothing without a glyph.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use egui::{FontFamily, FontId};
use fluent_syntax::{
    ast::{CallArguments, Entry, Expression, InlineExpression, Pattern, PatternElement},
    parser,
};

const LANGUAGES: [&str; 2] = ["en", "zh-CN"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("folder") {
        let path = entry.expect("entry").path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|it| it == ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("file")
}

/// Keys of a language with the names of their arguments.
fn keys(language: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut keys = BTreeMap::new();
    for path in files(&root().join("assets/locales").join(language), "ftl") {
        let resource = parser::parse(read(&path))
            .unwrap_or_else(|(_, errors)| panic!("{}: {errors:?}", path.display()));
        for entry in resource.body {
            let Entry::Message(message) = entry else { continue };
            let mut args = BTreeSet::new();
            collect_args(message.value.as_ref().expect("a text"), &mut args);
            let known = keys.insert(message.id.name.clone(), args);
            assert!(known.is_none(), "{}: {} stands there twice", path.display(), message.id.name);
        }
    }
    keys
}

fn collect_args(pattern: &Pattern<String>, args: &mut BTreeSet<String>) {
    for element in &pattern.elements {
        if let PatternElement::Placeable { expression } = element {
            match expression {
                Expression::Inline(inline) => collect_inline(inline, args),
                Expression::Select { selector, variants } => {
                    collect_inline(selector, args);
                    for variant in variants {
                        collect_args(&variant.value, args);
                    }
                }
            }
        }
    }
}

fn collect_inline(inline: &InlineExpression<String>, args: &mut BTreeSet<String>) {
    match inline {
        InlineExpression::VariableReference { id } => {
            args.insert(id.name.clone());
        }
        InlineExpression::FunctionReference {
            arguments: CallArguments { positional, .. }, ..
        } => positional.iter().for_each(|it| collect_inline(it, args)),
        _ => {}
    }
}

/// The source without its tests and comments.
fn sources() -> Vec<(PathBuf, String)> {
    let without_comments = |text: &str| {
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let all = files(&root().join("src"), "rs");
    all.into_iter().map(|path| (path.clone(), without_comments(&read(&path)))).collect()
}

fn looks_like_a_key(text: &str) -> bool {
    text.contains('-')
        && text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.chars().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '-')
}

/// What stands in quotes after each `start`, white space between the two allowed.
fn literals_after<'a>(text: &'a str, start: &'a str) -> impl Iterator<Item = &'a str> {
    text.match_indices(start).filter_map(move |(at, _)| {
        let rest = text[at + start.len()..].trim_start().strip_prefix('"')?;
        rest.split('"').next()
    })
}

/// Keys that the source asks for.
fn asked_for(text: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for start in ["get(", "texts.with(", "texts().with(", "Message::new(", "hint("] {
        found.extend(literals_after(text, start));
    }
    for block in text.split("choices! {").skip(1) {
        let body = block.split("\n}").next().unwrap_or_default();
        found.extend(literals_after(body, " = "));
    }
    let quoted = text.split('"').skip(1).step_by(2);
    let engine = [
        "term-",
        "symbol-",
        "fraction-",
        "source-",
        "issue-",
        "catalogue-problem-",
        "saved-",
        "assume-",
    ];
    found.extend(quoted.filter(|it| engine.iter().any(|prefix| it.starts_with(prefix))));
    found.retain(|key| looks_like_a_key(key));
    found
}

#[test]
fn every_file_is_embedded() {
    for &language in vramplan::text::Language::ALL {
        let embedded = vramplan::text::sources(language);
        let on_disk = files(&root().join("assets/locales").join(language.code()), "ftl");
        for path in &on_disk {
            let area = path.file_stem().and_then(|it| it.to_str()).expect("a name");
            assert!(embedded.iter().any(|(name, _)| *name == area), "{} is not", path.display());
        }
        assert_eq!(embedded.len(), on_disk.len(), "{language:?}");
    }
}

#[test]
fn both_languages_have_the_same_keys_with_the_same_arguments() {
    let [english, chinese] = LANGUAGES.map(keys);
    let difference: Vec<_> = english
        .iter()
        .filter(|(key, args)| chinese.get(*key) != Some(args))
        .map(|(key, args)| format!("{key} {args:?}, Chinese {:?}", chinese.get(key)))
        .chain(chinese.keys().filter(|key| !english.contains_key(*key)).cloned())
        .collect();
    assert!(difference.is_empty(), "{difference:#?}");
}

#[test]
fn every_key_that_the_source_asks_for_has_a_text() {
    let english = keys("en");
    let mut missing = Vec::new();
    for (path, text) in sources() {
        let lacking = asked_for(&text).into_iter().filter(|key| !english.contains_key(*key));
        missing.extend(lacking.map(|key| format!("{key} in {}", path.display())));
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

/// Keys of the presets that come with the program, which are made of the files' names.
fn keys_of_examples() -> BTreeSet<String> {
    let presets = files(&root().join("presets"), "ron");
    let stems = presets.iter().filter_map(|path| path.file_stem()?.to_str());
    stems.flat_map(|stem| [format!("example-{stem}"), format!("example-{stem}-note")]).collect()
}

#[test]
fn every_example_has_its_title_and_its_note_in_every_language() {
    let examples = vramplan::plan::file::examples();
    let used: BTreeSet<String> =
        examples.iter().flat_map(|it| [it.title_key.to_owned(), it.note_key.to_owned()]).collect();
    assert_eq!(used, keys_of_examples(), "the keys are made of the files' names");
    for language in LANGUAGES {
        let keys = keys(language);
        let missing: Vec<_> = used.iter().filter(|key| !keys.contains_key(*key)).collect();
        assert!(missing.is_empty(), "{language}: {missing:#?}");
    }
    let english = vramplan::text::Texts::new(vramplan::text::Language::English);
    for example in examples {
        assert_eq!(english.get(example.title_key), example.preset.title, "{}", example.name);
        assert_eq!(english.get(example.note_key), example.preset.note, "{}", example.name);
    }
}

#[test]
fn no_text_is_left_over() {
    let (sources, examples) = (sources(), keys_of_examples());
    let used = |key: &str| {
        let literal = format!("\"{key}\"");
        examples.contains(key) || sources.iter().any(|(_, text)| text.contains(&literal))
    };
    let unused: Vec<_> = keys("en")
        .into_keys()
        .filter(|key| !used(key) && !key.strip_suffix("-hint").is_some_and(used))
        .collect();
    assert!(unused.is_empty(), "{unused:#?}");
}

#[test]
fn every_character_that_can_be_shown_has_a_glyph() {
    let ctx = egui::Context::default();
    vramplan::ui::install(&ctx);
    let mut output = ctx.run_ui(egui::RawInput::default(), |_| {});
    output.textures_delta.clear();
    let mut shown: BTreeMap<char, PathBuf> = BTreeMap::new();
    let assets = root().join("assets");
    let texts = files(&assets.join("locales"), "ftl")
        .into_iter()
        .chain(files(&assets.join("catalogue"), "ron"))
        .chain(files(&root().join("presets"), "ron"))
        .map(|path| (path.clone(), read(&path)))
        .chain(sources());
    for (path, text) in texts {
        for character in text.chars().filter(|it| !it.is_control()) {
            shown.entry(character).or_insert_with(|| path.clone());
        }
    }
    for family in [FontFamily::Proportional, FontFamily::Monospace] {
        let font = FontId::new(13.0, family.clone());
        let lacking: Vec<_> = shown
            .iter()
            .filter(|(character, _)| !ctx.fonts_mut(|fonts| fonts.has_glyph(&font, **character)))
            .map(|(character, path)| {
                format!("{character:?} (U+{:04X}) in {}", *character as u32, path.display())
            })
            .collect();
        assert!(lacking.is_empty(), "{family:?}: {lacking:#?}; see assets/fonts/subset.sh");
    }
}
