//! What can be wrong with the graph of a workflow.

use weave_diagnostics::Code;

use super::bodies::codes;

codes! {
    MAY_NOT_HAVE_HAPPENED {
        "may-not-have-happened",
        "A node reads the answer of a step that may not have answered yet.",
        "`.lookup` may be read only where `lookup` must have answered: on every way from the start of the run to the node that reads it. The labels show the shortest way on which it has not. A failure and a timeout come without an answer; of `1 of (a, b)` only one has answered, and of `settled(a, b)` perhaps none; a plain event from outside may come before anything else.\n\nRead it as `.lookup?`, which is absent there, give it a default with `??`, ask for it in the condition of the trigger (`when .lookup? != null`), or move what reads it behind the answer.",
        bad: "tool find(id: string) -> { total: int }\n\nworkflow pay(id: string, known: bool) -> int {\n  step lookup on start when .input.known { call find { id: .input.id } }\n  step other on start else = 0\n  end done on lookup | other = .lookup.total\n}\n",
        good: "tool find(id: string) -> { total: int }\n\nworkflow pay(id: string, known: bool) -> int {\n  step lookup on start when .input.known { call find { id: .input.id } }\n  step other on start else = 0\n  end done on lookup | other = .lookup?.total ?? 0\n}\n",
    }
    NO_END {
        "no-end",
        "A workflow has neither an `end` nor a `fail`.",
        "A run is over when an `end` or a `fail` fires. Without one it hangs as soon as its last step has answered, which the runtime reports as the failure `stalled`.",
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
        "No way leads to a node, neither from the start of the run nor from an event from outside.",
        "Nodes that wait only for one another never fire. One of them needs another trigger, most often the step that should come before the loop. What only lies behind such nodes is not reported again.",
        bad: "tool write(text: string) -> string\n\nworkflow essay(text: string) {\n  step outline { call write { text: .input.text } }\n  step draft on review when .review == \"bad\" limit 3 { call write { text: \"again\" } }\n  step review on draft { call write { text: .draft } }\n  end done on outline\n  end good on review else\n}\n",
        good: "tool write(text: string) -> string\n\nworkflow essay(text: string) {\n  step outline { call write { text: .input.text } }\n  step draft on outline | review when .review == \"bad\" limit 3 { call write { text: \"again\" } }\n  step review on draft { call write { text: .draft } }\n  end good on review else\n}\n",
    }
    DEAD_END {
        "dead-end",
        "From a node neither an `end` nor a `fail` can be reached.",
        "When the node has answered, nothing goes on, or the run goes round and round without a way out. Let an `end` or another node listen to it. A node that nobody listens to is fine as long as something else goes on beside it that leads to an end. What follows only on the node's own failure is no way out, for the node may succeed. In a loop in which a step is asked again and again, `failure(STEP)` is one.",
        bad: "tool pay(id: string)\ntool ship(id: string)\n\nworkflow order(id: string, paid: bool) {\n  step pay on start when !.input.paid { call pay { id: .input.id } }\n  step ship on start else { call ship { id: .input.id } }\n  end done on ship\n}\n",
        good: "tool pay(id: string)\ntool ship(id: string)\n\nworkflow order(id: string, paid: bool) {\n  step pay on start when !.input.paid { call pay { id: .input.id } }\n  step ship on start else | pay { call ship { id: .input.id } }\n  end done on ship\n}\n",
    }
    UNBOUNDED_LOOP {
        "unbounded-loop",
        "A loop has no bound.",
        "Each loop needs a `limit` on one of its nodes, or has to wait for something outside: an event, a person, a time. Otherwise models and tools may keep it going until the run is stopped after 10,000 firings.",
        bad: "agent writer(task: string) -> { text: string } {\n  model mini\n  system \"Write.\"\n}\nagent critic(text: string) -> { good: bool } {\n  model mini\n  system \"Judge.\"\n}\n\nworkflow essay(task: string) -> string {\n  step draft on start | judge when !.judge.good { ask writer { task: .input.task } }\n  step judge on draft { ask critic { text: .draft.text } }\n  end done on judge else = .draft.text\n}\n",
        good: "agent writer(task: string) -> { text: string } {\n  model mini\n  system \"Write.\"\n}\nagent critic(text: string) -> { good: bool } {\n  model mini\n  system \"Judge.\"\n}\n\nworkflow essay(task: string) -> string {\n  step draft on start | judge when !.judge.good limit 3 { ask writer { task: .input.task } }\n  step judge on draft { ask critic { text: .draft.text } }\n  end done on judge else = .draft.text\n}\n",
    }
    EXHAUSTED_LOOP {
        "exhausted-loop",
        "A loop cannot be left when the node that bounds it fires no more.",
        "`limit 3` lets a node fire three times in a run. When the step before it answers once more, the node does not fire, and if nothing else does, the run hangs. A join fires once for each firing of the step where its members part; where that lies before the loop, it fires once.\n\nAdd an `else` for that case, which fires when no other node of the choice does.",
        bad: "tool write(text: string) -> string\ntool judge(text: string) -> bool\n\nworkflow essay(text: string) -> string {\n  step draft on start | judge limit 3 { call write { text: .input.text } }\n  end done on draft when .draft.startsWith(\"Done\") = .draft\n  step judge on draft else { call judge { text: .draft } }\n}\n",
        good: "tool write(text: string) -> string\ntool judge(text: string) -> bool\n\nworkflow essay(text: string) -> string {\n  step draft on start | judge limit 3 { call write { text: .input.text } }\n  end done on draft when .draft.startsWith(\"Done\") = .draft\n  step judge on draft else { call judge { text: .draft } }\n  end enough on judge else = .draft\n}\n",
    }
    LOST_ANSWER {
        "lost-answer",
        "Nothing listens to one of the answers of a step, and nothing else goes on.",
        "A request may be answered in several ways, and each of them closes the step. Where only some of the topics are listened to, the run hangs when another one comes. The same holds for the answer of an agent where only a signal, a failure or a delay is listened to: what listens to those does not hear the answer. Listen to each topic, or to the step itself, which hears any answer. To ignore an answer on purpose, let an `end` or a `fail` fire on it.",
        bad: "event leave.asked { days: int } -> leave.granted | leave.refused\nexternal event leave.granted { by: string }\nexternal event leave.refused { by: string }\n\nworkflow leave(days: int) -> string {\n  step ask { emit leave.asked { days: .input.days } }\n  end granted on leave.granted from ask = .event.by\n}\n",
        good: "event leave.asked { days: int } -> leave.granted | leave.refused\nexternal event leave.granted { by: string }\nexternal event leave.refused { by: string }\n\nworkflow leave(days: int) -> string {\n  step ask { emit leave.asked { days: .input.days } }\n  end granted on leave.granted from ask = .event.by\n  fail refused on leave.refused from ask = \"{{.event.by}} says no\"\n}\n",
    }
    STUCK_RUN {
        "stuck-run",
        "There is a way on which a run comes to a standstill without having ended.",
        "The labels show the shortest such way: what answers, what fails, and which joins then wait for something that cannot come any more. Joins are where this happens most: `settled(a, b)` takes the failure of `a`, so the run does not fail, but `all(a, b)` waits for the answer; a step that a signal closes or another one cancels neither answers nor fails; of two steps that exclude each other only one answers.\n\nSay what happens in that case: let an `end` or a `fail` listen to the failure, to the `settled` join, or to whatever else comes on that way. Where several choices on the way look at the same values, this is a warning, because it is not known whether their guards can be so together.",
        bad: "tool find(key: string) -> int\n\nworkflow both(key: string) -> int {\n  step here { call find { key: .input.key } }\n  step there { call find { key: \"other\" } }\n  step tidy on settled(here, there) = \"tidy\"\n  end done on all(here, there) = .here\n}\n",
        good: "tool find(key: string) -> int\n\nworkflow both(key: string) -> int {\n  step here { call find { key: .input.key } }\n  step there { call find { key: \"other\" } }\n  step tidy on settled(here, there) = \"tidy\"\n  end done on all(here, there) = .here\n  fail lost on failure = \"{{.failure.message}}\"\n}\n",
    }
    NOTHING_TO_CANCEL {
        "nothing-to-cancel",
        "A `cancel` names a step that is never open at that time.",
        "`cancel` gives up what a step waits for. A value, or an event that nobody answers, is answered at once and never waits; a step that has answered on every way to the `cancel` waits no more; one that fires only after the `cancel` does not wait yet.",
        bad: "tool pay(id: string)\n\nworkflow order(id: string) {\n  step pay { call pay { id: .input.id } }\n  step stop on pay { cancel pay }\n  end done on stop\n}\n",
        good: "tool pay(id: string)\n\nworkflow order(id: string) {\n  step pay { call pay { id: .input.id } }\n  step stop on timeout(pay, 1h) { cancel pay }\n  end done on pay\n  end late on stop\n}\n",
    }
    NEVER_FIRES {
        "never-fires",
        "Nothing makes a trigger fire.",
        "An event that is not `external` comes only from a step that emits it. `failure(x)` needs a step that can fail: values, `cancel`, and waiting without a `timeout` cannot. `timeout(x, d)` needs a step that is not answered at once. A join needs steps that can answer together, not those of which a choice takes one, and none that is cancelled in the moment in which it fires. A fan-out has answered with its list; the answer of one element fires nothing.",
        bad: "event order.noted { id: string }\n\nworkflow watch() {\n  step check = true\n  end noted on order.noted\n  end done on check\n}\n",
        good: "external event order.noted { id: string }\n\nworkflow watch() {\n  step check = true\n  end noted on order.noted\n  end done on check\n}\n",
    }
    BESIDE_END {
        "beside-end",
        "A node stands beside an `end` or a `fail` that fires in the same moment.",
        "An `end` without a condition ends the run whenever its trigger fires, and what is open then is cancelled. So another node with the same trigger does nothing, or is stopped at once. Let the `end` come after it, or give the `end` a condition.",
        bad: "tool pay(id: string)\ntool note(id: string)\n\nworkflow order(id: string) {\n  step pay { call pay { id: .input.id } }\n  step note on pay { call note { id: .input.id } }\n  end done on pay\n}\n",
        good: "tool pay(id: string)\ntool note(id: string)\n\nworkflow order(id: string) {\n  step pay { call pay { id: .input.id } }\n  step note on pay { call note { id: .input.id } }\n  end done on note\n}\n",
    }
    AMBIGUOUS_TRIGGER {
        "ambiguous-trigger",
        "A topic as a trigger does not say whose answer it means, while several steps wait for one.",
        "`on ai.response` fires on an answer to any step that asked a model. Where two such steps are open at the same time, the answer of either fires the node. Name the steps, or write `TOPIC from STEP`.",
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
