//! Ways of other languages to say what happens next: conditions, jumps and arrows, each told as a whole.

use weave_diagnostics::{Applicability, Span};

use super::habits::Habits;
use crate::codes;
use crate::error::SyntaxError;
use crate::token::TokenKind as K;

/// So many tokens before the one that did not fit are looked at.
const NEAR: usize = 64;

/// What to write instead of a word that says what happens next.
pub(crate) fn next_word(word: &str) -> Option<&'static str> {
    Some(match word {
        "goto" | "then" | "jump" | "transition" => {
            "a node says itself what it follows: write `on STEP` at the node that comes next; a loop is an edge that goes back, with a `limit`"
        }
        "return" | "yield" => "a run ends with a node of its own: `end done on STEP = VALUE`",
        "throw" | "raise" => "a run fails with a node of its own: `fail refused on STEP = \"what is wrong\"`",
        "if" | "unless" | "elseif" | "elif" | "switch" | "match" => {
            "a condition follows a trigger: `step a on STEP when .STEP.ok { … }`, and `step b on STEP else { … }` for all other cases"
        }
        "while" | "loop" | "repeat" => {
            "a loop is an edge that goes back, with a bound: `step again on CHECK when !.CHECK.ok limit 3 { … }`"
        }
        "for" | "foreach" => "a step for each element is written `step NAME each .input.list as item { … }`",
        "try" | "catch" | "finally" => "a node reacts to a failure with the trigger `on failure(STEP)`",
        _ => return None,
    })
}

impl Habits<'_> {
    /// `if .a > 1 { … }`, `goto b`, `then b { … }` at the start of a line, which brings the rest of the workflow into disorder.
    pub(super) fn control_word(&self) -> Option<SyntaxError> {
        if !self.is_in_workflow() {
            return None;
        }
        let last = self.at.min(self.count().checked_sub(1)?);
        for number in (last.saturating_sub(NEAR)..=last).rev() {
            let kind = self.layout.kind(number)?;
            if !self.layout.is_line_start(number) {
                continue;
            }
            if kind.starts_node() && number != self.at {
                return None;
            }
            // `} else {` has its word behind a brace.
            let word = if kind == K::BraceClose && !self.layout.is_line_start(number + 1) { number + 1 } else { number };
            if word > last {
                continue;
            }
            let text = self.text(word);
            if self.layout.kind(word) == Some(K::Test) && self.layout.kind(word + 1).is_some_and(K::is_word) && self.opens_body(word + 2) {
                let error = SyntaxError::new(&codes::UNEXPECTED_TOKEN, self.span(word), "a test is an item of its own");
                let name = self.text(word + 1);
                return Some(
                    error.label("in a workflow").help(format!("write it outside the workflow: `test {name} of WORKFLOW {{ … }}`")),
                );
            }
            let is_word = self.layout.kind(word).is_some_and(K::is_word) && self.layout.kind(word + 1) != Some(K::Colon);
            if is_word && let Some(help) = next_word(text) {
                return Some(no_such_word(self.span(word), text).help(help));
            }
        }
        None
    }

    /// Whether the body of a test begins with a token, or its workflow.
    fn opens_body(&self, number: usize) -> bool {
        matches!(self.layout.kind(number), Some(K::BraceOpen | K::Of))
    }

    /// `.a ? 1 : 2`.
    pub(super) fn ternary(&self) -> Option<SyntaxError> {
        let mut numbers = [Some(self.at), self.at.checked_sub(1)].into_iter().flatten();
        let question = numbers.find(|number| self.layout.kind(*number) == Some(K::Question))?;
        if !self.is_in_workflow() || self.layout.is_line_start(question + 1) {
            return None;
        }
        let on_line = |number: &usize| self.layout.kind(*number).is_some() && !self.layout.is_line_start(*number);
        let colon = (question + 2..question + NEAR).take_while(on_line).find(|number| self.layout.kind(*number) == Some(K::Colon))?;
        let span = self.span(question);
        Some(
            SyntaxError::new(&codes::UNEXPECTED_TOKEN, span, "a value does not choose between two others")
                .label("not part of the language")
                .also(self.span(colon), "the other value")
                .help("let two nodes choose: `end yes on STEP when CONDITION = …` and `end no on STEP else = …`"),
        )
    }

    /// `on [a, b]`, `on timeout s 1h`.
    pub(super) fn trigger(&self) -> Option<SyntaxError> {
        let on = (self.at.saturating_sub(3)..=self.at).rev().find(|number| self.layout.kind(*number) == Some(K::On))?;
        let first = on + 1;
        match self.layout.kind(first)? {
            K::BracketOpen => {
                let close = (first..first + NEAR).find(|number| self.layout.kind(*number) == Some(K::BracketClose))?;
                let names: Vec<&str> = (first + 1..close)
                    .filter(|number| self.layout.kind(*number) != Some(K::Comma))
                    .map(|number| self.text(number))
                    .collect();
                let error = SyntaxError::new(
                    &codes::UNEXPECTED_TOKEN,
                    self.span(first).join(self.span(close)),
                    "several triggers are not written as a list",
                );
                Some(error.label("not a trigger").help(format!(
                    "write `on {}` for each of them, and `on all({})` for when all have answered",
                    names.join(" | "),
                    names.join(", ")
                )))
            }
            K::Timeout => {
                let behind = first + 1;
                let (step, duration) = match (self.layout.kind(behind)?, self.layout.kind(behind + 1)) {
                    (K::Duration, _) => (None, behind),
                    (word, Some(K::Duration)) if word.is_word() => (Some(self.text(behind)), behind + 1),
                    _ => return None,
                };
                let span = self.span(first).join(self.span(duration));
                let inside = step.map_or_else(String::new, |step| format!("{step}, "));
                let meant = format!("timeout({inside}{})", self.text(duration));
                Some(
                    SyntaxError::new(&codes::UNEXPECTED_TOKEN, span, "the trigger `timeout` has its parts in parentheses")
                        .label("parentheses are missing")
                        .replace(Applicability::Safe, format!("write `{meant}`"), span, meant),
                )
            }
            _ => None,
        }
    }

    /// `step a -> b`, `a -> b`.
    pub(super) fn arrow(&self) -> Option<SyntaxError> {
        if self.layout.kind(self.at)? != K::Arrow || !self.is_in_workflow() {
            return None;
        }
        let before = self.at.checked_sub(1).filter(|number| self.layout.kind(*number).is_some_and(K::is_word))?;
        let (from, to) = (self.text(before), self.text(self.at + 1));
        let error = SyntaxError::new(&codes::UNEXPECTED_TOKEN, self.span(self.at), "no arrows stand between nodes")
            .label("not part of the language");
        let is_name = self.layout.kind(self.at + 1).is_some_and(K::is_word) && !self.layout.is_line_start(self.at + 1);
        Some(if is_name {
            error.help(format!("a node says itself what it follows: write `on {from}` at the node `{to}`"))
        } else {
            error.help("a node says itself what it follows: write `on STEP` at the node that comes next")
        })
    }

    /// Whether the token that did not fit stands in the braces of a workflow.
    fn is_in_workflow(&self) -> bool {
        let head = (0..self.at.min(NEAR)).find(|number| self.layout.kind(*number).is_some_and(K::starts_item));
        let Some(head) = head.filter(|head| self.layout.kind(*head) == Some(K::Workflow)) else { return false };
        (head..self.at).any(|number| self.layout.kind(number) == Some(K::BraceOpen))
    }
}

/// A word of another language that says what happens next.
pub(crate) fn no_such_word(span: Span, word: &str) -> SyntaxError {
    SyntaxError::new(&codes::UNEXPECTED_TOKEN, span, format!("there is no `{word}` in a workflow")).label("not part of the language")
}
