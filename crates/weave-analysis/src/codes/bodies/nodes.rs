//! Nodes of workflows.

use weave_diagnostics::Code;

use super::codes;

codes! {
    DUPLICATE_NODE {
        "duplicate-node",
        "Two nodes of a workflow have the same name.",
        "The name of a node identifies it in paths, in triggers and in the definition, so each name belongs to one node.",
        bad: "workflow wait_twice(hours: int) {\n  step pause { wait 1h }\n  step pause on pause { wait 2h }\n  end done on pause\n}\n",
        good: "workflow wait_twice(hours: int) {\n  step pause { wait 1h }\n  step pause_again on pause { wait 2h }\n  end done on pause_again\n}\n",
    }
    RESERVED_STEP_NAME {
        "reserved-step-name",
        "A step has a reserved name.",
        "`start` and `failure` are triggers, and `.event`, `.failure`, `.input`, `.response` and `.result` are values, so a step cannot have these names.",
        bad: "workflow pause(hours: int) {\n  step event { wait 1h }\n  end done on timer.fired from event\n}\n",
        good: "workflow pause(hours: int) {\n  step pause { wait 1h }\n  end done on timer.fired from pause\n}\n",
    }
    UNKNOWN_STEP {
        "unknown-step",
        "A step is referenced that the workflow does not have.",
        "A trigger without a dot, and every name after `from`, `all`, `settled`, `of`, `failure`, `timeout`, `cancel` and `history`, refers to a step of the same workflow.",
        bad: "workflow pause(hours: int) {\n  step pause { wait 1h }\n  end done on puase\n}\n",
        good: "workflow pause(hours: int) {\n  step pause { wait 1h }\n  end done on pause\n}\n",
    }
    NOT_A_STEP {
        "not-a-step",
        "An `end` or a `fail` is used where a step is required.",
        "An `end` or a `fail` finishes the run, so nothing can follow it or read from it.",
        bad: "workflow pause(hours: int) {\n  step pause { wait 1h }\n  end done on pause\n  end over on done\n}\n",
        good: "workflow pause(hours: int) {\n  step pause { wait 1h }\n  end done on pause\n}\n",
    }
    UNCALLABLE_TOOL {
        "uncallable-tool",
        "A workflow calls a tool that it cannot call.",
        "A signal tool is only decoded: an agent signals something with it, and `on TOOL from STEP` fires on it. A provider tool runs at the provider of the model, inside a turn of an agent. A step cannot call either of them.",
        bad: "signal tool escalate(reason: string)\n\nworkflow help(reason: string) {\n  step up { call escalate { reason: .input.reason } }\n  end done on up\n}\n",
        good: "tool escalate(reason: string)\n\nworkflow help(reason: string) {\n  step up { call escalate { reason: .input.reason } }\n  end done on up\n}\n",
    }
    EXTERNAL_EMIT {
        "external-emit",
        "A workflow emits an external event.",
        "An `external` event is a fact from outside; a workflow waits for it. An event that a workflow emits is declared without `external`.",
        bad: "external event order.paid { id: string }\n\nworkflow pay(id: string) {\n  step pay { emit order.paid { id: .input.id } }\n  end done on pay\n}\n",
        good: "event order.paid { id: string }\n\nworkflow pay(id: string) {\n  step pay { emit order.paid { id: .input.id } }\n  end done on pay\n}\n",
    }
    NOT_AN_ANSWER {
        "not-an-answer",
        "A trigger waits for something that its step never receives.",
        "`on TOPIC from STEP` requires one of the topics that answer the event of the step (`event a -> b | c`), or one from inside the loop of its agent, such as `tool.progress`. `on TOOL from STEP` requires a tool that the agent of the step has in its `tools`.",
        bad: "event review.asked { id: string } -> review.done\nexternal event review.done { ok: bool }\nexternal event review.dropped { id: string }\n\nworkflow review(id: string) {\n  step ask { emit review.asked { id: .input.id } }\n  end done on review.done from ask\n  end dropped on review.dropped from ask\n}\n",
        good: "event review.asked { id: string } -> review.done | review.dropped\nexternal event review.done { ok: bool }\nexternal event review.dropped { id: string }\n\nworkflow review(id: string) {\n  step ask { emit review.asked { id: .input.id } }\n  end done on review.done from ask\n  end dropped on review.dropped from ask\n}\n",
    }
    MISSING_OUTPUT {
        "missing-output",
        "An `end` has no output, although its workflow declares one.",
        "`workflow w(…) -> T` promises a `T` to its caller, so every `end` needs an output: `end done on a = …`.",
        bad: "workflow pause(hours: int) -> string {\n  step pause { wait 1h }\n  end done on pause\n}\n",
        good: "workflow pause(hours: int) -> string {\n  step pause { wait 1h }\n  end done on pause = \"rested\"\n}\n",
    }
    UNEXPECTED_OUTPUT {
        "unexpected-output",
        "An `end` has an output, but its workflow declares none.",
        "The output of a run is part of the signature of its workflow: `workflow w(…) -> T`.",
        bad: "workflow pause(hours: int) {\n  step pause { wait 1h }\n  end done on pause = \"rested\"\n}\n",
        good: "workflow pause(hours: int) -> string {\n  step pause { wait 1h }\n  end done on pause = \"rested\"\n}\n",
    }
    ELSE_WITHOUT_CHOICE {
        "else-without-choice",
        "An `else` is on a trigger that no other node has a condition for.",
        "Nodes with the same trigger and a condition form a choice; `else` fires if none of the others did. So another node needs the same trigger with `when`, or with a `limit` that can be reached.",
        bad: "workflow pause(hours: int) {\n  step pause { wait 1h }\n  end done on pause else\n}\n",
        good: "workflow pause(hours: int) {\n  step pause { wait 1h }\n  end long on pause when .input.hours > 1\n  end done on pause else\n}\n",
    }
    SECOND_ELSE {
        "second-else",
        "A choice has two `else` branches.",
        "The first node of a choice whose condition is true fires, so a second `else` never fires.",
        bad: "workflow pause(hours: int) {\n  step pause { wait 1h }\n  end long on pause when .input.hours > 1\n  end done on pause else\n  end over on pause else\n}\n",
        good: "workflow pause(hours: int) {\n  step pause { wait 1h }\n  end long on pause when .input.hours > 1\n  end done on pause else\n}\n",
    }
    VALUE_CYCLE {
        "value-cycle",
        "The values of steps depend on each other.",
        "`step a = .b` has the type of `.b`. If `.b` depends on `.a`, neither has a type.",
        bad: "workflow turn(id: string) {\n  step first on second = { id: .input.id, before: .second }\n  step second on first = { before: .first }\n  end done on second\n}\n",
        good: "workflow turn(id: string) {\n  step first = { id: .input.id }\n  step second on first = { before: .first }\n  end done on second\n}\n",
    }
    NOT_A_LIST {
        "not-a-list",
        "A fan-out iterates over something that is not a list.",
        "`each .path as x` repeats a step for each element of a list.",
        bad: "tool fetch(url: string)\n\nworkflow crawl(url: string) {\n  step fetch each .input.url as url { call fetch { url: .url } }\n  end done on fetch\n}\n",
        good: "tool fetch(url: string)\n\nworkflow crawl(urls: string[]) {\n  step fetch each .input.urls as url { call fetch { url: .url } }\n  end done on fetch\n}\n",
    }
    HISTORY_STEP {
        "history-step",
        "`history` is set where no exchange can be continued.",
        "`history [triage]` continues the exchange with the agent of another step: both that step and this one must `ask` an agent.",
        bad: "agent writer(question: string) {\n  model mini\n  system \"Answer the question.\"\n}\n\nworkflow ask(question: string) {\n  step pause { wait 1h }\n  step answer on pause {\n    ask writer { question: .input.question }\n    history [pause]\n  }\n  end done on answer\n}\n",
        good: "agent writer(question: string) {\n  model mini\n  system \"Answer the question.\"\n}\n\nworkflow ask(question: string) {\n  step draft { ask writer { question: .input.question } }\n  step answer on draft {\n    ask writer { question: .input.question }\n    history [draft]\n  }\n  end done on answer\n}\n",
    }
}
