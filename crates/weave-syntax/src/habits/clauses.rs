//! What is written between the name of a node and its body.

use weave_diagnostics::{Applicability, Span};

use super::{Change, Habit, Reader, fix, foreign, words};
use crate::token::TokenKind as K;

impl Reader<'_> {
    /// A clause in the words of another language.
    pub(super) fn clause(&self, number: usize) -> Option<Habit> {
        let place = self.place(number)?;
        let before = self.before(number)?;
        let after_name = before.is_word() || matches!(before, K::ParenClose | K::Number | K::String | K::BracketClose | K::Duration);
        if place.guard || place.start && !self.starts_line(number) || !after_name {
            return None;
        }
        let word = self.text(number);
        let next = number + 1;
        match self.kind(number)? {
            K::Less if self.is(next, K::Minus) && self.glued(number) && self.word(number + 2).is_some() => {
                Some(self.said(number..number + 2, K::On, "on", "`on` names what a node follows"))
            }
            K::From if self.names_node(number) && self.word(next).is_some() => {
                Some(self.said(number..next, K::On, "on", "`on` names what a node follows"))
            }
            K::Arrow | K::Assign | K::Colon if self.each_without_as(number) => self.element(number),
            K::Arrow if self.is_end(number) && self.operand(next).is_some() => {
                Some(self.said(number..next, K::Assign, "=", "the output of an `end` follows `=`"))
            }
            K::Colon if self.is(next, K::Assign) && self.glued(number) => {
                let error = foreign(self.spans(number, next), "expected `=`, found `:=`").label("write `=`").replace(
                    Applicability::Safe,
                    "write `=`",
                    self.spans(number, next),
                    "=",
                );
                Some(Habit { error, changes: vec![Change::delete(number..next)], end: next + 1 })
            }
            K::Colon if self.is_end(number) && self.operand(next).is_some() => {
                let edit = (self.with_gap_before(number..next), " =".to_owned());
                let error = foreign(self.span(number), "the output of an `end` follows `=`").label("expected `=`").fix(fix(
                    "write `=`",
                    vec![edit],
                    Applicability::Safe,
                ));
                Some(Habit { error, changes: vec![Change::new(number..next, self.read_as(number, K::Assign))], end: next })
            }
            K::String | K::TextBlock if self.is_end(number) && matches!(before, K::Else | K::ParenClose) => {
                let error = foreign(self.span(number), "the output of an `end` and the message of a `fail` follow `=`")
                    .label("`=` is missing before this")
                    .replace(Applicability::Safe, "insert `=`", Span::at(self.span(number).start), "= ");
                Some(Habit { error, changes: vec![Change::new(number..number, self.made_up(number, &[K::Assign]))], end: next })
            }
            K::Else if matches!(self.word(next), Some("if" | "when")) && !self.starts_line(next) => Some(self.said(
                number..number + 2,
                K::When,
                "when",
                "the nodes of one trigger are tried in order, so each condition is a plain `when`",
            )),
            K::Else if self.names_node(number) => self.lone_else(number),
            K::BraceOpen if self.is_end(number) => self.end_block(number),
            kind if kind.is_word() => self.clause_word(number, word),
            _ => None,
        }
    }

    /// Whether a token follows the name of a node directly.
    fn names_node(&self, number: usize) -> bool {
        // A name on another line than its keyword is most likely the keyword of the next node.
        number.checked_sub(2).is_some_and(|keyword| {
            !self.starts_line(keyword + 1)
                && self.kind(keyword).is_some_and(K::starts_node)
                && self.place(keyword).is_some_and(|place| place.start)
        })
    }

    /// The keyword of the node in whose header a token is.
    fn node_of(&self, number: usize) -> Option<usize> {
        (0..number)
            .rev()
            .take(super::NEAR)
            .find(|token| self.kind(*token).is_some_and(K::starts_node) && self.place(*token).is_some_and(|it| it.start))
    }

    /// Whether a token is in the header of an `end` or a `fail`.
    fn is_end(&self, number: usize) -> bool {
        self.node_of(number).is_some_and(|node| !self.is(node, K::Step))
    }

    /// Tokens read as one keyword or mark.
    fn said(&self, tokens: std::ops::Range<usize>, kind: K, own: &str, message: &str) -> Habit {
        let span = self.spans(tokens.start, tokens.end - 1);
        let error =
            foreign(span, message).label(format!("write `{own}`")).replace(Applicability::Safe, format!("write `{own}`"), span, own);
        Habit { error, changes: vec![Change::new(tokens.clone(), self.read_as(tokens.start, kind))], end: tokens.end }
    }

    fn clause_word(&self, number: usize, word: &str) -> Option<Habit> {
        let next = number + 1;
        let value = self.kind(next).filter(|_| !self.starts_line(next));
        let before = number.checked_sub(1)?;
        // The word after a keyword is a name.
        if matches!(self.kind(before), Some(K::Step | K::End | K::Fail | K::As | K::On)) && !self.is_name(before) {
            return None;
        }
        let has_trigger = !self.names_node(number);
        if words::is_after(word) && value.is_some() && !has_trigger {
            return self.after(number, word);
        }
        if words::is_condition(word) && value.is_some() {
            return Some(self.said(number..next, K::When, "when", "a condition follows the trigger, after `when`"));
        }
        if word == "unless" && value.is_some() {
            return self.unless(number);
        }
        if words::is_otherwise(word) && self.kind(number) == Some(K::Identifier) && has_trigger {
            return Some(self.said(number..next, K::Else, "else", "the node for all other cases has `else`"));
        }
        if matches!(word, "elif" | "elseif" | "elsif") && value.is_some() {
            let message = "the nodes of one trigger are tried in order, so each condition is a plain `when`";
            return Some(self.said(number..next, K::When, "when", message));
        }
        if matches!(word, "foreach" | "forEach" | "for_each" | "over" | "map" | "iterate" | "ForEach") && value == Some(K::LeadingDot) {
            return Some(self.said(number..next, K::Each, "each", "a step for each element is written `each LIST as ELEMENT`"));
        }
        if word == "for" {
            return self.for_clause(number);
        }
        if matches!(word, "max" | "times" | "max_runs" | "maxRuns" | "at_most" | "attempts" | "retries" | "repeat")
            && value == Some(K::Number)
        {
            return Some(self.said(number..next, K::Limit, "limit", "`limit` sets how often a node may fire"));
        }
        if matches!(word, "concurrency" | "concurrent" | "max_concurrency" | "maxConcurrency" | "MaxConcurrency" | "workers" | "threads")
            && value == Some(K::Number)
        {
            return Some(self.said(number..next, K::Parallel, "parallel", "`parallel` sets how many elements run at the same time"));
        }
        if matches!(word, "with" | "yields" | "returns" | "output" | "give" | "value")
            && self.is_end(number)
            && self.operand(next).is_some()
        {
            return Some(self.said(number..next, K::Assign, "=", "the output of an `end` follows `=`"));
        }
        if matches!(word, "then" | "do" | "begin") && value == Some(K::BraceOpen) {
            return Some(self.superfluous(number, "the braces of a step directly follow its clauses"));
        }
        None
    }

    /// Whether a token is the name of a node, not what the word means elsewhere.
    fn is_name(&self, number: usize) -> bool {
        number.checked_sub(1).is_some_and(|keyword| {
            !self.starts_line(number)
                && self.kind(keyword).is_some_and(K::starts_node)
                && self.place(keyword).is_some_and(|place| place.start)
        })
    }

    /// A word that is left out.
    pub(super) fn superfluous(&self, number: usize, message: &str) -> Habit {
        let word = self.text(number);
        let error = foreign(self.span(number), message).label(format!("there is no `{word}` here")).replace(
            Applicability::Safe,
            format!("remove `{word}`"),
            self.with_gap_before(number..number + 1),
            "",
        );
        Habit { error, changes: vec![Change::delete(number..number + 1)], end: number + 1 }
    }

    /// `after a`, `needs [a, b]`, `after 24h`.
    fn after(&self, number: usize, word: &str) -> Option<Habit> {
        let first = number + 1;
        if self.is(first, K::Duration) {
            let time = self.text(first);
            let span = self.spans(number, first);
            let written = format!("on timeout({time})");
            let error = foreign(span, "a timeout is a trigger")
                .label(format!("write `{written}`"))
                .help(format!("`timeout({time})` counts from the start of the run, `timeout(STEP, {time})` from the step"))
                .replace(Applicability::Unsafe, format!("write `{written}`"), span, written);
            let mut instead = self.read_as(number, K::On);
            instead.extend(self.made_up(first, &[K::Timeout, K::ParenOpen]));
            instead.extend(self.read_as(first, K::Duration));
            instead.extend(self.made_up(first + 1, &[K::ParenClose]));
            return Some(Habit { error, changes: vec![Change::new(number..first + 1, instead)], end: first + 1 });
        }
        let habit = self.said(number..first, K::On, "on", "`on` names what a node follows");
        if self.is(first, K::BracketOpen)
            && let Some(list) = self.trigger_list(number, first, word)
        {
            return Some(list);
        }
        (self.word(first).is_some() || self.is(first, K::String) || self.is(first, K::LeadingDot)).then_some(habit)
    }

    /// `unless .a == 1` before a body.
    fn unless(&self, number: usize) -> Option<Habit> {
        let first = number + 1;
        let mut end = first;
        while !matches!(self.kind(end), None | Some(K::BraceOpen | K::Assign | K::Pipe)) && !self.starts_line(end) {
            end = self.closer(end).map_or(end, |close| close) + 1;
        }
        if end == first {
            return None;
        }
        let condition = self.slice(self.spans(first, end - 1));
        let written = format!("when !({condition})");
        let span = self.spans(number, end - 1);
        let error = foreign(self.span(number), "a condition follows the trigger, after `when`").label("write `when !(…)`").replace(
            Applicability::Safe,
            format!("write `{written}`"),
            span,
            written,
        );
        let mut instead = self.read_as(number, K::When);
        instead.extend(self.made_up(first, &[K::Not, K::ParenOpen]));
        Some(Habit {
            error,
            changes: vec![Change::new(number..first, instead), Change::new(end..end, self.made_up(end, &[K::ParenClose]))],
            end,
        })
    }

    /// `for x in .list`.
    fn for_clause(&self, number: usize) -> Option<Habit> {
        let variable = number + 1;
        let list = variable + 2;
        if self.word(variable).is_none() || !matches!(self.word(variable + 1), Some("in" | "of")) {
            return None;
        }
        let end = self.path(list)?;
        let written = format!("each {} as {}", self.slice(self.spans(list, end - 1)), self.text(variable));
        let span = self.spans(number, end - 1);
        let error = foreign(span, "a step for each element is written `each LIST as ELEMENT`").label(format!("write `{written}`")).replace(
            Applicability::Safe,
            format!("write `{written}`"),
            span,
            written,
        );
        let mut instead = self.read_as(number, K::Each);
        instead.extend(self.read_as(variable, K::Identifier));
        instead.extend(self.read_as(variable + 1, K::In));
        Some(Habit { error, changes: vec![Change::new(number..list, instead)], end })
    }

    /// `each [x for x in .list] as y`.
    pub(super) fn comprehension(&self, number: usize) -> Option<Habit> {
        let open = number + 1;
        let (variable, word, again, inside, list) = (open + 1, open + 2, open + 3, open + 4, open + 5);
        let is_comprehension = self.is(number, K::Each)
            && self.is(open, K::BracketOpen)
            && self.text(word) == "for"
            && self.text(inside) == "in"
            && self.text(variable) == self.text(again);
        let end = self.path(list).filter(|end| is_comprehension && self.closer(open) == Some(*end))?;
        let path = self.slice(self.spans(list, end - 1));
        let whole = self.spans(open, end);
        let error = foreign(whole, "a list is read, not built; `each` takes it as it is").label(format!("write `{path}`")).replace(
            Applicability::Safe,
            format!("write `{path}`"),
            whole,
            path,
        );
        Some(Habit { error, changes: vec![Change::delete(open..list), Change::delete(end..end + 1)], end: end + 1 })
    }

    /// Whether the `each` before a token lacks its `as`.
    fn each_without_as(&self, number: usize) -> bool {
        let mut tokens = (0..number).rev().take(16).map_while(|token| self.kind(token)).take_while(|kind| !kind.starts_node());
        let mark = match self.kind(number) {
            Some(K::Assign) => self.is(number + 1, K::Greater) && self.glued(number),
            _ => true,
        };
        let to = number + 1 + usize::from(self.is(number, K::Assign));
        mark && self.word(to).is_some() && tokens.find(|kind| matches!(kind, K::As | K::Each | K::In)) == Some(K::Each)
    }

    /// `each .list -> x`.
    fn element(&self, number: usize) -> Option<Habit> {
        let end = number + 1 + usize::from(self.is(number, K::Assign));
        let span = self.spans(number, end - 1);
        let space = if self.is(number, K::Colon) { " as" } else { "as" };
        let error =
            foreign(span, "`as` gives each element its name").label("write `as`").replace(Applicability::Safe, "write `as`", span, space);
        Some(Habit { error, changes: vec![Change::new(number..end, self.read_as(number, K::As))], end })
    }

    /// `end x on a { return .b }`, `end x on a { b: .b }`.
    fn end_block(&self, number: usize) -> Option<Habit> {
        let close = self.closer(number)?;
        let first = number + 1;
        let error = foreign(self.span(number), "the output of an `end` follows `=`").label("expected `=`");
        if matches!(self.word(first), Some("return" | "yield" | "output")) {
            let value = first + 1 + usize::from(matches!(self.kind(first + 1), Some(K::Assign | K::Colon)));
            if self.operand(value) != Some(close) {
                return None;
            }
            let edits = vec![(self.with_gap(number..value), "= ".to_owned()), (self.with_gap_before(close..close + 1), String::new())];
            let error = error.fix(fix("write `= …`", edits, Applicability::Safe));
            let changes = vec![Change::new(number..value, self.read_as(number, K::Assign)), Change::delete(close..close + 1)];
            return Some(Habit { error, changes, end: close + 1 });
        }
        None
    }

    /// `end x else`, without the trigger of the choice.
    fn lone_else(&self, number: usize) -> Option<Habit> {
        let node = self.node_of(number)?;
        let when = (0..node)
            .rev()
            .take(super::FAR)
            .find(|token| self.is(*token, K::When) && self.place(*token).is_some_and(|it| it.frame == super::places::Frame::Nodes))?;
        let on = (0..when).rev().take(super::NEAR).find(|token| self.is(*token, K::On))?;
        let trigger = self.slice(self.spans(on + 1, when - 1));
        let error = foreign(self.span(number), "`else` belongs to a choice, so it repeats the trigger of the other nodes")
            .label("the trigger is missing before this")
            .replace(
                Applicability::Unsafe,
                format!("write `on {trigger} else`"),
                Span::at(self.span(number).start),
                format!("on {trigger} "),
            );
        // The words of the trigger are in the text once: the name of the node takes their place.
        let instead = self.made_up(number, &[K::On, K::Identifier]);
        Some(Habit { error, changes: vec![Change::new(number..number, instead)], end: number + 1 })
    }
}
