//! Everything a person can make the window do: one list feeds menus, shortcuts and the palette.

use std::path::PathBuf;

use super::{live::LiveCommand, settings::ThemeChoice};
use crate::{
    plan::{Field, Group, Plan, choices},
    text::Language,
};

/// A wish of a view; the application alone carries it out.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// A command without arguments: menus, shortcuts and the palette offer it.
    Run(Action),
    /// The plan as it should be, and the field that was touched: successive edits of one field are one step of undo.
    Edit {
        /// The new plan.
        plan: Box<Plan>,
        /// The field that was touched.
        field: Field,
    },
    /// A group of fields goes back to its defaults.
    ResetGroup(Group),
    /// A stage of the pipeline is shown in table and timeline; none follows the worst.
    SelectStage(Option<usize>),
    /// One of the shipped examples is opened (index into `Session::examples`).
    OpenExample(usize),
    /// A file is opened.
    OpenFile(PathBuf),
    /// The language of the interface.
    SetLanguage(Language),
    /// The title or the author's note of the preset.
    SetTitle {
        /// Title.
        title: String,
        /// Author's note.
        note: String,
    },
    /// Something about the attached GPUs.
    Live(LiveCommand),
}

choices! {
    /// A tab of the centre.
    #[derive(PartialOrd, Ord)]
    pub enum Tab {
        /// Stacked bar, table, timeline.
        #[default]
        Memory = "tab-memory",
        /// Step time and roofline.
        Throughput = "tab-throughput",
        /// What the attached GPUs do.
        Live = "tab-live",
    }
}

choices! {
    /// A command without arguments.
    pub enum Action {
        /// A new plan with defaults.
        #[default]
        New = "action-new",
        /// Open a preset.
        Open = "action-open",
        /// Save the preset.
        Save = "action-save",
        /// Save under another name.
        SaveAs = "action-save-as",
        /// Title and note of the preset.
        EditTitle = "action-edit-title",
        /// Forget the files that were opened.
        ClearRecent = "action-clear-recent",
        /// Leave.
        Quit = "action-quit",
        /// Undo.
        Undo = "action-undo",
        /// Redo.
        Redo = "action-redo",
        /// Pin the plan for comparison.
        Pin = "action-pin",
        /// Drop the pinned plan.
        Unpin = "action-unpin",
        /// Back to the pinned plan.
        RestorePinned = "action-restore-pinned",
        /// Command palette.
        Palette = "action-palette",
        /// Memory tab.
        ShowMemory = "action-show-memory",
        /// Throughput tab.
        ShowThroughput = "action-show-throughput",
        /// Live tab.
        ShowLive = "action-show-live",
        /// Play recorded GPUs.
        PlayRecording = "action-play-recording",
        /// Larger.
        ZoomIn = "action-zoom-in",
        /// Smaller.
        ZoomOut = "action-zoom-out",
        /// 100 %.
        ZoomReset = "action-zoom-reset",
        /// Follow the system's theme.
        ThemeSystem = "action-theme-system",
        /// Light theme.
        ThemeLight = "action-theme-light",
        /// Dark theme.
        ThemeDark = "action-theme-dark",
        /// Advanced fields shown or hidden.
        ToggleAdvanced = "action-toggle-advanced",
        /// Log of messages.
        ShowLog = "action-show-log",
        /// Forget the messages.
        ClearLog = "action-clear-log",
        /// How to use the planner.
        ShowHelp = "action-show-help",
        /// Version, sources, licences.
        ShowAbout = "action-show-about",
    }
}

impl Action {
    /// The theme that an action chooses.
    #[must_use]
    pub const fn theme(self) -> Option<ThemeChoice> {
        match self {
            Self::ThemeSystem => Some(ThemeChoice::System),
            Self::ThemeLight => Some(ThemeChoice::Light),
            Self::ThemeDark => Some(ThemeChoice::Dark),
            _ => None,
        }
    }
}
