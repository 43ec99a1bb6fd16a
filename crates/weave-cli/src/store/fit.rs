//! Values from the command line, and whether they fit their schemas.

use std::path::Path;

use serde_json::Value;
use weave_ir::{Definition, Schema};

use crate::failure::{Failure, reason};

/// How much is said about a value that does not fit.
const MOST_LISTED: usize = 20;

/// The value that a word of the command line is: JSON, a file with JSON, or `-` for standard input. `what` it is, for messages.
pub(super) fn value(given: &str, what: &str) -> Result<Value, Failure> {
    let (place, text) = if given == "-" {
        let text = crate::read::read_standard_input().map_err(|error| Failure::new(format!("cannot read {what}: {error}")))?;
        ("standard input".to_owned(), text.to_string())
    } else {
        let problem = match serde_json::from_str(given) {
            Ok(value) => return Ok(value),
            Err(problem) => problem,
        };
        let path = given.strip_prefix('@').unwrap_or(given);
        if given.trim_start().starts_with(['{', '[', '"']) {
            return Err(Failure::new(format!("{what} is not JSON: {problem}")).help("quote it for the shell: '{\"key\": \"value\"}'"));
        }
        let text = std::fs::read_to_string(Path::new(path)).map_err(|error| {
            Failure::new(format!("{what} is not JSON, and `{path}` cannot be read: {}", reason(&error)))
                .help("give JSON, a file with JSON, or `-` for standard input; a text needs quotes inside quotes: '\"text\"'")
        })?;
        (format!("`{path}`"), text)
    };
    serde_json::from_str(&text).map_err(|error| Failure::new(format!("{what} in {place} is not JSON: {error}")))
}

/// Refuses a value that does not fit its schema, with an example that does.
pub(super) fn check(value: &Value, schema: Option<&Schema>, definition: &Definition, what: &str) -> Result<(), Failure> {
    let Some(schema) = schema else { return Ok(()) };
    let bundle = weave_providers::bundle(schema, &definition.defs);
    let Some(validator) = weave_runner::validator(&bundle) else { return Ok(()) };
    let errors: Vec<_> = validator.iter_errors(value).take(MOST_LISTED).collect();
    if errors.is_empty() {
        return Ok(());
    }
    let failure = errors.iter().fold(Failure::new(format!("{what} does not fit")), |failure, error| {
        let (path, misfit) = (error.instance_path().as_str().trim_start_matches('/').replace('/', "."), weave_runner::misfit(error));
        failure.detail(if path.is_empty() { misfit } else { format!("{path}: {misfit}") })
    });
    Err(failure.help(format!("this fits: {}", example(schema, definition))))
}

/// A value that fits a schema.
pub(super) fn example(schema: &Schema, definition: &Definition) -> Value {
    crate::run::Maker::new(definition).value(schema)
}
