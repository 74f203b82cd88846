//! The model of a plan.

use serde::{Deserialize, Serialize};

use crate::catalogue::Architecture;

/// A model of the catalogue by id, or one described in the plan itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ModelChoice {
    /// Id of a catalogue entry.
    Catalogue(String),
    /// A model that the person described.
    Custom(Box<CustomModel>),
}

/// A model that the person described, field by field or by its size only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CustomModel {
    /// Name for people.
    pub name: String,
    /// Every field that matters.
    pub architecture: Architecture,
    /// The size it was proposed from, such as `13B`; none if every field was given.
    #[serde(default)]
    pub proposed_from: Option<String>,
}

impl Default for ModelChoice {
    fn default() -> Self {
        Self::Catalogue("llama-3.1-8b".to_owned())
    }
}
