//! The start of a node, and what comes after its block.

use weave_diagnostics::{Applicability, Span};

use super::control::control_word;
use super::{Change, Habit, NEAR, Reader, fix, foreign, words};
use crate::error::SyntaxError;
use crate::token::TokenKind as K;

/// Settings that a workflow has, which no node is called like.
pub(super) const SETTINGS: [&str; 8] = ["title", "version", "id", "meta", "timeout", "requires", "description", "activation"];

impl<'a> Reader<'a> {
    /// What is written where a node starts.
    pub(super) fn node(&self, number: usize) -> Option<Habit> {
        let place = self.place(number)?;
        let word = self.word(number).filter(|_| place.start)?;
        if self.kind(number)?.starts_node() {
            return self.node_header(number);
        }
        self.modified(number, word)
            .or_else(|| self.group(number, word))
            .or_else(|| self.call_line(number, word))
            .or_else(|| self.edge(number, word))
            .or_else(|| self.variable(number, word))
            .or_else(|| self.bare_action(number))
            .or_else(|| self.first_node(number, word))
            .or_else(|| self.jump(number, word))
            .or_else(|| self.conclusion(number, word))
            .or_else(|| self.loop_over(number, word))
            .or_else(|| self.control(number, word))
            .or_else(|| self.other_word(number, word))
            .or_else(|| self.no_word(number, word))
    }

    /// `async step a { … }`.
    fn modified(&self, number: usize, word: &str) -> Option<Habit> {
        let is_modifier = words::modifier(word).is_some() || matches!(word, "await" | "lazy" | "optional" | "new" | "parallel");
        if !is_modifier || !self.kind(number + 1)?.starts_node() || self.starts_line(number + 1) {
            return None;
        }
        let node = self.text(number + 1);
        let gap = self.with_gap(number..number + 1);
        let error = foreign(self.span(number), format!("nothing is written before `{node}`"))
            .label(format!("there is no `{word}`"))
            .help("steps do not block each other: a step runs as soon as its trigger fires")
            .replace(Applicability::Safe, format!("remove `{word}`"), gap, "");
        Some(Habit { error, changes: vec![Change::delete(number..number + 1)], end: number + 1 })
    }

    /// `parallel { step a { … } step b { … } }`.
    fn group(&self, number: usize, word: &str) -> Option<Habit> {
        let colon = usize::from(self.is(number + 1, K::Colon));
        let opener = number + 1 + colon;
        let first = opener + 1;
        let is_group = words::is_group(word) || (self.is(number, K::Identifier) && control_word(word).is_none());
        let holds_nodes = self.kind(first).is_some_and(K::starts_node) && self.word(first + 1).is_some();
        if !self.is(opener, K::BraceOpen) || !holds_nodes || !is_group {
            return None;
        }
        let close = self.closer(opener)?;
        let names = self.nodes_between(first, close);
        let error = match word {
            "parallel" | "concurrent" | "concurrently" | "fork" | "branches" | "branch" | "async" => {
                let names: Vec<&str> = names.iter().copied().take(2).collect();
                let wait = if names.len() == 2 { names.join(", ") } else { "a, b".to_owned() };
                foreign(self.span(number), format!("steps need no `{word}`: those whose triggers have fired run at the same time"))
                    .help(format!("take the steps out of the block; a node that waits for both is written `on all({wait})`"))
            }
            "sequence" | "sequential" | "serial" => foreign(self.span(number), "nodes do not run in the order of the text")
                .help("take the steps out of the block, and write at each, with `on`, which step it follows"),
            _ => foreign(self.span(number), format!("the nodes of a workflow are not in a block `{word}`"))
                .help("write them directly in the braces of the workflow"),
        };
        let edits = vec![(self.with_gap(number..first), String::new()), (self.with_gap_before(close..close + 1), String::new())];
        let error = error.label("not part of the language").fix(fix("take the nodes out of the block", edits, Applicability::Unsafe));
        Some(Habit { error, changes: vec![Change::delete(number..first), Change::delete(close..close + 1)], end: first })
    }

    /// The names of the nodes that start between two tokens.
    fn nodes_between(&self, first: usize, end: usize) -> Vec<&'a str> {
        let is_node = |number: &usize| {
            self.kind(*number).is_some_and(K::starts_node)
                && self.place(*number).is_some_and(|place| place.start)
                && self.word(*number + 1).is_some()
        };
        (first..end.min(self.lexemes.len())).filter(is_node).map(|number| self.text(number + 1)).take(NEAR).collect()
    }

    /// The number of the keyword of the node with a name.
    pub(super) fn node_named(&self, name: &str) -> Option<usize> {
        (0..self.lexemes.len()).find(|number| {
            self.kind(*number).is_some_and(K::starts_node)
                && self.text(*number + 1) == name
                && self.place(*number).is_some_and(|place| place.start)
        })
    }

    /// The last step before a token.
    pub(super) fn step_before(&self, number: usize) -> Option<&'a str> {
        let found = (0..number)
            .rev()
            .take(super::FAR)
            .find(|token| self.is(*token, K::Step) && self.place(*token).is_some_and(|place| place.start))?;
        self.word(found + 1)
    }

    /// A name that triggers read and no node has: most likely that of a node whose header is not one yet.
    pub(super) fn wanted_name(&self) -> Option<&'a str> {
        (0..self.lexemes.len()).find_map(|number| {
            let name =
                (self.is(number, K::On) && self.place(number)?.frame == super::places::Frame::Nodes).then(|| self.word(number + 1))??;
            let alone = !matches!(self.kind(number + 2), Some(K::Dot | K::ParenOpen | K::From));
            (alone && name != "start" && name != "failure" && self.node_named(name).is_none()).then_some(name)
        })
    }

    /// The edit that makes a node follow a trigger; nothing if it does so already. `None` if only its author can tell how.
    pub(super) fn follow(&self, node: &str, trigger: &str) -> Option<Option<(Span, String)>> {
        let keyword = self.node_named(node)?;
        let header = keyword + 2..(keyword + 2 + NEAR).min(self.lexemes.len());
        let header: Vec<usize> = header
            .take_while(|number| {
                let ends =
                    matches!(self.kind(*number), Some(K::BraceOpen | K::Assign)) && self.place(*number).is_some_and(|place| !place.guard);
                let next = self.starts_line(*number) && self.kind(*number).is_some_and(K::starts_node);
                !(ends || next)
            })
            .collect();
        let on = header.iter().copied().find(|number| self.is(*number, K::On));
        match on {
            None => Some(Some((Span::at(self.span(keyword + 1).end), format!(" on {trigger}")))),
            Some(on) => {
                let name = trigger.trim_start_matches("failure(").trim_end_matches(')');
                let first = header.iter().copied().filter(|number| *number > on).any(|number| self.text(number) == name);
                first.then_some(None)
            }
        }
    }

    /// `-> b`, `edge a -> b`, `a --> b`, `a >> b`: the tokens of the arrow.
    pub(super) fn arrow_at(&self, number: usize) -> Option<usize> {
        match (self.kind(number)?, self.kind(number + 1)) {
            (K::Arrow, _) => Some(number + 1),
            (K::Assign, Some(K::Greater)) | (K::Greater, Some(K::Greater)) if self.glued(number) => Some(number + 2),
            (K::Minus, Some(K::Arrow)) if self.glued(number) => Some(number + 2),
            (K::Minus, Some(K::Minus)) if self.glued(number) => Some(number + 2 + usize::from(self.is(number + 2, K::Greater))),
            _ => None,
        }
    }

    /// What is said about a jump from one node to another, with the fix that makes the second one follow the first.
    pub(super) fn jump_to(&self, what: Span, from: &str, to: &str, removed: Span) -> SyntaxError {
        let error =
            foreign(what, "a node does not name the next node; the next node names what it follows").label("not part of the language");
        match self.follow(to, from) {
            Some(edit) => {
                let message = if edit.is_some() { format!("write `on {from}` at `{to}` instead") } else { "remove it".to_owned() };
                let help = if edit.is_some() {
                    format!("write `on {from}` at the node `{to}`")
                } else {
                    format!("the node `{to}` already follows `{from}`")
                };
                let edits = edit.into_iter().chain([(removed, String::new())]).collect();
                error.help(help).fix(fix(message, edits, Applicability::Unsafe))
            }
            None if self.node_named(to).is_some() => {
                error.help(format!("`{to}` has another trigger: add this one, `on … | {from}`; a way back needs a `limit`"))
            }
            None => error.help(format!("write `on {from}` at the node that comes next: `step {to} on {from} {{ … }}`")),
        }
    }

    /// `edge a -> b`, `a --> b`.
    fn edge(&self, number: usize, word: &str) -> Option<Habit> {
        let from =
            if words::is_edge(word) && self.word(number + 1).is_some() && !self.starts_line(number + 1) { number + 1 } else { number };
        let to = self.arrow_at(from + 1)?;
        let end = self.line_end(number);
        let name = self.word(to)?;
        let removed = self.line(number, end);
        let error = self.jump_to(self.spans(number, end - 1), self.text(from), name, removed);
        Some(Habit { error, changes: vec![Change::delete(number..end)], end })
    }

    /// The lines of tokens, with the line break before them.
    pub(super) fn line(&self, first: usize, end: usize) -> Span {
        self.with_gap_before(first..end)
    }

    /// `let t = .a`, `t := .a`, `t = ask a { … }`.
    fn variable(&self, number: usize, word: &str) -> Option<Habit> {
        let declared = words::is_variable(word) && self.word(number + 1).is_some() && !self.starts_line(number + 1);
        let name = number + usize::from(declared);
        let sign = name + 1 + usize::from(self.is(name + 1, K::Colon) && self.is(name + 2, K::Assign));
        if !self.is(sign, K::Assign) || self.starts_line(sign) || SETTINGS.contains(&self.text(name)) {
            return None;
        }
        let first = sign + 1;
        let text = self.text(name);
        let span = if declared { self.span(number) } else { self.spans(name, sign) };
        let error = foreign(span, "a workflow has no variables; a step names a value").label(if declared {
            "write `step`".to_owned()
        } else {
            "`step` is missing".to_owned()
        });
        let start = if declared { self.with_gap(number..name) } else { Span::at(self.span(name).start) };
        let keyword = if declared { self.read_as(number, K::Step) } else { self.made_up(number, &[K::Step]) };
        let mut changes = vec![Change::new(number..name, keyword)];
        if self.is_action(first) {
            let end = self.action_end(first);
            let braces = Span::new(self.span(name).end, self.span(first).start);
            let edits = vec![(start, "step ".to_owned()), (braces, " { ".to_owned()), (Span::at(self.span(end - 1).end), " }".to_owned())];
            let mut edits = edits;
            match self.call_at(first) {
                Some(call) => {
                    let place = Span::new(braces.start, self.span(call.until).start);
                    edits.retain(|(span, _)| *span != braces);
                    edits.push((place, format!(" {{ {}", call.written)));
                    edits.extend(call.edits);
                    edits.sort_by_key(|(span, _)| (span.start, span.end));
                    let mut instead = self.made_up(first, &[K::BraceOpen]);
                    instead.extend(call.tokens);
                    changes.push(Change::new(name + 1..call.until, instead));
                    changes.extend(call.changes);
                }
                None => changes.push(Change::new(name + 1..first, self.made_up(first, &[K::BraceOpen]))),
            }
            changes.push(Change::new(end..end, self.made_up(end, &[K::BraceClose])));
            let error = error.help(format!("the answer of a step is read by the step's name: `.{text}`"));
            return Some(Habit {
                error: error.fix(fix(format!("write `step {text} {{ … }}`"), edits, Applicability::Unsafe)),
                changes,
                end,
            });
        }
        let mut edits = vec![(start, "step ".to_owned())];
        if sign > name + 1 {
            edits.push((self.spans(name + 1, sign), "=".to_owned()));
            changes.push(Change::delete(name + 1..sign));
        }
        let error = error.help(format!("after this step, `.{text}` is the value"));
        Some(Habit { error: error.fix(fix(format!("write `step {text} = …`"), edits, Applicability::Unsafe)), changes, end: first })
    }

    /// Whether an action starts here, be it in the words of another language.
    pub(super) fn is_action(&self, number: usize) -> bool {
        let Some(word) = self.word(number) else { return false };
        let named = self.word(number + 1).is_some() && !self.starts_line(number + 1);
        let called = matches!(self.kind(number + 1), Some(K::ParenOpen | K::BraceOpen)) && !self.starts_line(number + 1);
        let acts =
            self.kind(number).is_some_and(crate::layout::is_action) || matches!(word, "await" | "yield") || words::verb(word).is_some();
        (acts && (named || matches!(self.kind(number + 1), Some(K::Duration | K::LeadingDot | K::Number | K::String)))) || called
    }

    /// The number after an action: its words and its payload.
    pub(super) fn action_end(&self, number: usize) -> usize {
        let mut here = number;
        loop {
            if matches!(self.kind(here), Some(K::BraceOpen | K::ParenOpen)) {
                return self.closer(here).map_or(self.lexemes.len(), |close| close + 1);
            }
            here += 1;
            if here >= self.lexemes.len() || self.starts_line(here) || self.kind(here).is_some_and(K::is_closer) {
                return here;
            }
        }
    }

    /// `ask a { … }` without a step around it.
    fn bare_action(&self, number: usize) -> Option<Habit> {
        let kind = self.kind(number)?;
        let names = self.word(number + 1).is_some() && !self.starts_line(number + 1);
        let waits = kind == K::Wait && matches!(self.kind(number + 1), Some(K::Duration | K::LeadingDot));
        if !crate::layout::is_action(kind) || !(names || waits) {
            return None;
        }
        let end = self.action_end(number);
        if self.is(number + 2, K::On) || end <= number + 1 || self.follows_open_step(number) {
            return None;
        }
        let target = self.word(end - 1).or_else(|| self.word(number + 1)).unwrap_or("next");
        let name = self.wanted_name().map_or_else(|| format!("{target}_step"), str::to_owned);
        let verb = self.text(number);
        let edits =
            vec![(Span::at(self.span(number).start), format!("step {name} {{ ")), (Span::at(self.span(end - 1).end), " }".to_owned())];
        let error = foreign(self.span(number), "an action is part of a step")
            .label("`step NAME {` is missing before this")
            .help(format!("write `step {name} {{ {verb} … }}`; other nodes read the answer as `.{name}`"))
            .fix(fix(format!("put it in a step `{name}`"), edits, Applicability::Unsafe));
        let changes = vec![
            Change::new(number..number, self.made_up(number, &[K::Step, K::Identifier, K::BraceOpen])),
            Change::new(end..end, self.made_up(end, &[K::BraceClose])),
        ];
        Some(Habit { error, changes, end: number + 1 })
    }

    /// Whether the header of a step without its `{` is directly before a token: only that brace is missing.
    fn follows_open_step(&self, number: usize) -> bool {
        let before = (0..number).rev().take(super::NEAR);
        let header = before.take_while(|token| !matches!(self.kind(*token), Some(K::BraceOpen | K::BraceClose)));
        header.into_iter().any(|token| self.is(token, K::Step) && self.starts_line(token))
    }

    /// `state a { … }`, `succeed b on a`.
    fn other_word(&self, number: usize, word: &str) -> Option<Habit> {
        let name = number + 1;
        if SETTINGS.contains(&word) || self.word(name).is_none() || self.starts_line(name) {
            return None;
        }
        let called = if self.is(name + 1, K::ParenOpen) && self.is(name + 2, K::ParenClose) { 2 } else { 0 };
        let after = name + 1 + called;
        let block = self.is(after, K::BraceOpen) && (self.is_action(after + 1) || self.is(after + 1, K::On));
        let clause = matches!(self.kind(after), Some(K::On | K::Each | K::Else)) || self.word(after).is_some_and(words::is_after);
        let known = words::node(word);
        if weave_diagnostics::closest(word, ["step", "end", "fail"]).is_some() && known.is_none() {
            return None;
        }
        let value = known.is_some_and(|kind| kind != K::Step) && (self.is(after, K::Assign) || self.starts_line(after));
        if !(block || clause || value) {
            return None;
        }
        let kind = known.unwrap_or(K::Step);
        let node = kind.text().unwrap_or_default();
        let mut edits = vec![(self.span(number), node.to_owned())];
        let mut changes = vec![Change::new(number..name, self.read_as(number, kind))];
        if called > 0 {
            edits.push((self.spans(name + 1, name + 2), String::new()));
            changes.push(Change::delete(name + 1..after));
        }
        let error = foreign(self.span(number), format!("a workflow has no `{word}`; its nodes are `step`, `end` and `fail`"))
            .label(format!("write `{node}`"))
            .fix(fix(format!("write `{node}`"), edits, Applicability::Unsafe));
        Some(Habit { error, changes, end: name + 1 })
    }

    /// `triage { ask … }`, `triage: { ask … }`, `triage on start { … }`.
    fn no_word(&self, number: usize, word: &str) -> Option<Habit> {
        let colon = usize::from(self.is(number + 1, K::Colon));
        let after = number + 1 + colon;
        let block = self.is(after, K::BraceOpen) && self.is_action(after + 1);
        let clause = self.is(after, K::On) && !self.starts_line(after);
        if SETTINGS.contains(&word) || !(block || clause) || self.kind(number) != Some(K::Identifier) {
            return None;
        }
        let mut edits = vec![(Span::at(self.span(number).start), "step ".to_owned())];
        let mut changes = vec![Change::new(number..number, self.made_up(number, &[K::Step]))];
        if colon > 0 {
            edits.push((self.with_gap_before(number + 1..number + 2), String::new()));
            changes.push(Change::delete(number + 1..number + 2));
        }
        let error = foreign(self.span(number), format!("each node starts with its kind: `step {word}`"))
            .label("`step` is missing before this")
            .help("the nodes of a workflow are `step`, `end` and `fail`")
            .fix(fix("insert `step`", edits, Applicability::Unsafe));
        Some(Habit { error, changes, end: after })
    }

    /// What is wrong between `step` and the block of the node.
    fn node_header(&self, number: usize) -> Option<Habit> {
        let name = number + 1;
        if let Some((inner, lexeme)) = self.unquoted(name) {
            let error = foreign(self.span(name), "the name of a node has no quotes").label("in quotes").replace(
                Applicability::Safe,
                format!("write `{inner}`"),
                self.span(name),
                inner,
            );
            return Some(Habit { error, changes: vec![Change::new(name..name + 1, [lexeme])], end: name + 1 });
        }
        let after = name + 1;
        if self.word(name).is_none() || self.starts_line(name) {
            return None;
        }
        let removed = |tokens: std::ops::Range<usize>, message: &str, label: &str| {
            let span = self.spans(tokens.start, tokens.end - 1);
            let error = foreign(span, message).label(label).replace(
                Applicability::Safe,
                format!("remove `{}`", self.slice(span)),
                self.with_gap_before(tokens.clone()),
                "",
            );
            Habit { error, changes: vec![Change::delete(tokens.clone())], end: tokens.end }
        };
        match self.kind(after)? {
            K::ParenOpen if self.is(after + 1, K::ParenClose) => {
                Some(removed(after..after + 2, "a node has no parameters", "remove the parentheses"))
            }
            K::ParenOpen if self.is(after + 1, K::String) && self.is(after + 2, K::ParenClose) && self.is(number, K::Fail) => {
                let end = self.line_end(after);
                let message = self.text(after + 1);
                let edits =
                    vec![(self.spans(after, after + 2), String::new()), (Span::at(self.span(end - 1).end), format!(" = {message}"))];
                let error = foreign(self.spans(after, after + 2), "the message of a `fail` comes last, after `=`")
                    .label("not here")
                    .fix(fix(format!("write `= {message}` at the end"), edits, Applicability::Unsafe));
                Some(Habit { error, changes: vec![Change::delete(after..after + 3)], end: after + 3 })
            }
            K::Colon if self.is(after + 1, K::BraceOpen) && self.is_action(after + 2) => {
                Some(removed(after..after + 1, "the name of a node has no colon after it", "remove the colon"))
            }
            K::Arrow if self.is_action(after + 1) => Some(self.without_braces(number, after + 1, Some(after))),
            kind if self.is(number, K::Step) && crate::layout::is_action(kind) && !self.starts_line(after) && self.is_action(after) => {
                Some(self.without_braces(number, after, None))
            }
            _ => None,
        }
    }

    /// `step a ask b { … }`: the action without the braces of its step.
    fn without_braces(&self, number: usize, action: usize, arrow: Option<usize>) -> Habit {
        let end = self.action_end(action);
        let name = self.text(number + 1);
        let gap = Span::new(self.span(number + 1).end, self.span(action).start);
        let edits = vec![(gap, " { ".to_owned()), (Span::at(self.span(end - 1).end), " }".to_owned())];
        let error = foreign(self.span(arrow.unwrap_or(action)), format!("the action of the step `{name}` is in braces"))
            .label("`{` is missing before the action")
            .help(format!("write `step {name} {{ {} … }}`", self.text(action)))
            .fix(fix("put the action in braces", edits, Applicability::Unsafe));
        let changes = vec![
            Change::new(number + 2..action, self.made_up(action, &[K::BraceOpen])),
            Change::new(end..end, self.made_up(end, &[K::BraceClose])),
        ];
        Habit { error, changes, end: action }
    }
}
