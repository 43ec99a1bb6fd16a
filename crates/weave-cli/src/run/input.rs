//! The input of a run.

use std::path::Path;

use serde_json::{Value, json};
use weave_ir::Definition;

use super::made_up::Maker;
use crate::args;
use crate::failure::{Failure, reason};

/// How much is said about an input that does not fit.
const MOST_LISTED: usize = 20;

/// The input that the arguments name, checked against its schema.
pub(crate) fn read(arguments: &args::Run, definition: &Definition) -> Result<Value, Failure> {
    let input = match &arguments.input {
        Some(given) => parse(given)?,
        None if arguments.mock => Maker::new(definition).value(&definition.input),
        None => json!({}),
    };
    check(&input, definition, arguments.input.is_some())?;
    Ok(input)
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

fn check(input: &Value, definition: &Definition, given: bool) -> Result<(), Failure> {
    let bundle = weave_providers::bundle(&definition.input, &definition.defs);
    let Some(validator) = weave_runner::validator(&bundle) else {
        return Err(Failure::new("the schema of the input cannot be used").help("this is a mistake in weave; please report it"));
    };
    let errors: Vec<_> = validator.iter_errors(input).take(MOST_LISTED).collect();
    if errors.is_empty() {
        return Ok(());
    }
    let message = if given { "the input does not fit" } else { "the workflow needs an input" };
    let failure = errors.iter().fold(Failure::new(message), |failure, error| {
        let (path, misfit) = (error.instance_path().as_str().trim_start_matches('/').replace('/', "."), weave_runner::misfit(error));
        failure.detail(if path.is_empty() { misfit } else { format!("{path}: {misfit}") })
    });
    Err(failure.help(format!("`weave run {} --example` prints an input that fits", definition.workflow)))
}
