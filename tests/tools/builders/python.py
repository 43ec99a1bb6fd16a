"""Puts together what the packages build, and what stands here, and prints the definitions.

Then it makes all the mistakes that a builder sees when it runs.
"""

import importlib
import inspect
import json
import sys
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from gen._weave import builder as w
from gen._weave.topics import Topics as BuiltIn
from gen.support.parts import Agents, Tools, Topics, Types


def greet() -> w.Workflow:
    """`greet.weave`, written by hand."""
    flow = w.workflow("greet", input={"name": w.t.string()})
    prompt = w.text("greet the traveler warmly: ", flow.input.at("name"))
    flow.step("ask").is_(do=BuiltIn.ai_request.emit({"prompt": prompt}))
    flow.step("speak").is_(
        on=BuiltIn.ai_response,
        do=BuiltIn.tool_dispatch.emit(
            {"name": "speak", "text": w.response.at("text")}
        ),
    )
    flow.end("done").is_(on=BuiltIn.tool_result)
    return flow


def resolved(status: str, detail: w.Value) -> w.Value:
    """What the workflow `support` gives."""
    return {"status": status, "detail": detail}


def support() -> w.Workflow:
    """`support.weave`, written by hand."""
    flow = w.workflow("support", input={"ticket": Types.Ticket}, output=Types.Resolution)
    ticket = flow.input.at("ticket")
    triage = flow.step("triage").is_(do=Agents.triager.ask({"ticket": ticket}))
    intent, order_id = triage.at("intent").as_("string"), triage.at("order_id")
    lookup = flow.step("lookup").is_(
        on=w.when(
            triage, w.and_(w.ne(order_id.as_("string"), None), w.eq(intent, "refund"))
        ),
        do=Tools.find_order.call({"order_id": order_id}),
    )
    answer = flow.step("answer").is_(
        on=w.when(triage, w.eq(intent, "question")),
        do=Agents.writer.ask({"question": ticket.at("body")}),
    )
    flow.end("unclear").is_(
        on=w.otherwise(triage), output=resolved("escalated", "no automatic answer")
    )
    approve = flow.step("approve").is_(
        on=w.when(lookup, w.gt(lookup.at("total").as_("decimal"), "100")),
        do=Topics.approval_requested.emit(
            {"order": lookup.answer, "amount": lookup.at("total")}
        ),
    )
    pay = flow.step("pay").is_(
        on=[w.otherwise(lookup), w.answer(Topics.approval_granted, approve)],
        do=Tools.refund.call(
            {"order_id": lookup.at("id"), "amount": lookup.at("total")}
        ),
    )
    detail = w.text("order ", lookup.at("id"))
    flow.end("refunded").is_(on=pay, output=resolved("refunded", detail))
    flow.end("denied").is_(
        on=w.answer(Topics.approval_denied, approve),
        output=resolved("denied", w.event.at("reason")),
    )
    flow.end("late").is_(
        on=w.timed_out(approve, timedelta(hours=24)),
        output=resolved("denied", "nobody answered"),
    )
    declined = w.eq(w.failure.at("code").as_("string"), "card_declined")
    flow.end("declined").is_(
        on=w.when(w.failed(pay), declined),
        output=resolved("denied", w.failure.at("data", "reason")),
    )
    flow.end("answered").is_(on=answer, output=resolved("answered", answer.at("text")))
    flow.end("handed").is_(
        on=w.called(Tools.escalate, answer),
        output=resolved("escalated", w.event.at("reason")),
    )
    return flow


def told() -> dict[str, str]:
    """What is said of each mistake, by what should be."""
    wait = w.wait(timedelta(seconds=1))
    flow = w.workflow("mistakes")
    one = flow.step("one").is_(do=wait)
    later = w.workflow("late")
    later.step("later")
    order = w.eq(True, True)
    endless = w.workflow("endless")
    endless.step("again").is_(do=wait)
    find: Any = Tools.find_order
    mistakes: dict[str, Callable[[], object]] = {
        "`two words` is not a name": lambda: w.workflow("two words"),
        "`1st` is not a name": lambda: flow.step("1st"),
        "`one` is the name of two nodes": lambda: flow.end("one"),
        "`event` is reserved and cannot be the name of a step": lambda: flow.step("event"),
        "what `one` does has been said already": lambda: one.is_(do=wait),
        "`one` is a step of `mistakes`, not of `other`": lambda: (
            w.workflow("other").end("done").is_(on=one)
        ),
        "the limit of `often` is 0, and it is 1 at least": lambda: (
            flow.end("often").is_(limit=0)
        ),
        "3 of 1 steps cannot be": lambda: w.some_of(3, [one]),
        "a trigger has one condition at most": lambda: w.otherwise(w.when(one, order)),
        "`empty` has no nodes, and a workflow has one at least": lambda: (
            w.workflow("empty").definition()
        ),
        "nobody has said what `later` does": lambda: later.definition(),
        "`call` of `find_order` lacks `order_id`": lambda: find.call({}),
        "`find_order` has no parameter `order`, it has `order_id`": lambda: (
            find.call({"order_id": "A-17", "order": "A-17"})
        ),
        "`endless` has neither an end nor a fail, so no run of it comes to an end": (
            lambda: endless.definition()
        ),
    }
    said: dict[str, str] = {}
    for expected, mistake in mistakes.items():
        try:
            mistake()
            said[expected] = "nothing was raised"
        except w.BuilderError as error:
            said[expected] = str(error)
    return said


def main(packages: list[str]) -> None:
    """Builds and prints."""
    built: dict[str, str] = {}
    for name in packages:
        module = importlib.import_module(f"gen.{name}.builders")
        for _, program in inspect.getmembers(module, inspect.isfunction):
            flow = program()
            built[f"{name}/{flow.name}"] = flow.canonical()
            built[f"{name}/{flow.name} digest"] = flow.digest()
    by_hand = {
        "greet/greet": greet().canonical(),
        "support/support": support().canonical(),
    }
    print(json.dumps({"built": built, "byHand": by_hand, "mistakes": told()}))


main(sys.argv[1:])
