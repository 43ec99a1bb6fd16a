//! Types, fields and constraints.

use weave_diagnostics::{Code, Severity};

/// `T?`.
pub(crate) static OPTIONAL_TYPE: Code = Code {
    id: "optional-type",
    severity: Severity::Error,
    summary: "A question mark follows a type.",
    explanation: "An optional field has a question mark after its name, `name?: T`. A nullable value has `null` in its type, `T | null`. The two differ: an absent field is not in the JSON at all.",
    bad: "type Order {\n  note: string?\n}\n",
    good: "type Order {\n  note?: string\n}\n",
};

/// `name?: T = value`.
pub(crate) static OPTIONAL_WITH_DEFAULT: Code = Code {
    id: "optional-with-default",
    severity: Severity::Error,
    summary: "A field has both a question mark and a default.",
    explanation: "A producer may omit a field with a default, and for a consumer it is never absent. So it has no question mark.",
    bad: "type Order {\n  currency?: string = \"EUR\"\n}\n",
    good: "type Order {\n  currency: string = \"EUR\"\n}\n",
};

/// `string(5)`.
pub(crate) static BARE_CONSTRAINT: Code = Code {
    id: "bare-constraint",
    severity: Severity::Error,
    summary: "A constraint has no name.",
    explanation: "A number alone does not say whether it is the minimum or the maximum: write `min: 5` or `max: 5`, or a range for numbers, `1..5`, `0..`, `..5`. A regular expression is `pattern: \"…\"`.",
    bad: "type Order {\n  note: string(200)\n}\n",
    good: "type Order {\n  note: string(max: 200)\n}\n",
};

/// `string(min: 1, min: 2)`.
pub(crate) static DUPLICATE_CONSTRAINT: Code = Code {
    id: "duplicate-constraint",
    severity: Severity::Error,
    summary: "A constraint is repeated.",
    explanation: "Each constraint of a type appears only once; a range `1..5` sets both `min` and `max`.",
    bad: "type Order {\n  note: string(max: 200, max: 100)\n}\n",
    good: "type Order {\n  note: string(max: 100)\n}\n",
};

/// `array<string>`.
pub(crate) static UNKNOWN_GENERIC: Code = Code {
    id: "unknown-generic",
    severity: Severity::Error,
    summary: "A type other than `map` has a type argument.",
    explanation: "A list of T is `T[]`, and `map<T>` maps strings to T. No other type takes a type argument.",
    bad: "type Order {\n  lines: array<string>\n}\n",
    good: "type Order {\n  lines: string[]\n}\n",
};

/// `enum A { b = 1 }`.
pub(crate) static ENUM_VALUE_NOT_A_STRING: Code = Code {
    id: "enum-value-not-a-string",
    severity: Severity::Error,
    summary: "The JSON value of an enum value is not a string.",
    explanation: "An enum is a set of strings; `=` sets the JSON string if it differs from the name. A set of numbers is a type of literals: `type Level = 1 | 2`.",
    bad: "enum Level { low = 1, high = 2 }\n",
    good: "type Level = 1 | 2\n",
};

/// `enum A { }`.
pub(crate) static EMPTY_ENUM: Code = Code {
    id: "empty-enum",
    severity: Severity::Error,
    summary: "An enum or a union is empty.",
    explanation: "An enum has at least one value, and a union has at least one variant; otherwise the type has no value.",
    bad: "enum Tier { }\n",
    good: "enum Tier { free }\n",
};

/// A default that is no literal.
pub(crate) static NOT_A_LITERAL: Code = Code {
    id: "not-a-literal",
    severity: Severity::Error,
    summary: "A default, an example or a constraint reads a value.",
    explanation: "Defaults, examples, constraints and the strings of enums are part of the declaration: they consist of literals, and lists and objects of literals. No run exists yet from which they could read.",
    bad: "type Order {\n  total: int\n  paid: int = .total\n}\n",
    good: "type Order {\n  total: int\n  paid: int = 0\n}\n",
};
