//! What other languages write to say what happens next: jumps, returns, loops and branches.

use weave_diagnostics::{Applicability, Span};

use super::{Change, Habit, NEAR, Reader, foreign, words};
use crate::token::TokenKind as K;

impl Reader<'_> {
    /// `start a`.
    pub(super) fn first_node(&self, number: usize, word: &str) -> Option<Habit> {
        let colon = usize::from(self.is(number + 1, K::Colon));
        let name = number + 1 + colon;
        let alone = self.word(name).is_some() && !self.starts_line(name) && self.starts_line(name + 1);
        if !alone || !matches!(word, "start" | "entry" | "initial" | "entrypoint" | "begin" | "first" | "startAt" | "StartAt" | "start_at")
        {
            return None;
        }
        let node = self.text(name);
        let error = foreign(self.spans(number, name), "a workflow does not name its first node")
            .label("not part of the language")
            .help(format!("a run starts with the nodes that have no `on`, such as `step {node} {{ … }}`"))
            .replace(Applicability::Unsafe, "remove the line", self.line(number, name + 1), "");
        Some(Habit { error, changes: vec![Change::delete(number..name + 1)], end: name + 1 })
    }

    /// `goto b` on a line of its own.
    pub(super) fn jump(&self, number: usize, word: &str) -> Option<Habit> {
        let name = number + 1;
        let alone = self.word(name).is_some() && !self.starts_line(name) && self.starts_line(name + 1);
        if !alone || !matches!(word, "goto" | "next" | "then" | "jump" | "continue") {
            return None;
        }
        let from = self.step_before(number)?;
        let error = self.jump_to(self.spans(number, name), from, self.text(name), self.line(number, name + 1));
        Some(Habit { error, changes: vec![Change::delete(number..name + 1)], end: name + 1 })
    }

    /// `return .x`, `throw "…"`.
    pub(super) fn conclusion(&self, number: usize, word: &str) -> Option<Habit> {
        let (node, kind, name) = match word {
            "return" | "yield" => ("end", K::End, "done"),
            "throw" | "raise" | "abort" | "panic" => ("fail", K::Fail, "failed"),
            _ => return None,
        };
        let value = number + 1;
        let starts_value = self.operand(value).is_some() && !self.starts_line(value) && self.place(number)?.start;
        if !starts_value || (self.word(value).is_some() && !matches!(self.kind(value), Some(K::True | K::False | K::Null))) {
            return None;
        }
        let name = if self.node_named(name).is_some() { format!("{name}_2") } else { name.to_owned() };
        let on = self.step_before(number).map_or_else(String::new, |step| format!(" on {step}"));
        let what = if node == "end" { "ends with an `end` node, which has the output" } else { "fails with a `fail` node" };
        let written = format!("{node} {name}{on} = ");
        let error = foreign(self.span(number), format!("a workflow has no `{word}`; it {what}")).label(format!("write `{node}`"));
        // Where nodes choose, only its author knows which of them it follows.
        let chooses = (0..self.lexemes.len()).any(|token| matches!(self.kind(token), Some(K::When | K::Else | K::Pipe)));
        let error = if chooses {
            error.help(format!("write `{node} {name} on STEP = …`, with the step that it follows"))
        } else {
            error.help(format!("`{written}…`")).replace(
                Applicability::Unsafe,
                format!("write `{written}…`"),
                self.with_gap(number..value),
                written,
            )
        };
        let mut instead = self.read_as(number, kind);
        instead.extend(self.made_up(value, &[K::Identifier, K::Assign]));
        Some(Habit { error, changes: vec![Change::new(number..value, instead)], end: value })
    }

    /// `for x in .list { ask … }`.
    pub(super) fn loop_over(&self, number: usize, word: &str) -> Option<Habit> {
        let mut variable = number + 1;
        let parenthesis = usize::from(self.is(variable, K::ParenOpen));
        variable += parenthesis;
        variable += usize::from(self.word(variable).is_some_and(words::is_variable) && self.word(variable + 1) != Some("in"));
        let is_in = matches!(self.word(variable + 1), Some("in" | "of"));
        if !matches!(word, "for" | "foreach" | "forEach" | "for_each") || self.word(variable).is_none() || !is_in {
            return None;
        }
        let list = variable + 2;
        let end = self.path(list)?;
        let block = end + parenthesis;
        if !self.is(block, K::BraceOpen) || !self.is_action(block + 1) {
            return None;
        }
        let variable_name = self.text(variable);
        let name = self.wanted_name().map_or_else(|| format!("each_{variable_name}"), str::to_owned);
        let on = self.step_before(number).map_or_else(String::new, |step| format!(" on {step}"));
        let list_text = self.slice(self.spans(list, end - 1));
        let written = format!("step {name}{on} each {list_text} as {variable_name} ");
        let error = foreign(self.span(number), "a workflow has no loops over lists; a step can fire for each element")
            .label("write `step NAME each LIST as ELEMENT`")
            .help(format!("`{written}{{ … }}`; `.{name}` is then the list of the answers"))
            .replace(
                Applicability::Unsafe,
                format!("write `{}`", written.trim_end()),
                Span::new(self.span(number).start, self.span(block).start),
                written,
            );
        let mut instead = self.made_up(number, &[K::Step, K::Identifier, K::Each]);
        instead.extend(self.read_as(variable, K::Identifier));
        instead.extend(self.read_as(variable + 1, K::In));
        let mut changes = vec![Change::new(number..list, instead)];
        if parenthesis > 0 {
            changes.push(Change::delete(end..block));
        }
        Some(Habit { error, changes, end: block })
    }

    /// `if … { } else { }`, `switch`, `while`, `try`: the whole construct.
    pub(super) fn control(&self, number: usize, word: &str) -> Option<Habit> {
        let (message, help) = control_word(word)?;
        let mut end = self.control_block(number)?;
        while self
            .word(end)
            .is_some_and(|word| matches!(word, "else" | "elif" | "elseif" | "elsif" | "catch" | "except" | "finally" | "rescue"))
        {
            let Some(next) = self.control_block(end) else { break };
            end = next;
        }
        let error = foreign(self.span(number), message).label("not part of the language").help(help);
        Some(Habit { error, changes: vec![Change::delete(number..end)], end })
    }

    /// The number after the next block, which opens on this line.
    pub(super) fn control_block(&self, number: usize) -> Option<usize> {
        let mut here = number + 1;
        while !self.is(here, K::BraceOpen) {
            if self.starts_line(here) || here > number + NEAR {
                return None;
            }
            here = self.closer(here).map_or(here, |close| close) + 1;
        }
        Some(self.closer(here)? + 1)
    }
}

/// What to say about a word that directs what happens next.
pub(super) fn control_word(word: &str) -> Option<(String, &'static str)> {
    let help = match word {
        "if" | "unless" | "switch" | "match" | "case" | "choice" | "choose" | "branch" | "condition" | "router" | "route" | "decision"
        | "select" => {
            "conditions are on the nodes: `step a on STEP when .STEP.ok { … }`, and `step b on STEP else { … }` for all other cases"
        }
        "while" | "loop" | "repeat" | "until" => {
            "a loop is a node that follows a later node, with a bound: `step again on CHECK when !.CHECK.ok limit 3 { … }`"
        }
        "for" | "foreach" | "forEach" | "map" => "a step for each element is written `step NAME on STEP each .input.list as item { … }`",
        "try" | "catch" | "finally" | "rescue" => "a node reacts to a failure with the trigger `on failure(STEP)`",
        _ => return None,
    };
    Some((format!("a workflow has no `{word}`"), help))
}
