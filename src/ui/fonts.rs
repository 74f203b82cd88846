//! The fonts of the window: egui's own, a fallback for arrows and shapes, and Chinese.

use std::sync::Arc;

use egui::{FontData, FontDefinitions, FontFamily};

/// egui's monospaced font, which has the arrows and shapes that its proportional font lacks.
const SHAPES: &str = "Hack";
/// A subset of Noto Sans CJK SC; `assets/fonts/subset.sh` makes it.
const CHINESE: &str = "noto-sans-sc";
const CHINESE_BYTES: &[u8] = include_bytes!("../../assets/fonts/noto-sans-sc-subset.otf");

/// Every font of the window, in the order in which a character is looked for.
#[must_use]
pub fn definitions() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    fonts
        .font_data
        .insert(CHINESE.to_owned(), Arc::new(FontData::from_static(CHINESE_BYTES)));
    let proportional = fonts.families.entry(FontFamily::Proportional).or_default();
    proportional.push(CHINESE.to_owned());
    proportional.push(SHAPES.to_owned());
    fonts.families.entry(FontFamily::Monospace).or_default().push(CHINESE.to_owned());
    fonts
}

/// Sets the fonts of a context; they are in use from its next frame on.
pub fn install(ctx: &egui::Context) {
    ctx.set_fonts(definitions());
}
