//! The headers of items.

use weave_diagnostics::{Applicability, Span};

use super::{Change, Habit, Reader, fix, foreign};
use crate::feed::Lexeme;
use crate::token::TokenKind as K;

impl Reader<'_> {
    /// What is written outside the brackets of an item.
    pub(super) fn header(&self, number: usize) -> Option<Habit> {
        let (head, kind) = self.head()?;
        if number <= head {
            return None;
        }
        let name = head + 1 + usize::from(matches!(kind, K::Signal | K::Interaction | K::Provider | K::External));
        let after = self.before(number)?;
        match kind {
            K::Import => return (number == head + 1).then(|| self.import(head)).flatten(),
            K::Tool | K::Agent | K::Workflow | K::Prompt | K::Signal | K::Interaction | K::Provider if number == name => {
                return self.quoted_name(number);
            }
            K::Prompt => return self.prompt(number, name),
            K::Type | K::Enum | K::Union | K::Error if number == name + 1 => {
                return self.indented_fields(number, kind).or_else(|| self.after_name(number, name, kind));
            }
            K::Agent | K::Tool | K::Workflow if number == name + 1 && self.is(number, K::BraceOpen) => {
                return self.signature_inside(name).or_else(|| self.no_parameters(name));
            }
            K::Event | K::External if self.is(number, K::ParenOpen) => return self.event_fields(number),
            _ => {}
        }
        let callable = matches!(kind, K::Tool | K::Agent | K::Workflow | K::Signal | K::Interaction | K::Provider);
        if callable && after == K::ParenClose {
            return self.output(number);
        }
        if callable && matches!(self.text(number), "throws" | "raises" | "fails" | "errors") && self.kind(number) == Some(K::Identifier) {
            return self.throws(number);
        }
        None
    }

    /// `workflow support {`.
    fn no_parameters(&self, name: usize) -> Option<Habit> {
        let (open, text, kind) = (name + 1, self.text(name), self.text(name.checked_sub(1)?));
        let close = self.closer(open)?;
        let reads = (open..close).any(|token| self.is(token, K::LeadingDot) && (kind != "workflow" || self.text(token + 1) == "input"));
        let place = Span::at(self.span(name).end);
        let error =
            foreign(place, format!("the parameters of `{text}` are in parentheses, even if there are none")).label("`()` is missing here");
        let error = if reads {
            error.help(format!("write `{kind} {text}(name: string) -> Output {{ … }}`, with the parameters that it reads"))
        } else {
            error.replace(Applicability::Unsafe, "insert `()`", place, "()")
        };
        let changes = vec![Change::new(open..open, self.made_up(open, &[K::ParenOpen, K::ParenClose]))];
        Some(Habit { error, changes, end: open })
    }

    fn quoted_name(&self, number: usize) -> Option<Habit> {
        let (inner, lexeme) = self.unquoted(number)?;
        let error = foreign(self.span(number), "the name of a declaration has no quotes").label("in quotes").replace(
            Applicability::Safe,
            format!("write `{inner}`"),
            self.span(number),
            inner,
        );
        Some(Habit { error, changes: vec![Change::new(number..number + 1, [lexeme])], end: number + 1 })
    }

    /// What other languages write instead of `->` between the parameters and the output.
    fn output(&self, number: usize) -> Option<Habit> {
        let next = number + 1;
        let message = "the output follows `->`";
        let arrow = |tokens: std::ops::Range<usize>, span: Span, text: &str| {
            let error = foreign(self.spans(tokens.start, tokens.end - 1), message).label("write `->`").replace(
                Applicability::Safe,
                "write `->`",
                span,
                text,
            );
            Habit { error, changes: vec![Change::new(tokens.clone(), self.read_as(tokens.start, K::Arrow))], end: tokens.end }
        };
        match self.kind(number)? {
            K::Colon if self.word(next).is_some() || self.is(next, K::BraceOpen) => {
                Some(arrow(number..next, self.with_gap_before(number..next), " ->"))
            }
            K::Assign if self.is(next, K::Greater) && self.glued(number) => Some(arrow(number..number + 2, self.spans(number, next), "->")),
            K::Identifier
                if matches!(self.text(number), "returns" | "yields" | "return" | "output" | "to" | "gives") && !self.starts_line(next) =>
            {
                let colon = usize::from(self.is(next, K::Colon));
                Some(arrow(number..next + colon, self.spans(number, number + colon), "->"))
            }
            kind if kind.is_word()
                && !self.starts_line(number)
                && matches!(self.kind(next), None | Some(K::BraceOpen | K::BracketOpen)) =>
            {
                let error = foreign(self.span(number), message).label("`->` is missing before this").replace(
                    Applicability::Safe,
                    "insert `->`",
                    Span::at(self.span(number).start),
                    "-> ",
                );
                Some(Habit { error, changes: vec![Change::new(number..number, self.made_up(number, &[K::Arrow]))], end: next })
            }
            _ => None,
        }
    }

    /// `throws card_declined`.
    fn throws(&self, number: usize) -> Option<Habit> {
        let mut end = number + 1;
        let mut names = Vec::new();
        while let Some(word) = self.word(end).filter(|_| !self.starts_line(end)) {
            names.push(word);
            end += 1;
            if !self.is(end, K::Comma) {
                break;
            }
            end += 1;
        }
        if names.is_empty() {
            return None;
        }
        let list = format!("fails [{}]", names.join(", "));
        let removed = self.with_gap_before(number..end);
        let (edits, message) = if self.is(end, K::BraceOpen) {
            (vec![(removed, String::new()), (Span::at(self.span(end).end), format!(" {list} "))], "write it in the braces")
        } else {
            (vec![(removed, format!(" {{ {list} }}"))], "write it in braces")
        };
        let error = foreign(self.spans(number, end - 1), "the errors of a tool are a setting in its braces")
            .label(format!("write `{{ {list} }}`"))
            .fix(fix(message, edits, Applicability::Safe));
        Some(Habit { error, changes: vec![Change::delete(number..end)], end })
    }

    /// `event order.placed(id: string)`.
    fn event_fields(&self, number: usize) -> Option<Habit> {
        let close = self.closer(number)?;
        let edits = vec![(self.with_gap_before(number..number + 1), " { ".to_owned()), (self.span(close), " }".to_owned())];
        let error = foreign(self.span(number), "the fields of an event are in braces").label("expected `{`").fix(fix(
            "write braces",
            edits,
            Applicability::Safe,
        ));
        let changes = vec![
            Change::new(number..number + 1, self.read_as(number, K::BraceOpen)),
            Change::new(close..close + 1, self.read_as(close, K::BraceClose)),
        ];
        Some(Habit { error, changes, end: close + 1 })
    }

    /// What follows the name of a type, an enum or a union.
    fn after_name(&self, number: usize, name: usize, kind: K) -> Option<Habit> {
        let next = number + 1;
        let text = self.text(name);
        match self.kind(number)? {
            K::Identifier | K::Error | K::Type | K::Enum if self.is(next, K::BraceOpen) && is_body_word(self.text(number)) => {
                let word = self.text(number);
                let error = foreign(self.span(number), format!("the fields of `{text}` directly follow its name"))
                    .label(format!("there is no `{word}`"))
                    .replace(Applicability::Safe, format!("remove `{word}`"), self.with_gap_before(number..next), "");
                Some(Habit { error, changes: vec![Change::delete(number..next)], end: next })
            }
            K::Identifier | K::Colon | K::From
                if self.word(next).is_some() && matches!(self.text(number), "extends" | "implements" | ":" | "with") =>
            {
                let end = (next..self.lexemes.len()).find(|token| self.is(*token, K::BraceOpen))?;
                let base = self.text(next);
                let error = foreign(self.spans(number, end - 1), "a type cannot extend another one")
                    .label("not part of the language")
                    .help(format!("repeat the fields of `{base}` in `{text}`, or give it a field of that type"));
                Some(Habit { error, changes: vec![Change::delete(number..end)], end })
            }
            K::ParenOpen if self.closer(number).is_some_and(|close| self.is(close + 1, K::BraceOpen)) => {
                let close = self.closer(number)?;
                let base = self.slice(self.spans(number, close));
                let plain = matches!(
                    base,
                    "(BaseModel)"
                        | "(TypedDict)"
                        | "(Enum)"
                        | "(str, Enum)"
                        | "(object)"
                        | "(StrEnum)"
                        | "()"
                        | "(Exception)"
                        | "(ABC)"
                        | "(NamedTuple)"
                );
                let error = foreign(self.spans(number, close), format!("the name of {} is followed by its braces", article_of(kind)))
                    .label("not part of the language");
                let error = if plain {
                    error.replace(Applicability::Safe, format!("remove `{base}`"), self.with_gap_before(number..close + 1), "")
                } else {
                    error.help("a type cannot extend another one: repeat the fields, or add a field of that type")
                };
                Some(Habit { error, changes: vec![Change::delete(number..close + 1)], end: close + 1 })
            }
            K::Less => {
                let close = (next..next + 16).find(|token| self.is(*token, K::Greater))?;
                let error = foreign(self.spans(number, close), "types have no parameters")
                    .label("not part of the language")
                    .help(format!("declare a type for each case, such as `{text}` with `Order[]` in one and `Ticket[]` in another; lists and maps need no declaration: `T[]`, `map<T>`"));
                Some(Habit { error, changes: vec![Change::delete(number..close + 1)], end: close + 1 })
            }
            K::Assign | K::BracketOpen if kind == K::Enum => self.enum_list(number),
            K::BraceOpen if kind == K::Enum => self.enum_strings(number),
            _ => None,
        }
    }

    /// `enum Tier = free | pro`, `enum Tier [free, pro]`.
    fn enum_list(&self, number: usize) -> Option<Habit> {
        let bracket =
            if self.is(number, K::BracketOpen) { Some(number) } else { Some(number + 1).filter(|next| self.is(*next, K::BracketOpen)) };
        let (first, end, last) = match bracket {
            Some(open) => {
                let close = self.closer(open)?;
                (open + 1, close, close + 1)
            }
            None => (number + 1, self.lexemes.len(), self.lexemes.len()),
        };
        let mut names = Vec::new();
        for token in first..end {
            match self.kind(token)? {
                K::Pipe | K::Comma => {}
                kind if kind.is_word() => names.push(self.text(token)),
                K::String => names.push(self.unquoted(token)?.0),
                _ => return None,
            }
        }
        if names.is_empty() {
            return None;
        }
        let written = format!("{{ {} }}", names.join(", "));
        let whole = self.spans(number, last - 1);
        let error = foreign(whole, "the values of an enum are in braces").label(format!("write `{written}`")).replace(
            Applicability::Safe,
            format!("write `{written}`"),
            whole,
            written,
        );
        let mut instead = self.made_up(number, &[K::BraceOpen]);
        instead.extend(
            (first..end)
                .filter(|token| !matches!(self.kind(*token), Some(K::Pipe | K::Comma)))
                .filter_map(|token| self.unquoted(token).map(|(_, lexeme)| lexeme).or_else(|| self.lexemes.get(token).copied())),
        );
        instead.extend(self.made_up(last, &[K::BraceClose]));
        Some(Habit { error, changes: vec![Change::new(number..last, instead)], end: last })
    }

    /// `enum Tier { "free", "pro" }`.
    fn enum_strings(&self, number: usize) -> Option<Habit> {
        let close = self.closer(number)?;
        // A string after `=` or `:` is the JSON value of a name.
        let is_value = |token: usize| matches!(self.before(token), Some(K::Assign | K::Colon));
        let strings: Vec<usize> = (number + 1..close).filter(|token| self.is(*token, K::String) && !is_value(*token)).collect();
        let first = *strings.first()?;
        let names: Option<Vec<(usize, &str, Lexeme)>> =
            strings.iter().map(|token| self.unquoted(*token).map(|(inner, lexeme)| (*token, inner, lexeme))).collect();
        let error = foreign(self.span(first), "the values of an enum are names")
            .label("in quotes")
            .help("the name is also the JSON value; a different string follows `=`: `pro = \"professional\"`");
        let Some(names) = names else {
            let error = error.help("a value is a name; a string that is not a name follows `=`: `in_review = \"in review\"`");
            return Some(Habit { error, changes: vec![Change::new(first..first + 1, self.made_up(first, &[K::Identifier]))], end: close });
        };
        let bars =
            (number + 1..close).filter(|token| self.is(*token, K::Pipe)).map(|bar| (self.with_gap_before(bar..bar + 1), ",".to_owned()));
        let mut edits: Vec<(Span, String)> =
            names.iter().map(|(token, inner, _)| (self.span(*token), (*inner).to_owned())).chain(bars).collect();
        edits.sort_by_key(|(span, _)| span.start);
        let error = error.fix(fix("remove the quotes", edits, Applicability::Safe));
        let bars: Vec<usize> = (number + 1..close).filter(|token| self.is(*token, K::Pipe)).collect();
        let mut changes: Vec<Change> = names.into_iter().map(|(token, _, lexeme)| Change::new(token..token + 1, [lexeme])).collect();
        changes.extend(bars.into_iter().map(|bar| Change::new(bar..bar + 1, self.read_as(bar, K::Comma))));
        Some(Habit { error, changes, end: close })
    }

    /// What follows the name of a prompt.
    fn prompt(&self, number: usize, name: usize) -> Option<Habit> {
        let next = number + 1;
        let text = |token: usize| matches!(self.kind(token), Some(K::String | K::TextBlock));
        if number == name + 1 && (text(number) || (self.is(number, K::Assign) && text(next))) {
            let value = if text(number) { number } else { next };
            let error = foreign(Span::at(self.span(name).end), "a prompt has parameters in parentheses, even if there are none")
                .label("`()` is missing here")
                .replace(Applicability::Safe, "insert `()`", Span::new(self.span(name).end, self.span(value).start), "() ");
            let changes = vec![Change::new(number..value, self.made_up(number, &[K::ParenOpen, K::ParenClose]))];
            return Some(Habit { error, changes, end: value });
        }
        if self.before(number) != Some(K::ParenClose) {
            return None;
        }
        match self.kind(number)? {
            K::Assign | K::Colon | K::Arrow if text(next) => {
                let error = foreign(self.span(number), "the text of a prompt directly follows its parameters")
                    .label(format!("remove `{}`", self.text(number)))
                    .replace(Applicability::Safe, format!("remove `{}`", self.text(number)), self.with_gap(number..next), "");
                Some(Habit { error, changes: vec![Change::delete(number..next)], end: next })
            }
            K::BraceOpen if text(next) && self.closer(number) == Some(next + 1) => {
                let value = self.span(next);
                let edits = vec![
                    (Span::new(self.span(number).start, value.start), String::new()),
                    (Span::new(value.end, self.span(next + 1).end), String::new()),
                ];
                let error = foreign(self.span(number), "the text of a prompt has no braces around it").label("remove the braces").fix(fix(
                    "remove the braces",
                    edits,
                    Applicability::Safe,
                ));
                let changes = vec![Change::delete(number..next), Change::delete(next + 1..next + 2)];
                Some(Habit { error, changes, end: next + 2 })
            }
            _ => None,
        }
    }

    /// What follows `import`, if it is not names in braces.
    fn import(&self, head: usize) -> Option<Habit> {
        let first = head + 1;
        if self.word(first) == Some("type") && self.is(first + 1, K::BraceOpen) {
            let error = foreign(self.span(first), "all kinds of declarations are imported in the same way")
                .label("there is no `type` here")
                .replace(Applicability::Safe, "remove `type`", self.with_gap(first..first + 1), "");
            return Some(Habit { error, changes: vec![Change::delete(first..first + 1)], end: first + 1 });
        }
        None
    }
}

/// Whether a word says elsewhere what kind of body follows.
fn is_body_word(word: &str) -> bool {
    matches!(word, "struct" | "interface" | "record" | "object" | "class" | "model" | "enum" | "is" | "as")
}

/// What a declaration of a kind is called.
const fn article_of(kind: K) -> &'static str {
    match kind {
        K::Enum => "an enum",
        K::Union => "a union",
        K::Error => "an error",
        _ => "a type",
    }
}
