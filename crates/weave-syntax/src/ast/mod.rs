//! The syntax tree of one top-level item.
//!
//! All spans count from the start of the item's slice of the file, so that an item which has not changed keeps its tree when
//! text before it grows or shrinks. Names and literals hold only their span; their text is read from the slice.
//!
//! A node that was being typed is kept: what is missing in it is a name with an empty span, [`Expr::Missing`],
//! [`Type::Missing`], or an absent option. Whoever reads the tree stays silent about what is missing, because the parser
//! has said it already.

mod expression;
mod item;
mod test;
mod types;
mod workflow;

pub use expression::{
    Binary, BinaryOperator, Coalesce, Entry, Expr, List, ListItem, Literal, LiteralKind, Object, Path, Root, Segment, Unary, UnaryOperator,
};
pub use item::{
    Agent, Attribute, AttributeArgument, Block, BlockEntry, Enum, EnumValue, ErrorDeclaration, Event, Import, ImportedName, Item, ItemKind,
    Meta, Prompt, Setting, SettingValue, Tool, ToolKind, Toolkit, TypeBody, TypeDeclaration, Union, Variant,
};
pub use test::{Branch, Element, Given, Line, LineKind, OrderItem, StepRef, Test, TestEntry};
pub use types::{Constraint, Constraints, Field, ListType, MapType, NamedType, OptionalType, Record, Type, UnionType};
pub use workflow::{
    Action, Clause, Condition, Each, Node, NodeBody, NodeKind, Source, StepEntry, Target, Trigger, Triggers, Wait, Workflow,
};

use weave_diagnostics::Span;

/// An identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// Where it stands; empty if it is missing.
    pub span: Span,
}

impl Name {
    /// The identifier in its item's text.
    #[must_use]
    pub fn text(self, item: &str) -> &str {
        self.span.text(item)
    }

    /// Whether the parser had to assume it.
    #[must_use]
    pub const fn is_missing(self) -> bool {
        self.span.is_empty()
    }
}

/// A name that may have dots in it: a topic if it has, else the name of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dotted {
    /// Where it stands, dots included; empty if it is missing.
    pub span: Span,
    /// Whether it has a dot, and so is a topic.
    pub is_topic: bool,
}

impl Dotted {
    /// The name with its dots.
    #[must_use]
    pub fn text(self, item: &str) -> &str {
        self.span.text(item)
    }

    /// Whether the parser had to assume it, or a part of it.
    #[must_use]
    pub fn is_missing(self, item: &str) -> bool {
        self.span.is_empty() || self.text(item).ends_with('.')
    }
}

/// The key of a field or of an entry: an identifier or a quoted string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// Where it stands, quotes included; empty if it is missing.
    pub span: Span,
    /// Whether it is a quoted string.
    pub quoted: bool,
}

impl Key {
    /// What the key says, escapes resolved.
    #[must_use]
    pub fn text(self, item: &str) -> std::borrow::Cow<'_, str> {
        let raw = self.span.text(item);
        if self.quoted { crate::text::string_value(raw) } else { std::borrow::Cow::Borrowed(raw) }
    }

    /// Whether the parser had to assume it.
    #[must_use]
    pub const fn is_missing(self) -> bool {
        self.span.is_empty()
    }
}
