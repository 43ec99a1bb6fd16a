//! JSON as it stands in TypeScript.

use serde_json::Value;

use crate::text::visible_json;

/// A name as the key of an object, whatever it means to objects.
pub(super) fn entry(name: &str) -> String {
    if name == "__proto__" { property(name) } else { super::names::key(name) }
}

/// A string.
pub(super) fn text(value: &str) -> String {
    visible_json(&Value::from(value).to_string())
}

/// The key of an object. `__proto__` would be no property but the prototype, so it is written as a computed one.
pub(super) fn property(key: &str) -> String {
    if key == "__proto__" { format!("[{}]", text(key)) } else { text(key) }
}

/// A value, indented by so many spaces. Keys are written as [`property`] does.
pub(super) fn json(value: &Value, indent: usize) -> String {
    let pretty = visible_json(&format!("{value:#}"));
    let margin = " ".repeat(indent);
    let lines = pretty.lines().map(|line| {
        let body = line.trim_start();
        match body.strip_prefix("\"__proto__\":") {
            Some(rest) => format!("{}[\"__proto__\"]:{rest}", line.get(..line.len() - body.len()).unwrap_or_default()),
            None => line.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join(&format!("\n{margin}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn no_key_changes_the_object() {
        let value = json!({ "__proto__": { "a": "\"__proto__\": \n" }, "b": [1] });
        let expected = "{\n    [\"__proto__\"]: {\n      \"a\": \"\\\"__proto__\\\": \\n\"\n    },\n    \"b\": [\n      1\n    ]\n  }";
        assert_eq!(super::json(&value, 2), expected);
    }
}
