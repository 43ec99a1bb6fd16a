"""Tools, and what becomes of calls."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, ClassVar, Generic, Literal, TypeAlias, TypeVar, cast

from pydantic import JsonValue

from .json import DecodeError, JsonObject, parse_json, text_of
from .model import Codec, Schema
from .nodes import Nothing
from .template import Placeholder, render, roots_of

Data = TypeVar("Data")
Input = TypeVar("Input")
Output = TypeVar("Output")
Progress = TypeVar("Progress")
Artifacts = TypeVar("Artifacts")

FailureKind: TypeAlias = Literal[
    "execution_error",
    "invalid_input",
    "invalid_output",
    "timeout",
    "denied",
    "cancelled",
    "unavailable",
    "unknown_tool",
    "non_local_tool",
    "unknown_outcome",
    "max_turns",
    "elements",
    "stalled",
    "runaway",
]
"""The built-in kinds of failures."""

_STATUSES: dict[FailureKind, int] = {
    "invalid_input": 400,
    "denied": 403,
    "unknown_tool": 404,
    "cancelled": 499,
    "unavailable": 503,
    "timeout": 504,
}


class ToolFailure(Exception):
    """What a tool fails with."""

    def __init__(
        self,
        kind: FailureKind,
        message: str = "",
        *,
        code: str | None = None,
        data: JsonValue = None,
        status: int | None = None,
    ) -> None:
        super().__init__(message)
        self.kind: FailureKind = kind
        self.message = message
        self.code = code
        """The name of a declared error."""
        self.failure_data = data
        self.status = _STATUSES.get(kind, 500) if status is None else status
        """The status of an answer over HTTP."""

    def to_json(self) -> JsonObject:
        """As it stands on a scroll."""
        written: JsonObject = {"kind": self.kind}
        if self.code is not None:
            written["code"] = self.code
        written["message"] = self.message
        if self.code is not None:
            written["data"] = self.failure_data
        return written


class DeclaredError(ToolFailure, Generic[Data]):
    """An error that a program declares, with its data."""

    declared_code: ClassVar[str]
    declared_status: ClassVar[int]
    declared_message: ClassVar[str]
    codec: ClassVar[Codec[Any]]

    def __init__(self, data: Data, message: str | None = None) -> None:
        super().__init__(
            "execution_error",
            self.declared_message if message is None else message,
            code=self.declared_code,
            data=self.codec.encode(data),
            status=self.declared_status,
        )
        self.data = data


NOTHING: Codec[None] = Codec(Nothing(), Schema('{"type":"null"}'))
"""What a tool gives that has no output."""


def unknown_name(name: str) -> DecodeError:
    """That a name means nothing here."""
    return DecodeError(f"there is no {text_of(name)} here")


@dataclass(frozen=True, slots=True)
class Pending:
    """That the result of a call comes later, under this key."""

    key: str


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool gave, as JSON."""

    value: JsonValue


@dataclass(frozen=True, slots=True)
class Failed:
    """That a tool failed."""

    failure: ToolFailure


Outcome: TypeAlias = Result | Failed | Pending
"""What becomes of a call."""


def _ignore(_: Any) -> None:
    """Tells nobody."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call on its way."""

    tool: str
    args: object
    key: str | None = None
    """What identifies the call, if the caller said it."""
    on_progress: Callable[[JsonValue], None] = _ignore
    """Takes what the tool streams, as JSON."""
    on_artifacts: Callable[[JsonValue], None] = _ignore
    """Takes what the tool hands over beside its output, as JSON."""
    on_error: Callable[[BaseException], None] = _ignore
    """Takes what was raised and is no failure that the tool declares."""


class ToolContext(Generic[Progress, Artifacts]):
    """What a tool's implementation knows beside its arguments.

    When nobody waits for the result any more, the task of the call is cancelled.
    """

    def __init__(
        self,
        call: Call,
        progress: Codec[Progress] | None = None,
        artifacts: Codec[Artifacts] | None = None,
    ) -> None:
        self._call = call
        self._progress = progress
        self._artifacts = artifacts

    @property
    def tool(self) -> str:
        """The tool's name."""
        return self._call.tool

    @property
    def key(self) -> str | None:
        """What identifies the call, if the caller said it. A deferred result is completed under this key."""
        return self._call.key

    def emit(self, progress: Progress) -> None:
        """Tells how far the tool has come."""
        if self._progress is not None:
            self._call.on_progress(self._progress.encode(progress))

    def attach(self, artifacts: Artifacts) -> None:
        """Hands something to the application beside the output."""
        if self._artifacts is not None:
            self._call.on_artifacts(self._artifacts.encode(artifacts))


class DeferredContext(ToolContext[Progress, Artifacts]):
    """The context of a tool whose result may come later."""

    def pending(self) -> Pending:
        """What the implementation returns if the result comes later."""
        if self.key is None:
            raise LookupError(
                "the caller gave no key under which the result could come later"
            )
        return Pending(self.key)


def _described(
    said: str,
    input: Codec[Any],
    output: Codec[Any],
    progress: Codec[Any] | None,
    artifacts: Codec[Any] | None,
) -> JsonObject:
    described = cast(JsonObject, parse_json(said))
    described["input"] = input.schema
    described["output"] = output.schema
    if progress is not None:
        described["progress"] = progress.schema
    if artifacts is not None:
        described["artifacts"] = artifacts.schema
    return described


@dataclass(frozen=True, slots=True)
class ToolDefinition(Generic[Input, Output, Progress, Artifacts]):
    """A tool that a service implements."""

    name: str
    input: Codec[Input]
    output: Codec[Output]
    said: str
    """What a definition says about it beside its schemas, as JSON."""
    progress: Codec[Progress] | None = None
    artifacts: Codec[Artifacts] | None = None
    fails: tuple[str, ...] = ()
    """The codes and kinds that it declares."""
    deferred: bool = False
    action_parts: tuple[str | Placeholder, ...] | None = None

    @property
    def descriptor(self) -> JsonObject:
        """What a definition says about it, with schemas that need no other document."""
        return _described(
            self.said, self.input, self.output, self.progress, self.artifacts
        )

    def action(self, input: Input) -> str | None:
        """What people see while it runs."""
        return (
            None
            if self.action_parts is None
            else render(self.action_parts, roots_of(self.input, input))
        )


Method: TypeAlias = Callable[[Any, Any], Awaitable[Any]]
"""What implements a tool."""


def chosen(overrides: Mapping[str, object] | None, name: str, method: Method) -> Method:
    """What stands in the place of a method, or the method."""
    return method if overrides is None else cast("Method", overrides.get(name, method))


@dataclass(frozen=True, slots=True)
class BoundTool:
    """A tool with its implementation: arguments are read before it is called, and what it gives is checked."""

    definition: ToolDefinition[Any, Any, Any, Any]
    method: Method
    offered: tuple[str, ...]
    """What models are offered it as."""
    service: str
    """The service that implements it, behind the name of its package."""

    @property
    def name(self) -> str:
        """The tool's name."""
        return self.definition.name

    async def run(self, call: Call) -> Outcome:
        """Calls the tool."""
        definition = self.definition
        try:
            input = definition.input.decode(call.args)
        except DecodeError as error:
            return Failed(ToolFailure("invalid_input", str(error)))
        context: DeferredContext[Any, Any] = DeferredContext(
            call, definition.progress, definition.artifacts
        )
        try:
            output = await self.method(input, context)
            if isinstance(output, Pending):
                if definition.deferred:
                    return output
                return Failed(ToolFailure("invalid_output", "the tool is not deferred"))
            return Result(definition.output.encode(output))
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001
            return Failed(_failure(definition.fails, error, call))


def _failure(fails: Sequence[str], error: BaseException, call: Call) -> ToolFailure:
    """What was raised as a failure; what nobody declared is told to the application and not to the caller."""
    if isinstance(error, asyncio.CancelledError):
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise error
        return ToolFailure("cancelled", "the call was cancelled")
    if isinstance(error, ToolFailure) and (error.code is None or error.code in fails):
        return error
    call.on_error(error)
    if isinstance(error, DecodeError):
        return ToolFailure("invalid_output", str(error))
    return ToolFailure("execution_error", "the tool failed")


Next: TypeAlias = Callable[[Call], Awaitable[Outcome]]

Middleware: TypeAlias = Callable[[Call, Next], Awaitable[Outcome]]
"""Stands around each call; the first one is the outermost."""


def _tell_nobody(tool: str, value: Any) -> None:
    """Tells nobody."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What stands around calls, and who is told what."""

    middleware: Sequence[Middleware] = ()
    on_progress: Callable[[str, JsonValue], None] = _tell_nobody
    on_artifacts: Callable[[str, JsonValue], None] = _tell_nobody
    on_error: Callable[[str, BaseException], None] = _tell_nobody
    max_body: int = 16 * 1024 * 1024
    """How many bytes the body of a request over HTTP has at the most."""


_NO_OPTIONS = RunOptions()


def also_telling(
    options: RunOptions,
    on_progress: Callable[[JsonValue], None],
    on_artifacts: Callable[[JsonValue], None],
) -> RunOptions:
    """The same options, where somebody else is told, too."""

    def progress(tool: str, value: JsonValue) -> None:
        on_progress(value)
        options.on_progress(tool, value)

    def artifacts(tool: str, value: JsonValue) -> None:
        on_artifacts(value)
        options.on_artifacts(tool, value)

    return replace(options, on_progress=progress, on_artifacts=artifacts)


def _around(next: Next, middleware: Middleware) -> Next:
    return lambda call: middleware(call, next)


def _clash(name: str, one: BoundTool, other: BoundTool) -> str:
    return (
        f"two tools are called {text_of(name)} here, one of {one.service} "
        f"and one of {other.service}: serve them apart"
    )


def check_names(tools: Sequence[BoundTool], *, declared: bool) -> None:
    """Raises a `ValueError` if what a tool is offered as means another tool, too.

    With `declared`, so does the name that it is declared with.
    """
    known: dict[str, BoundTool] = {}
    for tool in tools:
        own = (tool.name,) if declared else ()
        for name in dict.fromkeys((*tool.offered, *own)):
            other, offered = known.get(name), name in tool.offered
            if other is not None:
                twice = offered and name in other.offered
                if twice or other.definition is not tool.definition:
                    raise ValueError(_clash(name, other, tool))
            if other is None or offered:
                known[name] = tool


def _find(tools: Sequence[BoundTool], name: str) -> BoundTool | str:
    """The tool that a name means, or why it means none."""
    offered = [tool for tool in tools if name in tool.offered]
    known = offered or [tool for tool in tools if tool.name == name]
    if not known:
        return f"there is no tool {text_of(name)} here"
    tool = known[0]
    for other in known[1:]:
        if offered or other.definition is not tool.definition:
            return _clash(name, tool, other)
    return tool


async def dispatch(
    tools: Sequence[BoundTool],
    name: str,
    args: object = None,
    *,
    key: str | None = None,
    options: RunOptions = _NO_OPTIONS,
) -> Outcome:
    """Calls a tool by its name, through the middleware."""
    tool = _find(tools, name)
    if isinstance(tool, str):
        return Failed(ToolFailure("unknown_tool", tool))
    first = Call(
        tool=tool.name,
        args={} if args is None else args,
        key=key,
        on_progress=lambda progress: options.on_progress(tool.name, progress),
        on_artifacts=lambda artifacts: options.on_artifacts(tool.name, artifacts),
        on_error=lambda error: options.on_error(tool.name, error),
    )
    innermost: Next = tool.run
    run = reduce(_around, reversed(options.middleware), innermost)
    try:
        return await run(first)
    except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001
        return Failed(_failure(tool.definition.fails, error, first))


@dataclass(frozen=True, slots=True)
class ModelTool:
    """A tool in the form that the libraries of models take."""

    name: str
    title: str | None
    description: str
    version: str | None
    mode: Literal["feedback", "silent"]
    strict: bool
    parameters: JsonObject
    """The JSON Schema of the arguments."""
    tool: BoundTool
    _tools: Sequence[BoundTool] = field(repr=False)
    _options: RunOptions = field(repr=False)

    def action(self, args: object) -> str | None:
        """What people see while it runs; nothing if the arguments do not fit."""
        try:
            return self.tool.definition.action(self.tool.definition.input.decode(args))
        except DecodeError:
            return None

    async def execute(self, args: object, key: str | None = None) -> JsonValue:
        """Gives the output as JSON; raises a `ToolFailure`."""
        outcome = await dispatch(
            self._tools, self.name, args, key=key, options=self._options
        )
        match outcome:
            case Failed(failure):
                raise failure
            case Pending(key):
                return {"pending": key}
            case Result(value):
                return value


def model_tools(
    tools: Sequence[BoundTool], options: RunOptions = _NO_OPTIONS
) -> list[ModelTool]:
    """What models are offered: each tool under each of its names.

    Two tools that would have one name are a `ValueError`.
    """
    check_names(tools, declared=False)
    return [
        _model_tool(tool, name, tools, options)
        for tool in tools
        for name in tool.offered
    ]


def _said(descriptor: JsonObject, key: str) -> str | None:
    value = descriptor.get(key)
    return value if isinstance(value, str) else None


def _model_tool(
    tool: BoundTool, name: str, tools: Sequence[BoundTool], options: RunOptions
) -> ModelTool:
    descriptor = tool.definition.descriptor
    return ModelTool(
        name=name,
        title=_said(descriptor, "title"),
        description=_said(descriptor, "description") or "",
        version=_said(descriptor, "version"),
        mode="silent" if descriptor.get("mode") == "silent" else "feedback",
        strict=descriptor.get("strict") is True,
        parameters=tool.definition.input.schema,
        tool=tool,
        _tools=tools,
        _options=options,
    )


@dataclass(frozen=True, slots=True)
class CallDefinition(Generic[Input, Output]):
    """A call that is read and never executed here: a signal, or a question to somebody outside."""

    name: str
    input: Codec[Input]
    response: Codec[Output]
    """What somebody answers later."""
    said: str
    """What a definition says about it beside its schemas, as JSON."""
    progress: Codec[Any] | None = None
    artifacts: Codec[Any] | None = None

    @property
    def descriptor(self) -> JsonObject:
        """What a definition says about it, with schemas that need no other document."""
        return _described(
            self.said, self.input, self.response, self.progress, self.artifacts
        )


@dataclass(frozen=True, slots=True)
class ToolDescription:
    """A tool that runs elsewhere: all that there is to know is its description."""

    name: str
    said: str
    """What a definition says about it beside its schemas, as JSON."""
    input: Codec[Any]
    output: Codec[Any]
    progress: Codec[Any] | None = None
    artifacts: Codec[Any] | None = None

    @property
    def descriptor(self) -> JsonObject:
        """What a definition says about it, with schemas that need no other document."""
        return _described(
            self.said, self.input, self.output, self.progress, self.artifacts
        )


@dataclass(frozen=True, slots=True)
class AgentDefinition(Generic[Input, Output]):
    """An agent."""

    name: str
    input: Codec[Input]
    output: Codec[Output]
    model: str | None = None


@dataclass(frozen=True, slots=True)
class WorkflowDefinition(Generic[Input, Output]):
    """A workflow, with its definition."""

    name: str
    digest: str
    """What identifies the definition."""
    input: Codec[Input]
    output: Codec[Output]
    definition_json: str

    @property
    def definition(self) -> JsonObject:
        """Its definition."""
        return cast(JsonObject, parse_json(self.definition_json))

    def start(self, input: Input) -> JsonObject:
        """The payload of the `workflow.start` that begins a run."""
        return {
            "workflow": self.name,
            "digest": self.digest,
            "input": self.input.encode(input),
        }
