//! What can be wrong with tools as models are offered them, and with the names of what is generated.

use weave_diagnostics::{Code, Severity};

/// The codes of tools.
pub(crate) const CODES: &[&Code] =
    &[&TOOL_NAME_CLASH, &TOO_MANY_TOOLS, &TOOL_NAME, &INTERNAL_TOOL, &DUPLICATE_TOOL_ID, &PARAMETER_NAME, &TARGET_NAME_CLASH];

pub(crate) static TOOL_NAME_CLASH: Code = Code {
    id: "tool-name-clash",
    severity: Severity::Error,
    summary: "An agent or a toolkit has two tools with the same name.",
    explanation: "A model identifies tools by their names alone. The names come from the declarations, from `as` in a list of tools, and from the namespaces of toolkits (`desk__find`). Two tools with the same name are rejected, and so are names that differ only in case, because some providers and many readers confuse them. This includes provider tools, which would be hidden by another tool of the same name.\n\nThe same tool in two toolkits is offered once, provided that both use the same middleware.",
    bad: "\
tool find(query: string) -> string[]
tool search(query: string) -> string[]

agent writer(topic: string) { model mini, system \"Write.\", tools [find, search as find] }
",
    good: "\
tool find(query: string) -> string[]
tool search(query: string) -> string[]

agent writer(topic: string) { model mini, system \"Write.\", tools [find, search] }
",
};

pub(crate) static TOO_MANY_TOOLS: Code = Code {
    id: "too-many-tools",
    severity: Severity::Error,
    summary: "An agent is offered more tools than a definition may list.",
    explanation: "A definition lists each tool that a model is offered, with toolkits expanded, and at most 1,000 of them. No model can choose from so many. A toolkit that includes another one twice, with two namespaces, contains its tools twice, and toolkits of such toolkits contain them four times, eight times, …",
    bad: include_str!("examples/too_many_tools.weave"),
    good: "\
tool find(query: string) -> string[]

toolkit kit { namespace \"kit\", tools [find] }

agent writer(topic: string) { model mini, system \"Write.\", tools [kit, find] }
",
};

pub(crate) static TOOL_NAME: Code = Code {
    id: "tool-name",
    severity: Severity::Error,
    summary: "A tool has a name that a provider would reject, or that could be confused with another one.",
    explanation: "The name of a tool that is offered to a model, including all namespaces, consists of at most 64 letters, digits, `_` and `-`, and starts with a letter or `_`: all providers accept that. `__` separates a namespace from a name (`desk__find`), so neither of them may contain it.",
    bad: "\
tool find(query: string) -> string[]

toolkit desk { namespace \"service desk\", tools [find] }
",
    good: "\
tool find(query: string) -> string[]

toolkit desk { namespace \"service_desk\", tools [find] }
",
};

pub(crate) static INTERNAL_TOOL: Code = Code {
    id: "internal-tool",
    severity: Severity::Error,
    summary: "An agent lists a tool that is never offered to a model.",
    explanation: "Only steps of workflows call a tool with `activation internal`. In a toolkit it is listed with the tools that are implemented together and is left out when an agent uses the toolkit; in the list of an agent it has no effect.",
    bad: "\
tool settle(order_id: string) { activation internal }

agent clerk(order_id: string) { model mini, system \"Help.\", tools [settle] }
",
    good: "\
tool settle(order_id: string) { activation internal }
tool find(order_id: string) -> string

toolkit orders { tools [settle, find] }

agent clerk(order_id: string) { model mini, system \"Help.\", tools [orders] }
",
};

pub(crate) static DUPLICATE_TOOL_ID: Code = Code {
    id: "duplicate-tool-id",
    severity: Severity::Error,
    summary: "Two tools have the same `id`.",
    explanation: "The `id` of a tool identifies it in grants, logs and catalogs, whatever its name is, so each tool of a program has its own `id`.",
    bad: "\
tool find(query: string) -> string[] { id \"tool:shop.find\" }
tool search(query: string) -> string[] { id \"tool:shop.find\" }
",
    good: "\
tool find(query: string) -> string[] { id \"tool:shop.find\" }
tool search(query: string) -> string[] { id \"tool:shop.search\" }
",
};

pub(crate) static PARAMETER_NAME: Code = Code {
    id: "parameter-name",
    severity: Severity::Warning,
    summary: "A parameter of an offered tool has a name that not every provider accepts.",
    explanation: "In JSON, the names of these parameters consist of at most 64 letters, digits and `_`, and do not start with a digit: all providers accept that. Some providers reject the whole request otherwise.",
    bad: "\
tool find(\"order-id\": string) -> string

agent clerk(question: string) { model mini, system \"Help.\", tools [find] }
",
    good: "\
tool find(order_id: string) -> string

agent clerk(question: string) { model mini, system \"Help.\", tools [find] }
",
};

pub(crate) static TARGET_NAME_CLASH: Code = Code {
    id: "target-name-clash",
    severity: Severity::Error,
    summary: "Two names collide in a language that code is generated for.",
    explanation: "Each target language has its own naming convention: `user_id` becomes `UserID` in Go and `userId` in TypeScript. Names that differ only in their case or underscores collide there: the fields of a record, the values of an enum, the variants of a union, the declarations of a file, the tools of a toolkit. Generated names count too: a tool `find` adds the types `FindInput` and `FindOutput`, a toolkit `Orders` adds an `OrdersService`.\n\nRename one of the two. A field keeps its JSON name with `@wire(\"userId\")`; `@go(name: \"…\")`, `@ts(name: \"…\")` and `@python(name: \"…\")` set the name in one language.",
    bad: "type Account { user_id: string, userId: string }\n",
    good: "type Account { user_id: string, @wire(\"userId\") legacy_id: string }\n",
};
