//! The diagnostics of the lexer and the parser.

use weave_diagnostics::{Code, Severity};

/// A character that nothing in the language starts with.
pub static UNKNOWN_CHARACTER: Code = Code {
    id: "unknown-character",
    severity: Severity::Error,
    summary: "a character that nothing in the language starts with",
    explanation: "",
    bad: "",
    good: "",
};

/// A string in single quotes.
pub static SINGLE_QUOTES: Code =
    Code { id: "single-quotes", severity: Severity::Error, summary: "a string in single quotes", explanation: "", bad: "", good: "" };

/// A number or duration that is malformed.
pub static BAD_NUMBER: Code = Code {
    id: "bad-number",
    severity: Severity::Error,
    summary: "a number or duration that is malformed",
    explanation: "",
    bad: "",
    good: "",
};

/// A string that does not end on its line.
pub static OPEN_STRING: Code = Code {
    id: "open-string",
    severity: Severity::Error,
    summary: "a string that does not end on its line",
    explanation: "",
    bad: "",
    good: "",
};

/// A text block that is not closed.
pub static OPEN_TEXT_BLOCK: Code = Code {
    id: "open-text-block",
    severity: Severity::Error,
    summary: "a text block that is not closed",
    explanation: "",
    bad: "",
    good: "",
};

/// Quotes of a text block in a wrong place.
pub static TEXT_BLOCK_LAYOUT: Code = Code {
    id: "text-block-layout",
    severity: Severity::Error,
    summary: "quotes of a text block in a wrong place",
    explanation: "",
    bad: "",
    good: "",
};

/// A comment that is not closed.
pub static OPEN_COMMENT: Code =
    Code { id: "open-comment", severity: Severity::Error, summary: "a comment that is not closed", explanation: "", bad: "", good: "" };

/// A semicolon.
pub static SEMICOLON: Code =
    Code { id: "semicolon", severity: Severity::Error, summary: "a semicolon", explanation: "", bad: "", good: "" };

/// Brackets that nest too deep.
pub static NESTING_TOO_DEEP: Code =
    Code { id: "nesting-too-deep", severity: Severity::Error, summary: "brackets that nest too deep", explanation: "", bad: "", good: "" };

/// A doc comment that describes nothing.
pub static MISPLACED_DOC: Code = Code {
    id: "misplaced-doc",
    severity: Severity::Error,
    summary: "a doc comment that describes nothing",
    explanation: "",
    bad: "",
    good: "",
};

/// Something stands where it cannot stand.
pub static UNEXPECTED_TOKEN: Code = Code {
    id: "unexpected-token",
    severity: Severity::Error,
    summary: "something stands where it cannot stand",
    explanation: "",
    bad: "",
    good: "",
};

/// A keyword is misspelt.
pub static MISSPELT_KEYWORD: Code =
    Code { id: "misspelt-keyword", severity: Severity::Error, summary: "a keyword is misspelt", explanation: "", bad: "", good: "" };

/// Something is missing.
pub static MISSING_TOKEN: Code =
    Code { id: "missing-token", severity: Severity::Error, summary: "something is missing", explanation: "", bad: "", good: "" };

/// A bracket that is not closed.
pub static UNCLOSED_BRACKET: Code =
    Code { id: "unclosed-bracket", severity: Severity::Error, summary: "a bracket that is not closed", explanation: "", bad: "", good: "" };

/// An item does not start on its own line.
pub static ITEM_ON_OWN_LINE: Code = Code {
    id: "item-on-own-line",
    severity: Severity::Error,
    summary: "an item does not start on its own line",
    explanation: "",
    bad: "",
    good: "",
};

/// A declaration with an unknown keyword.
pub static UNKNOWN_ITEM: Code = Code {
    id: "unknown-item",
    severity: Severity::Error,
    summary: "a declaration with an unknown keyword",
    explanation: "",
    bad: "",
    good: "",
};

/// A declaration with a reserved keyword.
pub static RESERVED_ITEM: Code = Code {
    id: "reserved-item",
    severity: Severity::Error,
    summary: "a declaration with a reserved keyword",
    explanation: "",
    bad: "",
    good: "",
};

/// All of them.
pub(crate) static ALL: &[&Code] = &[
    &UNKNOWN_CHARACTER,
    &SINGLE_QUOTES,
    &BAD_NUMBER,
    &OPEN_STRING,
    &OPEN_TEXT_BLOCK,
    &TEXT_BLOCK_LAYOUT,
    &OPEN_COMMENT,
    &SEMICOLON,
    &NESTING_TOO_DEEP,
    &MISPLACED_DOC,
    &UNEXPECTED_TOKEN,
    &MISSPELT_KEYWORD,
    &MISSING_TOKEN,
    &UNCLOSED_BRACKET,
    &ITEM_ON_OWN_LINE,
    &UNKNOWN_ITEM,
    &RESERVED_ITEM,
];
