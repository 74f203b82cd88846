//! Colours and sizes: every literal colour of the window is here.

use std::sync::OnceLock;

use egui::{
    Color32, CornerRadius, FontFamily, FontId, Margin, RichText, Shadow, Stroke, Style, TextStyle,
    Theme, Vec2, Visuals,
    style::{HandleShape, NumericColorSpace, WidgetVisuals},
};

use crate::{
    memory::{Part, Verdict},
    monitor::compare::BarPart,
    throughput::TimePart,
};

/// Size of small text (units, secondary lines), points.
pub const SMALL_TEXT_POINTS: f32 = 11.0;
/// Size of all other text, points.
pub const BODY_TEXT_POINTS: f32 = 13.0;
/// Size of headings inside dialogs, points.
pub const HEADING_TEXT_POINTS: f32 = 17.0;
/// Size of the verdict, points.
pub const VERDICT_TEXT_POINTS: f32 = 20.0;
/// Radius of the corners of cards and dialogs, points.
pub const CARD_RADIUS: u8 = 5;
/// Radius of the corners of buttons and inputs, points.
pub const CONTROL_RADIUS: u8 = 3;

/// Colours that the theme decides and egui's own style does not name.
#[derive(Clone, Copy, Debug)]
pub struct Tokens {
    /// Background of the centre.
    pub background: Color32,
    /// Background of the side panel and of menu and status bar.
    pub panel_fill: Color32,
    /// Background of cards above the panel.
    pub card_fill: Color32,
    /// Background of inputs.
    pub input_fill: Color32,
    /// Frame of inputs.
    pub input_line: Color32,
    /// Background of what the pointer is over.
    pub hover_fill: Color32,
    /// Hairlines.
    pub line: Color32,
    /// Text.
    pub text: Color32,
    /// Secondary text.
    pub weak_text: Color32,
    /// Fits.
    pub success: Color32,
    /// Tight.
    pub warning: Color32,
    /// Does not fit, errors.
    pub error: Color32,
    /// Selection and links.
    pub accent: Color32,
    /// Text on the accent colour.
    pub on_accent: Color32,
    /// What lies over the window behind a dialog.
    pub backdrop: Color32,
    /// Shadow of menus and dialogs.
    pub shadow: Color32,
}

const fn hex(rgb: u32) -> Color32 {
    let [_, red, green, blue] = rgb.to_be_bytes();
    Color32::from_rgb(red, green, blue)
}

/// Tokens of the dark theme.
pub const DARK: Tokens = Tokens {
    background: hex(0x16_18_1d),
    panel_fill: hex(0x1d_20_27),
    card_fill: hex(0x23_27_2f),
    input_fill: hex(0x16_18_1d),
    input_line: hex(0x3d_44_52),
    hover_fill: hex(0x2c_31_3b),
    line: hex(0x33_39_45),
    text: hex(0xe6_e8_ec),
    weak_text: hex(0x9a_a3_b2),
    success: hex(0x5b_c9_8a),
    warning: hex(0xe3_b3_41),
    error: hex(0xff_80_78),
    accent: hex(0x6c_b6_ff),
    on_accent: hex(0x10_14_1a),
    backdrop: Color32::from_black_alpha(110),
    shadow: Color32::from_black_alpha(110),
};

/// Tokens of the light theme.
pub const LIGHT: Tokens = Tokens {
    background: hex(0xf4_f5_f7),
    panel_fill: hex(0xff_ff_ff),
    card_fill: hex(0xff_ff_ff),
    input_fill: hex(0xff_ff_ff),
    input_line: hex(0xb4_bc_c8),
    hover_fill: hex(0xe8_eb_f0),
    line: hex(0xd9_dd_e4),
    text: hex(0x1d_24_30),
    weak_text: hex(0x5c_66_77),
    success: hex(0x17_75_45),
    warning: hex(0x85_58_00),
    error: hex(0xbf_26_26),
    accent: hex(0x19_62_d4),
    on_accent: hex(0xff_ff_ff),
    backdrop: Color32::from_black_alpha(60),
    shadow: Color32::from_black_alpha(40),
};

/// The tokens of a theme.
#[must_use]
pub const fn tokens_of(theme: Theme) -> &'static Tokens {
    match theme {
        Theme::Dark => &DARK,
        Theme::Light => &LIGHT,
    }
}

/// The tokens of the theme in use.
#[must_use]
pub fn tokens(ui: &egui::Ui) -> Tokens {
    if ui.visuals().dark_mode { DARK } else { LIGHT }
}

/// Colour of a part, the same in bar, table, timeline and reports, in both themes.
///
/// Hues after Paul Tol's colour-blind-safe schemes; the sub-parts of the activations are steps of
/// lightness of one yellow. The violet of the cache and the two greys were chosen as far from the
/// rest as they can be under simulated protanopia, deuteranopia and tritanopia.
#[must_use]
pub const fn part_color(part: Part) -> Color32 {
    match part {
        Part::Parameters => hex(0x44_77_aa),
        Part::Gradients => hex(0x66_cc_ee),
        Part::OptimizerState => hex(0x22_88_33),
        Part::MasterWeights => hex(0x8c_cb_8f),
        Part::KvCache => hex(0xa8_5f_f0),
        Part::AttentionActivations => hex(0xcc_bb_44),
        Part::MlpActivations => hex(0xe8_de_98),
        Part::NormActivations => hex(0xa3_93_2b),
        Part::Checkpoints => hex(0x78_6c_1a),
        Part::LogitsAndLoss => hex(0xee_77_33),
        Part::Temporaries => hex(0xee_66_77),
        Part::Communication => hex(0xaa_33_77),
        Part::AllocatorReserve => hex(0xb3_b8_c4),
        Part::Context => hex(0x8b_90_9c),
    }
}

/// Colour of a part of a measured bar; the context has the same as in the plan.
#[must_use]
pub const fn measured_color(part: BarPart) -> Color32 {
    match part {
        BarPart::Tensors | BarPart::Run => hex(0x5a_9b_d5),
        BarPart::Reserve => part_color(Part::AllocatorReserve),
        BarPart::Context => part_color(Part::Context),
        BarPart::Others => hex(0xd0_7a_5a),
        BarPart::Unlisted => hex(0xb0_8a_78),
        BarPart::Driver => hex(0x6c_72_80),
        BarPart::Free => Color32::TRANSPARENT,
    }
}

/// Colour of text on [`part_color`]: black or white, whichever reads better.
#[must_use]
pub const fn text_on_part(part: Part) -> Color32 {
    text_on(part_color(part))
}

/// Black or white, whichever reads better on a colour.
#[must_use]
pub const fn text_on(background: Color32) -> Color32 {
    // Relative luminance with gamma 2 instead of the sRGB curve, in integers, since a constant
    // function has no powers. Black and white read equally well on the grey of luminance 0.179,
    // which has 0.212 with gamma 2.
    let (r, g, b) = (background.r() as u32, background.g() as u32, background.b() as u32);
    let luminance = 2126 * r * r + 7152 * g * g + 722 * b * b;
    if luminance > 2120 * 255 * 255 { Color32::BLACK } else { Color32::WHITE }
}

/// Colour of a share of the step time.
#[must_use]
pub const fn time_color(part: TimePart) -> Color32 {
    match part {
        TimePart::Compute => hex(0x44_77_aa),
        TimePart::MemoryBandwidth => hex(0x66_cc_ee),
        TimePart::Recomputation => hex(0xcc_bb_44),
        TimePart::ExposedCommunication => hex(0xaa_33_77),
        TimePart::Bubble => hex(0xb3_b8_c4),
        TimePart::Optimizer => hex(0x22_88_33),
        TimePart::HostTransfer => hex(0xee_77_33),
        TimePart::Launch => hex(0x8b_90_9c),
    }
}

/// Colour of a verdict.
#[must_use]
pub fn verdict_color(ui: &egui::Ui, verdict: Verdict) -> Color32 {
    let tokens = tokens(ui);
    match verdict {
        Verdict::Fits => tokens.success,
        Verdict::Tight => tokens.warning,
        Verdict::DoesNotFit => tokens.error,
    }
}

/// Text that stands out: bold, in the strong colour. Its size can be changed with `size`.
///
/// In a context without our fonts (a bare test), only the colour tells it apart.
#[must_use]
pub fn bold(ui: &egui::Ui, text: impl Into<String>) -> RichText {
    let text = RichText::new(text).strong();
    if ui.style().text_styles.contains_key(&bold_style()) {
        text.text_style(bold_style())
    } else {
        text
    }
}

/// Frames a widget that has the keyboard focus and does not show it by itself.
pub fn focus_frame(ui: &egui::Ui, response: &egui::Response) {
    focus_frame_of(ui, response, tokens(ui).accent);
}

/// The same in another colour, for a widget that is filled with the accent.
pub fn focus_frame_of(ui: &egui::Ui, response: &egui::Response, color: Color32) {
    if response.has_focus() {
        let stroke = Stroke::new(1.5, color);
        let around = response.rect.expand(2.0);
        ui.painter().rect_stroke(around, CONTROL_RADIUS, stroke, egui::StrokeKind::Inside);
    }
}

fn bold_style() -> TextStyle {
    static STYLE: OnceLock<TextStyle> = OnceLock::new();
    STYLE.get_or_init(|| TextStyle::Name("bold".into())).clone()
}

/// Sets both styles; which one is used is the context's theme preference.
pub fn install(ctx: &egui::Context) {
    for theme in [Theme::Dark, Theme::Light] {
        ctx.style_mut_of(theme, |style| fill_style(style, tokens_of(theme), theme));
    }
}

fn fill_style(style: &mut Style, tokens: &Tokens, theme: Theme) {
    style.visuals = visuals(tokens, theme);
    style.animation_time = 0.0; // nothing moves by itself, so an idle window draws nothing
    style.text_styles = [
        (TextStyle::Small, FontId::new(SMALL_TEXT_POINTS, FontFamily::Proportional)),
        (TextStyle::Body, FontId::new(BODY_TEXT_POINTS, FontFamily::Proportional)),
        (TextStyle::Button, FontId::new(BODY_TEXT_POINTS, FontFamily::Proportional)),
        (TextStyle::Heading, FontId::new(HEADING_TEXT_POINTS, super::fonts::bold_family())),
        (bold_style(), FontId::new(BODY_TEXT_POINTS, super::fonts::bold_family())),
        (TextStyle::Monospace, FontId::new(BODY_TEXT_POINTS - 1.0, FontFamily::Monospace)),
    ]
    .into();
    let spacing = &mut style.spacing;
    spacing.item_spacing = Vec2::new(8.0, 4.0);
    spacing.button_padding = Vec2::new(7.0, 2.0);
    spacing.interact_size = Vec2::new(40.0, 22.0);
    spacing.window_margin = Margin::same(12);
    spacing.menu_margin = Margin::same(6);
    spacing.slider_rail_height = 4.0;
    spacing.slider_width = 130.0;
    spacing.icon_width = 15.0;
    spacing.tooltip_width = 420.0;
    spacing.menu_width = 460.0;
    spacing.combo_height = 320.0;
    spacing.scroll.floating = false; // a bar over the content would hide the last column
    spacing.scroll.bar_width = 8.0;
    spacing.scroll.foreground_color = false;
    style.interaction.selectable_labels = true;
    style.interaction.tooltip_delay = 0.3;
}

fn visuals(tokens: &Tokens, theme: Theme) -> Visuals {
    let mut visuals = theme.default_visuals();
    visuals.panel_fill = tokens.panel_fill;
    visuals.window_fill = tokens.card_fill;
    visuals.window_stroke = Stroke::new(1.0, tokens.line);
    visuals.window_corner_radius = CornerRadius::same(CARD_RADIUS);
    visuals.menu_corner_radius = CornerRadius::same(CARD_RADIUS);
    visuals.window_shadow = shadow(tokens, 24);
    visuals.popup_shadow = shadow(tokens, 12);
    visuals.faint_bg_color = tokens.hover_fill.gamma_multiply(0.5);
    visuals.extreme_bg_color = tokens.background; // tracks of scroll bars, plots
    visuals.text_edit_bg_color = Some(tokens.input_fill);
    visuals.code_bg_color = tokens.hover_fill;
    visuals.weak_text_color = Some(tokens.weak_text);
    visuals.hyperlink_color = tokens.accent;
    visuals.warn_fg_color = tokens.warning;
    visuals.error_fg_color = tokens.error;
    visuals.selection.bg_fill = tokens.accent;
    visuals.selection.stroke = Stroke::new(1.0, tokens.on_accent);
    visuals.slider_trailing_fill = true;
    visuals.handle_shape = HandleShape::Circle;
    visuals.numeric_color_space = NumericColorSpace::GammaByte;
    visuals.text_cursor.blink = false; // blinking would draw frames while nobody does anything
    visuals.text_cursor.stroke.color = tokens.accent;
    visuals.indent_has_left_vline = false;
    fill_widgets(&mut visuals.widgets, tokens);
    visuals
}

fn fill_widgets(widgets: &mut egui::style::Widgets, tokens: &Tokens) {
    let line = tokens.line;
    let accent = tokens.accent;
    widgets.noninteractive = widget(tokens.card_fill, tokens.card_fill, line, tokens.text);
    // `bg_fill` is the rail of sliders, and the box of check boxes.
    widgets.inactive = widget(line, tokens.input_fill, tokens.input_line, tokens.text);
    widgets.hovered = widget(tokens.hover_fill, tokens.hover_fill, tokens.weak_text, tokens.text);
    // egui paints the widget with the keyboard focus as active: the accent frame shows where it is.
    widgets.active = widget(tokens.hover_fill, tokens.hover_fill, accent, tokens.text);
    widgets.active.bg_stroke.width = 1.5;
    widgets.open = widget(tokens.hover_fill, tokens.hover_fill, accent, tokens.text);
}

fn widget(bg_fill: Color32, weak_bg_fill: Color32, frame: Color32, text: Color32) -> WidgetVisuals {
    WidgetVisuals {
        bg_fill,
        weak_bg_fill,
        bg_stroke: Stroke::new(1.0, frame),
        corner_radius: CornerRadius::same(CONTROL_RADIUS),
        fg_stroke: Stroke::new(1.0, text),
        expansion: 0.0,
    }
}

fn shadow(tokens: &Tokens, blur: u8) -> Shadow {
    Shadow { offset: [0, 4], blur, spread: 0, color: tokens.shadow }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Choice as _;

    /// Contrast ratio of two opaque colours.
    ///
    /// Source: WCAG 2.1, relative luminance and contrast ratio.
    fn contrast(one: Color32, other: Color32) -> f64 {
        let linear = |channel: u8| {
            let value = f64::from(channel) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        let luminance = |color: Color32| {
            0.2126 * linear(color.r()) + 0.7152 * linear(color.g()) + 0.0722 * linear(color.b())
        };
        let (a, b) = (luminance(one) + 0.05, luminance(other) + 0.05);
        a.max(b) / a.min(b)
    }

    #[test]
    fn every_text_colour_reads_on_every_background_of_its_theme() {
        for (name, t) in [("dark", DARK), ("light", LIGHT)] {
            let texts = [t.text, t.weak_text, t.success, t.warning, t.error, t.accent];
            let backgrounds = [t.background, t.panel_fill, t.card_fill, t.input_fill];
            for text in texts {
                for background in backgrounds {
                    let ratio = contrast(text, background);
                    assert!(ratio >= 4.5, "{name}: {text:?} on {background:?} is {ratio:.2}");
                }
            }
            assert!(contrast(t.on_accent, t.accent) >= 4.5, "{name}: text on the accent");
            assert!(contrast(t.text, t.hover_fill) >= 4.5, "{name}: text on what is hovered");
        }
    }

    #[test]
    fn text_reads_on_every_part() {
        for &part in Part::ALL {
            let ratio = contrast(text_on_part(part), part_color(part));
            assert!(ratio >= 4.5, "{part:?}: {ratio:.2}");
        }
        for &part in BarPart::ALL.iter().filter(|part| **part != BarPart::Free) {
            let ratio = contrast(text_on(measured_color(part)), measured_color(part));
            assert!(ratio >= 4.5, "{part:?}: {ratio:.2}");
        }
        for &part in TimePart::ALL {
            let ratio = contrast(text_on(time_color(part)), time_color(part));
            assert!(ratio >= 4.5, "{part:?}: {ratio:.2}");
        }
    }

    #[test]
    fn no_two_parts_share_a_colour() {
        for (index, &part) in Part::ALL.iter().enumerate() {
            for &other in Part::ALL.iter().skip(index + 1) {
                assert_ne!(part_color(part), part_color(other), "{part:?} and {other:?}");
            }
        }
    }
}
