//! Strings, text blocks, numbers, durations and placeholders.

use weave_diagnostics::{Code, Severity};

/// A backslash that starts no escape.
pub(crate) static BAD_ESCAPE: Code = Code {
    id: "bad-escape",
    severity: Severity::Error,
    summary: "A backslash in a string does not start an escape sequence.",
    explanation: r#"Strings have the escapes of JSON: `\n`, `\t`, `\r`, `\b`, `\f`, `\"`, `\\`, `\/` and `\uXXXX`, where a character beyond `\uFFFF` is a pair of two
`\u`. In addition, `\{{` writes two literal braces. Write a literal backslash, as in a regular expression, twice."#,
    bad: r#"type Code {
  value: string(pattern: "^\d+$")
}
"#,
    good: r#"type Code {
  value: string(pattern: "^\\d+$")
}
"#,
};

/// Text left of a text block's closing quotes.
pub(crate) static TEXT_IN_MARGIN: Code = Code {
    id: "text-in-margin",
    severity: Severity::Error,
    summary: "A line of a text block is indented less than its closing quotes.",
    explanation: r#"The indentation of the closing `"""` is the margin of a text block: it is removed from every line. A line with text in the margin would lose that
text. Indent the line, or move the closing quotes to the left. Tabs and spaces are different characters: a margin of tabs does not match lines that are indented with spaces."#,
    bad: r#"prompt greet() """
  Greet the traveler.
Be brief.
  """
"#,
    good: r#"prompt greet() """
  Greet the traveler.
  Be brief.
  """
"#,
};

/// A number that JSON does not carry exactly.
pub(crate) static NUMBER_TOO_LARGE: Code = Code {
    id: "number-too-large",
    severity: Severity::Error,
    summary: "A number is too large to be represented exactly.",
    explanation: "Numbers go from -(2\u{2075}\u{b3} - 1) to 2\u{2075}\u{b3} - 1, because many programs that read JSON round larger ones. Numbers with a point or an exponent \
        are held to the same limits: beyond them a 64-bit float does not even tell neighbouring whole numbers apart. Nothing is ever rounded silently: an `int64` or a `decimal` beyond these limits is written as a string, which is also its form on the wire.",
    bad: "type Account {\n  number: int64 = 9007199254740993\n}\n",
    good: "type Account {\n  number: int64 = \"9007199254740993\"\n}\n",
};

/// A duration that says nothing.
pub(crate) static BAD_DURATION: Code = Code {
    id: "bad-duration",
    severity: Severity::Error,
    summary: "The units of a duration are in the wrong order, or the duration is too long.",
    explanation: "A duration is an integer and a unit: `ms`, `s`, `m`, `h` or `d`. Several units go from the largest to the smallest, each only once: `1h30m`. The longest duration is 315,576,000,000 seconds (`3652500d`), about ten thousand years.",
    bad: "tool count() -> int {\n  timeout 30s1m\n}\n",
    good: "tool count() -> int {\n  timeout 1m30s\n}\n",
};

/// `{{}}`.
pub(crate) static EMPTY_PLACEHOLDER: Code = Code {
    id: "empty-placeholder",
    severity: Severity::Error,
    summary: "A placeholder is empty.",
    explanation: r"A placeholder names a value with a path: `{{.name}}`. Write two literal braces as `\{{`.",
    bad: "prompt greet(name: string) \"\"\"\n  Greet {{}}, whose name is {{.name}}.\n  \"\"\"\n",
    good: "prompt greet(name: string) \"\"\"\n  Greet the traveler, whose name is {{.name}}.\n  \"\"\"\n",
};

/// `{{` without `}}`.
pub(crate) static UNCLOSED_PLACEHOLDER: Code = Code {
    id: "unclosed-placeholder",
    severity: Severity::Error,
    summary: "A `{{` has no `}}` on its line.",
    explanation: r"`{{` opens a placeholder, which `}}` closes on the same line: `{{.name}}`. Write two literal braces as `\{{`.",
    bad: "prompt greet(name: string) \"\"\"\n  Greet {{.name.\n  \"\"\"\n",
    good: "prompt greet(name: string) \"\"\"\n  Greet {{.name}}.\n  \"\"\"\n",
};

/// A placeholder with more than a path.
pub(crate) static BAD_PLACEHOLDER: Code = Code {
    id: "bad-placeholder",
    severity: Severity::Error,
    summary: "A placeholder contains something other than a path.",
    explanation: r#"A placeholder is a path, with an optional default after `??`: `{{.name}}`, `{{.name ?? "you"}}`. It has no operators and
no calls; compute other values in a tool. Write two literal braces as `\{{`."#,
    bad: "prompt total(net: int, tax: int) \"\"\"\n  The total is {{.net + .tax}}.\n  \"\"\"\n",
    good: "prompt total(net: int, tax: int) \"\"\"\n  The net amount is {{.net}}, the tax {{.tax}}.\n  \"\"\"\n",
};

/// `\"` in a placeholder.
pub(crate) static ESCAPED_QUOTE: Code = Code {
    id: "escaped-quote",
    severity: Severity::Error,
    summary: "A quote in a placeholder is escaped.",
    explanation: r#"The contents of a placeholder are source text, even inside a string: quotes in it are not escaped, `"Dear {{.name ?? "customer"}}"`."#,
    bad: r#"prompt greet(name?: string) "Greet {{.name ?? \"the traveler\"}}."
"#,
    good: r#"prompt greet(name?: string) "Greet {{.name ?? "the traveler"}}."
"#,
};
