"""A tool server: the service desk of the example `support.weave`, started on this machine and called with good and bad dispatches."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import socket
from collections.abc import Callable
from typing import Any, Never, assert_never
from uuid import UUID

import uvicorn
from gen import _weave as w
from gen._weave.mcp import McpTools
from gen.deploy import tools as deploy
from gen.faded import tools as faded
from gen.fading import tools as fading
from gen.one import tools as one
from gen.one import types as one_types
from gen.shop import codecs as shop
from gen.shop.types import Order
from gen.support import codecs, errors, events, prompts, tools, types, workflows
from pydantic import JsonValue

CUSTOMER = {
    "id": "123e4567-e89b-12d3-a456-426614174000",
    "name": "Ada",
    "email": "ada@example.com",
    "since": "2026-01-01",
}
LINE = {"sku": "AB-1", "title": "Tea", "quantity": 1, "price": "12.50"}
ORDER = {"id": "A-1", "customer": CUSTOMER, "lines": [LINE], "total": "12.50", "placed_at": "2026-11-22T09:00:00Z"}

cancelled = asyncio.Event()


class Desk:
    """The whole implementation."""

    async def find_order(self, input: types.FindOrderInput, context: w.ToolContext[Never, Never]) -> Order:
        if input.order_id == "wait":
            try:
                await asyncio.sleep(60)
            finally:
                cancelled.set()
        if input.order_id == "broken":
            raise RuntimeError("a secret of the database")
        order = shop.Order.decode(ORDER)
        return order.model_copy(update={"lines": []}) if input.order_id == "odd" else order

    async def refund(self, input: types.RefundInput, context: w.ToolContext[Never, Never]) -> types.RefundOutput:
        if input.order_id == "declined":
            raise errors.CardDeclined(types.CardDeclined(reason="stolen"))
        if input.order_id == "later":
            raise w.ToolFailure("unavailable", "try again")
        return types.RefundOutput(refund_id=f"r_{input.amount}")

    async def remember(self, input: types.RememberInput, context: w.ToolContext[Never, Never]) -> None:
        return None


class Woods:
    """Tools with progress, something beside their output, errors that nobody declared and a result that comes later."""

    async def saw(
        self, input: one_types.SawInput, context: w.ToolContext[one_types.SawProgress, one_types.SawArtifacts]
    ) -> one_types.SawOutput:
        for step in range(2):
            context.emit(one_types.SawProgress(await_=step * 50))
            await asyncio.sleep(0)
        context.attach(one_types.SawArtifacts(dust=b"\xff\xfe"))
        return one_types.SawOutput(planks=len(input.in_))

    async def await_(
        self, input: one_types.AwaitInput, context: w.DeferredContext[Never, Never]
    ) -> one_types.AwaitOutput | w.Pending:
        return context.pending()

    async def plant(self, input: one_types.PlantInput, context: w.ToolContext[Never, Never]) -> None:
        raise errors.CardDeclined(types.CardDeclined(reason="nobody declared it here"))


seen: list[str] = []
told: list[str] = []


async def audit(call: w.Call, next: w.Next) -> w.Outcome:
    seen.append(call.tool)
    return await next(call)


async def mocked(input: types.RefundInput, context: w.ToolContext[Never, Never]) -> types.RefundOutput:
    return types.RefundOutput(refund_id="mock")


OPTIONS = w.RunOptions(middleware=[audit], on_error=lambda tool, error: told.append(str(error)))
ALL = tools.all_tools(Desk())


class Nobody:
    """What nobody calls."""

    async def find(self, input: object, context: object, /) -> Never:
        raise NotImplementedError

    async def pack(self, input: object, context: object, /) -> Never:
        raise NotImplementedError


APART = w.asgi_apps({"/former": fading.all_tools(Nobody()), "/later": faded.all_tools(Nobody())})
APPS: dict[str, w.App] = {
    "/former": APART,
    "/later": APART,
    "/nowhere": APART,
    "/all": w.asgi_app(ALL, OPTIONS),
    "/mock": w.asgi_app(tools.all_tools(Desk(), {"refund": mocked})),
    "/only": w.tool_app(ALL[0]),
    "/woods": w.asgi_app(one.all_tools(Woods())),
    "/small": w.asgi_app(ALL, w.RunOptions(max_body=17)),
}


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Each path has an application of its own."""
    await APPS.get(scope.get("path", "/all"), APPS["/all"])(scope, receive, send)


JSON = "application/json"


def request(
    port: int, path: str, body: object, method: str = "POST", accept: str = "*/*", kind: str = JSON
) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    text = body if isinstance(body, str) else json.dumps(body)
    connection.request(method, path, text.encode(), {"accept": accept, "content-type": kind})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def failure(kind: str, message: str, **more: object) -> object:
    return {"failure": {"kind": kind, "message": message, **more}}


def refund(args: object) -> object:
    return {"name": "refund", "args": args}


FIELD = "is not a field that is known here"
EXPECTED: list[tuple[str, object, int, object]] = [
    ("/all", refund({"order_id": "A-1", "amount": "12.50"}), 200, {"refund_id": "r_12.50"}),
    ("/all", {"name": "remember", "args": {"preferences": ["tea"]}}, 200, None),
    ("/all", refund({"order_id": "A-1", "amount": 12.5}), 400, failure("invalid_input", "/amount: must be a string")),
    ("/all", refund({"order_id": "A-1"}), 400, failure("invalid_input", "/amount: is missing")),
    ("/all", refund({"order_id": "A", "amount": "1", "more": 1}), 400, failure("invalid_input", f"/more: {FIELD}")),
    ("/all", refund({"__proto__": {}}), 400, failure("invalid_input", "/order_id: is missing")),
    ("/all", refund(7), 400, failure("invalid_input", "(root): must be an object")),
    ("/all", {"name": "nope"}, 404, failure("unknown_tool", 'there is no tool "nope" here')),
    ("/all", {"name": "escalate", "args": {}}, 404, failure("unknown_tool", 'there is no tool "escalate" here')),
    ("/all", {"args": {}}, 400, failure("invalid_input", "/name: is missing")),
    ("/all", {"name": 1}, 400, failure("invalid_input", "/name: must be a string")),
    ("/all", "{", 400, failure("invalid_input", "the body is not JSON")),
    ("/all", '{"name": NaN}', 400, failure("invalid_input", "the body is not JSON")),
    ("/all", "[" * 100_000, 400, failure("invalid_input", "the body is not JSON")),
    ("/small", '{"name":"refund"}', 400, failure("invalid_input", "/order_id: is missing")),
    ("/small", '{"name":"refund"} ', 413, failure("invalid_input", "the body is too long")),
    ("/former", '{"name":"find"}', 400, failure("invalid_input", "/box: is missing")),
    ("/later", '{"name":"find"}', 400, failure("invalid_input", "/shelf: is missing")),
    ("/nowhere", '{"name":"find"}', 404, failure("invalid_input", "no tools are served at this path")),
    ("/all", "[]", 400, failure("invalid_input", "(root): must be an object")),
    (
        "/all",
        refund({"order_id": "declined", "amount": "1"}),
        422,
        failure("execution_error", "card_declined", code="card_declined", data={"reason": "stolen"}),
    ),
    ("/all", refund({"order_id": "later", "amount": "1"}), 503, failure("unavailable", "try again")),
    (
        "/all",
        {"name": "find_order", "args": {"order_id": "broken"}},
        500,
        failure("execution_error", "the tool failed"),
    ),
    (
        "/all",
        {"name": "find_order", "args": {"order_id": "odd"}},
        500,
        failure("invalid_output", "/lines: must have at least 1 items"),
    ),
    ("/mock", refund({"order_id": "declined", "amount": "1"}), 200, {"refund_id": "mock"}),
    ("/only", {"args": {"order_id": "A-2"}}, 200, ORDER),
    ("/only", refund({}), 404, failure("unknown_tool", 'there is no tool "refund" here')),
    ("/woods", {"name": "await_", "key": "k1"}, 202, {"pending": "k1"}),
    ("/woods", {"name": "await_"}, 500, failure("execution_error", "the tool failed")),
    (
        "/woods",
        {"name": "plant", "args": {"context": "a", "input": "b", "overrides": "c"}},
        500,
        failure("execution_error", "the tool failed"),
    ),
]


async def check_calls(port: int) -> None:
    for path, body, status, answer in EXPECTED:
        found, text = await asyncio.to_thread(request, port, path, body)
        assert (found, json.loads(text)) == (status, answer), (body, found, text)
    assert told[:1] == ["a secret of the database"], told
    assert (await asyncio.to_thread(request, port, "/all", "", "GET"))[0] == 405
    kinds = {"text/plain": 415, "application/jsonp": 415, "": 415, "Application/JSON ; charset=utf-8": 400}
    for kind, status in kinds.items():
        answered = await asyncio.to_thread(request, port, "/all", refund({}), kind=kind)
        assert answered[0] == status, (kind, answered)
    lines = "application/x-ndjson"
    body = refund({"order_id": "A-1", "amount": "1"})
    streamed = await asyncio.to_thread(request, port, "/all", body, "POST", lines)
    assert streamed == (200, '{"result":{"refund_id":"r_1"}}\n'), streamed
    body = {"name": "saw", "args": {"in": "abc"}}
    streamed = await asyncio.to_thread(request, port, "/woods", body, "POST", lines)
    progress = '{"progress":{"await":0}}\n{"progress":{"await":50}}\n{"artifacts":{"dust":"//4="}}\n'
    assert streamed == (200, f'{progress}{{"result":{{"planks":3}}}}\n'), streamed
    assert "refund" in seen and "nope" not in seen

    # A caller that leaves cancels the call.
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    body = json.dumps({"name": "find_order", "args": {"order_id": "wait"}})
    writer.write(f"POST /all HTTP/1.1\r\nhost: a\r\ncontent-type: {JSON}\r\ncontent-length: {len(body)}\r\n\r\n{body}".encode())
    await writer.drain()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(reader.read(1), 0.3)
    assert not cancelled.is_set()
    writer.close()
    await asyncio.wait_for(cancelled.wait(), 10)


def told_about(event: events.Event) -> str:
    """A `match` that is exhaustive."""
    match event:
        case events.ApprovalRequested(payload):
            return str(payload.amount)
        case events.ApprovalGranted(payload):
            return payload.by
        case events.ApprovalDenied(payload):
            return payload.reason
        case _:
            assert_never(event)


class Documents:
    """Finds what prompts need."""

    async def grounded(self, input: types.GroundedPromptInput) -> types.GroundedHydration:
        return types.GroundedHydration(docs=[input.question])


async def check_names() -> None:
    former, renamed = fading.all_tools(Nobody()), fading.finders_tools(Nobody())
    later = faded.all_tools(Nobody())

    def refuses(make: Callable[[list[w.BoundTool]], object], given: list[w.BoundTool], one: str, other: str) -> None:
        try:
            make(given)
        except ValueError as error:
            assert str(error) == clash(one, other), error
        else:
            raise AssertionError("a name means two tools")

    def clash(one: str, other: str) -> str:
        return f'two tools are called "find" here, one of {one} and one of {other}: serve them apart'

    both = [*former, *later]
    for make in (w.asgi_app, w.model_tools, McpTools):
        refuses(make, both, "fading.Service", "faded.Service")
        refuses(make, [*later, *later], "faded.Service", "faded.Service")
    outcome = await w.dispatch(both, "find")
    assert isinstance(outcome, w.Failed) and outcome.failure.kind == "unknown_tool"
    assert str(outcome.failure) == clash("fading.Service", "faded.Service")
    # Models know the two apart; steps do not.
    assert len(w.model_tools([*renamed, *later])) == 2
    McpTools([*renamed, *later])
    refuses(w.asgi_app, [*renamed, *later], "fading.FindersService", "faded.Service")
    # One tool under two names.
    w.asgi_app([*renamed, *former])


async def check_the_rest() -> None:
    await check_names()
    desk = w.model_tools(tools.desk_tools(Desk()))
    assert [tool.name for tool in desk] == ["desk__find_order"]
    offered = next(tool for tool in w.model_tools(ALL) if tool.name == "refund")
    args: JsonValue = {"order_id": "A-1", "amount": "5"}
    assert offered.action(args) == "Refunding 5" and offered.version == "v2"
    assert await offered.execute(args) == {"refund_id": "r_5"}
    try:
        await offered.execute({})
    except w.ToolFailure as error:
        assert error.kind == "invalid_input"
    else:
        raise AssertionError("it has no arguments")

    signal = tools.decode_signal("escalate", {"reason": "angry"})
    assert signal.name == "escalate" and signal.input.reason == "angry"
    for name in ("refund", "escalate"):
        try:
            tools.decode_signal(name, {})
        except w.DecodeError:
            continue
        raise AssertionError(f"{name} is read")
    assert tools.decode_interaction("choose_account", {"ids": ["a"]}).input.ids == ["a"]
    assert tools.web_search.descriptor["kind"] == "provider"
    assert tools.web_search.descriptor["input"] == codecs.WebSearchInput.schema
    described = tools.find_order.descriptor
    assert described["output"] == codecs.FindOrderOutput.schema and "$defs" in codecs.FindOrderOutput.schema

    event = events.decode_event("approval.denied", {"by": "Ada", "reason": "too much"})
    assert event.topic == events.Topic.APPROVAL_DENIED and told_about(event) == "too much"
    assert events.encode_event(event) == {"by": "Ada", "reason": "too much"}
    text = prompts.grounded(types.GroundedPromptInput(question="Why?"), types.GroundedHydration(docs=["a", "b"]))
    assert text.splitlines()[-1] == '["a","b"]', text
    assert await prompts.hydrate("grounded", {"question": "Why?"}, Documents()) == {"docs": ["Why?"]}
    ticket = codecs.Ticket.decode({"id": CUSTOMER["id"], "customer": CUSTOMER, "body": "help", "tags": []})
    assert ticket.id == UUID(CUSTOMER["id"]) and ticket.tier is types.Tier.FREE
    start = workflows.support.start(types.SupportInput(ticket=ticket))
    assert start["digest"] == workflows.support.digest
    assert deploy.__doc__ is not None


async def main() -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="on"))
        serving = asyncio.create_task(server.serve([listening]))
        while not server.started:
            await asyncio.sleep(0.01)
        await check_calls(listening.getsockname()[1])
        server.should_exit = True
        await serving
    await check_the_rest()
    print("the server answers as it should")


if __name__ == "__main__":
    asyncio.run(main())
