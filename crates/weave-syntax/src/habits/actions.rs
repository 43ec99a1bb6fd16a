//! What is in the braces of a step.

use weave_diagnostics::{Applicability, Span};

use super::{Change, Habit, Reader, fix, foreign, words};
use crate::feed::Lexeme;
use crate::token::TokenKind as K;

impl Reader<'_> {
    /// What is written where an action or a setting of a step starts.
    pub(super) fn action(&self, number: usize) -> Option<Habit> {
        let word = self.word(number)?;
        if !self.place(number)?.start {
            return self.payload_word(number).or_else(|| self.step_as(number));
        }
        let kind = self.kind(number)?;
        if matches!(word, "timeout" | "base") && !self.starts_line(number + 1) {
            let value = number + 1 + usize::from(matches!(self.kind(number + 1), Some(K::Colon | K::Assign)));
            return self.duration_at(value);
        }
        if words::foreign_setting(word) && !words::is_option(word) && word != "description" && !self.starts_line(number + 1) {
            return self.step_timeout(number, word);
        }
        self.result_of_action(number, word)
            .or_else(|| self.superfluous_verb(number, word))
            .or_else(|| self.header_inside(number, word))
            .or_else(|| self.state_key(number, word))
            .or_else(|| self.empty_action(number, word))
            .or_else(|| self.catch_inside(number, word))
            .or_else(|| if crate::layout::is_action(kind) { self.own_action(number, kind) } else { None })
            .or_else(|| self.waits(number, word))
            .or_else(|| self.emits(number, word))
            .or_else(|| self.request(number, word))
            .or_else(|| self.method_call(number))
            .or_else(|| self.jump_inside(number, word))
            .or_else(|| self.other_verb(number, word))
    }

    /// `x = ask …`, `const x = ask …`.
    fn result_of_action(&self, number: usize, word: &str) -> Option<Habit> {
        let declared = words::is_variable(word) && self.word(number + 1).is_some();
        let sign = number + 1 + usize::from(declared);
        let sign = sign + usize::from(self.is(sign, K::Colon));
        if !self.is(sign, K::Assign) || !self.is_action(sign + 1) {
            return None;
        }
        let what = self.with_gap(number..sign + 1);
        let error = foreign(self.spans(number, sign), "a step has no variables; its answer is read by the name of the step")
            .label("not part of the language")
            .replace(Applicability::Unsafe, format!("remove `{}`", self.slice(self.spans(number, sign))), what, "");
        Some(Habit { error, changes: vec![Change::delete(number..sign + 1)], end: sign + 1 })
    }

    /// `return ask …`, `await call …`.
    fn superfluous_verb(&self, number: usize, word: &str) -> Option<Habit> {
        let follows = self.kind(number + 1).is_some_and(crate::layout::is_action) && !self.starts_line(number + 1);
        if !follows || !matches!(word, "await" | "return" | "yield" | "then" | "do" | "go" | "async" | "defer") {
            return None;
        }
        let verb = self.text(number + 1);
        let error = foreign(self.span(number), format!("nothing is written before `{verb}`"))
            .label(format!("there is no `{word}`"))
            .help("a step is complete when its action has answered; read the answer by the name of the step")
            .replace(Applicability::Safe, format!("remove `{word}`"), self.with_gap(number..number + 1), "");
        Some(Habit { error, changes: vec![Change::delete(number..number + 1)], end: number + 1 })
    }

    /// `on a`, `when .a`, `depends_on [a]` among the settings: they belong before the braces.
    fn header_inside(&self, number: usize, word: &str) -> Option<Habit> {
        let is_clause = matches!(word, "on" | "when" | "each" | "limit") || words::is_after(word) || words::is_condition(word);
        let value = number + 1 + usize::from(self.is(number + 1, K::Colon));
        if !is_clause || self.starts_line(value) || self.is(value, K::BraceOpen) || self.is(value, K::Assign) {
            return None;
        }
        let opener = (0..number)
            .rev()
            .take(super::FAR)
            .find(|token| self.is(*token, K::BraceOpen) && self.closer(*token).is_none_or(|close| close > number))?;
        let end = self.line_end(number);
        let first_word = if words::is_after(word) {
            "on"
        } else if words::is_condition(word) {
            "when"
        } else {
            word
        };
        let trigger = if first_word == "on" { self.triggers_of(value, end) } else { None };
        let rest = trigger.unwrap_or_else(|| self.slice(self.spans(value, end.saturating_sub(1))).to_owned());
        let clause = format!("{first_word} {rest}");
        let removed = if self.starts_line(number) { self.with_gap_before(number..end) } else { self.with_gap(number..end) };
        let error = foreign(self.span(number), format!("`{first_word} …` comes before the braces of its step")).label("not in the braces");
        let mut header = (0..opener).rev().take(super::NEAR).take_while(|token| !self.kind(*token).is_some_and(K::starts_node));
        let on = header.find(|token| self.is(*token, K::On)).filter(|_| first_word == "on");
        let error = match on {
            Some(on) if (on + 1..opener).any(|token| self.text(token) == rest) => {
                let step = rest.as_str();
                error.help(format!("the step follows `{step}` already")).fix(fix(
                    "remove the line",
                    vec![(removed, String::new())],
                    Applicability::Unsafe,
                ))
            }
            Some(_) => error.help(format!("add it to the triggers of the step: `on … | {rest}`, or `on all(…)` for a join")),
            None => {
                let edits = vec![(Span::at(self.span(opener).start), format!("{clause} ")), (removed, String::new())];
                error.help(format!("write `step NAME {clause} {{ … }}`")).fix(fix(
                    "move it before the braces",
                    edits,
                    Applicability::Unsafe,
                ))
            }
        };
        Some(Habit { error, changes: vec![Change::delete(number..end)], end })
    }

    /// `[a]`, `[a, b]`, `"a"` as triggers.
    fn triggers_of(&self, number: usize, end: usize) -> Option<String> {
        let names: Vec<&str> =
            (number..end).filter_map(|token| self.word(token).or_else(|| self.unquoted(token).map(|(name, _)| name))).collect();
        let simple = (number..end).all(|token| {
            self.word(token).is_some() || matches!(self.kind(token), Some(K::Comma | K::BracketOpen | K::BracketClose | K::String))
        });
        match names.as_slice() {
            [only] if simple => Some((*only).to_owned()),
            [_, ..] if simple => Some(format!("all({})", names.join(", "))),
            _ => None,
        }
    }

    /// What is wrong after one of the language's own verbs.
    fn own_action(&self, number: usize, kind: K) -> Option<Habit> {
        let next = number + 1;
        let verb = self.text(number);
        if kind == K::Wait {
            return self.own_wait(number);
        }
        if self.is(next, K::String) && kind == K::Emit {
            let inner = self.text(next).trim_matches('"');
            let topic = inner.contains('.') && inner.split('.').all(words::is_name);
            let error = foreign(self.span(next), "a topic has no quotes").label("in quotes");
            let error = if topic { error.replace(Applicability::Safe, format!("write `{inner}`"), self.span(next), inner) } else { error };
            let span = self.span(next);
            let part = |start: u32, end: u32, kind: K| Lexeme { kind, start, end };
            let dot = span.start + 1 + inner.find('.').unwrap_or(0) as u32;
            let instead = vec![
                part(span.start + 1, dot, K::Identifier),
                part(dot, dot + 1, K::Dot),
                part(dot + 1, span.end.saturating_sub(1), K::Identifier),
            ];
            return topic.then(|| Habit { error, changes: vec![Change::new(next..next + 1, instead)], end: next + 1 });
        }
        if matches!(self.kind(next), Some(K::String | K::TextBlock)) {
            let (what, how) = match kind {
                K::Ask => ("an agent", "declare it with its text: `agent name(…) { model …, system \"…\" }`, and write `ask name { … }`"),
                K::Call => ("a tool", "declare it with `tool name(…) -> Output`, and write `call name { … }`"),
                _ => ("a workflow", "declare it with `workflow name(…) { … }`, and write `run name { … }`"),
            };
            let error = foreign(self.span(next), format!("`{verb}` takes the name of {what}, not a text")).label("a text").help(how);
            let end = self.line_end(number);
            let instead = self.made_up(next, &[K::Identifier]);
            return Some(Habit { error, changes: vec![Change::new(next..end, instead)], end });
        }
        self.parentheses_at(self.dotted(next)?.0, self.slice(self.spans(number, self.dotted(next)?.0 - 1)))
    }

    /// `publish a.b { … }`.
    fn emits(&self, number: usize, word: &str) -> Option<Habit> {
        let next = number + 1;
        let (end, dots) = self.dotted(next)?;
        if words::verb(word) != Some("emit") || self.starts_line(next) || !dots {
            return None;
        }
        let error = foreign(self.span(number), format!("there is no action `{word}`")).label("write `emit`").replace(
            Applicability::Safe,
            "write `emit`",
            self.span(number),
            "emit",
        );
        Some(Habit { error, changes: vec![Change::new(number..next, self.read_as(number, K::Emit))], end })
    }

    /// `http GET "…"`, `fetch("…")`, `print("…")`.
    fn request(&self, number: usize, word: &str) -> Option<Habit> {
        let mut first = number + 1;
        while self.is(first, K::Dot) && self.word(first + 1).is_some() {
            first += 2;
        }
        let takes_text = self.is(first, K::String)
            || self.word(first).is_some_and(|_| self.is(first + 1, K::String))
            || (self.is(first, K::ParenOpen) && matches!(self.kind(first + 1), Some(K::String | K::LeadingDot)));
        if !takes_text || self.starts_line(first) {
            return None;
        }
        let end = self.line_end(number);
        if words::is_print(word) {
            let error = foreign(self.spans(number, end - 1), "a workflow cannot print")
                .label("not an action")
                .help("a run is recorded in full; to notify a person, call a tool")
                .replace(Applicability::Unsafe, "remove the line", self.line(number, end), "");
            return Some(Habit { error, changes: vec![Change::delete(number..end)], end });
        }
        if words::is_request(word) {
            let error = foreign(self.spans(number, end - 1), "a workflow cannot send requests; it calls tools")
                .label("not an action")
                .help("declare the request as a tool, `tool get_page(url: uri) -> { body: string }`, and write `call get_page { url: … }`");
            let instead = self.made_up(number, &[K::Call, K::Identifier]);
            return Some(Habit { error, changes: vec![Change::new(number..end, instead)], end });
        }
        if matches!(word, "prompt" | "llm" | "complete" | "generate" | "chat" | "completion") {
            let error = foreign(self.spans(number, end - 1), "a step asks an agent, which is declared with its prompt")
                .label("not an action")
                .help("write `agent name(…) -> { … } { model …, system \"…\" }`, and `ask name { … }` in the step");
            let instead = self.made_up(number, &[K::Ask, K::Identifier]);
            return Some(Habit { error, changes: vec![Change::new(number..end, instead)], end });
        }
        None
    }

    /// `next b`, `goto b`, `output .x` as an entry of a step.
    fn jump_inside(&self, number: usize, word: &str) -> Option<Habit> {
        let value = number + 1 + usize::from(self.is(number + 1, K::Colon) || self.is(number + 1, K::Arrow));
        if self.starts_line(value) {
            return None;
        }
        if matches!(word, "next" | "goto" | "then" | "Next" | "to" | "transition") && self.word(value).is_some() {
            let (keyword, ..) = self.owner(number)?;
            let error = self.jump_to(self.spans(number, value), self.text(keyword + 1), self.text(value), self.line(number, value + 1));
            return Some(Habit { error, changes: vec![Change::delete(number..value + 1)], end: value + 1 });
        }
        let keeps = matches!(word, "output" | "outputs" | "return" | "result" | "yield" | "returns" | "save" | "store" | "assign");
        if keeps && (self.is(value, K::LeadingDot) || self.is(value, K::BraceOpen)) {
            let end = self.line_end(number);
            let error = foreign(self.span(number), format!("a step has no `{word}`: the answer of its action is its answer"))
                .label("not part of the language")
                .help("other nodes read it by the name of the step; to change its form, write a step with a value, `step b on a = { … }`")
                .replace(Applicability::Unsafe, "remove the line", self.line(number, end), "");
            return Some(Habit { error, changes: vec![Change::delete(number..end)], end });
        }
        None
    }

    /// The node in whose braces a token is.
    pub(super) fn owner(&self, number: usize) -> Option<(usize, usize)> {
        let opener = (0..number)
            .rev()
            .take(super::FAR)
            .find(|token| self.is(*token, K::BraceOpen) && self.closer(*token).is_none_or(|close| close > number))?;
        let keyword = (0..opener)
            .rev()
            .take(super::FAR)
            .find(|token| self.kind(*token).is_some_and(K::starts_node) && self.place(*token).is_some_and(|place| place.start))?;
        Some((keyword, opener))
    }

    /// `invoke find { … }`, `find { … }`, `find(order_id: .x)`: an action without a verb of the language.
    fn other_verb(&self, number: usize, word: &str) -> Option<Habit> {
        const ACTIONS: [&str; 6] = ["ask", "call", "run", "emit", "wait", "cancel"];
        let misspelt = word != "await" && weave_diagnostics::closest(word, ACTIONS).is_some();
        if misspelt || matches!(word, "timeout" | "retry" | "history" | "meta" | "options") || self.is(number + 1, K::Colon) {
            return None;
        }
        let Some(call) = self.call_at(number) else { return self.parentheses(number, word) };
        let named = self.word(number + 1).is_some();
        let verb = verb_for(word);
        let (message, label) = if named {
            (
                format!("there is no action `{word}`; a step calls a tool with `call` and asks an agent with `ask`"),
                format!("write `{verb}`"),
            )
        } else {
            (
                format!("an action starts with its verb: `call {word}` for a tool, `ask {word}` for an agent"),
                "a verb is missing before this".to_owned(),
            )
        };
        let place = Span::new(self.span(number).start, self.span(call.until).start);
        let edits = std::iter::once((place, call.written.clone())).chain(call.edits).collect();
        let shown = call.written.trim_end().trim_end_matches(" {");
        let error = foreign(self.span(number), message).label(label).fix(fix(format!("write `{shown}`"), edits, Applicability::Unsafe));
        let error = if word == "await" {
            error.help("a step always waits for the answer of its action; `wait` is for events and times")
        } else {
            error
        };
        let changes = std::iter::once(Change::new(number..call.until, call.tokens)).chain(call.changes).collect();
        Some(Habit { error, changes, end: call.until })
    }

    /// What is called here in the words of another language: `await find(…)`, `find { … }`.
    pub(super) fn call_at(&self, number: usize) -> Option<Called> {
        let word = self.word(number)?;
        let named = self.word(number + 1).is_some() && !self.starts_line(number + 1);
        let name = number + usize::from(named);
        let (opener, dots) = self.dotted(name)?;
        if self.kind(number).is_some_and(crate::layout::is_action)
            || words::verb(word).is_some()
            || words::is_request(word)
            || words::is_print(word)
            || dots
        {
            return None;
        }
        let verb = verb_for(if named { word } else { "" });
        let kind = if verb == "ask" { K::Ask } else { K::Call };
        let kind = if verb == "run" { K::Run } else { kind };
        let mut tokens = self.made_up(number, &[kind]);
        tokens.extend(self.read_as(name, K::Identifier));
        let mut written = format!("{verb} {}", self.text(name));
        let first = opener + 1;
        let entries = self.is(first, K::BraceClose)
            || matches!(self.kind(first + 1), Some(K::Colon | K::Assign | K::LeadingDot))
            || matches!(self.kind(first), Some(K::LeadingDot | K::Ellipsis));
        let block = self.is(opener, K::BraceOpen) && !self.starts_line(opener) && entries;
        // A name alone is a call only after a verb.
        let alone = opener >= self.lexemes.len() || self.starts_line(opener) || self.is(opener, K::BraceClose);
        if block || (alone && named) {
            let gap = self.slice(Span::new(self.span(name).end, self.span(opener).start));
            written.push_str(if alone { gap } else { " " });
            return Some(Called { written, until: opener, tokens, edits: Vec::new(), changes: Vec::new() });
        }
        let habit = self.parentheses_at(opener, "")?;
        let mut edits = habit.error.fixes.into_iter().next()?.edits;
        edits.retain(|(span, _)| span.start >= self.span(opener).end);
        let mut changes = habit.changes;
        changes.retain(|change| change.tokens.start > opener);
        let close = self.closer(opener)?;
        if close == opener + 1 {
            let rest = self.slice(Span::new(self.span(close).end, self.span(close + 1).start));
            written.push_str(rest);
            return Some(Called { written, until: close + 1, tokens, edits: Vec::new(), changes: Vec::new() });
        }
        let object = self.is(opener + 1, K::BraceOpen) && self.closer(opener + 1) == close.checked_sub(1);
        written.push_str(if object { " " } else { " { " });
        if !object {
            tokens.extend(self.read_as(opener, K::BraceOpen));
        }
        Some(Called { written, until: opener + 1, tokens, edits, changes })
    }

    /// `find(order_id: .x)`, `invoke find(…)`: parentheses without a verb of the language.
    fn parentheses(&self, number: usize, word: &str) -> Option<Habit> {
        let named = self.word(number + 1).is_some() && !self.starts_line(number + 1);
        let last = if named { self.dotted(number + 1)?.0 } else { number + 1 };
        let verb = if named { None } else { Some(word) };
        let habit = self.parentheses_at(last, self.slice(self.spans(number, last - 1)))?;
        let Some(name) = verb else { return Some(habit) };
        // Which verb it is says the kind of what is named, which only the analysis knows.
        Some(Habit {
            error: habit.error.note(format!("an action starts with its verb: `call {name}` for a tool, `ask {name}` for an agent")),
            ..habit
        })
    }

    /// The parentheses of a call, read as braces.
    pub(super) fn parentheses_at(&self, number: usize, before: &str) -> Option<Habit> {
        if !self.is(number, K::ParenOpen) || self.starts_line(number) {
            return None;
        }
        let close = self.closer(number)?;
        let span = self.span(number);
        let error = |message: String| foreign(span, message).label("expected `{`");
        let message = format!("the arguments of `{before}` are in braces");
        if close == number + 1 {
            let error = error(message).help("without arguments, the name is enough").replace(
                Applicability::Safe,
                "remove the parentheses",
                self.spans(number, close),
                "",
            );
            return Some(Habit { error, changes: vec![Change::delete(number..close + 1)], end: close + 1 });
        }
        if self.is(number + 1, K::BraceOpen) && self.closer(number + 1) == close.checked_sub(1) {
            let edits = vec![(self.with_gap_before(number..number + 1), " ".to_owned()), (self.span(close), String::new())];
            let error = error(message).fix(fix("remove the parentheses", edits, Applicability::Safe));
            return Some(Habit {
                error,
                changes: vec![Change::delete(number..number + 1), Change::delete(close..close + 1)],
                end: number + 1,
            });
        }
        let named = self.word(number + 1).is_some() && matches!(self.kind(number + 2), Some(K::Colon | K::Assign));
        let mut edits = vec![(self.with_gap_before(number..number + 1), " { ".to_owned()), (self.span(close), " }".to_owned())];
        let mut changes = vec![
            Change::new(number..number + 1, self.read_as(number, K::BraceOpen)),
            Change::new(close..close + 1, self.read_as(close, K::BraceClose)),
        ];
        if !named {
            let error = error(message).help(format!("write `{before} {{ name: … }}`, with the name of each argument"));
            let changes = vec![Change::delete(number..close + 1)];
            return Some(Habit { error, changes, end: close + 1 });
        }
        for token in number + 1..close {
            let first = token == number + 1 || self.is(token - 1, K::Comma);
            if first && self.word(token).is_some() && self.is(token + 1, K::Assign) {
                let after = if self.glued(token + 1) { ": " } else { ":" };
                edits.push((self.with_gap_before(token + 1..token + 2), after.to_owned()));
                changes.push(Change::new(token + 1..token + 2, self.read_as(token + 1, K::Colon)));
            }
        }
        edits.sort_by_key(|(span, _)| span.start);
        let error = error(message).fix(fix("write them in braces", edits, Applicability::Safe));
        Some(Habit { error, changes, end: close + 1 })
    }

    /// `call t with { … }`.
    fn payload_word(&self, number: usize) -> Option<Habit> {
        let word = self.word(number)?;
        if !matches!(word, "with" | "using" | "args" | "input" | "params" | "given")
            || !self.is(number + 1, K::BraceOpen)
            || self.starts_line(number)
        {
            return None;
        }
        let before = number.checked_sub(1).filter(|before| self.word(*before).is_some())?;
        let error = foreign(self.span(number), format!("the arguments follow `{}` directly, in braces", self.text(before)))
            .label(format!("there is no `{word}`"))
            .replace(Applicability::Safe, format!("remove `{word}`"), self.with_gap(number..number + 1), "");
        Some(Habit { error, changes: vec![Change::delete(number..number + 1)], end: number + 1 })
    }

    /// `ask a { … } as answer`.
    fn step_as(&self, number: usize) -> Option<Habit> {
        let name = number + 1;
        let named = self.word(name).is_some() && !self.starts_line(name) && !self.starts_line(number);
        let here = matches!(self.kind(number), Some(K::As)) || self.text(number) == "into";
        if !here || !named || !matches!(self.before(number), Some(K::BraceClose)) {
            return None;
        }
        let error = foreign(self.spans(number, name), "the answer of a step is read by the name of the step")
            .label("not part of the language")
            .replace(Applicability::Unsafe, "remove it", self.with_gap_before(number..name + 1), "");
        Some(Habit { error, changes: vec![Change::delete(number..name + 1)], end: name + 1 })
    }
}

/// The verb of the language that a word of another one most likely means.
fn verb_for(word: &str) -> &'static str {
    match word {
        "agent" | "llm" | "generate" | "prompt" | "chat" | "infer" | "complete" | "model" | "assistant" | "query" | "think"
        | "prompt_agent" => "ask",
        "workflow" | "subworkflow" | "subflow" | "child" | "spawn" | "flow" | "start" => "run",
        _ => "call",
    }
}

/// A call in the words of another language, read as an action.
pub(super) struct Called {
    /// What is written instead of the tokens up to `until`.
    pub(super) written: String,
    /// The number of the first token that stays.
    pub(super) until: usize,
    /// What the tokens before it are read as.
    pub(super) tokens: Vec<Lexeme>,
    /// What else is changed in the text.
    pub(super) edits: Vec<(Span, String)>,
    /// What else is read otherwise.
    pub(super) changes: Vec<Change>,
}
