//! The regular expressions of `matches`.
//!
//! They are in the common part of RE2, ECMAScript, Python and Rust, where `\d \w \s \b` mean ASCII. Rust's `regex` reads them as
//! Unicode, so they are spelled out for it.

use std::collections::BTreeMap;

use regex::bytes::Regex;

use crate::EvalError;

/// The patterns of one evaluation, each compiled once.
#[derive(Default)]
pub(crate) struct Patterns {
    compiled: BTreeMap<String, Result<Regex, EvalError>>,
}

impl Patterns {
    /// Whether the pattern is found anywhere in the text.
    pub(crate) fn found(&mut self, pattern: &str, text: &str) -> Result<bool, EvalError> {
        if !self.compiled.contains_key(pattern) {
            self.compiled.insert(pattern.to_owned(), compile(pattern));
        }
        match self.compiled.get(pattern) {
            // Over octets, because an ASCII `\B` is true within a character too: such a place does not count.
            Some(Ok(regex)) => Ok(regex.find_iter(text.as_bytes()).any(|found| text.is_char_boundary(found.start()))),
            Some(Err(error)) => Err(error.clone()),
            None => Ok(false),
        }
    }
}

fn compile(pattern: &str) -> Result<Regex, EvalError> {
    Regex::new(&weave_pattern::rust(pattern)).map_err(|error| EvalError::Pattern { message: last_line(&error.to_string()) })
}

/// The message of `regex` draws the pattern over several lines; what is wrong is said last.
fn last_line(message: &str) -> String {
    message.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pattern: &str, text: &str) -> bool {
        Patterns::default().found(pattern, text).unwrap()
    }

    #[test]
    fn classes_are_ascii() {
        for (pattern, text, expected) in [
            (r"^\d$", "7", true),
            (r"^\d$", "٧", false),
            (r"^\D$", "٧", true),
            (r"^\w+$", "aZ_09", true),
            (r"\w", "é", false),
            (r"^\W$", "é", true),
            (r"\s", "\u{0b}", false),
            (r"\s", "\u{a0}", false),
            (r"^\S$", "\u{a0}", true),
            (r"^[\d_\-.]+$", "1_-.", true),
            (r"[^\d\s]", "1 2\t", false),
            (r"^[\D]$", "é", true),
            (r"\bb", "éb", true),
            (r"\Bb", "éb", false),
            (r"\B", "aéa", false),
            (r"\B", "é", true),
            (r"\\d", r"\d", true),
            (r"\\d", "7", false),
            (r"^.$", "😀", true),
            (r"^.$", "\n", false),
            (r"^.$", "\r", true),
            ("a$", "a\n", false),
            ("^b", "a\nb", false),
            ("", "", true),
        ] {
            assert_eq!(found(pattern, text), expected, "{pattern} in {text:?}");
        }
    }

    #[test]
    fn a_wrong_or_huge_pattern_is_an_error() {
        for pattern in ["(", "a{2,1}", r"(a)\1", "(?=a)", r"(((\w{100}){100}){100}){100}", "\\"] {
            let error = Patterns::default().found(pattern, "a").unwrap_err();
            assert_eq!(error.kind(), "pattern", "{pattern}");
            assert!(!error.to_string().contains('\n'));
        }
    }
}
