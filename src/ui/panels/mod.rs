//! One panel, one file.

pub mod about;
mod centre;
pub mod dialogs;
pub mod help;
pub mod log;
pub mod menu_bar;
pub mod palette;
mod plan;
pub mod status_bar;

pub use self::{
    centre::{centre_in_page_ui, centre_ui},
    plan::plan_panel_ui,
};
