//! The diagnostics of this crate.

pub(crate) mod strict;

use weave_diagnostics::{Code, Severity};

/// All codes of this crate.
pub(crate) static CODES: &[&Code] = &[
    &IMPORT_NOT_FOUND,
    &IMPORT_UNREADABLE,
    &SAME_NAME,
    &WORKFLOW_RUNS_ITSELF,
    &COMPUTED_TIMEOUT,
    &DEEP_GUARD,
    &strict::STRICT_MAP,
    &strict::STRICT_OPEN,
    &strict::STRICT_UNION,
    &strict::STRICT_SIZE,
];

pub(crate) static IMPORT_NOT_FOUND: Code = Code {
    id: "import-not-found",
    severity: Severity::Error,
    summary: "An import names a file that does not exist.",
    explanation: "\
The path behind `from` is relative to the file that the import stands in, with `/` between folders. `./shop.weave` lies beside it,
`../shop.weave` in the folder above. The message says where the file was looked for.

Names from a file that is missing are not reported again where they are used.",
    bad: "import { Order } from \"./shop.weave\"\n\ntype Basket { orders: Order[] }\n",
    good: "import { Order } from \"./shop.weave\"\n\ntype Basket { orders: Order[] }\n// file: shop.weave\ntype Order { id: string }\n",
};

pub(crate) static IMPORT_UNREADABLE: Code = Code {
    id: "import-unreadable",
    severity: Severity::Error,
    summary: "An imported file is there, but cannot be read as text.",
    explanation: "\
The file exists, but its text cannot be had: it is a folder, the permission to read it is missing, it is not UTF-8, or it is too large.
The message says which.",
    bad: "import { Order } from \"./shop.weave\"\n\ntype Basket { orders: Order[] }\n// file: shop.weave (permission denied)\n",
    good: "import { Order } from \"./shop.weave\"\n\ntype Basket { orders: Order[] }\n// file: shop.weave\ntype Order { id: string }\n",
};

pub(crate) static SAME_NAME: Code = Code {
    id: "same-name-in-definition",
    severity: Severity::Error,
    summary: "Two different declarations of one name reach the definition of one workflow.",
    explanation: "\
A definition is one document that carries all that its nodes use, each under the name that it was declared with. In a program of several
files two tools, agents, prompts, events, errors or workflows may have one name; in one definition they would be taken for each other. (A tool,
an agent and a workflow can all be offered to a model, so they share their names.)
`import { a as b }` gives a name to a file, not to the definition, so one of the declarations must be renamed.

Types may share a name: the definition tells them apart by itself.",
    bad: "\
import { critic } from \"./critic.weave\"

tool find(query: string) -> string[]

agent writer(topic: string) { model mini, system \"Write.\", tools [find] }

workflow write(topic: string) {
  step draft { ask writer { topic: .input.topic } }
  step check on draft { ask critic { text: .draft.text } }
  end done on check
}
// file: critic.weave
tool find(fact: string) -> bool

agent critic(text: string) { model mini, system \"Write.\", tools [find] }
",
    good: "\
import { critic } from \"./critic.weave\"

tool find(query: string) -> string[]

agent writer(topic: string) { model mini, system \"Write.\", tools [find] }

workflow write(topic: string) {
  step draft { ask writer { topic: .input.topic } }
  step check on draft { ask critic { text: .draft.text } }
  end done on check
}
// file: critic.weave
tool find_fact(fact: string) -> bool

agent critic(text: string) { model mini, system \"Write.\", tools [find_fact] }
",
};

pub(crate) static WORKFLOW_RUNS_ITSELF: Code = Code {
    id: "workflow-runs-itself",
    severity: Severity::Error,
    summary: "A workflow runs itself, directly or by way of others.",
    explanation: "\
A definition pins each workflow that it runs by the digest of that workflow's definition, so that a run never meets a child that was
changed meanwhile. A workflow that runs itself would need its own digest before it is known.

Repeat steps with an edge that goes back and a `limit`.",
    bad: "\
workflow count(n: int) {
  step again { run count { n: .input.n } }
  end done on again
}
",
    good: "\
workflow once(n: int) {
  end done
}

workflow count(n: int) {
  step child { run once { n: .input.n } }
  end done on child
}
",
};

pub(crate) static DEEP_GUARD: Code = Code {
    id: "deep-guard",
    severity: Severity::Error,
    summary: "A guard is nested too deep.",
    explanation: "\
A guard stands in the definition as a tree of JSON, and readers of JSON bound how deep that may be. Long chains of one operator are no
trouble, for they stand side by side; operators that take turns (`+`, `-`, `+`, …) and parentheses stand in one another.",
    bad: include_str!("examples/deep_guard.weave"),
    good: "\
workflow count(n: int) {
  end many on start when .input.n + 1 - 2 + 3 > 4
  end few on start else
}
",
};

pub(crate) static COMPUTED_TIMEOUT: Code = Code {
    id: "computed-timeout",
    severity: Severity::Error,
    summary: "The time of a timeout trigger is read from a value.",
    explanation: "\
The times of `timeout(…)` are fixed when the program is compiled: all timers of a step start with it, in the order of their lengths, so
that each runner starts the same ones. A time that is only known when the program runs is waited for by a step of its own, to
which other nodes can listen.",
    bad: "\
workflow remind(delay: duration) {
  step ask { emit ai.request { prompt: \"hello\" } }
  end answered on ask
  end late on timeout(ask, .input.delay)
}
",
    good: "\
workflow remind(delay: duration) {
  step ask { emit ai.request { prompt: \"hello\" } }
  step pause { wait .input.delay }
  end answered on ask
  end late on pause
}
",
};
