"""Builders: programs that put the definitions of workflows together.

What nodes reach beside them comes from the generated `parts`, so that the definition is the one that the compiler writes for the same
workflow in a `.weave` file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from hashlib import sha256
from types import EllipsisType
from typing import Any, Literal, TypeAlias

from pydantic import JsonValue

from . import builder_types as t
from .builder_actions import (
    Action,
    AgentPart,
    Callee,
    EventPart,
    ToolPart,
    Topic,
    WorkflowPart,
)
from .builder_guards import (
    Expr,
    Operand,
    add,
    and_,
    constant,
    contains,
    div,
    ends_with,
    eq,
    exists,
    for_all,
    ge,
    gt,
    has,
    is_in,
    item,
    le,
    list_of,
    lt,
    matches,
    mul,
    ne,
    neg,
    not_,
    or_,
    rem,
    size,
    starts_with,
    sub,
)
from .builder_parts import ErrorPart, Part, TypePart, assembled
from .builder_values import (
    BuilderError,
    Filled,
    Kind,
    Ref,
    Text,
    Value,
    is_name,
    lowered,
    text,
    time_text,
)
from .json import JsonObject, canonical
from .tools import FailureKind


def _nothing() -> JsonObject:
    return {}


@dataclass(frozen=True)
class Trigger:
    """What fires a node."""

    source: JsonValue
    steps: tuple[Step, ...] = ()
    parts: tuple[Part, ...] = ()
    condition: JsonObject = field(default_factory=_nothing)
    join: str | None = None
    """The key of the steps of a join, which stand in the order of the nodes."""


On: TypeAlias = "Trigger | Step | Topic"
"""What can fire a node: a trigger, the answer of a step, an event."""


def _trigger(on: On) -> Trigger:
    if isinstance(on, Trigger):
        return on
    if isinstance(on, Topic):
        return Trigger(on.name, parts=(on,))
    return Trigger(on.id, (on,))


def _conditional(on: On, condition: JsonObject) -> Trigger:
    trigger = _trigger(on)
    if trigger.condition:
        raise BuilderError("a trigger has one condition at most")
    return replace(trigger, condition=condition)


def when(on: On, condition: Expr) -> Trigger:
    """A member of the choice: of those that listen to the same, the first one fires whose condition is true."""
    return _conditional(on, {"when": condition.guard()})


def also_when(on: On, condition: Expr) -> Trigger:
    """Fires whenever the condition is true, whoever else does."""
    return _conditional(on, {"when": condition.guard(), "also": True})


def otherwise(on: On) -> Trigger:
    """Fires if no member of the choice did."""
    return _conditional(on, {"else": True})


def start() -> Trigger:
    """The start of the run."""
    return Trigger("start")


def answer(topic: Topic, step: Step) -> Trigger:
    """This topic, as an answer to a step."""
    return Trigger({"topic": topic.name, "from": step.id}, (step,), (topic,))


def called(tool: Callee[Any], step: Step) -> Trigger:
    """The agent of a step calls a tool."""
    return Trigger({"tool": tool.name, "from": step.id}, (step,), (tool,))


def _joined(
    kind: str, more: JsonObject, steps: Sequence[Step], per: Step | None
) -> Trigger:
    source: JsonObject = {kind: [step.id for step in steps], **more}
    if per is None:
        return Trigger(source, tuple(steps), join=kind)
    return Trigger({**source, "per": per.id}, (*steps, per), join=kind)


def all_of(steps: Sequence[Step], per: Step | None = None) -> Trigger:
    """All of these steps have answered; for each firing of the fork, if they have one."""
    return _joined("all", {}, steps, per)


def some_of(count: int, steps: Sequence[Step], per: Step | None = None) -> Trigger:
    """So many of these steps have answered."""
    if not 1 <= count <= len(steps):
        raise BuilderError(f"{count} of {len(steps)} steps cannot be")
    return _joined("of", {"count": count}, steps, per)


def settled(steps: Sequence[Step], per: Step | None = None) -> Trigger:
    """Each of these steps has answered or failed."""
    return _joined("settled", {}, steps, per)


def failed(step: Step) -> Trigger:
    """A step has failed, after its retries."""
    return Trigger({"failure": step.id}, (step,))


def any_failure() -> Trigger:
    """Any failure that no other node takes."""
    return Trigger({"failure": "*"})


def timed_out(step: Step, after: timedelta) -> Trigger:
    """A step has not answered in this time."""
    return Trigger({"timeout": time_text(after), "from": step.id}, (step,))


def run_timed_out(after: timedelta) -> Trigger:
    """So much time has passed since the start of the run."""
    return Trigger({"timeout": time_text(after)})


def _timer(key: str, value: JsonValue) -> Action:
    return Action({"emit": "timer.set", "payload": {key: value}}, ("events/timer.set",))


def wait(length: timedelta | Ref) -> Action:
    """Waits for a time."""
    return _timer(
        "after",
        length.placeholder() if isinstance(length, Ref) else time_text(length),
    )


def wait_until(moment: str | Ref | Filled | Text) -> Action:
    """Waits until a moment."""
    return _timer("at", lowered(moment))


def receive(topics: Sequence[Topic], condition: Expr | None = None) -> Action:
    """Waits for one of these events, for which the condition is true."""
    names: list[JsonValue] = [*sorted({topic.name for topic in topics})]
    keys: JsonObject = {"await": names}
    if condition is not None:
        keys["match"] = condition.guard()
    return Action(keys, tuple(topic.key for topic in topics))


def cancel(steps: Sequence[Step]) -> Action:
    """Closes steps that are open."""
    return Action({"cancel": [step.id for step in steps]}, steps=tuple(steps))


def value(output: Value) -> Action:
    """Answers at once with a value."""
    return Action({"output": lowered(output)})


@dataclass(frozen=True)
class Retry:
    """What happens after a failed attempt."""

    keys: JsonObject
    uses: tuple[str, ...]


def retry(
    max: int,
    *,
    backoff: Literal["linear", "exponential"] | None = None,
    base: timedelta | None = None,
    cap: timedelta | None = None,
    on: Sequence[ErrorPart | FailureKind] = (),
    codes: Sequence[str] = (),
) -> Retry:
    """So many further attempts after a failed one.

    The first pause is `base`, the longest one `cap`. What is tried again stands in `on`; a child run fails with the names of its own
    nodes, which stand in `codes`.
    """
    if max < 0:
        raise BuilderError(f"{max} is no number of attempts")
    keys: JsonObject = {"max": max}
    if backoff is not None:
        keys["backoff"] = backoff
    if base is not None:
        keys["base"] = time_text(base)
    if cap is not None:
        keys["cap"] = time_text(cap)
    listed = {code if isinstance(code, str) else code.name for code in on} | {*codes}
    if listed:
        keys["on"] = [*sorted(listed)]
    return Retry(keys, tuple(code.key for code in on if not isinstance(code, str)))


def each(
    values: Ref, name: str, *, parallel: int | None = None, min: int | None = None
) -> JsonObject:
    """A fan-out over a list; `element` with the same name reads the element.

    So many elements are open at a time (`parallel`), and so many must succeed (`min`).
    """
    if not is_name(name):
        raise BuilderError(f"`{name}` is not a name")
    made: JsonObject = {"in": values.placeholder(), "as": name}
    if parallel is not None:
        made["parallel"] = parallel
    if min is not None:
        made["min"] = min
    return made


def element(name: str) -> Ref:
    """The element of a fan-out."""
    return Ref(name)


event = Ref("event")
"""The value that fired a node."""

response = Ref("response")
"""The event of a plain `ai.response`."""

result = Ref("result")
"""The event of a plain `tool.result`."""

failure = Ref("failure")
"""The failure that fired a node."""

_RESERVED = frozenset({"start", "event", "failure", "input", "response", "result"})


class Node:
    """A node.

    What it does is said when it is made, or later by `is_`, so that nodes before it can name it.
    """

    def __init__(self, workflow: Workflow, id: str) -> None:
        self.workflow = workflow
        self.id = id


class Step(Node):
    """A step: a node whose answer others read and listen to."""

    def __init__(self, workflow: Workflow, id: str) -> None:
        super().__init__(workflow, id)
        self.answer = Ref(id)
        """Its latest answer."""

    def at(self, *keys: str | int) -> Ref:
        """What stands in its answer under these names."""
        return self.answer.at(*keys)

    @property
    def maybe(self) -> Ref:
        """Its answer, which may be absent."""
        return self.answer.maybe

    @property
    def all(self) -> Ref:
        """All its answers."""
        return self.answer.all

    def is_(
        self,
        *,
        do: Action,
        on: On | Sequence[On] = (),
        description: str | None = None,
        limit: int | None = None,
        each: JsonObject | None = None,
        timeout: timedelta | None = None,
        retry: Retry | None = None,
        history: Sequence[Step] = (),
    ) -> Step:
        """Says what fires it and what it does."""
        keys: JsonObject = {**do.keys, **do.settings}
        if each is not None:
            keys["each"] = each
        if timeout is not None:
            keys["timeout"] = time_text(timeout)
        if retry is not None:
            keys["retry"] = retry.keys
        if history:
            keys["history"] = [step.id for step in history]
        uses = (*do.uses, *(retry.uses if retry is not None else ()))
        said = Said(keys, on, description, limit, uses, (*do.steps, *history))
        self.workflow.define(self.id, said)
        return self


class End(Node):
    """An end of the run."""

    def is_(
        self,
        *,
        on: On | Sequence[On] = (),
        description: str | None = None,
        limit: int | None = None,
        output: Value | EllipsisType = ...,
    ) -> End:
        """Says what fires it and what the run's output is."""
        keys: JsonObject = {"terminal": True}
        if not isinstance(output, EllipsisType):
            keys["output"] = lowered(output)
        self.workflow.define(self.id, Said(keys, on, description, limit))
        return self


class Fail(Node):
    """An end with which the run fails."""

    def is_(
        self,
        *,
        on: On | Sequence[On] = (),
        description: str | None = None,
        limit: int | None = None,
        message: str | Text | Ref | Filled | None = None,
    ) -> Fail:
        """Says what fires it and why the run fails."""
        keys: JsonObject = {"terminal": True, "outcome": "failed"}
        if message is not None:
            keys["message"] = lowered(message)
        self.workflow.define(self.id, Said(keys, on, description, limit))
        return self


@dataclass(frozen=True)
class Said:
    """What is said of a node."""

    keys: JsonObject
    on: On | Sequence[On]
    description: str | None
    limit: int | None
    uses: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()


class Workflow:
    """A workflow that is put together."""

    def __init__(
        self, name: str, head: JsonObject, takes: t.Type, gives: t.Type
    ) -> None:
        if not is_name(name):
            raise BuilderError(f"`{name}` is not a name")
        self.name = name
        self.input = Ref("input")
        """The input of the run."""
        self._head = head
        self._takes = takes
        self._gives = gives
        self._nodes: dict[str, JsonObject | None] = {}
        self._said: set[str] = set()
        self._uses: list[str] = []
        self._ends = False

    def step(self, id: str) -> Step:
        """A step; what it does says `is_`. The order of nodes decides between them."""
        if id in _RESERVED:
            raise BuilderError(f"`{id}` is reserved and cannot be the name of a step")
        self._add(id, None)
        return Step(self, id)

    def end(self, id: str) -> End:
        """An end of the run."""
        self._ends = True
        self._add(id, {"id": id, "terminal": True})
        return End(self, id)

    def fail(self, id: str) -> Fail:
        """An end with which the run fails; the id is the code of the failure."""
        self._ends = True
        self._add(id, {"id": id, "terminal": True, "outcome": "failed"})
        return Fail(self, id)

    def _add(self, id: str, node: JsonObject | None) -> None:
        if not is_name(id):
            raise BuilderError(f"`{id}` is not a name")
        if id in self._nodes:
            raise BuilderError(f"`{id}` is the name of two nodes")
        self._nodes[id] = node

    def define(self, id: str, said: Said) -> None:
        """Says what a node does; `is_` of nodes calls it."""
        if id in self._said:
            raise BuilderError(f"what `{id}` does has been said already")
        self._said.add(id)
        on = said.on if isinstance(said.on, Sequence) else (said.on,)
        triggers = [_trigger(one) for one in on]
        if said.limit is not None and said.limit < 1:
            raise BuilderError(
                f"the limit of `{id}` is {said.limit}, and it is 1 at least"
            )
        for steps in (said.steps, *(trigger.steps for trigger in triggers)):
            self._own(steps)
        self._uses.extend(said.uses)
        self._uses.extend(part.key for trigger in triggers for part in trigger.parts)
        node: JsonObject = {"id": id, **said.keys, **self._on(triggers)}
        if said.description is not None:
            node["description"] = said.description
        if said.limit is not None:
            node["limit"] = said.limit
        self._nodes[id] = node

    def _own(self, steps: tuple[Step, ...]) -> None:
        for step in steps:
            if step.workflow is not self:
                raise BuilderError(
                    f"`{step.id}` is a step of `{step.workflow.name}`, not of `{self.name}`"
                )

    def _on(self, triggers: list[Trigger]) -> JsonObject:
        if len(triggers) > 1:
            items: list[JsonValue] = []
            for trigger in triggers:
                on = self._source(trigger)
                items.append(
                    {"on": on, **trigger.condition} if trigger.condition else on
                )
            return {"on": {"any": items}}
        for trigger in triggers:
            on = self._source(trigger)
            # A node without `on` fires at the start.
            return (
                trigger.condition if on == "start" else {"on": on, **trigger.condition}
            )
        return {}

    def _source(self, trigger: Trigger) -> JsonValue:
        """The members of a join stand in the order of the nodes: joins of the same steps are one trigger."""
        source = trigger.source
        if trigger.join is None or not isinstance(source, dict):
            return source
        steps = source[trigger.join]
        members = steps if isinstance(steps, list) else []
        ordered: list[JsonValue] = [id for id in self._nodes if id in members]
        return {**source, trigger.join: ordered}

    def definition(self) -> JsonObject:
        """The definition: what a `.weave` file with this workflow compiles to."""
        nodes: list[JsonValue] = []
        for id, node in self._nodes.items():
            if node is None:
                raise BuilderError(f"nobody has said what `{id}` does")
            nodes.append(node)
        if not nodes:
            raise BuilderError(
                f"`{self.name}` has no nodes, and a workflow has one at least"
            )
        if not self._ends:
            raise BuilderError(
                f"`{self.name}` has neither an end nor a fail, so no run of it comes to an end"
            )
        definition: JsonObject = {
            "weave": "1",
            "workflow": self.name,
            **self._head,
            "input": self._takes.schema,
            "output": self._gives.schema,
            "nodes": nodes,
        }
        uses = (*self._uses, *self._takes.uses, *self._gives.uses)
        return assembled(definition, uses)

    def canonical(self) -> str:
        """The canonical form of the definition, of which the digest is taken."""
        return canonical(self.definition())

    def digest(self) -> str:
        """The digest of the definition."""
        return f"sha256:{sha256(self.canonical().encode()).hexdigest()}"


def workflow(
    name: str,
    *,
    input: Mapping[str, t.Type] | None = None,
    output: t.Type | None = None,
    title: str | None = None,
    description: str | None = None,
    deprecated: str | None = None,
    version: str | None = None,
    timeout: timedelta | None = None,
    meta: Mapping[str, JsonValue] | None = None,
) -> Workflow:
    """A workflow that is put together: its name, and what is said of it."""
    said = {
        "title": title,
        "description": description,
        "deprecated": deprecated,
        "version": version,
        "timeout": None if timeout is None else time_text(timeout),
    }
    head: JsonObject = {key: text for key, text in said.items() if text is not None}
    if meta:
        head["meta"] = dict(meta)
    takes = t.record(input or {})
    return Workflow(name, head, takes, t.nothing() if output is None else output)


__all__ = [
    "Action",
    "AgentPart",
    "BuilderError",
    "Callee",
    "End",
    "ErrorPart",
    "EventPart",
    "Expr",
    "Fail",
    "FailureKind",
    "Filled",
    "Kind",
    "On",
    "Operand",
    "Part",
    "Ref",
    "Retry",
    "Step",
    "Text",
    "ToolPart",
    "Topic",
    "Trigger",
    "TypePart",
    "Value",
    "Workflow",
    "WorkflowPart",
    "add",
    "all_of",
    "also_when",
    "and_",
    "answer",
    "any_failure",
    "called",
    "cancel",
    "constant",
    "contains",
    "div",
    "each",
    "element",
    "ends_with",
    "eq",
    "event",
    "exists",
    "failed",
    "failure",
    "for_all",
    "ge",
    "gt",
    "has",
    "is_in",
    "item",
    "le",
    "list_of",
    "lt",
    "matches",
    "mul",
    "ne",
    "neg",
    "not_",
    "or_",
    "otherwise",
    "receive",
    "rem",
    "response",
    "result",
    "retry",
    "run_timed_out",
    "settled",
    "size",
    "some_of",
    "start",
    "starts_with",
    "sub",
    "t",
    "text",
    "timed_out",
    "value",
    "wait",
    "wait_until",
    "when",
    "workflow",
]
