//! Documents: text with the places where lines may be broken, in the terms of the formatter prettier, and how they become lines.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::width::width;

/// The columns that a line has.
const WIDTH: usize = 80;

/// A document.
#[derive(Clone, Debug)]
pub(super) struct Doc<'a> {
    node: Rc<Node<'a>>,
    /// Whether it cannot stand in one line, so that nothing around it can.
    breaks: bool,
    /// Whether it has a place where a line may be broken.
    breakable: bool,
}

#[derive(Debug)]
enum Node<'a> {
    Text(Cow<'a, str>, usize),
    Concat(Vec<Doc<'a>>),
    Indent(Doc<'a>),
    Line(Line),
    /// What stands in one line if it fits, with other forms of it for where it does not.
    Group {
        contents: Doc<'a>,
        broken: bool,
        id: Option<Id>,
        states: Vec<Doc<'a>>,
    },
    /// One thing where the group around it, or the one with that id, is broken, and another where it is not.
    Either {
        broken: Doc<'a>,
        flat: Doc<'a>,
        id: Option<Id>,
    },
    /// Indented where that group is broken.
    IndentIfBroken(Doc<'a>, Id),
    /// Things and lines in turn, of which as many stand in a line as fit.
    Fill(Vec<Doc<'a>>),
    Broken,
}

/// A group that other parts of the document depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Id(pub(super) usize);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    /// A blank where it is not broken.
    Blank,
    /// Nothing where it is not broken.
    Soft,
    /// Always broken.
    Hard,
}

impl<'a> Doc<'a> {
    fn new(node: Node<'a>, breaks: bool, breakable: bool) -> Self {
        Self { node: Rc::new(node), breaks, breakable }
    }

    pub(super) fn text(text: impl Into<Cow<'a, str>>) -> Self {
        let text = text.into();
        let width = width(&text);
        Self::new(Node::Text(text, width), false, false)
    }

    pub(super) fn nothing() -> Self {
        Self::concat(Vec::new())
    }

    pub(super) fn concat(parts: Vec<Self>) -> Self {
        let (breaks, breakable) = (parts.iter().any(|part| part.breaks), parts.iter().any(|part| part.breakable));
        Self::new(Node::Concat(parts), breaks, breakable)
    }

    /// These, with the separator between them.
    pub(super) fn join(separator: &Self, parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Vec::new();
        for part in parts {
            if !all.is_empty() {
                all.push(separator.clone());
            }
            all.push(part);
        }
        Self::concat(all)
    }

    pub(super) fn indent(self) -> Self {
        let (breaks, breakable) = (self.breaks, self.breakable);
        Self::new(Node::Indent(self), breaks, breakable)
    }

    pub(super) fn line() -> Self {
        Self::new(Node::Line(Line::Blank), false, true)
    }

    pub(super) fn soft() -> Self {
        Self::new(Node::Line(Line::Soft), false, true)
    }

    pub(super) fn hard() -> Self {
        Self::new(Node::Line(Line::Hard), true, true)
    }

    /// What breaks all groups around it.
    pub(super) fn broken() -> Self {
        Self::new(Node::Broken, true, false)
    }

    fn any_group(contents: Self, broken: bool, id: Option<Id>) -> Self {
        let (broken, breakable) = (broken || contents.breaks, contents.breakable);
        Self::new(Node::Group { contents, broken, id, states: Vec::new() }, broken, breakable)
    }

    pub(super) fn group(self) -> Self {
        Self::any_group(self, false, None)
    }

    pub(super) fn group_called(self, id: Id) -> Self {
        Self::any_group(self, false, Some(id))
    }

    /// A group that is broken if so said.
    pub(super) fn group_broken(self, broken: bool) -> Self {
        Self::any_group(self, broken, None)
    }

    /// The first of these that fits; the last one if none does.
    pub(super) fn choice(first: Self, others: Vec<Self>) -> Self {
        let mut states = vec![first.clone()];
        states.extend(others);
        let breakable = first.breakable;
        Self::new(Node::Group { contents: first, broken: false, id: None, states }, false, breakable)
    }

    pub(super) fn if_broken(broken: Self, flat: Self) -> Self {
        let (breaks, breakable) = (broken.breaks || flat.breaks, broken.breakable || flat.breakable);
        Self::new(Node::Either { broken, flat, id: None }, breaks, breakable)
    }

    pub(super) fn indent_if_broken(self, id: Id) -> Self {
        let (breaks, breakable) = (self.breaks, self.breakable);
        Self::new(Node::IndentIfBroken(self, id), breaks, breakable)
    }

    pub(super) fn fill(parts: Vec<Self>) -> Self {
        let (breaks, breakable) = (parts.iter().any(|part| part.breaks), parts.iter().any(|part| part.breakable));
        Self::new(Node::Fill(parts), breaks, breakable)
    }

    /// Whether it cannot stand in one line.
    pub(super) const fn must_break(&self) -> bool {
        self.breaks
    }

    /// Whether there is a place in it where a line may be broken.
    pub(super) const fn can_break(&self) -> bool {
        self.breakable
    }

    /// In one line, unless it must be broken.
    pub(super) fn flat(&self) -> String {
        self.printed(usize::MAX)
    }

    /// As lines.
    pub(super) fn lines(&self) -> String {
        self.printed(WIDTH)
    }

    fn printed(&self, columns: usize) -> String {
        let mut printer = Printer { columns, position: 0, out: String::new(), modes: BTreeMap::new(), measure_again: false };
        printer.print(self);
        printer.out
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Broken,
    Flat,
}

#[derive(Clone, Copy)]
struct Command<'d, 'a> {
    indent: usize,
    mode: Mode,
    doc: &'d Doc<'a>,
    /// How much of a fill was printed.
    from: usize,
}

struct Printer {
    columns: usize,
    position: usize,
    out: String,
    modes: BTreeMap<Id, Mode>,
    /// Whether a line was broken where none should be, so that what was measured says nothing.
    measure_again: bool,
}

impl Printer {
    fn print(&mut self, doc: &Doc<'_>) {
        let mut commands = vec![Command { indent: 0, mode: Mode::Broken, doc, from: 0 }];
        while let Some(command) = commands.pop() {
            let Command { indent, mode, doc, from } = command;
            let inner = |doc| Command { indent, mode, doc, from: 0 };
            match &*doc.node {
                Node::Text(text, width) => {
                    self.out.push_str(text);
                    self.position += width;
                }
                Node::Concat(parts) => commands.extend(parts.iter().rev().map(inner)),
                Node::Indent(contents) => commands.push(Command { indent: indent + 2, ..inner(contents) }),
                Node::IndentIfBroken(contents, id) => {
                    let deeper = if self.modes.get(id) == Some(&Mode::Broken) { 2 } else { 0 };
                    commands.push(Command { indent: indent + deeper, ..inner(contents) });
                }
                Node::Either { broken, flat, id } => {
                    let mode = id.map_or(mode, |id| self.modes.get(&id).copied().unwrap_or(Mode::Flat));
                    commands.push(inner(if mode == Mode::Broken { broken } else { flat }));
                }
                Node::Group { contents, broken, id, states } => {
                    let chosen = self.group(inner(contents), *broken, states, &commands);
                    if let Some(id) = id {
                        self.modes.insert(*id, chosen.mode);
                    }
                    commands.push(chosen);
                }
                Node::Fill(parts) => self.fill(command, parts, from, &mut commands),
                Node::Line(line) => self.line(*line, indent, mode),
                Node::Broken => {}
            }
        }
    }

    fn line(&mut self, line: Line, indent: usize, mode: Mode) {
        if mode == Mode::Flat && line != Line::Hard {
            if line == Line::Blank {
                self.out.push(' ');
                self.position += 1;
            }
            return;
        }
        self.measure_again |= mode == Mode::Flat;
        self.out.truncate(self.out.trim_end_matches([' ', '\t']).len());
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.position = indent;
    }

    fn group<'d, 'a>(
        &mut self,
        contents: Command<'d, 'a>,
        broken: bool,
        states: &'d [Doc<'a>],
        rest: &[Command<'d, 'a>],
    ) -> Command<'d, 'a> {
        if contents.mode == Mode::Flat && !self.measure_again {
            return Command { mode: if broken { Mode::Broken } else { Mode::Flat }, ..contents };
        }
        self.measure_again = false;
        let flat = Command { mode: Mode::Flat, ..contents };
        if !broken && self.fits(flat, rest, false) {
            return flat;
        }
        let Some(last) = states.last() else { return Command { mode: Mode::Broken, ..contents } };
        if !broken {
            let between = states.iter().skip(1).take(states.len().saturating_sub(2));
            if let Some(found) = between.map(|doc| Command { doc, ..flat }).find(|state| self.fits(*state, rest, false)) {
                return found;
            }
        }
        Command { mode: Mode::Broken, doc: last, ..contents }
    }

    fn fill<'d, 'a>(&self, command: Command<'d, 'a>, parts: &'d [Doc<'a>], from: usize, commands: &mut Vec<Command<'d, 'a>>) {
        let in_mode = |doc, mode| Command { doc, mode, from: 0, ..command };
        let Some(content) = parts.get(from) else { return };
        let fits = self.fits(in_mode(content, Mode::Flat), &[], true);
        let content_mode = if fits { Mode::Flat } else { Mode::Broken };
        if let (Some(blank), Some(second)) = (parts.get(from + 1), parts.get(from + 2)) {
            commands.push(Command { from: from + 2, ..command });
            let pair = Doc::concat(vec![content.clone(), blank.clone(), second.clone()]);
            let both = fits && self.fits(Command { doc: &pair, mode: Mode::Flat, from: 0, indent: command.indent }, &[], true);
            commands.push(in_mode(blank, if both { Mode::Flat } else { Mode::Broken }));
        }
        commands.push(in_mode(content, content_mode));
    }

    /// Whether a line has room for this and for what is behind it up to the next place where a line may be broken.
    fn fits(&self, next: Command<'_, '_>, rest: &[Command<'_, '_>], must_be_flat: bool) -> bool {
        if self.columns == usize::MAX {
            return true;
        }
        let Some(mut left) = self.columns.checked_sub(self.position) else { return false };
        let mut rest = rest.iter().rev();
        let mut commands = vec![(next.mode, next.doc, next.from)];
        let mut pending = 0;
        loop {
            let Some((mode, doc, from)) = commands.pop() else {
                match rest.next() {
                    Some(command) => commands.push((command.mode, command.doc, command.from)),
                    None => return true,
                }
                continue;
            };
            match &*doc.node {
                Node::Text(_, 0) | Node::Broken => {}
                Node::Text(_, width) => {
                    let Some(less) = left.checked_sub(pending + width) else { return false };
                    (left, pending) = (less, 0);
                }
                Node::Concat(parts) | Node::Fill(parts) => {
                    commands.extend(parts.iter().skip(from).rev().map(|part| (mode, part, 0)));
                }
                Node::Indent(contents) | Node::IndentIfBroken(contents, _) => commands.push((mode, contents, 0)),
                Node::Group { broken: true, .. } if must_be_flat => return false,
                Node::Group { contents, broken, states, .. } => {
                    let mode = if *broken { Mode::Broken } else { mode };
                    let doc = states.last().filter(|_| mode == Mode::Broken).unwrap_or(contents);
                    commands.push((mode, doc, 0));
                }
                Node::Either { broken, flat, id } => {
                    let chosen = id.map_or(mode, |id| self.modes.get(&id).copied().unwrap_or(Mode::Flat));
                    commands.push((mode, if chosen == Mode::Broken { broken } else { flat }, 0));
                }
                Node::Line(line) => match (mode, line) {
                    (Mode::Broken, _) | (_, Line::Hard) => return true,
                    (_, Line::Blank) => pending = 1,
                    (_, Line::Soft) => {}
                },
            }
        }
    }
}
