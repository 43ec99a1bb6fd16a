"""The parts of definitions that stand beside the nodes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TypedDict, cast

from pydantic import JsonValue

from .builder_types import Type
from .builder_values import BuilderError
from .json import JsonObject
from .part_data import PARTS


class PartData(TypedDict, total=False):
    """What is known of a part."""

    name: str
    """Its key in the definition."""
    entry: JsonObject
    """What stands there."""
    uses: list[str]
    """The keys of the parts that it brings along."""
    projections: JsonObject
    """The projections that it brings along."""
    offered: JsonObject
    """The projections that it brings along where an agent is offered it."""
    settings: JsonObject
    """What an agent says about its requests where the step says nothing."""


@cache
def _found(key: str) -> PartData:
    text = PARTS.get(key)
    if text is None:
        raise BuilderError(f"there is no `{key}`; generate the package again")
    return cast(PartData, json.loads(text))


def _name(data: PartData) -> str:
    return data.get("name", "")


def _entry(data: PartData) -> JsonObject:
    return data.get("entry", {})


def _object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


class Part:
    """A part that programs name."""

    def __init__(self, key: str) -> None:
        self.key = key
        """`PACKAGE/SECTION/NAME`, or `SECTION/NAME` for what is built in."""

    @property
    def name(self) -> str:
        """The name that it was declared with."""
        return self.key.rpartition("/")[2]

    def _data(self) -> PartData:
        return _found(self.key)


class ErrorPart(Part):
    """A declared error."""


class TypePart(Type):
    """A declared type."""

    def __init__(self, key: str, name: str) -> None:
        super().__init__({"$ref": f"#/$defs/{name}"}, (key,))


def _section(key: str) -> str:
    return key.split("/")[-2]


def _merge(into: JsonObject, other: Mapping[str, JsonValue]) -> None:
    for key, value in other.items():
        held = into.get(key)
        if isinstance(held, dict) and isinstance(value, dict) and "schema" not in value:
            held = dict(held)
            _merge(held, value)
            into[key] = held
        else:
            into[key] = value


def _reach(uses: Iterable[str]) -> dict[str, PartData]:
    reached: dict[str, PartData] = {}
    waiting = list(uses)
    while waiting:
        key = waiting.pop()
        if key not in reached:
            reached[key] = _found(key)
            waiting.extend(reached[key].get("uses", []))
    return reached


def _offered(offer: JsonObject, reached: Mapping[str, PartData]) -> JsonObject:
    for kind in ("tool", "agent", "workflow"):
        if kind in offer:
            for key, data in reached.items():
                if _section(key) == f"{kind}s" and _name(data) == offer[kind]:
                    return data.get("offered", {})
    return {}


def _new_names(reached: Mapping[str, PartData]) -> dict[str, str]:
    """New names for types: the declared name, unless several types that are there have it."""
    by_name: dict[str, set[str]] = {}
    for key, data in reached.items():
        if _section(key) == "$defs":
            by_name.setdefault(key.rpartition("/")[2], set()).add(_name(data))
    return {
        name: declared
        for declared, names in by_name.items()
        for name in names
        if len(names) == 1 and name != declared
    }


_REFERENCE = re.compile(r"(#?/\$defs/)([^/]+)")


def _renamed(value: JsonValue, names: Mapping[str, str]) -> JsonValue:
    """The same with these types called otherwise, wherever they are named."""
    if isinstance(value, list):
        return [_renamed(item, names) for item in value]
    if not isinstance(value, dict):
        return value
    made: JsonObject = {}
    for key, held in value.items():
        if isinstance(held, str) and key in ("$ref", "at"):
            made[key] = _REFERENCE.sub(
                lambda found: found[1] + names.get(found[2], found[2]), held, count=1
            )
            continue
        inner = _renamed(held, names)
        if key == "$defs" and isinstance(inner, dict):
            inner = {names.get(name, name): kept for name, kept in inner.items()}
        made[key] = inner
    return made


def assembled(definition: JsonObject, uses: Iterable[str]) -> JsonObject:
    """A definition with all that its nodes and types reach."""
    reached = _reach(uses)
    projections: JsonObject = {}
    sections: dict[str, JsonObject] = {}
    for key, data in reached.items():
        section = _section(key)
        entries = sections.setdefault(section, {})
        if _name(data) in entries and section != "$defs":
            raise BuilderError(
                f"two of the {section} that the workflow uses are called `{_name(data)}`"
            )
        entries[_name(data)] = _entry(data)
        _merge(projections, data.get("projections", {}))
        if section == "agents":
            for offer in _list(_entry(data).get("tools")):
                _merge(projections, _offered(_object(offer), reached))
    made: JsonObject = {**definition, **sections}
    if projections:
        made["projections"] = projections
    names = _new_names(reached)
    if not names:
        return made
    nodes = made.pop("nodes")
    return {**_object(_renamed(made, names)), "nodes": nodes}
