//! The localisation files, embedded and read once.

use std::{borrow::Cow, collections::HashMap, sync::Arc};

use fluent_bundle::{FluentArgs, FluentResource, concurrent::FluentBundle};

use super::Language;

type Bundle = FluentBundle<Arc<FluentResource>>;

macro_rules! areas {
    ($folder:literal) => {
        &[
            areas!($folder, "shell"),
            areas!($folder, "plan"),
            areas!($folder, "issues"),
            areas!($folder, "memory"),
            areas!($folder, "saved"),
            areas!($folder, "throughput"),
            areas!($folder, "speed"),
            areas!($folder, "explain"),
            areas!($folder, "sources"),
            areas!($folder, "catalogue"),
            areas!($folder, "files"),
            areas!($folder, "cli"),
            areas!($folder, "cases"),
            areas!($folder, "examples"),
            areas!($folder, "live"),
            areas!($folder, "live_panel"),
        ]
    };
    ($folder:literal, $area:literal) => {
        ($area, include_str!(concat!("../../assets/locales/", $folder, "/", $area, ".ftl")))
    };
}

/// Files of a language: name of the area, content.
pub(super) const fn files(language: Language) -> &'static [(&'static str, &'static str)] {
    match language {
        Language::English => areas!("en"),
        Language::SimplifiedChinese => areas!("zh-CN"),
    }
}

/// Everything read from the files of one language.
pub(super) struct Loaded {
    /// Texts without arguments, ready to be shown.
    plain: HashMap<String, String>,
    /// Hints (`<key>-hint`) by the key that they explain.
    hints: HashMap<String, String>,
    /// All texts, for those with arguments.
    bundle: Option<Bundle>,
}

impl Loaded {
    /// Reads the files of a language; what is broken in a file is left out and logged.
    pub(super) fn new(language: Language) -> Self {
        let mut loaded = Self { plain: HashMap::new(), hints: HashMap::new(), bundle: None };
        let Ok(locale) = language.code().parse() else { return loaded };
        let mut bundle = Bundle::new_concurrent(vec![locale]);
        bundle.set_use_isolating(false);
        for (area, source) in files(language) {
            add_file(&mut bundle, area, source);
        }
        for (_, source) in files(language) {
            for key in keys(source) {
                loaded.keep_plain(&bundle, key);
            }
        }
        loaded.bundle = Some(bundle);
        loaded
    }

    fn keep_plain(&mut self, bundle: &Bundle, key: &str) {
        let mut errors = Vec::new();
        let Some(pattern) = bundle.get_message(key).and_then(|message| message.value()) else {
            return;
        };
        let text = bundle.format_pattern(pattern, None, &mut errors);
        if !errors.is_empty() {
            return; // it has arguments
        }
        if let Some(explained) = key.strip_suffix("-hint") {
            self.hints.insert(explained.to_owned(), text.clone().into_owned());
        }
        self.plain.insert(key.to_owned(), text.into_owned());
    }

    /// A text without arguments.
    pub(super) fn plain(&self, key: &str) -> Option<&str> {
        self.plain.get(key).map(String::as_str)
    }

    /// The hint of a key.
    pub(super) fn hint(&self, key: &str) -> Option<&str> {
        self.hints.get(key).map(String::as_str)
    }

    /// A text with arguments.
    pub(super) fn format(&self, key: &str, args: &FluentArgs<'_>) -> Option<String> {
        let bundle = self.bundle.as_ref()?;
        let pattern = bundle.get_message(key)?.value()?;
        let mut errors = Vec::new();
        let text = bundle.format_pattern(pattern, Some(args), &mut errors).into_owned();
        if !errors.is_empty() {
            log::warn!("text {key:?}: {errors:?}");
        }
        Some(text)
    }
}

fn add_file(bundle: &mut Bundle, area: &str, source: &str) {
    let resource = FluentResource::try_new(source.to_owned()).unwrap_or_else(|(usable, errors)| {
        log::error!("locale file {area}.ftl: {errors:?}");
        usable
    });
    if let Err(errors) = bundle.add_resource(Arc::new(resource)) {
        log::error!("locale file {area}.ftl: {errors:?}");
    }
}

/// Keys of the messages of a file: what stands before `=` on a line that begins with a letter.
pub(super) fn keys(source: &str) -> impl Iterator<Item = &str> {
    source.lines().filter_map(|line| {
        let (key, _) = line.split_once('=')?;
        key.starts_with(|first: char| first.is_ascii_alphabetic()).then(|| key.trim_end())
    })
}

/// A text as it is, or its key.
pub(super) fn or_key<'a>(text: Option<&'a str>, key: &'a str) -> Cow<'a, str> {
    Cow::Borrowed(text.unwrap_or(key))
}
