//! Tests: which lines stand where, and what their values are made of.

use rustc_hash::FxHashMap;

use weave_diagnostics::Span;

use super::values::Strings;
use super::{Pass, messages};
use crate::ast::{Branch, Expr, Given, Line, LineKind, Literal, Root, StepRef, Test, TestEntry};
use crate::text;

/// Whether a value stands behind `=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    /// Behind `=`.
    Equals,
    /// Directly behind what it belongs to.
    None,
    /// Both are right, and say different things.
    Either,
}

impl Pass<'_> {
    /// A test of its own.
    pub(super) fn test(&mut self, test: &Test) {
        if test.workflow.is_none() && !test.name.is_missing() {
            self.report_shape(messages::test_without_workflow(test.name.span, test.name.text(self.text)));
        }
        self.script(test, false);
    }

    /// The lines and inner tests; `begun` says whether lines of outer tests stand before them.
    fn script(&mut self, test: &Test, mut begun: bool) {
        let mut branch: Option<&Branch> = None;
        let mut names: FxHashMap<&str, Span> = FxHashMap::default();
        for entry in &test.entries {
            match entry {
                TestEntry::Line(line) => {
                    if let Some(branch) = branch {
                        self.report_shape(messages::line_behind_inner_test(
                            self.head(line.span),
                            branch.test.name.span,
                            branch.test.name.text(self.text),
                        ));
                    }
                    self.beginning(line, begun);
                    begun = true;
                    self.line(line);
                }
                TestEntry::Branch(inner) => {
                    self.meta(&inner.meta);
                    if let Some(workflow) = inner.test.workflow {
                        let of = Span::new(inner.test.name.span.end, workflow.span.end);
                        self.report_shape(messages::inner_test_of(workflow.span, of));
                    }
                    let name = inner.test.name;
                    let word = name.text(self.text);
                    if !name.is_missing() {
                        match names.get(word) {
                            Some(first) => self.report(messages::duplicate_test(word, name.span, *first)),
                            None => {
                                names.insert(word, name.span);
                            }
                        }
                    }
                    self.script(&inner.test, begun);
                    branch = Some(inner);
                }
            }
        }
    }

    /// The first line of a run is its `start`, and no other is.
    fn beginning(&mut self, line: &Line, begun: bool) {
        match (&line.kind, begun) {
            (LineKind::Start { .. }, true) => self.report_shape(messages::late_start(self.head(line.span))),
            (LineKind::Start { .. }, false) | (_, true) => {}
            (_, false) => {
                let indent = self.text.get(..line.span.start as usize).unwrap_or_default();
                let indent = indent.rsplit('\n').next().filter(|blanks| blanks.trim().is_empty()).unwrap_or_default();
                self.report_shape(messages::missing_start(self.head(line.span), Span::at(line.span.start), indent));
            }
        }
    }

    fn line(&mut self, line: &Line) {
        if let Some(step) = line.kind.step() {
            self.step_reference(step);
        }
        match &line.kind {
            LineKind::Start { input: value } => self.given(value.as_ref(), Sign::None, "start"),
            LineKind::Answer { value, .. } => self.given(value.as_ref(), Sign::Equals, "answer"),
            LineKind::Fail { payload: value, .. } => self.given(value.as_ref(), Sign::None, "fail"),
            LineKind::Call { arguments: value, .. } => self.given(value.as_ref(), Sign::None, "call"),
            LineKind::Send { payload: value, .. } => self.given(value.as_ref(), Sign::None, "send"),
            LineKind::Approve { arguments: value, .. } => self.given(value.as_ref(), Sign::None, "approve"),
            LineKind::Expect { value, .. } => self.given(value.as_ref(), Sign::Either, "expect"),
            LineKind::ExpectFailure { payload: value, .. } => self.given(value.as_ref(), Sign::None, "expect failure"),
            LineKind::Reject { reason: Some(literal), .. } | LineKind::WaitUntil { moment: literal } | LineKind::Wait { time: literal } => {
                self.literal(*literal, Strings::Plain);
            }
            LineKind::Open { steps, .. } => steps.iter().for_each(|step| self.step_reference(step)),
            LineKind::Reject { reason: None, .. } | LineKind::ExpectNot { .. } | LineKind::ExpectOrder { .. } => {}
        }
    }

    /// `#2` counts from 1, and no blank stands before the number of an element.
    fn step_reference(&mut self, step: &StepRef) {
        if let Some(number) = step.number {
            let raw = number.text(self.text);
            let digits = raw.trim_start_matches('#');
            if digits.starts_with('0') || digits.parse::<u32>().is_err() {
                self.report(messages::bad_ordinal(number, raw));
            }
        }
        let Some(element) = step.element else { return };
        let behind = step.number.unwrap_or(step.name.span).end;
        let gap = Span::new(behind, element.span.start);
        if !gap.is_empty() {
            self.report(messages::blank_before_element(element.span, gap, gap.text(self.text).trim().is_empty()));
        }
        if let Some(index) = element.index {
            let raw = index.text(self.text);
            if raw.parse::<u32>().is_err() && !raw.is_empty() {
                self.report(messages::bad_index(index, raw));
            }
        }
    }

    fn given(&mut self, given: Option<&Given>, sign: Sign, verb: &str) {
        let Some(given) = given else { return };
        match (sign, given.equals) {
            (Sign::Equals, None) => self.report_shape(messages::sign_is_missing(Span::at(given.value.span().start), verb)),
            (Sign::None, Some(equals)) => {
                let gap = Span::new(equals.start, given.value.span().start);
                self.report_shape(messages::needless_sign(equals, gap, verb));
            }
            _ => {}
        }
        self.test_value(&given.value);
    }

    fn test_value(&mut self, value: &Expr) {
        match value {
            Expr::Literal(literal) => self.test_literal(*literal),
            Expr::Object(object) => {
                self.entries(&object.entries);
                if let (Some(last), Some(rest)) = (object.entries.last(), object.rest) {
                    self.separation(last.span, rest.start);
                }
                for entry in &object.entries {
                    self.key(entry.key);
                    self.test_value(&entry.value);
                }
                self.keys(&object.entries);
            }
            Expr::List(list) => list.items.iter().for_each(|item| self.test_value(&item.value)),
            // What a bare name was meant to be is said by the analysis.
            Expr::Path(path) if matches!(path.root, Root::Name(_)) => {}
            Expr::Path(path) => self.report(messages::path_in_test(path.span)),
            // The grammar reads nothing else here.
            Expr::Unary(_) | Expr::Binary(_) | Expr::Coalesce(_) | Expr::Parenthesized(_) | Expr::Missing(_) => {}
        }
    }

    fn test_literal(&mut self, literal: Literal) {
        self.literal(literal, Strings::Plain);
        let raw = literal.span.text(self.text);
        if raw.starts_with('"') && text::has_placeholder(raw) && !raw.contains("\\{{") {
            self.report(messages::placeholder_in_test(literal.span));
        }
    }
}
