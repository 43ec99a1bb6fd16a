"""What builders write values with: references and texts."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Literal, TypeAlias

from pydantic import JsonValue

from .json import JsonObject, text_of

if TYPE_CHECKING:
    from .builder_guards import Expr

Kind: TypeAlias = Literal[
    "bool",
    "int",
    "int64",
    "float",
    "decimal",
    "string",
    "bytes",
    "timestamp",
    "date",
    "duration",
    "null",
    "list",
    "map",
    "record",
    "json",
]
"""The types of values in conditions."""


class BuilderError(Exception):
    """A mistake in a program that builds a workflow."""


_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def is_name(text: str) -> bool:
    """Whether a text is a name."""
    return _NAME.fullmatch(text) is not None


def time_text(length: timedelta) -> str:
    """A length of time as a definition has it: `PT1M30S`."""
    total, rest = divmod(length, timedelta(milliseconds=1))
    if total < 0 or rest:
        raise BuilderError(f"{length} is no length of time in whole milliseconds")
    hours, minutes, seconds = (
        total // 3_600_000,
        total % 3_600_000 // 60_000,
        total % 60_000,
    )
    text = f"PT{hours}H" if hours else "PT"
    if minutes:
        text += f"{minutes}M"
    if seconds or total == 0:
        whole, fraction = divmod(seconds, 1000)
        text += f"{whole}"
        if fraction:
            text += f".{fraction:03}".rstrip("0")
        text += "S"
    return text


@dataclass(frozen=True)
class Step:
    """A step of a path."""

    how: Literal["field", "entry", "loose", "index", "all"]
    key: str | int = ""
    maybe: bool = False
    present: bool = False
    nullable: bool = False

    def text(self) -> str:
        """As a definition has it."""
        mark = "?" if self.maybe else ""
        if self.how == "all":
            return f"{mark}[]"
        if isinstance(self.key, int):
            return f"{mark}[{self.key}]"
        if is_name(self.key):
            return f"{mark}.{self.key}"
        return f"{mark}[{text_of(self.key)}]"


class Ref:
    """A value that is read when the workflow runs."""

    def __init__(
        self,
        root: str,
        steps: Sequence[Step] = (),
        *,
        bound: bool = False,
        maybe: bool = False,
    ) -> None:
        self.root = root
        self.steps = tuple(steps)
        self.bound = bound
        """Whether it is the element of an `exists` or `for_all` around."""
        self._maybe = maybe

    def _then(self, *steps: Step) -> Ref:
        return Ref(self.root, (*self.steps, *steps), bound=self.bound)

    def at(self, *keys: str | int) -> Ref:
        """What stands in it under these names, one in the other; a number is the place of an element."""
        steps = [
            Step(
                "index" if isinstance(key, int) else "field",
                key,
                maybe=self._maybe and place == 0,
            )
            for place, key in enumerate(keys)
        ]
        return self._then(*steps)

    def entry(self, key: str, *, present: bool = False, nullable: bool = False) -> Ref:
        """What stands in it under a name that nobody declared: an entry of a map.

        It is `present` if it has been asked for before and is there, and `nullable` if its type has null.
        """
        return self._then(
            Step("entry", key, self._maybe, present=present, nullable=nullable)
        )

    def loose(self, key: str) -> Ref:
        """What stands in it under a name if it is an object at all, as in a value of type `json`."""
        return self._then(Step("loose", key, self._maybe))

    @property
    def maybe(self) -> Ref:
        """The same; what is read from it may be absent."""
        return Ref(self.root, self.steps, bound=self.bound, maybe=True)

    @property
    def all(self) -> Ref:
        """All answers of a step, and what is read from each of them."""
        return self._then(Step("all", maybe=self._maybe))

    def or_else(self, fallback: JsonValue) -> Filled:
        """This value, or another one where it is absent or null."""
        return Filled(self, fallback)

    def as_(self, kind: Kind) -> Expr:
        """This value in a condition, with its type."""
        from .builder_guards import typed

        return typed(self, kind)

    def path_text(self) -> str:
        """The path as a definition has it."""
        first = f".{self.root}" if is_name(self.root) else f".[{text_of(self.root)}]"
        return first + "".join(step.text() for step in self.steps)

    def placeholder(self) -> str:
        """The placeholder as a definition has it."""
        return "{{" + self.path_text() + "}}"


class Filled:
    """A value with another one in its place where it is absent or null."""

    def __init__(self, ref: Ref, fallback: JsonValue) -> None:
        self.ref = ref
        self.fallback = fallback

    def placeholder(self) -> str:
        """The placeholder as a definition has it."""
        fallback = json.dumps(
            self.fallback, ensure_ascii=False, separators=(",", ":"), allow_nan=False
        )
        return "{{" + self.ref.path_text() + " ?? " + fallback + "}}"


class Text:
    """A text in which values are filled in."""

    def __init__(self, template: str) -> None:
        self.template = template


def _escaped(text: str) -> str:
    return text.replace("{{", '{{"{{"}}')


def text(*parts: str | Ref | Filled) -> Text:
    """A text in which values are filled in: `text("Hello ", flow.input.at("name"))`."""
    made = ""
    for part in parts:
        if isinstance(part, str):
            made += _escaped(part)
            continue
        if made.endswith("{"):
            # A brace that stood right before a placeholder would be taken for its first one.
            made = made[:-1] + '{{"{"}}'
        made += part.placeholder()
    return Text(made)


Value: TypeAlias = "None | bool | int | float | str | Ref | Filled | Text | Sequence[Value] | Mapping[str, Value]"
"""A value that a workflow writes: JSON with values and texts in it."""


def lowered(value: Value) -> JsonValue:
    """A value as a definition has it."""
    if isinstance(value, Ref | Filled):
        return value.placeholder()
    if isinstance(value, Text):
        return value.template
    if isinstance(value, str):
        return _escaped(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Mapping):
        made: JsonObject = {key: lowered(held) for key, held in value.items()}
        return made
    items: list[JsonValue] = [lowered(item) for item in value]
    return items
