//! Programs of builders, as they are in every language, and how each language writes them.

use serde_json::{Number, Value};
use weave_ir::ValueType;
use weave_ir::package::PartKey;

/// An expression of a program.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Code {
    /// What stands there as it is: a variable.
    Name(String),
    /// The input of the workflow.
    Input,
    /// A value of the library, such as `event`.
    Shared(&'static str),
    /// A part that stands beside the nodes.
    Part(PartKey),
    /// A string.
    Text(String),
    /// A text in which values are filled in.
    Template(Vec<Piece>),
    /// A number.
    Number(Number),
    /// A bool.
    Bool(bool),
    /// Null.
    Null,
    /// A kind of failure that every runtime knows.
    FailureKind(String),
    /// The type of a value in a condition.
    Kind(ValueType),
    /// A length of time in milliseconds.
    Time(u64),
    /// A list that the language has itself.
    List(Vec<Code>),
    /// An object of JSON.
    Object(Vec<(String, Code)>),
    /// The fields of a record.
    Fields(Vec<(String, Code)>),
    /// A function of the library, or of what stands before it.
    Call { of: Option<Box<Code>>, function: &'static str, arguments: Vec<Code>, options: Vec<(&'static str, Code)> },
    /// A property of something.
    Property(Box<Code>, &'static str),
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Piece {
    Text(String),
    Value(Code),
}

impl Code {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A call of a function of the library.
    pub(crate) fn call(function: &'static str, arguments: Vec<Self>) -> Self {
        Self::Call { of: None, function, arguments, options: Vec::new() }
    }

    /// A call of a function of this.
    pub(crate) fn then(self, function: &'static str, arguments: Vec<Self>) -> Self {
        Self::Call { of: Some(Box::new(self)), function, arguments, options: Vec::new() }
    }

    /// A call with options.
    pub(crate) fn with(self, more: Vec<(&'static str, Self)>) -> Self {
        match self {
            Self::Call { of, function, arguments, mut options } => {
                options.extend(more);
                Self::Call { of, function, arguments, options }
            }
            other => other,
        }
    }

    /// Constant JSON.
    pub(crate) fn json(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(number) => Self::Number(number.clone()),
            Value::String(text) => Self::text(text),
            Value::Array(items) => Self::List(items.iter().map(Self::json).collect()),
            Value::Object(entries) => Self::Object(entries.iter().map(|(key, value)| (key.clone(), Self::json(value))).collect()),
        }
    }

    /// Calls `look` with this and everything in it.
    pub(crate) fn walk(&self, look: &mut impl FnMut(&Self)) {
        look(self);
        match self {
            Self::Template(pieces) => {
                for piece in pieces {
                    if let Piece::Value(value) = piece {
                        value.walk(look);
                    }
                }
            }
            Self::List(items) => items.iter().for_each(|item| item.walk(look)),
            Self::Object(entries) | Self::Fields(entries) => entries.iter().for_each(|(_, entry)| entry.walk(look)),
            Self::Call { of, arguments, options, .. } => {
                of.iter().for_each(|of| of.walk(look));
                arguments.iter().for_each(|argument| argument.walk(look));
                options.iter().for_each(|(_, option)| option.walk(look));
            }
            Self::Property(of, _) => of.walk(look),
            Self::Name(_)
            | Self::Input
            | Self::Shared(_)
            | Self::Part(_)
            | Self::Text(_)
            | Self::FailureKind(_)
            | Self::Number(_)
            | Self::Bool(_)
            | Self::Null
            | Self::Kind(_)
            | Self::Time(_) => {}
        }
    }
}

/// A statement of a program.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Statement {
    /// A new variable.
    Let(String, Code),
    /// Something that is done.
    Do(Code),
}

impl Statement {
    /// The statement laid out, with what stands before the value of a new variable.
    pub(crate) fn layout(&self, before: impl FnOnce(&str) -> String, layout: impl FnOnce(&Code) -> Layout) -> Layout {
        match self {
            Self::Let(name, code) => layout(code).behind(before(name)),
            Self::Do(code) => layout(code),
        }
    }
}

/// Code that may have to be broken into lines: what fits into a line stands in one, and of anything else each element gets a line of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// What cannot be broken.
    Text(String),
    /// What stands in brackets behind something.
    Bracket { head: String, open: &'static str, items: Vec<Layout>, close: &'static str },
    /// With something before it.
    Behind(String, Box<Layout>),
    /// A struct of Go with its fields; `gofmt` has the values of those that stand below each other begin in one column.
    Struct { head: String, fields: Vec<(String, Layout)> },
    /// A call of what the call of `make` with one argument gives. Where the two do not begin in one line, that argument has one of its own.
    Made { make: String, argument: String, then: Box<Layout> },
    /// Calls of what calls give: where they do not fit, each stands in a line.
    Chain(Vec<String>),
}

/// How lines are broken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines {
    /// How long they are at most.
    pub(crate) width: usize,
    /// What is in brackets is deeper by this.
    pub(crate) indent: &'static str,
    /// How many columns that is.
    pub(crate) columns: usize,
}

impl Layout {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub(crate) fn call(head: impl Into<String>, items: Vec<Self>) -> Self {
        Self::Bracket { head: head.into(), open: "(", items, close: ")" }
    }

    pub(crate) fn behind(self, before: impl Into<String>) -> Self {
        Self::Behind(before.into(), Box::new(self))
    }

    /// In one line.
    pub(crate) fn flat(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Bracket { head, open, items, close } => {
                let items = items.iter().map(Self::flat).collect::<Vec<_>>().join(", ");
                format!("{head}{open}{items}{close}")
            }
            Self::Behind(before, inner) => format!("{before}{}", inner.flat()),
            Self::Struct { head, fields } => {
                let fields = fields.iter().map(|(name, value)| format!("{name}: {}", value.flat())).collect::<Vec<_>>();
                format!("{head}{{{}}}", fields.join(", "))
            }
            Self::Made { make, argument, then } => format!("{make}({argument}){}", then.flat()),
            Self::Chain(links) => links.concat(),
        }
    }

    /// In as many lines as it takes, at this depth. The first one stands behind `before` columns, the last one before `behind`.
    pub(crate) fn lines(&self, lines: Lines, depth: usize, before: usize, behind: usize) -> String {
        let flat = self.flat();
        if before + flat.chars().count() + behind <= lines.width {
            return flat;
        }
        match self {
            Self::Text(text) => text.clone(),
            Self::Chain(links) => links.join(&format!("\n{}", lines.indent.repeat(depth))),
            Self::Behind(head, inner) => format!("{head}{}", inner.lines(lines, depth, before + head.chars().count(), behind)),
            Self::Made { make, argument, then } => {
                let then = then.lines(lines, depth, lines.width, behind);
                let first = then.lines().next().unwrap_or_default().chars().count();
                if before + make.chars().count() + argument.chars().count() + 2 + first <= lines.width {
                    return format!("{make}({argument}){then}");
                }
                let [inner, margin] = [depth + 1, depth].map(|depth| lines.indent.repeat(depth));
                format!("{make}(\n{inner}{argument}\n{margin}){then}")
            }
            Self::Struct { fields, .. } if fields.is_empty() => flat,
            Self::Struct { head, fields } => {
                let inner = depth + 1;
                let margin = lines.indent.repeat(inner);
                let names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
                let values: Vec<String> = fields
                    .iter()
                    .map(|(name, value)| value.lines(lines, inner, inner * lines.columns + name.chars().count() + 2, 1))
                    .collect();
                let fields = names.iter().zip(&values).zip(columns(&names, &values)).map(|((name, value), column)| {
                    let gap = " ".repeat(column.saturating_sub(name.chars().count()));
                    format!("{margin}{name}: {gap}{value},\n")
                });
                format!("{head}{{\n{}{}}}", fields.collect::<String>(), lines.indent.repeat(depth))
            }
            Self::Bracket { items, .. } if items.is_empty() => flat,
            Self::Bracket { head, open, items, close } => {
                let inner = depth + 1;
                let margin = lines.indent.repeat(inner);
                let items = items.iter().map(|item| {
                    let item = item.lines(lines, inner, inner * lines.columns, 1);
                    format!("{margin}{item},\n")
                });
                format!("{head}{}\n{}{}{}", open.trim_end(), items.collect::<String>(), lines.indent.repeat(depth), close.trim_start())
            }
        }
    }

    /// A line of its own, or several, at this depth.
    pub(crate) fn statement(&self, lines: Lines, depth: usize, behind: &str) -> String {
        let text = self.lines(lines, depth, depth * lines.columns, behind.chars().count());
        format!("{}{text}{behind}\n", lines.indent.repeat(depth))
    }
}

/// How wide the names of fields are where their values stand, as `gofmt` has it: those below each other have one width. A value of several lines
/// stands apart, and so does a name that is much longer or shorter than those before it.
fn columns(names: &[&str], values: &[String]) -> Vec<usize> {
    let width = |name: &str| name.chars().count();
    let mut sections: Vec<Vec<usize>> = Vec::new();
    let mut logarithms: Vec<f64> = Vec::new();
    let mut before = None;
    for (name, value) in names.iter().zip(values) {
        let size = (!value.contains('\n')).then(|| width(name));
        let is_alike = match (before.flatten(), size) {
            (Some(before), Some(size)) if before <= 40 && size <= 40 => true,
            (Some(_), Some(size)) => {
                let mean = (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp();
                let ratio = size as f64 / mean;
                2.5 * ratio > 1.0 && ratio < 2.5
            }
            _ => false,
        };
        match sections.last_mut().filter(|_| is_alike) {
            Some(section) => section.push(width(name)),
            None => {
                sections.push(vec![width(name)]);
                logarithms.clear();
            }
        }
        logarithms.extend(size.map(|size| (size as f64).ln()));
        before = Some(size);
    }
    let widest = |section: Vec<usize>| vec![section.iter().copied().max().unwrap_or_default(); section.len()];
    sections.into_iter().flat_map(widest).collect()
}
