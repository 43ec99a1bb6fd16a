//! Top-level items and their settings.

use weave_diagnostics::Span;

use super::{Dotted, Entry, Expr, Field, Key, Literal, Name, Record, Test, Type, Workflow};

/// A top-level item.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// From its first keyword to its last token; docs and attributes stand before.
    pub span: Span,
    /// Docs and attributes.
    pub meta: Meta,
    /// What it is.
    pub kind: ItemKind,
}

/// The kinds of items.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemKind {
    /// `import { … } from "…"`.
    Import(Box<Import>),
    /// `type`.
    Type(Box<TypeDeclaration>),
    /// `enum`.
    Enum(Box<Enum>),
    /// `union`.
    Union(Box<Union>),
    /// `error`.
    Error(Box<ErrorDeclaration>),
    /// `event`, `external event`.
    Event(Box<Event>),
    /// `tool` in all its kinds.
    Tool(Box<Tool>),
    /// `toolkit`.
    Toolkit(Box<Toolkit>),
    /// `prompt`.
    Prompt(Box<Prompt>),
    /// `agent`.
    Agent(Box<Agent>),
    /// `workflow`.
    Workflow(Box<Workflow>),
    /// `test`.
    Test(Box<Test>),
    /// Text that is no item; the parser has said so.
    Broken,
}

impl ItemKind {
    /// The name that the item declares, if it declares one that has no dots. A test declares nothing that others could name.
    #[must_use]
    pub fn name(&self) -> Option<Name> {
        match self {
            Self::Type(it) => Some(it.name),
            Self::Enum(it) => Some(it.name),
            Self::Union(it) => Some(it.name),
            Self::Error(it) => Some(it.name),
            Self::Tool(it) => Some(it.name),
            Self::Toolkit(it) => Some(it.name),
            Self::Prompt(it) => Some(it.name),
            Self::Agent(it) => Some(it.name),
            Self::Workflow(it) => Some(it.name),
            Self::Import(_) | Self::Event(_) | Self::Test(_) | Self::Broken => None,
        }
    }
}

/// What stands before a declaration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Meta {
    /// The `///` lines, markers included.
    pub docs: Box<[Span]>,
    /// The attributes.
    pub attributes: Box<[Attribute]>,
}

impl Meta {
    /// The docs as one text: markers and one space behind them taken off.
    #[must_use]
    pub fn docs_text(&self, item: &str) -> Option<String> {
        crate::text::doc_text(self.docs.iter().map(|span| span.text(item)))
    }
}

/// `@name(arguments)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// The whole attribute.
    pub span: Span,
    /// The name.
    pub name: Name,
    /// The arguments.
    pub arguments: Box<[AttributeArgument]>,
}

/// One argument of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct AttributeArgument {
    /// The whole argument.
    pub span: Span,
    /// `name:` before the value.
    pub name: Option<Name>,
    /// The value; a rule's name is a [`super::Path`] whose root name spans its hyphens too.
    pub value: Expr,
}

/// `import { A, B as C } from "./path.weave"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// What it takes.
    pub names: Box<[ImportedName]>,
    /// The string with the path; absent while it is typed.
    pub path: Option<Literal>,
}

/// One name of an import.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportedName {
    /// The whole entry.
    pub span: Span,
    /// The name in the other file.
    pub name: Dotted,
    /// The name here.
    pub alias: Option<Name>,
}

/// `type Name { fields }` or `type Name = T`.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeDeclaration {
    /// The name.
    pub name: Name,
    /// What it stands for.
    pub body: TypeBody,
}

/// The body of a type, an event or an error.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeBody {
    /// `{ fields }`.
    Record(Record),
    /// `= T`.
    Alias(Type),
    /// Nothing.
    None,
}

/// `enum Name { a, b = "c" }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Enum {
    /// The name.
    pub name: Name,
    /// The values.
    pub values: Box<[EnumValue]>,
}

/// One value of an enum.
#[derive(Clone, Debug, PartialEq)]
pub struct EnumValue {
    /// The whole value, without its docs and attributes.
    pub span: Span,
    /// Docs and attributes.
    pub meta: Meta,
    /// The name.
    pub name: Name,
    /// The string on the wire, if it is another.
    pub wire: Option<Expr>,
}

/// `union Name by tag { variant: T }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Union {
    /// The name.
    pub name: Name,
    /// The name of the tag property, if it is not `kind`.
    pub tag: Option<Name>,
    /// The variants.
    pub variants: Box<[Variant]>,
}

/// One variant of a tagged union.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// The whole variant, without its docs and attributes.
    pub span: Span,
    /// Docs and attributes.
    pub meta: Meta,
    /// The tag's value.
    pub name: Key,
    /// The type, which is a record.
    pub ty: Type,
}

/// `error name { fields }`.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorDeclaration {
    /// The name, which is the code of the failure.
    pub name: Name,
    /// The data of the failure.
    pub body: TypeBody,
}

/// `event topic { fields } -> answers`.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The `external` before it.
    pub external: Option<Span>,
    /// The topic.
    pub topic: Dotted,
    /// The payload.
    pub body: TypeBody,
    /// The topics that answer it.
    pub answers: Box<[Dotted]>,
}

/// The kinds of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ToolKind {
    /// Executed by a service.
    Local,
    /// Decoded, never executed.
    Signal,
    /// Answered later by somebody.
    Interaction,
    /// Executed by the model's provider.
    Provider,
}

/// `tool name(parameters) -> Output { settings }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// The kind, said by the word before `tool`.
    pub kind: ToolKind,
    /// The name.
    pub name: Name,
    /// The parameters.
    pub parameters: Box<[Field]>,
    /// The output.
    pub output: Option<Type>,
    /// The settings.
    pub settings: Option<Block>,
}

/// `toolkit name { settings }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Toolkit {
    /// The name.
    pub name: Name,
    /// The settings.
    pub settings: Option<Block>,
}

/// `prompt name(parameters) hydrates { fields } """…"""`.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompt {
    /// The name.
    pub name: Name,
    /// The parameters.
    pub parameters: Box<[Field]>,
    /// What is found at run time.
    pub hydrates: Option<Record>,
    /// The text; absent while it is typed.
    pub text: Option<Literal>,
}

/// `agent name(parameters) -> Output { settings }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Agent {
    /// The name.
    pub name: Name,
    /// The parameters.
    pub parameters: Box<[Field]>,
    /// The output.
    pub output: Option<Type>,
    /// The settings.
    pub settings: Option<Block>,
}

/// `{ … }` with settings (`name value`) or data (`key: value`); which of them a place allows is said by the analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The braces and what is in them.
    pub span: Span,
    /// The entries.
    pub entries: Box<[BlockEntry]>,
}

impl Block {
    /// The settings among the entries.
    pub fn settings(&self) -> impl Iterator<Item = &Setting> {
        self.entries.iter().filter_map(|entry| match entry {
            BlockEntry::Setting(setting) => Some(setting),
            BlockEntry::Data(_) => None,
        })
    }

    /// The data among the entries.
    pub fn data(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter_map(|entry| match entry {
            BlockEntry::Data(entry) => Some(entry),
            BlockEntry::Setting(_) => None,
        })
    }
}

/// One entry of a block.
#[derive(Clone, Debug, PartialEq)]
pub enum BlockEntry {
    /// `name value`.
    Setting(Setting),
    /// `key: value`.
    Data(Entry),
}

/// `name value`.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The whole setting.
    pub span: Span,
    /// The name.
    pub name: Name,
    /// The value.
    pub value: SettingValue,
}

/// The value of a setting.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingValue {
    /// `timeout 30s`, `mode silent`, `hints [read_only]`, `at env("URL")`; and `retry 3 { … }`, `via openai { … }`.
    Value {
        /// The value.
        value: Expr,
        /// The block behind it.
        block: Option<Block>,
    },
    /// `deferred { … }`, `meta { … }`.
    Block(Block),
    /// `approval when .amount > 500`.
    When {
        /// `when`.
        when: Span,
        /// The guard.
        guard: Expr,
    },
    /// `progress { pct: int }`, `artifacts Report`.
    Type(Type),
    /// `example { … } -> { … }`.
    Example {
        /// The input.
        input: Expr,
        /// The output.
        output: Option<Expr>,
    },
}
