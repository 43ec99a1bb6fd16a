//! How calls are laid out: their arguments, and chains of them.

use super::doc::Doc;
use super::expressions::{Writer, is_concise};
use super::syntax::{Body, Expression, Key};

/// A link of a chain, and how it is written.
struct Link<'e, 'a> {
    expression: &'e Expression<'a>,
    doc: Doc<'e>,
}

impl Link<'_, '_> {
    const fn is_call(&self) -> bool {
        matches!(self.expression, Expression::Call { is_new: false, .. })
    }

    const fn is_member(&self) -> bool {
        matches!(self.expression, Expression::Member(..) | Expression::Index(..))
    }

    const fn is_index(&self) -> bool {
        matches!(self.expression, Expression::Index(..))
    }

    fn is_number(&self) -> bool {
        matches!(self.expression, Expression::Index(_, at) if matches!(**at, Expression::Number(_)))
    }
}

impl Writer {
    /// A call, and whether it is a chain whose calls may stand in lines of their own.
    pub(super) fn call<'e>(&self, expression: &'e Expression<'_>) -> (Doc<'e>, bool) {
        let Expression::Call { is_new, called, types, arguments } = expression else { return (Doc::nothing(), false) };
        if !is_new && matches!(**called, Expression::Member(..) | Expression::Index(..)) {
            return self.chain(expression);
        }
        let before = Doc::text(if *is_new { "new " } else { "" });
        let parts = Doc::concat(vec![before, self.expression(called), self.types(types), self.arguments(arguments)]);
        (if matches!(**called, Expression::Call { is_new: false, .. }) { parts.group() } else { parts }, false)
    }

    fn links<'e, 'a>(&self, whole: &'e Expression<'a>) -> Vec<Link<'e, 'a>> {
        let mut links = Vec::new();
        let mut next = whole;
        loop {
            let (doc, inner) = match next {
                Expression::Call { is_new: false, called, types, arguments }
                    if matches!(**called, Expression::Member(..) | Expression::Index(..) | Expression::Call { is_new: false, .. }) =>
                {
                    (Doc::concat(vec![self.types(types), self.arguments(arguments)]), Some(called))
                }
                Expression::Member(of, _) | Expression::Index(of, _) => (self.lookup(next), Some(of)),
                other => (self.expression(other), None),
            };
            links.push(Link { expression: next, doc });
            match inner {
                Some(inner) => next = inner,
                None => break,
            }
        }
        links.reverse();
        links
    }

    fn chain<'e>(&self, whole: &'e Expression<'_>) -> (Doc<'e>, bool) {
        let links = self.links(whole);
        let calls: Vec<&[Expression<'_>]> = links.iter().filter_map(|link| arguments_of(link.expression)).collect();
        let groups = grouped(&links);
        let is_merged = groups.len() > 1 && stays_with_first(&groups);
        let doc = |group: &[Link<'e, '_>]| Doc::concat(group.iter().map(|link| link.doc.clone()).collect());
        let docs: Vec<Doc<'e>> = groups.iter().map(|group| doc(group)).collect();
        let one_line = Doc::concat(docs.clone());
        let kept = if is_merged { 2 } else { 1 };
        if groups.len() <= kept + 1 {
            return (one_line.group(), false);
        }
        let (first, others) = docs.split_at_checked(kept).unwrap_or((&docs, &[]));
        let lines = Doc::concat(vec![Doc::hard(), Doc::join(&Doc::hard(), others.iter().cloned())]).indent();
        let expanded = Doc::concat(vec![Doc::concat(first.to_vec()), lines]);
        let is_intricate = calls.len() > 2 && calls.iter().any(|arguments| !arguments.iter().all(|it| is_simple(it)));
        let (last, before) = docs.split_last().map_or((None, &[][..]), |(last, before)| (Some(last), before));
        let has_function = |arguments: &&[Expression<'_>]| arguments.iter().any(|it| matches!(it, Expression::Function { .. }));
        let is_last_broken =
            last.is_some_and(Doc::must_break) && calls.split_last().is_some_and(|(_, others)| others.iter().any(has_function));
        if is_intricate || before.iter().any(Doc::must_break) || is_last_broken {
            return (expanded.group(), true);
        }
        let broken = if one_line.must_break() { Doc::broken() } else { Doc::nothing() };
        (Doc::concat(vec![broken, Doc::choice(one_line, vec![expanded])]), true)
    }

    /// The arguments of a call, in brackets.
    fn arguments<'e>(&self, arguments: &'e [Expression<'_>]) -> Doc<'e> {
        let Some((last, before)) = arguments.split_last() else { return Doc::text("()") };
        let docs: Vec<Doc<'e>> = arguments.iter().map(|argument| self.expression(argument)).collect();
        let separator = Doc::concat(vec![Doc::text(","), Doc::line()]);
        let all = Doc::join(&separator, docs.iter().cloned());
        let broken_out = || {
            let inner = Doc::concat(vec![Doc::line(), all.clone()]).indent();
            Doc::concat(vec![Doc::text("("), inner, Doc::text(","), Doc::line(), Doc::text(")")]).group_broken(true)
        };
        if is_composition(arguments) {
            return broken_out();
        }
        if may_hug(last, before) {
            let (last_doc, before_docs) = docs.split_last().map_or((Doc::nothing(), &[][..]), |(last, before)| (last.clone(), before));
            if before_docs.iter().any(Doc::must_break) {
                return broken_out();
            }
            let last_doc = if matches!(last, Expression::Function { .. }) { self.function(last, true) } else { last_doc };
            let with = |last: Doc<'e>| {
                let parts = before_docs.iter().cloned().chain([last]);
                Doc::concat(vec![Doc::text("("), Doc::join(&separator, parts), Doc::text(")")])
            };
            let hugged = with(last_doc.clone().group_broken(true));
            if last_doc.must_break() {
                return Doc::concat(vec![Doc::broken(), Doc::choice(hugged, vec![broken_out()])]);
            }
            return Doc::choice(with(last_doc), vec![hugged, broken_out()]);
        }
        let is_broken = docs.iter().any(Doc::must_break);
        let inner = Doc::concat(vec![Doc::soft(), all]).indent();
        let comma = Doc::if_broken(Doc::text(","), Doc::nothing());
        Doc::concat(vec![Doc::text("("), inner, comma, Doc::soft(), Doc::text(")")]).group_broken(is_broken)
    }
}

const fn arguments_of<'e, 'a>(expression: &'e Expression<'a>) -> Option<&'e [Expression<'a>]> {
    match expression {
        Expression::Call { is_new: false, arguments, .. } => Some(arguments.as_slice()),
        _ => None,
    }
}

/// The links of a chain as they stay together: what it begins with, and then properties with the calls behind them.
fn grouped<'l, 'e, 'a>(links: &'l [Link<'e, 'a>]) -> Vec<&'l [Link<'e, 'a>]> {
    let is_member = |at: usize| links.get(at).is_some_and(Link::is_member);
    let mut end = 1;
    while links.get(end).is_some_and(|link| link.is_call() || link.is_number()) {
        end += 1;
    }
    if !links.first().is_some_and(Link::is_call) {
        while is_member(end) && is_member(end + 1) {
            end += 1;
        }
    }
    let mut groups = vec![links.get(..end).unwrap_or(links)];
    let mut start = end;
    let mut has_call = false;
    for (at, link) in links.iter().enumerate().skip(end) {
        if has_call && link.is_member() && !link.is_number() {
            groups.extend(links.get(start..at));
            (start, has_call) = (at, false);
        }
        has_call |= link.is_call();
    }
    groups.extend(links.get(start..).filter(|rest| !rest.is_empty()));
    groups
}

/// Whether the first call stays in the line of what a chain begins with.
fn stays_with_first(groups: &[&[Link<'_, '_>]]) -> bool {
    let is_factory = |name: &str| {
        name.starts_with(|first: char| first.is_ascii_uppercase()) || (!name.is_empty() && name.chars().all(|it| matches!(it, '_' | '$')))
    };
    let is_indexed = groups.get(1).and_then(|group| group.first()).is_some_and(Link::is_index);
    match groups.first() {
        Some([first]) => matches!(first.expression, Expression::Name(name) if is_factory(name) || is_indexed),
        Some([.., last]) => matches!(last.expression, Expression::Member(_, name) if is_factory(name) || is_indexed),
        _ => false,
    }
}

/// Whether the last argument may begin in the line of the others and go on below.
fn may_hug(last: &Expression<'_>, before: &[Expression<'_>]) -> bool {
    let is_same = |other: &Expression<'_>| std::mem::discriminant(other) == std::mem::discriminant(last);
    let stays = match last {
        Expression::List(items) => matches!(before, [Expression::Function { .. }]) || (!before.is_empty() && is_concise(items)),
        _ => false,
    };
    may_go_on(last) && !stays && !before.last().is_some_and(is_same)
}

fn may_go_on(argument: &Expression<'_>) -> bool {
    match argument {
        Expression::Object { entries, .. } => !entries.is_empty(),
        Expression::List(items) => !items.is_empty(),
        Expression::As(inner, _) => may_go_on(inner),
        Expression::Function { body: Body::Block(_), .. } => true,
        Expression::Function { body: Body::Value(value), .. } => matches!(
            **value,
            Expression::Object { .. } | Expression::List(_) | Expression::Choice(_) | Expression::Call { is_new: false, .. }
        ),
        _ => false,
    }
}

/// Whether functions are put together here, which is seen best in lines of their own.
fn is_composition(arguments: &[Expression<'_>]) -> bool {
    let is_function = |it: &Expression<'_>| matches!(it, Expression::Function { .. });
    let has_function = |it: &Expression<'_>| matches!(it, Expression::Call { arguments, .. } if arguments.iter().any(is_function));
    arguments.len() > 1 && (arguments.iter().filter(|it| is_function(it)).count() > 1 || arguments.iter().any(has_function))
}

/// Whether there is so little to an argument that a chain with it may stand in one line.
fn is_simple(argument: &Expression<'_>) -> bool {
    match argument {
        Expression::Name(_) | Expression::Number(_) | Expression::Text(_) => true,
        Expression::Template(None, _) => true,
        Expression::Object { entries, .. } => entries.iter().all(|entry| match (&entry.key, &entry.value) {
            (Key::Plain(_), Some(value)) => is_simple(value),
            (Key::Plain(_), None) => true,
            _ => false,
        }),
        Expression::List(items) => items.iter().all(is_simple),
        Expression::Call { called, arguments, .. } => is_simple(called) && arguments.iter().all(is_simple),
        Expression::Member(of, _) => is_simple(of),
        Expression::Index(of, at) => is_simple(of) && matches!(**at, Expression::Text(_) | Expression::Number(_) | Expression::Name(_)),
        Expression::Prefixed("-", inner) => is_simple(inner),
        _ => false,
    }
}
