//! How expressions are laid out.

use std::cell::Cell;

use super::doc::{Doc, Id};
use super::syntax::{Body, Entry, Expression, Key, Type};
use super::tokens::Comment;
use super::width::width;

/// What makes documents of one statement.
#[derive(Debug, Default)]
pub(super) struct Writer {
    ids: Cell<usize>,
}

/// Where a line is broken between a name and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Break {
    /// Behind the sign, before all else.
    First,
    Never,
    /// Behind the sign, if the value does not begin in the same line otherwise.
    Last,
    /// In the type that stands before the sign.
    Before,
}

/// What a value stands behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// A key that takes so many columns.
    Key(Option<usize>),
    /// The name of a constant or a type, and whether its type is an intricate one.
    Name { is_intricate: bool },
}

/// Keys that take fewer columns save nothing where their value stands in a line of its own.
const SHORT: usize = 5;

impl Writer {
    pub(super) fn id(&self) -> Id {
        let id = self.ids.get();
        self.ids.set(id + 1);
        Id(id)
    }

    pub(super) fn expression<'a>(&self, expression: &'a Expression<'_>) -> Doc<'a> {
        match expression {
            Expression::Name(text) => Doc::text(*text),
            Expression::Number(text) | Expression::Text(text) => Doc::text(text.as_str()),
            Expression::Template(tag, text) => {
                let tag = tag.as_ref().map_or_else(Doc::nothing, |tag| self.expression(tag));
                Doc::concat(vec![tag, Doc::text(text.as_str())])
            }
            Expression::Member(of, _) | Expression::Index(of, _) => self.member(expression, of, false),
            Expression::Call { .. } => self.call(expression).0,
            Expression::List(items) => self.array(items),
            Expression::Object { entries, is_open } => self.object(entries, *is_open),
            Expression::Function { .. } => self.function(expression, false),
            Expression::Choice(parts) => self.conditional(parts),
            Expression::Binary(left, sign, right) => {
                let right = Doc::concat(vec![Doc::text(*sign), Doc::line(), self.expression(right)]).group();
                Doc::concat(vec![self.expression(left), Doc::text(" "), right.indent()]).group()
            }
            Expression::Prefixed(word, inner) => Doc::concat(vec![Doc::text(*word), self.expression(inner)]),
            Expression::As(value, ty) => Doc::concat(vec![self.expression(value), Doc::text(" as "), self.ty(ty)]),
        }
    }

    /// A property of something.
    fn member<'a>(&self, expression: &'a Expression<'_>, of: &'a Expression<'_>, is_inner: bool) -> Doc<'a> {
        let object = match of {
            Expression::Member(inner, _) | Expression::Index(inner, _) => self.member(of, inner, true),
            other => self.expression(other),
        };
        let lookup = self.lookup(expression);
        let is_whole = matches!((of, expression), (Expression::Name(_), Expression::Member(..))) && !is_inner;
        let inline = is_whole || matches!(expression, Expression::Index(..));
        Doc::concat(vec![object, if inline { lookup } else { Doc::concat(vec![Doc::soft(), lookup]).indent().group() }])
    }

    /// What stands behind that which a property is of.
    pub(super) fn lookup<'a>(&self, expression: &'a Expression<'_>) -> Doc<'a> {
        match expression {
            Expression::Member(_, name) => Doc::concat(vec![Doc::text("."), Doc::text(*name)]),
            Expression::Index(_, at) => match &**at {
                Expression::Number(number) => Doc::concat(vec![Doc::text("["), Doc::text(number.as_str()), Doc::text("]")]),
                at => {
                    let inner = Doc::concat(vec![Doc::soft(), self.expression(at)]).indent();
                    Doc::concat(vec![Doc::text("["), inner, Doc::soft(), Doc::text("]")]).group()
                }
            },
            _ => Doc::nothing(),
        }
    }

    fn conditional<'a>(&self, parts: &'a [Expression<'_>; 3]) -> Doc<'a> {
        let [test, yes, no] = parts;
        let test = match test {
            // Behind an arrow, the test is not indented.
            Expression::Binary(left, sign, right) => {
                let right = Doc::concat(vec![Doc::text(*sign), Doc::line(), self.expression(right)]).group();
                Doc::concat(vec![self.expression(left), Doc::text(" "), right]).group()
            }
            other => self.expression(other),
        };
        let branches = Doc::concat(vec![
            Doc::line(),
            Doc::text("? "),
            self.expression(yes).indent(),
            Doc::line(),
            Doc::text(": "),
            self.expression(no).indent(),
        ]);
        Doc::concat(vec![test, branches.indent()]).group()
    }

    fn array<'a>(&self, items: &'a [Expression<'_>]) -> Doc<'a> {
        if items.is_empty() {
            return Doc::text("[]");
        }
        let size = |item: &Expression<'_>| match item {
            Expression::Object { entries, .. } => (1, entries.len()),
            Expression::List(items) => (2, items.len()),
            _ => (0, 0),
        };
        let first = items.first().map_or(0, |item| size(item).0);
        let broken = items.len() > 1 && first > 0 && items.iter().map(size).all(|(kind, count)| kind == first && count > 1);
        let comma = Doc::if_broken(Doc::text(","), Doc::nothing());
        let mut parts = Vec::new();
        let is_concise = is_concise(items);
        for (at, item) in items.iter().enumerate() {
            let item = self.expression(item);
            let is_last = at + 1 == items.len();
            if is_concise {
                parts.push(Doc::concat(vec![item, if is_last { Doc::nothing() } else { Doc::text(",") }]));
            } else {
                parts.push(item.group());
                parts.extend((!is_last).then(|| Doc::text(",")));
            }
            parts.extend((!is_last).then(Doc::line));
        }
        let inner = if is_concise { Doc::fill(parts) } else { Doc::concat(parts) };
        let inner = Doc::concat(vec![Doc::soft(), inner, comma]).indent();
        Doc::concat(vec![Doc::text("["), inner, Doc::soft(), Doc::text("]")]).group_broken(broken)
    }

    pub(super) fn object<'a>(&self, entries: &'a [Entry<'_>], is_open: bool) -> Doc<'a> {
        if entries.is_empty() {
            return Doc::text("{}");
        }
        let items = entries.iter().map(|entry| (entry.comments.as_slice(), entry.behind_blank, self.entry(entry)));
        braces(items, ",", is_open)
    }

    fn entry<'a>(&self, entry: &'a Entry<'_>) -> Doc<'a> {
        match (&entry.key, &entry.value) {
            (Key::Spread(value), _) => Doc::concat(vec![Doc::text("..."), self.expression(value)]),
            (key, Some(value)) => {
                let columns = match key {
                    Key::Plain(text) => Some(width(text)),
                    // It has places where lines may be broken in theory.
                    Key::Computed(Expression::Text(text)) => Some(width(text) + 2),
                    _ => None,
                };
                self.assignment(self.key(key), ":", Left::Key(columns), value)
            }
            (key, None) => self.key(key),
        }
    }

    pub(super) fn key<'a>(&self, key: &'a Key<'_>) -> Doc<'a> {
        match key {
            Key::Plain(text) => Doc::text(text.as_str()),
            Key::Computed(inner) => Doc::concat(vec![Doc::text("["), self.expression(inner), Doc::text("]")]),
            Key::Spread(value) => Doc::concat(vec![Doc::text("..."), self.expression(value)]),
        }
    }

    /// What has a value behind a sign.
    pub(super) fn assignment<'a>(&self, left: Doc<'a>, sign: &'static str, of: Left, value: &'a Expression<'_>) -> Doc<'a> {
        let chosen = self.break_of(&left, of, value);
        let (value, sign) = (self.expression(value), Doc::text(sign));
        match chosen {
            Break::First => Doc::concat(vec![left.group(), sign, Doc::concat(vec![Doc::line(), value]).indent().group()]).group(),
            Break::Never => Doc::concat(vec![left.group(), sign, Doc::text(" "), value]).group(),
            Break::Before => Doc::concat(vec![left, sign, Doc::text(" "), value.group()]).group(),
            Break::Last => self.fluid(left, sign, value),
        }
    }

    /// A line is broken behind the sign if what is behind it does not begin in the same line otherwise.
    pub(super) fn fluid<'a>(&self, left: Doc<'a>, sign: Doc<'a>, value: Doc<'a>) -> Doc<'a> {
        let id = self.id();
        Doc::concat(vec![left.group(), sign, Doc::line().indent().group_called(id), value.indent_if_broken(id)]).group()
    }

    fn break_of(&self, left: &Doc<'_>, of: Left, value: &Expression<'_>) -> Break {
        if matches!(of, Left::Name { is_intricate: true })
            || (matches!((of, value), (Left::Name { .. }, Expression::Function { .. })) && left.can_break())
        {
            return Break::Before;
        }
        let is_short = matches!(of, Left::Key(Some(columns)) if columns < SHORT);
        let is_binary = |it: &Expression<'_>| matches!(it, Expression::Binary(..));
        let is_late = match value {
            Expression::Binary(..) => true,
            Expression::Choice(parts) => is_binary(parts.first().unwrap_or(value)),
            _ => false,
        };
        if is_late || (!is_short && self.breaks_badly_behind(value)) {
            return Break::First;
        }
        let is_atom = matches!(value, Expression::Template(..) | Expression::Number(_) | Expression::Name("true" | "false"));
        if !left.can_break() && (is_short || is_atom) { Break::Never } else { Break::Last }
    }

    fn breaks_badly_behind(&self, value: &Expression<'_>) -> bool {
        match value {
            Expression::Prefixed("await " | "-", inner) => self.breaks_badly_behind(inner),
            Expression::Text(_) => true,
            other => self.breaks_badly(other, false),
        }
    }

    /// Whether it is a chain of properties and calls that has no place where a line could well be broken.
    fn breaks_badly(&self, value: &Expression<'_>, is_inner: bool) -> bool {
        match value {
            Expression::Call { is_new: false, called, types, arguments } => {
                let is_short = match arguments.as_slice() {
                    [] => true,
                    [one] => is_short_argument(one),
                    _ => false,
                };
                let is_intricate = match types.as_slice() {
                    [] => false,
                    [one] => matches!(one, Type::Either(_) | Type::Object { .. }) || self.types(types).must_break(),
                    _ => true,
                };
                is_short && !is_intricate && !self.call(value).1 && self.breaks_badly(called, true)
            }
            Expression::Member(of, _) | Expression::Index(of, _) => self.breaks_badly(of, true),
            Expression::Name(_) => is_inner,
            _ => false,
        }
    }

    /// A function; where it is the last argument of a call, it may stand behind the others although it takes several lines.
    pub(super) fn function<'a>(&self, expression: &'a Expression<'_>, is_last: bool) -> Doc<'a> {
        let Expression::Function { parameters, body } = expression else { return Doc::nothing() };
        let head = if is_last { Doc::text(self.parameters(parameters).group().flat()) } else { self.parameters(parameters).group() };
        let (comma, blank) = match is_last {
            true => (Doc::if_broken(Doc::text(","), Doc::nothing()), Doc::soft()),
            false => (Doc::nothing(), Doc::nothing()),
        };
        let behind = match body {
            Body::Block(statements) => Doc::concat(vec![Doc::text(" "), self.block(statements)]),
            Body::Value(value) => match &**value {
                Expression::Object { .. } => Doc::concat(vec![Doc::text(" ("), self.expression(value), Doc::text(")")]),
                Expression::List(_) | Expression::Function { .. } => Doc::concat(vec![Doc::text(" "), self.expression(value)]),
                Expression::Choice(_) => Doc::concat(vec![
                    Doc::text(" "),
                    Doc::concat(vec![
                        Doc::if_broken(Doc::nothing(), Doc::text("(")),
                        Doc::concat(vec![Doc::soft(), self.expression(value)]).indent(),
                        Doc::if_broken(Doc::nothing(), Doc::text(")")),
                        comma,
                        blank,
                    ])
                    .group(),
                ]),
                _ => Doc::concat(vec![Doc::concat(vec![Doc::line(), self.expression(value)]).indent(), comma, blank]),
            },
        };
        Doc::concat(vec![head.group(), Doc::text(" =>"), behind.group()]).group()
    }
}

/// What stands in braces, each with its comments and whether it stands behind a blank line.
pub(super) fn braces<'a>(
    items: impl Iterator<Item = (&'a [Comment<'a>], bool, Doc<'a>)>,
    separator: &'static str,
    is_open: bool,
) -> Doc<'a> {
    let mut parts = Vec::new();
    for (comments, behind_blank, item) in items {
        if !parts.is_empty() {
            parts.push(Doc::concat(vec![Doc::text(separator), Doc::line()]));
        }
        let is_first = parts.is_empty();
        parts.push(commented(comments, behind_blank, is_first));
        parts.push(item.group());
    }
    let inner = Doc::concat(vec![Doc::line(), Doc::concat(parts)]).indent();
    let comma = Doc::if_broken(Doc::text(separator), Doc::nothing());
    Doc::concat(vec![Doc::text("{"), inner, comma, Doc::line(), Doc::text("}")]).group_broken(is_open)
}

/// The comments before something, and the blank lines before and between them.
pub(super) fn commented<'a>(comments: &'a [Comment<'a>], behind_blank: bool, is_first: bool) -> Doc<'a> {
    let mut parts = Vec::new();
    let mut is_begun = !is_first;
    for (comment, blank) in comments {
        if *blank && is_begun {
            parts.push(Doc::hard());
        }
        is_begun = true;
        let mut lines = comment.lines();
        parts.extend(lines.next().map(|line| Doc::text(line.trim_end())));
        for line in lines {
            parts.extend([Doc::hard(), Doc::text(format!(" {}", line.trim()))]);
        }
        parts.push(Doc::hard());
    }
    if behind_blank && is_begun {
        parts.push(Doc::hard());
    }
    Doc::concat(parts)
}

/// Whether these are numbers, of which many stand in a line.
pub(super) fn is_concise(items: &[Expression<'_>]) -> bool {
    let is_number = |item: &Expression<'_>| match item {
        Expression::Number(_) => true,
        Expression::Prefixed("-", inner) => matches!(**inner, Expression::Number(_)),
        _ => false,
    };
    !items.is_empty() && items.iter().all(is_number)
}

/// Whether an argument is so short that it is not broken from what it is given to.
fn is_short_argument(argument: &Expression<'_>) -> bool {
    const LONGEST: usize = 20;
    match argument {
        Expression::Name("null" | "true" | "false") | Expression::Number(_) => true,
        Expression::Name(name) => name.encode_utf16().count() <= LONGEST,
        Expression::Text(text) => text.encode_utf16().count() <= LONGEST,
        Expression::Template(None, text) => !text.contains("${") && text.encode_utf16().count() <= LONGEST + 2,
        Expression::Prefixed("-", inner) => is_short_argument(inner),
        _ => false,
    }
}
