//! What the schema of `weave.toml` says of a path.

use serde_json::Value;

use super::place::Step;

/// References lead to definitions, which lead no further than this.
const MOST_REFERENCES: usize = 8;

/// The schema.
pub(super) struct Schema(Value);

impl Schema {
    pub(super) fn new() -> Self {
        Self(weave_lint::config_schema())
    }

    /// The schemas of what stands at a path, each alternative; nothing if there is no such key.
    pub(super) fn at(&self, path: &[Step]) -> Vec<&Value> {
        let mut here = self.alternatives(&self.0);
        for step in path {
            let next = here.iter().filter_map(|schema| match step {
                Step::Key(key) => {
                    let known = schema.get("properties").and_then(|known| known.get(key));
                    known.or_else(|| schema.get("additionalProperties").filter(|others| others.is_object()))
                }
                Step::Item(_) => schema.get("items"),
            });
            here = next.flat_map(|schema| self.alternatives(schema)).collect();
        }
        here
    }

    /// A schema with those that it refers to, itself first.
    fn alternatives<'a>(&'a self, schema: &'a Value) -> Vec<&'a Value> {
        let mut found = Vec::new();
        let mut open = vec![(schema, 0)];
        while let Some((schema, depth)) = open.pop() {
            found.push(schema);
            if depth == MOST_REFERENCES {
                continue;
            }
            let referred = schema.get("$ref").and_then(Value::as_str).and_then(|name| self.0.pointer(name.strip_prefix('#')?));
            let combined = ["allOf", "anyOf"].iter().filter_map(|key| schema.get(key)?.as_array()).flatten();
            let next: Vec<_> = referred.into_iter().chain(combined).map(|schema| (schema, depth + 1)).collect();
            open.extend(next.into_iter().rev());
        }
        found
    }

    /// What stands at a path is for, in Markdown; nothing if there is no such key.
    pub(super) fn described(&self, path: &[Step]) -> Option<String> {
        let here = self.at(path);
        let text = |key: &str| here.iter().find_map(|schema| schema.get(key)?.as_str());
        let mut said: Vec<String> = Vec::new();
        let rule = match path {
            [.., Step::Key(table), Step::Key(name)] if table == "rules" => crate::hover::described_rule(name),
            _ => None,
        };
        said.extend(rule.or_else(|| text("description").map(str::to_owned)));
        let values = values(&here);
        if !values.is_empty() && values.len() <= 8 {
            said.push(format!("One of {}.", values.iter().map(|value| format!("`{value:?}`")).collect::<Vec<_>>().join(", ")));
        }
        let number = |key: &str| here.iter().find_map(|schema| schema.get(key)?.as_u64());
        if let (Some(least), Some(most)) = (number("minimum"), number("maximum")) {
            said.push(format!("A whole number from {least} to {most}."));
        }
        if let Some(default) = here.iter().find_map(|schema| schema.get("default"))
            && !said.iter().any(|said| said.ends_with("where nothing is said."))
        {
            said.push(format!("Where nothing is said: `{default}`."));
        }
        (!said.is_empty()).then(|| said.join("\n\n"))
    }
}

/// The words that a value may be.
pub(super) fn values<'a>(schemas: &[&'a Value]) -> Vec<&'a str> {
    let all = schemas.iter().filter_map(|schema| schema.get("enum")?.as_array()).flatten();
    all.filter_map(Value::as_str).collect()
}
