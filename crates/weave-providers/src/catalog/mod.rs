//! Catalogs: tools in the forms in which protocols and providers list them.
//!
//! Each form has a module that makes one tool; what is the same for all of them is here. A tool that a form has no word for is left out:
//! silently, if it is another provider's own, else with the reason.

mod functions;
mod lash;
mod mcp;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use weave_ir::{Refusal, Schema, Tool, ToolKind};

use crate::definition::only_reference;
use crate::limits::Provider;
use crate::project::{Role, bundle, project};

/// What an application offers models.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Catalog {
    /// What is offered, in the order in which it shall be listed.
    pub entries: Vec<CatalogEntry>,
    /// The schemas of named types, for `#/$defs/NAME`.
    pub defs: BTreeMap<String, Schema>,
}

/// Something that is offered under one name.
#[derive(Clone, Debug, PartialEq)]
pub struct CatalogEntry {
    /// The name that a model sees, namespace and renaming included.
    pub name: String,
    /// What it was declared as.
    pub declared: Callable,
    /// Its name in its declaration.
    pub declared_name: String,
    /// What there is to say about it. Of agents and workflows that is their schemas and words.
    pub tool: Tool,
}

/// What a model can call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Callable {
    /// A tool.
    Tool,
    /// An agent.
    Agent,
    /// A workflow.
    Workflow,
}

/// The form of a catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CatalogFormat {
    /// The answer to `tools/list` of the Model Context Protocol.
    Mcp,
    /// The `tools` of OpenAI's Responses.
    OpenAi,
    /// The `tools` of OpenAI's Chat Completions.
    OpenAiChat,
    /// The `tools` of Anthropic's Messages.
    Anthropic,
    /// The `tools` of Gemini's `generateContent`.
    Gemini,
    /// An array of lash's `ToolDefinition`.
    Lash,
}

impl CatalogFormat {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Mcp, Self::OpenAi, Self::OpenAiChat, Self::Anthropic, Self::Gemini, Self::Lash];

    /// The name on the command line and in names of files.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Mcp => "mcp",
            Self::OpenAi => "openai",
            Self::OpenAiChat => "openai-chat",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Lash => "lash",
        }
    }

    /// Whose limits hold for names and schemas; none for lash, which projects schemas itself.
    const fn provider(self) -> Option<Provider> {
        match self {
            Self::Mcp => Some(Provider::Mcp),
            Self::OpenAi | Self::OpenAiChat => Some(Provider::OpenAi),
            Self::Anthropic => Some(Provider::Anthropic),
            Self::Gemini => Some(Provider::Gemini),
            Self::Lash => None,
        }
    }
}

/// A catalog in one form.
#[derive(Clone, Debug, PartialEq)]
pub struct CatalogDocument {
    /// The document.
    pub json: Value,
    /// What could not be said in this form.
    pub left_out: Vec<LeftOut>,
}

/// Something that a form cannot carry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The name under which it is offered.
    pub name: String,
    /// What the provider refuses of its schema; nothing if it is the name that it refuses.
    pub refusals: Vec<Refusal>,
}

/// The catalog in one form.
///
/// The same arguments give the same document: tools in the order of the catalog, keys in a fixed order.
#[must_use]
pub fn catalog(catalog: &Catalog, format: CatalogFormat) -> CatalogDocument {
    let mut left_out = Vec::new();
    let mut functions = Vec::new();
    let mut built_in = Vec::new();
    let mut known = BTreeSet::new();
    let names_of_ids = names_of_ids(catalog);
    for entry in &catalog.entries {
        if entry.tool.kind == ToolKind::Provider {
            // The same tool may be offered under several names; its provider knows it by one only.
            built_in.extend(functions::built_in(entry, format).filter(|it| known.insert(it.to_string())));
            continue;
        }
        let is_named = format.provider().is_none_or(|provider| provider.limits().tool_names.allow(&entry.name));
        if !is_named {
            left_out.push(LeftOut { name: entry.name.clone(), refusals: Vec::new() });
            continue;
        }
        match one(catalog, entry, format, &names_of_ids) {
            Ok(tool) => functions.push(tool),
            Err(refusals) => left_out.push(LeftOut { name: entry.name.clone(), refusals }),
        }
    }
    CatalogDocument { json: together(functions, built_in, format), left_out }
}

/// Under how many names each `id` is offered.
fn names_of_ids(catalog: &Catalog) -> BTreeMap<&str, usize> {
    let mut names = BTreeMap::new();
    for id in catalog.entries.iter().filter_map(|entry| entry.tool.id.as_deref()) {
        *names.entry(id).or_default() += 1;
    }
    names
}

fn one(
    catalog: &Catalog,
    entry: &CatalogEntry,
    format: CatalogFormat,
    names_of_ids: &BTreeMap<&str, usize>,
) -> Result<Value, Vec<Refusal>> {
    match format {
        CatalogFormat::Mcp => Ok(mcp::tool(catalog, entry)),
        CatalogFormat::OpenAi => Ok(functions::responses(catalog, entry)),
        CatalogFormat::OpenAiChat => Ok(functions::chat(catalog, entry)),
        CatalogFormat::Anthropic => Ok(functions::anthropic(catalog, entry)),
        CatalogFormat::Gemini => functions::gemini(catalog, entry),
        CatalogFormat::Lash => Ok(lash::tool(catalog, entry, names_of_ids)),
    }
}

fn together(functions: Vec<Value>, built_in: Vec<Value>, format: CatalogFormat) -> Value {
    let mut functions = match format {
        CatalogFormat::Mcp => return json!({ "tools": functions }),
        CatalogFormat::Gemini if functions.is_empty() => Vec::new(),
        CatalogFormat::Gemini => vec![json!({ "functionDeclarations": functions })],
        _ => functions,
    };
    functions.extend(built_in);
    functions.into()
}

/// The schema of what a tool answers; nothing if it answers nothing. A named type is written out: older readers look for a `type`.
fn output(catalog: &Catalog, tool: &Tool) -> Option<Value> {
    answer(catalog, tool).map(|schema| bundle(schema, &catalog.defs))
}

/// The schema of what a tool answers, as the provider accepts it; nothing if it answers nothing or the provider refuses it.
fn projected_output(catalog: &Catalog, tool: &Tool, provider: Provider) -> Option<Value> {
    let projection = project(answer(catalog, tool)?, &catalog.defs, provider, Role::Answer);
    projection.refusals.is_empty().then_some(projection.schema)
}

fn answer<'c>(catalog: &'c Catalog, tool: &'c Tool) -> Option<&'c Schema> {
    let mut schema = &tool.output;
    // A name may stand for a name.
    for _ in 0..=catalog.defs.len() {
        let Some(named) = only_reference(schema).and_then(|name| catalog.defs.get(&name)) else { break };
        schema = named;
    }
    (schema.as_value().get("type").and_then(Value::as_str) != Some("null")).then_some(schema)
}

/// Puts in what is there.
fn put<V: Into<Value>>(entries: &mut Map<String, Value>, key: &str, value: Option<V>) {
    if let Some(value) = value {
        entries.insert(key.to_owned(), value.into());
    }
}
