//! What can be wrong with the graph of a workflow.

use weave_diagnostics::Code;

use super::bodies::codes;

codes! {
    MAY_NOT_HAVE_HAPPENED {
        "may-not-have-happened",
        "A node reads the answer of a step that may not have answered yet.",
        "`.lookup` may be read only where `lookup` must have answered: on every path from the start of the run to the node that reads it. The labels show the shortest path on which it has not. A failure or a timeout comes without an answer; with `1 of (a, b)` only one step has answered, and with `settled(a, b)` perhaps none; a plain external event may arrive before anything else.\n\nRead it as `.lookup?`, which may be absent, add a default with `??`, check it in the condition of the trigger (`when .lookup? != null`), or move the node after the answer.",
        bad: "tool find(id: string) -> { total: int }\n\nworkflow pay(id: string, known: bool) -> int {\n  step lookup on start when .input.known { call find { id: .input.id } }\n  step other on start else = 0\n  end done on lookup | other = .lookup.total\n}\n",
        good: "tool find(id: string) -> { total: int }\n\nworkflow pay(id: string, known: bool) -> int {\n  step lookup on start when .input.known { call find { id: .input.id } }\n  step other on start else = 0\n  end done on lookup | other = .lookup?.total ?? 0\n}\n",
    }
    NO_END {
        "no-end",
        "A workflow has neither an `end` nor a `fail`.",
        "A run ends when an `end` or a `fail` fires. Without one it deadlocks as soon as its last step has answered, and the runtime reports the failure `stalled`.",
        bad: "tool ping()\n\nworkflow watch() {\n  step ping { call ping {} }\n}\n",
        good: "tool ping()\n\nworkflow watch() {\n  step ping { call ping {} }\n  end done on ping\n}\n",
    }
    NEVER_SUCCEEDS {
        "never-succeeds",
        "A workflow declares an output, and all its runs fail.",
        "A run gives the declared output when an `end` fires. This workflow has none: each of its runs ends in a `fail`, or hangs. Add the `end`, or remove the output if the workflow is only there to fail.",
        bad: "tool check(id: string) -> bool\n\nworkflow look(id: string) -> bool {\n  step check { call check { id: .input.id } }\n  fail bad on check = \"{{.input.id}} is bad\"\n}\n",
        good: "tool check(id: string) -> bool\n\nworkflow look(id: string) -> bool {\n  step check { call check { id: .input.id } }\n  end good on check when .check == true = true\n  fail bad on check else = \"{{.input.id}} is bad\"\n}\n",
    }
    UNREACHABLE_NODE {
        "unreachable-node",
        "A node is unreachable, both from the start of the run and from external events.",
        "Nodes that wait only for each other never fire. One of them needs another trigger, usually the step before the loop. Nodes that are unreachable only because of these are not reported again.",
        bad: "tool write(text: string) -> string\n\nworkflow essay(text: string) {\n  step outline { call write { text: .input.text } }\n  step draft on review when .review == \"bad\" limit 3 { call write { text: \"again\" } }\n  step review on draft { call write { text: .draft } }\n  end done on outline\n  end good on review else\n}\n",
        good: "tool write(text: string) -> string\n\nworkflow essay(text: string) {\n  step outline { call write { text: .input.text } }\n  step draft on outline | review when .review == \"bad\" limit 3 { call write { text: \"again\" } }\n  step review on draft { call write { text: .draft } }\n  end good on review else\n}\n",
    }
    DEAD_END {
        "dead-end",
        "No `end` or `fail` can be reached from a node.",
        "After the node has answered, nothing continues, or the run loops without an exit. Let an `end` or another node fire on it. A node that no other node fires on is fine as long as something in parallel leads to an end. A path that follows only the node's own failure does not count, because the node may succeed. In a loop in which a step is asked again and again, `failure(STEP)` is one.",
        bad: "tool pay(id: string)\ntool ship(id: string)\n\nworkflow order(id: string, paid: bool) {\n  step pay on start when !.input.paid { call pay { id: .input.id } }\n  step ship on start else { call ship { id: .input.id } }\n  end done on ship\n}\n",
        good: "tool pay(id: string)\ntool ship(id: string)\n\nworkflow order(id: string, paid: bool) {\n  step pay on start when !.input.paid { call pay { id: .input.id } }\n  step ship on start else | pay { call ship { id: .input.id } }\n  end done on ship\n}\n",
    }
    UNBOUNDED_LOOP {
        "unbounded-loop",
        "A loop has no bound.",
        "Each loop needs a `limit` on one of its nodes, or has to wait for something outside: an event, a person, a delay. Otherwise models and tools may keep it going until the run is stopped after 10,000 firings.",
        bad: "agent writer(task: string) -> { text: string } {\n  model mini\n  system \"Write.\"\n}\nagent critic(text: string) -> { good: bool } {\n  model mini\n  system \"Judge.\"\n}\n\nworkflow essay(task: string) -> string {\n  step draft on start | judge when !.judge.good { ask writer { task: .input.task } }\n  step judge on draft { ask critic { text: .draft.text } }\n  end done on judge else = .draft.text\n}\n",
        good: "agent writer(task: string) -> { text: string } {\n  model mini\n  system \"Write.\"\n}\nagent critic(text: string) -> { good: bool } {\n  model mini\n  system \"Judge.\"\n}\n\nworkflow essay(task: string) -> string {\n  step draft on start | judge when !.judge.good limit 3 { ask writer { task: .input.task } }\n  step judge on draft { ask critic { text: .draft.text } }\n  end done on judge else = .draft.text\n}\n",
    }
    EXHAUSTED_LOOP {
        "exhausted-loop",
        "A loop cannot be left once the node that bounds it no longer fires.",
        "`limit 3` lets a node fire three times in a run. When the step before it answers again, the node does not fire, and if nothing else does, the run deadlocks. A join fires once for each firing of the step where its members part; if that step is before the loop, the join fires only once.\n\nAdd an `else` for that case, which fires if no other node of the choice does.",
        bad: "tool write(text: string) -> string\ntool judge(text: string) -> bool\n\nworkflow essay(text: string) -> string {\n  step draft on start | judge limit 3 { call write { text: .input.text } }\n  end done on draft when .draft.startsWith(\"Done\") = .draft\n  step judge on draft else { call judge { text: .draft } }\n}\n",
        good: "tool write(text: string) -> string\ntool judge(text: string) -> bool\n\nworkflow essay(text: string) -> string {\n  step draft on start | judge limit 3 { call write { text: .input.text } }\n  end done on draft when .draft.startsWith(\"Done\") = .draft\n  step judge on draft else { call judge { text: .draft } }\n  end enough on judge else = .draft\n}\n",
    }
    LOST_ANSWER {
        "lost-answer",
        "One of the answers of a step is not handled, and nothing else continues.",
        "A request may have several possible answers, and each of them closes the step. If only some of the topics are handled, the run deadlocks when another one arrives. The same applies to the answer of an agent if only a signal, a failure or a timeout is handled: the nodes that fire on those do not fire on the answer. Handle each topic, or fire on the step itself, which covers any answer. To ignore an answer on purpose, let an `end` or a `fail` fire on it.",
        bad: "event leave.asked { days: int } -> leave.granted | leave.refused\nexternal event leave.granted { by: string }\nexternal event leave.refused { by: string }\n\nworkflow leave(days: int) -> string {\n  step ask { emit leave.asked { days: .input.days } }\n  end granted on leave.granted from ask = .event.by\n}\n",
        good: "event leave.asked { days: int } -> leave.granted | leave.refused\nexternal event leave.granted { by: string }\nexternal event leave.refused { by: string }\n\nworkflow leave(days: int) -> string {\n  step ask { emit leave.asked { days: .input.days } }\n  end granted on leave.granted from ask = .event.by\n  fail refused on leave.refused from ask = \"{{.event.by}} says no\"\n}\n",
    }
    STUCK_RUN {
        "stuck-run",
        "A run can deadlock.",
        "The labels show the shortest such path: what answers, what fails, and which joins then wait for something that can no longer happen. Joins are the most frequent cause: `settled(a, b)` handles the failure of `a`, so the run does not fail, but `all(a, b)` still waits for the answer; a step that a signal closes, or that another node cancels, neither answers nor fails; of two alternative steps only one answers.\n\nHandle that case: let an `end` or a `fail` fire on the failure, on the `settled` join, or on whatever else happens on that path. If several choices on the path test the same values, this is a warning, because the compiler does not know whether their guards can combine in this way.",
        bad: "tool find(key: string) -> int\n\nworkflow both(key: string) -> int {\n  step here { call find { key: .input.key } }\n  step there { call find { key: \"other\" } }\n  step tidy on settled(here, there) = \"tidy\"\n  end done on all(here, there) = .here\n}\n",
        good: "tool find(key: string) -> int\n\nworkflow both(key: string) -> int {\n  step here { call find { key: .input.key } }\n  step there { call find { key: \"other\" } }\n  step tidy on settled(here, there) = \"tidy\"\n  end done on all(here, there) = .here\n  fail lost on failure = \"{{.failure.message}}\"\n}\n",
    }
    NOTHING_TO_CANCEL {
        "nothing-to-cancel",
        "A `cancel` names a step that is never open at that time.",
        "`cancel` gives up a step that waits. A value, or an event without declared answers, is answered immediately and never waits; a step that has answered on every path to the `cancel` no longer waits; one that fires only after the `cancel` does not wait yet.",
        bad: "tool pay(id: string)\n\nworkflow order(id: string) {\n  step pay { call pay { id: .input.id } }\n  step stop on pay { cancel pay }\n  end done on stop\n}\n",
        good: "tool pay(id: string)\n\nworkflow order(id: string) {\n  step pay { call pay { id: .input.id } }\n  step stop on timeout(pay, 1h) { cancel pay }\n  end done on pay\n  end late on stop\n}\n",
    }
    NEVER_FIRES {
        "never-fires",
        "Nothing can fire a trigger.",
        "An event that is not `external` comes only from a step that emits it. `failure(x)` needs a step that can fail: values, `cancel`, and waits without a `timeout` cannot. `timeout(x, d)` needs a step that is not answered immediately. A join needs steps that can answer together: not alternatives of one choice, and not a step that is cancelled when it fires. A fan-out answers with its list; the answer of one element fires nothing.",
        bad: "event order.noted { id: string }\n\nworkflow watch() {\n  step check = true\n  end noted on order.noted\n  end done on check\n}\n",
        good: "external event order.noted { id: string }\n\nworkflow watch() {\n  step check = true\n  end noted on order.noted\n  end done on check\n}\n",
    }
    BESIDE_END {
        "beside-end",
        "A node fires at the same instant as an `end` or a `fail`.",
        "An `end` without a condition ends the run whenever its trigger fires, and cancels what is open. So another node with the same trigger does nothing, or is stopped immediately. Let the `end` fire after it, or give the `end` a condition.",
        bad: "tool pay(id: string)\ntool note(id: string)\n\nworkflow order(id: string) {\n  step pay { call pay { id: .input.id } }\n  step note on pay { call note { id: .input.id } }\n  end done on pay\n}\n",
        good: "tool pay(id: string)\ntool note(id: string)\n\nworkflow order(id: string) {\n  step pay { call pay { id: .input.id } }\n  step note on pay { call note { id: .input.id } }\n  end done on note\n}\n",
    }
    AMBIGUOUS_TRIGGER {
        "ambiguous-trigger",
        "A topic as a trigger is ambiguous, because several steps wait for it.",
        "`on ai.response` fires on an answer to any step that asked a model. If two such steps are open at the same time, the answer to either of them fires the node. Name the steps, or write `TOPIC from STEP`.",
        bad: "workflow greet(name: string) {\n  step hello { emit ai.request { prompt: \"say hello to {{.input.name}}\" } }\n  step joke { emit ai.request { prompt: \"tell a joke\" } }\n  end done on ai.response\n}\n",
        good: "workflow greet(name: string) {\n  step hello { emit ai.request { prompt: \"say hello to {{.input.name}}\" } }\n  step joke { emit ai.request { prompt: \"tell a joke\" } }\n  end done on all(hello, joke)\n}\n",
    }
}

/// The codes of graphs.
pub(crate) const CODES: &[&Code] = &[
    &MAY_NOT_HAVE_HAPPENED,
    &NO_END,
    &NEVER_SUCCEEDS,
    &UNREACHABLE_NODE,
    &DEAD_END,
    &UNBOUNDED_LOOP,
    &EXHAUSTED_LOOP,
    &LOST_ANSWER,
    &STUCK_RUN,
    &NOTHING_TO_CANCEL,
    &NEVER_FIRES,
    &BESIDE_END,
    &AMBIGUOUS_TRIGGER,
];
