"""Tools over HTTP, as applications of ASGI: the payload of a dispatch comes in, the result goes out."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from pydantic import JsonValue

from .json import JsonObject, canonical, parse_json
from .tools import (
    BoundTool,
    Failed,
    Outcome,
    Pending,
    Result,
    RunOptions,
    ToolFailure,
    also_telling,
    check_names,
    dispatch,
)

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]
"""An application of ASGI."""

_LINES = "application/x-ndjson"
_JSON = "application/json"


class _Gone(Exception):
    """The caller does not wait any more."""


@dataclass(frozen=True, slots=True)
class _Dispatched:
    name: str
    args: object
    key: str | None


async def _body(receive: Receive, longest: int) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise _Gone
        body += message.get("body", b"")
        if len(body) > longest:
            raise ToolFailure("invalid_input", "the body is too long", status=413)
        if not message.get("more_body", False):
            return bytes(body)


def _read(body: bytes, only: BoundTool | None) -> _Dispatched:
    try:
        value = parse_json(body)
    except ValueError:
        raise ToolFailure("invalid_input", "the body is not JSON") from None
    if not isinstance(value, dict):
        raise ToolFailure("invalid_input", "(root): must be an object")
    name = value.get("name", None if only is None else only.name)
    if not isinstance(name, str):
        raise ToolFailure(
            "invalid_input",
            f"/name: {'must be a string' if 'name' in value else 'is missing'}",
        )
    key = value.get("key")
    return _Dispatched(name, value.get("args"), key if isinstance(key, str) else None)


async def _start(
    send: Send, status: int, kind: str, *headers: tuple[bytes, bytes]
) -> None:
    content = (b"content-type", kind.encode("ascii"))
    await send(
        {
            "type": "http.response.start",
            "status": status,
            "headers": [content, *headers],
        }
    )


async def _answer(
    send: Send, status: int, body: JsonValue, *headers: tuple[bytes, bytes]
) -> None:
    await _start(send, status, _JSON, *headers)
    await send({"type": "http.response.body", "body": canonical(body).encode()})


def _written(outcome: Outcome) -> JsonObject:
    match outcome:
        case Failed(failure):
            return {"failure": failure.to_json()}
        case Pending(key):
            return {"pending": key}
        case Result(value):
            return {"result": value}


async def _answer_outcome(
    send: Send, outcome: Outcome, *headers: tuple[bytes, bytes]
) -> None:
    match outcome:
        case Failed(failure):
            # No text can follow a status of others, nor one that is none.
            status = failure.status if 400 <= failure.status < 600 else 500
            await _answer(send, status, _written(outcome), *headers)
        case Pending():
            await _answer(send, 202, _written(outcome))
        case Result(value):
            await _answer(send, 200, value)


async def _stream(
    send: Send, tools: Sequence[BoundTool], dispatched: _Dispatched, options: RunOptions
) -> None:
    """What the tool streams, and then its outcome, each on a line of its own."""
    lines: asyncio.Queue[JsonValue] = asyncio.Queue()

    told = also_telling(
        options,
        lambda progress: lines.put_nowait({"progress": progress}),
        lambda artifacts: lines.put_nowait({"artifacts": artifacts}),
    )

    async def run() -> None:
        outcome = await dispatch(
            tools, dispatched.name, dispatched.args, key=dispatched.key, options=told
        )
        lines.put_nowait(_written(outcome))
        lines.put_nowait(None)

    async with asyncio.TaskGroup() as group:
        group.create_task(run())
        await _start(send, 200, _LINES)
        while (line := await lines.get()) is not None:
            body = f"{canonical(line)}\n".encode()
            await send({"type": "http.response.body", "body": body, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


def _headers(scope: Scope, name: bytes) -> list[bytes]:
    return [value for known, value in scope["headers"] if known.lower() == name]


def _accepts_lines(scope: Scope) -> bool:
    return any(_LINES.encode() in value for value in _headers(scope, b"accept"))


def _is_json(scope: Scope) -> bool:
    kinds = [value.split(b";")[0] for value in _headers(scope, b"content-type")]
    return [kind.strip().lower() for kind in kinds] == [_JSON.encode()]


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _handle(
    scope: Scope,
    receive: Receive,
    send: Send,
    tools: Sequence[BoundTool],
    only: BoundTool | None,
    options: RunOptions,
) -> None:
    if scope["method"] != "POST":
        failure = ToolFailure(
            "invalid_input", "a dispatch is sent with POST", status=405
        )
        await _answer_outcome(send, Failed(failure), (b"allow", b"POST"))
        return
    try:
        # What a page of another origin can send without asking first is never declared as JSON.
        if not _is_json(scope):
            message = f"a dispatch is sent as {_JSON}"
            raise ToolFailure("invalid_input", message, status=415)
        dispatched = _read(await _body(receive, options.max_body), only)
    except ToolFailure as failure:
        await _answer_outcome(send, Failed(failure))
        return

    async def run() -> None:
        if _accepts_lines(scope):
            await _stream(send, tools, dispatched, options)
        else:
            outcome = await dispatch(
                tools,
                dispatched.name,
                dispatched.args,
                key=dispatched.key,
                options=options,
            )
            await _answer_outcome(send, outcome)

    # A caller that leaves cancels the call.
    call, gone = asyncio.create_task(run()), asyncio.create_task(_gone(receive))
    try:
        await asyncio.wait((call, gone), return_when=asyncio.FIRST_COMPLETED)
        if call.done():
            await call
    finally:
        call.cancel()
        gone.cancel()
        await asyncio.gather(call, gone, return_exceptions=True)


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


def _app(
    tools: Sequence[BoundTool], only: BoundTool | None, options: RunOptions
) -> App:
    # Models call tools as they are offered, steps as they are declared.
    check_names(tools, declared=True)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close"})
        else:
            try:
                await _handle(scope, receive, send, tools, only, options)
            except _Gone:
                return

    return app


def asgi_app(tools: Sequence[BoundTool], options: RunOptions | None = None) -> App:
    """Serves all of these tools: a dispatch names the one that is meant.

    Who accepts `application/x-ndjson` also gets what tools stream. A name that would mean
    two tools is a `ValueError`.
    """
    return _app(tools, None, options or RunOptions())


def asgi_apps(
    tools: Mapping[str, Sequence[BoundTool]], options: RunOptions | None = None
) -> App:
    """Serves lists of tools, each at the path that is its key.

    In each of them a name that would mean two tools is a `ValueError`.
    """
    apps = {path: asgi_app(served, options) for path, served in tools.items()}
    none = asgi_app([], options)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] not in apps:
            failure = ToolFailure(
                "invalid_input", "no tools are served at this path", status=404
            )
            await _answer_outcome(send, Failed(failure))
        elif scope["type"] == "http":
            await apps[scope["path"]](scope, receive, send)
        else:
            await none(scope, receive, send)

    return app


def tool_app(tool: BoundTool, options: RunOptions | None = None) -> App:
    """Serves one tool, which a dispatch need not name."""
    return _app([tool], tool, options or RunOptions())
