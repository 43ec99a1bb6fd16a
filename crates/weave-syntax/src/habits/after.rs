//! What is written after the block of a step.

use weave_diagnostics::{Applicability, Span};

use super::{Change, Habit, Reader, fix, foreign, words};
use crate::error::SyntaxError;
use crate::token::TokenKind as K;

impl Reader<'_> {
    /// The step whose block ends directly before a token: the numbers of its keyword and of the block's opener.
    pub(super) fn block_before(&self, number: usize) -> Option<(usize, usize)> {
        let close = number.checked_sub(1).filter(|close| self.is(*close, K::BraceClose))?;
        let opener = self.opener(close)?;
        let keyword = (0..opener).rev().take(super::FAR).find(|token| {
            self.kind(*token).is_some_and(K::starts_node)
                && self.place(*token).is_some_and(|place| place.start && place.frame == super::places::Frame::Nodes)
        })?;
        // The braces may also be those of a setting of the workflow.
        let is_setting = |token: usize| self.starts_line(token) && matches!(self.kind(token), Some(K::Identifier | K::Timeout));
        if (keyword + 2..opener).any(is_setting) {
            return None;
        }
        Some((keyword, opener))
    }

    /// `} -> b`, `} then b`, `} catch c`, `} on a`, `},`.
    pub(super) fn after_block(&self, number: usize) -> Option<Habit> {
        let comma = self.is(number, K::Comma);
        if self.before(number) != Some(K::BraceClose) || (self.starts_line(number) && !comma) {
            return None;
        }
        let (keyword, opener) = self.block_before(number)?;
        let step = self.word(keyword + 1)?;
        if comma {
            let error = foreign(self.span(number), "nodes need no comma between them").label("remove the comma").replace(
                Applicability::Safe,
                "remove the comma",
                self.span(number),
                "",
            );
            return Some(Habit { error, changes: vec![Change::delete(number..number + 1)], end: number + 1 });
        }
        if let Some(to) = self.arrow_at(number) {
            return self.jump_after(number, to, step);
        }
        let word = self.word(number)?;
        let on_failure =
            self.is(number, K::On) && self.word(number + 1).is_some_and(words::is_failure_word) && self.word(number + 2).is_some();
        if on_failure && !self.starts_line(number + 2) {
            return self.failure_after(number, number + 2, step);
        }
        match word {
            "then" | "next" | "goto" | "finally" | "and_then" => self.jump_after(number, number + 1, step),
            "catch" | "rescue" | "except" | "onError" | "on_error" | "on_failure" | "fallback" => {
                self.failure_after(number, number + 1, step)
            }
            "on" | "when" | "limit" | "each" => self.clause_after(number, opener),
            _ if words::is_after(word) => self.clause_after(number, opener),
            "timeout" | "retry" | "retries" | "history" => self.setting_after(number),
            _ => None,
        }
    }

    pub(super) fn jump_after(&self, number: usize, to: usize, step: &str) -> Option<Habit> {
        let name = self.word(to).filter(|_| !self.starts_line(to))?;
        let end = to + 1;
        let error = self.jump_to(self.spans(number, to), step, name, self.with_gap_before(number..end));
        Some(Habit { error, changes: vec![Change::delete(number..end)], end })
    }

    pub(super) fn failure_after(&self, number: usize, to: usize, step: &str) -> Option<Habit> {
        let name = self.word(to).filter(|_| !self.starts_line(to))?;
        let end = to + 1;
        let error = self.failure_to(self.spans(number, to), step, name, self.with_gap_before(number..end));
        Some(Habit { error, changes: vec![Change::delete(number..end)], end })
    }

    /// What is said about a step that names the node that handles its failure.
    pub(super) fn failure_to(&self, what: Span, step: &str, name: &str, removed: Span) -> SyntaxError {
        let trigger = format!("failure({step})");
        let error = foreign(what, "a step does not handle its failure; another node reacts to it").label("not part of the language");
        match self.follow(name, &trigger) {
            Some(edit) => {
                let message = if edit.is_some() { format!("write `on {trigger}` at `{name}` instead") } else { "remove it".to_owned() };
                let edits = edit.into_iter().chain([(removed, String::new())]).collect();
                error.help(format!("`{name}` reacts to it with `on {trigger}`")).fix(fix(message, edits, Applicability::Unsafe))
            }
            None => error.help(format!("write `on {trigger}` at the node that handles it: `step {name} on {trigger} {{ … }}`")),
        }
    }

    /// `} on a`: a clause that belongs before the braces.
    pub(super) fn clause_after(&self, number: usize, opener: usize) -> Option<Habit> {
        let end = self.line_end(number);
        let clause = self.slice(self.spans(number, end - 1));
        let clause = clause.strip_prefix(self.text(number)).map(|rest| {
            let word = if words::is_after(self.text(number)) { "on" } else { self.text(number) };
            format!("{word}{rest}")
        })?;
        let edits = vec![(Span::at(self.span(opener).start), format!("{clause} ")), (self.with_gap_before(number..end), String::new())];
        let error = foreign(self.spans(number, end - 1), format!("`{} …` comes before the braces of its step", self.text(number)))
            .label("after the braces")
            .fix(fix("move it before the braces", edits, Applicability::Unsafe));
        Some(Habit { error, changes: vec![Change::delete(number..end)], end })
    }

    /// `} timeout 1h`: a setting that belongs in the braces.
    pub(super) fn setting_after(&self, number: usize) -> Option<Habit> {
        let end = self.line_end(number);
        let setting = self.slice(self.spans(number, end - 1));
        let close = number.checked_sub(1)?;
        let indentation = self.layout.indentation(close);
        let written = if self.starts_line(close) { format!("  {setting}\n{}", " ".repeat(indentation)) } else { format!(", {setting} ") };
        let edits = vec![(Span::at(self.span(close).start), written), (self.with_gap_before(number..end), String::new())];
        let error =
            foreign(self.spans(number, end - 1), format!("`{} …` is a setting of the step, so it is in its braces", self.text(number)))
                .label("after the braces")
                .fix(fix("move it into the braces", edits, Applicability::Unsafe));
        Some(Habit { error, changes: vec![Change::delete(number..end)], end })
    }
}
