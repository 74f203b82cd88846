//! The traps that memory planners fall into, each as a test that fails if the trap were fallen into.
//!
//! A doc comment names the project in whose tracker or source the trap was seen and the behaviour that
//! is right. Golden numbers come with their arithmetic, so that they can be checked by hand.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod activations;
mod cache;
mod checkpointing;
mod counting;
mod experts;
mod hardware;
mod pipeline;
mod planner;
mod sharding;
mod states;
mod units;
mod verdict;
