//! Programs as texts, and what becomes of them.

mod codes;
mod editing;
mod examples;
mod guards;
mod invariance;
mod loading;
mod nodes;
mod parts;
mod problems;
mod schemas;
mod source_maps;
mod strict;
mod triggers;

use serde_json::Value;

use crate::{Compiled, Example, Snapshot};

/// Checks a program whose further files start with `// file: name.weave`.
pub(crate) fn snapshot(text: &str) -> Snapshot {
    Example::new(text).check()
}

/// Diagnostics, one a line: "file:covered text: id: message (label)", and below it the other places.
pub(crate) fn shown(snapshot: &Snapshot) -> String {
    let mut lines = Vec::new();
    for diagnostic in snapshot.diagnostics() {
        let at = |place: weave_diagnostics::Place| {
            let covered = snapshot.sources().text(place).lines().next().unwrap_or_default().to_owned();
            format!("{}: {covered}", snapshot.sources().name(place.file))
        };
        let primary = &diagnostic.primary;
        lines.push(format!("{}: {}: {} ({})", at(primary.place), diagnostic.code.id, diagnostic.message, primary.message));
        lines.extend(diagnostic.secondary.iter().map(|label| format!("  {}: {}", at(label.place), label.message)));
    }
    lines.join("\n")
}

/// The workflows of a program without errors, each of them valid.
pub(crate) fn compiled(text: &str) -> Vec<Compiled> {
    let snapshot = snapshot(text);
    assert!(!snapshot.has_errors(), "{}\n{text}", shown(&snapshot));
    let compiled = snapshot.compile().unwrap();
    compiled.iter().for_each(|one| assert_valid(&one.definition));
    compiled
}

/// The definition of the last workflow of a program, as JSON.
pub(crate) fn definition(text: &str) -> Value {
    let compiled = compiled(text);
    let definition = &compiled.last().unwrap().definition;
    serde_json::from_str(&definition.to_json_compact().unwrap()).unwrap()
}

/// Demands that a definition is sound, fits the published schema, is read back as it is, and has nothing but valid schemas in it.
pub(crate) fn assert_valid(definition: &weave_ir::Definition) {
    static SCHEMA: std::sync::LazyLock<jsonschema::Validator> =
        std::sync::LazyLock::new(|| jsonschema::draft202012::new(&weave_ir::json_schema()).unwrap());
    assert_eq!(definition.validate(), []);
    let text = definition.to_json_pretty().unwrap();
    assert_eq!(weave_ir::Definition::from_json(&text).as_ref(), Ok(definition));
    let json: Value = serde_json::from_str(&text).unwrap();
    if let Err(error) = SCHEMA.validate(&json) {
        panic!("{}: {error}", error.instance_path());
    }
    let mut schemas = vec![&definition.input, &definition.output];
    schemas.extend(definition.defs.values());
    schemas.extend(definition.events.values().map(|event| &event.payload));
    schemas.extend(definition.errors.values().map(|error| &error.data));
    schemas.extend(
        definition
            .tools
            .values()
            .flat_map(|tool| [Some(&tool.input), Some(&tool.output), tool.progress.as_ref(), tool.artifacts.as_ref()])
            .flatten(),
    );
    schemas.extend(definition.agents.values().flat_map(|agent| [&agent.input, &agent.output]));
    schemas.extend(definition.prompts.values().flat_map(|prompt| [Some(&prompt.input), prompt.hydrates.as_ref()]).flatten());
    schemas.extend(definition.workflows.values().flat_map(|workflow| [&workflow.input, &workflow.output]));
    for schema in schemas {
        validator(schema.as_value(), &json["$defs"]);
    }
}

/// A validator for a schema whose references lead into these definitions.
pub(crate) fn validator(schema: &Value, defs: &Value) -> jsonschema::Validator {
    assert!(jsonschema::draft202012::meta::is_valid(schema), "{schema}");
    let mut whole = serde_json::json!({ "$defs": defs.as_object().cloned().unwrap_or_default() });
    whole["allOf"] = serde_json::json!([schema]);
    jsonschema::draft202012::options().should_validate_formats(true).build(&whole).unwrap()
}

/// Each element of a list of JSON on a line of its own.
pub(crate) fn lines(list: &Value) -> String {
    list.as_array().unwrap().iter().map(Value::to_string).collect::<Vec<_>>().join("\n")
}
