//! Nodes of workflows.

use weave_diagnostics::Code;

use super::codes;

codes! {
    DUPLICATE_NODE {
        "duplicate-node",
        "Two nodes of a workflow have the same name.",
        "A node's name says which answer a path reads and which step a trigger means, and it is the id of the node in the definition, so each name belongs to one node.",
        bad: "workflow wait_twice(hours: int) {\n  step pause { wait 1h }\n  step pause on pause { wait 2h }\n  end done on pause\n}\n",
        good: "workflow wait_twice(hours: int) {\n  step pause { wait 1h }\n  step pause_again on pause { wait 2h }\n  end done on pause_again\n}\n",
    }
    RESERVED_STEP_NAME {
        "reserved-step-name",
        "A step has a name that means something else.",
        "`start` and `failure` are triggers, and `.event`, `.failure`, `.input`, `.response` and `.result` are values, so no step can be called like them.",
        bad: "workflow pause(hours: int) {\n  step event { wait 1h }\n  end done on timer.fired from event\n}\n",
        good: "workflow pause(hours: int) {\n  step pause { wait 1h }\n  end done on timer.fired from pause\n}\n",
    }
    UNKNOWN_STEP {
        "unknown-step",
        "A step is named that the workflow does not have.",
        "A trigger without a dot, and everything behind `from`, `all`, `settled`, `of`, `failure`, `timeout`, `cancel` and `history`, names a step of the same workflow.",
        bad: "workflow pause(hours: int) {\n  step pause { wait 1h }\n  end done on puase\n}\n",
        good: "workflow pause(hours: int) {\n  step pause { wait 1h }\n  end done on pause\n}\n",
    }
    NOT_A_STEP {
        "not-a-step",
        "An `end` or a `fail` is named where a step is wanted.",
        "An `end` or a `fail` finishes the run, so nothing follows it and nothing can be read from it.",
        bad: "workflow pause(hours: int) {\n  step pause { wait 1h }\n  end done on pause\n  end over on done\n}\n",
        good: "workflow pause(hours: int) {\n  step pause { wait 1h }\n  end done on pause\n}\n",
    }
    UNCALLABLE_TOOL {
        "uncallable-tool",
        "A workflow calls a tool that it cannot call.",
        "A signal tool is only decoded: an agent says something with it, and `on TOOL from STEP` hears it. A provider tool runs at the model's provider, inside an agent's turn. Neither of them can be called by a step.",
        bad: "signal tool escalate(reason: string)\n\nworkflow help(reason: string) {\n  step up { call escalate { reason: .input.reason } }\n  end done on up\n}\n",
        good: "tool escalate(reason: string)\n\nworkflow help(reason: string) {\n  step up { call escalate { reason: .input.reason } }\n  end done on up\n}\n",
    }
    EXTERNAL_EMIT {
        "external-emit",
        "A workflow emits an event that comes from outside.",
        "An `external` event is a fact that somebody else states; a workflow waits for it. What a workflow says itself is an event without `external`.",
        bad: "external event order.paid { id: string }\n\nworkflow pay(id: string) {\n  step pay { emit order.paid { id: .input.id } }\n  end done on pay\n}\n",
        good: "event order.paid { id: string }\n\nworkflow pay(id: string) {\n  step pay { emit order.paid { id: .input.id } }\n  end done on pay\n}\n",
    }
    NOT_AN_ANSWER {
        "not-an-answer",
        "A trigger waits for something that its step never gets.",
        "`on TOPIC from STEP` wants one of the topics with which the step's event is answered (`event a -> b | c`), or one that comes from inside the loop of its agent, such as `tool.progress`. `on TOOL from STEP` wants a tool that the step's agent has in its `tools`.",
        bad: "event review.asked { id: string } -> review.done\nexternal event review.done { ok: bool }\nexternal event review.dropped { id: string }\n\nworkflow review(id: string) {\n  step ask { emit review.asked { id: .input.id } }\n  end done on review.done from ask\n  end dropped on review.dropped from ask\n}\n",
        good: "event review.asked { id: string } -> review.done | review.dropped\nexternal event review.done { ok: bool }\nexternal event review.dropped { id: string }\n\nworkflow review(id: string) {\n  step ask { emit review.asked { id: .input.id } }\n  end done on review.done from ask\n  end dropped on review.dropped from ask\n}\n",
    }
    MISSING_OUTPUT {
        "missing-output",
        "An `end` has no output, although its workflow declares one.",
        "`workflow w(…) -> T` promises a `T` to whoever runs it, so every `end` says which: `end done on a = …`.",
        bad: "workflow pause(hours: int) -> string {\n  step pause { wait 1h }\n  end done on pause\n}\n",
        good: "workflow pause(hours: int) -> string {\n  step pause { wait 1h }\n  end done on pause = \"rested\"\n}\n",
    }
    UNEXPECTED_OUTPUT {
        "unexpected-output",
        "An `end` has an output, but its workflow declares none.",
        "What a run yields is part of the signature of its workflow: `workflow w(…) -> T`.",
        bad: "workflow pause(hours: int) {\n  step pause { wait 1h }\n  end done on pause = \"rested\"\n}\n",
        good: "workflow pause(hours: int) -> string {\n  step pause { wait 1h }\n  end done on pause = \"rested\"\n}\n",
    }
    ELSE_WITHOUT_CHOICE {
        "else-without-choice",
        "An `else` stands on a trigger that no other node asks about.",
        "Nodes with the same trigger and a condition form a choice; `else` fires when none of the others did. So some other node needs the same trigger with `when`, or a `limit` that can run out.",
        bad: "workflow pause(hours: int) {\n  step pause { wait 1h }\n  end done on pause else\n}\n",
        good: "workflow pause(hours: int) {\n  step pause { wait 1h }\n  end long on pause when .input.hours > 1\n  end done on pause else\n}\n",
    }
    SECOND_ELSE {
        "second-else",
        "A choice has two `else`.",
        "The first node of a choice whose condition holds fires, so behind one `else` another one never does.",
        bad: "workflow pause(hours: int) {\n  step pause { wait 1h }\n  end long on pause when .input.hours > 1\n  end done on pause else\n  end over on pause else\n}\n",
        good: "workflow pause(hours: int) {\n  step pause { wait 1h }\n  end long on pause when .input.hours > 1\n  end done on pause else\n}\n",
    }
    VALUE_CYCLE {
        "value-cycle",
        "The values of steps are made of one another.",
        "`step a = .b` has the type of `.b`. If `.b` is made of `.a`, neither has a type.",
        bad: "workflow turn(id: string) {\n  step first on second = { id: .input.id, before: .second }\n  step second on first = { before: .first }\n  end done on second\n}\n",
        good: "workflow turn(id: string) {\n  step first = { id: .input.id }\n  step second on first = { before: .first }\n  end done on second\n}\n",
    }
    NOT_A_LIST {
        "not-a-list",
        "A fan-out goes over something that is no list.",
        "`each .path as x` repeats a step for each element of a list.",
        bad: "tool fetch(url: string)\n\nworkflow crawl(url: string) {\n  step fetch each .input.url as url { call fetch { url: .url } }\n  end done on fetch\n}\n",
        good: "tool fetch(url: string)\n\nworkflow crawl(urls: string[]) {\n  step fetch each .input.urls as url { call fetch { url: .url } }\n  end done on fetch\n}\n",
    }
    HISTORY_STEP {
        "history-step",
        "`history` stands where no exchange is continued.",
        "`history [triage]` continues the exchange with the agent of another step: both that step and the one with the setting `ask` an agent.",
        bad: "agent writer(question: string) {\n  model mini\n  system \"Answer the question.\"\n}\n\nworkflow ask(question: string) {\n  step pause { wait 1h }\n  step answer on pause {\n    ask writer { question: .input.question }\n    history [pause]\n  }\n  end done on answer\n}\n",
        good: "agent writer(question: string) {\n  model mini\n  system \"Answer the question.\"\n}\n\nworkflow ask(question: string) {\n  step draft { ask writer { question: .input.question } }\n  step answer on draft {\n    ask writer { question: .input.question }\n    history [draft]\n  }\n  end done on answer\n}\n",
    }
}
