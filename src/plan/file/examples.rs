//! The presets that come with the program.

use std::sync::OnceLock;

use super::{PresetFile, parse};

macro_rules! embedded {
    ($($name:literal,)+) => {
        /// Every embedded preset, in the order of the menu.
        const EMBEDDED: &[Embedded] = &[
            $(Embedded {
                name: $name,
                title_key: concat!("example-", $name),
                note_key: concat!("example-", $name, "-note"),
                text: include_str!(concat!("../../../presets/", $name, ".ron")),
            },)+
        ];
    };
}

/// A preset as it is embedded.
struct Embedded {
    name: &'static str,
    title_key: &'static str,
    note_key: &'static str,
    text: &'static str,
}

embedded! {
    "qlora-8b-24gb",
    "full-7b-24gb",
    "qlora-70b-48gb",
    "gpt2-small",
    "fsdp-8b-8xh100",
    "pretrain-70b-256xh100",
    "pretrain-405b-1024xh100",
    "mixtral-expert-parallel",
    "deepseek-v3-2048xh800",
    "serve-8b-64-users",
    "serve-70b-4bit-2x24gb",
    "custom-13b-and-card",
}

/// A preset that comes with the program: a real question with an answer worth looking at.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// Name of the file, without its ending.
    pub name: &'static str,
    /// Text key of its title.
    pub title_key: &'static str,
    /// Text key of what there is to see.
    pub note_key: &'static str,
    /// The preset itself, with title and note in English.
    pub preset: PresetFile,
}

/// Every preset that comes with the program, in the order of the menu; read once.
#[must_use]
pub fn examples() -> &'static [Example] {
    static EXAMPLES: OnceLock<Vec<Example>> = OnceLock::new();
    EXAMPLES.get_or_init(|| EMBEDDED.iter().filter_map(example).collect())
}

fn example(embedded: &Embedded) -> Option<Example> {
    let &Embedded { name, title_key, note_key, text } = embedded;
    match parse(text) {
        Ok(preset) => Some(Example { name, title_key, note_key, preset }),
        Err(error) => {
            log::error!("the example {name} is broken: {error}");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_can_be_read() {
        for Embedded { name, text, .. } in EMBEDDED {
            let preset = parse(text);
            assert!(
                preset.is_ok(),
                "{name}: {}",
                preset.err().map_or(String::new(), |e| e.to_string())
            );
        }
    }
}
