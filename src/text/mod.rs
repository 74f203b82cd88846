//! The words: text keys to sentences, in every language.
//!
//! The sentences are Fluent files under `assets/locales`, embedded in the program. A text that a
//! language lacks is shown in English, and a key that nobody knows is shown as itself.

mod load;

use std::{
    borrow::Cow,
    collections::HashSet,
    fmt,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use fluent_bundle::FluentArgs;

use self::load::Loaded;
use crate::{
    message::{Arg, Message},
    units::grouped,
};

/// A language of the interface.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Simplified Chinese.
    SimplifiedChinese,
}

impl Language {
    /// Every language, in the order in which they are offered.
    pub const ALL: &'static [Self] = &[Self::English, Self::SimplifiedChinese];

    /// Its name in itself.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::SimplifiedChinese => "简体中文",
        }
    }

    /// Its BCP 47 tag, which is also the name of its folder.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::SimplifiedChinese => "zh-CN",
        }
    }

    /// The language of a tag or of a POSIX locale such as `zh_CN.UTF-8`; none if it is not offered.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        let primary = code.split(['-', '_', '.', '@']).next().unwrap_or_default();
        Self::ALL.iter().copied().find(|language| {
            let own = language.code().split('-').next().unwrap_or_default();
            primary.eq_ignore_ascii_case(own)
        })
    }

    /// The language that the environment asks for, English if it asks for none that is offered.
    #[must_use]
    pub fn of_environment() -> Self {
        ["LC_ALL", "LC_MESSAGES", "LANG"]
            .iter()
            .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
            .and_then(|locale| Self::from_code(&locale))
            .unwrap_or_default()
    }
}

/// All texts of one language. Clones share what was read.
#[derive(Clone)]
pub struct Texts {
    language: Language,
    own: Arc<Loaded>,
    english: Arc<Loaded>,
    /// Keys that were asked for in vain, so that each is logged once.
    missing: Arc<Mutex<HashSet<String>>>,
}

impl fmt::Debug for Texts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Texts").field("language", &self.language).finish_non_exhaustive()
    }
}

impl Texts {
    /// The texts of a language.
    #[must_use]
    pub fn new(language: Language) -> Self {
        Self {
            language,
            own: loaded(language),
            english: loaded(Language::English),
            missing: Arc::default(),
        }
    }

    /// Which language.
    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    /// A text without arguments; an unknown key comes back as itself.
    #[must_use]
    pub fn get<'a>(&'a self, key: &'a str) -> Cow<'a, str> {
        let text = self.own.plain(key).or_else(|| self.english.plain(key));
        if text.is_none() {
            self.report_missing(key);
        }
        load::or_key(text, key)
    }

    /// The explanation `<key>-hint` of a key, if there is one.
    #[must_use]
    pub fn hint<'a>(&'a self, key: &str) -> Option<&'a str> {
        self.own.hint(key).or_else(|| self.english.hint(key))
    }

    /// A text with named arguments, already printed.
    #[must_use]
    pub fn with(&self, key: &str, args: &[(&'static str, &str)]) -> String {
        let mut fluent_args = FluentArgs::with_capacity(args.len());
        for &(name, value) in args {
            fluent_args.set(name, value);
        }
        self.format(key, &fluent_args)
    }

    /// A message of the engine in words.
    #[must_use]
    pub fn message(&self, message: &Message) -> String {
        if message.args.is_empty() {
            return self.get(message.key).into_owned();
        }
        let mut fluent_args = FluentArgs::with_capacity(message.args.len());
        for (name, value) in &message.args {
            fluent_args.set(*name, self.printed(value));
        }
        self.format(message.key, &fluent_args)
    }

    fn printed<'a>(&'a self, arg: &'a Arg) -> Cow<'a, str> {
        match arg {
            Arg::Text(text) => Cow::Borrowed(text.as_str()),
            #[expect(
                clippy::cast_precision_loss,
                reason = "counts that people read are far below 2^53"
            )]
            Arg::Count(count) => Cow::Owned(grouped(*count as f64, 0)),
            Arg::Bytes(bytes) => Cow::Owned(bytes.to_string()),
            Arg::Key(key) => self.get(key),
        }
    }

    fn format(&self, key: &str, args: &FluentArgs<'_>) -> String {
        let text = self.own.format(key, args).or_else(|| self.english.format(key, args));
        text.unwrap_or_else(|| {
            self.report_missing(key);
            key.to_owned()
        })
    }

    fn report_missing(&self, key: &str) {
        let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
        if missing.insert(key.to_owned()) {
            log::warn!("no text for the key {key:?} in {}", self.language.code());
        }
    }
}

/// The texts of a language, read at the first call.
fn loaded(language: Language) -> Arc<Loaded> {
    static ENGLISH: OnceLock<Arc<Loaded>> = OnceLock::new();
    static CHINESE: OnceLock<Arc<Loaded>> = OnceLock::new();
    let slot = match language {
        Language::English => &ENGLISH,
        Language::SimplifiedChinese => &CHINESE,
    };
    Arc::clone(slot.get_or_init(|| Arc::new(Loaded::new(language))))
}

/// The embedded files of a language: name of the area, content.
#[must_use]
pub const fn sources(language: Language) -> &'static [(&'static str, &'static str)] {
    load::files(language)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Bytes;

    #[test]
    fn an_unknown_key_comes_back_as_itself() {
        let texts = Texts::new(Language::English);
        assert_eq!(texts.get("no-such-key"), "no-such-key", "without arguments");
        assert_eq!(texts.with("no-such-key", &[("a", "1")]), "no-such-key", "with arguments");
    }

    #[test]
    fn the_same_key_speaks_every_language() {
        let english = Texts::new(Language::English);
        let chinese = Texts::new(Language::SimplifiedChinese);
        assert_eq!(english.get("menu-file"), "File", "English");
        assert_eq!(chinese.get("menu-file"), "文件", "Chinese");
    }

    #[test]
    fn arguments_are_put_in_as_they_are() {
        let texts = Texts::new(Language::English);
        let message = Message::new("status-estimate").with("time", Bytes(512).to_string());
        let text = texts.message(&message);
        assert!(text.contains("512 B"), "the argument is in {text:?}");
        assert!(!text.contains('\u{2068}'), "no isolation marks, which have no glyph");
    }

    #[test]
    fn a_locale_of_the_environment_finds_its_language() {
        assert_eq!(Language::from_code("zh_CN.UTF-8"), Some(Language::SimplifiedChinese));
        assert_eq!(Language::from_code("en_GB"), Some(Language::English));
        assert_eq!(Language::from_code("C.UTF-8"), None);
    }
}
