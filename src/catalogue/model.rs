//! An entry of the model catalogue.

use serde::{Deserialize, Serialize};

use super::Architecture;

/// A published model: its architecture and the exact number of parameters of its real code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// Key of the catalogue, such as `llama-3.1-8b`.
    pub id: String,
    /// Name for people, such as `Llama 3.1 8B`.
    pub name: String,
    /// Class of the reference implementation, such as `LlamaForCausalLM`.
    #[serde(default)]
    pub family: String,
    /// Every field that matters.
    pub architecture: Architecture,
    /// Exact total, all experts included, tied weights counted once; 0 where an entry of the user's
    /// does not state it.
    #[serde(default)]
    pub params_total: u64,
    /// Parameters that one token uses; 0 as above.
    #[serde(default)]
    pub params_active: u64,
    /// Where the configuration and the total come from.
    #[serde(default)]
    pub source: String,
}
