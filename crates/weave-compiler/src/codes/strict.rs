//! What providers refuse of the tools that models are offered.

use weave_diagnostics::{Code, Severity};

pub(crate) static STRICT_MAP: Code = Code {
    id: "strict-map",
    severity: Severity::Error,
    summary: "A strict tool takes a map, which no provider can enforce.",
    explanation: "A tool is strict by default: the provider lets the model write only arguments that fit the schema of the tool. This requires all field names to be known in advance, so OpenAI and Anthropic reject a schema with a map at the first request of the first agent that has the tool.\n\nA list of key-value entries is equivalent and is accepted. Or set `strict false` on the tool: the model then sees the schema but may violate it, which is the failure `invalid_input` of the call. Tools that no agent has are not affected.",
    bad: "\
/// Puts labels on an order.
tool label(order_id: string, labels: map<string>)

agent sorter(mail: string) { model mini, system \"Sort.\", tools [label] }
",
    good: "\
/// Puts labels on an order.
tool label(order_id: string, labels: { key: string, value: string }[])

agent sorter(mail: string) { model mini, system \"Sort.\", tools [label] }
",
};

pub(crate) static STRICT_OPEN: Code = Code {
    id: "strict-open",
    severity: Severity::Error,
    summary: "A strict tool takes `json` or an open record, which no provider can enforce.",
    explanation: "A tool is strict by default: the provider lets the model write only arguments that fit the schema of the tool. OpenAI and Anthropic reject a schema with a value of any type or with undeclared fields.\n\nDeclare the type of the value, or set `strict false` on the tool. Tools that no agent has are not affected.",
    bad: "\
/// Stores something.
tool store(name: string, value: json)

agent sorter(mail: string) { model mini, system \"Sort.\", tools [store] }
",
    good: "\
/// Stores something.
tool store(name: string, value: json) { strict false }

agent sorter(mail: string) { model mini, system \"Sort.\", tools [store] }
",
};

pub(crate) static STRICT_UNION: Code = Code {
    id: "strict-union",
    severity: Severity::Error,
    summary: "A strict tool takes one of several records that start with the same field.",
    explanation: "While a model writes the arguments of a strict tool, OpenAI distinguishes the alternatives by the first field of each record. It rejects a schema in which two of them start with a field of the same name, unless that field is a different constant in each of them.\n\nA tagged union starts with its tag and is always accepted. Otherwise let the records start with different fields: the order of fields has no meaning.",
    bad: "\
type Card { id: string, number: string }
type Transfer { id: string, iban: string }

/// Pays.
tool pay(by: Card | Transfer)

agent clerk(mail: string) { model mini, system \"Pay.\", tools [pay] }
",
    good: "\
type Card { id: string, number: string }
type Transfer { id: string, iban: string }

union Payment {
  card: Card
  transfer: Transfer
}

/// Pays.
tool pay(by: Payment)

agent clerk(mail: string) { model mini, system \"Pay.\", tools [pay] }
",
};

pub(crate) static STRICT_SIZE: Code = Code {
    id: "strict-size",
    severity: Severity::Error,
    summary: "The parameters of a strict tool are larger or more deeply nested than a provider accepts.",
    explanation: "OpenAI accepts schemas of strict tools with at most 5,000 fields, 1,000 enum values, 10 levels of nested records, and 120,000 characters of names and values; an enum with more than 250 values may have at most 15,000 characters. All types that the parameters refer to count.\n\nSplit the tool, use a string instead of a very long enum, or set `strict false` on the tool.",
    bad: include_str!("../examples/strict_size.weave"),
    good: "\
type Address { city: string, street: { name: string, number: string } }

/// Finds a place.
tool find(at: Address)

agent guide(mail: string) { model mini, system \"Guide.\", tools [find] }
",
};
