//! Everything egui and nothing else.

pub mod app;
pub mod command;
mod dispatch;
pub mod files;
pub mod fonts;
pub mod history;
mod layout;
pub mod live;
pub mod messages;
pub mod panels;
pub mod run;
pub mod session;
pub mod settings;
pub mod shortcuts;
pub mod theme;
pub mod widgets;

/// Prepares a context for the window's views: fonts, both styles, and the keys that are ours.
pub fn install(ctx: &egui::Context) {
    fonts::install(ctx);
    theme::install(ctx);
    ctx.options_mut(|options| {
        // Zoom and quit are commands like all others; quitting asks for unsaved changes first.
        options.zoom_with_keyboard = false;
        options.quit_shortcuts.clear();
    });
}
