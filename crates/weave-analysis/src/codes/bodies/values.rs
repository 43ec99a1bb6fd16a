//! Values, paths and placeholders.

use weave_diagnostics::Code;

use super::codes;

codes! {
    UNKNOWN_VALUE {
        "unknown-value",
        "A path starts with a name that means nothing there.",
        "In a workflow a leading dot names `.input`, an answer of a step (`.triage`), `.event`, `.failure`, or the variable of `each`. In a tool, a prompt or an agent it names a parameter.",
        bad: "workflow greet(name: string) -> string {\n  end done = \"Hello {{.inptu.name}}\"\n}\n",
        good: "workflow greet(name: string) -> string {\n  end done = \"Hello {{.input.name}}\"\n}\n",
    }
    MISSING_DOT {
        "missing-dot",
        "A path is written without its leading dot.",
        "A leading dot is a value, a bare name is a declaration: `.input.ticket` reads the input, `input.ticket` would be the name of something that is declared.",
        bad: "workflow greet(name: string) -> string {\n  end done = input.name\n}\n",
        good: "workflow greet(name: string) -> string {\n  end done = .input.name\n}\n",
    }
    SUPERFLUOUS_DOT {
        "superfluous-dot",
        "A name is written with a dot.",
        "Only values have a leading dot: what lies on the scroll, and parameters. The element that `exists` and `all` bind, and the names of steps, are written without one.",
        bad: "workflow check(prices: int[]) -> bool {\n  end dear on start when .input.prices.exists(price, .price > 10) = true\n  end cheap on start else = false\n}\n",
        good: "workflow check(prices: int[]) -> bool {\n  end dear on start when .input.prices.exists(price, price > 10) = true\n  end cheap on start else = false\n}\n",
    }
    BARE_WORD {
        "bare-word",
        "A word stands where a value should be.",
        "A value is a literal or a path. A string has quotes, also where the type is an enum or a list of literals: `status: \"refunded\"`. A path has a leading dot: `status: .input.status`.",
        bad: "type Resolution { status: \"refunded\" | \"denied\" }\n\nworkflow close(id: string) -> Resolution {\n  end done = { status: refunded }\n}\n",
        good: "type Resolution { status: \"refunded\" | \"denied\" }\n\nworkflow close(id: string) -> Resolution {\n  end done = { status: \"refunded\" }\n}\n",
    }
    UNKNOWN_FIELD {
        "unknown-field",
        "A field is read or written that its type does not declare.",
        "Records are closed unless they end in `...`: they have the fields that are declared, and no others.",
        bad: "type Order { id: string, total: int }\n\nworkflow pay(order: Order) -> int {\n  end done = .input.order.totl\n}\n",
        good: "type Order { id: string, total: int }\n\nworkflow pay(order: Order) -> int {\n  end done = .input.order.total\n}\n",
    }
    MISSING_FIELD {
        "missing-field",
        "An object lacks fields that its type demands.",
        "Every field must be given that is not optional (`name?: T`) and has no default (`name: T = \"x\"`). The same holds for the arguments of agents, tools and workflows, and for the payloads of events.",
        bad: "tool refund(order_id: string, amount: int)\n\nworkflow pay(id: string) {\n  step pay { call refund { order_id: .input.id } }\n  end done on pay\n}\n",
        good: "tool refund(order_id: string, amount: int)\n\nworkflow pay(id: string) {\n  step pay { call refund { order_id: .input.id, amount: 5 } }\n  end done on pay\n}\n",
    }
    NOT_READABLE {
        "not-readable",
        "A part is read from a value that has no such parts.",
        "Fields are read from records, maps and tagged unions, elements with `[0]` from lists, and `[]` stands directly behind the name of a step: `.draft[]` is the list of all its answers.",
        bad: "workflow pay(id: string) -> string {\n  end done = .input.id.number\n}\n",
        good: "workflow pay(id: string) -> string {\n  end done = .input.id\n}\n",
    }
    UNAVAILABLE_VALUE {
        "unavailable-value",
        "A value is read on a node that does not have it.",
        "`.event` is what fired the node, so it cannot be read where a node fires at the start, when several steps are joined, or when a time has run out. `.failure` belongs to nodes on a `failure`, `.response` to nodes on `ai.response`, `.result` to nodes on `tool.result`.",
        bad: "workflow pay(id: string) -> string {\n  end done = .failure.message\n}\n",
        good: "workflow pay(id: string) -> string {\n  end done = .input.id\n}\n",
    }
    TYPE_MISMATCH {
        "type-mismatch",
        "A value has another type than the one that is wanted.",
        "Nothing is turned into another type by itself, with three exceptions: an `int` may stand for a `float`, a `uuid`, `uri` or `email` for a `string`, and a number literal takes the numeric type that it meets. Text with placeholders takes everything: `\"order {{.order.number}}\"`. A placeholder alone is the value itself, with its type; only what is a string on the wire anyway, such as a `decimal` or a `timestamp`, becomes a `string` that way: `\"{{.order.total}}\"`.",
        bad: "tool find_order(order_id: string) -> bool\n\nworkflow pay(number: int) {\n  step find { call find_order { order_id: .input.number } }\n  end done on find\n}\n",
        good: "tool find_order(order_id: string) -> bool\n\nworkflow pay(number: int) {\n  step find { call find_order { order_id: \"A-{{.input.number}}\" } }\n  end done on find\n}\n",
    }
    WRONG_FORMAT {
        "wrong-format",
        "A string is not in the format of its type.",
        "Some scalars are strings with a format: `uuid`, `uri`, `email`, `timestamp` and `date` (RFC 3339), `duration` (ISO 8601, or a literal such as `24h`), `decimal`, `int64`, and `bytes` (standard base64).",
        bad: "type Meeting { day: date = \"31.01.2027\" }\n",
        good: "type Meeting { day: date = \"2027-01-31\" }\n",
    }
    BROKEN_CONSTRAINT {
        "broken-constraint",
        "A constant breaks a constraint of its type.",
        "Constraints such as `int(1..100)`, `string(pattern: \"^A-\")` and `T[](max: 5)` hold for every value. What is read from the scroll is checked when it comes; what is written in the program is checked now.",
        bad: "type Retry { times: int(1..5) = 9 }\n",
        good: "type Retry { times: int(1..5) = 3 }\n",
    }
    MAY_BE_ABSENT {
        "may-be-absent",
        "A value is used that may be absent or null.",
        "A field with `?` may be absent, a type with `| null` may be null, an element of a list and a key of a map may not be there. Such a value needs a default (`.note ?? \"none\"`), a guard that asks for it (`when .note != null`), or a target that may be absent too. What is read from it needs a `?`: `.customer?.name`.",
        bad: "workflow greet(name?: string) -> string {\n  end done = .input.name\n}\n",
        good: "workflow greet(name?: string) -> string {\n  end done = .input.name ?? \"you\"\n}\n",
    }
}
