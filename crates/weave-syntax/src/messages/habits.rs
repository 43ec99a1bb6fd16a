//! What other languages write, or what is easily forgotten, told in the words of whoever wrote it.

use weave_diagnostics::{Applicability, Span};

use crate::codes;
use crate::error::SyntaxError;
use crate::expected::Expected;
use crate::feed::Lexeme;
use crate::layout::Layout;
use crate::plan::Repair;
use crate::search::Edit;
use crate::token::TokenKind as K;

/// What is said about a repair whose text is a known habit.
pub(crate) fn habit(repair: &Repair, lexemes: &[Lexeme], layout: &Layout<'_>) -> Option<SyntaxError> {
    let habits = Habits { repair, lexemes, layout, at: repair.at };
    habits
        .of_whole_lines()
        .or_else(|| habits.word_operator())
        .or_else(|| habits.mark_of_two())
        .or_else(|| habits.arrow())
        .or_else(|| habits.line_of_test())
        .or_else(|| habits.name_is_missing())
        .or_else(|| habits.condition_without_trigger())
        .or_else(|| habits.list_type())
        .or_else(|| habits.map_of_two())
        .or_else(|| habits.duration_in_parts())
        .or_else(|| habits.payload())
        .or_else(|| habits.operand_is_missing())
        .or_else(|| habits.header())
        .or_else(|| habits.node())
        .or_else(|| habits.model_name())
        .or_else(|| habits.foreign_word())
}

/// How far what is said about a habit reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// To the token that did not fit.
    Here,
    /// To the end of its line.
    Line,
    /// To the end of the item, whose blocks are not what they look like.
    Item,
}

/// How far what is said about a repair reaches: what else did not fit there follows from it.
pub(crate) fn reach(repair: &Repair, lexemes: &[Lexeme], layout: &Layout<'_>) -> Reach {
    let habits = Habits { repair, lexemes, layout, at: repair.at };
    if repair.gave_up {
        Reach::Here
    } else if habits.line().is_some() {
        Reach::Line
    } else if habits.control_word().is_some() {
        Reach::Item
    } else {
        Reach::Here
    }
}

/// A repair, looked at for a habit.
pub(super) struct Habits<'a> {
    repair: &'a Repair,
    lexemes: &'a [Lexeme],
    pub(super) layout: &'a Layout<'a>,
    /// The number of the token that did not fit.
    pub(super) at: usize,
}

impl Habits<'_> {
    /// Habits that bring more into disorder than the token that did not fit.
    fn of_whole_lines(&self) -> Option<SyntaxError> {
        self.line().or_else(|| self.control_word())
    }

    /// Habits that are told for a whole line.
    fn line(&self) -> Option<SyntaxError> {
        self.comparison()
            .or_else(|| self.ternary())
            .or_else(|| self.trigger())
            .or_else(|| self.alternatives())
            .or_else(|| self.constraint())
    }

    /// How many tokens there are.
    pub(super) const fn count(&self) -> usize {
        self.lexemes.len()
    }

    /// The states before the token that did not fit.
    pub(super) fn states(&self) -> &[crate::tables::State] {
        &self.repair.states
    }

    /// The kind of a token that stands so far before the one that did not fit.
    pub(super) fn back(&self, distance: usize) -> Option<K> {
        self.at.checked_sub(distance).and_then(|number| self.layout.kind(number))
    }

    pub(super) fn span(&self, number: usize) -> Span {
        self.lexemes.get(number).map_or_else(|| Span::at(self.lexemes.last().map_or(0, |last| last.end)), |lexeme| lexeme.span())
    }

    pub(super) fn text(&self, number: usize) -> &str {
        self.layout.text(number)
    }

    pub(super) fn inserts(&self, kind: K) -> bool {
        self.repair.edits.first() == Some(&Edit::Insert(kind))
    }

    /// `expect no pay`, `expect(pay)`, `fail pay`, `answer` and nothing behind it.
    fn line_of_test(&self) -> Option<SyntaxError> {
        if !self.layout.is_test() {
            return None;
        }
        if let Some(error) = self.unknown_verb() {
            return Some(error);
        }
        let verb = self.verb_of_line()?;
        match self.layout.kind(verb)? {
            K::Expect if !self.inserts(K::Identifier) => self.negation(verb).or_else(|| self.parenthesized_expectation(verb)),
            K::Fail if self.inserts(K::Identifier) && self.at > verb + 1 => {
                let step = Span::new(self.span(verb + 1).start, self.span(self.at - 1).end);
                let name = self.layout.slice(step);
                Some(
                    SyntaxError::new(&codes::MISSING_TOKEN, Span::at(step.end), format!("this line does not say how `{name}` fails"))
                        .label("the kind of the failure is missing here")
                        .help(format!("write `fail {name} unavailable`, `fail {name} timeout`, or an error that its tool declares")),
                )
            }
            kind if self.inserts(K::Identifier) && self.at == verb + 1 => {
                let word = self.text(verb);
                let what = match kind {
                    K::Send => "a topic",
                    K::Call => "the name of a tool",
                    K::Expect => "the name of a node",
                    _ => "the name of a step",
                };
                Some(
                    SyntaxError::new(&codes::MISSING_TOKEN, Span::at(self.span(verb).end), format!("`{word}` is followed by {what}"))
                        .label("it is missing here"),
                )
            }
            _ => None,
        }
    }

    /// The verb of the line on which the token stands that did not fit, or of the line before it where that ends too early.
    fn verb_of_line(&self) -> Option<usize> {
        let last = self.at.min(self.count().checked_sub(1)?);
        let from = if self.layout.is_line_start(self.at) { self.at.checked_sub(1)? } else { last };
        let first = (0..=from).rev().find(|number| self.layout.is_line_start(*number))?;
        self.layout.kind(first)?.starts_line_of_test().then_some(first)
    }

    /// A line of a test that starts with a word of another way to write tests.
    fn unknown_verb(&self) -> Option<SyntaxError> {
        let is_word = self.layout.kind(self.at)?.is_word() && !self.layout.kind(self.at)?.starts_line_of_test();
        let deletes = matches!(self.repair.edits.first(), Some(Edit::Delete(_)));
        if !is_word || !deletes || !self.layout.is_line_start(self.at) {
            return None;
        }
        let word = self.text(self.at);
        let help = match word {
            "given" | "input" | "setup" | "before" | "run" => "the input of a run is written `start { … }`",
            "when" | "mock" | "stub" | "return" | "returns" | "respond" | "reply" | "let" => {
                "the answer of a model, a tool or a child run is written `answer STEP = …`"
            }
            "then" | "assert" | "should" | "verify" | "check" | "must" => {
                "a node that must have fired is written `expect NODE`, and one that must not have fired `expect !NODE`"
            }
            "sleep" | "after" | "advance" | "tick" => "time passes with `wait 1h`",
            "throw" | "raise" | "error" => "a step fails with `fail STEP unavailable`",
            "emit" | "event" | "publish" => "an event from outside is written `send order.paid { … }`",
            "it" | "describe" | "case" | "scenario" => "an inner test is written `test NAME { … }`",
            _ => {
                "a line starts with `start`, `answer`, `fail`, `call`, `send`, `approve`, `reject`, `wait`, `expect` or `open`; an inner test with `test`"
            }
        };
        let error = SyntaxError::new(&codes::UNEXPECTED_TOKEN, self.span(self.at), format!("no line of a test starts with `{word}`"));
        Some(error.label("not a verb of tests").help(help))
    }

    /// `expect no pay`, `expect not pay`, `expect never pay`.
    fn negation(&self, verb: usize) -> Option<SyntaxError> {
        let (word, node) = (verb + 1, verb + 2);
        let negates = matches!(self.text(word), "no" | "not" | "never" | "without" | "isnt" | "is_not");
        if !negates || !(word..=node).contains(&self.at) || !self.layout.kind(node)?.is_word() || self.layout.is_line_start(node) {
            return None;
        }
        let (span, name) = (self.span(word).join(self.span(node)), self.text(node));
        Some(
            SyntaxError::new(&codes::UNEXPECTED_TOKEN, span, format!("that `{name}` has not fired is written `expect !{name}`"))
                .label("not with a word")
                .replace(Applicability::Safe, format!("write `!{name}`"), span, format!("!{name}")),
        )
    }

    /// `expect(pay)`.
    fn parenthesized_expectation(&self, verb: usize) -> Option<SyntaxError> {
        let (open, node, close) = (verb + 1, verb + 2, verb + 3);
        let kinds = (self.layout.kind(open)?, self.layout.kind(node)?, self.layout.kind(close)?);
        if self.at != open || kinds.0 != K::ParenOpen || !kinds.1.is_word() || kinds.2 != K::ParenClose {
            return None;
        }
        let (span, name) = (self.span(verb).join(self.span(close)), self.text(node));
        let mut error = SyntaxError::new(&codes::UNEXPECTED_TOKEN, span, format!("`expect` is a line, not a call: `expect {name}`"))
            .label("has parentheses")
            .help(format!("`expect {name} = …` checks its answer, and `expect {name} {{ … }}` its request"));
        if self.layout.is_line_start(close + 1) {
            error = error.replace(Applicability::Safe, format!("write `expect {name}`"), span, format!("expect {name}"));
        }
        Some(error)
    }

    /// `end on triage`, where `on` was read as the name.
    fn name_is_missing(&self) -> Option<SyntaxError> {
        let (keyword, clause) = (self.at.checked_sub(2)?, self.at.checked_sub(1)?);
        let is_clause = matches!(self.layout.kind(clause)?, K::On | K::When | K::Else | K::Each | K::Limit);
        if !self.inserts(K::On) || !is_clause || !self.layout.kind(keyword)?.starts_node() || self.layout.is_line_start(clause) {
            return None;
        }
        let (node, word) = (self.text(keyword), self.text(clause));
        let place = Span::at(self.span(keyword).end);
        let example = match node {
            "end" => "done",
            "fail" => "failed",
            _ => "check",
        };
        let error = SyntaxError::new(&codes::MISSING_TOKEN, place, format!("expected a name after `{node}`"))
            .label("the name is missing here")
            .help(format!("each node has a name, which goes before `{word}`: `{node} {example} {word} …`"));
        Some(error.replace(Applicability::Unsafe, "give it a name", place, format!(" {example}")))
    }

    /// `end x when …`, `end x else`.
    fn condition_without_trigger(&self) -> Option<SyntaxError> {
        if !self.inserts(K::On) || !self.back(2)?.starts_node() || !self.back(1)?.is_word() {
            return None;
        }
        let name = self.text(self.at - 1);
        let (node, span) = (self.text(self.at - 2), self.span(self.at));
        let error = |message: &str, label: &str| SyntaxError::new(&codes::MISSING_TOKEN, span, message).label(label);
        match self.layout.kind(self.at)? {
            K::When | K::Also => Some(
                error("a condition follows a trigger", "`on` is missing before this")
                    .help(format!(
                        "write `{node} {name} on start when …` for the start of the run, or name the step that it follows: `{node} {name} on STEP when …`"
                    ))
                    .replace(Applicability::Unsafe, "insert `on start`", Span::at(self.span(self.at - 1).end), " on start"),
            ),
            K::Else => Some(error("`else` follows a trigger", "`on` is missing before this").help(format!(
                "`else` is the last of the nodes with one trigger, so repeat the trigger of the others: `{node} {name} on STEP else`"
            ))),
            _ => None,
        }
    }

    /// `[int]`, `[]int`.
    fn list_type(&self) -> Option<SyntaxError> {
        if self.layout.kind(self.at)? != K::BracketOpen || !Expected::after(&self.repair.states).has_type() {
            return None;
        }
        let (item, end) = match (self.layout.kind(self.at + 1)?, self.layout.kind(self.at + 2)) {
            (K::BracketClose, Some(word)) if word.is_word() => (self.at + 2, self.at + 2),
            (word, Some(K::BracketClose)) if word.is_word() => (self.at + 1, self.at + 2),
            _ => return None,
        };
        let (span, item) = (self.span(self.at).join(self.span(end)), self.text(item));
        Some(
            SyntaxError::new(&codes::UNEXPECTED_TOKEN, span, format!("a list of `{item}` is written `{item}[]`"))
                .label("the brackets go after the type")
                .replace(Applicability::Safe, format!("write `{item}[]`"), span, format!("{item}[]")),
        )
    }

    /// `map<string, int>`.
    fn map_of_two(&self) -> Option<SyntaxError> {
        let is_map =
            self.layout.kind(self.at)? == K::Comma && self.back(2)? == K::Less && self.back(1)?.is_word() && self.back(3)?.is_word();
        if !is_map {
            return None;
        }
        let (name, key) = (self.at - 3, self.at - 1);
        let span = self.span(key).join(self.span(self.at));
        let error = SyntaxError::new(&codes::UNEXPECTED_TOKEN, span, "a map is written with the type of its values only")
            .label("its keys are strings")
            .help("`map<T>` maps strings to T");
        if !matches!(self.text(key), "string" | "String" | "str") || self.layout.kind(self.at + 1).is_none() {
            return Some(error);
        }
        let behind = Span::new(self.span(key).start, self.span(self.at + 1).start);
        let edits = vec![(self.span(name), "map".to_owned()), (behind, String::new())];
        let message = "write `map<…>` with the values' type".to_owned();
        Some(error.fix(crate::SyntaxFix { message, edits, applicability: Applicability::Safe }))
    }

    /// `wait 30`, `timeout 5 min`.
    fn duration_in_parts(&self) -> Option<SyntaxError> {
        let number = if self.layout.kind(self.at) == Some(K::Number) { self.at } else { self.at.checked_sub(1)? };
        if self.layout.kind(number)? != K::Number || self.layout.kind(number.checked_sub(1)?)? != K::Wait {
            return None;
        }
        let (digits, span) = (self.text(number), self.span(number));
        let unit = crate::lexical::unit_of(self.text(number + 1)).unwrap_or_default();
        let whole = span.join(if unit.is_empty() { span } else { self.span(number + 1) });
        let error = SyntaxError::new(&codes::MISSING_TOKEN, whole, "a duration is a number, directly followed by its unit")
            .help("durations are written `250ms`, `30s`, `5m`, `24h` and `7d`");
        Some(if unit.is_empty() {
            error.label("the unit is missing")
        } else {
            error.label("not in one word").replace(Applicability::Safe, format!("write `{digits}{unit}`"), whole, format!("{digits}{unit}"))
        })
    }

    /// `emit a.b [ … ]`, `call t(x: 1)`.
    fn payload(&self) -> Option<SyntaxError> {
        // The name may have been taken for that of a setting.
        let at = if self.layout.kind(self.at)?.is_word() { self.at + 1 } else { self.at };
        let opens = matches!(
            self.layout.kind(at)?,
            K::BracketOpen | K::ParenOpen | K::String | K::TextBlock | K::LeadingDot | K::Number | K::Assign
        );
        if !opens || self.layout.is_line_start(at) {
            return None;
        }
        // A name, or a topic with its dots, behind the keyword of an action.
        let mut first = at.checked_sub(1)?;
        while first >= 2 && self.layout.kind(first - 1) == Some(K::Dot) {
            first -= 2;
        }
        let action = first.checked_sub(1)?;
        if !self.layout.kind(first)?.is_word() || !matches!(self.layout.kind(action)?, K::Emit | K::Call | K::Ask | K::Run) {
            return None;
        }
        let name: String = (first..at).map(|number| self.text(number)).collect();
        let verb = self.text(action);
        let example = if verb == "emit" { "order" } else { "name" };
        let error = SyntaxError::new(&codes::UNEXPECTED_TOKEN, self.span(at), format!("the payload of `{verb} {name}` goes in braces"))
            .label("expected `{`");
        if self.layout.kind(at) == Some(K::ParenOpen) && self.layout.kind(at + 1) == Some(K::ParenClose) {
            let parentheses = self.span(at).join(self.span(at + 1));
            return Some(error.help("without any, the name is enough").replace(
                Applicability::Safe,
                "remove the parentheses",
                parentheses,
                "",
            ));
        }
        Some(error.help(format!("write `{verb} {name} {{ {example}: … }}`, with a colon after each name")))
    }

    /// `.a && = "x"`.
    fn operand_is_missing(&self) -> Option<SyntaxError> {
        let operator = self.at.checked_sub(1)?;
        if !matches!(self.layout.kind(operator)?, K::And | K::Or) {
            return None;
        }
        let word = self.text(operator);
        let compares = matches!(
            self.layout.kind(self.at)?,
            K::Assign | K::Equal | K::NotEqual | K::Less | K::LessEqual | K::Greater | K::GreaterEqual
        );
        compares.then(|| {
            let place = Span::at(self.span(operator).end);
            SyntaxError::new(&codes::MISSING_TOKEN, place, format!("expected a value after `{word}`"))
                .label("a value is missing here")
                .help(format!("each side of `{word}` is a condition of its own: `.a == 1 {word} .b == 2`"))
        })
    }
}
