//! What a guard that is wrong may have been about.
//!
//! Where something is wrong with a guard, nobody knows what it would say if it were right; perhaps just that some value is there. So
//! nothing is reported that it might have settled: what the wrong parts of it look at is in doubt, and nothing else.

use std::rc::Rc;

use weave_diagnostics::Span;
use weave_syntax::ast::{BinaryOperator, Expr, LiteralKind, Path, Root, Segment, UnaryOperator};

use super::narrow::push_segment;
use super::{Environment, Lookup};

/// The paths that are in doubt.
#[derive(Clone, Debug, Default)]
pub(crate) struct Doubts {
    entries: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    /// The path; the empty one stands for everything.
    path: Rc<str>,
    /// Whether it is only in doubt which alternative it belongs to.
    is_tag: bool,
}

impl Entry {
    fn everything() -> Self {
        Self { path: Rc::from(""), is_tag: false }
    }
}

/// How a path stands to those that are in doubt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Doubtful {
    /// None of them has to do with it.
    #[default]
    No,
    /// One of them may tell which of its alternatives it is not.
    Tag,
    /// One of them leads through it.
    Within,
    /// It is one of them, or read from one.
    Whole,
}

/// Each of them is looked at whenever a path is read. Where so many are in doubt, everything is.
const MOST_PATHS: usize = 32;

impl Doubts {
    /// Whether nothing is in doubt.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How much is in doubt; for [`Doubts::truncate`].
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Goes back to what was in doubt before.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.entries.truncate(len);
    }

    /// Everything is in doubt.
    pub(crate) fn everything() -> Self {
        Self { entries: vec![Entry::everything()] }
    }

    /// What other guards leave in doubt is too.
    pub(crate) fn add(&mut self, other: &Self) {
        other.entries.iter().for_each(|entry| self.push(entry.clone()));
    }

    fn push(&mut self, entry: Entry) {
        match self.entries.len() {
            MOST_PATHS.. => {}
            len if len + 1 == MOST_PATHS => self.entries.push(Entry::everything()),
            _ if self.entries.contains(&entry) => {}
            _ => self.entries.push(entry),
        }
    }

    /// How a path, known by its names, stands to what is in doubt; one that has no name is one of all.
    pub(crate) fn about(&self, path: Option<&str>) -> Doubtful {
        let leads = |from: &str, to: &str| to.strip_prefix(from).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']));
        let mut found = Doubtful::No;
        for Entry { path: doubtful, is_tag } in &self.entries {
            match path {
                _ if doubtful.is_empty() => return Doubtful::Whole,
                Some(path) if !is_tag && leads(doubtful, path) => return Doubtful::Whole,
                Some(path) if !is_tag && leads(path, doubtful) => found = Doubtful::Within,
                Some(path) if found == Doubtful::No && leads(path, doubtful) => found = Doubtful::Tag,
                _ => {}
            }
        }
        found
    }

    /// What a guard, or an operand of one, leaves in doubt where it is true, or where it is not. `mistakes` says where in the file something
    /// is wrong with it.
    pub(crate) fn of(env: &Environment<'_>, guard: &Expr, mistakes: &[Span], holds: bool) -> Self {
        let mut mistakes = mistakes.to_vec();
        mistakes.sort_unstable_by_key(|span| (span.start, span.end));
        let mut finder = Finder { env, mistakes, holds, is_found: false, doubts: Self::default() };
        finder.find(guard);
        if finder.is_found { finder.doubts } else { Self::everything() }
    }
}

struct Finder<'e, 'a> {
    env: &'e Environment<'a>,
    /// Where something is wrong, in ascending order.
    mistakes: Vec<Span>,
    holds: bool,
    /// Whether some part was found that is wrong.
    is_found: bool,
    doubts: Doubts,
}

impl Finder<'_, '_> {
    /// The first mistake within a span of the item.
    fn mistake(&self, span: Span) -> Option<Span> {
        let span = self.env.place(span).span;
        let first = self.mistakes.partition_point(|mistake| mistake.start < span.start);
        self.mistakes.get(first).copied().filter(|mistake| mistake.start <= span.end)
    }

    /// Looks for the smallest parts of a guard that can be true or false, and that are wrong.
    fn find(&mut self, guard: &Expr) {
        let mut open = vec![guard];
        while let Some(part) = open.pop() {
            match part {
                Expr::Parenthesized(inner) => open.push(&inner.1),
                Expr::Unary(unary) if unary.operators.iter().all(|(operator, _)| *operator == UnaryOperator::Not) => {
                    open.push(&unary.operand);
                }
                Expr::Binary(binary)
                    if binary.rest.iter().all(|(operator, ..)| matches!(operator, BinaryOperator::And | BinaryOperator::Or)) =>
                {
                    open.push(&binary.first);
                    open.extend(binary.rest.iter().map(|(.., operand)| operand));
                }
                part if self.mistake(part.span()).is_some() => {
                    self.is_found = true;
                    if self.holds || tells_if_not_true(part) {
                        self.doubt_all_of(part, false);
                    } else if matches!(part, Expr::Binary(_)) {
                        self.doubt_all_of(part, true);
                    }
                }
                _ => {}
            }
        }
    }

    /// Puts in doubt all that a part of a guard looks at; or, if that is a tag, of what.
    fn doubt_all_of(&mut self, part: &Expr, is_tag: bool) {
        let mut looks = false;
        let mut open = vec![part];
        while let Some(expression) = open.pop() {
            match expression {
                Expr::Path(path) => {
                    for segment in &path.segments {
                        if let Segment::Call { arguments, .. } = segment {
                            open.extend(arguments.iter());
                        }
                    }
                    looks |= self.doubt(path, is_tag);
                }
                Expr::List(list) => open.extend(list.items.iter().map(|item| &item.value)),
                Expr::Unary(unary) => open.push(&unary.operand),
                Expr::Binary(binary) => {
                    open.push(&binary.first);
                    open.extend(binary.rest.iter().map(|(.., operand)| operand));
                }
                Expr::Parenthesized(inner) => open.push(&inner.1),
                Expr::Coalesce(_) | Expr::Object(_) | Expr::Missing(_) => return self.doubts.push(Entry::everything()),
                Expr::Literal(_) => {}
            }
        }
        // It looks at nothing: so it may have been meant to look at anything.
        if !looks {
            self.doubts.push(Entry::everything());
        }
    }

    /// Puts in doubt what a path reads; of one with an unknown name all that might be read there. The answer is whether it reads anything.
    fn doubt(&mut self, path: &Path, is_tag: bool) -> bool {
        let called = path.segments.iter().position(|segment| matches!(segment, Segment::Call { .. }));
        let read = match (&path.root, called) {
            // What a function is asked about are its arguments.
            (Root::Name(_), Some(0)) => return false,
            // Of a method the last name is its own.
            (_, Some(call)) => path.segments.get(..call.saturating_sub(1)).unwrap_or_default(),
            (_, None) => &path.segments,
        };
        let (name, dotted) = match (&path.root, read.first()) {
            (Root::Dot(_), Some(Segment::Field(name))) => (name.span, true),
            (Root::Name(name), _) => (name.span, false),
            _ => {
                self.doubts.push(Entry::everything());
                return true;
            }
        };
        let is_known = matches!(self.env.values.lookup(self.env.text(name)), Lookup::Found(_));
        if !is_known && !dotted && self.mistake(name).is_none() {
            // The variable of a quantifier; its list stands beside it.
            return false;
        }
        if !is_known {
            self.doubts.push(Entry::everything());
            return true;
        }
        let mut read = read;
        if let Some(mistake) = self.mistake(path.span) {
            let is_before = |segment: &&Segment| self.env.place(span_of(segment)).span.end <= mistake.start;
            // Of a mistake that begins where the path does all of it is meant.
            if mistake.start > self.env.place(name).span.start {
                read = read.get(..read.iter().take_while(is_before).count()).unwrap_or_default();
            }
        }
        // A name that lacks its dot is meant to have one.
        let text = self.env.item.text;
        let mut known = if dotted { String::new() } else { format!(".{}", name.text(text)) };
        for segment in read {
            let len = known.len();
            if push_segment(&mut known, text, segment).is_none() {
                known.truncate(len);
                break;
            }
        }
        self.doubts.push(Entry { path: Rc::from(known), is_tag });
        true
    }
}

/// Whether a part of a guard may show that a value is there by not being true: if it asks for what is not there, or for a difference.
fn tells_if_not_true(part: &Expr) -> bool {
    // A bare word may be meant to be `null`, and a call of one to be `has`.
    let may_be_null = |operand: &Expr| match operand {
        Expr::Literal(literal) => literal.kind == LiteralKind::Null,
        Expr::Path(path) => matches!(path.root, Root::Name(_)),
        _ => false,
    };
    match part {
        Expr::Binary(binary) => {
            let mut operands = std::iter::once(&binary.first).chain(binary.rest.iter().map(|(.., operand)| operand));
            operands.any(may_be_null) || binary.rest.iter().any(|(operator, ..)| *operator == BinaryOperator::NotEqual)
        }
        part => may_be_null(part),
    }
}

const fn span_of(segment: &Segment) -> Span {
    match segment {
        Segment::Field(name) => name.span,
        Segment::Optional(span) | Segment::Index(span) | Segment::Key(span) | Segment::All(span) | Segment::Call { span, .. } => *span,
    }
}
