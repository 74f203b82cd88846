//! What exists: devices, models, links and overheads, each with its source.
//!
//! The facts are RON files under `assets/catalogue`, embedded in the program; files in a folder of
//! the user's add to them or override them ([`Catalogue::with_user_folder`]).

mod architecture;
mod dtype;
mod gpu;
mod link;
mod load;
pub(crate) mod locate;
mod model;
mod overhead;
mod problem;
mod propose;
mod validate;

pub use architecture::{
    Activation, Architecture, Biases, Mla, Moe, Norm, NormPlacement, Positions, QkNorm, Window,
};
pub use dtype::Dtype;
pub use gpu::{
    APPLE_SHARE_LARGE, APPLE_SHARE_SMALL, APPLE_SMALL_GB, CapacityBasis, Confidence, Gpu,
    MemoryKind, NvLink, Tflops, USABLE_SHARE_INLINE_ECC, USABLE_SHARE_OF_LABEL,
    USABLE_SHARE_UNIFIED,
};
pub use link::{Link, LinkCategory, LinkKind, LinkUnit};
pub use load::Catalogue;
pub use model::Model;
pub use overhead::{Overhead, OverheadUnit, Tier};
pub use problem::{CatalogueProblem, SyntaxReason};
pub use propose::{SizeError, parse_size, plausible_architecture};
pub use validate::{Flaw, Rule, label_key};
