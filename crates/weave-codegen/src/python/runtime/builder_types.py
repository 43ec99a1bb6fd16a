"""What builders write types with. Each is a JSON Schema, with the declared types that it refers to."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from .json import JsonObject

# Functions here are called like types of the language.
_Bool = bool
_List = list


class Type:
    """A type."""

    def __init__(
        self, schema: JsonObject, uses: tuple[str, ...] = (), *, optional: _Bool = False
    ) -> None:
        self.schema = schema
        self.uses = uses
        """The keys of the declared types in it."""
        self.is_optional = optional
        """Whether a field of this type may be left out."""


def noted(inner: Type, keywords: Mapping[str, JsonValue]) -> Type:
    """A type with further keywords of JSON Schema, such as `minLength` or `description`.

    A field with a `default` may be left out.
    """
    optional = inner.is_optional or "default" in keywords
    return Type({**inner.schema, **keywords}, inner.uses, optional=optional)


def optional(inner: Type) -> Type:
    """The type of a field that may be left out."""
    return Type(inner.schema, inner.uses, optional=True)


def _text(**keywords: JsonValue) -> Type:
    return Type({"type": "string", **keywords})


def string() -> Type:
    """Text."""
    return _text()


def bool() -> Type:
    """True or false."""
    return Type({"type": "boolean"})


def int() -> Type:
    """A whole number."""
    greatest = 2**53 - 1
    return Type({"type": "integer", "minimum": -greatest, "maximum": greatest})


def float() -> Type:
    """A number."""
    return Type({"type": "number"})


def int64() -> Type:
    """A whole number of 64 bits."""
    return _text(format="int64", pattern="^-?[0-9]{1,19}$")


def decimal() -> Type:
    """An exact decimal number."""
    return _text(format="decimal", pattern="^-?[0-9]+(\\.[0-9]+)?$")


def bytes() -> Type:
    """Octets."""
    return _text(contentEncoding="base64")


def timestamp() -> Type:
    """A moment."""
    return _text(format="date-time")


def date() -> Type:
    """A day."""
    return _text(format="date")


def duration() -> Type:
    """A length of time."""
    return _text(format="duration")


def uuid() -> Type:
    """A UUID."""
    return _text(format="uuid")


def uri() -> Type:
    """A URI."""
    return _text(format="uri")


def email() -> Type:
    """An e-mail address."""
    return _text(format="email")


def json() -> Type:
    """Anything."""
    return Type({})


def nothing() -> Type:
    """Nothing."""
    return Type({"type": "null"})


_LITERALS = {"str": "string", "bool": "boolean", "int": "integer", "float": "number"}
"""The types of JSON by the names of those of Python."""


def one_of(first: JsonValue, *others: JsonValue) -> Type:
    """One of these values, all of them of one type."""
    name = _LITERALS.get(type(first).__name__, "string")
    if not others:
        return Type({"type": name, "const": first})
    return Type({"type": name, "enum": [first, *others]})


def list(element: Type) -> Type:
    """A list."""
    return Type({"type": "array", "items": element.schema}, element.uses)


def map(value: Type) -> Type:
    """A map from strings."""
    return Type({"type": "object", "additionalProperties": value.schema}, value.uses)


def either(*members: Type) -> Type:
    """One of these types."""
    uses = tuple(key for member in members for key in member.uses)
    return Type({"anyOf": [member.schema for member in members]}, uses)


def nullable(inner: Type) -> Type:
    """The type or null."""
    alternatives = inner.schema.get("anyOf")
    known = alternatives if isinstance(alternatives, _List) else [inner.schema]
    return Type({"anyOf": [*known, {"type": "null"}]}, inner.uses)


def record(fields: Mapping[str, Type], is_open: _Bool = False) -> Type:
    """A record with these fields, and no others unless it is open."""
    required: JsonValue = [
        name for name, field in fields.items() if not field.is_optional
    ]
    schema: JsonObject = {
        "type": "object",
        "properties": {name: field.schema for name, field in fields.items()},
        "additionalProperties": is_open,
    }
    if required:
        schema["required"] = required
    uses = tuple(key for field in fields.values() for key in field.uses)
    return Type(schema, uses)


def schema(keywords: Mapping[str, JsonValue]) -> Type:
    """A type that nothing else here says, as JSON Schema."""
    return Type({**keywords})
