//! What is said about expressions and about the nodes of workflows.

mod guards;
mod nodes;
mod values;

pub(crate) use guards::*;
pub(crate) use nodes::*;
pub(crate) use values::*;

use weave_diagnostics::{Applicability, Diagnostic, Place, Span, closest};

use crate::expression::{Environment, Expected, WantedBy};

/// How many names a list in a message has at most.
const SHOWN: usize = 8;

/// How many characters of a program are repeated in a message.
const LONGEST: usize = 48;

/// A piece of the program, cut short, for a message.
fn quoted(text: &str) -> String {
    let mut line = text.split(['\n', '\r']).next().unwrap_or_default().chars();
    let mut short: String = line.by_ref().take(LONGEST).collect();
    if line.next().is_some() || text.contains('\n') {
        short.push('…');
    }
    format!("`{short}`")
}

/// "`a`, `b` or `c`"; long lists are cut short.
pub(crate) fn one_of<S: AsRef<str>>(names: &[S]) -> String {
    let mut quoted = names.iter().take(SHOWN).map(|name| format!("`{}`", name.as_ref())).collect::<Vec<_>>();
    if names.len() > SHOWN {
        quoted.push(format!("{} more", names.len() - SHOWN));
    }
    match quoted.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, before)) => format!("{} or {last}", before.join(", ")),
    }
}

/// "did you mean `x`?" with the fix, or what there is to choose from; no names at all say that nobody reads suggestions any more.
pub(crate) fn suggest<S: AsRef<str>>(diagnostic: Diagnostic, word: &str, names: Option<&[S]>, place: Place, none: &str) -> Diagnostic {
    let Some(names) = names else { return diagnostic };
    match closest(word, names.iter().map(AsRef::as_ref)) {
        Some(similar) => diagnostic.help(format!("did you mean `{similar}`?")).replace(
            Applicability::Unsafe,
            format!("replace it with `{similar}`"),
            place,
            similar,
        ),
        None if names.is_empty() => diagnostic.help(none),
        None => diagnostic.help(format!("there {} {}", if names.len() == 1 { "is" } else { "are" }, all(names))),
    }
}

/// "`a`, `b` and `c`"; long lists are cut short.
pub(crate) fn all<S: AsRef<str>>(names: &[S]) -> String {
    one_of(names).replace(" or ", " and ")
}

/// With the place where the expectation comes from.
fn because(diagnostic: Diagnostic, env: &Environment<'_>, expected: Expected<'_>) -> Diagnostic {
    match expected.by {
        WantedBy::Place => diagnostic,
        WantedBy::Field(field) => diagnostic.also(field.place, format!("`{}` is declared as `{}`", field.name, env.display(&field.ty))),
        WantedBy::Declaration(place, what, ty) => diagnostic.also(place, format!("{what} is `{}`", env.display(ty))),
    }
}

/// The text of a span, quoted.
fn code(env: &Environment<'_>, span: Span) -> String {
    quoted(env.text(span))
}
