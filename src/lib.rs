//! vramplan: a planner for GPU memory and throughput of transformer models.
pub mod catalogue;
pub mod cli;
pub mod estimate;
pub mod explain;
pub mod interop;
pub mod memory;
pub mod message;
pub mod monitor;
pub mod plan;
pub mod text;
pub mod throughput;
pub mod ui;
pub mod units;
