//! Words and marks of other languages.

use weave_diagnostics::{Applicability, Span};

use super::habits::Habits;
use crate::codes;
use crate::error::SyntaxError;
use crate::token::TokenKind as K;

/// What to do about a word that other languages have at this place.
fn foreign_word(word: &str) -> Option<&'static str> {
    Some(match word {
        "extends" | "implements" => "no type extends another: give it a field of that type, or repeat the fields",
        "throws" | "raises" => "the errors of a tool stand among its settings: `{ fails [not_found] }`",
        "if" | "unless" => "a condition is written with `when`, after the trigger",
        "after" | "then" => "a node says by `on` what it follows",
        "for" | "foreach" => "a step for each element is written `each .input.list as item`",
        "otherwise" | "default" => "write `else`",
        "struct" => "a record is declared with `type Name { … }`",
        "private" | "public" | "readonly" | "required" | "optional" | "repeated" => {
            "fields have no such word: `name?: T` may be absent, and `T[]` is a list"
        }
        _ => return None,
    })
}

impl Habits<'_> {
    /// A word of another language, which did not fit or after which nothing fits.
    pub(super) fn foreign_word(&self) -> Option<SyntaxError> {
        let mut numbers = [Some(self.at), self.at.checked_sub(1)].into_iter().flatten();
        numbers.find_map(|number| {
            if self.layout.kind(number)? != K::Identifier {
                return None;
            }
            let word = self.text(number);
            if word == "default"
                && matches!(self.layout.kind(number + 1), Some(K::String | K::Number | K::Duration | K::True | K::False | K::Null))
            {
                return Some(
                    SyntaxError::new(&codes::UNEXPECTED_TOKEN, self.span(number), "a default is written after `=`")
                        .label("expected `=`")
                        .replace(Applicability::Safe, "write `=`", self.span(number), "="),
                );
            }
            let help = foreign_word(word)?;
            let error = SyntaxError::new(&codes::UNEXPECTED_TOKEN, self.span(number), format!("unexpected `{word}`"));
            Some(error.label("not part of the language").help(help))
        })
    }

    /// The number of the item's keyword, and its kind.
    fn head(&self) -> Option<(usize, K)> {
        (0..self.at).find_map(|number| {
            let kind = self.layout.kind(number)?;
            kind.starts_item().then_some((number, kind))
        })
    }

    /// Headers of items in the way of other languages.
    pub(super) fn header(&self) -> Option<SyntaxError> {
        let here = self.layout.kind(self.at);
        let mut heads =
            (0..4.min(self.at + 1)).filter_map(|number| Some((number, self.layout.kind(number)?))).filter(|(_, kind)| kind.starts_item());
        let (head, kind) = heads.next().or_else(|| self.head())?;
        let name = head + 1;
        let error = |span: Span, message: &str| SyntaxError::new(&codes::UNEXPECTED_TOKEN, span, message);
        let mark = self.layout.kind(name + 1);
        match kind {
            K::Import if self.at <= name + 3 && self.layout.kind(name) != Some(K::BraceOpen) => {
                let span = self.span(name);
                let wrong = error(span, "an import names what it takes, in braces")
                    .label("expected `{`")
                    .help("write `import { Order, Line as OrderLine } from \"./file.weave\"`");
                let is_name = self.layout.kind(name)?.is_word() && mark == Some(K::From);
                let braces = format!("{{ {} }}", self.text(name));
                Some(if is_name { wrong.replace(Applicability::Safe, "put braces around it", span, braces) } else { wrong })
            }
            K::Enum | K::Union if mark == Some(K::Assign) && self.at <= name + 1 => {
                let span = self.span(name + 1);
                let what = if kind == K::Enum { "an enum lists its values in braces" } else { "a union lists its variants in braces" };
                let wrong = error(span, what)
                    .label("expected `{`")
                    .help("a choice between literals or types is declared with `type`: `type Size = \"small\" | \"large\"`");
                Some(wrong.replace(Applicability::Unsafe, "declare a type", self.span(head), "type"))
            }
            K::Enum if here == Some(K::String) => {
                Some(error(self.span(self.at), "the values of an enum are names").label("expected a name").help(
                    "write `enum Tier { free, pro }`; the JSON string is the name, or the string after `=`: `pro = \"professional\"`",
                ))
            }
            K::Event | K::Error | K::Type if here == Some(K::ParenOpen) && !self.layout.is_line_start(self.at) && self.is_header(head) => {
                let name: String = (head + 1..self.at).map(|number| self.text(number)).collect();
                Some(
                    error(self.span(self.at), "fields are declared in braces")
                        .label("expected `{`")
                        .help(format!("write `{} {name} {{ name: string }}`", self.text(head))),
                )
            }
            _ => None,
        }
    }

    /// Whether only words and dots stand between a keyword and the token that did not fit.
    fn is_header(&self, head: usize) -> bool {
        (head..self.at).len() < 16
            && (head..self.at).all(|number| self.layout.kind(number).is_some_and(|kind| kind.is_word() || kind == K::Dot))
    }

    /// Triggers, clauses and messages of nodes that are nearly right.
    pub(super) fn node(&self) -> Option<SyntaxError> {
        let here = self.layout.kind(self.at)?;
        let span = self.span(self.at);
        let error = |message: &str| SyntaxError::new(&codes::UNEXPECTED_TOKEN, span, message);
        match here {
            K::And if self.back(2) == Some(K::On) => {
                let (one, other) = (self.text(self.at - 1), self.text(self.at + 1));
                Some(
                    error("triggers are not joined by `&&`").label("not between triggers").help(format!(
                        "write `on all({one}, {other})` for when both have answered, and `on {one} | {other}` for each of them"
                    )),
                )
            }
            K::Or if self.back(2) == Some(K::On) => {
                Some(error("alternatives are separated by `|`").label("expected `|`").replace(Applicability::Safe, "write `|`", span, "|"))
            }
            K::On | K::When | K::Limit | K::Each if self.back(1) == Some(K::BraceClose) && !self.layout.is_line_start(self.at) => {
                let word = self.text(self.at);
                Some(
                    error(&format!("`{word} …` goes before the braces of its step"))
                        .label("after the braces")
                        .help(format!("write `step NAME {word} … {{ … }}`")),
                )
            }
            word if word.is_word()
                && self.back(2) == Some(K::Timeout)
                && self.back(1) == Some(K::ParenOpen)
                && self.layout.kind(self.at + 1) == Some(K::ParenClose) =>
            {
                let step = self.text(self.at);
                Some(
                    SyntaxError::new(&codes::MISSING_TOKEN, Span::at(span.end), "a timeout says how long it waits")
                        .label("a duration is missing here")
                        .help(format!("write `timeout({step}, 24h)`")),
                )
            }
            K::BraceOpen | K::LeadingDot if self.inserts(K::As) => Some(
                SyntaxError::new(&codes::MISSING_TOKEN, Span::at(self.span(self.at - 1).end), "expected `as` and a name for the element")
                    .label("`as` is missing here")
                    .help("write `each .input.list as item`; in the step, `.item` is one element"),
            ),
            K::Assign
                if self.back(1).is_some_and(|before| matches!(before, K::Equal | K::NotEqual))
                    && self.span(self.at - 1).end == span.start =>
            {
                let own = self.text(self.at - 1);
                let whole = self.span(self.at - 1).join(span);
                Some(
                    SyntaxError::new(&codes::UNEXPECTED_TOKEN, whole, format!("expected `{own}`, found `{own}=`"))
                        .label(format!("expected `{own}`"))
                        .replace(Applicability::Safe, format!("write `{own}`"), whole, own),
                )
            }
            _ => None,
        }
    }

    /// `model gpt-4o`.
    pub(super) fn model_name(&self) -> Option<SyntaxError> {
        let model = [Some(self.at), self.at.checked_sub(1), self.at.checked_sub(2)]
            .into_iter()
            .flatten()
            .find(|number| self.layout.kind(*number) == Some(K::Identifier) && self.text(*number) == "model")?;
        let name = model + 1;
        let glued = |number: usize| self.span(number).end == self.span(number + 1).start && !self.layout.is_line_start(number + 1);
        let mut last = name;
        while last < name + 16
            && self.layout.kind(last + 1).is_some()
            && glued(last)
            && !self.layout.kind(last + 1).is_some_and(|kind| matches!(kind, K::Comma | K::BraceClose))
        {
            last += 1;
        }
        if last == name || !self.layout.kind(name)?.is_word() {
            return None;
        }
        let span = self.span(name).join(self.span(last));
        let quoted = format!("\"{}\"", self.layout.slice(span));
        let error = SyntaxError::new(&codes::UNEXPECTED_TOKEN, span, "a model whose name is not one word is written as a string");
        Some(error.label("expected a name or a string").replace(Applicability::Safe, format!("write `{quoted}`"), span, quoted))
    }
}
