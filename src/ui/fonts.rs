//! The fonts of the window: egui's own, bold headings, Chinese, and a fallback for arrows and shapes.

use std::sync::{Arc, OnceLock};

use egui::{FontData, FontDefinitions, FontFamily};

/// egui's monospaced font, which has the arrows and shapes that its proportional font lacks.
const SHAPES: &str = "Hack";
/// A subset of Noto Sans CJK SC; `assets/fonts/subset.sh` makes it.
const CHINESE: &str = "noto-sans-sc";
const CHINESE_BYTES: &[u8] = include_bytes!("../../assets/fonts/noto-sans-sc-subset.otf");
/// A subset of its bold weight, with Latin; a character that it lacks is shown in the regular weight.
const BOLD: &str = "noto-sans-sc-bold";
const BOLD_BYTES: &[u8] = include_bytes!("../../assets/fonts/noto-sans-sc-bold.otf");

/// The family of headings.
#[must_use]
pub fn bold_family() -> FontFamily {
    static FAMILY: OnceLock<FontFamily> = OnceLock::new();
    FAMILY.get_or_init(|| FontFamily::Name("bold".into())).clone()
}

/// Every font of the window, in the order in which a character is looked for.
#[must_use]
pub fn definitions() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    for (name, bytes) in [(CHINESE, CHINESE_BYTES), (BOLD, BOLD_BYTES)] {
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    }
    let families = &mut fonts.families;
    let proportional = families.entry(FontFamily::Proportional).or_default();
    proportional.push(CHINESE.to_owned());
    proportional.push(SHAPES.to_owned());
    let mut bold = vec![BOLD.to_owned()];
    bold.extend(proportional.iter().cloned());
    families.insert(bold_family(), bold);
    families.entry(FontFamily::Monospace).or_default().push(CHINESE.to_owned());
    fonts
}

/// Sets the fonts of a context; they are in use from its next frame on.
pub fn install(ctx: &egui::Context) {
    ctx.set_fonts(definitions());
}
