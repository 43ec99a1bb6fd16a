//! What is said about runs that come to a standstill.

use std::sync::Arc;

use weave_diagnostics::{Diagnostic, Place, Severity};

use crate::codes::flow as codes;

/// How many of a kind are shown at most.
pub(crate) const SHOWN: usize = 4;

/// Something that happens on the way to a standstill.
pub(crate) struct Happens {
    /// The step that it happens to, and where its name stands.
    pub(crate) node: Arc<str>,
    pub(crate) place: Place,
    /// What happens: "`pay` fails".
    pub(crate) text: String,
    /// Whether it is a failure that a `settled` takes.
    pub(crate) settles: bool,
}

/// A join that waits in vain.
pub(crate) struct Waiting {
    pub(crate) place: Place,
    /// The steps that it waits for; none if it has fired and does not fire again.
    pub(crate) missing: Vec<Arc<str>>,
}

/// An error, or a warning where guards that read the same values may not be so together.
pub(crate) fn graded(diagnostic: Diagnostic, is_certain: bool) -> Diagnostic {
    if is_certain {
        return diagnostic;
    }
    let diagnostic = Diagnostic { severity: Severity::Warning, ..diagnostic };
    diagnostic.note("several choices on this path test the same values; the compiler does not know whether they can combine in this way")
}

/// `topics` are those that nobody listens to, none if the step has one answer; `heard` what somebody does listen to.
pub(crate) fn unheard(step: &str, place: Place, topics: &[Arc<str>], heard: &[Place], way: &[Happens]) -> Diagnostic {
    let quoted = topics.iter().map(|topic| format!("`{topic}`")).collect::<Vec<_>>().join(" or ");
    let (message, help) = match topics {
        [] => (format!("the answer of `{step}` is not handled"), format!("handle it, such as with `end done on {step}`")),
        [first, ..] => {
            let name = first.rsplit('.').next().unwrap_or_default();
            let help = format!("handle it, such as with `fail {name} on {first} from {step}`, or fire on any answer with `on {step}`");
            (format!("nothing fires when `{step}` is answered with {quoted}"), help)
        }
    };
    let mut unheard = Diagnostic::new(&codes::LOST_ANSWER, place, message).label("after that nothing continues, and the run deadlocks");
    for place in heard {
        unheard = unheard.also(*place, "only this is handled");
    }
    with_way(unheard, way, place).help(help)
}

/// A way to a standstill.
pub(crate) struct Way<'a> {
    /// What happens but for the last.
    pub(crate) events: &'a [Happens],
    /// What happens last; none if the run has only started, or if it is nothing that a step comes to.
    pub(crate) last: Option<&'a Happens>,
    /// Where the last step stands, or the workflow.
    pub(crate) place: Place,
    /// The step that fires then and is answered at once.
    pub(crate) follows: Option<(Arc<str>, Place)>,
    /// The step behind which a choice takes nothing.
    pub(crate) passed: Option<Arc<str>>,
}

pub(crate) fn stuck(Way { events: way, last, place, follows, passed }: &Way<'_>, waiting: &[Waiting]) -> Diagnostic {
    let (last, place) = (*last, *place);
    let when = match last {
        Some(last) => format!("when {}", last.text),
        None => "at the start".to_owned(),
    };
    let shown = way.iter().filter(|happens| happens.place != place).count();
    let label = if shown > 0 { "the last node on the path shown; after it nothing continues" } else { "after this nothing continues" };
    let mut stuck = Diagnostic::new(&codes::STUCK_RUN, place, format!("the run deadlocks {when}")).label(label);
    stuck = with_way(stuck, way, place);
    if let Some((name, place)) = follows {
        stuck = stuck.also(*place, format!("`{name}` is answered immediately"));
    }
    for join in waiting.iter().take(SHOWN) {
        let missing = join.missing.iter().take(SHOWN).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and ");
        let text =
            if missing.is_empty() { "this has fired, and fires only once".to_owned() } else { format!("this still waits for {missing}") };
        stuck = stuck.also(join.place, text);
    }
    let failed = way.iter().chain(last).find(|happens| happens.settles);
    stuck.help(match (failed, waiting) {
        (Some(failed), _) => {
            let name = &failed.node;
            format!("`settled` handles the failure of `{name}`, so the run continues without its answer: let an `end` fire after `settled`, or add `fail NAME on failure({name})`")
        }
        (None, [Waiting { missing, .. }, ..]) if !missing.is_empty() => {
            "let the join wait only for steps that always answer on this path, or write alternatives as `on a | b`".to_owned()
        }
        _ => match passed {
            Some(step) => format!("handle the remaining cases: `end NAME on {step} else`"),
            None => "let an `end`, a `fail` or another node fire in this case".to_owned(),
        },
    })
}

fn with_way(mut diagnostic: Diagnostic, way: &[Happens], last: Place) -> Diagnostic {
    for (index, happens) in way.iter().enumerate() {
        if (index < SHOWN || index + SHOWN >= way.len()) && happens.place != last {
            diagnostic = diagnostic.also(happens.place, format!("{}. {}", index + 1, happens.text));
        }
    }
    diagnostic
}
