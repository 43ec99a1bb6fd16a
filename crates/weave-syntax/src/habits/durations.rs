//! Lengths of time in other forms, and waiting in other words.

use weave_diagnostics::Applicability;

use super::{Change, Habit, Reader, fix, foreign, words};
use crate::feed::Lexeme;
use crate::lexical::unit_of;
use crate::token::TokenKind as K;

impl Reader<'_> {
    /// `startToCloseTimeout: "10s"` in a step.
    pub(super) fn step_timeout(&self, number: usize, word: &str) -> Option<Habit> {
        let value = number + 1 + usize::from(matches!(self.kind(number + 1), Some(K::Colon | K::Assign)));
        let duration = if self.is(value, K::Duration) { None } else { self.duration_at(value) };
        let written = match &duration {
            Some(habit) => habit.error.fixes.first()?.edits.first()?.1.clone(),
            None => self.slice(self.span(value)).to_owned(),
        };
        let end = duration.as_ref().map_or(value + 1, |habit| habit.end);
        let whole = self.spans(number, end - 1);
        let error = foreign(self.span(number), format!("there is no setting `{word}`; `timeout` limits how long an answer may take"))
            .label("write `timeout`")
            .replace(Applicability::Unsafe, format!("write `timeout {written}`"), whole, format!("timeout {written}"));
        let instead = self.made_up(number, &[K::Timeout, K::Duration]);
        Some(Habit { error, changes: vec![Change::new(number..end, instead)], end })
    }

    /// `wait until .a > 1`: a condition in place of a time.
    fn wait_for_condition(&self, until: usize) -> Option<Habit> {
        let sign = self.operand(until + 1)?;
        let compares = matches!(
            self.kind(sign),
            Some(K::Equal | K::NotEqual | K::Less | K::LessEqual | K::Greater | K::GreaterEqual | K::And | K::Or | K::Not)
        );
        if self.text(until) != "until" || !compares || self.starts_line(sign) {
            return None;
        }
        let end = self.line_end(sign);
        let error = foreign(self.spans(until, end - 1), "`wait until` takes a point in time, not a condition").label("a condition").help(
            "a condition is on the node that it lets through: `step NAME on STEP when CONDITION { … }`; for an event, write `wait TOPIC`",
        );
        Some(Habit { error, changes: vec![Change::delete(sign..end)], end })
    }

    /// `wait for 5m`, `wait "5m"`, `wait 300`, `wait 5 minutes`.
    pub(super) fn own_wait(&self, number: usize) -> Option<Habit> {
        let next = number + 1;
        if let Some(habit) = self.wait_for_condition(next) {
            return Some(habit);
        }
        if matches!(self.word(next), Some("for" | "seconds")) && !self.starts_line(next + 1) && self.kind(next + 1).is_some() {
            let error = foreign(self.span(next), "`wait` is followed by a time or a topic")
                .label(format!("there is no `{}`", self.text(next)))
                .replace(Applicability::Safe, format!("remove `{}`", self.text(next)), self.with_gap(next..next + 1), "");
            return Some(Habit { error, changes: vec![Change::delete(next..next + 1)], end: next + 1 });
        }
        let called = self.word(next).is_some() && self.is(next + 1, K::ParenOpen) && self.is(next + 3, K::ParenClose);
        if called && let Some(written) = duration_in(self.text(next + 2).trim_matches('"')) {
            let whole = self.spans(next, next + 3);
            let error = foreign(whole, "a duration is a number directly followed by its unit").label(format!("write `{written}`")).replace(
                Applicability::Safe,
                format!("write `{written}`"),
                whole,
                written,
            );
            let instead = self.made_up(next, &[K::Duration]);
            return Some(Habit { error, changes: vec![Change::new(next..next + 4, instead)], end: next + 4 });
        }
        self.duration_at(next)
    }

    /// A length of time in another form where a duration is expected: `"5m"`, `300`, `5 minutes`, `10 * time.Second`.
    pub(super) fn duration_at(&self, number: usize) -> Option<Habit> {
        let span = self.span(number);
        let (written, end, certain) = match self.kind(number)? {
            K::String => (duration_in(self.text(number).trim_matches('"'))?, number + 1, true),
            K::Number => {
                let digits = self.text(number).replace('_', "");
                if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                    return None;
                }
                let star = self.is(number + 1, K::Star) && self.word(number + 2).is_some();
                let unit_at = if star && self.is(number + 3, K::Dot) { number + 4 } else { number + 1 + usize::from(star) };
                match self.word(unit_at).filter(|_| !self.starts_line(unit_at)).and_then(unit_of) {
                    Some(unit) => (format!("{digits}{unit}"), unit_at + 1, true),
                    None => (format!("{digits}s"), number + 1, false),
                }
            }
            _ => return None,
        };
        let whole = self.spans(number, end - 1);
        let error = foreign(whole, "a duration is a number directly followed by its unit").label(if certain {
            format!("write `{written}`")
        } else {
            "the unit is missing".to_owned()
        });
        let applicability = if certain { Applicability::Safe } else { Applicability::Unsafe };
        let error = error.help("durations are written `250ms`, `30s`, `5m`, `24h` and `7d`").replace(
            applicability,
            format!("write `{written}`"),
            whole,
            written,
        );
        let instead = [Lexeme { kind: K::Duration, start: span.start, end: span.start }];
        Some(Habit { error, changes: vec![Change::new(number..end, instead)], end })
    }

    /// `sleep 5m`, `listen a.b`.
    pub(super) fn waits(&self, number: usize, word: &str) -> Option<Habit> {
        if words::verb(word) != Some("wait") && word != "await" {
            return None;
        }
        let next = number + 1;
        let called = self.is(next, K::ParenOpen) && self.closer(next).is_some_and(|close| close == next + 2);
        let value = next + usize::from(called);
        let is_time = matches!(self.kind(value), Some(K::Duration | K::Number | K::LeadingDot | K::String));
        let is_topic = self.dotted(value).is_some_and(|(_, dots)| dots);
        if self.starts_line(value) || !(is_topic || (is_time && word != "await")) {
            return None;
        }
        let mut edits = vec![(self.span(number), "wait".to_owned())];
        let mut changes = vec![Change::new(number..next, self.read_as(number, K::Wait))];
        let mut end = next;
        if called {
            edits = vec![(self.spans(number, next), "wait ".to_owned()), (self.span(value + 1), String::new())];
            changes = vec![Change::new(number..value, self.read_as(number, K::Wait)), Change::delete(value + 1..value + 2)];
            end = value + 2;
        }
        if let Some(duration) = self.duration_at(value) {
            // The value and the verb are one mistake.
            edits.extend(duration.error.fixes.into_iter().next().map(|fix| fix.edits).unwrap_or_default());
            changes.extend(duration.changes);
            end = end.max(duration.end);
        }
        let error = foreign(self.span(number), format!("there is no action `{word}`"))
            .label("write `wait`")
            .help("`wait 5m` waits for a time, `wait order.paid` for an event")
            .fix(fix("write `wait …`", edits, Applicability::Unsafe));
        Some(Habit { error, changes, end })
    }
}

/// The duration that a text of another language means, as it is written here: `30s` for `30 seconds`, `1m30s` for `PT1M30S`.
#[must_use]
pub fn duration_in(text: &str) -> Option<String> {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix('P') {
        return iso_duration(rest);
    }
    let unit_at = text.find(|character: char| !character.is_ascii_digit())?;
    let (digits, unit) = text.split_at_checked(unit_at)?;
    if digits.is_empty() {
        return None;
    }
    if crate::text::duration(text).is_ok() {
        return Some(text.to_owned());
    }
    Some(format!("{digits}{}", unit_of(unit.trim())?))
}

/// `PT1H30M` without its `P`.
fn iso_duration(text: &str) -> Option<String> {
    let (days, time) = text.split_once('T').unwrap_or((text, ""));
    let mut written = String::new();
    for (part, units) in [(days, [('D', "d"), ('W', ""), ('Y', "")]), (time, [('H', "h"), ('M', "m"), ('S', "s")])] {
        let mut digits = String::new();
        for character in part.chars() {
            if character.is_ascii_digit() {
                digits.push(character);
                continue;
            }
            let (_, unit) = units.iter().find(|(sign, unit)| *sign == character && !unit.is_empty())?;
            if digits.is_empty() {
                return None;
            }
            written.push_str(&std::mem::take(&mut digits));
            written.push_str(unit);
        }
        if !digits.is_empty() {
            return None;
        }
    }
    crate::text::duration(&written).is_ok().then_some(written)
}
