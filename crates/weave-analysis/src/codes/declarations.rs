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
        "Two declarations of a file have the same name.",
        "Types, enums, unions, errors, tools, toolkits, prompts, agents and workflows of a file share one space of names, and imports \
         bring names into it too. Topics have a space of their own. Rename one of the two, or import one under another name with `as`.",
        bad: "type Order { id: string }\n\nerror Order { reason: string }\n",
        good: "type Order { id: string }\n\nerror order_refused { reason: string }\n",
    }
    RESERVED_NAME {
        "reserved-name",
        "A declaration takes a name that is built in.",
        "The scalar types, `json` and `map` mean the same in every file, and so do the built-in failure kinds, the built-in topics and the literals \
         `true`, `false` and `null`, after which no declaration is called. \
         A type, enum, union or error cannot take the name of a built-in type, an error cannot take the name of a failure kind, and a \
         file cannot declare or import a built-in topic, because every file knows it anyway.",
        bad: "type timestamp { seconds: int }\n",
        good: "type Moment { seconds: int }\n",
    }
    UNKNOWN_NAME {
        "unknown-name",
        "A name refers to nothing.",
        "The name is neither declared in this file nor imported nor built in. Names are case-sensitive. What another file declares is \
         brought in with `import { Name } from \"./file.weave\"`.",
        bad: "type Order { customer: Customr }\n\ntype Customer { name: string }\n",
        good: "type Order { customer: Customer }\n\ntype Customer { name: string }\n",
    }
    UNKNOWN_TOPIC {
        "unknown-topic",
        "A topic is not declared.",
        "Each topic is declared once with `event`, which says what its payload is; only the built-in topics such as `ai.response` need no \
         declaration. Topics of other files are imported like names.",
        bad: "event approval.requested { amount: decimal } -> approval.grantd\n\nexternal event approval.granted { by: string }\n",
        good: "event approval.requested { amount: decimal } -> approval.granted\n\nexternal event approval.granted { by: string }\n",
    }
    WRONG_KIND {
        "wrong-kind",
        "A name refers to something that cannot stand there.",
        "A type is expected where a field, parameter, output or payload says what it holds: a `type`, `enum`, `union` or `error`. The list \
         of an agent's or a toolkit's `tools` takes tools, toolkits, agents and workflows; `prompt` takes a prompt; `fails` takes errors.",
        bad: "tool find_order(order_id: string) -> string\n\ntype Order { found: find_order }\n",
        good: "tool find_order(order_id: string) -> string\n\ntype Order { found: string }\n",
    }

    // ---- Imports -------------------------------------------------------------------------------------------------------
    UNKNOWN_IMPORT {
        "unknown-import",
        "An import takes a name that the other file does not declare.",
        "Everything that a file declares at its top level can be imported by its name; topics are imported with their dots.",
        bad: "import { Custmer } from \"./shop.weave\"\n\n// file: shop.weave\ntype Customer { name: string }\n",
        good: "import { Customer } from \"./shop.weave\"\n\n// file: shop.weave\ntype Customer { name: string }\n",
    }
    INDIRECT_IMPORT {
        "indirect-import",
        "An import takes a name that the other file only imports.",
        "Imports are not passed on: import the name from the file that declares it, so that one sees where it comes from.",
        bad: "import { Customer } from \"./shop.weave\"\n\n// file: shop.weave\nimport { Customer } from \"./customer.weave\"\n\n\
              type Order { by: Customer }\n\n// file: customer.weave\ntype Customer { name: string }\n",
        good: "import { Customer } from \"./customer.weave\"\n\n// file: customer.weave\ntype Customer { name: string }\n",
    }
    SELF_IMPORT {
        "self-import",
        "A file imports itself.",
        "What a file declares can be named everywhere in it, before and behind the declaration, without an import.",
        bad: "import { Order } from \"./input.weave\"\n\ntype Order { id: string }\n",
        good: "type Order { id: string }\n",
    }
    TOPIC_ALIAS {
        "topic-alias",
        "An import gives a topic another name.",
        "A topic is a contract between systems and has the same name everywhere; `as` works for names without dots.",
        bad: "import { order.placed as placed } from \"./shop.weave\"\n\n// file: shop.weave\nevent order.placed { id: string }\n",
        good: "import { order.placed } from \"./shop.weave\"\n\n// file: shop.weave\nevent order.placed { id: string }\n",
    }

    // ---- Types ---------------------------------------------------------------------------------------------------------
    DUPLICATE_ALTERNATIVE {
        "duplicate-alternative",
        "A union of types names the same alternative twice.",
        "An alternative that is there already changes nothing; most likely another one was meant.",
        bad: "type Answer { verdict: \"yes\" | \"no\" | \"yes\" }\n",
        good: "type Answer { verdict: \"yes\" | \"no\" | \"unclear\" }\n",
    }
    DUPLICATE_WIRE_NAME {
        "duplicate-wire-name",
        "Two fields have the same name on the wire.",
        "`@wire` says what a field is called in JSON. An object cannot have the same key twice.",
        bad: "type Order {\n  @wire(\"orderId\") id: string\n  orderId: string\n}\n",
        good: "type Order {\n  @wire(\"orderId\") id: string\n  number: string\n}\n",
    }
    RESERVED_KEY {
        "reserved-key",
        "A default has a key that generated code refuses.",
        "Objects of JavaScript treat `__proto__` as something else than a key, so generated Go, TypeScript and Python refuse it alike, whatever a \
         type admits. With such a default, nothing that leaves the field out could be read.",
        bad: "type Page { tags: map<string> = { __proto__: \"x\" } }\n",
        good: "type Page { tags: map<string> = { proto: \"x\" } }\n",
    }
    CONSTRAINT_NOT_ALLOWED {
        "constraint-not-allowed",
        "A type has a constraint that it cannot have.",
        "`string` takes `min`, `max` (its length) and `pattern`; `bytes` takes `min` and `max` (its length); `int`, `int64`, `float`, `decimal`, \
         `timestamp`, `date` and `duration` take `min` and `max` or a range such as `1..100`; `T[]` takes `min`, `max` and `unique`; `map<T>` takes \
         `min` and `max`. The other types take none; a declared type is constrained where it is declared.",
        bad: "type Order { amount: decimal(pattern: \"^[0-9]+$\") }\n",
        good: "type Order { amount: decimal(min: 0) }\n",
    }
    CONSTRAINT_VALUE {
        "constraint-value",
        "The value of a constraint does not fit.",
        "A length or a number of entries is a whole number that is not negative. A bound has the type that it bounds. The least value is not \
         greater than the greatest one, because nothing could fit then.",
        bad: "type Ticket { body: string(min: 10, max: 5) }\n",
        good: "type Ticket { body: string(min: 5, max: 10) }\n",
    }
    INVALID_PATTERN {
        "invalid-pattern",
        "A pattern is not a regular expression that is understood everywhere.",
        "A pattern is checked by JSON Schema validators and by generated Go, TypeScript and Python, so it may use what all of them read \
         alike: literals, `.`, classes such as `[A-Z_]`, `\\d \\w \\s \\b`, `^ $`, groups, `|`, and repetitions. Looking ahead or behind, \
         references back to groups, named groups, flags and Unicode classes are not among it.",
        bad: "type Order { id: string(pattern: \"^(?=A)\") }\n",
        good: "type Order { id: string(pattern: \"^A\") }\n",
    }
    INFINITE_TYPE {
        "infinite-type",
        "A type has no finite value.",
        "A type may contain itself as long as a value can come to an end somewhere: behind an optional field, in a list or a map that may be \
         empty, or in a union with another alternative.",
        bad: "type Comment { text: string, parent: Comment }\n",
        good: "type Comment { text: string, parent?: Comment }\n",
    }
    ALIAS_CYCLE {
        "alias-cycle",
        "An alias stands for itself.",
        "`type A = B` gives `B` another name. When such names lead back to where they started, none of them says what the type is.",
        bad: "type Reference = Link\n\ntype Link = Reference\n",
        good: "type Reference = Link\n\ntype Link = string\n",
    }
    VARIANT_TYPE {
        "variant-type",
        "A variant of a union cannot carry the tag.",
        "A value of a tagged union is the record of its variant with one more property, the tag, which says which variant it is. So each \
         variant is a record, and has no field of the tag's name. Other alternatives are written with `|`.",
        bad: "union Payment { card: string, cash: { amount: decimal } }\n",
        good: "union Payment { card: { number: string }, cash: { amount: decimal } }\n",
    }
    ERROR_DATA {
        "error-data",
        "The data of an error are not written as fields.",
        "An error carries a record, whose fields stand in braces behind its name; an error without data has no braces.",
        bad: "type Reason { text: string }\n\nerror card_declined = Reason\n",
        good: "type Reason { text: string }\n\nerror card_declined { reason: Reason }\n",
    }
    TOO_MANY_LISTS {
        "too-many-lists",
        "A type is a list of lists of lists, deeper than anything can use.",
        "Every reader of the type, in every language, would have to go that deep.",
        bad: "type Deep = int[][][][][][][][][][][][][][][][][][][][][][][][][][][][][][][][][]\n",
        good: "type Matrix = int[][]\n",
    }

    // ---- Attributes ----------------------------------------------------------------------------------------------------
    UNKNOWN_ATTRIBUTE {
        "unknown-attribute",
        "There is no such attribute.",
        "The attributes are `@deprecated(\"reason\")`, `@secret`, `@wire(\"name\")` and `@allow(rule, \"reason\", until: \"2027-06-30\")`.",
        bad: "@depricated(\"use Order\")\ntype Purchase { id: string }\n",
        good: "@deprecated(\"use Order\")\ntype Purchase { id: string }\n",
    }
    MISPLACED_ATTRIBUTE {
        "misplaced-attribute",
        "An attribute stands where it means nothing.",
        "`@secret` and `@wire` belong to fields and parameters, `@deprecated` to declarations, fields and the values of enums and unions; \
         `@allow` may stand before anything.",
        bad: "@secret\ntype Token { value: string }\n",
        good: "type Token { @secret value: string }\n",
    }
    ATTRIBUTE_ARGUMENTS {
        "attribute-arguments",
        "An attribute has wrong arguments.",
        "The attributes are `@deprecated(\"reason\")`, `@secret`, `@wire(\"name\")` and `@allow(rule, \"reason\", until: \"2027-06-30\")`, of \
         which the date may be left out.",
        bad: "@deprecated\ntype Purchase { id: string }\n",
        good: "@deprecated(\"use Order\")\ntype Purchase { id: string }\n",
    }
    DUPLICATE_ATTRIBUTE {
        "duplicate-attribute",
        "An attribute is given twice.",
        "Only `@allow` may stand several times before the same thing, once for each rule.",
        bad: "@deprecated(\"use Order\") @deprecated(\"use Sale\")\ntype Purchase { id: string }\n",
        good: "@deprecated(\"use Order\")\ntype Purchase { id: string }\n",
    }

    // ---- Settings ------------------------------------------------------------------------------------------------------
    UNKNOWN_SETTING {
        "unknown-setting",
        "There is no such setting here.",
        "Each kind of declaration has its own settings; the message lists them. Data that only your application understands goes into `meta`.",
        bad: "tool refund(amount: decimal) { timeot 10s }\n",
        good: "tool refund(amount: decimal) { timeout 10s }\n",
    }
    SETTING_VALUE {
        "setting-value",
        "A setting has a value that it cannot have.",
        "A setting is a name and a value of one kind: a string, a duration, a number, one of a few words, a list of names, or a block.",
        bad: "tool refund(amount: decimal) { mode quiet }\n",
        good: "tool refund(amount: decimal) { mode silent }\n",
    }
    DUPLICATE_SETTING {
        "duplicate-setting",
        "A setting is given twice.",
        "Only `example` and `binding` may be given several times.",
        bad: "tool refund(amount: decimal) { timeout 10s, timeout 20s }\n",
        good: "tool refund(amount: decimal) { timeout 20s }\n",
    }
    MISSING_SETTING {
        "missing-setting",
        "A declaration lacks a setting that it needs.",
        "An agent needs `model`, and `prompt` or `system`, so that the model is told something. A provider tool needs `via`, which says who \
         runs it. A toolkit needs `tools`.",
        bad: "agent triager(ticket: string) { system \"You classify tickets.\" }\n",
        good: "agent triager(ticket: string) { model nano, system \"You classify tickets.\" }\n",
    }
    MISPLACED_SETTING {
        "misplaced-setting",
        "A setting means nothing for this kind of tool.",
        "A signal tool is decoded and never executed; a provider tool runs at the model's provider; an interaction tool is answered by \
         somebody. What says how a tool is executed, retried or found has a meaning only for tools that are executed so.",
        bad: "signal tool escalate(reason: string) { timeout 10s }\n",
        good: "tool escalate(reason: string) { timeout 10s }\n",
    }
    CONFLICTING_SETTINGS {
        "conflicting-settings",
        "Two settings exclude each other.",
        "A remote tool lives at one place: `at` an address, or `from` a server.",
        bad: "tool refund(amount: decimal) { at env(\"REFUND_URL\"), from mcp(\"shop\", \"refund\") }\n",
        good: "tool refund(amount: decimal) { at env(\"REFUND_URL\") }\n",
    }
    UNKNOWN_FAILURE {
        "unknown-failure",
        "A name is neither a declared error nor a built-in failure kind.",
        "`fails` lists the errors that a tool may fail with, and `on` of `retry` those that are tried again. Both take declared errors and the built-in \
         kinds `execution_error`, `invalid_input`, `invalid_output`, `timeout`, `denied`, `cancelled`, `unavailable`, `unknown_tool`, `non_local_tool`, `unknown_outcome`, \
         `max_turns`, `elements`, `stalled` and `runaway`.",
        bad: "error card_declined { reason: string }\n\ntool refund(amount: decimal) { fails [card_decline] }\n",
        good: "error card_declined { reason: string }\n\ntool refund(amount: decimal) { fails [card_declined] }\n",
    }
    RETRY_ON {
        "retry-on",
        "A retry waits for an error that does not come.",
        "A tool fails only with the errors in its `fails` and with the built-in kinds.",
        bad: "error busy\n\ntool refund(amount: decimal) { retry 3 { on [busy] } }\n",
        good: "error busy\n\ntool refund(amount: decimal) { fails [busy], retry 3 { on [busy] } }\n",
    }
    SIGNAL_OUTPUT {
        "signal-output",
        "A signal tool has an output.",
        "A signal is decoded and never executed, so nothing can come back from it. A tool that somebody answers later is an `interaction tool`.",
        bad: "signal tool escalate(reason: string) -> string\n",
        good: "interaction tool escalate(reason: string) -> string\n",
    }
    TOOLKIT_CYCLE {
        "toolkit-cycle",
        "A toolkit contains itself.",
        "A toolkit may list other toolkits, as long as the list comes to an end.",
        bad: "toolkit desk { tools [office] }\n\ntoolkit office { tools [desk] }\n",
        good: "tool call(number: string)\n\ntoolkit desk { tools [office] }\n\ntoolkit office { tools [call] }\n",
    }
    TOOLKIT_ALIAS {
        "toolkit-alias",
        "A list of tools gives a toolkit another name.",
        "A toolkit is no tool but several; what they are called is said by its `namespace`, and by `as` in its own list.",
        bad: "tool call(number: string)\n\ntoolkit desk { tools [call] }\n\nagent clerk() { model mini, system \"Help.\", tools [desk as help] }\n",
        good: "tool call(number: string)\n\ntoolkit desk { namespace \"help\", tools [call] }\n\nagent clerk() { model mini, system \"Help.\", tools [desk] }\n",
    }
    PROMPT_PARAMETERS {
        "prompt-parameters",
        "An agent does not have what its prompt needs.",
        "The prompt of an agent gets the agent's parameters of the same names. Each parameter of the prompt that has no default and is not optional \
         must be one of the agent, with a type that fits.",
        bad: "prompt classify(ticket: string) \"\"\"\n  {{.ticket}}\n  \"\"\"\n\nagent triager(body: string) { model nano, prompt classify }\n",
        good: "prompt classify(ticket: string) \"\"\"\n  {{.ticket}}\n  \"\"\"\n\nagent triager(ticket: string) { model nano, prompt classify }\n",
    }
    HYDRATED_PARAMETER {
        "hydrated-parameter",
        "A prompt finds something under the name of a parameter.",
        "What stands behind `hydrates` is found at run time and read like a parameter, so the names must differ.",
        bad: "prompt answer(docs: string[]) hydrates { docs: string[] } \"\"\"\n  {{.docs}}\n  \"\"\"\n",
        good: "prompt answer(question: string) hydrates { docs: string[] } \"\"\"\n  {{.question}} {{.docs}}\n  \"\"\"\n",
    }
}
