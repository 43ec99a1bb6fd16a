//! What follows `on`.

use weave_diagnostics::Applicability;

use super::{Change, Habit, Reader, fix, foreign, words};
use crate::feed::Lexeme;
use crate::token::TokenKind as K;

impl Reader<'_> {
    /// A trigger in the words of another language, at its `on`.
    pub(super) fn trigger(&self, number: usize) -> Option<Habit> {
        let first = number + 1;
        // A node may be called `on`.
        let named = number.checked_sub(1).and_then(|before| self.kind(before)).is_some_and(K::starts_node);
        if !self.is(number, K::On) || named {
            return None;
        }
        match self.kind(first)? {
            K::LeadingDot if self.word(first + 1).is_some() => {
                let name = self.text(first + 1);
                let error = foreign(self.span(first), "a trigger is the name of a step and has no dot").label("remove the dot").replace(
                    Applicability::Safe,
                    format!("write `{name}`"),
                    self.span(first),
                    "",
                );
                Some(Habit { error, changes: vec![Change::delete(first..first + 1)], end: first + 2 })
            }
            K::String => {
                let (inner, lexeme) = self.unquoted(first)?;
                let error = foreign(self.span(first), "a trigger has no quotes").label("in quotes").replace(
                    Applicability::Safe,
                    format!("write `{inner}`"),
                    self.span(first),
                    inner,
                );
                Some(Habit { error, changes: vec![Change::new(first..first + 1, [lexeme])], end: first + 1 })
            }
            K::BracketOpen | K::ParenOpen => self.trigger_list(number, first, "on"),
            K::Colon if self.word(first + 1).is_some() && !self.starts_line(first + 1) => {
                let error = foreign(self.span(first), "`on` has no colon after it").label("remove the colon").replace(
                    Applicability::Safe,
                    "remove the colon",
                    self.span(first),
                    "",
                );
                Some(Habit { error, changes: vec![Change::delete(first..first + 1)], end: first + 1 })
            }
            kind if kind.is_word() => self.trigger_word(first),
            _ => None,
        }
    }

    /// `[a, b]` or `(a, b)` where triggers are expected.
    pub(super) fn trigger_list(&self, number: usize, first: usize, word: &str) -> Option<Habit> {
        let close = self.closer(first)?;
        let inside = first + 1..close;
        let names: Vec<&str> = inside
            .clone()
            .filter(|token| !self.is(*token, K::Comma))
            .map(|token| self.word(token).or_else(|| self.unquoted(token).map(|(name, _)| name)))
            .collect::<Option<_>>()?;
        let whole = self.spans(first, close);
        let (written, message) = match names.as_slice() {
            [] => return None,
            [only] => ((*only).to_owned(), "a trigger has no brackets around it"),
            _ => (format!("all({})", names.join(", ")), "triggers are not written as a list"),
        };
        let either = names.join(" | ");
        let mut error = foreign(whole, message).label(format!("write `{written}`"));
        let start = self.span(number);
        let edits = |written: &str| {
            let keyword = (word != "on").then(|| (start, "on".to_owned()));
            keyword.into_iter().chain([(whole, written.to_owned())]).collect::<Vec<_>>()
        };
        let certain = if names.len() == 1 { Applicability::Safe } else { Applicability::Unsafe };
        if names.len() > 1 {
            error = error.help(format!("`on {written}` fires once all have answered, `on {either}` for each of them"));
        }
        error = error.fix(fix(format!("write `on {written}`"), edits(&written), certain));
        if names.len() > 1 {
            error = error.fix(fix(format!("write `on {either}`"), edits(&either), Applicability::Unsafe));
        }
        // The first of the names takes its place.
        let mut instead = self.read_as(number, K::On);
        let name = inside.clone().next()?;
        let lexeme = self.unquoted(name).map(|(_, lexeme)| lexeme).or_else(|| self.lexemes.get(name).copied())?;
        if names.len() == 1 {
            instead.push(lexeme);
        } else {
            instead.extend(self.made_up(first, &[K::All, K::ParenOpen]));
            instead.extend(
                inside.filter_map(|token| self.unquoted(token).map(|(_, lexeme)| lexeme).or_else(|| self.lexemes.get(token).copied())),
            );
            instead.extend(self.made_up(close, &[K::ParenClose]));
        }
        Some(Habit { error, changes: vec![Change::new(number..close + 1, instead)], end: close + 1 })
    }

    fn trigger_word(&self, first: usize) -> Option<Habit> {
        let word = self.text(first);
        let next = first + 1;
        match self.kind(next) {
            Some(K::ParenOpen) => self.called_trigger(first, word),
            Some(K::BracketOpen) if matches!(word, "all" | "settled" | "both" | "every") => {
                let close = self.closer(next)?;
                let edits = vec![(self.spans(first, next), "all(".to_owned()), (self.span(close), ")".to_owned())];
                let edits =
                    if word == "settled" { vec![(self.span(next), "(".to_owned()), (self.span(close), ")".to_owned())] } else { edits };
                let error = foreign(self.span(next), "the steps of a join are in parentheses").label("expected `(`").fix(fix(
                    "write parentheses",
                    edits,
                    Applicability::Safe,
                ));
                let keyword = if word == "settled" { K::Settled } else { K::All };
                let mut instead = self.read_as(first, keyword);
                instead.extend(self.read_as(next, K::ParenOpen));
                let changes =
                    vec![Change::new(first..next + 1, instead), Change::new(close..close + 1, self.read_as(close, K::ParenClose))];
                Some(Habit { error, changes, end: next + 1 })
            }
            Some(K::Timeout) => None,
            Some(kind) if kind.is_word() && !self.starts_line(next) => self.two_words(first, word, next),
            Some(K::Duration) if word == "timeout" => self.timeout_parts(first, None, next),
            Some(K::And) if self.word(first + 2).is_some() => self.joined(first, next),
            Some(K::Comma) if self.word(first + 2).is_some() && !self.starts_line(first + 2) => self.joined(first, next),
            _ => None,
        }
    }

    /// `failure a`, `failure of a`, `a and b`, `timeout a 24h`.
    fn two_words(&self, first: usize, word: &str, next: usize) -> Option<Habit> {
        if word == "timeout" && self.is(next + 1, K::Duration) {
            return self.timeout_parts(first, Some(next), next + 1);
        }
        let ends = matches!(self.kind(next), Some(K::When | K::Else | K::Also | K::Limit | K::Each | K::From));
        let is_kind = matches!(word, "event" | "signal" | "step" | "task" | "node" | "topic" | "message" | "tool" | "state" | "agent");
        if is_kind && !ends && self.node_named(word).is_none() {
            let error = foreign(self.span(first), "a trigger is only the name of a step, an event or a signal")
                .label(format!("remove `{word}`"))
                .replace(Applicability::Safe, format!("remove `{word}`"), self.with_gap(first..next), "");
            return Some(Habit { error, changes: vec![Change::delete(first..next)], end: next });
        }
        if word == "failure" || words::is_failure_word(word) {
            let name = next + usize::from(matches!(self.word(next), Some("of" | "in" | "on" | "from")) && self.word(next + 1).is_some());
            if matches!(self.kind(name), Some(K::When | K::Else | K::Also | K::Limit | K::Each)) || self.starts_line(name) {
                return None;
            }
            return Some(self.failure(first, name, name + 1));
        }
        if matches!(self.word(next), Some("and" | "AND" | "or" | "OR")) && self.word(next + 1).is_some() && !self.starts_line(next + 1) {
            return self.joined(first, next);
        }
        None
    }

    /// `on timeout a 24h` without its parentheses.
    fn timeout_parts(&self, first: usize, step: Option<usize>, time: usize) -> Option<Habit> {
        let step_text = step.map_or_else(String::new, |step| format!("{}, ", self.text(step)));
        let written = format!("timeout({step_text}{})", self.text(time));
        let span = self.spans(first, time);
        let error = foreign(span, "the parts of a timeout are in parentheses").label("parentheses are missing").replace(
            Applicability::Safe,
            format!("write `{written}`"),
            span,
            written,
        );
        let mut instead = self.read_as(first, K::Timeout);
        instead.extend(self.made_up(first + 1, &[K::ParenOpen]));
        if let Some(step) = step {
            instead.extend(self.read_as(step, K::Identifier));
            instead.extend(self.made_up(time, &[K::Comma]));
        }
        instead.extend(self.read_as(time, K::Duration));
        instead.extend(self.made_up(time + 1, &[K::ParenClose]));
        Some(Habit { error, changes: vec![Change::new(first..time + 1, instead)], end: time + 1 })
    }

    /// What names the failure of a step, read as `failure(a)`.
    fn failure(&self, first: usize, name: usize, end: usize) -> Habit {
        let written = format!("failure({})", self.text(name));
        let span = self.spans(first, end - 1);
        let word = self.text(first);
        let message = if word == "failure" {
            format!("the step is in parentheses: `{written}`")
        } else {
            format!("there is no trigger `{word}`; a failed step is `{written}`")
        };
        let error = foreign(span, message).label(format!("write `{written}`")).replace(
            Applicability::Safe,
            format!("write `{written}`"),
            span,
            written,
        );
        let mut instead = self.read_as(first, K::Failure);
        instead.extend(self.made_up(first + 1, &[K::ParenOpen]));
        instead.extend(self.read_as(name, K::Identifier));
        instead.extend(self.made_up(end, &[K::ParenClose]));
        Habit { error, changes: vec![Change::new(first..end, instead)], end }
    }

    /// `error(a)`, `success(a)`, `any(a, b)`, `timeout(24h, a)`.
    fn called_trigger(&self, first: usize, word: &str) -> Option<Habit> {
        let open = first + 1;
        let close = self.closer(open)?;
        let inside: Vec<usize> = (open + 1..close).filter(|token| !self.is(*token, K::Comma)).collect();
        if word == "timeout" {
            return self.timeout_call(open, close);
        }
        let names: Vec<&str> = inside.iter().map(|token| self.word(*token)).collect::<Option<_>>()?;
        let whole = self.spans(first, close);
        if let [name] = inside.as_slice() {
            if words::is_failure_word(word) {
                return Some(self.failure(first, *name, close + 1));
            }
            if words::is_success_word(word) || matches!(word, "step" | "end") {
                let text = self.text(*name);
                let error =
                    foreign(whole, format!("there is no trigger `{word}`; the name of the step alone is the trigger for its answer"))
                        .label(format!("write `{text}`"))
                        .replace(Applicability::Safe, format!("write `{text}`"), whole, text);
                return Some(Habit {
                    error,
                    changes: vec![Change::new(first..close + 1, self.read_as(*name, K::Identifier))],
                    end: close + 1,
                });
            }
        }
        if names.len() > 1 && matches!(word, "any" | "either" | "one_of" | "race" | "first" | "oneOf" | "or") {
            let written = names.join(" | ");
            let error = foreign(whole, format!("there is no trigger `{word}`; alternatives are separated by `|`"))
                .label(format!("write `{written}`"))
                .help(format!("`on {written}` fires for each of them; `1 of ({})` fires for the first one only", names.join(", ")))
                .replace(Applicability::Unsafe, format!("write `{written}`"), whole, written);
            let mut instead: Vec<Lexeme> = Vec::new();
            for (index, name) in inside.iter().enumerate() {
                if index > 0 {
                    instead.extend(self.made_up(*name, &[K::Pipe]));
                }
                instead.extend(self.read_as(*name, K::Identifier));
            }
            return Some(Habit { error, changes: vec![Change::new(first..close + 1, instead)], end: close + 1 });
        }
        if names.len() == 1 && matches!(word, "all_done" | "all_settled" | "allSettled" | "finally" | "always" | "any_outcome") {
            let written = format!("{0} | failure({0})", names.concat());
            let error = foreign(whole, format!("there is no trigger `{word}`; a step answers or fails"))
                .label(format!("write `{written}`"))
                .replace(Applicability::Unsafe, format!("write `{written}`"), whole, written);
            let instead = self.read_as(open + 1, K::Identifier);
            return Some(Habit { error, changes: vec![Change::new(first..close + 1, instead)], end: close + 1 });
        }
        if names.len() > 1 && matches!(word, "all_done" | "all_settled" | "allSettled" | "settle") {
            let error =
                foreign(self.span(first), format!("there is no trigger `{word}`; the join of steps that answer or fail is `settled(…)`"))
                    .label("write `settled`")
                    .replace(Applicability::Safe, "write `settled`", self.span(first), "settled");
            return Some(Habit { error, changes: vec![Change::new(first..open, self.read_as(first, K::Settled))], end: open });
        }
        if names.len() > 1 && matches!(word, "both" | "every" | "join" | "and" | "All" | "wait_all" | "gather") {
            let error = foreign(self.span(first), format!("there is no trigger `{word}`; the join of steps is `all(…)`"))
                .label("write `all`")
                .replace(Applicability::Safe, "write `all`", self.span(first), "all");
            return Some(Habit { error, changes: vec![Change::new(first..open, self.read_as(first, K::All))], end: open });
        }
        None
    }

    /// `timeout(24h, a)`, `timeout(a, "24h")`, `timeout(a, 24 hours)`.
    fn timeout_call(&self, open: usize, close: usize) -> Option<Habit> {
        let first = open + 1;
        if self.is(first, K::Duration) && self.is(first + 1, K::Comma) && self.word(first + 2).is_some() && close == first + 3 {
            let written = format!("{}, {}", self.text(first + 2), self.text(first));
            let span = self.spans(first, first + 2);
            let error = foreign(span, "a timeout has the step first and then the time").label("the other way round").replace(
                Applicability::Safe,
                format!("write `{written}`"),
                span,
                written,
            );
            let mut instead = self.read_as(first + 2, K::Identifier);
            instead.extend(self.made_up(close, &[K::Comma, K::Duration]));
            return Some(Habit { error, changes: vec![Change::new(first..close, instead)], end: close });
        }
        let time = if self.word(first).is_some() && self.is(first + 1, K::Comma) { first + 2 } else { first };
        let habit = self.duration_at(time)?;
        (habit.end == close).then_some(habit)
    }

    /// `a && b`, `a and b`, `a or b`, `a, b`.
    fn joined(&self, first: usize, sign: usize) -> Option<Habit> {
        let (one, other) = (self.text(first), self.text(sign + 1));
        let mark = self.text(sign);
        let whole = self.spans(first, sign + 1);
        // What has a payload or goes on is not a plain name.
        if matches!(self.kind(sign + 2), Some(K::Dot | K::ParenOpen | K::From)) {
            return None;
        }
        let all = format!("all({one}, {other})");
        let either = format!("{one} | {other}");
        let error = foreign(self.span(sign), format!("triggers are not joined by `{mark}`"))
            .label("not between triggers")
            .help(format!("`on {all}` fires once both have answered, `on {either}` for each of them"));
        let join = fix(format!("write `{all}`"), vec![(whole, all)], Applicability::Unsafe);
        let alternative = fix(format!("write `{either}`"), vec![(whole, either)], Applicability::Unsafe);
        let is_and = matches!(mark, "&&" | "and" | "AND");
        let error = match mark {
            "or" | "OR" => error.fix(alternative),
            _ if is_and => error.fix(join),
            _ => error.fix(alternative).fix(join),
        };
        if is_and {
            let mut instead = self.made_up(first, &[K::All, K::ParenOpen]);
            instead.extend(self.read_as(first, K::Identifier));
            instead.extend(self.read_as(sign, K::Comma));
            instead.extend(self.read_as(sign + 1, K::Identifier));
            instead.extend(self.made_up(sign + 2, &[K::ParenClose]));
            return Some(Habit { error, changes: vec![Change::new(first..sign + 2, instead)], end: sign + 2 });
        }
        Some(Habit { error, changes: vec![Change::new(sign..sign + 1, self.read_as(sign, K::Pipe))], end: sign + 2 })
    }
}
