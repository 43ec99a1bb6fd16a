//! Values, paths and placeholders.

use weave_diagnostics::Code;

use super::codes;

codes! {
    UNKNOWN_VALUE {
        "unknown-value",
        "A path starts with a name that does not exist there.",
        "In a workflow a leading dot refers to `.input`, the answer of a step (`.triage`), `.event`, `.failure`, or the variable of `each`. In a tool, a prompt or an agent it refers to a parameter.",
        bad: "workflow greet(name: string) -> string {\n  end done = \"Hello {{.inptu.name}}\"\n}\n",
        good: "workflow greet(name: string) -> string {\n  end done = \"Hello {{.input.name}}\"\n}\n",
    }
    MISSING_DOT {
        "missing-dot",
        "A path is written without its leading dot.",
        "A path with a leading dot is a value, a bare name is a declaration: `.input.ticket` reads the input, `input.ticket` would be the name of a declaration.",
        bad: "workflow greet(name: string) -> string {\n  end done = input.name\n}\n",
        good: "workflow greet(name: string) -> string {\n  end done = .input.name\n}\n",
    }
    SUPERFLUOUS_DOT {
        "superfluous-dot",
        "A name is written with a dot.",
        "Only values have a leading dot: values on the scroll, and parameters. The elements that `exists` and `all` bind, and the names of steps, are written without one.",
        bad: "workflow check(prices: int[]) -> bool {\n  end dear on start when .input.prices.exists(price, .price > 10) = true\n  end cheap on start else = false\n}\n",
        good: "workflow check(prices: int[]) -> bool {\n  end dear on start when .input.prices.exists(price, price > 10) = true\n  end cheap on start else = false\n}\n",
    }
    BARE_WORD {
        "bare-word",
        "A bare word is used as a value.",
        "A value is a literal or a path. A string needs quotes, even if its type is an enum or a list of literals: `status: \"refunded\"`. A path needs a leading dot: `status: .input.status`.",
        bad: "type Resolution { status: \"refunded\" | \"denied\" }\n\nworkflow close(id: string) -> Resolution {\n  end done = { status: refunded }\n}\n",
        good: "type Resolution { status: \"refunded\" | \"denied\" }\n\nworkflow close(id: string) -> Resolution {\n  end done = { status: \"refunded\" }\n}\n",
    }
    UNKNOWN_FIELD {
        "unknown-field",
        "A field is read or written that its type does not declare.",
        "Records are closed unless they end with `...`: they have only the declared fields.",
        bad: "type Order { id: string, total: int }\n\nworkflow pay(order: Order) -> int {\n  end done = .input.order.totl\n}\n",
        good: "type Order { id: string, total: int }\n\nworkflow pay(order: Order) -> int {\n  end done = .input.order.total\n}\n",
    }
    MISSING_FIELD {
        "missing-field",
        "An object lacks required fields.",
        "Every field is required unless it is optional (`name?: T`) or has a default (`name: T = \"x\"`). The same applies to the arguments of agents, tools and workflows, and to the payloads of events.",
        bad: "tool refund(order_id: string, amount: int)\n\nworkflow pay(id: string) {\n  step pay { call refund { order_id: .input.id } }\n  end done on pay\n}\n",
        good: "tool refund(order_id: string, amount: int)\n\nworkflow pay(id: string) {\n  step pay { call refund { order_id: .input.id, amount: 5 } }\n  end done on pay\n}\n",
    }
    NOT_READABLE {
        "not-readable",
        "A field or an element is read from a value that has none.",
        "Fields are read from records, maps and tagged unions, elements with `[0]` from lists, and `[]` follows directly after the name of a step: `.draft[]` is the list of all its answers.",
        bad: "workflow pay(id: string) -> string {\n  end done = .input.id.number\n}\n",
        good: "workflow pay(id: string) -> string {\n  end done = .input.id\n}\n",
    }
    UNAVAILABLE_VALUE {
        "unavailable-value",
        "A value is read in a node that does not have it.",
        "`.event` is the event that fired the node, so it cannot be read if the node fires at the start, on a join, or on a timeout. `.failure` exists only on nodes that fire on a `failure`, `.response` on nodes that fire on `ai.response`, `.result` on nodes that fire on `tool.result`.",
        bad: "workflow pay(id: string) -> string {\n  end done = .failure.message\n}\n",
        good: "workflow pay(id: string) -> string {\n  end done = .input.id\n}\n",
    }
    TYPE_MISMATCH {
        "type-mismatch",
        "A value has the wrong type.",
        "There are no implicit conversions, with three exceptions: an `int` fits a `float`; a `uuid`, `uri` or `email` fits a `string`; and a number literal takes the required numeric type. A string with placeholders accepts any value: `\"order {{.order.number}}\"`. A single placeholder yields the value itself with its type; only values that are strings in JSON anyway, such as a `decimal` or a `timestamp`, become a `string` that way: `\"{{.order.total}}\"`.",
        bad: "tool find_order(order_id: string) -> bool\n\nworkflow pay(number: int) {\n  step find { call find_order { order_id: .input.number } }\n  end done on find\n}\n",
        good: "tool find_order(order_id: string) -> bool\n\nworkflow pay(number: int) {\n  step find { call find_order { order_id: \"A-{{.input.number}}\" } }\n  end done on find\n}\n",
    }
    WRONG_FORMAT {
        "wrong-format",
        "A string does not have the format of its type.",
        "Some scalars are strings with a format: `uuid`, `uri`, `email`, `timestamp` and `date` (RFC 3339), `duration` (ISO 8601, or a literal such as `24h`), `decimal`, `int64`, and `bytes` (standard base64).",
        bad: "type Meeting { day: date = \"31.01.2027\" }\n",
        good: "type Meeting { day: date = \"2027-01-31\" }\n",
    }
    BROKEN_CONSTRAINT {
        "broken-constraint",
        "A constant violates a constraint of its type.",
        "Constraints such as `int(1..100)`, `string(pattern: \"^A-\")` and `T[](max: 5)` apply to every value. Values on the scroll are checked when they arrive; constants in the program are checked by the compiler.",
        bad: "type Retry { times: int(1..5) = 9 }\n",
        good: "type Retry { times: int(1..5) = 3 }\n",
    }
    MAY_BE_ABSENT {
        "may-be-absent",
        "A value that may be absent or null is used without a check.",
        "A field with `?` may be absent, a type with `| null` may be null, an element of a list or a key of a map may not exist. Such a value needs a default (`.note ?? \"none\"`), a guard (`when .note != null`), or a target that may be absent too. To read from it, write `?`: `.customer?.name`.",
        bad: "workflow greet(name?: string) -> string {\n  end done = .input.name\n}\n",
        good: "workflow greet(name?: string) -> string {\n  end done = .input.name ?? \"you\"\n}\n",
    }
}
