//! Our own widgets and small shared pieces, one file each.

pub mod axis;
pub mod choice_combo;
pub mod field_row;
pub mod info_window;
pub mod issue_list;
pub mod memory_bar;
pub mod note_strip;
pub mod piece_bars;
pub mod search_combo;
pub mod segment;
pub mod segmented;
pub mod size_slider;
pub mod sparkline;
pub mod stage_strip;
pub mod step_bar;
pub mod term_view;
pub mod toasts;
