//! What providers refuse of strict tools.

use weave_analysis::model::Declaration;
use weave_diagnostics::{Diagnostic, Place};
use weave_providers::{Limits, OPENAI, Provider};

use crate::codes::strict::{STRICT_MAP, STRICT_OPEN, STRICT_SIZE, STRICT_UNION};

/// Something in a type that a strict tool cannot take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// A map, and what it holds.
    Map(String),
    /// Any JSON value.
    Json,
    /// An open record.
    Open,
    /// Alternatives that begin with one field.
    SameFirstKey(String),
    /// Records in records, too many.
    TooDeep,
}

/// The providers whose strict modes refuse something.
fn refusing(refuses: impl Fn(&Limits) -> bool) -> String {
    let refusing = Provider::ALL.into_iter().filter(|provider| provider.limits().has_strict && refuses(provider.limits()));
    refusing.map(Provider::name).collect::<Vec<_>>().join(" and ")
}

/// The type at the end of `path` makes a provider refuse a strict tool.
pub(crate) fn refused(
    refused: Refused,
    path: &str,
    place: Place,
    alias: Option<&Declaration>,
    tool: &Declaration,
    offered: Place,
) -> Diagnostic {
    let name = &tool.name;
    let closed = || refusing(|limits| !limits.open_objects);
    let way_out = "set `strict false` on the tool";
    let (code, what, label, help) = match refused {
        Refused::Map(of) => (
            &STRICT_MAP,
            format!("{} cannot enforce a map: `{path}` of the strict tool `{name}`", closed()),
            "the names of its entries are not known in advance".to_owned(),
            format!("use a list of entries, `{{ key: string, value: {of} }}[]`, or {way_out}"),
        ),
        Refused::Json => (
            &STRICT_OPEN,
            format!("{} cannot enforce a value of type `json`: `{path}` of the strict tool `{name}`", refusing(|limits| !limits.anything)),
            "accepts any value".to_owned(),
            format!("declare its type, pass it as text in a `string`, or {way_out}"),
        ),
        Refused::Open => (
            &STRICT_OPEN,
            format!("{} cannot enforce an open record: `{path}` of the strict tool `{name}`", closed()),
            "this record may have additional fields".to_owned(),
            format!("remove the `...` and declare the fields, or {way_out}"),
        ),
        Refused::SameFirstKey(key) => (
            &STRICT_UNION,
            format!(
                "{} cannot distinguish these alternatives: `{path}` of the strict tool `{name}`",
                refusing(|limits| limits.distinct_first_keys)
            ),
            format!("two of the records start with `{key}`"),
            format!("declare a tagged `union`, let the records start with different fields, or {way_out}"),
        ),
        Refused::TooDeep => (
            &STRICT_SIZE,
            format!("{} rejects records nested this deeply: `{path}` of the strict tool `{name}`", Provider::OpenAi.name()),
            format!("more than {} levels of nested records", OPENAI.deepest.unwrap_or_default()),
            format!("flatten the records, or {way_out}"),
        ),
    };
    let mut diagnostic = Diagnostic::new(code, place, what).label(label);
    if let Some(alias) = alias {
        diagnostic = diagnostic.also(alias.place, format!("`{}` is declared here", alias.name));
    }
    diagnostic.also(tool.place, "tools are strict by default").also(offered, "offered to a model here").help(help)
}

/// The schema of a strict tool is too large.
pub(crate) fn size(tool: &Declaration, offered: Place, what: &str) -> Diagnostic {
    let provider = Provider::OpenAi.name();
    Diagnostic::new(&STRICT_SIZE, tool.place, format!("the strict tool `{}` takes more than {provider} accepts", tool.name))
        .label(format!("its parameters have {what}, including all types"))
        .also(offered, "offered to a model here")
        .help("split the tool, or set `strict false` on it")
}
