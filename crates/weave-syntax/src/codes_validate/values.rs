//! Values and guards.

use weave_diagnostics::{Code, Severity};

/// `.a + .b` in a value.
pub(crate) static COMPUTED_VALUE: Code = Code {
    id: "computed-value",
    severity: Severity::Error,
    summary: "A value is computed.",
    explanation: "A value is a literal, a path, or a list or an object of values; a string may contain placeholders. It has no operators and no calls: compute in a tool, and decide in a guard. Combine strings with placeholders: `\"Dear {{.input.name}}\"`.",
    bad: "workflow greet(name: string) -> string {\n  end greeted = \"Dear \" + .input.name\n}\n",
    good: "workflow greet(name: string) -> string {\n  end greeted = \"Dear {{.input.name}}\"\n}\n",
};

/// `.a ?? .b`.
pub(crate) static BAD_DEFAULT: Code = Code {
    id: "bad-default",
    severity: Severity::Error,
    summary: "`??` is not between a path and a literal.",
    explanation: "`.path ?? literal` is the value of the path, or the literal if the path has no value. To choose between two paths, use two nodes with guards.",
    bad: "workflow greet(name?: string, title: string) -> string {\n  end greeted = .input.name ?? .input.title\n}\n",
    good: "workflow greet(name?: string, title: string) -> string {\n  end greeted = .input.name ?? \"you\"\n}\n",
};

/// `.a[1.5]`.
pub(crate) static BAD_INDEX: Code = Code {
    id: "bad-index",
    severity: Severity::Error,
    summary: "An index is not an integer.",
    explanation: "Lists are indexed by integers from 0: `.plan.steps[0]`.",
    bad: "workflow first(names: string[]) -> string {\n  end done = .input.names[0.5] ?? \"nobody\"\n}\n",
    good: "workflow first(names: string[]) -> string {\n  end done = .input.names[0] ?? \"nobody\"\n}\n",
};

/// `a < b < c`.
pub(crate) static COMPARISON_CHAIN: Code = Code {
    id: "comparison-chain",
    severity: Severity::Error,
    summary: "Comparisons are chained.",
    explanation: "A comparison yields true or false, so the next operator would compare that. Write two comparisons joined by `&&`: `0 < .a && .a < 10`.",
    bad: "workflow check(a: int) -> bool {\n  end small on start when 0 < .input.a < 10 = true\n  end other on start else = false\n}\n",
    good: "workflow check(a: int) -> bool {\n  end small on start when 0 < .input.a && .input.a < 10 = true\n  end other on start else = false\n}\n",
};

/// `??` in a guard.
pub(crate) static COALESCE_IN_GUARD: Code = Code {
    id: "coalesce-in-guard",
    severity: Severity::Error,
    summary: "A guard contains `??`.",
    explanation: "In a guard an absent value equals null, so it needs no default: `.a == null || .a > 3`, or `has(.a)`.",
    bad: "workflow check(a?: int) -> bool {\n  end small on start when (.input.a ?? 0) < 10 = true\n  end other on start else = false\n}\n",
    good: "workflow check(a?: int) -> bool {\n  end small on start when .input.a != null && .input.a < 10 = true\n  end other on start else = false\n}\n",
};

/// `{ … }` in a guard.
pub(crate) static OBJECT_IN_GUARD: Code = Code {
    id: "object-in-guard",
    severity: Severity::Error,
    summary: "A guard contains an object.",
    explanation: "A guard compares single values; compare the fields of an object separately: `.a.x == 1 && .a.y == 2`.",
    bad: "type Point { x: int, y: int }\nworkflow check(at: Point) -> bool {\n  end home on start when .input.at == ({ x: 0, y: 0 }) = true\n  end other on start else = false\n}\n",
    good: "type Point { x: int, y: int }\nworkflow check(at: Point) -> bool {\n  end home on start when .input.at.x == 0 && .input.at.y == 0 = true\n  end other on start else = false\n}\n",
};

/// `"{{.a}}"` in a guard.
pub(crate) static PLACEHOLDER_IN_GUARD: Code = Code {
    id: "placeholder-in-guard",
    severity: Severity::Warning,
    summary: "A string in a guard looks like a placeholder.",
    explanation: r"Strings in guards are plain: `{{` opens no placeholder there. Compare with the path itself: `.a == .b`. Braces that are meant as such are written `\{{`.",
    bad: "workflow check(a: string, b: string) -> bool {\n  end same on start when .input.a == \"{{.input.b}}\" = true\n  end other on start else = false\n}\n",
    good: "workflow check(a: string, b: string) -> bool {\n  end same on start when .input.a == .input.b = true\n  end other on start else = false\n}\n",
};
