//! Standard output and standard error.

use std::io::{self, IsTerminal as _, Write};

use anstream::{AutoStream, ColorChoice};
use weave_diagnostics::{Charset, Diagnostic, Renderer, SourceMap, Style, counted, summary};
use weave_report::Format;

use crate::args::{ErrorFormat, Global, When};
use crate::failure::{Failure, reason};
use crate::printed::{Printed, tamed};
use crate::report::lines;

/// More diagnostics than this are counted but not drawn: nobody reads them, and drawing is what takes time.
const MOST_DRAWN: usize = 500;

/// A line for a person. It cannot be made without escaping: nothing in it acts on a terminal, and it stays one line, so a file name or what another
/// program said cannot look like a message of ours or like a command to a CI system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line(String);

impl Line {
    /// The line, with its end.
    pub(crate) fn into_text(self) -> String {
        self.0
    }
}

impl From<&str> for Line {
    fn from(text: &str) -> Self {
        Self(Charset::Unicode.line(text) + "\n")
    }
}

impl From<String> for Line {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<&String> for Line {
    fn from(text: &String) -> Self {
        Self::from(text.as_str())
    }
}

/// How a command talks to whoever started it.
///
/// What was asked for goes to standard output; everything that is said about it goes to standard error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terminal {
    color: When,
    pub(crate) quiet: bool,
    format: ErrorFormat,
}

impl Terminal {
    pub(crate) fn new(global: Global) -> Self {
        Self { color: global.color, quiet: global.quiet, format: global.error_format }
    }

    /// For what has to be said before the arguments are understood.
    pub(crate) fn with_color(color: When) -> Self {
        Self { color, quiet: false, format: ErrorFormat::Human }
    }

    /// Whether standard output gets colour.
    #[expect(clippy::disallowed_methods, reason = "this is the place")]
    pub(crate) fn colors_output(self) -> bool {
        colors(self.color, AutoStream::choice(&io::stdout()))
    }

    /// Whether standard error gets colour.
    #[expect(clippy::disallowed_methods, reason = "this is the place")]
    pub(crate) fn colors_errors(self) -> bool {
        colors(self.color, AutoStream::choice(&io::stderr()))
    }

    /// Writes to standard output.
    ///
    /// A reader that has seen enough and closed the pipe is no failure; a full disk is one.
    #[expect(clippy::disallowed_methods, reason = "this is the place")]
    pub(crate) fn print(self, printed: &Printed) -> Result<(), Failure> {
        let mut output = io::stdout().lock();
        let written = if output.is_terminal() {
            output.write_all(printed.for_terminal().as_bytes())
        } else {
            output.write_all(printed.text().as_bytes())
        };
        match written.and_then(|()| output.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::new(format!("cannot write to standard output: {}", reason(&error))))
            }
            _ => Ok(()),
        }
    }

    /// Writes a line to standard error, or nowhere if that is closed.
    pub(crate) fn say(self, line: impl Into<Line>) {
        self.write_raw(&line.into().0);
    }

    /// Whether a person sees standard error and types on standard input.
    #[cfg(feature = "run")]
    #[expect(clippy::disallowed_methods, reason = "nothing is written")]
    pub(crate) fn is_attended(self) -> bool {
        io::stdin().is_terminal() && io::stderr().is_terminal()
    }

    /// Writes a line to standard error without its end, so that an answer is typed after it.
    #[cfg(feature = "run")]
    pub(crate) fn prompt(self, line: impl Into<Line>) {
        self.write_raw(&format!("{} ", line.into().0.trim_end()));
    }

    /// Writes what a renderer made, in which the texts of others are escaped already. Whatever it forgot acts on no terminal.
    fn write(self, text: &str) {
        self.write_raw(&tamed(text));
    }

    #[expect(clippy::disallowed_methods, reason = "this is the place")]
    fn write_raw(self, text: &str) {
        let mut output = io::stderr().lock();
        let _ = output.write_all(text.as_bytes()).and_then(|()| output.flush());
    }

    /// Says what is wrong with the arguments. The error must be that of escaped arguments.
    pub(crate) fn usage(self, error: &clap::Error) {
        let text = error.render();
        self.write(&if self.colors_errors() { text.ansi().to_string() } else { text.to_string() });
    }

    /// Writes a table that weave-report made.
    pub(crate) fn table(self, text: &str) {
        text.lines().for_each(|line| self.say(line));
    }

    /// Takes away what was said before, where somebody looks at it.
    #[expect(clippy::disallowed_methods, reason = "this is the place")]
    pub(crate) fn clear(self) {
        if io::stderr().is_terminal() {
            // All of the window and nothing of what was scrolled out of it; then to its first place.
            self.write_raw("\u{1b}[2J\u{1b}[H");
        }
    }

    /// Says something that is no error, unless only errors are wanted.
    pub(crate) fn remark(self, line: impl Into<Line>) {
        if !self.quiet {
            self.say(line);
        }
    }

    /// Says why a command could not do its work.
    pub(crate) fn fail(self, failure: &Failure) {
        self.write(&failure.render(self.colors_errors()));
    }

    /// Says diagnostics in the form that was asked for.
    pub(crate) fn report(self, diagnostics: &[Diagnostic], sources: &SourceMap) {
        match self.format {
            ErrorFormat::Human => self.draw(Style::Full, diagnostics, sources),
            ErrorFormat::Short => self.draw(Style::Short, diagnostics, sources),
            ErrorFormat::GitHub => self.say_lines(Format::GitHub, diagnostics, sources),
            ErrorFormat::Agent => self.say_lines(Format::Agent, diagnostics, sources),
        }
    }

    fn say_lines(self, format: Format, diagnostics: &[Diagnostic], sources: &SourceMap) {
        let wanted = diagnostics.iter().filter(|diagnostic| !self.quiet || diagnostic.is_error()).cloned().collect::<Vec<_>>();
        match lines(format, &wanted, sources) {
            Ok(text) => self.write(text.text()),
            Err(failure) => self.fail(&failure),
        }
    }

    /// Draws diagnostics and counts them.
    fn draw(self, style: Style, diagnostics: &[Diagnostic], sources: &SourceMap) {
        let wanted = diagnostics.iter().filter(|diagnostic| !self.quiet || diagnostic.is_error()).collect::<Vec<_>>();
        let renderer = Renderer { style, color: self.colors_errors(), ..Renderer::default() };
        let drawn = match style {
            Style::Full => wanted.len().min(MOST_DRAWN),
            Style::Short => wanted.len(),
        };
        let mut text = String::new();
        for diagnostic in wanted.iter().take(drawn) {
            text.push_str(&renderer.render(diagnostic, sources));
            if text.len() > 1 << 16 {
                self.write(&text);
                text.clear();
            }
        }
        if drawn < wanted.len() {
            text.push_str(&format!(
                "… and {}; `--error-format short` prints all of them\n",
                counted(wanted.len() - drawn, "more diagnostic")
            ));
        }
        self.write(&text);
        if style == Style::Full
            && let Some(counts) = summary(diagnostics)
        {
            self.remark(counts);
        }
    }
}

fn colors(when: When, automatic: ColorChoice) -> bool {
    match when {
        When::Always => true,
        When::Never => false,
        When::Auto => automatic != ColorChoice::Never,
    }
}
