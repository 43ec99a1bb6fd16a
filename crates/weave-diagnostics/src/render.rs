//! Drawing diagnostics for a terminal. The only module that knows codespan-reporting.

use std::io;
use std::ops::Range;

use codespan_reporting::diagnostic::{self as codespan, LabelStyle};
use codespan_reporting::files::{Error, Files};
use codespan_reporting::term::{self, Chars, Config, WriteStyle};

use crate::excerpt::{Excerpt, LINES_AFTER_START, LINES_BEFORE_END};
use crate::{Applicability, Charset, Diagnostic, FileId, Fix, Label, Severity, SourceMap, Span};

/// A replacement up to this many characters is written into the line of its fix.
const SHORT_REPLACEMENT: usize = 40;

/// So many places beside the one that a diagnostic is about are drawn; a cycle through thousands of declarations says no more with all of them.
const MOST_PLACES: usize = 32;

/// How much is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// With the source.
    #[default]
    Full,
    /// One line: place, severity, id, message.
    Short,
}

/// Draws diagnostics.
///
/// The default draws everything, with box-drawing characters and without colour.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renderer {
    /// How much is drawn.
    pub style: Style,
    /// Which characters draw the frame.
    pub charset: Charset,
    /// Whether ANSI escape sequences give it colour.
    pub color: bool,
}

impl Renderer {
    /// The drawing of one diagnostic.
    ///
    /// In the short style it is one line; in the full style an empty line ends it.
    #[must_use]
    pub fn render(&self, diagnostic: &Diagnostic, sources: &SourceMap) -> String {
        let mut painter = Painter { buffer: Vec::new(), color: self.color };
        let drawn = match self.style {
            Style::Full => self.draw_full(&mut painter, diagnostic, sources),
            Style::Short => self.draw_short(&mut painter, diagnostic, sources).map_err(Error::from),
        };
        match drawn {
            Ok(()) => without_trailing_spaces(&String::from_utf8_lossy(&painter.buffer)),
            // Writing to memory does not fail, and all ranges are of the excerpt; if they were not, the message would still be said.
            Err(_) => format!("{}[{}]: {}\n", severity(diagnostic.severity), diagnostic.code.id, diagnostic.message),
        }
    }

    /// The drawings of all of them, in their order.
    #[must_use]
    pub fn render_all(&self, diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
        diagnostics.iter().map(|diagnostic| self.render(diagnostic, sources)).collect()
    }

    fn draw_short(&self, painter: &mut Painter, diagnostic: &Diagnostic, sources: &SourceMap) -> io::Result<()> {
        use io::Write as _;
        if let Some(file) = sources.get(diagnostic.primary.place.file) {
            let at = file.line_column_chars(diagnostic.primary.place.span.start);
            write!(painter, "{}:{}:{}: ", self.charset.line(file.name()), at.line + 1, at.column + 1)?;
        }
        painter.set_header(codespan_severity(diagnostic.severity))?;
        write!(painter, "{}[{}]", severity(diagnostic.severity), diagnostic.code.id)?;
        painter.set_header_message()?;
        write!(painter, ": {}", self.charset.line(&diagnostic.message))?;
        painter.reset()?;
        writeln!(painter)
    }

    fn draw_full(&self, painter: &mut Painter, diagnostic: &Diagnostic, sources: &SourceMap) -> Result<(), Error> {
        let labels = std::iter::once((LabelStyle::Primary, &diagnostic.primary))
            .chain(diagnostic.secondary.iter().take(MOST_PLACES).map(|label| (LabelStyle::Secondary, label)))
            .collect::<Vec<_>>();
        let (excerpts, labels) = self.excerpts(&labels, sources);
        let drawing = codespan::Diagnostic {
            severity: codespan_severity(diagnostic.severity),
            code: Some(diagnostic.code.id.to_owned()),
            message: self.charset.line(&diagnostic.message),
            labels,
            notes: self.footer(diagnostic),
        };
        term::emit_to_write_style(painter, &self.config(), &excerpts, &drawing)
    }

    fn config(&self) -> Config {
        Config {
            chars: match self.charset {
                Charset::Ascii => Chars::ascii(),
                Charset::Unicode => Chars::box_drawing(),
            },
            start_context_lines: LINES_AFTER_START as usize,
            end_context_lines: LINES_BEFORE_END as usize,
            ..Config::default()
        }
    }

    /// What is shown of each file, and the labels on it; a label in a file that nobody knows is left out.
    fn excerpts(&self, labels: &[(LabelStyle, &Label)], sources: &SourceMap) -> (Excerpts, Vec<codespan::Label<usize>>) {
        let mut files: Vec<FileId> = Vec::new();
        for (_, label) in labels {
            if sources.get(label.place.file).is_some() && !files.contains(&label.place.file) {
                files.push(label.place.file);
            }
        }
        let mut drawn = Vec::new();
        let mut excerpts = Excerpts(Vec::new());
        for (index, id) in files.iter().enumerate() {
            let Some(file) = sources.get(*id) else { continue };
            let here = labels.iter().filter(|(_, label)| label.place.file == *id).collect::<Vec<_>>();
            let spans: Vec<Span> = here.iter().map(|(_, label)| label.place.span).collect();
            let excerpt = Excerpt::new(file, &spans, self.charset);
            for ((style, label), range) in here.into_iter().zip(excerpt.ranges.iter().cloned()) {
                drawn.push(codespan::Label { style: *style, file_id: index, range, message: self.charset.line(&label.message) });
            }
            excerpts.0.push((self.charset.line(file.name()), excerpt));
        }
        (excerpts, drawn)
    }

    /// The lines below the source: notes, help, fixes.
    fn footer(&self, diagnostic: &Diagnostic) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(left) = diagnostic.secondary.len().checked_sub(MOST_PLACES).filter(|left| *left > 0) {
            lines.push(self.footer_line("note", &format!("{left} more places are not shown")));
        }
        for note in &diagnostic.notes {
            lines.push(self.footer_line("note", note));
        }
        if let Some(help) = &diagnostic.help {
            lines.push(self.footer_line("help", help));
        }
        for fix in &diagnostic.fixes {
            let word = match fix.applicability {
                Applicability::Safe => "fix",
                Applicability::Unsafe => "possible fix",
            };
            lines.push(self.footer_line(word, &fix_text(fix)));
        }
        lines
    }

    fn footer_line(&self, word: &str, text: &str) -> String {
        // Lines behind the first one stand under its text.
        let indent = format!("\n{}", " ".repeat(word.len() + 2));
        let text = self.charset.block(text).replace('\n', &indent);
        if self.color { format!("\u{1b}[1m{word}:\u{1b}[0m {text}") } else { format!("{word}: {text}") }
    }
}

/// Frames leave spaces behind, which nobody sees and every comparison of texts stumbles over.
fn without_trailing_spaces(drawing: &str) -> String {
    let mut text = String::with_capacity(drawing.len());
    for line in drawing.lines() {
        text.push_str(line.trim_end_matches(' '));
        text.push('\n');
    }
    text
}

/// What a fix does, with what it writes where that is short and not said already.
fn fix_text(fix: &Fix) -> String {
    let [edit] = fix.edits.as_slice() else { return fix.message.clone() };
    let text = edit.text.trim();
    let short = !text.is_empty() && !text.contains('\n') && text.chars().nth(SHORT_REPLACEMENT).is_none();
    if short && !fix.message.contains(text) { format!("{}: `{text}`", fix.message) } else { fix.message.clone() }
}

const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

const fn codespan_severity(severity: Severity) -> codespan::Severity {
    match severity {
        Severity::Error => codespan::Severity::Error,
        Severity::Warning => codespan::Severity::Warning,
        Severity::Note => codespan::Severity::Note,
    }
}

/// The excerpts of one drawing with the names of their files, as codespan sees them.
struct Excerpts(Vec<(String, Excerpt)>);

impl Excerpts {
    fn get(&self, id: usize) -> Result<&(String, Excerpt), Error> {
        self.0.get(id).ok_or(Error::FileMissing)
    }
}

impl<'a> Files<'a> for Excerpts {
    type FileId = usize;
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, id: usize) -> Result<&'a str, Error> {
        Ok(&self.get(id)?.0)
    }

    fn source(&'a self, id: usize) -> Result<&'a str, Error> {
        Ok(&self.get(id)?.1.text)
    }

    fn line_index(&'a self, id: usize, offset: usize) -> Result<usize, Error> {
        Ok(self.get(id)?.1.line_index(offset))
    }

    fn line_number(&'a self, id: usize, index: usize) -> Result<usize, Error> {
        // Lines that are left out are never drawn; any number will do for them.
        Ok(self.get(id)?.1.lines.get(&index).map_or(1, |line| line.number))
    }

    fn column_number(&'a self, id: usize, _index: usize, offset: usize) -> Result<usize, Error> {
        Ok(self.get(id)?.1.locations.get(&offset).map_or(1, |(_, column)| *column))
    }

    fn line_range(&'a self, id: usize, index: usize) -> Result<Range<usize>, Error> {
        Ok(self.get(id)?.1.lines.get(&index).map_or(0..0, |line| line.range.clone()))
    }
}

/// Writes into memory, with or without ANSI escape sequences.
struct Painter {
    buffer: Vec<u8>,
    color: bool,
}

impl Painter {
    fn paint(&mut self, code: &str) -> io::Result<()> {
        if self.color {
            self.buffer.extend_from_slice(format!("\u{1b}[0;{code}m").as_bytes());
        }
        Ok(())
    }
}

impl io::Write for Painter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

const fn color(severity: codespan::Severity) -> &'static str {
    match severity {
        codespan::Severity::Bug | codespan::Severity::Error => "1;31",
        codespan::Severity::Warning => "1;33",
        codespan::Severity::Note | codespan::Severity::Help => "1;32",
    }
}

const FRAME: &str = "1;34";

impl WriteStyle for Painter {
    fn set_header(&mut self, severity: codespan::Severity) -> io::Result<()> {
        self.paint(color(severity))
    }

    fn set_header_message(&mut self) -> io::Result<()> {
        self.paint("1")
    }

    fn set_line_number(&mut self) -> io::Result<()> {
        self.paint(FRAME)
    }

    fn set_note_bullet(&mut self) -> io::Result<()> {
        self.paint(FRAME)
    }

    fn set_source_border(&mut self) -> io::Result<()> {
        self.paint(FRAME)
    }

    fn set_label(&mut self, severity: codespan::Severity, style: LabelStyle) -> io::Result<()> {
        match style {
            LabelStyle::Primary => self.paint(color(severity)),
            LabelStyle::Secondary => self.paint("36"),
        }
    }

    fn reset(&mut self) -> io::Result<()> {
        if self.color {
            self.buffer.extend_from_slice(b"\x1b[0m");
        }
        Ok(())
    }
}
