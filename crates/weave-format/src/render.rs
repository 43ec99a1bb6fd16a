//! From instructions to lines.

use crate::WIDTH;
use crate::document::Op;

/// How many blanks one level of indentation is.
const INDENT: usize = 2;

/// Text that grows line by line.
#[derive(Debug, Default)]
pub(crate) struct Output {
    /// The text so far.
    pub(crate) text: String,
    /// The comments that stand behind something and have no blanks before them yet, in the order of the text.
    trailing: Vec<Trailing>,
    /// Room for what stands behind the first of them while they get their blanks.
    behind: String,
    /// How many characters the last line has.
    column: usize,
    /// Blanks that the last line starts with once something stands on it.
    indent: usize,
    /// How many lines have ended.
    lines: usize,
}

/// A comment behind something.
#[derive(Clone, Copy, Debug)]
struct Trailing {
    /// Where the blanks before it go.
    offset: usize,
    /// Its line.
    line: usize,
    /// How many characters stand before it.
    column: usize,
    /// How far its line is indented; nothing for a line that closes something, whose comment is about all of that.
    indent: Option<usize>,
}

impl Output {
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self { text: String::with_capacity(bytes), ..Self::default() }
    }

    /// Writes something without line breaks.
    pub(crate) fn write(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.start_line();
        self.text.push_str(text);
        self.column += width(text);
    }

    /// Writes something that may have several lines.
    pub(crate) fn write_lines(&mut self, text: &str) {
        let Some((before, last)) = text.rsplit_once('\n') else { return self.write(text) };
        self.start_line();
        self.text.push_str(text);
        self.lines += before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        self.column = width(last);
    }

    /// Writes the blanks that a line starts with, once something stands on it.
    fn start_line(&mut self) {
        const BLANKS: &str = "                                ";
        if self.indent == 0 {
            return;
        }
        match BLANKS.get(..self.indent) {
            Some(blanks) => self.text.push_str(blanks),
            None => self.text.extend(std::iter::repeat_n(' ', self.indent)),
        }
        self.column = self.indent;
        self.indent = 0;
    }

    /// Ends the line.
    pub(crate) fn end_line(&mut self, blank: bool, indent: usize) {
        self.text.push('\n');
        self.lines += 1;
        if blank {
            self.text.push('\n');
            self.lines += 1;
        }
        self.column = 0;
        self.indent = indent;
    }

    /// Writes a comment behind what stands on the line.
    pub(crate) fn trail(&mut self, comment: &str) {
        let indent = self.indent_of_line();
        self.trailing.push(Trailing { offset: self.text.len(), line: self.lines, column: self.column, indent });
        self.write(comment);
    }

    /// How far the last line is indented, if it does not start with a closing bracket.
    fn indent_of_line(&self) -> Option<usize> {
        let line = self.text.rsplit('\n').next().unwrap_or_default();
        let start = line.trim_start();
        (!start.starts_with(['}', ')', ']'])).then_some(line.len() - start.len())
    }

    /// Puts an empty line at the start of a line that has been written.
    pub(crate) fn insert_line(&mut self, offset: usize) {
        self.text.insert(offset, '\n');
        self.lines += 1;
        for comment in self.trailing.iter_mut().rev().take_while(|comment| comment.offset >= offset) {
            comment.offset += 1;
            comment.line += 1;
        }
    }

    /// Ends the last line, if there is one.
    pub(crate) fn end_file(&mut self) {
        if !self.text.is_empty() {
            self.end_line(false, 0);
        }
    }

    /// How many characters fit on the last line.
    fn left(&self) -> usize {
        WIDTH.saturating_sub(if self.indent > 0 { self.indent } else { self.column })
    }

    /// How many lines have ended.
    pub(crate) const fn lines(&self) -> usize {
        self.lines
    }

    /// The text, comments behind things on neighbouring lines of one indentation below each other.
    pub(crate) fn finish(mut self) -> String {
        self.align();
        self.text
    }

    /// Puts the comments behind things below each other, unless the next line may have one that belongs to them.
    pub(crate) fn settle(&mut self) {
        if self.trailing.last().is_some_and(|last| last.line + 1 < self.lines) {
            self.align();
        }
    }

    /// Puts the blanks before the comments that stand behind something.
    fn align(&mut self) {
        let Some(first) = self.trailing.first() else { return };
        let start = first.offset;
        self.behind.clear();
        self.behind.push_str(self.text.get(start..).unwrap_or_default());
        self.text.truncate(start);
        let mut written = 0;
        let mut rest = self.trailing.as_slice();
        while let Some(first) = rest.first() {
            let is_next =
                |(comment, line): &(&Trailing, usize)| comment.line == *line && comment.indent.is_some() && comment.indent == first.indent;
            let length = rest.iter().zip(first.line..).take_while(is_next).count();
            let (run, others) = rest.split_at(length.max(1));
            let column = run.iter().map(|comment| comment.column).max().unwrap_or_default();
            for comment in run {
                let offset = comment.offset - start;
                self.text.push_str(self.behind.get(written..offset).unwrap_or_default());
                self.text.extend(std::iter::repeat_n(' ', column - comment.column + 2));
                written = offset;
            }
            rest = others;
        }
        self.text.push_str(self.behind.get(written..).unwrap_or_default());
        self.trailing.clear();
    }
}

/// How many characters a text has.
fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

/// Writes the instructions of one item. The answer is how many lines have ended when the token at the offset `head` was written.
pub(crate) fn render(ops: &[Op], source: &str, head: u32, out: &mut Output) -> usize {
    let mut indent = 0;
    let mut lines = out.lines();
    // Whether the groups that are open are broken.
    let mut broken: Vec<bool> = Vec::new();
    let slice = |start: u32, end: u32| source.get(start as usize..end as usize).unwrap_or_default();
    for (index, op) in ops.iter().enumerate() {
        let is_broken = broken.last().copied().unwrap_or(true);
        match op {
            Op::Source { start, end } => {
                if *start == head {
                    lines = out.lines();
                }
                out.write(slice(*start, *end));
            }
            Op::Lines { start, end } => out.write_lines(slice(*start, *end)),
            Op::Text(text) => out.write(text),
            Op::IfFlat(text) if !is_broken => out.write(text),
            Op::IfBroken(text) if is_broken => out.write(text),
            Op::IfFlat(_) | Op::IfBroken(_) => {}
            Op::Line { flat, .. } if !is_broken => out.write(flat),
            Op::Line { blank, .. } | Op::Hard { blank } => out.end_line(*blank, indent),
            Op::Trailing { start, end } => out.trail(slice(*start, *end)),
            Op::Open { broken: forced, .. } => {
                let flat = !forced && (!is_broken || fits(ops.get(index + 1..).unwrap_or_default(), source, out.left(), indent));
                broken.push(!flat);
            }
            Op::Close => {
                broken.pop();
            }
            Op::Indent => indent += INDENT,
            Op::Dedent => indent = indent.saturating_sub(INDENT),
        }
    }
    lines
}

/// Whether a group fits into so many characters, with what follows up to the next place where the line may break. What is firm stays
/// together, unless it does not fit behind the bracket of this group on a line of its own either.
fn fits(ops: &[Op], source: &str, mut left: usize, indent: usize) -> bool {
    let mut depth = 1_usize;
    for (index, op) in ops.iter().enumerate() {
        let text = match op {
            Op::Source { start, end } => source.get(*start as usize..*end as usize).unwrap_or_default(),
            Op::Lines { start, end } => {
                let text = source.get(*start as usize..*end as usize).unwrap_or_default();
                return width(text.lines().next().unwrap_or_default()) <= left;
            }
            Op::Text(text) => text,
            Op::IfFlat(text) if depth > 0 => text,
            Op::Line { flat, .. } if depth > 0 => flat,
            Op::Line { .. } | Op::Hard { .. } | Op::Trailing { .. } => return true,
            Op::Open { .. } if depth > 0 => {
                depth += 1;
                continue;
            }
            Op::Open { broken: false, firm: true }
                if fits(ops.get(index + 1..).unwrap_or_default(), source, WIDTH.saturating_sub(indent + 1), indent) =>
            {
                depth += 1;
                continue;
            }
            Op::Close if depth > 0 => {
                depth -= 1;
                continue;
            }
            _ => continue,
        };
        let width = width(text);
        if width > left {
            return false;
        }
        left -= width;
    }
    true
}
