//! Defects seeded into clean programs: 26 kinds of mistakes that are well formed and change what a program does.
//!
//! [`seeded`] finds the places for them in the syntax tree, [`Judge`] asks the compiler and the linter about each, and [`Table`] counts by kind how
//! many are found, how many with one diagnostic, and how many at the right place.

mod finder;
mod payloads;
mod table;

use std::sync::Arc;

use weave_compiler::lint::{Day, Group, Options, Settings, find};
use weave_diagnostics::{Diagnostic, Span};
use weave_syntax::parse;

pub use table::{Row, Table};

use crate::program::{Checked, Program};
use crate::random::Random;

/// The kinds of defects, and whether the text alone can show each of them. What cannot be shown is a choice that only the author can judge: a
/// guard that was turned into its opposite leaves a complete program, and a run that fails without a handler is a legal end.
pub const KINDS: [(&str, bool); 26] = [
    ("topic misspelled", true),
    ("literal misspelled in a guard", true),
    ("placeholder misspelled", true),
    ("wrong type in a payload", true),
    ("entry of a payload missing", true),
    ("two tools with one name", true),
    ("read before the value exists", true),
    ("join of exclusive branches", true),
    ("loop without a bound", true),
    ("node that follows itself", true),
    ("node of a choice removed", true),
    ("trigger removed", true),
    ("one of several triggers removed", true),
    ("another step in a trigger", true),
    ("end removed", true),
    ("member of a join removed", true),
    ("timeout removed", true),
    ("retry of a tool that is not idempotent", true),
    ("else removed", true),
    ("stale read in a loop", true),
    ("handling of a failure removed", false),
    ("guard negated", false),
    ("comparison reversed", false),
    ("arguments swapped", false),
    ("condition of a mailbox removed", false),
    ("cancel removed", false),
];

/// A defect.
#[derive(Clone, Debug)]
pub struct Defect {
    /// One of [`KINDS`].
    pub kind: &'static str,
    /// What is written in place of what, in the order of the text.
    edits: Vec<(Span, String)>,
    /// Where it can be reported; empty if the place is gone with what was removed.
    right: Vec<Span>,
}

impl Defect {
    /// The text with the defect.
    #[must_use]
    pub fn apply(&self, text: &str) -> String {
        let mut written = String::new();
        let mut end = 0;
        for (span, new) in &self.edits {
            written.push_str(&text[end..span.start as usize]);
            written.push_str(new);
            end = span.end as usize;
        }
        written.push_str(&text[end..]);
        written
    }

    /// The change, in a few words.
    #[must_use]
    pub fn shown(&self, text: &str) -> String {
        let shortened = |text: &str| {
            let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
            if line.chars().count() > 60 { format!("{}…", line.chars().take(60).collect::<String>()) } else { line }
        };
        let line = |offset: u32| text[..offset as usize].lines().count();
        let edit =
            |(span, new): &(Span, String)| format!("line {}: `{}` → `{}`", line(span.start), shortened(span.text(text)), shortened(new));
        self.edits.iter().map(edit).collect::<Vec<_>>().join(", ")
    }

    /// The part of the text without the defect that a part of the changed text comes from.
    fn origin(&self, span: Span) -> Span {
        Span::new(self.origin_of(span.start), self.origin_of(span.end))
    }

    fn origin_of(&self, offset: u32) -> u32 {
        let mut shift = 0_i64;
        for (span, new) in &self.edits {
            let start = i64::from(span.start) + shift;
            let end = start + new.len() as i64;
            if i64::from(offset) < start {
                break;
            }
            if i64::from(offset) < end {
                return span.start;
            }
            shift += new.len() as i64 - i64::from(span.len());
        }
        (i64::from(offset) - shift).max(0) as u32
    }

    /// Whether one of the labels of a diagnostic is at a place that is right for it.
    fn is_right(&self, spans: &[Span]) -> bool {
        spans
            .iter()
            .map(|span| self.origin(*span))
            .any(|span| self.right.iter().any(|right| span.start <= right.end && right.start <= span.end))
    }
}

/// At most so many defects of each kind in a text.
#[must_use]
pub fn seeded(text: &str, count: usize, seed: u64) -> Vec<Defect> {
    let file = parse(Arc::from(text));
    let mut found = Vec::new();
    for slot in &file.items {
        finder::item(&slot.parsed.item.kind, file.item_text(slot), slot.start, &mut found);
    }
    payloads::placeholders(text, &mut found);
    let mut random = Random::new(seed);
    let mut taken = Vec::new();
    for (kind, _) in KINDS {
        let mut own: Vec<Defect> = found.iter().filter(|defect| defect.kind == kind).cloned().collect();
        random.shuffle(&mut own);
        taken.extend(own.into_iter().take(count));
    }
    taken
}

/// What the compiler and the linter say about a defect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The program has the same definitions as before, so nothing is wrong.
    Same,
    /// Nothing is reported.
    Missed,
    /// It is reported.
    Found {
        /// The ids of the diagnostics, or of the findings if there are none.
        ids: Vec<&'static str>,
        /// Whether a place is right; nothing if the place is gone.
        right: Option<bool>,
    },
}

/// A clean program, with which its defects are compared.
pub struct Judge {
    program: Program,
    root: String,
    digests: std::collections::BTreeMap<String, String>,
    known: Vec<(&'static str, String)>,
}

impl Judge {
    /// A program; nothing if something is wrong with it, or it does not have one root.
    #[must_use]
    pub fn new(program: Program) -> Option<Self> {
        let [root] = program.roots.as_slice() else { return None };
        let root = root.clone();
        let checked = program.check();
        if !checked.diagnostics.is_empty() || checked.compiled.is_empty() {
            return None;
        }
        let known = findings(&checked).iter().map(|finding| (finding.code.id, finding.message.clone())).collect();
        Some(Self { digests: checked.digests(), known, root, program })
    }

    /// The text of the root.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.program.files[&self.root]
    }

    /// The program with a defect.
    #[must_use]
    pub fn with(&self, defect: &Defect) -> Program {
        let mut program = self.program.clone();
        program.files.insert(self.root.clone(), defect.apply(self.text()));
        program
    }

    /// What is said about a defect.
    #[must_use]
    pub fn judge(&self, defect: &Defect) -> Verdict {
        let checked = self.with(defect).check();
        let mut said = checked.diagnostics.clone();
        if said.is_empty() {
            if checked.digests() == self.digests {
                return Verdict::Same;
            }
            said = findings(&checked);
            said.retain(|finding| !self.known.iter().any(|(id, message)| *id == finding.code.id && *message == finding.message));
        }
        if said.is_empty() {
            return Verdict::Missed;
        }
        let file = checked.snapshot.sources().iter().find(|(_, file)| file.name() == self.root).map(|(id, _)| id);
        let spans: Vec<Span> = said
            .iter()
            .flat_map(|diagnostic| std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary))
            .filter(|label| Some(label.place.file) == file)
            .map(|label| label.place.span)
            .collect();
        let right = (!defect.right.is_empty()).then(|| defect.is_right(&spans));
        Verdict::Found { ids: said.iter().map(|diagnostic| diagnostic.code.id).collect(), right }
    }
}

/// The findings of the linter that are not about style.
fn findings(checked: &Checked) -> Vec<Diagnostic> {
    let settings = |_| Settings::default();
    let found = checked.snapshot.lint(&Options { settings: &settings, today: Day::new("2026-01-01") });
    found.into_iter().filter(|finding| find(finding.code.id).is_none_or(|rule| rule.group != Group::Style)).collect()
}

/// The clean programs among the examples and the cases of the suite, with their titles.
#[must_use]
pub fn clean_programs() -> Vec<(String, Judge)> {
    let examples = Program::in_folder(&crate::root().join("examples"));
    let names: Vec<String> = crate::examples().iter().map(|path| crate::suite::file_name(path)).collect();
    let of_example = |name: String| {
        let program = Program { roots: vec![name.clone()], ..examples.clone() };
        program.files.contains_key(&name).then_some((name, program))
    };
    let cases = crate::suite::programs().into_iter().chain(["lint", "format"].into_iter().flat_map(crate::suite::group));
    let cases = cases.map(|case| (case.title(), case.program()));
    let all = names.into_iter().filter_map(of_example).chain(cases);
    all.filter_map(|(title, program)| Some((title, Judge::new(program)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "tool look(id: string) -> { n: int }\n\nworkflow w(id: string) -> int {\n  step a { call look { id: .input.id } }\n  \
                        end done on a when .a.n > 1 = .a.n\n  end other on a else = 0\n}\n";

    #[test]
    fn a_defect_changes_what_it_says() {
        let all = seeded(TEXT, 10, 1);
        let removed = all.iter().find(|defect| defect.kind == "else removed").unwrap();
        assert_eq!(removed.apply(TEXT), TEXT.replace(" else", ""));
        assert!(all.iter().all(|defect| defect.apply(TEXT) != TEXT), "{all:?}");
    }

    #[test]
    fn places_of_the_changed_text_have_an_origin() {
        let defect = Defect {
            kind: "else removed",
            edits: vec![(Span::new(2, 6), String::new()), (Span::at(8), "abc".to_owned())],
            right: Vec::new(),
        };
        assert_eq!(defect.apply("01234567890"), "0167abc890");
        assert_eq!(defect.origin(Span::new(1, 2)), Span::new(1, 6));
        assert_eq!(defect.origin(Span::new(5, 8)), Span::new(8, 9));
    }

    #[test]
    fn a_defect_is_judged() {
        let judge = Judge::new(Program::one(TEXT)).unwrap();
        let all = seeded(TEXT, 10, 1);
        let itself = all.iter().find(|defect| defect.kind == "node that follows itself").unwrap();
        assert!(matches!(judge.judge(itself), Verdict::Found { right: Some(true), .. }), "{:?}", judge.judge(itself));
        let negated = all.iter().find(|defect| defect.kind == "guard negated").unwrap();
        assert_eq!(judge.judge(negated), Verdict::Missed);
    }
}
