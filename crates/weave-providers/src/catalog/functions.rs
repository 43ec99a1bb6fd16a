//! Tools as the providers of models take them in a request.

use serde_json::{Map, Value, json};
use weave_ir::{Activation, Refusal, Tool};

use super::{Catalog, CatalogEntry, CatalogFormat, output, projected_output, put};
use crate::limits::Provider;
use crate::project::{Role, bundle, project};

/// The arguments of a tool as a provider takes them, and whether it holds the model to them. What its strict mode refuses goes without.
fn arguments(catalog: &Catalog, tool: &Tool, provider: Provider) -> (Value, bool) {
    if tool.strict {
        let projection = project(&tool.input, &catalog.defs, provider, Role::Arguments);
        if projection.refusals.is_empty() {
            return (projection.schema, true);
        }
    }
    (bundle(&tool.input, &catalog.defs), false)
}

fn is_deferred(tool: &Tool) -> Option<bool> {
    (tool.activation == Some(Activation::Deferred)).then_some(true)
}

/// A function tool of OpenAI's Responses.
pub(super) fn responses(catalog: &Catalog, entry: &CatalogEntry) -> Value {
    let mut made = Map::new();
    put(&mut made, "type", Some("function"));
    openai(catalog, entry, &mut made);
    put(&mut made, "defer_loading", is_deferred(&entry.tool));
    put(&mut made, "output_schema", output(catalog, &entry.tool));
    made.into()
}

/// A function tool of OpenAI's Chat Completions.
pub(super) fn chat(catalog: &Catalog, entry: &CatalogEntry) -> Value {
    let mut made = Map::new();
    openai(catalog, entry, &mut made);
    json!({ "type": "function", "function": made })
}

fn openai(catalog: &Catalog, entry: &CatalogEntry, made: &mut Map<String, Value>) {
    let (parameters, strict) = arguments(catalog, &entry.tool, Provider::OpenAi);
    put(made, "name", Some(entry.name.as_str()));
    put(made, "description", entry.tool.description.as_deref());
    put(made, "parameters", Some(parameters));
    put(made, "strict", Some(strict));
}

/// A tool of Anthropic's Messages.
pub(super) fn anthropic(catalog: &Catalog, entry: &CatalogEntry) -> Value {
    let (schema, strict) = arguments(catalog, &entry.tool, Provider::Anthropic);
    let mut made = Map::new();
    put(&mut made, "name", Some(entry.name.as_str()));
    put(&mut made, "description", entry.tool.description.as_deref());
    put(&mut made, "input_schema", Some(schema));
    put(&mut made, "strict", strict.then_some(true));
    put(&mut made, "defer_loading", is_deferred(&entry.tool));
    let examples: Vec<Value> = entry.tool.examples.iter().map(|example| example.input.clone()).collect();
    put(&mut made, "input_examples", (!examples.is_empty()).then_some(examples));
    made.into()
}

/// A function declaration of Gemini, which holds every schema to its limits.
pub(super) fn gemini(catalog: &Catalog, entry: &CatalogEntry) -> Result<Value, Vec<Refusal>> {
    let projection = project(&entry.tool.input, &catalog.defs, Provider::Gemini, Role::Arguments);
    if !projection.refusals.is_empty() {
        return Err(projection.refusals);
    }
    let mut made = Map::new();
    put(&mut made, "name", Some(entry.name.as_str()));
    put(&mut made, "description", entry.tool.description.as_deref());
    put(&mut made, "parametersJsonSchema", Some(projection.schema));
    put(&mut made, "responseJsonSchema", projected_output(catalog, &entry.tool, Provider::Gemini));
    Ok(made.into())
}

/// A tool that a provider executes, in the provider's own words; nothing in the form of another.
pub(super) fn built_in(entry: &CatalogEntry, format: CatalogFormat) -> Option<Value> {
    let via = entry.tool.via.as_ref()?;
    let options = via.options.iter().map(|(key, value)| (key.clone(), value.clone()));
    let name = entry.declared_name.as_str();
    let mut made = Map::new();
    match (format, via.provider.as_str()) {
        (CatalogFormat::OpenAi, "openai") => put(&mut made, "type", Some(name)),
        (CatalogFormat::Anthropic, "anthropic") => {
            put(&mut made, "type", Some(name));
            put(&mut made, "name", Some(name));
        }
        (CatalogFormat::Gemini, "gemini" | "google") => {
            put(&mut made, &camel(name), Some(options.collect::<Map<String, Value>>()));
            return Some(made.into());
        }
        _ => return None,
    }
    // An author who names a version of the tool, as Anthropic wants it, says `type` among the options.
    made.extend(options);
    Some(made.into())
}

/// `google_search` as `googleSearch`.
fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let mut made = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut characters = word.chars();
        made.extend(characters.next().map(|first| first.to_ascii_uppercase()));
        made.push_str(characters.as_str());
    }
    made
}
