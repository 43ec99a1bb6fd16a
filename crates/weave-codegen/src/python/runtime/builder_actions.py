"""What nodes do: events are emitted, and tools, agents and workflows are given their arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from pydantic import JsonValue

from .builder_parts import Part
from .builder_values import BuilderError, Filled, Ref, Value, lowered
from .json import JsonObject

if TYPE_CHECKING:
    from .builder import Step

A = TypeVar("A")


def _nothing() -> JsonObject:
    return {}


@dataclass(frozen=True)
class Action:
    """What a step does."""

    keys: JsonObject
    uses: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    settings: JsonObject = field(default_factory=_nothing)
    """The settings of the agent that is asked."""


class Topic(Part):
    """An event, or its topic, whatever its payload is."""


class EventPart(Topic, Generic[A]):
    """An event, or its topic, with the type of its payload."""

    def __init__(self, key: str, payload: type[A] | None = None) -> None:
        super().__init__(key)
        self.payload = payload
        """The names of its payload; nothing if that is no closed record."""

    def emit(self, payload: A | Ref | Filled) -> Action:
        """Emits the event; it is answered if its topic has answers."""
        keys: JsonObject = {"emit": self.name, "payload": lowered(cast(Value, payload))}
        return Action(keys, (self.key,))


class Callee(Part, Generic[A]):
    """What is given arguments: a tool, an agent or a workflow."""

    def __init__(self, key: str, arguments: type[A]) -> None:
        super().__init__(key)
        self.arguments = arguments
        """The names of its arguments."""

    def _request(self, word: str, topic: str, place: str, args: object) -> Action:
        if isinstance(args, Mapping):
            self._check(word, {*cast(Mapping[str, Value], args)})
        payload: JsonObject = {**self._named(), place: lowered(cast(Value, args))}
        keys: JsonObject = {"emit": topic, "payload": payload}
        return Action(keys, (self.key, f"events/{topic}"))

    def _named(self) -> JsonObject:
        """What a request names it by."""
        return {}

    def _input(self, key: str) -> list[str]:
        """The names that stand under this key of the schema of what it takes."""
        taken = self._data().get("entry", {}).get("input")
        names = taken.get(key) if isinstance(taken, dict) else None
        return [str(name) for name in names] if isinstance(names, (dict, list)) else []

    def _check(self, word: str, given: set[str]) -> None:
        """Refuses arguments that it does not take, and too few of them."""
        taken = self._input("properties")
        for name in sorted(given.difference(taken)):
            names = ", ".join(f"`{known}`" for known in taken) or "none"
            raise BuilderError(
                f"`{self.name}` has no parameter `{name}`, it has {names}"
            )
        for needed in self._input("required"):
            if needed not in given:
                raise BuilderError(f"`{word}` of `{self.name}` lacks `{needed}`")


class ToolPart(Callee[A]):
    """A tool with the names of its arguments."""

    def _named(self) -> JsonObject:
        return {"name": self.name}

    def call(self, args: A | Ref | Filled) -> Action:
        """Calls the tool."""
        return self._request("call", "tool.dispatch", "args", args)


class AgentPart(Callee[A]):
    """An agent with the names of its arguments."""

    def _named(self) -> JsonObject:
        return {"agent": self.name}

    def ask(self, args: A | Ref | Filled) -> Action:
        """Asks the agent."""
        settings = self._data().get("settings", {})
        made = self._request("ask", "ai.request", "args", args)
        return replace(made, settings=settings)


class WorkflowPart(Callee[A]):
    """A workflow that others run, with the names of its input."""

    def _named(self) -> JsonObject:
        digest: JsonValue = self._data().get("entry", {}).get("digest")
        return {"workflow": self.name, "digest": digest}

    def run(self, args: A | Ref | Filled) -> Action:
        """Runs the workflow."""
        return self._request("run", "workflow.start", "input", args)
