//! What can be wrong with declarations.

use weave_diagnostics::{Code, Severity};

macro_rules! codes {
    ($($name:ident { $id:literal, $summary:literal, $explanation:literal, bad: $bad:literal, good: $good:literal $(,)? })*) => {
        $(pub(crate) static $name: Code = Code {
            id: $id,
            severity: Severity::Error,
            summary: $summary,
            explanation: $explanation,
            bad: $bad,
            good: $good,
        };)*

        /// The codes of declarations.
        pub(crate) const CODES: &[&Code] = &[$(&$name),*];
    };
}

codes! {
    // ---- Names ---------------------------------------------------------------------------------------------------------
    DUPLICATE_DECLARATION {
        "duplicate-declaration",
        "Two declarations in a file have the same name.",
        "The types, enums, unions, errors, tools, toolkits, prompts, agents and workflows of a file share one namespace, and imports add to it. Topics have a namespace of their own. Rename one of the two, or import one under another name with `as`.",
        bad: "type Order { id: string }\n\nerror Order { reason: string }\n",
        good: "type Order { id: string }\n\nerror order_refused { reason: string }\n",
    }
    RESERVED_NAME {
        "reserved-name",
        "A declaration has the name of a built-in.",
        "The scalar types, `json` and `map` mean the same in every file, and so do the built-in failure kinds, the built-in topics and the literals `true`, `false` and `null`. No declaration can have the name of a literal. A type, enum, union or error cannot have the name of a built-in type, an error cannot have the name of a failure kind, and a file cannot declare or import a built-in topic, because every file can use it without an import.",
        bad: "type timestamp { seconds: int }\n",
        good: "type Moment { seconds: int }\n",
    }
    UNKNOWN_NAME {
        "unknown-name",
        "A name refers to nothing.",
        "The name is not declared in this file, not imported, and not built in. Names are case-sensitive. To use a declaration of another file, write `import { Name } from \"./file.weave\"`.",
        bad: "type Order { customer: Customr }\n\ntype Customer { name: string }\n",
        good: "type Order { customer: Customer }\n\ntype Customer { name: string }\n",
    }
    UNKNOWN_TOPIC {
        "unknown-topic",
        "A topic is not declared.",
        "Each topic is declared once with `event`, which defines its payload; only built-in topics such as `ai.response` need no declaration. Topics of other files are imported like names.",
        bad: "event approval.requested { amount: decimal } -> approval.grantd\n\nexternal event approval.granted { by: string }\n",
        good: "event approval.requested { amount: decimal } -> approval.granted\n\nexternal event approval.granted { by: string }\n",
    }
    WRONG_KIND {
        "wrong-kind",
        "A name refers to the wrong kind of declaration.",
        "A type is required for a field, parameter, output or payload: a `type`, `enum`, `union` or `error`. The `tools` of an agent or a toolkit list tools, toolkits, agents and workflows; `prompt` takes a prompt; `fails` takes errors.",
        bad: "tool find_order(order_id: string) -> string\n\ntype Order { found: find_order }\n",
        good: "tool find_order(order_id: string) -> string\n\ntype Order { found: string }\n",
    }

    // ---- Imports -------------------------------------------------------------------------------------------------------
    UNKNOWN_IMPORT {
        "unknown-import",
        "An import refers to a name that the other file does not declare.",
        "Everything that a file declares at its top level can be imported by its name; topics are imported with their dots.",
        bad: "import { Custmer } from \"./shop.weave\"\n\n// file: shop.weave\ntype Customer { name: string }\n",
        good: "import { Customer } from \"./shop.weave\"\n\n// file: shop.weave\ntype Customer { name: string }\n",
    }
    INDIRECT_IMPORT {
        "indirect-import",
        "An import refers to a name that the other file only imports.",
        "Imports are not re-exported: import the name from the file that declares it, so that a reader sees where it comes from.",
        bad: "import { Customer } from \"./shop.weave\"\n\n// file: shop.weave\nimport { Customer } from \"./customer.weave\"\n\n\
              type Order { by: Customer }\n\n// file: customer.weave\ntype Customer { name: string }\n",
        good: "import { Customer } from \"./customer.weave\"\n\n// file: customer.weave\ntype Customer { name: string }\n",
    }
    SELF_IMPORT {
        "self-import",
        "A file imports itself.",
        "A declaration can be used everywhere in its own file, before and after it, without an import.",
        bad: "import { Order } from \"./input.weave\"\n\ntype Order { id: string }\n",
        good: "type Order { id: string }\n",
    }
    TOPIC_ALIAS {
        "topic-alias",
        "An import gives a topic another name.",
        "A topic is a contract between systems and has the same name everywhere; `as` works only for names without dots.",
        bad: "import { order.placed as placed } from \"./shop.weave\"\n\n// file: shop.weave\nevent order.placed { id: string }\n",
        good: "import { order.placed } from \"./shop.weave\"\n\n// file: shop.weave\nevent order.placed { id: string }\n",
    }

    // ---- Types ---------------------------------------------------------------------------------------------------------
    DUPLICATE_ALTERNATIVE {
        "duplicate-alternative",
        "A union type lists the same alternative twice.",
        "A repeated alternative has no effect; another one was probably meant.",
        bad: "type Answer { verdict: \"yes\" | \"no\" | \"yes\" }\n",
        good: "type Answer { verdict: \"yes\" | \"no\" | \"unclear\" }\n",
    }
    DUPLICATE_WIRE_NAME {
        "duplicate-wire-name",
        "Two fields have the same name in JSON.",
        "`@wire` sets the name of a field in JSON. An object cannot have the same key twice.",
        bad: "type Order {\n  @wire(\"orderId\") id: string\n  orderId: string\n}\n",
        good: "type Order {\n  @wire(\"orderId\") id: string\n  number: string\n}\n",
    }
    RESERVED_KEY {
        "reserved-key",
        "A default has a key that generated code rejects.",
        "JavaScript objects treat `__proto__` specially, so generated Go, TypeScript and Python all reject it, even if the type allows it. With such a default, an object that omits the field could not be read.",
        bad: "type Page { tags: map<string> = { __proto__: \"x\" } }\n",
        good: "type Page { tags: map<string> = { proto: \"x\" } }\n",
    }
    CONSTRAINT_NOT_ALLOWED {
        "constraint-not-allowed",
        "A type has a constraint that does not apply to it.",
        "`string` takes `min`, `max` (its length) and `pattern`; `bytes` takes `min` and `max` (its length); `int`, `int64`, `float`, `decimal`, `timestamp`, `date` and `duration` take `min` and `max` or a range such as `1..100`; `T[]` takes `min`, `max` and `unique`; `map<T>` takes `min` and `max`. The other types take none; a named type is constrained where it is declared.",
        bad: "type Order { amount: decimal(pattern: \"^[0-9]+$\") }\n",
        good: "type Order { amount: decimal(min: 0) }\n",
    }
    CONSTRAINT_VALUE {
        "constraint-value",
        "The value of a constraint is not valid.",
        "A length or a number of entries is a non-negative integer. A bound has the type that it bounds. The minimum must not exceed the maximum, because no value would fit.",
        bad: "type Ticket { body: string(min: 10, max: 5) }\n",
        good: "type Ticket { body: string(min: 5, max: 10) }\n",
    }
    INVALID_PATTERN {
        "invalid-pattern",
        "A pattern is not a portable regular expression.",
        "JSON Schema validators and generated Go, TypeScript and Python all evaluate a pattern, so it may use only what they all interpret alike: literals, `.`, classes such as `[A-Z_]`, `\\d \\w \\s \\b`, `^ $`, groups, `|`, and repetitions. Look-around, back-references, named groups, flags and Unicode classes are not supported. A pattern that is too large to build is refused as well.\n\nEngines that backtrack, such as those of JavaScript and Python, take exponential time where a repetition can match the same text in several ways: `^(\\w+\\s?)*$` matches `ab` in one round or in two, and thirty letters in half a billion ways, all of which are tried when the rest does not match. Let each round begin or end with a character that nothing else in it matches: `^\\w+(\\s\\w+)*$`.",
        bad: "type Order { id: string(pattern: \"^(?=A)\") }\n",
        good: "type Order { id: string(pattern: \"^A\") }\n",
    }
    INFINITE_TYPE {
        "infinite-type",
        "A type has no finite value.",
        "A type may contain itself only if a finite value exists: through an optional field, a list or map that may be empty, or a union with another alternative.",
        bad: "type Comment { text: string, parent: Comment }\n",
        good: "type Comment { text: string, parent?: Comment }\n",
    }
    ALIAS_CYCLE {
        "alias-cycle",
        "An alias refers to itself.",
        "`type A = B` gives `B` another name. If such names form a cycle, none of them is a type.",
        bad: "type Reference = Link\n\ntype Link = Reference\n",
        good: "type Reference = Link\n\ntype Link = string\n",
    }
    VARIANT_TYPE {
        "variant-type",
        "A variant of a union cannot carry the tag.",
        "A value of a tagged union is the record of its variant plus one property, the tag, which identifies the variant. So each variant is a record without a field of that name. Write other alternatives with `|`.",
        bad: "union Payment { card: string, cash: { amount: decimal } }\n",
        good: "union Payment { card: { number: string }, cash: { amount: decimal } }\n",
    }
    ERROR_DATA {
        "error-data",
        "The data of an error is not written as fields.",
        "An error carries a record, whose fields follow its name in braces; an error without data has no braces.",
        bad: "type Reason { text: string }\n\nerror card_declined = Reason\n",
        good: "type Reason { text: string }\n\nerror card_declined { reason: Reason }\n",
    }
    TOO_MANY_LISTS {
        "too-many-lists",
        "A type has too many levels of nested lists.",
        "Every consumer of the type, in every language, would need the same nesting.",
        bad: "type Deep = int[][][][][][][][][][][][][][][][][][][][][][][][][][][][][][][][][]\n",
        good: "type Matrix = int[][]\n",
    }

    // ---- Attributes ----------------------------------------------------------------------------------------------------
    UNKNOWN_ATTRIBUTE {
        "unknown-attribute",
        "An attribute does not exist.",
        "The attributes are `@deprecated(\"reason\")`, `@secret`, `@wire(\"name\")` and `@allow(rule, \"reason\", until: \"2027-06-30\")`.",
        bad: "@depricated(\"use Order\")\ntype Purchase { id: string }\n",
        good: "@deprecated(\"use Order\")\ntype Purchase { id: string }\n",
    }
    MISPLACED_ATTRIBUTE {
        "misplaced-attribute",
        "An attribute is used where it has no effect.",
        "`@secret` and `@wire` belong to fields and parameters; `@deprecated` belongs to declarations, fields and the values of enums and unions; `@allow` may precede anything.",
        bad: "@secret\ntype Token { value: string }\n",
        good: "type Token { @secret value: string }\n",
    }
    ATTRIBUTE_ARGUMENTS {
        "attribute-arguments",
        "An attribute has wrong arguments.",
        "The attributes are `@deprecated(\"reason\")`, `@secret`, `@wire(\"name\")` and `@allow(rule, \"reason\", until: \"2027-06-30\")`; the date is optional.",
        bad: "@deprecated\ntype Purchase { id: string }\n",
        good: "@deprecated(\"use Order\")\ntype Purchase { id: string }\n",
    }
    DUPLICATE_ATTRIBUTE {
        "duplicate-attribute",
        "An attribute is repeated.",
        "Only `@allow` may be repeated before the same item, once for each rule.",
        bad: "@deprecated(\"use Order\") @deprecated(\"use Sale\")\ntype Purchase { id: string }\n",
        good: "@deprecated(\"use Order\")\ntype Purchase { id: string }\n",
    }

    // ---- Settings ------------------------------------------------------------------------------------------------------
    UNKNOWN_SETTING {
        "unknown-setting",
        "A setting does not exist here.",
        "Each kind of declaration has its own settings; the message lists them. Data for your application only goes into `meta`.",
        bad: "tool refund(amount: decimal) { timeot 10s }\n",
        good: "tool refund(amount: decimal) { timeout 10s }\n",
    }
    SETTING_VALUE {
        "setting-value",
        "A setting has the wrong value.",
        "A setting is a name and a value of one kind: a string, a duration, a number, one of a few words, a list of names, or a block.",
        bad: "tool refund(amount: decimal) { mode quiet }\n",
        good: "tool refund(amount: decimal) { mode silent }\n",
    }
    DUPLICATE_SETTING {
        "duplicate-setting",
        "A setting is repeated.",
        "Only `example` and `binding` may be repeated.",
        bad: "tool refund(amount: decimal) { timeout 10s, timeout 20s }\n",
        good: "tool refund(amount: decimal) { timeout 20s }\n",
    }
    MISSING_SETTING {
        "missing-setting",
        "A declaration lacks a required setting.",
        "An agent needs `model`, and `prompt` or `system` with instructions for the model. A provider tool needs `via`, which names the provider that runs it. A toolkit needs `tools`.",
        bad: "agent triager(ticket: string) { system \"You classify tickets.\" }\n",
        good: "agent triager(ticket: string) { model nano, system \"You classify tickets.\" }\n",
    }
    MISPLACED_SETTING {
        "misplaced-setting",
        "A setting has no effect for this kind of tool.",
        "A signal tool is decoded and never executed; a provider tool runs at the provider of the model; a person answers an interaction tool. Settings about execution, retries or location apply only to tools that the host executes.",
        bad: "signal tool escalate(reason: string) { timeout 10s }\n",
        good: "tool escalate(reason: string) { timeout 10s }\n",
    }
    CONFLICTING_SETTINGS {
        "conflicting-settings",
        "Two settings are mutually exclusive.",
        "A remote tool has one location: `at` an address, or `from` a server.",
        bad: "tool refund(amount: decimal) { at env(\"REFUND_URL\"), from mcp(\"shop\", \"refund\") }\n",
        good: "tool refund(amount: decimal) { at env(\"REFUND_URL\") }\n",
    }
    UNKNOWN_FAILURE {
        "unknown-failure",
        "A name is not a declared error or a built-in failure kind.",
        "`fails` lists the errors that a tool may fail with, and `on` in `retry` lists those that are retried. Both take declared errors and the built-in kinds `execution_error`, `invalid_input`, `invalid_output`, `timeout`, `denied`, `cancelled`, `unavailable`, `unknown_tool`, `non_local_tool`, `unknown_outcome`, `max_turns`, `elements`, `stalled` and `runaway`.",
        bad: "error card_declined { reason: string }\n\ntool refund(amount: decimal) { fails [card_decline] }\n",
        good: "error card_declined { reason: string }\n\ntool refund(amount: decimal) { fails [card_declined] }\n",
    }
    RETRY_ON {
        "retry-on",
        "A retry lists an error that cannot occur.",
        "A tool fails only with the errors in its `fails` and with the built-in kinds.",
        bad: "error busy\n\ntool refund(amount: decimal) { retry 3 { on [busy] } }\n",
        good: "error busy\n\ntool refund(amount: decimal) { fails [busy], retry 3 { on [busy] } }\n",
    }
    SIGNAL_OUTPUT {
        "signal-output",
        "A signal tool has an output.",
        "A signal is decoded and never executed, so it cannot return anything. A tool that a person answers later is an `interaction tool`.",
        bad: "signal tool escalate(reason: string) -> string\n",
        good: "interaction tool escalate(reason: string) -> string\n",
    }
    TOOLKIT_CYCLE {
        "toolkit-cycle",
        "A toolkit contains itself.",
        "A toolkit may list other toolkits, but not in a cycle.",
        bad: "toolkit desk { tools [office] }\n\ntoolkit office { tools [desk] }\n",
        good: "tool call(number: string)\n\ntoolkit desk { tools [office] }\n\ntoolkit office { tools [call] }\n",
    }
    TOOLKIT_ALIAS {
        "toolkit-alias",
        "A list of tools renames a toolkit.",
        "A toolkit is not a tool but a group of tools; its `namespace`, and `as` in its own list, set their names.",
        bad: "tool call(number: string)\n\ntoolkit desk { tools [call] }\n\nagent clerk() { model mini, system \"Help.\", tools [desk as help] }\n",
        good: "tool call(number: string)\n\ntoolkit desk { namespace \"help\", tools [call] }\n\nagent clerk() { model mini, system \"Help.\", tools [desk] }\n",
    }
    PROMPT_PARAMETERS {
        "prompt-parameters",
        "An agent lacks a parameter of its prompt.",
        "The prompt of an agent receives the agent's parameters of the same names. The agent must have each required parameter of the prompt (one without a default that is not optional), with a matching type.",
        bad: "prompt classify(ticket: string) \"\"\"\n  {{.ticket}}\n  \"\"\"\n\nagent triager(body: string) { model nano, prompt classify }\n",
        good: "prompt classify(ticket: string) \"\"\"\n  {{.ticket}}\n  \"\"\"\n\nagent triager(ticket: string) { model nano, prompt classify }\n",
    }
    HYDRATED_PARAMETER {
        "hydrated-parameter",
        "A prompt hydrates a value with the name of a parameter.",
        "The values after `hydrates` are looked up at run time and read like parameters, so the names must differ.",
        bad: "prompt answer(docs: string[]) hydrates { docs: string[] } \"\"\"\n  {{.docs}}\n  \"\"\"\n",
        good: "prompt answer(question: string) hydrates { docs: string[] } \"\"\"\n  {{.question}} {{.docs}}\n  \"\"\"\n",
    }
}
