"""Tools over the Model Context Protocol, for a server of the package `mcp` 2."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, cast
from uuid import uuid4

from mcp import MCPError
from mcp.server import ServerRequestContext
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
)
from pydantic import JsonValue

from .json import DecodeError, JsonObject, canonical, text_of
from .model import Codec
from .tools import (
    BoundTool,
    Failed,
    Outcome,
    Pending,
    Result,
    RunOptions,
    also_telling,
    check_names,
    dispatch,
)

_OURS = "x-weave"
"""The key in `_meta` below which everything stands that the protocol has no word for."""

_ANY_OUTPUT = "2026-07-28"
"""The first version of the protocol in which an output may be something else than an object."""


class McpTools:
    """What a server is made with: `Server(name, on_list_tools=it.on_list_tools, on_call_tool=it.on_call_tool)`.

    Two tools that would have one name are a `ValueError`.
    """

    def __init__(
        self, tools: Sequence[BoundTool], options: RunOptions | None = None
    ) -> None:
        check_names(tools, declared=False)
        self._tools = tools
        self._options = options or RunOptions()
        self._offered = {
            name: _Offered(tool, name) for tool in tools for name in tool.offered
        }

    async def on_list_tools(
        self, context: ServerRequestContext[Any], params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        """Lists what models are offered: each tool under each of its names."""
        old = context.protocol_version < _ANY_OUTPUT
        return ListToolsResult(
            tools=[offered.described(old) for offered in self._offered.values()]
        )

    async def on_call_tool(
        self, context: ServerRequestContext[Any], params: CallToolRequestParams
    ) -> CallToolResult:
        """Calls a tool; an `MCPError` says that there is none of this name."""
        offered = self._offered.get(params.name)
        if offered is None:
            raise MCPError(INVALID_PARAMS, f"unknown tool {text_of(params.name)}")
        key = _key_of(context.meta)
        if key is None and offered.tool.definition.deferred:
            key = str(uuid4())
        told: asyncio.Queue[tuple[JsonValue] | None] = asyncio.Queue()
        artifacts: list[JsonValue] = []
        options = also_telling(
            self._options,
            lambda progress: told.put_nowait((progress,)),
            artifacts.append,
        )

        async def run() -> Outcome:
            try:
                return await dispatch(
                    self._tools,
                    params.name,
                    params.arguments,
                    key=key,
                    options=options,
                )
            finally:
                told.put_nowait(None)

        async with asyncio.TaskGroup() as group:
            call = group.create_task(run())
            count = 0
            while (value := await told.get()) is not None:
                count += 1
                await context.session.report_progress(*_progress_of(value[0], count))
        old = context.protocol_version < _ANY_OUTPUT
        return offered.answered(call.result(), artifacts, old)


class _Offered:
    """A tool under one of its names."""

    def __init__(self, tool: BoundTool, name: str) -> None:
        definition = tool.definition
        output = _written_out(definition.output.schema)
        self.tool = tool
        self._gives = output.get("type") != "null"
        self._wrapped = output.get("type") != "object"
        descriptor = definition.descriptor
        meta = descriptor.get("meta")
        said: JsonObject = {
            "name": name,
            "inputSchema": _written_out(definition.input.schema),
            "_meta": {
                **(meta if isinstance(meta, dict) else {}),
                _OURS: _ours(tool.name, descriptor),
            },
        }
        for key in ("title", "description"):
            if key in descriptor:
                said[key] = descriptor[key]
        hints = descriptor.get("hints")
        if isinstance(hints, list):
            # All four: the protocol takes a tool for destructive that does not say otherwise.
            said["annotations"] = {
                "readOnlyHint": "read_only" in hints,
                "destructiveHint": "destructive" in hints,
                "idempotentHint": "idempotent" in hints,
                "openWorldHint": "open_world" in hints,
            }
        new, old = dict(said), dict(said)
        # What says that the result comes later does not fit the schema of the output.
        if self._gives and not definition.deferred:
            old["outputSchema"] = _wrapped(output) if self._wrapped else output
            # Servers of `mcp` leave out a null, which clients miss then.
            if not _may_be_null(definition.output):
                new["outputSchema"] = output
        self._told = {True: Tool.model_validate(old), False: Tool.model_validate(new)}

    def described(self, old: bool) -> Tool:
        """The tool, as a client is told about it."""
        return self._told[old]

    def answered(
        self, outcome: Outcome, artifacts: list[JsonValue], old: bool
    ) -> CallToolResult:
        """What became of a call, as a client is told about it."""
        beside: JsonObject = {"artifacts": artifacts} if artifacts else {}
        structured: JsonValue = None
        text: JsonValue
        match outcome:
            case Failed(failure):
                text = beside["failure"] = failure.to_json()
            case Pending(key):
                beside["pending"] = key
                text = {"pending": key}
            case Result(value):
                text = value
                structured = {"result": value} if old and self._wrapped else value
        empty = isinstance(outcome, Result) and not self._gives
        return CallToolResult(
            content=[] if empty else [TextContent(text=canonical(text))],
            structured_content=None if empty else structured,
            is_error=isinstance(outcome, Failed),
            _meta=cast("dict[str, Any]", {_OURS: beside}) if beside else None,
        )


def _may_be_null(output: Codec[Any]) -> bool:
    try:
        output.decode(None)
    except DecodeError:
        return False
    return True


def _written_out(schema: JsonObject) -> JsonObject:
    """A schema whose root is no reference: clients look for its `type`."""
    defs, ref = schema.get("$defs"), schema.get("$ref")
    if len(schema) != 2 or not isinstance(defs, dict) or not isinstance(ref, str):
        return schema
    key = ref.removeprefix("#/$defs/").replace("~1", "/").replace("~0", "~")
    named = defs.get(key)
    if not isinstance(named, dict):
        return schema
    others = {name: other for name, other in defs.items() if name != key}
    if text_of(ref) in canonical([named, others]):
        others = defs
    # A name may stand for a name.
    return _written_out({**named, "$defs": others} if others else named)


def _wrapped(schema: JsonObject) -> JsonObject:
    """The schema of an object that holds the value as its `result`."""
    inner = dict(schema)
    # References are looked up at the root.
    defs = inner.pop("$defs", None)
    wrapped: JsonObject = {
        "type": "object",
        "properties": {"result": inner},
        "required": ["result"],
    }
    if defs is not None:
        wrapped["$defs"] = defs
    return wrapped


def _ours(name: str, descriptor: JsonObject) -> JsonObject:
    said: JsonObject = {"kind": descriptor["kind"], "id": descriptor.get("id", name)}
    for key in ("version", "deprecated", "activation", "fails"):
        if key in descriptor:
            said[key] = descriptor[key]
    if descriptor["mode"] == "silent":
        said["mode"] = "silent"
    for key in ("approval", "deferred"):
        if key in descriptor:
            said[key] = True
    return said


def _key_of(meta: Mapping[str, Any] | None) -> str | None:
    """The key that a client gives the call, under which a deferred result is completed."""
    said = None if meta is None else meta.get(_OURS)
    key = cast("dict[str, object]", said).get("key") if isinstance(said, dict) else None
    return key if isinstance(key, str) and key else None


def _number(value: JsonValue) -> float | None:
    # To Python, a boolean is a number.
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value


def _progress_of(
    value: JsonValue, count: int
) -> tuple[float, float | None, str | None]:
    """Progress that has the fields of the protocol is told as it is.

    Of any other, values are counted and the text is the value.
    """
    if isinstance(value, dict):
        progress, total, message = (
            value.get(key) for key in ("progress", "total", "message")
        )
        done = _number(progress)
        if done is not None:
            text = message if isinstance(message, str) else None
            return done, _number(total), text
    return count, None, value if isinstance(value, str) else canonical(value)
