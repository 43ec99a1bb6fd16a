//! The settings of tools, agents and toolkits.

use weave_diagnostics::{Applicability, Span};

use super::{Change, Habit, Reader, fix, foreign, words};
use crate::feed::Lexeme;
use crate::token::TokenKind as K;

/// Settings whose value is a list.
const LISTS: [&str; 7] = ["hints", "tools", "fails", "requires", "middleware", "on", "history"];

impl Reader<'_> {
    /// A setting in the words of another language.
    pub(super) fn setting(&self, number: usize) -> Option<Habit> {
        let place = self.place(number)?;
        let head = self.head().map(|(_, kind)| kind);
        if place.start
            && matches!(self.kind(number), Some(K::TextBlock | K::String))
            && matches!(head, Some(K::Tool | K::Agent | K::Toolkit))
        {
            return self.docstring(number);
        }
        let word = self.word(number).filter(|_| place.start)?;
        let next = number + 1;
        if self.starts_line(next) {
            return None;
        }
        let value = next + usize::from(matches!(self.kind(next), Some(K::Assign | K::Colon)));
        match word {
            _ if LISTS.contains(&word) => self.list_setting(number, value),
            "approval" if matches!(self.kind(value), Some(K::True | K::False)) => {
                let own = if self.is(value, K::True) { "always" } else { "never" };
                let error = foreign(self.span(value), "an approval is `always`, `never` or `when` a condition")
                    .label(format!("write `{own}`"))
                    .replace(Applicability::Safe, format!("write `{own}`"), self.span(value), own);
                Some(Habit { error, changes: vec![Change::new(value..value + 1, self.made_up(value, &[K::Identifier]))], end: value + 1 })
            }
            "retry" if self.is(value, K::BraceOpen) => self.retry(value),
            "retry"
                if self.is(value, K::Number)
                    && matches!(self.word(value + 1), Some("times" | "attempts" | "tries" | "retries"))
                    && !self.starts_line(value + 1) =>
            {
                let unit = value + 1;
                let text = self.text(unit);
                let error = foreign(self.span(unit), "`retry` is followed by a number alone").label(format!("remove `{text}`")).replace(
                    Applicability::Safe,
                    format!("remove `{text}`"),
                    self.with_gap_before(unit..unit + 1),
                    "",
                );
                Some(Habit { error, changes: vec![Change::delete(unit..unit + 1)], end: unit + 1 })
            }
            "model" if self.word(value).is_some() && self.is(value + 1, K::ParenOpen) && self.is(value + 2, K::String) => {
                let close = self.closer(value + 1)?;
                let model = self.text(value + 2);
                let error = foreign(self.spans(next, close), "a model is a name or a string").label(format!("write `{model}`")).replace(
                    Applicability::Safe,
                    format!("write `model {model}`"),
                    self.spans(number, close),
                    format!("model {model}"),
                );
                Some(Habit { error, changes: vec![Change::new(next..close + 1, self.read_as(value + 2, K::String))], end: close + 1 })
            }
            _ if words::is_statement(word) => self.code_inside(number, word),
            "max_turns" if self.is(value, K::String) => {
                let inner = self.text(value).trim_matches('"');
                let error = foreign(self.span(value), "a number has no quotes").label("in quotes");
                let digits = !inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_digit());
                let error =
                    if digits { error.replace(Applicability::Safe, format!("write `{inner}`"), self.span(value), inner) } else { error };
                Some(Habit { error, changes: vec![Change::new(value..value + 1, self.made_up(value, &[K::Number]))], end: value + 1 })
            }
            "description" if matches!(self.kind(value), Some(K::String)) => self.description(number, value),
            _ if words::is_option(word) => self.option(number, value),
            _ if words::foreign_setting(word) => {
                let error =
                    foreign(self.span(number), format!("there is no setting `{word}`; `timeout` limits how long an answer may take"))
                        .label("write `timeout`")
                        .replace(Applicability::Safe, "write `timeout`", self.span(number), "timeout");
                Some(Habit { error, changes: vec![Change::new(number..number + 1, self.made_up(number, &[K::Timeout]))], end: number + 1 })
            }
            "timeout" | "base" | "deadline" if self.is(value, K::ParenOpen) => {
                let close = self.closer(value).filter(|close| *close == value + 2)?;
                let edits = vec![(self.with_gap_before(value..value + 1), " ".to_owned()), (self.span(close), String::new())];
                let error = foreign(self.spans(value, close), "a setting is a name and a value").label("remove the parentheses").fix(fix(
                    "remove the parentheses",
                    edits,
                    Applicability::Safe,
                ));
                Some(Habit { error, changes: vec![Change::delete(value..value + 1), Change::delete(close..close + 1)], end: close + 1 })
            }
            "timeout" | "base" | "deadline" => self.duration_at(value),
            "approval" if self.word(value).is_some_and(words::is_condition) => {
                let error = foreign(self.span(value), "the condition of an approval follows `when`").label("write `when`").replace(
                    Applicability::Safe,
                    "write `when`",
                    self.span(value),
                    "when",
                );
                Some(Habit { error, changes: vec![Change::new(value..value + 1, self.read_as(value, K::When))], end: value + 1 })
            }
            _ => None,
        }
    }

    /// `retry { max_attempts 2, … }`: how often comes before the braces.
    fn retry(&self, open: usize) -> Option<Habit> {
        let close = self.closer(open)?;
        let is_count = |word: &str| {
            matches!(
                word,
                "max_attempts"
                    | "attempts"
                    | "maxAttempts"
                    | "MaxAttempts"
                    | "max_retries"
                    | "maximumAttempts"
                    | "count"
                    | "times"
                    | "retries"
            )
        };
        let name = (open + 1..close)
            .find(|token| self.word(*token).is_some_and(is_count) && self.place(*token).is_some_and(|place| place.start))?;
        let value = name + 1 + usize::from(matches!(self.kind(name + 1), Some(K::Colon | K::Assign)));
        if !self.is(value, K::Number) {
            return None;
        }
        let end = value + 1 + usize::from(self.is(value + 1, K::Comma));
        let count = self.text(value);
        let edits = vec![(Span::at(self.span(open).start), format!("{count} ")), (self.with_gap(name..end), String::new())];
        let error = foreign(self.spans(name, value), "the number of further attempts comes before the braces")
            .label("not in the braces")
            .help(format!("write `retry {count} {{ … }}`; it counts the attempts after the first one"))
            .fix(fix(format!("write `retry {count} {{ … }}`"), edits, Applicability::Unsafe));
        let changes = vec![Change::new(open..open, self.made_up(open, &[K::Number])), Change::delete(name..end)];
        Some(Habit { error, changes, end })
    }

    /// A string that is alone in the braces of a declaration, as Python's docs are.
    fn docstring(&self, number: usize) -> Option<Habit> {
        let doc = self.text(number).trim_matches('"').trim().to_owned();
        let error =
            foreign(self.span(number), "a description for the model is a `///` comment before the declaration").label("not a setting");
        if doc.contains('\n') {
            return None;
        }
        let edits = vec![(Span::at(self.span(0).start), format!("/// {doc}\n")), (self.with_gap_before(number..number + 1), String::new())];
        let error = error.fix(fix("make it a `///` comment", edits, Applicability::Unsafe));
        Some(Habit { error, changes: vec![Change::delete(number..number + 1)], end: number + 1 })
    }

    /// `description "…"`: what the model reads is a comment before the declaration.
    fn description(&self, number: usize, value: usize) -> Option<Habit> {
        let doc = self.text(value).trim_matches('"').to_owned();
        let removed = self.with_gap_before(number..value + 1);
        let start = Span::at(self.span(0).start);
        let error = foreign(self.span(number), "a description for the model is a `///` comment before the declaration")
            .label("not a setting")
            .help(format!("write `/// {doc}` on the line before the declaration"))
            .fix(fix("make it a `///` comment", vec![(start, format!("/// {doc}\n")), (removed, String::new())], Applicability::Unsafe));
        Some(Habit { error, changes: vec![Change::delete(number..value + 1)], end: value + 1 })
    }

    /// `temperature 0.2` without its `options`.
    fn option(&self, number: usize, value: usize) -> Option<Habit> {
        let end = self.operand(value)?;
        let name = self.text(number);
        let written = format!("options {{ {name}: {} }}", self.slice(self.spans(value, end - 1)));
        let error = foreign(self.span(number), "parameters of the model are in `options`")
            .label("not a setting")
            .help(format!("write `{written}`"));
        let known =
            (0..self.lexemes.len()).any(|token| self.text(token) == "options" && self.place(token).is_some_and(|place| place.start));
        let error = if known {
            error
        } else {
            error.replace(Applicability::Safe, format!("write `{written}`"), self.spans(number, end - 1), written)
        };
        Some(Habit { error, changes: vec![Change::delete(number..end)], end })
    }

    /// `tools a, b`, `tools { a, b }`.
    fn list_setting(&self, number: usize, value: usize) -> Option<Habit> {
        let word = self.text(number);
        if self.is(value, K::BraceOpen) || self.is(value, K::ParenOpen) {
            let close = self.closer(value)?;
            let plain = (value + 1..close).all(|token| self.word(token).is_some() || self.is(token, K::Comma)) && close > value + 1;
            if !plain {
                return None;
            }
            let edits = vec![(self.span(value), "[".to_owned()), (self.span(close), "]".to_owned())];
            let error = foreign(self.spans(value, close), format!("`{word}` is a list, which is in brackets"))
                .label("expected `[`")
                .fix(fix("write brackets", edits, Applicability::Safe));
            let changes = vec![
                Change::new(value..value + 1, self.read_as(value, K::BracketOpen)),
                Change::new(close..close + 1, self.read_as(close, K::BracketClose)),
            ];
            return Some(Habit { error, changes, end: close });
        }
        if self.is(value, K::BracketOpen) {
            return self.quoted_names(number, value);
        }
        let mut end = value;
        while self.word(end).is_some() || self.is(end, K::String) {
            end += 1;
            let goes_on = self.is(end, K::Comma)
                && !self.starts_line(end + 1)
                && self.word(end + 1).is_some_and(|word| !matches!(word, "on" | "max" | "base"));
            if !goes_on {
                break;
            }
            end += 1;
        }
        let single = end == value + 1;
        if end <= value
            || (single && self.is(value, K::String) && self.unquoted(value).is_none())
            || (end < self.lexemes.len() && !self.starts_line(end) && !self.is(end, K::BraceClose))
        {
            return None;
        }
        let names: Vec<&str> = (value..end)
            .filter(|token| !self.is(*token, K::Comma))
            .map(|token| self.unquoted(token).map_or_else(|| self.text(token), |(inner, _)| inner))
            .collect();
        let written = format!("[{}]", names.join(", "));
        let error = foreign(self.spans(value, end - 1), format!("`{word}` is a list, which is in brackets"))
            .label(format!("write `{written}`"))
            .replace(Applicability::Safe, format!("write `{written}`"), self.spans(value, end - 1), written);
        let changes = vec![
            Change::new(value..value, self.made_up(value, &[K::BracketOpen])),
            Change::new(end..end, self.made_up(end, &[K::BracketClose])),
        ];
        Some(Habit { error, changes, end })
    }

    /// `tools ["a", "b"]`.
    fn quoted_names(&self, number: usize, open: usize) -> Option<Habit> {
        let close = self.closer(open)?;
        let strings: Vec<(usize, &str, Lexeme)> = (open + 1..close)
            .filter(|token| self.is(*token, K::String))
            .map(|token| self.unquoted(token).map(|(inner, lexeme)| (token, inner, lexeme)))
            .collect::<Option<_>>()?;
        let (first, ..) = strings.first()?;
        let edits = strings.iter().map(|(token, inner, _)| (self.span(*token), (*inner).to_owned())).collect();
        let error = foreign(self.span(*first), format!("`{}` lists names, which have no quotes", self.text(number)))
            .label("in quotes")
            .fix(fix("remove the quotes", edits, Applicability::Safe));
        let changes = strings.into_iter().map(|(token, _, lexeme)| Change::new(token..token + 1, [lexeme])).collect();
        Some(Habit { error, changes, end: close })
    }

    /// The header of an agent whose input and output are settings: `agent a { input { … } output { … } … }`.
    pub(super) fn signature_inside(&self, name: usize) -> Option<Habit> {
        let open = name + 1;
        let close = self.closer(open)?;
        let mut here = open + 1;
        let mut edits = Vec::new();
        let mut changes = Vec::new();
        let (mut parameters, mut output) = (None, None);
        while here < close {
            let word = self.word(here);
            let block = here + 1 + usize::from(matches!(self.kind(here + 1), Some(K::Colon | K::Assign)));
            let end = match self.kind(block) {
                Some(K::BraceOpen) => self.closer(block).map(|close| close + 1),
                Some(kind) if kind.is_word() && !self.starts_line(block) => Some(self.line_end(here).min(close)),
                _ => None,
            };
            let slot = match word {
                Some("input" | "inputs" | "parameters" | "params" | "args" | "arguments") if self.is(block, K::BraceOpen) => {
                    Some(&mut parameters)
                }
                Some("output" | "outputs" | "returns" | "response" | "result") => Some(&mut output),
                _ => None,
            };
            match (slot, end) {
                (Some(slot), Some(end)) => {
                    *slot = Some((block, end));
                    edits.push((self.with_gap(here..end), String::new()));
                    changes.push(Change::delete(here..end));
                    here = end;
                }
                _ => here = self.closer(here).map_or(here, |close| close) + 1,
            }
        }
        if parameters.is_none() && output.is_none() {
            return None;
        }
        let mut instead = self.made_up(open, &[K::ParenOpen]);
        if let Some((block, end)) = parameters {
            instead.extend_from_slice(self.lexemes.get(block + 1..end - 1).unwrap_or_default());
        }
        instead.extend(self.made_up(open, &[K::ParenClose]));
        if let Some((block, end)) = output {
            instead.extend(self.made_up(open, &[K::Arrow]));
            instead.extend_from_slice(self.lexemes.get(block..end).unwrap_or_default());
        }
        let parameters = parameters.map_or_else(String::new, |(block, end)| {
            self.slice(Span::new(self.span(block).end, self.span(end - 1).start)).trim().to_owned()
        });
        let output = output.map_or_else(String::new, |(block, end)| format!(" -> {}", self.slice(self.spans(block, end - 1))));
        let written = format!("({parameters}){output}");
        edits.insert(0, (Span::at(self.span(name).end), written.clone()));
        let kind = self.text(name.checked_sub(1)?);
        let shown = format!("{kind} {}{written}", self.text(name));
        let error = foreign(Span::at(self.span(name).end), format!("the parameters and the result of {} are in its header", article(kind)))
            .label("the parameters are missing here")
            .help(format!("write `{shown} {{ … }}`"))
            .fix(fix("write them in the header", edits, Applicability::Unsafe));
        changes.push(Change::new(open..open, instead));
        Some(Habit { error, changes, end: open + 1 })
    }
}

/// `an agent`, `a tool`.
fn article(kind: &str) -> String {
    let an = kind.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {kind}", if an { "an" } else { "a" })
}
