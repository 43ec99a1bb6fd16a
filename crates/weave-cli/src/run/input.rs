//! The input of a run.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use weave_ir::Definition;

use super::made_up::Maker;
use super::secrets::errors;
use crate::args;
use crate::failure::{Failure, reason};

/// How much is said about an input that does not fit.
const MOST_LISTED: usize = 20;

/// The input that the arguments name, checked against its schema. Nothing: none is given, and the workflow needs one.
pub(crate) fn read(arguments: &args::Run, definition: &Arc<Definition>) -> Result<Option<Value>, Failure> {
    let input = match &arguments.input {
        Some(given) => parse(given)?,
        None if arguments.mock => Maker::new(definition).value(&definition.input),
        None => json!({}),
    };
    let errors = errors(definition, &definition.input, &input, MOST_LISTED);
    match (errors.is_empty(), &arguments.input) {
        (true, _) => Ok(Some(input)),
        (false, None) => Ok(None),
        (false, Some(_)) => Err(refused("the input does not fit", errors, definition)),
    }
}

/// That the workflow needs an input, and what it has to be.
pub(crate) fn needed(definition: &Arc<Definition>) -> Failure {
    refused("the workflow needs an input", errors(definition, &definition.input, &json!({}), MOST_LISTED), definition)
}

fn refused(message: &str, errors: Vec<String>, definition: &Definition) -> Failure {
    let failure = errors.into_iter().fold(Failure::new(message), Failure::detail);
    failure.help(format!("`weave run {} --example` prints an input that fits", definition.workflow))
}

fn parse(given: &str) -> Result<Value, Failure> {
    let (name, text) = if given == "-" {
        let text = crate::read::read_standard_input().map_err(|error| Failure::new(format!("cannot read the input: {error}")))?;
        ("standard input".to_owned(), text.to_string())
    } else if given.trim_start().starts_with(['{', '[', '"']) {
        ("`--input`".to_owned(), given.to_owned())
    } else {
        let path = given.strip_prefix('@').unwrap_or(given);
        let text = std::fs::read_to_string(Path::new(path)).map_err(|error| {
            Failure::new(format!("cannot read `{path}`: {}", reason(&error))).help("`--input` takes JSON, a file with JSON, or `-`")
        })?;
        (format!("`{path}`"), text)
    };
    serde_json::from_str(&text)
        .map_err(|error| Failure::new(format!("cannot read the input in {name}: {}", weave_ir::why_not_json(&error))))
}
