//! Guards.

use weave_diagnostics::Code;

use super::codes;

codes! {
    GUARD_TYPE {
        "guard-type",
        "An operator of a guard has operands of the wrong type.",
        "Guards are typed: `&&`, `||` and `!` require `bool`, comparisons require the same type on both sides, and `int`, `int64`, `float` and `decimal` never mix. A literal takes the type of the other operand: `.total > 100` works for each of them, and `.at < \"2027-01-01T00:00:00Z\"` for a `timestamp`.",
        bad: "workflow pay(count: int, weight: float) -> bool {\n  end heavy on start when .input.count < .input.weight = true\n  end light on start else = false\n}\n",
        good: "workflow pay(count: float, weight: float) -> bool {\n  end heavy on start when .input.count < .input.weight = true\n  end light on start else = false\n}\n",
    }
    NEVER_EQUAL {
        "never-equal",
        "A guard compares a value with a constant that it never has.",
        "An enum, a union of literals or the tag of a tagged union has a fixed set of values. A comparison with any other constant decides nothing and is usually a typing error.",
        bad: "workflow close(state: \"open\" | \"closed\") -> bool {\n  end yes on start when .input.state == \"opened\" = true\n  end no on start else = false\n}\n",
        good: "workflow close(state: \"open\" | \"closed\") -> bool {\n  end yes on start when .input.state == \"open\" = true\n  end no on start else = false\n}\n",
    }
    UNKNOWN_FUNCTION {
        "unknown-function",
        "A guard calls an unknown function or method.",
        "Guards are total and pure, so they have only a few functions: `size(x)` and `has(.path)`, the methods `contains`, `startsWith`, `endsWith` and `matches` of strings, `size()`, and `exists(x, …)` and `all(x, …)` of lists and maps. Use a tool for other computations.",
        bad: "workflow pay(id: string) -> bool {\n  end yes on start when .input.id.startWith(\"A\") = true\n  end no on start else = false\n}\n",
        good: "workflow pay(id: string) -> bool {\n  end yes on start when .input.id.startsWith(\"A\") = true\n  end no on start else = false\n}\n",
    }
    GUARD_CALL {
        "guard-call",
        "A function or a method of a guard has the wrong arguments.",
        "`size` and `has` take one value, the methods of strings take one string, and the argument of `matches` is a literal. `exists` and `all` take a name for the element and a condition on it: `.lines.exists(line, line.price > 10)`.",
        bad: "workflow pay(prices: int[]) -> bool {\n  end yes on start when .input.prices.exists(price > 10) = true\n  end no on start else = false\n}\n",
        good: "workflow pay(prices: int[]) -> bool {\n  end yes on start when .input.prices.exists(price, price > 10) = true\n  end no on start else = false\n}\n",
    }
    VARIABLE_TAKEN {
        "variable-taken",
        "A variable has a name that is already in use.",
        "The variable of `each` shares the leading dot with the steps and with `.input`, `.event` and so on, so it cannot have one of their names. Nested quantifiers need different variables.",
        bad: "tool fetch(url: uri)\n\nworkflow crawl(urls: uri[]) {\n  step fetch each .input.urls as fetch { call fetch { url: .fetch } }\n  end done on fetch\n}\n",
        good: "tool fetch(url: uri)\n\nworkflow crawl(urls: uri[]) {\n  step fetch each .input.urls as url { call fetch { url: .url } }\n  end done on fetch\n}\n",
    }
}
