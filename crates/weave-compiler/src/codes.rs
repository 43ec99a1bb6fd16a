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
    explanation: "The path after `from` is relative to the importing file, with `/` between folders. `./shop.weave` is in the same folder, `../shop.weave` in the parent folder. The message shows where the compiler looked for the file.\n\nNames from a missing file are not reported again where they are used.",
    bad: "import { Order } from \"./shop.weave\"\n\ntype Basket { orders: Order[] }\n",
    good: "import { Order } from \"./shop.weave\"\n\ntype Basket { orders: Order[] }\n// file: shop.weave\ntype Order { id: string }\n",
};

pub(crate) static IMPORT_UNREADABLE: Code = Code {
    id: "import-unreadable",
    severity: Severity::Error,
    summary: "An imported file exists but cannot be read as text.",
    explanation: "The file exists, but it is a folder, its permissions forbid reading it, it is not UTF-8, or it is too large. The message gives the reason.",
    bad: "import { Order } from \"./shop.weave\"\n\ntype Basket { orders: Order[] }\n// file: shop.weave (permission denied)\n",
    good: "import { Order } from \"./shop.weave\"\n\ntype Basket { orders: Order[] }\n// file: shop.weave\ntype Order { id: string }\n",
};

pub(crate) static SAME_NAME: Code = Code {
    id: "same-name-in-definition",
    severity: Severity::Error,
    summary: "Two different declarations with the same name reach the definition of one workflow.",
    explanation: "A definition is one self-contained document: it includes everything that its nodes use, under the declared names. In a program of several files two tools, agents, prompts, events, errors or workflows may have the same name; in one definition they would be confused. (Tools, agents and workflows can all be offered to a model, so they share one namespace.) `import { a as b }` renames a declaration for one file, not for the definition, so one of the declarations must be renamed.\n\nTypes may share a name: the definition distinguishes them automatically.",
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
    summary: "A workflow runs itself, directly or through others.",
    explanation: "A definition pins each workflow that it runs by digest, so a run never meets a child that has changed since. A workflow that runs itself would need its own digest before it is known.\n\nTo repeat steps, use an edge that goes back and a `limit`.",
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
    summary: "A guard is nested too deeply.",
    explanation: "A definition stores a guard as a JSON tree, and JSON parsers limit its depth. Long chains of one operator are flat and cause no problem; alternating operators (`+`, `-`, `+`, …) and parentheses are nested.",
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
    summary: "The duration of a timeout trigger is not a constant.",
    explanation: "The durations of `timeout(…)` are fixed when the program is compiled: all timers of a step start with it, in the order of their durations, so that each runner starts the same ones. To wait for a duration that is known only at run time, use a step of its own, and let other nodes fire on it.",
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
