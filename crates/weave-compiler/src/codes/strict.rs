//! What providers refuse of the tools that models are offered.

use weave_diagnostics::{Code, Severity};

pub(crate) static STRICT_MAP: Code = Code {
    id: "strict-map",
    severity: Severity::Error,
    summary: "A strict tool takes a map, which no provider can hold a model to.",
    explanation: "\
A tool is strict unless it says otherwise: the model's provider lets the model write nothing but arguments that fit the tool's
schema. For that all names of fields must be known beforehand, so OpenAI and Anthropic refuse a schema with a map in it, at the
first request of the first agent that is offered the tool.

A list of entries with a key and a value says the same and is accepted. Or the tool says `strict false`: then the model sees the schema,
and may still get it wrong, which is the failure `invalid_input` of the call. Tools that no agent is offered are not concerned.",
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
    summary: "A strict tool takes `json` or an open record, which no provider can hold a model to.",
    explanation: "\
A tool is strict unless it says otherwise: the model's provider lets the model write nothing but arguments that fit the tool's
schema. OpenAI and Anthropic refuse a schema in which a value may be anything, or an object may have fields that are not declared.

Say what the value is, or let the tool say `strict false`. Tools that no agent is offered are not concerned.",
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
    summary: "A strict tool takes one of several records that begin with the same field.",
    explanation: "\
While a model writes the arguments of a strict tool, OpenAI follows the alternatives by the first field of each record. It
refuses a schema in which two of them begin with a field of one name, unless that field has one constant in each of them.

A tagged union has its tag first and is always accepted. Else let the records begin with different fields: their order means nothing.",
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
    summary: "The parameters of a strict tool are larger or deeper than a provider accepts.",
    explanation: "\
OpenAI takes schemas of strict tools with 5,000 fields at most, 1,000 values of enums, 10 records in one another, and 120,000
characters of names and values; the values of an enum with more than 250 of them may have 15,000 characters together. All types
that the parameters lead to count.

Split the tool up, take a string where an enum is very long, or let the tool say `strict false`.",
    bad: include_str!("../examples/strict_size.weave"),
    good: "\
type Address { city: string, street: { name: string, number: string } }

/// Finds a place.
tool find(at: Address)

agent guide(mail: string) { model mini, system \"Guide.\", tools [find] }
",
};
