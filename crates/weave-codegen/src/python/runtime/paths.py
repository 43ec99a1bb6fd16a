"""Where guards and templates read values, and how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal, TypeAlias, cast

from pydantic import JsonValue


class Missing(Enum):
    """What is read where there is nothing."""

    MISSING = "missing"


MISSING: Literal[Missing.MISSING] = Missing.MISSING
"""What is read where there is nothing; null is something."""


class All(Enum):
    """What `[]` reads."""

    ALL = "all"


Segment: TypeAlias = str | int | All
"""What one step of a path reads: a key, an index, or all answers."""


def _nothing() -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True)
class Scope:
    """The values that a guard or template can read."""

    roots: Mapping[str, JsonValue] = field(default_factory=_nothing)
    """The value of each root: `input`, a node, `event`; or the parameters of a tool, prompt or agent."""
    answers: Mapping[str, Sequence[JsonValue]] = field(default_factory=_nothing)
    """All answers of a node, in order, which `.NODE[]` reads."""

    def read(self, path: Sequence[Segment]) -> JsonValue | Missing:
        """What a path reads; nothing where something is absent, null or of another kind."""
        root = path[0]
        if not isinstance(root, str):
            return MISSING
        if len(path) > 1 and path[1] is All.ALL:
            if root not in self.answers:
                return MISSING
            behind = path[2:]
            found = [descend(answer, behind) for answer in self.answers[root]]
            return [None if value is MISSING else value for value in found]
        if root not in self.roots:
            return MISSING
        return descend(self.roots[root], path[1:])


def descend(value: object, path: Sequence[Segment]) -> JsonValue | Missing:
    """What lies below a value."""
    at = value
    for segment in path:
        if isinstance(at, dict) and isinstance(segment, str) and segment in at:
            at = cast("dict[str, object]", at)[segment]
        elif (
            isinstance(at, list)
            and isinstance(segment, int)
            and segment < len(cast("list[object]", at))
        ):
            at = cast("list[object]", at)[segment]
        else:
            # `[]` stands right behind a root and nowhere else.
            return MISSING
    return cast("JsonValue", at)
