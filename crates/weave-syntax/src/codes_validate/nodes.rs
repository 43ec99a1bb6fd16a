//! Nodes of workflows.

use weave_diagnostics::{Code, Severity};

/// A setting behind a node.
pub(crate) static SETTING_BEHIND_NODE: Code = Code {
    id: "setting-behind-node",
    severity: Severity::Error,
    summary: "A setting of a workflow comes after a node.",
    explanation: "The settings of a workflow come before its nodes, so that a reader sees them first.",
    bad: "workflow nap() {\n  step rest { wait 1h }\n  timeout 2h\n  end rested on rest\n}\n",
    good: "workflow nap() {\n  timeout 2h\n  step rest { wait 1h }\n  end rested on rest\n}\n",
};

/// A step that does nothing.
pub(crate) static MISSING_ACTION: Code = Code {
    id: "missing-action",
    severity: Severity::Error,
    summary: "A step has no action.",
    explanation: "A step has exactly one action, `ask`, `call`, `run`, `emit`, `wait` or `cancel`, or a value: `step total = .input.total`.",
    bad: "workflow nap() {\n  step rest { timeout 2h }\n  end rested on rest\n}\n",
    good: "workflow nap() {\n  step rest { wait 1h }\n  end rested on rest\n}\n",
};

/// A step that does several things.
pub(crate) static SEVERAL_ACTIONS: Code = Code {
    id: "several-actions",
    severity: Severity::Error,
    summary: "A step has more than one action.",
    explanation: "A step does one thing, so that its answer, its failure and its retries refer to that one thing. For two actions in sequence write two steps, the second one `on` the first; for two actions in parallel write two steps with the same trigger.",
    bad: "event bell.rung { }\nworkflow nap() {\n  step rest {\n    wait 1h\n    emit bell.rung { }\n  }\n  end rested on rest\n}\n",
    good: "event bell.rung { }\nworkflow nap() {\n  step rest { wait 1h }\n  step ring on rest { emit bell.rung { } }\n  end rested on ring\n}\n",
};

/// `end x on a { … }`.
pub(crate) static BLOCK_ON_END: Code = Code {
    id: "block-on-end",
    severity: Severity::Error,
    summary: "An `end` or a `fail` has a block.",
    explanation: "An `end` has at most an output, `= value`, and a `fail` at most a message, `= \"text\"`. Write a `step` before it for anything that must be done before the run ends.",
    bad: "workflow nap() -> { slept: bool } {\n  step rest { wait 1h }\n  end rested on rest { slept: true }\n}\n",
    good: "workflow nap() -> { slept: bool } {\n  step rest { wait 1h }\n  end rested on rest = { slept: true }\n}\n",
};

/// `each` on what has no action.
pub(crate) static MISPLACED_EACH: Code = Code {
    id: "misplaced-each",
    severity: Severity::Error,
    summary: "`each` is used on a node without an action.",
    explanation: "`each` repeats the action of a step for every element of a list. An `end`, a `fail` and a step with a value have no action to repeat.",
    bad: "workflow copy(names: string[]) -> string[] {\n  step all_names each .input.names as name = .name\n  end done on all_names = .input.names\n}\n",
    good: "workflow copy(names: string[]) -> string[] {\n  step all_names = .input.names\n  end done on all_names = .all_names\n}\n",
};

/// `limit 2 limit 3`.
pub(crate) static DUPLICATE_CLAUSE: Code = Code {
    id: "duplicate-clause",
    severity: Severity::Error,
    summary: "A node has the same clause twice.",
    explanation: "A node has `on`, `limit`, `each`, `parallel` and `min` at most once. Write several triggers after one `on`, separated by `|`.",
    bad: "workflow nap() {\n  step rest { wait 1h }\n  step doze { wait 2h }\n  end rested on rest on doze\n}\n",
    good: "workflow nap() {\n  step rest { wait 1h }\n  step doze { wait 2h }\n  end rested on rest | doze\n}\n",
};

/// `limit 0`.
pub(crate) static BAD_COUNT: Code = Code {
    id: "bad-count",
    severity: Severity::Error,
    summary: "A count is not an integer, or is out of range.",
    explanation: "`limit` and `parallel` count from 1, `min` from 0. `N of (a, b, c)` waits for at least one and at most all of the steps in its list.",
    bad: "workflow nap() {\n  step rest limit 0 { wait 1h }\n  end rested on rest\n}\n",
    good: "workflow nap() {\n  step rest limit 1 { wait 1h }\n  end rested on rest\n}\n",
};

/// `all()`.
pub(crate) static EMPTY_JOIN: Code = Code {
    id: "empty-join",
    severity: Severity::Error,
    summary: "A join has no steps.",
    explanation: "`all`, `settled` and `N of` list the steps that they wait for.",
    bad: "workflow nap() {\n  step rest { wait 1h }\n  end rested on all() | rest\n}\n",
    good: "workflow nap() {\n  step rest { wait 1h }\n  end rested on rest\n}\n",
};

/// `each x in .p`.
pub(crate) static EACH_IN: Code = Code {
    id: "each-in",
    severity: Severity::Error,
    summary: "A fan-out is written `each x in .list`.",
    explanation: "A fan-out names the list first and the element second: `each .input.urls as url`.",
    bad: "event page.wanted { url: string }\nworkflow visit(urls: string[]) {\n  step fetch each url in .input.urls { emit page.wanted { url: .url } }\n  end done on fetch\n}\n",
    good: "event page.wanted { url: string }\nworkflow visit(urls: string[]) {\n  step fetch each .input.urls as url { emit page.wanted { url: .url } }\n  end done on fetch\n}\n",
};

/// `each [1, 2] as x`.
pub(crate) static EACH_WITHOUT_PATH: Code = Code {
    id: "each-without-path",
    severity: Severity::Error,
    summary: "A fan-out does not iterate over a path.",
    explanation: "`each` is followed by the path of the list: `each .plan.urls as url`. Write a constant list as the value of a step: `step urls = [\"/a\", \"/b\"]`, `step fetch on urls each .urls as url { … }`.",
    bad: "event page.wanted { url: string }\nworkflow visit() {\n  step fetch each [\"/a\", \"/b\"] as url { emit page.wanted { url: .url } }\n  end done on fetch\n}\n",
    good: "event page.wanted { url: string }\nworkflow visit() {\n  step urls = [\"/a\", \"/b\"]\n  step fetch on urls each .urls as url { emit page.wanted { url: .url } }\n  end done on fetch\n}\n",
};

/// `fail x = 1`.
pub(crate) static FAIL_MESSAGE: Code = Code {
    id: "fail-message",
    severity: Severity::Error,
    summary: "The message of a `fail` is not a string.",
    explanation: "The name of a `fail` is the code of the error, and after `=` comes its message: a string, which may contain placeholders.",
    bad: "workflow nap(reason: string) {\n  step rest { wait 1h }\n  fail disturbed on rest = .input.reason\n}\n",
    good: "workflow nap(reason: string) {\n  step rest { wait 1h }\n  fail disturbed on rest = \"{{.input.reason}}\"\n}\n",
};

/// `end x on a when .ok = true`.
pub(crate) static ASSIGNMENT_IN_GUARD: Code = Code {
    id: "assignment-in-guard",
    severity: Severity::Warning,
    summary: "A guard that ends in a path is followed by `= true` or `= false`.",
    explanation: "`end done on check when .check.ok = true` has the guard `.check.ok` and the output `true`. If a comparison was meant, write `==`. If the output was meant, put the path in parentheses: `when (.check.ok) = true`.",
    bad: "workflow nap(tired: bool) -> bool {\n  step rest { wait 1h }\n  end rested on rest when .input.tired = true\n  end awake on rest else = false\n}\n",
    good: "workflow nap(tired: bool) -> bool {\n  step rest { wait 1h }\n  end rested on rest when .input.tired == true = true\n  end awake on rest else = false\n}\n",
};
