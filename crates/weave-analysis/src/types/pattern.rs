//! Regular expressions that mean the same everywhere.
//!
//! A pattern ends up in JSON Schema (ECMAScript), in Go and Rust (RE2's family), in Python and in TypeScript. What is allowed is
//! what all of them read alike: literals, `.`, classes, `\d \w \s \b`, anchors, groups, `|` and repetitions. What one of
//! them lacks, such as looking ahead, references back to groups, flags and Unicode properties, is refused.

use regex_syntax::ast::{
    self, AssertionKind, Ast, ClassSetItem, ErrorKind, GroupKind, HexLiteralKind, LiteralKind, Repetition, RepetitionKind, RepetitionRange,
    Visitor,
};
use weave_diagnostics::Span;

/// Why a pattern is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PatternProblem {
    /// What is wrong, without a full stop.
    pub(crate) reason: String,
    /// The bytes of the pattern that it is about.
    pub(super) start: usize,
    pub(super) end: usize,
}

impl PatternProblem {
    /// The span of what is wrong in a literal: exact where the literal has no escapes, else the whole literal.
    pub(crate) fn place_in(&self, literal: Span, raw: &str, value: &str) -> Span {
        let start = literal.start + 1 + self.start as u32;
        let end = literal.start + 1 + self.end as u32;
        let same = raw.get(1..raw.len().saturating_sub(1)) == Some(value);
        if same && self.start < self.end && end < literal.end { Span::new(start, end) } else { literal }
    }
}

/// What is wrong with a pattern, if anything.
pub(crate) fn pattern_problem(pattern: &str) -> Option<PatternProblem> {
    let problem =
        |span: &ast::Span, reason: &str| PatternProblem { reason: reason.to_owned(), start: span.start.offset, end: span.end.offset };
    match ast::parse::Parser::new().parse(pattern) {
        Ok(tree) => match ast::visit(&tree, Portable::default()) {
            Err((span, reason)) => Some(problem(&span, reason)),
            // The engines of the RE2 family build it, up to a size.
            Ok(()) => {
                let built = regex::Regex::new(&weave_pattern::rust(pattern));
                built.is_err().then(|| problem(tree.span(), "it is too large to be built"))
            }
        },
        Err(error) => Some(problem(error.span(), &reason(error.kind()))),
    }
}

/// What the parser of regular expressions says, in our words where they are better.
fn reason(kind: &ErrorKind) -> String {
    match kind {
        ErrorKind::UnsupportedBackreference => "back-references are not portable".to_owned(),
        ErrorKind::UnsupportedLookAround => "look-around is not portable".to_owned(),
        ErrorKind::EscapeUnrecognized => "this escape is not portable".to_owned(),
        other => {
            let text = other.to_string();
            let mut characters = text.trim_end_matches('.').chars();
            characters.next().map(|first| first.to_lowercase().chain(characters).collect()).unwrap_or_default()
        }
    }
}

/// How often something may be repeated, repetitions within each other multiplied: Go refuses more, as all of RE2's family do by default.
const MOST_REPEATED: u32 = 1_000;

/// Goes through a pattern and stops at the first part that not everybody reads alike.
#[derive(Default)]
struct Portable {
    /// How often something may still be repeated in each of the repetitions that are open.
    room: Vec<u32>,
}

type Refusal = (ast::Span, &'static str);

impl Visitor for Portable {
    type Output = ();
    type Err = Refusal;

    fn finish(self) -> Result<(), Refusal> {
        Ok(())
    }

    fn visit_pre(&mut self, part: &Ast) -> Result<(), Refusal> {
        match part {
            Ast::Flags(flags) => Err((flags.span, "flags are not portable")),
            Ast::Group(group) => match &group.kind {
                GroupKind::CaptureIndex(_) => Ok(()),
                GroupKind::NonCapturing(flags) if flags.items.is_empty() => Ok(()),
                GroupKind::NonCapturing(_) => Err((group.span, "flags are not portable")),
                GroupKind::CaptureName { .. } => Err((group.span, "the syntax of named groups is not portable")),
            },
            Ast::Assertion(assertion) => match assertion.kind {
                AssertionKind::StartLine | AssertionKind::EndLine | AssertionKind::WordBoundary | AssertionKind::NotWordBoundary => Ok(()),
                AssertionKind::StartText | AssertionKind::EndText => {
                    Err((assertion.span, "write `^` and `$`; this anchor is not portable"))
                }
                _ => Err((assertion.span, "this kind of word boundary is not portable")),
            },
            Ast::ClassUnicode(class) => Err((class.span, "Unicode classes are not portable")),
            Ast::Literal(literal) => plain_literal(literal),
            Ast::Repetition(repetition) => self.repetition(repetition),
            _ => Ok(()),
        }
    }

    fn visit_post(&mut self, part: &Ast) -> Result<(), Refusal> {
        if matches!(part, Ast::Repetition(_)) {
            self.room.pop();
        }
        Ok(())
    }

    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), Refusal> {
        match item {
            ClassSetItem::Ascii(class) => Err((class.span, "classes such as `[:alpha:]` are not portable")),
            ClassSetItem::Unicode(class) => Err((class.span, "Unicode classes are not portable")),
            ClassSetItem::Bracketed(class) => Err((class.span, "nested classes are not portable")),
            ClassSetItem::Literal(literal) => plain_literal(literal),
            ClassSetItem::Range(range) => plain_literal(&range.start).and_then(|()| plain_literal(&range.end)),
            _ => Ok(()),
        }
    }

    fn visit_class_set_binary_op_pre(&mut self, operation: &ast::ClassSetBinaryOp) -> Result<(), Refusal> {
        Err((operation.span, "class operations are not portable"))
    }
}

impl Portable {
    fn repetition(&mut self, repetition: &Repetition) -> Result<(), Refusal> {
        match &*repetition.ast {
            // Elsewhere it is an error, or a repetition that never gives back what it took.
            Ast::Repetition(_) => {
                return Err((repetition.op.span, "put the repeated part into a group; repeating a repetition is not portable"));
            }
            Ast::Assertion(_) => return Err((repetition.op.span, "repeating an empty match is not portable")),
            _ => {}
        }
        let room = self.room.last().copied().unwrap_or(MOST_REPEATED);
        let times = match repetition.op.kind {
            RepetitionKind::Range(
                RepetitionRange::Exactly(times) | RepetitionRange::AtLeast(times) | RepetitionRange::Bounded(_, times),
            ) => times,
            _ => 1,
        };
        if times > room {
            let reason = "more than 1,000 repetitions, counting nested ones multiplied, are not portable";
            return Err((repetition.op.span, reason));
        }
        self.room.push(room / times.max(1));
        Ok(())
    }
}

fn plain_literal(literal: &ast::Literal) -> Result<(), Refusal> {
    match literal.kind {
        LiteralKind::Verbatim | LiteralKind::Meta | LiteralKind::Superfluous | LiteralKind::Special(_) => Ok(()),
        LiteralKind::HexFixed(HexLiteralKind::X) => Ok(()),
        _ => Err((literal.span, "write the character itself; this escape is not portable")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(pattern: &str) -> Option<(&str, String)> {
        pattern_problem(pattern).map(|problem| (&pattern[problem.start..problem.end], problem.reason))
    }

    #[test]
    fn what_everybody_reads_alike_is_accepted() {
        for pattern in [
            "",
            "^A-",
            "^[A-Z]{3}-[0-9]+$",
            r"\d{2,4}(\.\d+)?",
            r"^(?:a|b)*?\b\w\s\S\W\D$",
            r"[^\d_\-.]",
            r"\x41\t\n\r",
            r"\/\.",
            "[é-ü]",
            r"^\{\[",
            "^a{1000}b{0,1000}c{1000,}$",
            "^(?:[a-z]{10}-?){100}(?:x+)*$",
        ] {
            assert_eq!(pattern_problem(pattern), None, "{pattern}");
        }
    }

    #[test]
    fn what_somebody_lacks_is_refused_at_its_place() {
        for (pattern, part) in [
            (r"a(?=b)", "(?="),
            (r"(a)\1", r"\1"),
            ("a++", "+"),
            ("a{2}{3}", "{3}"),
            ("^*a", "*"),
            (r"a\b?", "?"),
            ("a{1001}", "{1001}"),
            ("a{2,1001}", "{2,1001}"),
            ("(?:a{11}){100}", "{11}"),
            (r"(?i)a", "(?i)"),
            (r"x(?i:a)", "(?i:a)"),
            (r"(?P<n>a)", "(?P<n>a)"),
            (r"\pL", r"\pL"),
            (r"[\p{L}]", r"\p{L}"),
            (r"[[:alpha:]]", "[:alpha:]"),
            (r"[a-z&&b]", "a-z&&b"),
            (r"\Aa\z", r"\A"),
            (r"\u{1F600}", r"\u{1F600}"),
            (r"a(b", "("),
            (r"[z-a]", "z-a"),
            (r"*a", ""),
        ] {
            assert_eq!(wrong(pattern).map(|(part, _)| part), Some(part), "{pattern}");
        }
    }

    #[test]
    fn the_place_is_exact_where_the_text_is_as_written() {
        let problem = pattern_problem(r"ab(?=c)").unwrap();
        assert_eq!(problem.place_in(Span::new(10, 19), r#""ab(?=c)""#, r"ab(?=c)"), Span::new(13, 16));
        assert_eq!(problem.place_in(Span::new(10, 24), r#""\u0061b(?=c)""#, r"ab(?=c)"), Span::new(10, 24));
    }
}
