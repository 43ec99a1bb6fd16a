"""Values of an evaluation: as they stand in JSON, or as an operator made them."""

from __future__ import annotations

import base64
import decimal
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Any, Literal, NoReturn, TypeAlias, cast

from pydantic import JsonValue

from .scalars import (
    BASE64,
    DECIMAL,
    SAFE,
    days_of,
    is_length,
    is_moment,
    length_of,
    moment_of,
)

EvaluationErrorKind: TypeAlias = Literal[
    "null",
    "form",
    "overflow",
    "division_by_zero",
    "out_of_range",
    "not_finite",
    "meaningless",
    "too_deep",
    "too_much_work",
]
"""What can go wrong in an evaluation."""


class EvaluationError(ValueError):
    """Why an expression has no value. A guard that ends in one of these is false."""

    def __init__(self, kind: EvaluationErrorKind, message: str) -> None:
        super().__init__(message)
        self.kind: EvaluationErrorKind = kind
        self.message = message


class ValueType(StrEnum):
    """The type of a value in a guard."""

    BOOL = "bool"
    INT = "int"
    INT64 = "int64"
    FLOAT = "float"
    DECIMAL = "decimal"
    STRING = "string"
    BYTES = "bytes"
    TIMESTAMP = "timestamp"
    DATE = "date"
    DURATION = "duration"
    NULL = "null"
    LIST = "list"
    MAP = "map"
    RECORD = "record"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value that is no list, map, record or other JSON.

    Moments and lengths count nanoseconds, days count days.
    """

    type: ValueType
    value: Any


@dataclass(frozen=True, slots=True)
class Read:
    """A value as it stands in JSON, of its type or null."""

    value: object
    type: ValueType


@dataclass(frozen=True, slots=True)
class Listed:
    """A list that is made of expressions. None of its elements is such a list."""

    items: Sequence[Item]


Item: TypeAlias = Read | Scalar | Listed


def no_form(wanted: ValueType) -> NoReturn:
    """Says that a value is something else than its type says."""
    raise EvaluationError(
        "form", f"a value does not have the form of its type, which is {wanted}"
    )


def no_value() -> NoReturn:
    """Says that there is no value."""
    raise EvaluationError("null", "a value is null or absent where one is needed")


def truth(value: bool) -> Item:
    """A truth that an operator made."""
    return Scalar(ValueType.BOOL, value)


def read(value: object, wanted: ValueType) -> Item:
    """A value that was read; it must have the form of its type unless it is null."""
    if value is not None:
        check(value, wanted)
    return Read(value, wanted)


def type_of(item: Item) -> ValueType:
    """The type of a value."""
    return ValueType.LIST if isinstance(item, Listed) else item.type


def is_null(item: Item) -> bool:
    """Whether a value is null or absent."""
    return isinstance(item, Read) and item.value is None


def check(value: object, wanted: ValueType) -> None:
    """Demands that a value that is not null has the form of a type."""
    match wanted:
        case ValueType.JSON:
            return
        case ValueType.LIST:
            fits = isinstance(value, list)
        case ValueType.MAP | ValueType.RECORD:
            fits = isinstance(value, dict)
        case ValueType.NULL:
            fits = False
        case _:
            _scalar(value, wanted)
            return
    if not fits:
        no_form(wanted)


def scalar(item: Item, wanted: ValueType) -> Scalar | None:
    """A value as a scalar of this type; nothing if it is null."""
    if isinstance(item, Read):
        if item.value is None:
            return None
        return Scalar(wanted, _scalar(item.value, wanted))
    if isinstance(item, Listed) or item.type is not wanted:
        no_form(wanted)
    return item


def some(item: Item, wanted: ValueType) -> Scalar:
    """A value as a scalar of this type, where null is an error."""
    found = scalar(item, wanted)
    return no_value() if found is None else found


def text_of(item: Item) -> str:
    """A value as text, where null is an error."""
    return cast(str, some(item, ValueType.STRING).value)


def truth_of(item: Item) -> bool:
    """A value as a truth, where null is an error."""
    return cast(bool, some(item, ValueType.BOOL).value)


def elements(item: Item) -> Sequence[Item]:
    """The elements of a list, where null is an error."""
    if isinstance(item, Listed):
        return item.items
    if is_null(item):
        no_value()
    values = item.value if isinstance(item, Read) else None
    if not isinstance(values, list):
        no_form(ValueType.LIST)
    return [Read(value, ValueType.JSON) for value in cast("list[object]", values)]


def wire(item: Item) -> JsonValue:
    """A value as it stands in JSON."""
    if isinstance(item, Read):
        return cast("JsonValue", item.value)
    if isinstance(item, Listed):
        return [wire(inner) for inner in item.items]
    match item.type:
        case ValueType.INT64:
            return str(item.value)
        case ValueType.FLOAT if not math.isfinite(item.value):
            raise EvaluationError(
                "not_finite", "an infinity or NaN has no form in JSON"
            )
        case ValueType.DECIMAL:
            return _decimal_text(item.value)
        case ValueType.BYTES:
            return base64.b64encode(item.value).decode("ascii")
        case ValueType.TIMESTAMP:
            return _moment_text(item.value)
        case ValueType.DURATION:
            return _length_text(item.value)
        case ValueType.DATE:
            # No operator makes a day.
            no_form(item.type)
        case _:
            return cast("JsonValue", item.value)


def _scalar(value: object, wanted: ValueType) -> Any:
    if isinstance(value, str):
        found = _of_text(value, wanted)
    elif isinstance(value, bool):
        found = value if wanted is ValueType.BOOL else None
    elif isinstance(value, int | float):
        found = _of_number(value, wanted)
    else:
        found = None
    return no_form(wanted) if found is None else found


def _of_number(value: float, wanted: ValueType) -> int | float | None:
    if wanted is ValueType.FLOAT:
        try:
            number = float(value)
        except OverflowError:
            return None
        return number if math.isfinite(number) else None
    if wanted is not ValueType.INT or not abs(value) <= SAFE:
        return None
    whole = int(value)
    return whole if whole == value else None


_WHOLE = re.compile(r"(-?)0*([0-9]+)")


def _of_text(text: str, wanted: ValueType) -> Any:
    match wanted:
        case ValueType.STRING:
            return text
        case ValueType.INT64:
            form = _WHOLE.fullmatch(text)
            # So many digits are beyond 64 bits, and Python refuses to read as many as it likes.
            if form is None or len(form[2]) > 19:
                return None
            number = int(form[1] + form[2])
            return number if is_int64(number) else None
        case ValueType.DECIMAL:
            return Decimal(text) if DECIMAL.fullmatch(text) else None
        case ValueType.BYTES:
            return base64.b64decode(text) if BASE64.fullmatch(text) else None
        case ValueType.TIMESTAMP:
            at = moment_of(text)
            return None if at is None else moment(at[0]).value
        case ValueType.DATE:
            return days_of(text)
        case ValueType.DURATION:
            span = length_of(text)
            return None if span is None else length(span).value
        case _:
            return None


def is_int64(number: int) -> bool:
    """Whether a number has 64 bits at most."""
    return -(2**63) <= number < 2**63


def moment(nanoseconds: int) -> Scalar:
    """A moment, if it is within the years 1 to 9999."""
    if not is_moment(nanoseconds):
        raise EvaluationError("out_of_range", "a moment is outside the years 1 to 9999")
    return Scalar(ValueType.TIMESTAMP, nanoseconds)


def length(nanoseconds: int) -> Scalar:
    """A length of time, if it is within ten thousand years."""
    if not is_length(nanoseconds):
        raise EvaluationError(
            "out_of_range", "a duration is beyond 315576000000 seconds"
        )
    return Scalar(ValueType.DURATION, nanoseconds)


EXACT = decimal.Context(
    prec=decimal.MAX_PREC,
    Emax=decimal.MAX_EMAX,
    Emin=decimal.MIN_EMIN,
    traps=[decimal.Inexact, decimal.InvalidOperation, decimal.Overflow],
)
"""Decimal numbers have as many digits as they need."""


def _decimal_text(number: Decimal) -> str:
    text = format(number, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if number.is_zero() else text


_START = datetime(1970, 1, 1)
_SECOND = 1_000_000_000


def _fraction(nanoseconds: int) -> str:
    return f".{nanoseconds:09}".rstrip("0") if nanoseconds else ""


def _moment_text(nanoseconds: int) -> str:
    seconds, rest = divmod(nanoseconds, _SECOND)
    return f"{(_START + timedelta(seconds=seconds)).isoformat()[:19]}{_fraction(rest)}Z"


def _length_text(nanoseconds: int) -> str:
    seconds, rest = divmod(abs(nanoseconds), _SECOND)
    minutes, last = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    text = "".join(
        f"{number}{unit}" for number, unit in ((hours, "H"), (minutes, "M")) if number
    )
    if last or rest or not nanoseconds:
        text += f"{last}{_fraction(rest)}S"
    return f"{'-' if nanoseconds < 0 else ''}PT{text}"


def same_json(one: object, other: object) -> bool:
    """Whether two values are the same JSON: numbers by value, objects whatever the order of their keys."""
    pairs = [(one, other)]
    while pairs:
        left, right = pairs.pop()
        if isinstance(left, list) and isinstance(right, list):
            lefts, rights = cast("list[object]", left), cast("list[object]", right)
            if len(lefts) != len(rights):
                return False
            pairs.extend(zip(lefts, rights, strict=True))
        elif isinstance(left, dict) and isinstance(right, dict):
            entries = cast("dict[str, object]", left)
            counterparts = cast("dict[str, object]", right)
            if entries.keys() != counterparts.keys():
                return False
            pairs.extend((value, counterparts[key]) for key, value in entries.items())
        elif isinstance(left, bool) or isinstance(right, bool):
            if left is not right:
                return False
        elif isinstance(left, int | float) and isinstance(right, int | float):
            if _number(left) != _number(right):
                return False
        elif isinstance(left, list | dict) or left != right:
            return False
    return True


def _number(value: float) -> float:
    # What has more than 64 bits is a double wherever it is read.
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        try:
            return float(value)
        except OverflowError:
            return math.inf if value > 0 else -math.inf
    return value


def is_deeper(value: object, limit: int) -> bool:
    """Whether JSON is nested deeper than so many levels."""
    level = [value]
    depth = 0
    while level:
        if depth > limit:
            return True
        inner: list[object] = []
        for entry in level:
            if isinstance(entry, list):
                inner.extend(cast("list[object]", entry))
            elif isinstance(entry, dict):
                inner.extend(cast("dict[object, object]", entry).values())
        level = inner
        depth += 1
    return False
