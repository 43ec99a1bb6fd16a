//! One repair, told as one mistake.

use weave_diagnostics::{Applicability, Span};

use super::brackets::{open_before, owner, unclosed};
use super::habits::habit;
use crate::codes;
use crate::error::{SyntaxError, SyntaxFix};
use crate::expected::Expected;
use crate::feed::Lexeme;
use crate::layout::Layout;
use crate::lexical::shown;
use crate::plan::{Repair, Stack};
use crate::search::Edit;
use crate::tables::terminal;
use crate::token::TokenKind as K;

/// What is said about a repair.
pub(crate) fn repair(repair: &Repair, lexemes: &[Lexeme], layout: &Layout<'_>) -> SyntaxError {
    Teller { repair, lexemes, layout }.tell()
}

struct Teller<'a> {
    repair: &'a Repair,
    lexemes: &'a [Lexeme],
    layout: &'a Layout<'a>,
}

impl Teller<'_> {
    fn tell(&self) -> SyntaxError {
        if self.repair.gave_up {
            return self.gave_up();
        }
        if let Some(error) = habit(self.repair, self.lexemes, self.layout) {
            return error;
        }
        match *self.changes() {
            [Edit::Replace(number, kind)] if kind.is_keyword() => self.misspelt(number, kind),
            [Edit::Replace(number, kind)] => self.instead(number, number, kind),
            // A mark of two characters that the language does not have, such as `=>`.
            [Edit::Replace(number, kind), Edit::Delete(next)] if self.is_one_mark(number, next) => self.instead(number, next, kind),
            [Edit::Delete(wrong), Edit::Insert(kind)] | [Edit::Insert(kind), Edit::Delete(wrong)]
                if kind.text().is_some() && !self.layout.kind(wrong).is_some_and(K::is_word) =>
            {
                self.instead(wrong, wrong, kind)
            }
            [Edit::Insert(kind), ..] if kind.is_closer() || kind == K::Greater => self.unclosed(kind),
            [Edit::Insert(kind), ..] if kind.text().is_none() => self.missing_part(),
            [Edit::Insert(kind), ..] => self.missing(kind),
            [Edit::Delete(number)] if self.is_between_setting_and_value(number) => self.no_mark_in_setting(number),
            _ => self.unexpected(),
        }
    }

    /// The edits without what stays.
    fn changes(&self) -> Box<[Edit]> {
        self.repair.edits.iter().copied().filter(|edit| !matches!(edit, Edit::Keep(_))).collect()
    }

    fn span(&self, number: usize) -> Span {
        self.lexemes.get(number).map_or_else(|| self.behind(number), |lexeme| lexeme.span())
    }

    /// Directly behind the token before this one.
    fn behind(&self, number: usize) -> Span {
        let before = number.checked_sub(1).and_then(|before| self.lexemes.get(before));
        Span::at(before.map_or_else(|| self.lexemes.first().map_or(0, |first| first.start), |before| before.end))
    }

    /// The number of the token before which the first insertion stands.
    fn insertion(&self) -> usize {
        let before = self.repair.edits.iter().take_while(|edit| !matches!(edit, Edit::Insert(_))).count();
        self.repair.at + before
    }

    /// " after `x`", for the token before a place.
    fn after(&self, number: usize) -> String {
        match number.checked_sub(1).filter(|before| self.layout.kind(*before) != Some(K::Doc)).map(|before| self.layout.text(before)) {
            Some(text) if !text.is_empty() && !text.contains('\n') => format!(" after `{}`", shown(text)),
            _ => String::new(),
        }
    }

    fn gave_up(&self) -> SyntaxError {
        SyntaxError::new(&codes::UNEXPECTED_TOKEN, self.span(self.repair.at), "too much of this item cannot be parsed")
            .label("the rest is skipped")
            .help("fix the errors above first")
    }

    fn misspelt(&self, number: usize, kind: K) -> SyntaxError {
        let (word, meant) = (shown(self.layout.text(number)), kind.text().unwrap_or_default());
        let span = self.span(number);
        SyntaxError::new(&codes::MISSPELT_KEYWORD, span, format!("unexpected `{word}`; did you mean `{meant}`?"))
            .label("not a keyword")
            .replace(Applicability::Safe, format!("write `{meant}`"), span, meant)
    }

    /// Whether two tokens are one mark for whoever wrote them, so that one of them may be replaced and the other one removed.
    fn is_one_mark(&self, first: usize, next: usize) -> bool {
        let is_mark = |number: usize| self.layout.text(number).bytes().all(|byte| byte.is_ascii_punctuation() && byte != b'"');
        next == first + 1 && self.span(first).end == self.span(next).start && is_mark(first) && is_mark(next)
    }

    fn instead(&self, wrong: usize, last: usize, kind: K) -> SyntaxError {
        let span = self.span(wrong).join(self.span(last));
        let (found, meant) = (shown(self.layout.slice(span)), kind.text().unwrap_or_default());
        if kind == K::Dot && self.layout.kind(wrong) == Some(K::LeadingDot) {
            let gap = Span::new(self.behind(wrong).start, span.end);
            return crate::validate::messages::blank_in_path(gap, gap, Some("."));
        }
        let certain =
            matches!((self.layout.kind(wrong), kind), (Some(K::Assign), K::Colon | K::Equal) | (Some(K::Identifier), K::And | K::Or));
        let applicability = if certain { Applicability::Safe } else { Applicability::Unsafe };
        SyntaxError::new(&codes::UNEXPECTED_TOKEN, span, format!("expected `{meant}`, found `{found}`"))
            .label(format!("expected `{meant}`"))
            .replace(applicability, format!("write `{meant}`"), span, meant)
    }

    fn is_between_setting_and_value(&self, number: usize) -> bool {
        number == self.repair.at
            && self.layout.before(number).is_some_and(K::is_word)
            && matches!(self.layout.kind(number), Some(K::Assign | K::Colon))
            && Stack::from_states(self.repair.states.clone()).peek(terminal(K::Number)).is_some()
    }

    fn no_mark_in_setting(&self, number: usize) -> SyntaxError {
        let mark = self.layout.text(number);
        let span = self.span(number);
        SyntaxError::new(&codes::UNEXPECTED_TOKEN, span, format!("unexpected `{mark}`: a setting is a name and a value"))
            .label("nothing is between them")
            .replace(Applicability::Safe, format!("remove `{mark}`"), span, "")
    }

    fn unclosed(&self, kind: K) -> SyntaxError {
        let at = self.insertion();
        let closer = kind.text().unwrap_or_default();
        let Some(found) = unclosed(self.layout, at, kind) else {
            return self.missing(kind);
        };
        let place = self.behind(found.before);
        let opened = owner(self.layout, found.opener);
        let message =
            if opened.starts_with("this") { format!("expected `{closer}`") } else { format!("expected `{closer}` to close {opened}") };
        let mut error = SyntaxError::new(&codes::UNCLOSED_BRACKET, place, message).label(format!("`{closer}` is missing here"));
        error = error.also(self.span(found.opener), "opened here");
        let closers: Vec<K> =
            self.changes().iter().filter_map(|edit| if let Edit::Insert(kind) = edit { Some(*kind) } else { None }).collect();
        let all_close = closers.len() == self.changes().len() && closers.iter().all(|kind| kind.is_closer());
        if all_close && found.before == at {
            return error.fix(self.insert(&closers, at, Applicability::Unsafe));
        }
        let own_line = if self.layout.is_line_start(found.before) { " " } else { "" };
        error.replace(Applicability::Unsafe, format!("insert `{closer}`"), place, format!("{own_line}{closer}"))
    }

    /// Something that has no text of its own is missing: a name, a value, a type.
    fn missing_part(&self) -> SyntaxError {
        let at = self.insertion();
        let part = self.part(at);
        SyntaxError::new(&codes::MISSING_TOKEN, self.behind(at), format!("expected {part}{}", self.after(at)))
            .label(format!("{part} is missing here"))
    }

    /// What kind of thing is missing.
    fn part(&self, at: usize) -> &'static str {
        let before = at.checked_sub(1).and_then(|before| self.layout.kind(before));
        let expected = Expected::after(&self.repair.states);
        match before {
            Some(K::On) => "a trigger",
            Some(K::When) => "a condition",
            Some(K::Ask) => "the name of an agent",
            Some(K::Call) => "the name of a tool",
            Some(K::Run) => "the name of a workflow",
            Some(K::Emit) => "a topic",
            Some(K::Wait) => "what to wait for",
            Some(K::Dot | K::LeadingDot) => "a name",
            _ if self.repair.edits.iter().any(|edit| matches!(edit, Edit::Keep(_) | Edit::Delete(_))) && self.repair.at != at => {
                "something"
            }
            _ if expected.has_value() => "a value",
            _ if expected.has_type() => "a type",
            _ if expected.name => "a name",
            _ if expected.has(K::Number) => "a number",
            _ if expected.has(K::TextBlock) => "a text block",
            _ if expected.has(K::String) => "a string",
            _ if expected.has(K::Duration) => "a duration",
            _ => "something",
        }
    }

    /// A mark or keyword is missing.
    fn missing(&self, kind: K) -> SyntaxError {
        let at = self.insertion();
        let words = match kind.text() {
            Some("{") if at == self.repair.at && self.is_body_of_type() => "`{` or `=`".to_owned(),
            text => format!("`{}`", text.unwrap_or_default()),
        };
        let error = SyntaxError::new(&codes::MISSING_TOKEN, self.behind(at), format!("expected {words}{}", self.after(at)))
            .label(format!("{words} is missing here"));
        let changes = self.changes();
        let inserted: Vec<K> = changes.iter().filter_map(|edit| if let Edit::Insert(kind) = edit { Some(*kind) } else { None }).collect();
        if inserted.len() != changes.len() || inserted.iter().any(|kind| kind.text().is_none()) || !self.is_one_place() {
            return error;
        }
        let certain = matches!(inserted.as_slice(), [K::Comma | K::Colon | K::From]);
        error.fix(self.insert(&inserted, at, if certain { Applicability::Safe } else { Applicability::Unsafe }))
    }

    /// Whether the body of a type is missing, which may also be an alias.
    fn is_body_of_type(&self) -> bool {
        let expected = Expected::after(&self.repair.states);
        expected.kinds.contains(&K::Assign) && !expected.kinds.contains(&K::Limit)
    }

    /// Whether nothing stays between the changes.
    fn is_one_place(&self) -> bool {
        let mut edits = self.repair.edits.iter().skip_while(|edit| matches!(edit, Edit::Keep(_)));
        edits.by_ref().take_while(|edit| !matches!(edit, Edit::Keep(_))).count() > 0 && edits.all(|edit| matches!(edit, Edit::Keep(_)))
    }

    fn insert(&self, kinds: &[K], at: usize, applicability: Applicability) -> SyntaxFix {
        let texts: Vec<&str> = kinds.iter().filter_map(|kind| kind.text()).collect();
        let shown: Vec<String> = texts.iter().map(|text| format!("`{text}`")).collect();
        let tight = kinds.iter().all(|kind| matches!(kind, K::Comma | K::Colon | K::ParenClose | K::BracketClose | K::ParenOpen | K::Dot));
        let place = self.behind(at);
        let joined = texts.join(if tight { "" } else { " " });
        let follows = self.lexemes.get(at).is_some_and(|next| next.start == place.start);
        let text = match (tight, follows) {
            (true, _) => joined,
            (false, true) => format!(" {joined} "),
            (false, false) => format!(" {joined}"),
        };
        SyntaxFix { message: format!("insert {}", shown.join(" ")), edits: vec![(place, text)], applicability }
    }

    /// Something that cannot stand here.
    fn unexpected(&self) -> SyntaxError {
        let deleted = |edit: &Edit| if let Edit::Delete(number) = edit { Some(*number) } else { None };
        let skipped: Vec<usize> = self.repair.edits.iter().filter_map(deleted).collect();
        let first = skipped.first().copied().unwrap_or(self.repair.at);
        // As much as stands side by side on the line.
        let beside = skipped.iter().copied().zip(first..).take_while(|(number, place)| number == place);
        let last = beside.map(|(number, _)| number).take_while(|number| *number == first || !self.layout.is_line_start(*number)).last();
        let last = last.unwrap_or(first);
        let span = self.span(first).join(self.span(last));
        let error = SyntaxError::new(&codes::UNEXPECTED_TOKEN, span, format!("unexpected {}", self.named(first, span)));
        if let Some(help) = self.slip(first) {
            return error.label("not part of the language").help(help);
        }
        let kind = self.layout.kind(first);
        if kind.is_some_and(K::is_closer) && !self.has_opener(first) {
            return error.label("closes nothing").replace(Applicability::Unsafe, "remove it", span, "");
        }
        let label = match Expected::after(&self.repair.states).in_words().filter(|_| first == self.repair.at) {
            Some(words) => format!("expected {words}"),
            None => "this cannot stand here".to_owned(),
        };
        let error = error.label(label);
        if self.layout.is_repeated(first) && first == last {
            return error.replace(Applicability::Unsafe, "remove it", span, "");
        }
        if skipped.len() > 8 { error.note("what follows it is left out, up to where reading can go on") } else { error }
    }

    /// Tokens as they are named in a message.
    fn named(&self, number: usize, span: Span) -> String {
        match self.layout.kind(number) {
            Some(K::TextBlock | K::OpenTextBlock) => "text block".to_owned(),
            Some(K::Doc) => "doc comment".to_owned(),
            Some(_) => format!("`{}`", shown(self.layout.slice(span))),
            None => "end".to_owned(),
        }
    }

    fn has_opener(&self, number: usize) -> bool {
        let wanted = self.layout.kind(number);
        open_before(self.layout, number).iter().any(|opener| self.layout.kind(*opener).map(crate::feed::closer) == wanted)
    }

    /// Ways of other languages to say something.
    fn slip(&self, number: usize) -> Option<&'static str> {
        let next = self.layout.kind(number + 1);
        Some(match (self.layout.text(number), next) {
            ("and", _) => "write `&&`",
            ("or", _) => "write `||`",
            ("not", _) => "write `!`",
            ("is", _) => "write `==`",
            ("=", Some(K::Greater)) if Expected::after(&self.repair.states).has(K::Arrow) => "write `->`",
            ("if", _) => "a condition is written with `when`, after the trigger",
            ("then" | "goto" | "next", _) => "a node says by `on` what it follows",
            ("let" | "var" | "const" | "def" | "func" | "function" | "fn" | "return" | "for" | "while", _) => {
                "there is no code in the language; what has to be computed belongs in a tool"
            }
            _ => return None,
        })
    }
}
