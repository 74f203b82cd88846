//! Opens the window, and says in one plain sentence why it cannot.

use std::{
    panic::{self, AssertUnwindSafe},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use super::app::{PlannerApp, StartOptions};
use crate::message::Message;

/// Name of the window, and of the folder that keeps its settings.
const APP_ID: &str = "vramplan";
/// Size of a new window, points.
const INNER_SIZE: [f32; 2] = [1440.0, 900.0];
/// Icon of the window, drawn from `assets/icon/vramplan.svg`.
const ICON_PNG: &[u8] = include_bytes!("../../assets/icon/vramplan-256.png");
/// Smallest size that the layout is made for, points.
const MIN_INNER_SIZE: [f32; 2] = [1024.0, 640.0];

/// Libraries that are looked for when the window opens, with their Debian packages. The more
/// particular names come first, since a name is recognised by how it begins.
const LIBRARIES: [(&str, &str); 9] = [
    ("libxkbcommon-x11.so", "libxkbcommon-x11-0"),
    ("libxkbcommon.so", "libxkbcommon0"),
    ("libX11-xcb.so", "libx11-xcb1"),
    ("libX11.so", "libx11-6"),
    ("libXcursor.so", "libxcursor1"),
    ("libXi.so", "libxi6"),
    ("libXrender.so", "libxrender1"),
    ("libEGL.so", "libgl1"),
    ("libGL.so", "libgl1"),
];

/// Why the window cannot open.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// No display server, or none that answers.
    #[error(
        "No display was found, so that the window cannot open; run “vramplan estimate PLAN.ron” for an answer without one"
    )]
    NoDisplay,
    /// No usable OpenGL.
    #[error(
        "OpenGL 2.1 or later was not found, so that the window cannot open; install the graphics driver or, on Debian, the package libgl1, or run “vramplan estimate PLAN.ron”"
    )]
    NoOpenGl,
    /// A library that is loaded when the window opens.
    #[error(
        "The library {library} was not found, so that the window cannot open; on Debian, install the package {package}, or run “vramplan estimate PLAN.ron”"
    )]
    MissingLibrary {
        /// Beginning of its file name.
        library: &'static str,
        /// Debian package.
        package: &'static str,
    },
    /// Anything else.
    #[error(
        "The window cannot open: {reason}; run “vramplan estimate PLAN.ron” for an answer without one"
    )]
    Other {
        /// What the system says.
        reason: String,
    },
}

impl RunError {
    /// The same as a sentence in the person's language.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::NoDisplay => Message::new("run-no-display"),
            Self::NoOpenGl => Message::new("run-no-opengl"),
            Self::MissingLibrary { library, package } => Message::new("run-missing-library")
                .with("library", (*library).to_owned())
                .with("package", (*package).to_owned()),
            Self::Other { reason } => Message::new("run-other").with("reason", reason.clone()),
        }
    }
}

/// Opens the window and returns when it is closed.
///
/// # Errors
///
/// A [`RunError`] if the window cannot open.
///
/// # Panics
///
/// Passes on a panic of the running window; one while it opens becomes a [`RunError`].
pub fn run(options: StartOptions) -> Result<(), RunError> {
    let opening = Arc::new(Opening::default());
    opening.keep_quiet();
    let window = Arc::clone(&opening);
    let creator: eframe::AppCreator<'_> = Box::new(move |context| {
        let app = PlannerApp::new(context, options);
        window.done.store(true, Ordering::Release);
        Ok(Box::new(app))
    });
    let native = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title(APP_ID)
            .with_app_id(APP_ID)
            .with_icon(icon())
            .with_inner_size(INNER_SIZE)
            .with_min_inner_size(MIN_INNER_SIZE),
        renderer: eframe::Renderer::Glow,
        ..eframe::NativeOptions::default()
    };
    match panic::catch_unwind(AssertUnwindSafe(|| eframe::run_native(APP_ID, native, creator))) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(explain(&error)),
        Err(payload) if opening.done.load(Ordering::Acquire) => panic::resume_unwind(payload),
        Err(_) => Err(opening.reason()),
    }
}

/// The window's icon; an empty one asks for the system's usual one.
fn icon() -> egui::IconData {
    eframe::icon_data::from_png_bytes(ICON_PNG).unwrap_or_default()
}

/// Whether the window is still being opened, and what went wrong meanwhile.
///
/// A missing library of the display server is a panic deep inside the window library, not an error;
/// a person should read what to install, not where in the code it happened.
#[derive(Default)]
struct Opening {
    done: AtomicBool,
    panic: Mutex<Option<String>>,
}

impl Opening {
    /// Panics are kept instead of printed until the window is open.
    fn keep_quiet(self: &Arc<Self>) {
        let opening = Arc::clone(self);
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if opening.done.load(Ordering::Acquire) {
                usual(info);
                return;
            }
            let reason = info.payload_as_str().unwrap_or("an unknown reason").to_owned();
            log::info!("panic while the window opened: {info}");
            *opening.panic.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason);
        }));
    }

    fn reason(&self) -> RunError {
        let panic = self.panic.lock().unwrap_or_else(PoisonError::into_inner).take();
        let reason = panic.unwrap_or_default();
        missing_library(&reason).unwrap_or(RunError::Other { reason })
    }
}

/// What an error of the window library means to a person.
fn explain(error: &eframe::Error) -> RunError {
    let details = format!("{error:?}");
    log::info!("the window library says: {details}");
    match error {
        eframe::Error::WinitEventLoop(_) => {
            missing_library(&details).unwrap_or(RunError::NoDisplay)
        }
        eframe::Error::NoGlutinConfigs(..)
        | eframe::Error::Glutin(_)
        | eframe::Error::OpenGL(_) => RunError::NoOpenGl,
        _ => RunError::Other { reason: error.to_string() },
    }
}

/// The first known library that a text names.
fn missing_library(details: &str) -> Option<RunError> {
    let at = |name: &str| details.find(name);
    LIBRARIES
        .iter()
        .filter_map(|&(library, package)| Some((at(library)?, library, package)))
        .min_by_key(|&(position, ..)| position)
        .map(|(_, library, package)| RunError::MissingLibrary { library, package })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Language, Texts};

    #[test]
    fn the_icon_is_a_picture() {
        let icon = icon();
        assert_eq!((icon.width, icon.height), (256, 256), "the size of its file");
    }

    #[test]
    fn a_missing_library_names_its_package() {
        let panic = "Library libxkbcommon-x11.so could not be loaded.";
        let error = missing_library(panic).expect("recognised");
        assert!(error.to_string().contains("libxkbcommon-x11-0"), "names the package: {error}");
        let open = "XNotSupported(LibraryOpenError(OpenError { kind: Library, detail: \"opening \
                    library failed (libXcursor.so.1: cannot open shared object file\" }))";
        let error = missing_library(open).expect("recognised");
        assert!(error.to_string().contains("libxcursor1"), "names the package: {error}");
    }

    #[test]
    fn no_display_is_one_sentence_that_names_the_alternative() {
        let details =
            "Os(OsError { error: Misc(\"neither WAYLAND_DISPLAY nor DISPLAY is set.\") })";
        assert_eq!(missing_library(details), None, "no library is to blame");
        assert!(RunError::NoDisplay.to_string().contains("vramplan estimate"), "the alternative");
    }

    #[test]
    fn the_english_texts_are_the_errors_themselves() {
        let texts = Texts::new(Language::English);
        for error in [
            RunError::NoDisplay,
            RunError::NoOpenGl,
            RunError::MissingLibrary { library: "libX11.so", package: "libx11-6" },
            RunError::Other { reason: "because".to_owned() },
        ] {
            assert_eq!(texts.message(&error.message()), error.to_string(), "one wording");
        }
    }
}
