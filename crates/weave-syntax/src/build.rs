//! What the grammar's actions need to put nodes together.

use weave_diagnostics::Span;

use crate::ast::{
    Attribute, Binary, BinaryOperator, Each, Expr, Field, Literal, LiteralKind, Meta, Name, NamedType, Node, Path, Root, Segment, Setting,
    Type, Unary, UnaryOperator, UnionType, Workflow,
};
use crate::ast::{BlockEntry, Constraints, Item, SettingValue};

/// What the parser gives back.
#[derive(Debug)]
pub(crate) enum Top {
    Item(Box<Item>),
    Placeholder(Expr),
}

#[derive(Debug)]
pub(crate) enum MetaPart {
    Doc(Span),
    Attribute(Box<Attribute>),
}

#[derive(Debug)]
pub(crate) enum WorkflowEntry {
    Setting(Box<Setting>),
    Node(Box<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EachOption {
    Parallel,
    Min,
}

/// The elements in a slice of their own length.
///
/// They are copied where the list has room for more: shrinking a block of memory costs the allocator more than a new one of the right size,
/// and the old block serves the next list.
pub(crate) fn list<T>(elements: Vec<T>) -> Box<[T]> {
    if elements.len() == elements.capacity() {
        return elements.into_boxed_slice();
    }
    let mut exact = Vec::with_capacity(elements.len());
    exact.extend(elements);
    exact.into_boxed_slice()
}

/// The elements behind a first one.
pub(crate) fn list_with<T>(first: T, rest: Vec<T>) -> Box<[T]> {
    let mut all = Vec::with_capacity(1 + rest.len());
    all.push(first);
    all.extend(rest);
    all.into_boxed_slice()
}

pub(crate) fn literal(start: u32, end: u32, kind: LiteralKind) -> Literal {
    Literal { span: Span::new(start, end), kind }
}

/// A literal that the parser had to make up is none.
pub(crate) fn present(literal: Literal) -> Option<Literal> {
    (!literal.span.is_empty()).then_some(literal)
}

pub(crate) fn meta(parts: Vec<MetaPart>) -> Meta {
    let mut docs = Vec::with_capacity(parts.len());
    let mut attributes = Vec::new();
    for part in parts {
        match part {
            MetaPart::Doc(span) => docs.push(span),
            MetaPart::Attribute(attribute) => attributes.push(*attribute),
        }
    }
    Meta { docs: list(docs), attributes: list(attributes) }
}

/// `name word`, where the word is one that opens a node elsewhere.
pub(crate) fn word_setting(span: Span, name: Name, word: Name) -> BlockEntry {
    BlockEntry::Setting(Setting { span, name, value: SettingValue::Value { value: bare(word), block: None } })
}

pub(crate) fn bare(name: Name) -> Expr {
    path(name.span, Root::Name(name), Vec::new())
}

/// A path; a bare name that was made up is a missing value.
pub(crate) fn path(span: Span, root: Root, segments: Vec<Segment>) -> Expr {
    if segments.is_empty() && matches!(root, Root::Name(name) if name.is_missing()) {
        return Expr::Missing(span);
    }
    Expr::Path(Box::new(Path { span, root, segments: list(segments) }))
}

pub(crate) fn dot_path(span: Span, dot: Span, first: Name, segments: Vec<Segment>) -> Expr {
    Expr::Path(Box::new(Path { span, root: Root::Dot(dot), segments: list_with(Segment::Field(first), segments) }))
}

/// `.a.b` where a literal should stand.
pub(crate) fn test_path(span: Span, dot: Span, first: Name, rest: Vec<Name>) -> Expr {
    dot_path(span, dot, first, rest.into_iter().map(Segment::Field).collect())
}

pub(crate) fn parenthesized(parentheses: Span, span: Span, inner: Expr, segments: Vec<Segment>) -> Expr {
    let expression = Expr::Parenthesized(Box::new((parentheses, inner)));
    if segments.is_empty() { expression } else { path(span, Root::Expr(expression), segments) }
}

/// Prefix operators; a minus directly before a number makes a negative number.
pub(crate) fn unary(span: Span, mut operators: Vec<(UnaryOperator, Span)>, operand: Expr) -> Expr {
    let operand = match (operators.last(), operand) {
        (Some((UnaryOperator::Negate, minus)), Expr::Literal(Literal { span: number, kind: LiteralKind::Number })) => {
            let joined = minus.join(number);
            operators.pop();
            Expr::Literal(Literal { span: joined, kind: LiteralKind::Number })
        }
        (_, operand) => operand,
    };
    if operators.is_empty() { operand } else { Expr::Unary(Box::new(Unary { span, operators: list(operators), operand })) }
}

/// The precedence of a chain that still grows, its first operand, and its operators with the operands behind them.
type OpenChain = (u8, Expr, Vec<(BinaryOperator, Span, Expr)>);

/// Nests a flat chain of operators by precedence: one level for each precedence, however long the chain is.
pub(crate) fn chain(first: Expr, rest: Vec<(BinaryOperator, Span, Expr)>) -> Expr {
    // One open chain for each precedence, loosest first; an operator closes all that bind tighter than it does.
    let mut open: Vec<OpenChain> = Vec::new();
    let mut operand = first;
    for (operator, span, next) in rest {
        let precedence = operator.precedence();
        while let Some((_, first, rest)) = open.pop_if(|(tighter, ..)| *tighter > precedence) {
            operand = close(first, rest, operand);
        }
        match open.last_mut() {
            Some((same, _, chain)) if *same == precedence => {
                if let Some(last) = chain.last_mut() {
                    last.2 = operand;
                }
                chain.push((operator, span, Expr::Missing(span)));
            }
            _ => open.push((precedence, operand, vec![(operator, span, Expr::Missing(span))])),
        }
        operand = next;
    }
    while let Some((_, first, rest)) = open.pop() {
        operand = close(first, rest, operand);
    }
    operand
}

fn close(first: Expr, mut rest: Vec<(BinaryOperator, Span, Expr)>, last: Expr) -> Expr {
    let span = first.span().join(last.span());
    if let Some(end) = rest.last_mut() {
        end.2 = last;
    }
    Expr::Binary(Box::new(Binary { span, first, rest: list(rest) }))
}

pub(crate) fn named_type(span: Span, name: Name, constraints: Option<Constraints>) -> Type {
    if name.is_missing() && constraints.is_none() {
        return Type::Missing(span);
    }
    Type::Named(Box::new(NamedType { span, name, constraints }))
}

pub(crate) fn union(span: Span, alternatives: Box<[Type]>) -> Type {
    Type::Union(Box::new(UnionType { span, alternatives }))
}

pub(crate) fn workflow(name: Name, parameters: Box<[Field]>, output: Option<Type>, body: Span, entries: Vec<WorkflowEntry>) -> Workflow {
    let mut settings = Vec::new();
    let mut nodes = Vec::new();
    for entry in entries {
        match entry {
            WorkflowEntry::Setting(setting) => settings.push(*setting),
            WorkflowEntry::Node(node) => nodes.push(*node),
        }
    }
    Workflow { name, parameters, output, body, settings: list(settings), nodes: list(nodes) }
}

pub(crate) fn each(span: Span, list: Expr, variable: Name, inverted: Option<Span>, options: Vec<(EachOption, Literal)>) -> Each {
    let option = |kind| options.iter().find(|(it, _)| *it == kind).map(|(_, literal)| Expr::Literal(*literal));
    Each { span, list, variable, inverted, parallel: option(EachOption::Parallel), min: option(EachOption::Min) }
}
