//! Blocks as YAML, Python and state machines write them: lists with dashes, indentation after a colon, states as tables of keys.

use weave_diagnostics::{Applicability, Span};

use super::{Change, Habit, NEAR, Reader, fix, foreign, words};
use crate::token::TokenKind as K;

impl Reader<'_> {
    /// `- step a { … }`, `- name: a`.
    pub(super) fn dash(&self, number: usize) -> Option<Habit> {
        let next = number + 1;
        if !self.is(number, K::Minus) || !self.place(number)?.start || self.word(next).is_none() || self.starts_line(next) {
            return None;
        }
        if self.kind(next)?.starts_node() {
            let error = foreign(self.span(number), "the nodes of a workflow have no dash before them").label("remove the dash").replace(
                Applicability::Safe,
                "remove the dash",
                self.with_gap(number..next),
                "",
            );
            return Some(Habit { error, changes: vec![Change::delete(number..next)], end: next });
        }
        if !self.is(next + 1, K::Colon) {
            return None;
        }
        let end = self.body_end(next);
        let error = foreign(self.span(number), "the nodes of a workflow are not a list of keys")
            .label("this looks like YAML")
            .help("write `step NAME on STEP { … }`, with one action in the braces, such as `call TOOL { … }` or `wait 5m`");
        Some(Habit { error, changes: vec![Change::delete(number..end)], end })
    }

    /// The number of the first token after this one that starts a node or closes the block.
    fn body_end(&self, number: usize) -> usize {
        let mut end = number + 1;
        while end < self.lexemes.len() {
            let kind = self.kind(end);
            if self.starts_line(end) && kind.is_some_and(|kind| kind.starts_node() || kind.is_closer() || kind == K::Minus) {
                break;
            }
            end = self.closer(end).map_or(end, |close| close) + 1;
        }
        end.min(self.lexemes.len())
    }

    /// `step a on b:` and the action on the next line.
    pub(super) fn indented(&self, number: usize) -> Option<Habit> {
        let first = number + 1;
        if !self.is(number, K::Colon) || !self.starts_line(first) || self.word(first).is_none() || self.kind(first)?.starts_node() {
            return None;
        }
        let mut header = (0..number).rev().take(NEAR).take_while(|token| !matches!(self.kind(*token), Some(K::BraceOpen | K::BraceClose)));
        let step = header.find(|token| self.is(*token, K::Step) && self.place(*token).is_some_and(|place| place.start))?;
        let end = self.body_end(number);
        let indentation = " ".repeat(self.layout.indentation(step));
        let edits =
            vec![(self.with_gap_before(number..first), " {".to_owned()), (Span::at(self.span(end - 1).end), format!("\n{indentation}}}"))];
        let error = foreign(self.span(number), "the action of a step is in braces").label("expected `{`").fix(fix(
            "put the action in braces",
            edits,
            Applicability::Unsafe,
        ));
        let changes = vec![
            Change::new(number..first, self.made_up(number, &[K::BraceOpen])),
            Change::new(end..end, self.made_up(end, &[K::BraceClose])),
        ];
        Some(Habit { error, changes, end: first })
    }

    /// `type Wire:` and the fields on the next lines.
    pub(super) fn indented_fields(&self, number: usize, kind: K) -> Option<Habit> {
        let first = number + 1;
        let is_field = self.word(first).is_some() && self.is(first + 1, K::Colon);
        if !self.is(number, K::Colon) || !self.starts_line(first) || !is_field || !matches!(kind, K::Type | K::Error) {
            return None;
        }
        let end = self.lexemes.len();
        let edits = vec![(self.with_gap_before(number..first), " {".to_owned()), (Span::at(self.span(end - 1).end), "\n}".to_owned())];
        let error = foreign(self.span(number), "the fields of a type are in braces").label("expected `{`").fix(fix(
            "put the fields in braces",
            edits,
            Applicability::Unsafe,
        ));
        let changes = vec![
            Change::new(number..first, self.made_up(number, &[K::BraceOpen])),
            Change::new(end..end, self.made_up(end, &[K::BraceClose])),
        ];
        Some(Habit { error, changes, end: first })
    }

    /// `type: "Task"`, `end: true`, `resource: "…"` in the braces of a step.
    pub(super) fn state_key(&self, number: usize, word: &str) -> Option<Habit> {
        let value = number + 2;
        if !self.is(number + 1, K::Colon) || self.starts_line(value) {
            return None;
        }
        let end = self.line_end(number);
        if matches!(
            word.to_ascii_lowercase().as_str(),
            "resource" | "uses" | "function" | "functionname" | "handler" | "activity" | "agent" | "tool" | "assignee"
        ) {
            let error = foreign(self.span(number), format!("a step has no `{word}`; its action names what it calls"))
                .label("not a setting")
                .help("write `call TOOL { … }` for a tool, `ask AGENT { … }` for an agent");
            let instead = self.made_up(number, &[K::Call, K::Identifier]);
            return Some(Habit { error, changes: vec![Change::new(number..end, instead)], end });
        }
        let help = match word.to_ascii_lowercase().as_str() {
            "end" => "a run ends at a node: `end done on STEP`",
            "type" | "kind" => "the verb of its action says what it does: `ask`, `call`, `run`, `emit`, `wait` or `cancel`",
            "name" | "id" | "label" => "its name is before the braces: `step NAME { … }`",
            "comment" | "description" | "title" => "write a comment before the step: `/// …`",
            _ => return None,
        };
        let error = foreign(self.spans(number, end - 1), format!("a step has no `{word}`")).label("not a setting").help(help).replace(
            Applicability::Unsafe,
            "remove the line",
            self.line(number, end),
            "",
        );
        Some(Habit { error, changes: vec![Change::delete(number..end)], end })
    }

    /// `pass` in a step.
    pub(super) fn empty_action(&self, number: usize, word: &str) -> Option<Habit> {
        let next = number + 1;
        let alone = next >= self.lexemes.len() || self.starts_line(next) || self.is(next, K::BraceClose);
        if !alone || !matches!(word, "pass" | "noop" | "nop" | "skip" | "continue" | "todo" | "TODO" | "return") {
            return None;
        }
        let error = foreign(self.span(number), format!("there is no action `{word}`; a step does exactly one thing"))
            .label("not an action")
            .help("remove the step, and let the nodes that follow it follow the step before it");
        let instead = self.made_up(number, &[K::Wait, K::Duration]);
        Some(Habit { error, changes: vec![Change::new(number..next, instead)], end: next })
    }

    /// `catch handler` in a step: another node reacts to the failure.
    pub(super) fn catch_inside(&self, number: usize, word: &str) -> Option<Habit> {
        let name = number + 1 + usize::from(matches!(self.kind(number + 1), Some(K::Colon | K::Arrow)));
        let catches = words::is_failure_word(word) && self.kind(number) == Some(K::Identifier);
        if !catches
            || self.word(name).is_none()
            || self.starts_line(name)
            || !(self.starts_line(name + 1) || self.is(name + 1, K::BraceClose))
        {
            return None;
        }
        let (keyword, _) = self.owner(number)?;
        let end = name + 1;
        let what = self.spans(number, name);
        let error = self.failure_to(what, self.text(keyword + 1), self.text(name), self.line(number, end));
        Some(Habit { error, changes: vec![Change::delete(number..end)], end })
    }

    /// `return fetch("…")` in the braces of a declaration: its code is elsewhere.
    pub(super) fn code_inside(&self, number: usize, word: &str) -> Option<Habit> {
        if !words::is_statement(word) || self.starts_line(number + 1) || self.is(number + 1, K::Colon) {
            return None;
        }
        let opener = (0..number)
            .rev()
            .take(super::FAR)
            .find(|token| self.is(*token, K::BraceOpen) && self.closer(*token).is_none_or(|close| close > number))?;
        let close = self.closer(opener)?;
        let error = foreign(self.span(number), "a declaration contains settings, and no code")
            .label("not a setting")
            .help("a tool is implemented in the program that runs the workflow; here it has parameters, an output and settings");
        let error = if number == opener + 1 {
            let removed = self.with_gap_before(opener..close + 1);
            error.replace(Applicability::Unsafe, "remove the code", removed, "")
        } else {
            error
        };
        Some(Habit { error, changes: vec![Change::delete(number..close)], end: close })
    }
}
