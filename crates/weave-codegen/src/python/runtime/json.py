"""JSON: read strictly, and written in one form."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import NoReturn, TypeAlias, cast

from pydantic import JsonValue

JsonObject: TypeAlias = dict[str, JsonValue]
"""A JSON object."""

DEEPEST = 512
"""Readers of JSON bound the depth of values; so do we."""

TOO_DEEP = f"is nested deeper than {DEEPEST} levels"


class DecodeError(ValueError):
    """A value that does not fit its type: what is wrong, and where."""

    def __init__(self, message: str, path: tuple[str | int, ...] = ()) -> None:
        super().__init__(f"{pointer(path)}: {message}")
        self.message = message
        self.path = path
        """Names as they stand in JSON, and indices."""


def pointer(path: tuple[str | int, ...]) -> str:
    """A path as a JSON pointer, `(root)` for the value itself."""
    parts = (str(part).replace("~", "~0").replace("/", "~1") for part in path)
    return "".join(f"/{part}" for part in parts) or "(root)"


class Place(list[str | int]):
    """Where reading or writing has come to."""

    def __init__(self) -> None:
        super().__init__()
        self.tried: dict[tuple[int, int], object] = {}
        """What became of values that unions were tried on, by the union and the value.

        Each union looks at each value once, however many types around it are tried: else a value would be
        read once for each way through them.
        """


def refuse(path: list[str | int], message: str) -> NoReturn:
    """Says what is wrong at a place."""
    raise DecodeError(message, tuple(path))


def _whole(text: str) -> int | float:
    # No double has so many digits, and Python refuses to read as many as it likes.
    return int(text) if len(text) < 400 else float(text)


class Twice(dict[str, object]):
    """An object in which a key is there twice."""

    def __init__(self, entries: dict[str, object], key: str) -> None:
        super().__init__(entries)
        self.key = key


def _object(entries: list[tuple[str, object]]) -> dict[str, object]:
    read = dict(entries)
    if len(read) == len(entries):
        return read
    seen: set[str] = set()
    for key, _ in entries:
        if key in seen:
            return Twice(read, key)
        seen.add(key)
    return read


def object_at(value: object, path: Place) -> dict[object, object]:
    """Reads an object, none of whose keys is there twice."""
    if not isinstance(value, dict):
        refuse(path, "must be an object")
    if isinstance(value, Twice):
        path.append(value.key)
        refuse(path, "is there twice")
    return cast("dict[object, object]", value)


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON")


def parse_json(text: str | bytes) -> JsonValue:
    """Reads JSON; raises a `ValueError` if it is none."""
    if isinstance(text, bytes):
        text = text.decode("utf-8")
    try:
        read = json.loads(
            text, parse_int=_whole, parse_constant=_no_number, object_pairs_hook=_object
        )
    except RecursionError:
        raise DecodeError(TOO_DEEP) from None
    return cast(JsonValue, read)


_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def text_of(value: str) -> str:
    """A text as JSON."""
    written = json.dumps(value, ensure_ascii=False)
    return _LONE_SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", written)


def _number(value: float) -> str:
    """A number as JavaScript writes it, which is what RFC 8785 asks for."""
    number = float(value)
    if number.is_integer() and abs(number) < 2**53:
        return str(int(number))
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    text = "".join(map(str, digits))
    point = len(text) + int(exponent)
    minus = "-" if sign else ""
    if len(text) <= point <= 21:
        return f"{minus}{text.ljust(point, '0')}"
    if 0 < point <= 21:
        return f"{minus}{text[:point]}.{text[point:]}"
    if -6 < point <= 0:
        return f"{minus}0.{'0' * -point}{text}"
    fraction = f".{text[1:]}" if len(text) > 1 else ""
    return f"{minus}{text[0]}{fraction}e{point - 1:+d}"


def canonical(value: JsonValue) -> str:
    """The text of a value in the one form of RFC 8785."""
    if isinstance(value, str):
        return text_of(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, list):
        items: list[str] = []
        for item in value:
            items.append(canonical(item))
        return f"[{','.join(items)}]"
    entries: list[str] = []
    # Keys are compared as JavaScript does, by their units of 16 bits.
    for key in sorted(value, key=lambda key: key.encode("utf-16-be", "surrogatepass")):
        entries.append(f"{text_of(key)}:{canonical(value[key])}")
    return f"{{{','.join(entries)}}}"
