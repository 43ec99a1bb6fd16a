//! `weave fmt`.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use weave_compiler::Input;
use weave_diagnostics::{Diagnostic, SourceFile, SourceMap, counted};
use weave_format::{TextNotFormatted, format_text};

use crate::args;
use crate::failure::{Exit, Failure, Failures};
use crate::input::gather_files;
use crate::printed::Printed;
use crate::terminal::Terminal;
use crate::write::{difference, remove_abandoned_beside, replace};

/// What became of one text.
enum Outcome {
    /// It has the one layout already.
    Same,
    /// It would be this.
    Other(String),
    /// It has syntax errors.
    Broken(Vec<Diagnostic>),
    /// The formatter made a mistake.
    Refused,
}

pub(crate) fn run(arguments: &args::Fmt, terminal: Terminal) -> Result<Exit, Failures> {
    let files = gather_files(&arguments.paths.paths)?;
    let mut sources = SourceMap::default();
    let ids: Vec<_> = files.iter().map(|(_, input)| sources.add(SourceFile::new(&*input.path, input.text.clone()).into())).collect();
    let lines = arguments.lines.map(|lines| lines.first - 1..=lines.last - 1);
    let outcome =
        |((_, input), id): (&(Option<PathBuf>, Input), &weave_diagnostics::FileId)| match format_text(&input.text, lines.clone(), *id) {
            Ok(text) if text == *input.text => Outcome::Same,
            Ok(text) => Outcome::Other(text),
            Err(TextNotFormatted::SyntaxErrors(diagnostics)) => Outcome::Broken(diagnostics),
            Err(TextNotFormatted::Changed) => Outcome::Refused,
        };
    let outcomes: Vec<Outcome> = match files.as_slice() {
        [_] => files.iter().zip(&ids).map(outcome).collect(),
        _ => files.par_iter().zip(&ids).map(outcome).collect(),
    };
    let mut work = Work { arguments, terminal, changed: 0, same: 0, diagnostics: Vec::new(), failures: Failures::new() };
    if !work.is_dry() {
        remove_abandoned_beside(files.iter().filter_map(|(path, _)| path.as_deref()));
    }
    for ((path, input), outcome) in files.iter().zip(outcomes) {
        work.one(path.as_deref(), input, outcome)?;
    }
    work.end(&sources)
}

/// What a run has done so far.
struct Work<'a> {
    arguments: &'a args::Fmt,
    terminal: Terminal,
    changed: usize,
    same: usize,
    diagnostics: Vec<Diagnostic>,
    failures: Failures,
}

impl Work<'_> {
    fn is_dry(&self) -> bool {
        self.arguments.check || self.arguments.diff
    }

    fn one(&mut self, path: Option<&Path>, input: &Input, outcome: Outcome) -> Result<(), Failures> {
        match outcome {
            Outcome::Same => {
                self.same += 1;
                if path.is_none() && !self.is_dry() {
                    self.terminal.print(&Printed::exact(&*input.text))?;
                }
            }
            Outcome::Other(text) => {
                self.changed += 1;
                self.other(path, input, &text)?;
            }
            Outcome::Broken(diagnostics) => self.diagnostics.extend(diagnostics),
            Outcome::Refused => {
                let message = format!("cannot format `{}` without changing its meaning; it was not changed", input.path);
                self.failures.push(Failure::new(message).help("this is a bug in weave; please report it with the file"));
            }
        }
        Ok(())
    }

    fn other(&mut self, path: Option<&Path>, input: &Input, text: &str) -> Result<(), Failures> {
        if self.arguments.diff {
            self.terminal.print(&Printed::exact(difference(&input.path, &input.text, text)))?;
        }
        match path {
            _ if self.is_dry() => {
                if self.arguments.check {
                    self.terminal.say(format!("not formatted: {}", input.path));
                }
            }
            None => self.terminal.print(&Printed::exact(text))?,
            Some(path) => match replace(path, &input.text, text) {
                Ok(()) => self.terminal.remark(format!("formatted: {}", input.path)),
                Err(error) => self.failures.push(error.failure(path)),
            },
        }
        Ok(())
    }

    fn end(self, sources: &SourceMap) -> Result<Exit, Failures> {
        let broken = self.diagnostics.iter().any(Diagnostic::is_error);
        if broken {
            self.terminal.report(&self.diagnostics, sources);
            self.terminal.remark("Files with syntax errors were not changed.");
        }
        if !self.failures.is_empty() {
            return Err(self.failures);
        }
        if self.changed == 0 && !broken && self.same > 0 && self.arguments.paths.paths.iter().all(|path| path != Path::new("-")) {
            let (subject, verb) = (counted(self.same, "file"), if self.same == 1 { "is" } else { "are" });
            self.terminal.remark(format!("{subject} {verb} formatted already."));
        }
        Ok(if broken || self.is_dry() && self.changed > 0 { Exit::Errors } else { Exit::Clean })
    }
}
