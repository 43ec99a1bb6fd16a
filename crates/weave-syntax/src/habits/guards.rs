//! Conditions.

use weave_diagnostics::{Applicability, Span};

use super::{Change, Habit, Reader, fix, foreign, words};
use crate::token::TokenKind as K;

impl Reader<'_> {
    /// An operator or a value of another language in a condition.
    pub(super) fn guard(&self, number: usize) -> Option<Habit> {
        if !self.place(number)?.guard {
            return None;
        }
        let next = number + 1;
        let kind = self.kind(number)?;
        match kind {
            K::BraceOpen if self.is(next, K::BraceOpen) => self.braced_path(number).or_else(|| self.braced_guard(number)),
            K::Slash if matches!(self.before(number), Some(K::ParenOpen | K::Comma)) => self.regex_at(number),
            K::Colon if self.is(next, K::Colon) && self.glued(number) => self.enum_member(number),
            K::Assign if self.is(next, K::Greater) && self.glued(number) => self.arrow_in_guard(number),
            K::ParenOpen if self.before(number) == Some(K::In) || self.text(number.saturating_sub(1)) == "IN" => {
                let close = self.closer(number)?;
                if !(number + 1..close).any(|token| self.is(token, K::String) || self.is(token, K::Number)) {
                    return None;
                }
                let edits = vec![(self.span(number), "[".to_owned()), (self.span(close), "]".to_owned())];
                let error = foreign(self.spans(number, close), "a list is in brackets").label("expected `[`").fix(fix(
                    "write brackets",
                    edits,
                    Applicability::Safe,
                ));
                let changes = vec![
                    Change::new(number..next, self.read_as(number, K::BracketOpen)),
                    Change::new(close..close + 1, self.read_as(close, K::BracketClose)),
                ];
                Some(Habit { error, changes, end: close + 1 })
            }
            K::Assign if self.is(next, K::String) && self.slice(Span::new(self.span(number).end, self.span(next).start)).trim() == "~" => {
                let habit = self.search(number, next, "matches", "there is no operator `=~`; use the method `.matches(…)`")?;
                Some(habit)
            }
            K::Plus if self.is(next, K::Number) && self.starts_operand_at(number) => {
                let error = foreign(self.span(number), "a number has no plus sign").label("remove `+`").replace(
                    Applicability::Safe,
                    "remove `+`",
                    self.span(number),
                    "",
                );
                Some(Habit { error, changes: vec![Change::delete(number..next)], end: next })
            }
            K::And if self.is(next, K::And) => {
                // `&&&`: the rest of the mark is reported by the lexer.
                Some(Habit { changes: vec![Change::delete(next..next + 1)], ..self.operator(number..next + 1, K::And, "&&") })
            }
            kind if kind.is_word() => self.guard_word(number),
            _ => None,
        }
    }

    /// Whether an operand is expected at a token.
    fn starts_operand_at(&self, number: usize) -> bool {
        self.before(number).is_some_and(|before| {
            matches!(
                before,
                K::When
                    | K::ParenOpen
                    | K::BracketOpen
                    | K::Comma
                    | K::Not
                    | K::Or
                    | K::And
                    | K::Equal
                    | K::NotEqual
                    | K::Less
                    | K::LessEqual
                    | K::Greater
                    | K::GreaterEqual
                    | K::In
            )
        }) || number.checked_sub(1).is_some_and(|before| words::operator(self.text(before)).is_some() && self.is(before, K::Identifier))
    }

    /// Tokens read as an operator.
    fn operator(&self, tokens: std::ops::Range<usize>, kind: K, own: &str) -> Habit {
        let span = self.spans(tokens.start, tokens.end - 1);
        let found = self.slice(span);
        let error = foreign(span, format!("expected `{own}`, found `{found}`")).label(format!("write `{own}`")).replace(
            Applicability::Safe,
            format!("write `{own}`"),
            span,
            own,
        );
        Habit { error, changes: vec![Change::new(tokens.clone(), self.read_as(tokens.start, kind))], end: tokens.end }
    }

    fn guard_word(&self, number: usize) -> Option<Habit> {
        let next = number + 1;
        let word = self.text(number);
        let operand_here = self.starts_operand_at(number);
        // What is read from, or called, is a name.
        if matches!(self.before(number), Some(K::Dot | K::LeadingDot)) || self.is(next, K::Dot) {
            return None;
        }
        if operand_here {
            return self.operand_word(number, word);
        }
        match word {
            "is" | "IS" if matches!(self.word(next), Some("not" | "NOT")) => Some(self.operator(number..next + 1, K::NotEqual, "!=")),
            "not" | "NOT" if matches!(self.kind(next), Some(K::In)) || self.word(next) == Some("IN") => self.not_in(number),
            "between" | "BETWEEN" => self.between(number),
            "like" | "LIKE" | "contains" | "includes" | "matches" | "startsWith" | "endsWith" | "ilike" | "startswith" | "endswith" => {
                self.infix_method(number, word)
            }
            "then" | "do" if self.is(next, K::BraceOpen) => {
                Some(self.superfluous(number, "the braces of a step follow its condition directly"))
            }
            _ => {
                let kind = words::operator(word).filter(|_| self.kind(number) == Some(K::Identifier))?;
                Some(self.operator(number..next, kind, kind.text()?))
            }
        }
    }

    /// A word where a value is expected.
    fn operand_word(&self, number: usize, word: &str) -> Option<Habit> {
        let next = number + 1;
        if words::is_null_word(word) && !self.is(next, K::ParenOpen) {
            let error = foreign(self.span(number), format!("there is no `{word}`; an absent value equals `null`"))
                .label("write `null`")
                .replace(Applicability::Safe, "write `null`", self.span(number), "null");
            return Some(Habit { error, changes: vec![Change::new(number..next, self.read_as(number, K::Null))], end: next });
        }
        if matches!(word, "not" | "NOT") {
            // `not .a == 1` is about the comparison, which `!` is not.
            let end = self.operand(next)?;
            let compares =
                matches!(self.kind(end), Some(K::Equal | K::NotEqual | K::Less | K::LessEqual | K::Greater | K::GreaterEqual | K::In));
            let last = if compares { self.operand(end + 1)? } else { end };
            let inner = self.slice(self.spans(next, last - 1));
            let written = if compares { format!("!({inner})") } else { format!("!{inner}") };
            let whole = self.spans(number, last - 1);
            let error = foreign(self.span(number), format!("expected `!`, found `{word}`")).label("write `!`").replace(
                Applicability::Safe,
                format!("write `{written}`"),
                whole,
                written,
            );
            return Some(Habit { error, changes: vec![Change::new(number..next, self.read_as(number, K::Not))], end: next });
        }
        if word == "typeof" || word == "type_of" {
            return self.type_of(number);
        }
        None
    }

    /// `typeof .a != "undefined"`.
    fn type_of(&self, number: usize) -> Option<Habit> {
        let next = number + 1;
        let end = self.operand(next)?;
        let path = self.slice(self.spans(next, end - 1));
        let absent = matches!(self.kind(end), Some(K::Equal | K::NotEqual)) && self.text(end + 1).trim_matches('"') == "undefined";
        let error =
            foreign(self.spans(number, end - 1), "a value has its declared type, so a guard cannot test it").label("not a function");
        if absent {
            let written = format!("{path} {} null", self.text(end));
            let whole = self.spans(number, end + 1);
            let error =
                error.help("an absent value equals `null`").replace(Applicability::Safe, format!("write `{written}`"), whole, written);
            let changes = vec![Change::delete(number..next), Change::new(end + 1..end + 2, self.read_as(end + 1, K::Null))];
            return Some(Habit { error, changes, end: end + 2 });
        }
        Some(Habit { error: error.help("compare the value itself"), changes: vec![Change::delete(number..next)], end: next })
    }

    /// The start of the path that ends directly before a token.
    fn path_before(&self, number: usize) -> Option<usize> {
        let mut start = number.checked_sub(1)?;
        loop {
            match self.kind(start)? {
                K::LeadingDot => return Some(start),
                kind if kind.is_word() || matches!(kind, K::Dot | K::Question | K::Number | K::BracketOpen | K::BracketClose) => {
                    start = start.checked_sub(1)?;
                }
                _ => return None,
            }
        }
    }

    /// `.a not in ["x"]`.
    fn not_in(&self, number: usize) -> Option<Habit> {
        let start = self.path_before(number)?;
        let list = number + 2;
        let end = self.operand(list)?;
        let value = self.slice(self.spans(start, number - 1));
        let written = format!("!({value} in {})", self.slice(self.spans(list, end - 1)));
        let whole = self.spans(start, end - 1);
        let error = foreign(self.spans(number, number + 1), "`!` negates all of `in`").label(format!("write `{written}`")).replace(
            Applicability::Safe,
            format!("write `{written}`"),
            whole,
            written,
        );
        Some(Habit { error, changes: vec![Change::delete(number..number + 1)], end: number + 1 })
    }

    /// `.a between 1 and 2`.
    fn between(&self, number: usize) -> Option<Habit> {
        let start = self.path_before(number)?;
        let least = number + 1;
        let and = self.operand(least)?;
        let most = and + 1;
        let end = self.operand(most)?;
        if !matches!(self.word(and), Some("and" | "AND")) && !self.is(and, K::And) {
            return None;
        }
        let value = self.slice(self.spans(start, number - 1));
        let (low, high) = (self.slice(self.spans(least, and - 1)), self.slice(self.spans(most, end - 1)));
        let written = format!("{value} >= {low} && {value} <= {high}");
        let error = foreign(self.spans(number, end - 1), "there is no `between`; each bound is a comparison")
            .label("write two comparisons")
            .replace(Applicability::Safe, format!("write `{written}`"), self.spans(start, end - 1), written);
        let changes = vec![Change::new(number..least, self.read_as(number, K::GreaterEqual)), Change::delete(and..end)];
        Some(Habit { error, changes, end })
    }

    /// `.a like "x"`, `.a contains "x"`.
    fn infix_method(&self, number: usize, word: &str) -> Option<Habit> {
        let value = number + 1;
        let method = match word {
            "like" | "LIKE" | "ilike" | "includes" => "contains",
            "startswith" => "startsWith",
            "endswith" => "endsWith",
            other => other,
        };
        self.search(number, value, method, &format!("there is no operator `{word}`; use a method"))
    }

    /// An operator that searches text, read as a method.
    fn search(&self, number: usize, value: usize, method: &str, message: &str) -> Option<Habit> {
        let start = self.path_before(number)?;
        let end = self.operand(value)?;
        let argument = self.text(value).trim_matches(['"', '%']);
        let argument = if self.is(value, K::String) && method == "contains" {
            format!("\"{argument}\"")
        } else {
            self.slice(self.spans(value, end - 1)).to_owned()
        };
        let written = format!("{}.{method}({argument})", self.slice(self.spans(start, number - 1)));
        let sign = Span::new(self.span(number).start, self.span(value).start);
        let sign = Span::new(sign.start, sign.start + self.slice(sign).trim_end().len() as u32);
        let error = foreign(sign, message).label(format!("write `.{method}(…)`")).replace(
            Applicability::Unsafe,
            format!("write `{written}`"),
            self.spans(start, end - 1),
            written,
        );
        Some(Habit { error, changes: vec![Change::new(number..value, self.read_as(number, K::Equal))], end: value })
    }

    /// `{{.a}}` as a value: the path alone.
    pub(super) fn braced_path(&self, number: usize) -> Option<Habit> {
        let inner = number + 2;
        let end = self.path(inner)?;
        if !self.glued(number) || !self.is(end, K::BraceClose) || !self.is(end + 1, K::BraceClose) {
            return None;
        }
        let text = self.slice(self.spans(inner, end - 1));
        let written = if text.starts_with('.') { text.to_owned() } else { format!(".{text}") };
        let whole = self.spans(number, end + 1);
        let error = foreign(whole, "placeholders are for strings; outside a string, write the path alone")
            .label(format!("write `{written}`"))
            .replace(Applicability::Safe, format!("write `{written}`"), whole, written);
        let dot = if text.starts_with('.') { Vec::new() } else { self.made_up(inner, &[K::LeadingDot]) };
        Some(Habit { error, changes: vec![Change::new(number..inner, dot), Change::delete(end..end + 2)], end: end + 2 })
    }

    /// `{{ .a > 1 }}` as a condition.
    fn braced_guard(&self, number: usize) -> Option<Habit> {
        let close = self.closer(number).filter(|close| Some(*close - 1) == self.closer(number + 1) && *close > number + 3)?;
        let edits = vec![(self.with_gap(number..number + 2), String::new()), (self.with_gap_before(close - 1..close + 1), String::new())];
        let error = foreign(self.spans(number, number + 1), "a condition has no braces around it").label("remove the braces").fix(fix(
            "remove the braces",
            edits,
            Applicability::Safe,
        ));
        Some(Habit { error, changes: vec![Change::delete(number..number + 2), Change::delete(close - 1..close + 1)], end: number + 2 })
    }

    /// `Intent::question`.
    fn enum_member(&self, number: usize) -> Option<Habit> {
        let (ty, member) = (number.checked_sub(1)?, number + 2);
        let value = self.word(member)?;
        self.word(ty)?;
        let whole = self.spans(ty, member);
        let written = format!("\"{value}\"");
        let error = foreign(whole, "a value of an enum is written as its string").label(format!("write `{written}`")).replace(
            Applicability::Safe,
            format!("write `{written}`"),
            whole,
            written,
        );
        Some(Habit {
            error,
            changes: vec![Change::new(number..number + 1, self.read_as(number, K::Dot)), Change::delete(number + 1..number + 2)],
            end: member,
        })
    }

    /// `=>` for `>=`, or the arrow of a function.
    fn arrow_in_guard(&self, number: usize) -> Option<Habit> {
        let before = number.checked_sub(1)?;
        if self.word(before).is_some() && self.before(before) == Some(K::ParenOpen) {
            let variable = self.text(before);
            let method = before.checked_sub(2).map_or("", |method| self.text(method));
            let own = match method {
                "every" | "all" => "all",
                _ => "exists",
            };
            let span = self.spans(before, number + 1);
            let error = foreign(span, "there are no functions; a quantifier names its element")
                .label(format!("write `{variable},`"))
                .help(format!("write `.list.{own}({variable}, …)`"));
            let mut edits = vec![(self.with_gap_before(number..number + 2), ",".to_owned())];
            if method != own && matches!(method, "some" | "any" | "every" | "find" | "filter") {
                edits.insert(0, (self.span(before - 2), own.to_owned()));
            }
            let error = error.fix(fix(format!("write `{own}({variable}, …)`"), edits, Applicability::Unsafe));
            return Some(Habit { error, changes: vec![Change::new(number..number + 2, self.read_as(number, K::Comma))], end: number + 2 });
        }
        if self.is(number + 2, K::BraceOpen) {
            return None;
        }
        Some(self.operator(number..number + 2, K::GreaterEqual, ">="))
    }

    /// What is between a condition and the braces of its step.
    pub(super) fn guard_end(&self, number: usize) -> Option<Habit> {
        let next = number + 1;
        if self.is(number, K::Colon) && self.is(next, K::BraceOpen) {
            let error = foreign(self.span(number), "a condition has no colon after it").label("remove the colon").replace(
                Applicability::Safe,
                "remove the colon",
                self.with_gap_before(number..next),
                "",
            );
            return Some(Habit { error, changes: vec![Change::delete(number..next)], end: next });
        }
        if self.is(number, K::Else) && self.before(number) == Some(K::When) {
            let when = number - 1;
            let error = foreign(self.spans(when, number), "`else` needs no `when`").label("write `else`").replace(
                Applicability::Safe,
                "remove `when`",
                Span::new(self.span(when).start, self.span(number).start),
                "",
            );
            return Some(Habit { error, changes: vec![Change::delete(when..number)], end: next });
        }
        None
    }
}
