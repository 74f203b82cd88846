//! In and out of other people's formats; one format, one folder.

pub mod cases;
