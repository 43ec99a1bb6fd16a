"""How values are read from JSON and written to it, for what is made of other types.

Reading takes one frame of Python's stack for each level of a value, as far as that is possible: values may be nested deeply.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from pydantic import BaseModel, JsonValue

from .json import (
    DEEPEST,
    TOO_DEEP,
    DecodeError,
    JsonObject,
    Place,
    canonical,
    object_at,
    refuse,
    text_of,
)

if TYPE_CHECKING:
    from .model import Model

POISON = "__proto__"
"""A key that objects of JavaScript treat as something else; no language takes it."""


class Node:
    """How a type is read and written. Both raise a `DecodeError`."""

    @property
    def nullable(self) -> bool:
        """Whether null is one of its values."""
        return False

    def read(self, value: object, path: Place) -> Any:
        """Reads a JSON value."""
        raise NotImplementedError

    def write(self, value: Any, path: Place) -> JsonValue:
        """Writes a value as JSON."""
        raise NotImplementedError


class Field:
    """How one field of a record is read and written."""

    def __init__(
        self,
        name: str,
        wire: str,
        node: Node,
        *,
        optional: bool,
        default: Callable[[], Any] | None,
    ) -> None:
        self.name = name
        self.wire = wire
        self.node = node
        self.optional = optional
        self.default = default

    def is_absent_in(self, record: Model) -> bool:
        """Whether it is left out when a record is written."""
        if not self.optional or getattr(record, self.name) is not None:
            return False
        # Null that was said is another thing than nothing.
        return not self.node.nullable or self.name not in record.model_fields_set


_ABSENT = object()
_NONE = object()


class Record(Node):
    """A record. An open one keeps what it has beside its fields."""

    def __init__(self, model: type[Model], fields: Callable[[], list[Field]]) -> None:
        self.model = model
        self._fields = fields
        self.open = model.model_config.get("extra") == "allow"

    @cached_property
    def fields(self) -> list[Field]:
        """The fields, found when they are first needed: types may contain themselves."""
        return self._fields()

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(field.wire for field in self.fields)

    def read(self, value: object, path: Place) -> Any:
        given = object_at(value, path)
        if given and len(path) >= DEEPEST:
            refuse(path, TOO_DEEP)
        found: dict[str, Any] = {}
        for field in self.fields:
            inner = given.get(field.wire, _ABSENT)
            path.append(field.wire)
            if inner is not _ABSENT and (inner is not None or field.node.nullable):
                found[field.name] = field.node.read(inner, path)
            elif field.default is None and not field.optional:
                if inner is _ABSENT:
                    refuse(path, "is missing")
                field.node.read(inner, path)
            path.pop()
        extra: dict[str, Any] = {}
        for key, inner in given.items():
            if key in self._known:
                continue
            path.append(str(key))
            if not self.open or key == POISON or not isinstance(key, str):
                refuse(path, "is not a field that is known here")
            extra[key] = JSON.read(inner, path)
            path.pop()
        return self._made(found, extra)

    def _made(self, found: dict[str, Any], extra: dict[str, Any]) -> Model:
        present = set(found)
        for field in self.fields:
            if field.default is not None and field.name not in present:
                found[field.name] = field.default()
        made = self.model.model_construct(_fields_set=present, **found)
        if self.open:
            object.__setattr__(made, "__pydantic_extra__", extra)
            made.model_fields_set.update(extra)
        return made

    def write(self, value: Any, path: Place) -> JsonValue:
        if not isinstance(value, self.model):
            refuse([], f"must be a {self.model.__name__}")
        written: JsonObject = {}
        for field in self.fields:
            if not field.is_absent_in(value):
                written[field.wire] = field.node.write(getattr(value, field.name), path)
        for key, inner in (value.model_extra or {}).items():
            if key not in self._known:
                written[key] = JSON.write(inner, path)
        return written


class Tagged(Node):
    """A tagged union: the tag tells which record it is."""

    def __init__(self, wire: str, variants: Mapping[str, Record]) -> None:
        self.wire = wire
        self.variants = variants

    def read(self, value: object, path: Place) -> Any:
        tag = object_at(value, path).get(self.wire, _ABSENT)
        variant = self.variants.get(tag) if isinstance(tag, str) else None
        if variant is None:
            missing = tag is _ABSENT
            refuse(
                [*path, self.wire],
                "is missing" if missing else _one_of(list(self.variants)),
            )
        return variant.read(value, path)

    def write(self, value: Any, path: Place) -> JsonValue:
        for variant in self.variants.values():
            if isinstance(value, variant.model):
                return variant.write(value, path)
        refuse([], "is none of its variants")


def _one_of(values: Sequence[object]) -> str:
    listed = [
        text_of(value) if isinstance(value, str) else canonical(cast(JsonValue, value))
        for value in values
    ]
    return (
        f"must be {listed[0]}"
        if len(listed) == 1
        else f"must be one of {', '.join(listed)}"
    )


class OneOf(Node):
    """One of some constants."""

    def __init__(self, values: Sequence[str | float | bool]) -> None:
        self.values = values

    def _find(self, value: object) -> Any:
        for known in self.values:
            # A truth value is no number.
            if known == value and isinstance(known, bool) == isinstance(value, bool):
                return known
        return _ABSENT

    def read(self, value: object, path: Place) -> Any:
        found = self._find(value)
        if found is _ABSENT:
            refuse(path, _one_of(self.values))
        return found

    def write(self, value: Any, path: Place) -> JsonValue:
        return cast(JsonValue, self.read(value, path))


class Enumeration(Node):
    """A value of an enum."""

    def __init__(self, values: type[StrEnum]) -> None:
        self.values = values
        self._by_wire = {value.value: value for value in values}

    def read(self, value: object, path: Place) -> Any:
        found = self._by_wire.get(value) if isinstance(value, str) else None
        if found is None:
            refuse(path, _one_of(list(self._by_wire)))
        return found

    def write(self, value: Any, path: Place) -> JsonValue:
        if not isinstance(value, self.values):
            refuse([], f"must be a {self.values.__name__}")
        return value.value


class Sizes:
    """Bounds of the number of items or entries."""

    def __init__(self, min: int | None, max: int | None, unique: bool) -> None:
        self.min = min
        self.max = max
        self.unique = unique

    def check(self, count: int, what: str, path: list[str | int]) -> None:
        """Refuses a number that is out of bounds."""
        if self.min is not None and count < self.min:
            refuse(path, f"must have at least {self.min} {what}")
        if self.max is not None and count > self.max:
            refuse(path, f"must have at most {self.max} {what}")

    def distinct(self, items: Sequence[JsonValue], path: list[str | int]) -> None:
        """Refuses equal items."""
        if self.unique and len({canonical(item) for item in items}) < len(items):
            refuse(path, "must not have equal items")


class List(Node):
    """A list."""

    def __init__(self, item: Node, sizes: Sizes) -> None:
        self.item = item
        self.sizes = sizes

    def read(self, value: object, path: Place) -> Any:
        if not isinstance(value, list):
            refuse(path, "must be a list")
        given = cast("list[object]", value)
        self.sizes.check(len(given), "items", path)
        if given and len(path) >= DEEPEST:
            refuse(path, TOO_DEEP)
        found: list[Any] = []
        for index, inner in enumerate(given):
            path.append(index)
            found.append(self.item.read(inner, path))
            path.pop()
        self.sizes.distinct(cast("list[JsonValue]", given), path)
        return found

    def write(self, value: Any, path: Place) -> JsonValue:
        if not isinstance(value, list | tuple):
            refuse([], "must be a list")
        written: list[JsonValue] = []
        for inner in cast("Sequence[object]", value):
            written.append(self.item.write(inner, path))
        return written


class Map(Node):
    """A map from texts."""

    def __init__(self, entry: Node, sizes: Sizes) -> None:
        self.entry = entry
        self.sizes = sizes

    def read(self, value: object, path: Place) -> Any:
        given = object_at(value, path)
        self.sizes.check(len(given), "entries", path)
        if given and len(path) >= DEEPEST:
            refuse(path, TOO_DEEP)
        found: dict[str, Any] = {}
        for key, inner in given.items():
            path.append(str(key))
            if key == POISON or not isinstance(key, str):
                refuse(path, "is no key that is safe in JavaScript")
            found[key] = self.entry.read(inner, path)
            path.pop()
        return found

    def write(self, value: Any, path: Place) -> JsonValue:
        given: object = value
        if not isinstance(given, Mapping):
            refuse([], "must be a map")
        written: JsonObject = {}
        for key, inner in cast("Mapping[str, object]", given).items():
            written[key] = self.entry.write(inner, path)
        return written


class Nothing(Node):
    """Null."""

    @property
    def nullable(self) -> bool:
        return True

    def read(self, value: object, path: Place) -> Any:
        if value is not None:
            refuse(path, "must be null")

    def write(self, value: Any, path: Place) -> JsonValue:
        return cast(None, self.read(value, path))


class Nullable(Node):
    """A value, or null."""

    def __init__(self, node: Node) -> None:
        self.node = node

    @property
    def nullable(self) -> bool:
        return True

    def read(self, value: object, path: Place) -> Any:
        return None if value is None else self.node.read(value, path)

    def write(self, value: Any, path: Place) -> JsonValue:
        return None if value is None else self.node.write(value, path)


class Either(Node):
    """The first of several types that a value fits."""

    def __init__(self, members: Sequence[Node]) -> None:
        self.members = members

    @property
    def nullable(self) -> bool:
        return any(member.nullable for member in self.members)

    def _once(
        self, value: object, path: Place, first: Callable[[Any, Place], Any]
    ) -> Any:
        key = (id(self), id(value))
        found = path.tried.get(key, _ABSENT)
        if found is _ABSENT:
            found = first(value, path)
            if isinstance(value, list | dict | BaseModel):
                path.tried[key] = found
        if found is _NONE:
            refuse(path, "fits none of its types")
        return found

    def read(self, value: object, path: Place) -> Any:
        return self._once(value, path, self._read)

    def _read(self, value: object, path: Place) -> Any:
        depth = len(path)
        for member in self.members:
            try:
                return member.read(value, path)
            except DecodeError:
                del path[depth:]
        return _NONE

    def write(self, value: Any, path: Place) -> JsonValue:
        return cast(JsonValue, self._once(value, path, self._write))

    def _write(self, value: Any, path: Place) -> Any:
        for member in self.members:
            try:
                written = member.write(value, path)
                # Lists of another length may be written in another way.
                if isinstance(member, List) and isinstance(written, list):
                    member.sizes.check(len(written), "items", path)
                    member.sizes.distinct(written, path)
            except DecodeError:
                continue
            return written
        return _NONE


class Lazy(Node):
    """A type that is found when it is first needed: it contains itself."""

    def __init__(self, find: Callable[[], Node]) -> None:
        self._find = find

    @cached_property
    def node(self) -> Node:
        """What it stands for."""
        return self._find()

    @property
    def nullable(self) -> bool:
        return self.node.nullable

    def read(self, value: object, path: Place) -> Any:
        return self.node.read(value, path)

    def write(self, value: Any, path: Place) -> JsonValue:
        return self.node.write(value, path)


class AnyJson(Node):
    """Any JSON value."""

    @property
    def nullable(self) -> bool:
        return True

    def read(self, value: object, path: Place) -> Any:
        if value is None or isinstance(value, str | bool):
            return value
        if isinstance(value, int | float):
            # What is too large for a double is no number for others.
            if not abs(value) <= 1.7976931348623157e308:
                refuse(path, "must be JSON")
            return value
        if len(path) >= DEEPEST and value:
            refuse(path, TOO_DEEP)
        if isinstance(value, list):
            items: list[Any] = []
            for index, inner in enumerate(cast("list[object]", value)):
                path.append(index)
                items.append(self.read(inner, path))
                path.pop()
            return items
        if not isinstance(value, dict):
            refuse(path, "must be JSON")
        entries: dict[str, Any] = {}
        for key, inner in object_at(cast(object, value), path).items():
            path.append(str(key))
            if key == POISON or not isinstance(key, str):
                refuse(path, "is no key that is safe in JavaScript")
            entries[key] = self.read(inner, path)
            path.pop()
        return entries

    def write(self, value: Any, path: Place) -> JsonValue:
        return cast(JsonValue, value)


JSON = AnyJson()
