//! The diagnostics of the lexer and the parser.

use weave_diagnostics::{Code, Severity};

/// A character that nothing in the language starts with.
pub static UNKNOWN_CHARACTER: Code = Code {
    id: "unknown-character",
    severity: Severity::Error,
    summary: "A character that is not part of the language.",
    explanation: "Names consist of ASCII letters, digits and `_`. Letters outside ASCII, control characters, typographic quotation marks and characters such as `$` or `~` may appear only in strings, text blocks and comments. Quote a key that needs other letters: `\"größe\": int`.",
    bad: "type Parcel {\n  größe: int\n}\n",
    good: "type Parcel {\n  \"größe\": int\n}\n",
};

/// A string in single quotes.
pub static SINGLE_QUOTES: Code = Code {
    id: "single-quotes",
    severity: Severity::Error,
    summary: "A string in single quotes.",
    explanation: "Strings are written in double quotes, as in JSON. A double quote inside a string is written `\\\"`.",
    bad: "type Intent = 'refund' | \"question\"\n",
    good: "type Intent = \"refund\" | \"question\"\n",
};

/// A number or duration that is malformed.
pub static BAD_NUMBER: Code = Code {
    id: "bad-number",
    severity: Severity::Error,
    summary: "A malformed number or duration.",
    explanation: "Numbers are written as in JSON: `12`, `-0.5`, `1e9`, without a leading zero. Durations are integers with one of the units `ms`, `s`, `m`, `h` and `d`, and can be combined: `1h30m`. A name does not start with a digit.",
    bad: "tool nap() {\n  timeout 30sec\n}\n",
    good: "tool nap() {\n  timeout 30s\n}\n",
};

/// A string that does not end on its line.
pub static OPEN_STRING: Code = Code {
    id: "open-string",
    severity: Severity::Error,
    summary: "A string that does not end on its line.",
    explanation: "A string ends on the line on which it starts. For a longer text write a text block: `\"\"\"` at the end of a line opens it, and `\"\"\"` at the start of a line closes it.",
    bad: "agent triager() {\n  model nano\n  system \"You classify tickets.\n}\n",
    good: "agent triager() {\n  model nano\n  system \"You classify tickets.\"\n}\n",
};

/// A text block that is not closed.
pub static OPEN_TEXT_BLOCK: Code = Code {
    id: "open-text-block",
    severity: Severity::Error,
    summary: "A text block that is not closed.",
    explanation: "A text block opens with `\"\"\"` at the end of a line and closes with `\"\"\"` at the start of a line. If the second one is missing, the text is assumed to end before the next line that looks like the start of an item.",
    bad: "prompt hello() \"\"\"\n  Say hello.\n",
    good: "prompt hello() \"\"\"\n  Say hello.\n  \"\"\"\n",
};

/// Quotes of a text block in a wrong place.
pub static TEXT_BLOCK_LAYOUT: Code = Code {
    id: "text-block-layout",
    severity: Severity::Error,
    summary: "The quotes of a text block are in the wrong position.",
    explanation: "The `\"\"\"` that opens a text block is the last thing on its line, and the one that closes it is the first thing on its line. The indentation of the closing quotes is removed from every line. Write a single line of text as a string.",
    bad: "prompt hello() \"\"\"Say hello.\"\"\"\n",
    good: "prompt hello() \"Say hello.\"\n",
};

/// A comment that is not closed.
pub static OPEN_COMMENT: Code = Code {
    id: "open-comment",
    severity: Severity::Error,
    summary: "A comment that is not closed.",
    explanation: "A comment that starts with `/*` ends with `*/`. Such comments nest, so each `/*` inside needs its own `*/`. A comment to the end of the line starts with `//`.",
    bad: "type A { x: int }\n\n/* Not yet: type B { y: int }\n",
    good: "type A { x: int }\n\n/* Not yet: type B { y: int } */\n",
};

/// A semicolon.
pub static SEMICOLON: Code = Code {
    id: "semicolon",
    severity: Severity::Error,
    summary: "A semicolon.",
    explanation: "The language has no `;`. Entries in braces end with their line; write a comma between entries on one line, and between elements in brackets and parentheses.",
    bad: "type Point {\n  x: int;\n  y: int\n}\n",
    good: "type Point {\n  x: int\n  y: int\n}\n",
};

/// Brackets that nest too deep.
pub static NESTING_TOO_DEEP: Code = Code {
    id: "nesting-too-deep",
    severity: Severity::Error,
    summary: "Brackets are nested too deeply.",
    explanation: "Brackets and the type arguments of `map` can be nested at most 256 levels deep, and a type has at most 256 `[]`. The parser skips anything deeper. Declare types for inner parts, or make the value flatter.",
    bad: concat!(
        "type Deep = ",
        "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((",
        "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((",
        "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((",
        "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((",
        "(int)",
        "))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))",
        "))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))",
        "))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))",
        "))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))",
        "\n"
    ),
    good: "type Deep = ((int))\n",
};

/// A doc comment that describes nothing.
pub static MISPLACED_DOC: Code = Code {
    id: "misplaced-doc",
    severity: Severity::Error,
    summary: "A doc comment does not describe anything.",
    explanation: "Models read `///` comments. A `///` comment goes on lines of its own, directly before what it describes: an item, a parameter, a field, a value of an enum, a variant of a union, or a node. `//!` describes the file and goes before its first item. Write `//` for a comment for people only.",
    bad: "type Ticket {\n  id: uuid /// Given by the desk.\n}\n",
    good: "type Ticket {\n  /// Given by the desk.\n  id: uuid\n}\n",
};

/// Something stands where it cannot stand.
pub static UNEXPECTED_TOKEN: Code = Code {
    id: "unexpected-token",
    severity: Severity::Error,
    summary: "Unexpected text.",
    explanation: "The text does not match the grammar at this position. The parser skips as little as it can and continues, so the rest of the file is still checked; an item that was repaired in this way is not compiled.",
    bad: "type Point {\n  x: int,,\n  y: int\n}\n",
    good: "type Point {\n  x: int,\n  y: int\n}\n",
};

/// A form of another language.
pub static FOREIGN_FORM: Code = Code {
    id: "foreign-form",
    severity: Severity::Error,
    summary: "A form of another language is used.",
    explanation: "The text uses a word or a form of another language. The message names the form to use instead. \
        The rest of the item is checked as if that form had been written, but the item is not compiled.",
    bad: "tool ping()\n\nworkflow go() {\n  task a {\n    call ping\n  }\n  end done on a\n}\n",
    good: "tool ping()\n\nworkflow go() {\n  step a {\n    call ping\n  }\n  end done on a\n}\n",
};

/// A keyword that is misspelt.
pub static MISSPELT_KEYWORD: Code = Code {
    id: "misspelt-keyword",
    severity: Severity::Error,
    summary: "A keyword is misspelled.",
    explanation: "Only keywords can appear at this position, and this word is similar to one of them.",
    bad: "tool ping()\n\nworkflow go(ok: bool) {\n  step a on start wen .input.ok {\n    call ping\n  }\n  end done on a\n}\n",
    good: "tool ping()\n\nworkflow go(ok: bool) {\n  step a on start when .input.ok {\n    call ping\n  }\n  end done on a\n  end no on start else\n}\n",
};

/// Something is missing.
pub static MISSING_TOKEN: Code = Code {
    id: "missing-token",
    severity: Severity::Error,
    summary: "A required token is missing.",
    explanation: "The grammar requires something at this position: punctuation, a keyword, a name or a value. The parser continues as if it were there, so that incomplete text remains in the tree; an item that was repaired in this way is not compiled.",
    bad: "type Point {\n  x int\n}\n",
    good: "type Point {\n  x: int\n}\n",
};

/// A bracket that is not closed.
pub static UNCLOSED_BRACKET: Code = Code {
    id: "unclosed-bracket",
    severity: Severity::Error,
    summary: "A bracket is not closed.",
    explanation: "A `{`, `(` or `[` has no matching bracket. The message names what the bracket belongs to. If the indentation shows that a closing bracket was matched with the wrong one, the location is that of the bracket that needs one.",
    bad: "workflow go() {\n  step a {\n    call ping {\n  }\n  end done on a\n}\n\ntool ping()\n",
    good: "workflow go() {\n  step a {\n    call ping {}\n  }\n  end done on a\n}\n\ntool ping()\n",
};

/// An item that does not start on its own line.
pub static ITEM_ON_OWN_LINE: Code = Code {
    id: "item-on-own-line",
    severity: Severity::Error,
    summary: "An item does not start on its own line.",
    explanation: "A top-level item starts on its own line, with its name on the line of its keyword. This prevents a mistake in one item from affecting the next.",
    bad: "type A { x: int } type B { y: int }\n",
    good: "type A { x: int }\n\ntype B { y: int }\n",
};

/// A declaration without a keyword of the language.
pub static UNKNOWN_ITEM: Code = Code {
    id: "unknown-item",
    severity: Severity::Error,
    summary: "Something at the top level is not a declaration.",
    explanation: "At the top level there are only declarations, each of which starts with its keyword: `import`, `type`, `enum`, `union`, `error`, `event`, `external event`, `tool`, `signal tool`, `interaction tool`, `provider tool`, `toolkit`, `prompt`, `agent`, `workflow` or `test`.",
    bad: "typ Point { x: int }\n",
    good: "type Point { x: int }\n",
};

/// A declaration with a keyword that is reserved.
pub static RESERVED_ITEM: Code = Code {
    id: "reserved-item",
    severity: Severity::Error,
    summary: "The keyword of a declaration is reserved for later.",
    explanation: "The words `trigger`, `config`, `reactor`, `scroll` and `policy` will start items in a later version of the language: \
        schedules and events that start workflows, values of the environment, and subscriptions with handlers. They are free as names.",
    bad: "policy refunds { }\n",
    good: "type policy = int\n",
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
    &FOREIGN_FORM,
    &MISSPELT_KEYWORD,
    &MISSING_TOKEN,
    &UNCLOSED_BRACKET,
    &ITEM_ON_OWN_LINE,
    &UNKNOWN_ITEM,
    &RESERVED_ITEM,
];
