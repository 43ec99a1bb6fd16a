//! Calls as the libraries of other languages have them: `workflow.sleep("5m")` in a step, `add_edge("a", "b")` among the nodes.

use weave_diagnostics::Applicability;

use super::control::control_word;
use super::nodes::SETTINGS;
use super::{Change, Habit, Reader, fix, foreign, words};
use crate::feed::Lexeme;
use crate::token::TokenKind as K;

/// Methods that run what they are called on.
const INVOKES: [&str; 14] =
    ["invoke", "ainvoke", "run", "arun", "call", "execute", "kickoff", "ask", "chat", "generate", "predict", "complete", "send", "start"];

impl Reader<'_> {
    /// `notify.invoke({ … })`, `time.sleep(300)` as the action of a step.
    pub(super) fn method_call(&self, number: usize) -> Option<Habit> {
        let (open, dots) = self.dotted(number)?;
        if !dots || !self.is(open, K::ParenOpen) || self.starts_line(open) {
            return None;
        }
        let close = self.closer(open)?;
        let method = self.text(open - 1);
        if words::verb(method) == Some("wait") && close == open + 2 {
            return self.called_wait(number, open);
        }
        if INVOKES.contains(&method) && open == number + 3 {
            return self.invoked(number, open, method);
        }
        let called = self.slice(self.spans(number, open - 1));
        let named = self.word(open + 1).filter(|_| matches!(self.kind(open + 2), Some(K::Comma | K::ParenClose)));
        let name = named.unwrap_or("NAME");
        let error = foreign(self.spans(number, close), format!("there is no action `{called}`"))
            .label("not an action")
            .help(format!("a tool is called with `call {name} {{ argument: … }}`, an agent asked with `ask {name} {{ … }}`"));
        let instead = self.made_up(number, &[K::Call, K::Identifier]);
        Some(Habit { error, changes: vec![Change::new(number..close + 1, instead)], end: close + 1 })
    }

    /// `workflow.sleep("5m")`.
    fn called_wait(&self, number: usize, open: usize) -> Option<Habit> {
        let value = open + 1;
        let written = match self.kind(value)? {
            K::Duration => self.text(value).to_owned(),
            _ => self.duration_at(value)?.error.fixes.into_iter().next()?.edits.into_iter().next()?.1,
        };
        let whole = self.spans(number, value + 1);
        let called = self.slice(self.spans(number, open - 1));
        let error = foreign(whole, format!("there is no action `{called}`; a step waits with `wait`"))
            .label(format!("write `wait {written}`"))
            .replace(Applicability::Unsafe, format!("write `wait {written}`"), whole, format!("wait {written}"));
        let instead = self.made_up(number, &[K::Wait, K::Duration]);
        Some(Habit { error, changes: vec![Change::new(number..value + 2, instead)], end: value + 2 })
    }

    /// `notify.invoke({ … })`.
    fn invoked(&self, number: usize, open: usize, method: &str) -> Option<Habit> {
        let name = self.text(number);
        let (verb, kind) = match method {
            "ask" | "chat" | "generate" | "predict" | "complete" => ("ask", K::Ask),
            _ => ("call", K::Call),
        };
        let arguments = self.parentheses_at(open, name)?;
        let mut instead = self.made_up(number, &[kind]);
        instead.extend(self.read_as(number, K::Identifier));
        let mut changes = vec![Change::new(number..open, instead)];
        changes.extend(arguments.changes);
        let written = format!("{verb} {name}");
        let error = foreign(self.spans(number, open - 1), format!("an action starts with its verb: `{written}`"))
            .label(format!("write `{written}`"))
            .help("`call` is for tools, `ask` for agents, and the arguments are in braces");
        let error = match arguments.error.fixes.into_iter().next() {
            Some(braces) => {
                let edits = std::iter::once((self.spans(number, open - 1), written.clone())).chain(braces.edits).collect();
                error.fix(fix(format!("write `{written} {{ … }}`"), edits, Applicability::Unsafe))
            }
            None => error,
        };
        Some(Habit { error, changes, end: arguments.end })
    }

    /// `add_node("triage", triager)`, `await gather(a, b)` on a line among the nodes.
    pub(super) fn call_line(&self, number: usize, word: &str) -> Option<Habit> {
        let prefixed =
            matches!(word, "await" | "go" | "defer" | "yield") && self.word(number + 1).is_some() && !self.starts_line(number + 1);
        let first = number + usize::from(prefixed);
        let (open, _) = self.dotted(first)?;
        let called = self.text(open - 1);
        let own = SETTINGS.contains(&word)
            || control_word(called).is_some()
            || matches!(called, "return" | "throw" | "raise" | "abort" | "panic");
        if own || !self.is(open, K::ParenOpen) || self.starts_line(open) {
            return None;
        }
        let close = self.closer(open)?;
        let next = close + 1;
        if next < self.lexemes.len() && !self.starts_line(next) && !self.is(next, K::BraceClose) {
            return None;
        }
        let name = self.slice(self.spans(first, open - 1));
        let has = |parts: &[&str]| parts.iter().any(|part| called.to_ascii_lowercase().contains(part));
        let (help, superfluous) = if has(&["edge", "transition", "connect", "link"]) {
            ("a node names what it follows: `step b on a { … }`", false)
        } else if has(&["entry", "start", "finish"]) {
            ("a run starts with the nodes that have no `on`, and ends at an `end` node", true)
        } else if has(&["gather", "all", "join", "race"]) && name != "call" {
            ("a node that waits for several steps is written `on all(a, b)`", true)
        } else if has(&["handler", "signal", "listen", "subscribe"]) {
            ("a node reacts to an event with `on TOPIC`", false)
        } else if has(&["sleep", "delay"]) {
            ("waiting is a step: `step pause on STEP { wait 5m }`", false)
        } else {
            ("a step does one thing: `step NAME on STEP { call TOOL { … } }`", false)
        };
        let error = foreign(self.spans(number, close), format!("a workflow consists of nodes, so it cannot call `{name}`"))
            .label("not a node")
            .help(help);
        let error = if superfluous { error.replace(Applicability::Unsafe, "remove the line", self.line(number, next), "") } else { error };
        Some(Habit { error, changes: vec![Change::delete(number..next)], end: next })
    }

    /// `"hello {}".format(.name)`.
    pub(super) fn formatted(&self, number: usize) -> Option<Habit> {
        let (string, open) = (number.checked_sub(1)?, number + 2);
        let is_format = self.is(string, K::String) && self.word(number + 1) == Some("format") && self.is(open, K::ParenOpen);
        let close = self.closer(open).filter(|_| is_format)?;
        let text = self.text(string);
        let mut pieces = text.split("{}");
        let mut written = pieces.next()?.to_owned();
        let mut here = open + 1;
        let mut fits = true;
        for piece in pieces {
            match self.path(here).filter(|_| self.is(here, K::LeadingDot)) {
                Some(end) => {
                    written.push_str(&format!("{{{{{}}}}}", self.slice(self.spans(here, end - 1))));
                    here = end + usize::from(self.is(end, K::Comma));
                }
                None => fits = false,
            }
            written.push_str(piece);
        }
        let whole = self.spans(string, close);
        let error = foreign(self.spans(number, close), "strings cannot be formatted; use placeholders in the string")
            .label("not part of the language")
            .help("a placeholder is a path in double braces: `\"hello {{.name}}\"`");
        let error =
            if fits && here == close { error.replace(Applicability::Safe, format!("write `{written}`"), whole, written) } else { error };
        Some(Habit { error, changes: vec![Change::delete(number..close + 1)], end: close + 1 })
    }

    /// `dict(a=.b)` as a value.
    pub(super) fn constructed(&self, number: usize) -> Option<Habit> {
        let open = number + 1;
        if !matches!(self.text(number), "dict" | "Object" | "object" | "record" | "Map") || !self.is(open, K::ParenOpen) {
            return None;
        }
        let arguments = self.parentheses_at(open, self.text(number))?;
        let braces = arguments.error.fixes.into_iter().next()?;
        let edits = std::iter::once((self.span(number), String::new())).chain(braces.edits).collect();
        let error = foreign(self.span(number), "an object is written in braces").label("write `{ name: … }`").fix(fix(
            "write `{ … }`",
            edits,
            Applicability::Safe,
        ));
        let mut changes = vec![Change::delete(number..open)];
        changes.extend(arguments.changes);
        Some(Habit { error, changes, end: arguments.end })
    }

    /// `/fraud.*/` where a pattern is expected.
    pub(super) fn regex_at(&self, number: usize) -> Option<Habit> {
        let next = number + 1;
        let end = (next..(next + super::NEAR).min(self.lexemes.len()))
            .take_while(|token| !self.starts_line(*token))
            .filter(|token| self.is(*token, K::Slash))
            .last()?;
        let inner = weave_diagnostics::Span::new(self.span(number).end, self.span(end).start);
        let pattern = self.slice(inner);
        let written = format!("\"{}\"", pattern.replace('\\', "\\\\").replace('"', "\\\""));
        let whole = self.spans(number, end);
        let error = foreign(whole, "a pattern is a string").label(format!("write `{written}`")).replace(
            Applicability::Safe,
            format!("write `{written}`"),
            whole,
            written,
        );
        Some(Habit { error, changes: vec![Change::new(number..end + 1, [Lexeme::made_up(K::String, whole.start)])], end: end + 1 })
    }
}
