//! Operators, constraints and alternatives as other languages write them.

use weave_diagnostics::{Applicability, Span};

use super::habits::Habits;
use crate::codes;
use crate::error::{SyntaxError, SyntaxFix};
use crate::expected::Expected;
use crate::token::TokenKind as K;

impl Habits<'_> {
    /// `not .a`, `.a and not .b`.
    pub(super) fn word_operator(&self) -> Option<SyntaxError> {
        let is_word = |number: usize, word: &str| self.layout.kind(number) == Some(K::Identifier) && self.text(number) == word;
        let replaced = |word: usize, last: usize, own: &str| {
            let span = self.span(word).join(self.span(last));
            let whole = Span::new(span.start, self.span(last + 1).start);
            let text = self.layout.slice(span);
            SyntaxError::new(&codes::UNEXPECTED_TOKEN, span, format!("expected `{own}`, found `{text}`"))
                .label(format!("expected `{own}`"))
                .replace(Applicability::Safe, format!("write `{own}`"), whole, own)
        };
        let operator = match self.text(self.at) {
            "and" => Some("&& !"),
            "or" => Some("|| !"),
            _ => None,
        };
        if let Some(own) = operator.filter(|_| is_word(self.at + 1, "not") && !self.layout.is_line_start(self.at + 1)) {
            return Some(replaced(self.at, self.at + 1, own));
        }
        let not = [Some(self.at), self.at.checked_sub(1)].into_iter().flatten().find(|number| is_word(*number, "not"))?;
        let is_operand = matches!(self.layout.kind(not + 1), Some(K::LeadingDot | K::ParenOpen | K::Identifier));
        let behind = not.checked_sub(1).and_then(|before| self.layout.kind(before));
        (is_operand && matches!(behind, Some(K::When | K::And | K::Or | K::ParenOpen))).then(|| replaced(not, not, "!"))
    }

    /// `when .a = "x" = .b`, `when .a = "x" && .b`, `when .a = "x" { … }`: the first `=` was read as the start of the node's value.
    pub(super) fn comparison(&self) -> Option<SyntaxError> {
        const NEAR: usize = 64;
        if !matches!(self.layout.kind(self.at)?, K::Assign | K::And | K::Or | K::BraceOpen) {
            return None;
        }
        let first = self.at.saturating_sub(NEAR);
        let when = (first..self.at)
            .rev()
            .take_while(|number| !self.starts_node(*number))
            .find(|number| self.layout.kind(*number) == Some(K::When))?;
        let mut signs = Vec::new();
        let (mut depth, mut has_block, mut last) = (0_usize, false, when);
        for number in when + 1..when + NEAR {
            let Some(kind) = self.layout.kind(number).filter(|_| !self.starts_node(number)) else { break };
            match kind {
                K::BraceOpen if depth == 0 && self.is_before_block(number) => {
                    has_block = true;
                    break;
                }
                K::Limit | K::Else | K::BraceClose if depth == 0 => break,
                K::Assign if depth == 0 => signs.push(number),
                _ if kind.is_closer() => depth = depth.saturating_sub(1),
                K::BraceOpen | K::BracketOpen | K::ParenOpen => depth += 1,
                _ => {}
            }
            last = number;
        }
        // What follows the last `=` is the value of the node, unless it has a block or the guard goes on.
        let goes_on = |sign: usize| (sign..=last).any(|number| matches!(self.layout.kind(number), Some(K::And | K::Or)));
        let output = signs.last().copied().filter(|sign| !has_block && signs.len() > 1 && !goes_on(*sign));
        let compared: Vec<usize> = signs.into_iter().filter(|sign| Some(*sign) != output).collect();
        let (wrong, is_read) = (*compared.first()?, compared.iter().any(|sign| *sign < self.at) || has_block);
        if wrong > self.at || !is_read {
            return None;
        }
        let mut error = SyntaxError::new(&codes::UNEXPECTED_TOKEN, self.span(wrong), "a guard compares with `==`").label("write `==`");
        if let Some(output) = output {
            error = error.also(self.span(output), "this one is right: it starts the value of the node");
        }
        let edits = compared.iter().map(|sign| (self.span(*sign), "==".to_owned())).collect();
        Some(error.fix(SyntaxFix { message: "write `==`".to_owned(), edits, applicability: Applicability::Safe }))
    }

    fn starts_node(&self, number: usize) -> bool {
        self.layout.is_line_start(number) && self.layout.kind(number).is_some_and(K::starts_node)
    }

    /// `<>`, `=<`, `=>`.
    pub(super) fn mark_of_two(&self) -> Option<SyntaxError> {
        let glued = |number: usize| self.span(number).end == self.span(number + 1).start;
        let first = [self.at.checked_sub(1), Some(self.at)].into_iter().flatten().find(|first| {
            glued(*first)
                && matches!(
                    (self.layout.kind(*first), self.layout.kind(*first + 1)),
                    (Some(K::Less), Some(K::Greater)) | (Some(K::Assign), Some(K::Less | K::Greater))
                )
        })?;
        // The header of a tool has an arrow, of which something else is said.
        if !(0..first).any(|number| self.layout.kind(number) == Some(K::BraceOpen)) {
            return None;
        }
        let span = self.span(first).join(self.span(first + 1));
        let found = self.text(first + 1);
        let error = |message: String, label: &str| SyntaxError::new(&codes::UNEXPECTED_TOKEN, span, message).label(label);
        let on_line = |number: &usize| self.layout.kind(*number).is_some() && !self.layout.is_line_start(*number);
        let has_output = || (first + 2..first + 64).take_while(on_line).any(|number| self.layout.kind(number) == Some(K::Assign));
        let has_guard = || {
            (first.saturating_sub(64)..first).rev().find_map(|number| match self.layout.kind(number)? {
                K::When => Some(true),
                _ if self.layout.is_line_start(number) => Some(false),
                _ => None,
            })
        };
        let own = match (self.layout.kind(first)?, found) {
            (K::Less, _) => "!=",
            (_, "<") => "<=",
            _ if has_guard() == Some(true) && has_output() => ">=",
            _ if self.layout.kind(first + 2) == Some(K::BraceOpen) && self.is_before_block(first + 2) => {
                let gap = Span::new(span.start, self.span(first + 2).start);
                return Some(error("there is no arrow before the braces of a step".to_owned(), "not part of the language").replace(
                    Applicability::Safe,
                    "remove `=>`",
                    gap,
                    "",
                ));
            }
            _ => "=",
        };
        Some(error(format!("expected `{own}`, found `{}`", self.layout.slice(span)), &format!("expected `{own}`")).replace(
            Applicability::Safe,
            format!("write `{own}`"),
            span,
            own,
        ))
    }

    /// Whether braces hold an action, and not the entries of an object.
    fn is_before_block(&self, brace: usize) -> bool {
        self.layout.kind(brace + 1).is_some_and(crate::layout::is_action) && self.layout.kind(brace + 2) != Some(K::Colon)
    }

    /// `"x" or "y"`, where types stand.
    pub(super) fn alternatives(&self) -> Option<SyntaxError> {
        let or = [Some(self.at), self.at.checked_sub(1)].into_iter().flatten().find(|number| self.text(*number) == "or")?;
        let ends_type = matches!(self.layout.before(or)?, K::String | K::Number | K::BracketClose | K::ParenClose | K::BraceClose)
            || self.layout.before(or)?.is_word();
        let starts_type = matches!(self.layout.kind(or + 1)?, K::String | K::Number | K::BraceOpen) || self.layout.kind(or + 1)?.is_word();
        if !ends_type || !starts_type || !self.is_in_types() || self.layout.is_line_start(or) || self.layout.is_line_start(or + 1) {
            return None;
        }
        let span = self.span(or);
        Some(SyntaxError::new(&codes::UNEXPECTED_TOKEN, span, "alternatives are separated by `|`").label("expected `|`").replace(
            Applicability::Safe,
            "write `|`",
            span,
            "|",
        ))
    }

    /// `string{1,3}`, `string[1..3]`, `string min 1`, `string min: 1`.
    pub(super) fn constraint(&self) -> Option<SyntaxError> {
        for first in (self.at.saturating_sub(2)..=self.at).rev() {
            let Some(before) = first.checked_sub(1) else { continue };
            let beside = !self.layout.is_line_start(first) && self.layout.kind(before).is_some_and(K::is_word);
            let glued = self.span(before).end == self.span(first).start;
            let (here, next) = (self.layout.kind(first), self.layout.kind(first + 1));
            let bracketed = glued && matches!(here, Some(K::BraceOpen | K::BracketOpen)) && next == Some(K::Number);
            let value = first + 1 + usize::from(next == Some(K::Colon));
            let word = here.is_some_and(K::is_word)
                && matches!(self.text(first), "min" | "max" | "pattern" | "length" | "unique")
                && matches!(self.layout.kind(value), Some(K::Number | K::String | K::True | K::False))
                && (first..value).all(|token| !self.layout.is_line_start(token + 1));
            if !(beside && (bracketed || word)) || !self.is_in_types() {
                continue;
            }
            let ty = self.text(before);
            let example = match ty {
                "int" | "float" | "decimal" | "int64" => format!("{ty}(1..3)"),
                _ => format!("{ty}(min: 1, max: 3)"),
            };
            let span = self.span(first).join(self.span(if word { value } else { first + 1 }));
            let error = SyntaxError::new(&codes::UNEXPECTED_TOKEN, span, "constraints go in parentheses after the type")
                .label("expected `(`")
                .help(format!("write `{example}`; there are `min`, `max` and, for strings, `pattern`"));
            if !word || self.text(first) == "length" {
                return Some(error);
            }
            let written = format!("({}: {})", self.text(first), self.text(value));
            let place = Span::new(self.span(before).end, span.end);
            return Some(error.replace(Applicability::Unsafe, "put it in parentheses", place, written));
        }
        None
    }

    /// Whether the token that did not fit stands where types are declared: not within a workflow.
    fn is_in_types(&self) -> bool {
        let head = (0..self.at.min(64)).find_map(|number| self.layout.kind(number).filter(|kind| kind.starts_item()));
        head.is_some_and(|head| head != K::Workflow && head != K::Import) && !Expected::after(self.states()).has(K::Or)
    }
}
