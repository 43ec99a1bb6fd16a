//! What can be wrong with tools as models are offered them, and with the names of what is generated.

use weave_diagnostics::{Code, Severity};

/// The codes of tools.
pub(crate) const CODES: &[&Code] =
    &[&TOOL_NAME_CLASH, &TOO_MANY_TOOLS, &TOOL_NAME, &INTERNAL_TOOL, &DUPLICATE_TOOL_ID, &PARAMETER_NAME, &TARGET_NAME_CLASH];

pub(crate) static TOOL_NAME_CLASH: Code = Code {
    id: "tool-name-clash",
    severity: Severity::Error,
    summary: "An agent or a toolkit has two tools under one name.",
    explanation: "\
A model tells tools apart by their names alone. The names come from the declarations, from `as` in a list of tools, and from the
namespaces of toolkits (`desk__find`). Two tools under one name are refused, and so are names that differ in upper and lower case only,
because some providers and many readers take them for one. That goes for a provider tool too, which another tool of its name would hide.

The same tool by way of two toolkits is offered once, provided that its calls go through the same middleware.",
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
    explanation: "\
A definition lists each tool that a model is offered, toolkits taken apart, and no more than 1,000 of them. No model can choose among so
many. A toolkit that takes in another one by two ways, with two namespaces, has its tools twice, and toolkits of such toolkits four
times, eight times, …",
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
    summary: "A tool has a name that a provider would refuse, or that could be taken for another one.",
    explanation: "\
What models are offered is called by letters, digits, `_` and `-`, beginning with a letter or `_`, and by no more than 64 of them with all
namespaces: that is what all providers take. `__` stands between a namespace and a name (`desk__find`), so it stands in neither of them.",
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
    summary: "An agent lists a tool that no model is offered.",
    explanation: "\
A tool with `activation internal` is called by steps of workflows only. In a toolkit it stands beside the tools that are implemented with it,
and is left out where an agent is offered the toolkit; the list of an agent has no use for it.",
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
    explanation: "\
The `id` of a tool identifies it whatever it is called, in grants, logs and catalogs; so no two tools of a program have the same one.",
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
    summary: "A parameter of an offered tool has a name that not every provider takes.",
    explanation: "\
The parameters of what a model is offered are called in JSON by letters, digits and `_`, not beginning with a digit, and by no more than 64
of them: that is what all providers take. Others refuse the whole request.",
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
    summary: "Two names are one in a language that code is generated in.",
    explanation: "\
Each language that code is generated in has its own way of writing names: `user_id` is `UserID` in Go and `userId` in TypeScript. Names that
differ in their writing only become one there: the fields of a record, the values of an enum, the variants of a union, the declarations of a
file, the tools of a toolkit. Generated names count too: a tool `find` brings the types `FindInput` and `FindOutput`, a toolkit `Orders` an
`OrdersService`.

Rename one of the two. A field keeps its name in JSON with `@wire(\"userId\")`; and `@go(name: \"…\")`, `@ts(name: \"…\")` and
`@python(name: \"…\")` choose the name in one language.",
    bad: "type Account { user_id: string, userId: string }\n",
    good: "type Account { user_id: string, @wire(\"userId\") legacy_id: string }\n",
};
