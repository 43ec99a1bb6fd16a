//! Where in a `weave.toml` something stands: the keys and values of a text, by their paths.

use std::borrow::Cow;
use std::collections::BTreeMap;

use toml_parser::decoder::Encoding;
use toml_parser::parser::{Event, EventKind, parse_document};
use toml_parser::{Raw, Source};
use weave_diagnostics::Span;

/// A step on the way from the whole file to something in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    /// A key of a table.
    Key(String),
    /// An element of a list.
    Item(usize),
}

/// A word of the text.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) span: Span,
    /// Its own key included.
    pub(super) path: Vec<Step>,
    pub(super) kind: NodeKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeKind {
    /// A part of the name of a table, in brackets.
    Header,
    /// A key.
    Key,
    /// A value.
    Value,
}

/// What may stand at the end of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Position {
    /// The name of a table, in brackets, or in two for a list of tables.
    Header { list: bool },
    /// A key.
    Key,
    /// A value.
    Value,
    /// Nothing that could be named.
    Nothing,
}

/// A text, as far as it is TOML.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) nodes: Vec<Node>,
    /// What may stand at the end.
    pub(super) position: Position,
    /// The table whose key may stand there, or what the value may be of.
    pub(super) path: Vec<Step>,
    /// Whether the end is in braces or brackets of a value.
    pub(super) is_inline: bool,
}

/// A value in brackets or braces that is not closed yet.
enum Frame {
    List { path: Vec<Step>, next: usize },
    Table { path: Vec<Step> },
}

struct Walk<'s> {
    text: &'s str,
    /// Where the section starts that is read.
    base: u32,
    nodes: Vec<Node>,
    /// The table that the keys at the start of a line are of.
    table: Vec<Step>,
    /// How many elements lists of tables have so far.
    lists: BTreeMap<Vec<Step>, usize>,
    frames: Vec<Frame>,
    /// The parts of the key that is read.
    keys: Vec<String>,
    /// Whether a dot stands behind them.
    dot: bool,
    position: Position,
}

impl Document {
    /// Reads a text; what is no TOML in it is passed over.
    pub(super) fn read(text: &str) -> Self {
        let mut walk = Walk {
            text,
            base: 0,
            nodes: Vec::new(),
            table: Vec::new(),
            lists: BTreeMap::new(),
            frames: Vec::new(),
            keys: Vec::new(),
            dot: false,
            position: Position::Key,
        };
        // A bracket that is not closed would swallow the tables behind it.
        for section in sections(text) {
            walk.frames.clear();
            walk.begin_key();
            parse_document(&Source::new(section).lex().into_vec(), &mut |event: Event| walk.event(&event), &mut ());
            walk.base += section.len() as u32;
        }
        let position = match walk.position {
            Position::Key if !walk.keys.is_empty() && !walk.dot => Position::Nothing,
            position => position,
        };
        let path = match position {
            Position::Value => walk.value_path(),
            Position::Header { .. } => walk.header_path(),
            _ => walk.key_path(),
        };
        Self { position, path, is_inline: !walk.frames.is_empty(), nodes: walk.nodes }
    }
}

/// The parts of a text that begin with the name of a table in brackets, and what stands before the first.
fn sections(text: &str) -> Vec<&str> {
    let begins = |line: &str| {
        let name = line.trim_start_matches([' ', '\t']).strip_prefix('[');
        name.is_some_and(|name| name.strip_prefix('[').unwrap_or(name).trim_start().starts_with(|first: char| first.is_ascii_alphabetic()))
    };
    let (mut found, mut start, mut at) = (Vec::new(), 0, 0);
    for line in text.split_inclusive('\n') {
        if begins(line) {
            found.extend(text.get(start..at));
            start = at;
        }
        at += line.len();
    }
    found.extend(text.get(start..));
    found
}

impl Walk<'_> {
    fn event(&mut self, event: &Event) {
        let span = Span::new(event.span().start() as u32, event.span().end() as u32).shifted(self.base);
        match event.kind() {
            // What is missing has no length: the parser says it only so that each event has its counterpart.
            EventKind::Scalar | EventKind::SimpleKey | EventKind::KeyValSep | EventKind::InlineTableClose | EventKind::ArrayClose
                if span.is_empty() => {}
            EventKind::StdTableOpen => self.open_header(false),
            EventKind::ArrayTableOpen => self.open_header(true),
            EventKind::StdTableClose | EventKind::ArrayTableClose => self.close_header(event.kind() == EventKind::ArrayTableClose),
            EventKind::SimpleKey => self.key(span, event.encoding()),
            EventKind::KeySep => self.dot = true,
            EventKind::KeyValSep => self.position = Position::Value,
            EventKind::InlineTableOpen => {
                let path = self.value_path();
                self.frames.push(Frame::Table { path });
                self.begin_key();
            }
            EventKind::ArrayOpen => {
                let path = self.value_path();
                self.frames.push(Frame::List { path, next: 0 });
                self.position = Position::Value;
            }
            EventKind::InlineTableClose | EventKind::ArrayClose => {
                self.frames.pop();
                self.position = Position::Nothing;
            }
            EventKind::ValueSep => match self.frames.last_mut() {
                Some(Frame::List { next, .. }) => {
                    *next += 1;
                    self.position = Position::Value;
                }
                _ => self.begin_key(),
            },
            EventKind::Scalar => {
                let path = self.value_path();
                self.nodes.push(Node { span, path, kind: NodeKind::Value });
                self.position = Position::Nothing;
            }
            EventKind::Newline if self.frames.is_empty() => self.begin_key(),
            _ => {}
        }
    }

    fn begin_key(&mut self) {
        self.keys.clear();
        self.dot = false;
        self.position = Position::Key;
    }

    fn open_header(&mut self, list: bool) {
        self.frames.clear();
        self.begin_key();
        self.position = Position::Header { list };
    }

    fn close_header(&mut self, list: bool) {
        self.table = self.header_path();
        if list {
            let count = self.lists.entry(self.table.clone()).or_default();
            *count += 1;
            self.table.push(Step::Item(*count - 1));
        }
        self.position = Position::Nothing;
    }

    fn key(&mut self, span: Span, encoding: Option<Encoding>) {
        let raw = span.text(self.text);
        let mut name = Cow::Borrowed("");
        Raw::new_unchecked(raw, encoding, toml_parser::Span::new_unchecked(0, raw.len())).decode_key(&mut name, &mut ());
        self.keys.push(name.into_owned());
        self.dot = false;
        let (path, kind) = match self.position {
            Position::Header { .. } => (self.header_path(), NodeKind::Header),
            _ => (self.key_path(), NodeKind::Key),
        };
        self.nodes.push(Node { span, path, kind });
    }

    /// The name in the brackets so far; a list of tables stands for its last element.
    fn header_path(&self) -> Vec<Step> {
        let mut path = Vec::new();
        for (index, key) in self.keys.iter().enumerate() {
            path.push(Step::Key(key.clone()));
            let last = self.lists.get(&path).copied().filter(|_| index + 1 < self.keys.len());
            path.extend(last.map(|count| Step::Item(count.saturating_sub(1))));
        }
        path
    }

    /// The table that a key stands in, with the parts of the key.
    fn key_path(&self) -> Vec<Step> {
        let table = match self.frames.last() {
            Some(Frame::Table { path } | Frame::List { path, .. }) => path,
            None => &self.table,
        };
        table.iter().cloned().chain(self.keys.iter().cloned().map(Step::Key)).collect()
    }

    fn value_path(&self) -> Vec<Step> {
        match self.frames.last() {
            Some(Frame::List { path, next }) => path.iter().cloned().chain([Step::Item(*next)]).collect(),
            _ => self.key_path(),
        }
    }
}
