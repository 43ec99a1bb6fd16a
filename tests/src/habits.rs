//! Mistakes of people who know another language: cases that each change one place of one program, as tables in text files.
//!
//! A case in `tests/suite/habits/*.txt` looks like this:
//!
//! ```text
//! === its name | grade of its diagnostics, 1 to 5 | the language it comes from
//! <<<
//! the text of the program
//! >>>
//! the text with the mistake
//! === meant
//! what the author meant; left out where that is the text of the program
//! --- says
//! the diagnostics
//! --- fixes
//! the first fixes, one line per round, and the outcome
//! ```
//!
//! The last two parts are rewritten by `BLESS=1`. `<<< *` replaces the whole program.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use weave_compiler::lint::{Day, Options, Settings};
use weave_diagnostics::{Applicability, Charset, Diagnostic, Edit, Renderer, Style};

use crate::program::{Checked, Program};

/// One case.
#[derive(Clone, Debug)]
pub struct Habit {
    /// Its name, unique in its file.
    pub name: String,
    /// The grade of its diagnostics, from 1 (useless) to 5 (perfect).
    pub grade: u32,
    /// The language it comes from.
    pub origin: String,
    /// The text of the program.
    old: String,
    /// The text with the mistake.
    written: String,
    /// The text that was meant, if it is not `old`.
    meant: Option<String>,
}

/// A file of cases.
#[derive(Clone, Debug)]
pub struct Table {
    /// Where it is.
    pub path: PathBuf,
    /// Its cases.
    pub habits: Vec<Habit>,
}

/// The outcome of the first fixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing is wrong, and the program has the definitions that its author meant.
    AsMeant,
    /// Nothing is wrong, but the program means something else.
    Otherwise,
    /// The number of diagnostics that are left.
    Left(usize),
}

/// The outcome of a case.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The diagnostics of the program, or its findings if there are none.
    pub said: Vec<Diagnostic>,
    /// The diagnostics as a terminal shows them.
    pub drawing: String,
    /// The fixes of each round.
    pub rounds: Vec<Vec<String>>,
    /// Whether a round increased the number of diagnostics.
    pub worse: bool,
    /// What is left at the end.
    pub end: End,
}

/// The number of rounds of fixes.
const ROUNDS: usize = 3;

/// The folder of the cases.
#[must_use]
pub fn folder() -> PathBuf {
    crate::root().join("tests/suite/habits")
}

/// All cases, by file.
///
/// # Panics
///
/// If a case is malformed.
#[must_use]
pub fn tables() -> Vec<Table> {
    let paths = crate::files_below(&folder(), "txt");
    paths.into_iter().map(|path| Table { habits: parse(&crate::read(&path)), path }).collect()
}

fn parse(text: &str) -> Vec<Habit> {
    let mut habits = Vec::new();
    let cases = text.split("\n=== ").map(|case| case.strip_prefix("=== ").unwrap_or(case));
    for case in cases.filter(|case| !case.trim().is_empty()) {
        let (head, body) = case.split_once('\n').expect("a case has lines");
        let [name, grade, origin] = head.split(" | ").collect::<Vec<_>>()[..] else { panic!("a malformed head: {head}") };
        let source = body.split("\n--- says").next().unwrap_or_default();
        let (old, rest) = source.split_once("\n>>>").unwrap_or_else(|| panic!("{name}: the new text is missing"));
        let old = old.strip_prefix("<<<").unwrap_or_else(|| panic!("{name}: the replaced text is missing"));
        let (written, meant) = rest.split_once("\n===meant").map_or((rest, None), |(written, meant)| (written, Some(meant)));
        let block = |text: &str| text.strip_prefix('\n').unwrap_or(text).trim_end_matches('\n').to_owned();
        habits.push(Habit {
            name: name.to_owned(),
            grade: grade.parse().expect("a grade is a number"),
            origin: origin.to_owned(),
            old: block(old),
            written: block(written),
            meant: meant.map(block),
        });
    }
    habits
}

impl Habit {
    /// The program of the case.
    #[must_use]
    pub fn program(&self) -> Program {
        self.with(&self.written)
    }

    /// The program that its author meant.
    #[must_use]
    pub fn meant(&self) -> Program {
        self.with(self.meant.as_ref().unwrap_or(&self.old))
    }

    /// Whether the case replaces the whole program.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.old.trim() == "*"
    }

    /// Whether the case says which program its author meant; a whole file of another language need not.
    #[must_use]
    pub fn has_meaning(&self) -> bool {
        self.meant.is_some() || !self.is_whole()
    }

    fn with(&self, text: &str) -> Program {
        let base = crate::read(&folder().join("support.weave"));
        let text = if self.is_whole() {
            format!("{text}\n")
        } else {
            let places = base.matches(&self.old).count();
            assert_eq!(places, 1, "{}: `{}` is {places} times in the program", self.name, self.old);
            base.replacen(&self.old, text, 1)
        };
        Program::one(&text).beside("shop.weave", &crate::read(&folder().join("shop.weave")))
    }

    /// The diagnostics of the case and the outcome of its first fixes.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let mut program = self.program();
        let mut checked = program.check();
        let said = found(&checked);
        let drawing = drawn(&checked, &said);
        let mut rounds = Vec::new();
        let mut left = said.clone();
        let mut worse = false;
        while !left.is_empty() && rounds.len() < ROUNDS {
            let (fixed, done) = round(&program, &checked, &left);
            if done.is_empty() {
                break;
            }
            rounds.push(done);
            program = fixed;
            checked = program.check();
            // Findings of the linter do not count once the mistake is fixed.
            let now = checked.diagnostics.clone();
            worse |= now.len() > left.len();
            left = now;
        }
        let end = match left.len() {
            0 if checked.digests() == self.meant().check().digests() => End::AsMeant,
            0 => End::Otherwise,
            count => End::Left(count),
        };
        Outcome { said, drawing, rounds, worse, end }
    }
}

/// The diagnostics, or the findings if there are none.
fn found(checked: &Checked) -> Vec<Diagnostic> {
    if !checked.diagnostics.is_empty() {
        return checked.diagnostics.clone();
    }
    let settings = |_| Settings::default();
    let findings = |checked: &Checked| checked.snapshot.lint(&Options { settings: &settings, today: Day::new("2026-01-01") });
    let own = findings(&base().check());
    let is_own = |finding: &Diagnostic| own.iter().any(|known| known.code.id == finding.code.id && known.message == finding.message);
    findings(checked).into_iter().filter(|finding| !is_own(finding)).collect()
}

/// The program that all cases change.
#[must_use]
pub fn base() -> Program {
    let shop = crate::read(&folder().join("shop.weave"));
    Program::one(&crate::read(&folder().join("support.weave"))).beside("shop.weave", &shop)
}

fn drawn(checked: &Checked, found: &[Diagnostic]) -> String {
    let renderer = Renderer { style: Style::Full, charset: Charset::Ascii, color: false };
    renderer.render_all(found, checked.snapshot.sources())
}

/// The program with the first fix of each diagnostic applied, as far as they do not overlap, and the fixes that were applied.
fn round(program: &Program, checked: &Checked, left: &[Diagnostic]) -> (Program, Vec<String>) {
    let mut done = Vec::new();
    let mut edits: Vec<Edit> = Vec::new();
    for fix in left.iter().filter_map(|diagnostic| diagnostic.fixes.first()) {
        let overlaps = fix.edits.iter().any(|new| {
            edits.iter().any(|old| {
                new.place.file == old.place.file
                    && (new.place.span == old.place.span
                        || (new.place.span.start < old.place.span.end && old.place.span.start < new.place.span.end))
            })
        });
        if !overlaps {
            let safe = if fix.applicability == Applicability::Safe { "" } else { " (possible)" };
            done.push(format!("{}{safe}", fix.message));
            edits.extend(fix.edits.iter().cloned());
        }
    }
    edits.sort_by_key(|edit| (edit.place.file, edit.place.span.start, edit.place.span.end));
    let mut program = program.clone();
    for edit in edits.iter().rev() {
        let name = checked.snapshot.sources().iter().find(|(id, _)| *id == edit.place.file).map(|(_, file)| file.name().to_owned());
        let text = name.and_then(|name| program.files.get_mut(&name)).expect("a fix changes a file of the program");
        text.replace_range(edit.place.span.range(), &edit.text);
    }
    (program, done)
}

/// The text of a table with its current outcomes.
#[must_use]
pub fn written(table: &Table, outcomes: &BTreeMap<String, Outcome>) -> String {
    let mut text = String::new();
    for habit in &table.habits {
        let Habit { name, grade, origin, old, written, meant } = habit;
        let star = if habit.is_whole() { " *" } else { "" };
        let old = if habit.is_whole() { String::new() } else { format!("{old}\n") };
        let _ = write!(text, "=== {name} | {grade} | {origin}\n<<<{star}\n{old}>>>\n{written}\n");
        if let Some(meant) = meant {
            let _ = write!(text, "===meant\n{meant}\n");
        }
        let Some(outcome) = outcomes.get(name) else { continue };
        let _ = write!(text, "--- says\n{}\n--- fixes\n", outcome.drawing.trim_end());
        for (number, round) in outcome.rounds.iter().enumerate() {
            let _ = writeln!(text, "{}. {}", number + 1, round.join("; "));
        }
        let end = match outcome.end {
            End::AsMeant => "as meant".to_owned(),
            End::Otherwise => "CLEAN, BUT NOT AS MEANT".to_owned(),
            End::Left(1) => "1 left".to_owned(),
            End::Left(count) => format!("{count} left"),
        };
        let _ = write!(text, "{end}\n\n");
    }
    text
}

/// The name of a table's file.
#[must_use]
pub fn title(path: &Path) -> String {
    crate::suite::file_name(path)
}
