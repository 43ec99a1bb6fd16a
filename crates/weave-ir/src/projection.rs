//! Projections: schemas as particular providers of models accept them, and what is lost on the way.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Schema;
use crate::wire::{flag_schema, is_false};

/// What one provider is told in place of the schemas of the definition.
///
/// What is not listed is told as it is. References of all schemas here are looked up in `$defs` here first, then in the definition's.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProviderProjections {
    /// The arguments of tools, by keys of `tools`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tools: BTreeMap<String, Projection>,
    /// The arguments and answers of agents, by keys of `agents`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub agents: BTreeMap<String, AgentProjection>,
    /// The input of workflows that are offered as tools, by keys of `workflows`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub workflows: BTreeMap<String, Projection>,
    /// Named types, by keys of `$defs`.
    #[serde(default, rename = "$defs", skip_serializing_if = "BTreeMap::is_empty")]
    pub defs: BTreeMap<String, Projection>,
}

impl ProviderProjections {
    /// Whether the provider is told everything as it is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty() && self.agents.is_empty() && self.workflows.is_empty() && self.defs.is_empty()
    }
}

/// The projections of one agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AgentProjection {
    /// Of its arguments, where it is offered as a tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Projection>,
    /// Of its answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Projection>,
}

impl AgentProjection {
    /// Whether the provider is told both as they are.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.input.is_none() && self.output.is_none()
    }
}

/// One schema as one provider accepts it, or why it does not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Projection {
    /// The schema; absent where the provider refuses it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Schema>,
    /// The value stands alone in the property `value` of an object, because the provider takes nothing but objects here.
    #[serde(default, skip_serializing_if = "is_false")]
    #[schemars(schema_with = "flag_schema")]
    pub wrapped: bool,
    /// What the provider is not told, or only in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<Loss>,
    /// What the provider refuses. Then there is no `schema`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<Refusal>,
}

/// Something that the provider does not enforce.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Loss {
    /// The JSON pointer of the keyword in the schema that is projected.
    pub at: String,
    /// What became of it.
    pub to: Fate,
}

/// What became of a keyword that a provider does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// The description says it in words.
    Description,
    /// It is left out.
    Dropped,
    /// It stands there in another form that says a little less.
    Rewritten,
    /// It stands there, and the provider follows it to some depth only.
    Limited,
}

/// Something that makes a provider refuse a schema.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Refusal {
    /// The JSON pointer of the place in the schema that is projected; one that begins with `/$defs/` leads into a named type.
    pub at: String,
    /// Why.
    pub why: Reason,
}

/// Why a provider refuses a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// A map: an object whose properties have no names yet.
    Map,
    /// A record that may have more properties than those that are declared.
    Open,
    /// Any value at all.
    Anything,
    /// A type that holds itself.
    Recursive,
    /// Alternatives whose first properties have one name and no distinct constants.
    SameFirstKey,
    /// The name of a property.
    PropertyName,
    /// A keyword that would change the meaning if it were left out.
    Keyword,
    /// More properties than the provider takes.
    TooManyProperties,
    /// Objects nested deeper than the provider takes.
    TooDeep,
    /// More values of enums than the provider takes.
    TooManyValues,
    /// The values of one enum are longer together than the provider takes.
    LongEnum,
    /// The names and values are longer together than the provider takes.
    TooLong,
    /// More optional properties than the provider takes.
    TooManyOptional,
    /// More unions than the provider takes.
    TooManyUnions,
    /// A reference that leads nowhere.
    Reference,
}
