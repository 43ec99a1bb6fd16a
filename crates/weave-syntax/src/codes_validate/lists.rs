//! Entries of braces and lists, and the small words between them.

use weave_diagnostics::{Code, Severity};

/// Entries on one line without a comma.
pub(crate) static MISSING_COMMA: Code = Code {
    id: "missing-comma",
    severity: Severity::Error,
    summary: "Two entries on one line have no comma between them.",
    explanation: "Between entries in braces, the comma is optional only at the end of a line.",
    bad: "type Point { x: int y: int }\n",
    good: "type Point { x: int, y: int }\n",
};

/// Blanks in a path or topic.
pub(crate) static BLANK_IN_PATH: Code = Code {
    id: "blank-in-path",
    severity: Severity::Error,
    summary: "A path or a topic contains a space.",
    explanation: "A path or a topic is written without spaces: `.order.total`, `order.paid`. A dot after a space starts a new path.",
    bad: "event order. paid { total: int }\n",
    good: "event order.paid { total: int }\n",
};

/// One key twice in an object.
pub(crate) static DUPLICATE_KEY: Code = Code {
    id: "duplicate-key",
    severity: Severity::Error,
    summary: "An object has the same key twice.",
    explanation: "Each key of an object has one value. Remove one of the two entries, or rename it.",
    bad: "tool add(a: int) -> int {\n  example { a: 1, a: 2 } -> 3\n}\n",
    good: "tool add(a: int) -> int {\n  example { a: 1 } -> 3\n}\n",
};

/// One field or parameter twice.
pub(crate) static DUPLICATE_FIELD: Code = Code {
    id: "duplicate-field",
    severity: Severity::Error,
    summary: "Two fields or parameters have the same name.",
    explanation: "The fields of a record and the parameters of a declaration have distinct names. Remove one of the two, or rename it.",
    bad: "type Point { x: int, x: int }\n",
    good: "type Point { x: int, y: int }\n",
};

/// One enum value twice.
pub(crate) static DUPLICATE_ENUM_VALUE: Code = Code {
    id: "duplicate-enum-value",
    severity: Severity::Error,
    summary: "Two values of an enum have the same name or the same JSON string.",
    explanation: "The values of an enum have distinct names and distinct JSON strings; without `=`, the name is the string.",
    bad: "enum Tier { free, pro, paid = \"pro\" }\n",
    good: "enum Tier { free, pro, paid }\n",
};

/// One variant twice.
pub(crate) static DUPLICATE_VARIANT: Code = Code {
    id: "duplicate-variant",
    severity: Severity::Error,
    summary: "Two variants of a union have the same name.",
    explanation: "The name of a variant is the value of the tag of the union, so each variant has its own name.",
    bad: "type Card { number: string }\nunion Payment { card: Card, card: { iban: string } }\n",
    good: "type Card { number: string }\nunion Payment { card: Card, wire: { iban: string } }\n",
};

/// One name twice in a list that is a set.
pub static DUPLICATE_ENTRY: Code = Code {
    id: "duplicate-entry",
    severity: Severity::Error,
    summary: "A list names the same thing twice.",
    explanation: "A join, a `cancel`, a mailbox, the triggers of a node and the answers of an event name each step or topic only once, and so do lists in settings such as `hints`, `fails` and `tools`. Repeating a name has no effect; another one was probably meant.",
    bad: "event order.placed { id: string } -> order.paid | order.paid\nexternal event order.paid { id: string }\n",
    good: "event order.placed { id: string } -> order.paid\nexternal event order.paid { id: string }\n",
};

/// `hints: [...]`.
pub(crate) static SETTING_WITH_COLON: Code = Code {
    id: "setting-with-colon",
    severity: Severity::Error,
    summary: "A setting is written with a colon.",
    explanation: "Inside braces a colon means data, no colon means a setting: `name: string` is a field, `timeout 30s` is a setting.",
    bad: "tool count() -> int {\n  hints: [read_only]\n}\n",
    good: "tool count() -> int {\n  hints [read_only]\n}\n",
};

/// `meta { a "b" }`.
pub(crate) static DATA_WITHOUT_COLON: Code = Code {
    id: "data-without-colon",
    severity: Severity::Error,
    summary: "An entry has no colon.",
    explanation: "Inside braces a colon means data, no colon means a setting: the contents of `meta { … }` and `via NAME { … }` are data, `key: value`.",
    bad: "tool count() -> int {\n  meta { team \"shop\" }\n}\n",
    good: "tool count() -> int {\n  meta { team: \"shop\" }\n}\n",
};

/// `import { } from …`.
pub(crate) static EMPTY_IMPORT: Code = Code {
    id: "empty-import",
    severity: Severity::Error,
    summary: "An import lists no names.",
    explanation: "An import lists the names that it takes from the other file: `import { Customer } from \"./shop.weave\"`. An import without names has no effect; remove it.",
    bad: "import { } from \"./shop.weave\"\ntype Order { id: string }\n// file: shop.weave\ntype Customer { name: string }\n",
    good: "type Order { id: string }\n",
};

/// A path that no import can have.
pub(crate) static IMPORT_PATH: Code = Code {
    id: "import-path",
    severity: Severity::Error,
    summary: "The path of an import is not a relative path to a `.weave` file.",
    explanation: "The path of an import is relative to the importing file, starts with `./` or `../`, uses `/` on every system, and ends in `.weave`: `\"./shop.weave\"`, `\"../common/types.weave\"`.",
    bad: "import { Customer } from \"/shop.weave\"\ntype Order { customer: string }\n",
    good: "type Order { customer: string }\n",
};

/// `event Order.Placed`.
pub(crate) static BAD_TOPIC: Code = Code {
    id: "bad-topic",
    severity: Severity::Error,
    summary: "A topic does not consist of two or more lowercase words separated by dots.",
    explanation: "A topic has at least two segments, separated by dots; a segment starts with a lowercase letter and contains lowercase letters, digits and `_`: `order.placed`, `ai.request`. A name without a dot is never a topic.",
    bad: "event Order.Placed { id: string }\n",
    good: "event order.placed { id: string }\n",
};
