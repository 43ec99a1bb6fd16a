//! Fewer lines and smaller values that show the same.

use weave_sample::Sampler;

use crate::coverage::{Coverage, Goal};
use crate::explore::defects::{self, Defect, DefectKind, ENDLESS};
use crate::play::Play;
use crate::record::{end, plain};
use crate::run::play;
use crate::script::{Expected, LineKind, Literal, LiteralKind, Script, Span};
use crate::subject::Subject;
use crate::tape::{Tape, branch};

/// So many attempts are made at shrinking one run, …
const MOST_ATTEMPTS: usize = 600;
/// … if they do not have more events than this together.
const MOST_EVENTS: usize = 150_000;
/// A loop without a way out is shown by so many rounds.
const ROUNDS: u64 = 3;

/// The shortest test that was found which reaches a goal in this way, with all that it reaches.
pub(crate) fn to_goal(subject: &Subject, lines: &[LineKind], goal: &Goal, name: &str) -> Option<(Script, Coverage)> {
    let reaches = |lines: &[LineKind]| {
        let script = finished(subject, lines, name, None, goal)?;
        let played = play(subject, &script);
        let passes = played.leaves.iter().all(|leaf| leaf.finding.is_none());
        (passes && played.coverage.reaches(goal)).then_some((script, played.coverage))
    };
    let shrunk = shrunk(lines.to_vec(), &mut |lines| reaches(lines).is_some());
    reaches(&shrunk)
}

/// A test of these lines that ends with what became of the goal.
fn finished(subject: &Subject, lines: &[LineKind], name: &str, doc: Option<String>, goal: &Goal) -> Option<Script> {
    let sampler = Sampler::new(subject.definition());
    let tape = Tape::new(lines.len());
    let mut played = Play::new(subject, &sampler, 0);
    for line in lines {
        tape.play(&mut played, line.clone()).ok()?;
    }
    let ending = end(&played)?;
    let mut all = lines.to_vec();
    match goal {
        Goal::Node { node } | Goal::Item { node, .. } | Goal::Guard { node, result: true, .. } => {
            let said = matches!(&ending, LineKind::Expect { firing, .. } if firing.node == *node);
            if said {
                all.push(LineKind::Expect { firing: plain(node), expected: Expected::Fired });
                return Some(Script { workflow: subject.definition().workflow.clone(), root: branch(name, doc, all) });
            }
            if played.fired(&plain(node)).is_some() {
                all.push(LineKind::Expect { firing: plain(node), expected: Expected::Fired });
            }
        }
        Goal::Guard { node, result: false, .. } if played.fired(&plain(node)).is_none() => {
            all.push(LineKind::ExpectNot { firing: plain(node) });
        }
        _ => {}
    }
    all.push(match ending {
        LineKind::Expect { firing, .. } => LineKind::Expect { firing, expected: Expected::Fired },
        other => other,
    });
    Some(Script { workflow: subject.definition().workflow.clone(), root: branch(name, doc, all) })
}

/// A defect with the shortest test that was found to show it.
pub(crate) fn to_defect(
    subject: &Subject,
    lines: &[LineKind],
    kind: DefectKind,
    node: Option<String>,
    message: String,
    number: usize,
) -> Defect {
    let sampler = Sampler::new(subject.definition());
    let name = format!("finding_{}", number + 1);
    let mut events = 0;
    let mut shows = |lines: &[LineKind]| {
        events <= MOST_EVENTS && (0..2).all(|filling| is_shown(subject, &sampler, lines, filling, kind, node.as_ref(), &mut events))
    };
    let lines = match kind {
        // What is wrong with weave itself is shown by the run as it was.
        DefectKind::Inconsistent => lines.to_vec(),
        _ if shows(lines) => shrunk(lines.to_vec(), &mut shows),
        _ => lines.to_vec(),
    };
    let tape = Tape::new(lines.len());
    let mut played = Play::new(subject, &sampler, 0);
    let mut all = Vec::new();
    for line in &lines {
        if tape.play(&mut played, line.clone()).is_err() {
            break;
        }
        all.push(line.clone());
        let rounds = node.as_ref().and_then(|node| played.fired(&plain(node)));
        if kind == DefectKind::Endless && rounds >= Some(ROUNDS) {
            break;
        }
    }
    if let (DefectKind::InvalidInput | DefectKind::Endless, Some(node)) = (kind, &node) {
        all.push(LineKind::Expect { firing: plain(node), expected: Expected::Fired });
    }
    all.extend(end(&played));
    let doc = format!("Found by exploring: {message}");
    let script = Script { workflow: subject.definition().workflow.clone(), root: branch(&name, Some(doc), all) };
    Defect { kind, node, message, way: played.way_so_far(), script }
}

/// Whether these lines show a defect, with one filling.
fn is_shown(
    subject: &Subject,
    sampler: &Sampler<'_>,
    lines: &[LineKind],
    filling: u32,
    kind: DefectKind,
    node: Option<&String>,
    events: &mut usize,
) -> bool {
    let tape = Tape::new(lines.len());
    let mut played = Play::new(subject, sampler, filling);
    for line in lines {
        if tape.play(&mut played, line.clone()).is_err() {
            return false;
        }
    }
    *events += played.scroll.len();
    if kind == DefectKind::Endless {
        return node.is_some_and(|node| played.fired(&plain(node)) >= Some(ENDLESS)) && !played.runner.is_done();
    }
    let found = defects::of(&played, lines);
    found.is_some_and(|(shown, at, _)| shown == kind && at.as_ref() == node)
}

/// Leaves out lines, then parts of values, as long as it stays true.
fn shrunk(mut lines: Vec<LineKind>, holds: &mut dyn FnMut(&[LineKind]) -> bool) -> Vec<LineKind> {
    let mut attempts = 0;
    let mut attempt = |candidate: &[LineKind]| {
        attempts += 1;
        attempts <= MOST_ATTEMPTS && holds(candidate)
    };
    loop {
        let before = lines.len();
        // Halves, quarters, … first: most lines of a long run do not matter.
        let mut size = lines.len() / 2;
        while size > 0 {
            let mut end = lines.len();
            while end > 1 {
                let start = end.saturating_sub(size).max(1);
                let candidate: Vec<LineKind> = lines.iter().take(start).chain(lines.iter().skip(end)).cloned().collect();
                if candidate.len() < lines.len() && attempt(&candidate) {
                    lines = candidate;
                }
                end = start;
            }
            size /= 2;
        }
        if lines.len() == before {
            break;
        }
    }
    for place in 0..lines.len() {
        smaller(&mut lines, place, &mut attempt);
    }
    lines
}

/// Makes the value of one line smaller.
fn smaller(lines: &mut Vec<LineKind>, place: usize, attempt: &mut dyn FnMut(&[LineKind]) -> bool) {
    let Some(given) = lines.get(place).and_then(given) else { return };
    let mut replaced = |lines: &mut Vec<LineKind>, literal: Option<Literal>| {
        let mut candidate = lines.clone();
        if let Some(line) = candidate.get_mut(place) {
            set(line, literal);
        }
        let holds = attempt(&candidate);
        if holds {
            *lines = candidate;
        }
        holds
    };
    if replaced(lines, None) {
        return;
    }
    let mut current = given;
    let mut path = Vec::new();
    // Depth first, so that a field that matters keeps what matters in it.
    let mut open = paths(&current, &mut path);
    while let Some(path) = open.pop() {
        let mut candidate = current.clone();
        if leave_out(&mut candidate, &path) && replaced(lines, Some(candidate.clone())) {
            current = candidate;
            open.retain(|other| !other.starts_with(&path) || other == &path);
        }
    }
}

/// The ways to all entries of objects, and elements at the end of lists, the outer ones last.
fn paths(literal: &Literal, above: &mut Vec<usize>) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    let inner: Vec<&Literal> = match &literal.kind {
        LiteralKind::Object { entries, .. } => entries.iter().map(|entry| &entry.value).collect(),
        LiteralKind::List { items, .. } => items.iter().collect(),
        _ => Vec::new(),
    };
    for (place, inner) in inner.into_iter().enumerate() {
        above.push(place);
        if above.len() < 6 && found.len() < MOST_ATTEMPTS {
            found.extend(paths(inner, above));
        }
        found.push(above.clone());
        above.pop();
    }
    // What is popped first is an outer one.
    found.sort_by_key(|path| std::cmp::Reverse(path.len()));
    found
}

/// Leaves out an entry, which is then made up, or an element of a list; whether there was one.
fn leave_out(literal: &mut Literal, path: &[usize]) -> bool {
    let Some((last, above)) = path.split_last() else { return false };
    let mut literal = literal;
    for place in above {
        let inner = match &mut literal.kind {
            LiteralKind::Object { entries, .. } => entries.get_mut(*place).map(|entry| &mut entry.value),
            LiteralKind::List { items, .. } => items.get_mut(*place),
            _ => None,
        };
        let Some(inner) = inner else { return false };
        literal = inner;
    }
    match &mut literal.kind {
        LiteralKind::Object { entries, rest } if entries.len() > *last => {
            // The places of the others must stay what they are: what is left out is marked, and removed when it is written.
            if let Some(entry) = entries.get_mut(*last) {
                if is_left_out(&entry.value) {
                    return false;
                }
                entry.value = left_out();
            }
            *rest = Some(Span::default());
            true
        }
        LiteralKind::List { items, .. } if items.len() == last + 1 => {
            items.pop();
            true
        }
        _ => false,
    }
}

/// What marks an entry that is left out: an object of nothing but what is made up.
const fn left_out() -> Literal {
    Literal { span: Span { start: u32::MAX, end: 0, line: 0 }, kind: LiteralKind::Null }
}

const fn is_left_out(literal: &Literal) -> bool {
    literal.span.start == u32::MAX && literal.span.end == 0
}

/// The literal without the entries that are left out.
fn swept(mut literal: Literal) -> Literal {
    match &mut literal.kind {
        LiteralKind::Object { entries, .. } => {
            entries.retain(|entry| !is_left_out(&entry.value));
            for entry in entries {
                entry.value = swept(entry.value.clone());
            }
        }
        LiteralKind::List { items, .. } => items.iter_mut().for_each(|item| *item = swept(item.clone())),
        _ => {}
    }
    literal
}

fn given(line: &LineKind) -> Option<Literal> {
    match line {
        LineKind::Start { input: given }
        | LineKind::Answer { value: given, .. }
        | LineKind::Fail { payload: given, .. }
        | LineKind::Call { args: given, .. }
        | LineKind::Send { payload: given, .. } => given.clone(),
        _ => None,
    }
}

fn set(line: &mut LineKind, literal: Option<Literal>) {
    let literal = literal.map(swept);
    match line {
        LineKind::Start { input: given }
        | LineKind::Answer { value: given, .. }
        | LineKind::Fail { payload: given, .. }
        | LineKind::Call { args: given, .. }
        | LineKind::Send { payload: given, .. } => *given = literal,
        _ => {}
    }
}
