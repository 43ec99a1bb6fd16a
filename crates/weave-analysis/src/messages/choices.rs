//! What is said about the guards of a choice.

use std::sync::Arc;

use weave_diagnostics::{Applicability, Diagnostic, Edit, Fix, Place, Severity, Span};

use crate::codes::choices as codes;
use crate::model::workflow::{Action, Node};

/// A node and where it is shown.
type Named = (Arc<str>, Place);

/// How bad something is that a run meets, or that it may still get past.
fn graded(diagnostic: Diagnostic, is_error: bool) -> Diagnostic {
    let severity = if is_error { Severity::Error } else { Severity::Warning };
    Diagnostic { severity, ..diagnostic }
}

pub(crate) fn never_true(node: &str, place: Place, fires_otherwise: bool) -> Diagnostic {
    let (message, help) = if fires_otherwise {
        (format!("a guard of `{node}` is never true"), "correct it, or remove the trigger")
    } else {
        (format!("`{node}` never fires, because its guard is never true"), "correct it, or remove the node")
    };
    graded(Diagnostic::new(&codes::NEVER_TRUE, place, message), !fires_otherwise).label("never true").help(help)
}

/// `by` are the nodes that fire instead, as far as they are shown.
pub(crate) fn shadowed(node: &str, place: Place, by: &[Named], is_else: bool, fires_otherwise: bool) -> Diagnostic {
    let names = by.iter().map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>();
    let before = match &*names {
        [] => "an earlier node".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    };
    let message = match (is_else, fires_otherwise) {
        (true, false) => format!("`{node}` never fires, because the guards before its `else` cover every case"),
        (true, true) => format!("the guards before the `else` of `{node}` cover every case"),
        (false, false) => format!("`{node}` never fires, because {before} fires first"),
        (false, true) => format!("{before} fires first whenever this guard of `{node}` is true"),
    };
    let mut diagnostic = graded(Diagnostic::new(&codes::SHADOWED_GUARD, place, message), !is_else && !fires_otherwise).label(if is_else {
        "no case is left for this"
    } else {
        "whenever this is true, an earlier node of the choice fires"
    });
    for (name, place) in by {
        diagnostic = diagnostic.also(*place, format!("`{name}` is evaluated first"));
    }
    diagnostic.help(if is_else {
        "remove it, or keep it for cases that a later change may add"
    } else {
        "move it before them, or remove it"
    })
}

/// What is left of a choice.
pub(crate) struct Case<'a> {
    /// What fires the choice: "on `triage`".
    pub(crate) fires: &'a str,
    /// The last node of the choice.
    pub(crate) node: &'a Node,
    /// A node that would take what is left; none if no `else` can stand there.
    pub(crate) else_node: Option<String>,
}

impl Case<'_> {
    fn mended(&self, diagnostic: Diagnostic) -> Diagnostic {
        let Some(text) = &self.else_node else {
            return diagnostic.help("write `when` instead of `also when`, and add a node with `else`");
        };
        // A node without a value reaches up to what follows it, and ends with its last trigger.
        let is_bare = matches!(self.node.action, Action::End(None) | Action::Fail(None)) && self.node.limit.is_none();
        let last = self.node.triggers.last().filter(|_| is_bare).map_or(self.node.place, |trigger| trigger.place);
        let end = Place { span: Span::at(last.span.end), ..last };
        diagnostic.help(format!("handle this case, such as with `{text}`")).fix(Fix {
            message: format!("insert `{text}`"),
            edits: vec![Edit { place: end, text: format!("\n  {text}") }],
            applicability: Applicability::Unsafe,
        })
    }
}

/// A node, where its name stands, and its limit.
type Limited = (Arc<str>, Place, u64);

fn used_up(limited: &[Limited]) -> Option<String> {
    let times = |limit: u64| if limit == 1 { "once".to_owned() } else { format!("{limit} times") };
    let each = limited.iter().map(|(name, _, limit)| format!("`{name}` has fired {}", times(*limit))).collect::<Vec<_>>();
    (!each.is_empty()).then(|| each.join(" and "))
}

fn with_limits(mut diagnostic: Diagnostic, limited: &[Limited]) -> Diagnostic {
    for (name, place, _) in limited {
        diagnostic = diagnostic.also(*place, format!("`{name}` is skipped once its limit is reached"));
    }
    diagnostic
}

/// `fires` is what triggers the choice.
pub(crate) fn unchecked_choice(place: Place, fires: &str) -> Diagnostic {
    let message = format!("the guards that decide what fires {fires} are too large to be checked");
    let diagnostic = Diagnostic::new(&codes::UNCHECKED_CHOICE, place, message).label("the first one");
    let diagnostic = Diagnostic { severity: Severity::Warning, ..diagnostic };
    diagnostic
        .note("whether each of them can be true, and whether one of them always is, is not known")
        .help("let an earlier step decide part of it, or compare with fewer values")
}

/// `condition` is the case as a guard, empty if no value matters.
pub(crate) fn unhandled(case: &Case<'_>, condition: &str, exhausted: &[Limited], hangs: bool) -> Diagnostic {
    let condition = (!condition.is_empty()).then(|| format!("`{condition}`"));
    let when = condition.into_iter().chain(used_up(exhausted)).collect::<Vec<_>>().join(" and ");
    let when = if when.is_empty() { "no guard is true".to_owned() } else { when };
    let label = if hangs { "evaluated last; if it is false, the run deadlocks" } else { "evaluated last" };
    let message = format!("no node fires {} when {when}", case.fires);
    let diagnostic = graded(Diagnostic::new(&codes::UNHANDLED_CASE, case.node.name_place, message), hangs).label(label);
    let diagnostic = with_limits(diagnostic, exhausted);
    let diagnostic = if hangs {
        diagnostic
    } else {
        diagnostic.note("something else may still be in flight; write `also when` for something that happens only sometimes")
    };
    case.mended(diagnostic)
}

pub(crate) fn may_be_unhandled(case: &Case<'_>, limited: &[Limited], hangs: bool) -> Diagnostic {
    let when = used_up(limited)
        .map_or_else(|| "none of these guards is true".to_owned(), |used_up| format!("{used_up} and no other guard is true"));
    let message = format!("it is not certain that a node fires {} when {when}", case.fires);
    let diagnostic = Diagnostic::new(&codes::MAY_BE_UNHANDLED, case.node.name_place, message).label("evaluated last");
    let diagnostic = with_limits(diagnostic, limited);
    let note = if hangs {
        "the compiler cannot tell whether one of them is always true, and the run deadlocks if none is"
    } else {
        "the compiler cannot tell whether one of them is always true; if none is, the run may deadlock, depending on other choices over the same values"
    };
    case.mended(graded(diagnostic, hangs).note(note))
}
