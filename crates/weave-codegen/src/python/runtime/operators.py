"""What each operator of a guard does with its operands; `&&`, `||` and the quantifiers are not here."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NoReturn, cast

from .patterns import Pattern
from .values import (
    EXACT,
    EvaluationError,
    Item,
    Listed,
    Read,
    Scalar,
    ValueType,
    check,
    elements,
    is_int64,
    is_null,
    length,
    moment,
    no_form,
    no_value,
    same_json,
    some,
    text_of,
    truth,
    truth_of,
    type_of,
    wire,
)


@dataclass(frozen=True)
class Signature:
    """How many operands an operator takes, and of which types where it has several meanings."""

    least: int
    most: float
    types: frozenset[ValueType] | None = None


_WHOLES = frozenset({ValueType.INT, ValueType.INT64})
_NUMBERS = _WHOLES | {ValueType.FLOAT, ValueType.DECIMAL}
_TIMES = frozenset({ValueType.TIMESTAMP, ValueType.DURATION})
_TEXTS = frozenset({ValueType.STRING, ValueType.BYTES})
_ORDERED = _NUMBERS | _TIMES | _TEXTS | {ValueType.BOOL, ValueType.DATE}
_CONTAINERS = frozenset({ValueType.LIST, ValueType.MAP, ValueType.RECORD})
_ALL = frozenset(ValueType)

_LOGIC = Signature(2, math.inf)
_EQUALITY = Signature(2, 2, _ALL)
_ORDER = Signature(2, 2, _ORDERED)
_OF_TEXTS = Signature(2, 2)
_ONE = Signature(1, 1)

OPERATORS: dict[str, Signature] = {
    "&&": _LOGIC,
    "||": _LOGIC,
    "!": _ONE,
    "==": _EQUALITY,
    "!=": _EQUALITY,
    "<": _ORDER,
    "<=": _ORDER,
    ">": _ORDER,
    ">=": _ORDER,
    "in": Signature(2, 2, _ALL - {ValueType.NULL}),
    "+": Signature(2, math.inf, _NUMBERS | _TEXTS | _TIMES | {ValueType.LIST}),
    "-": Signature(2, math.inf, _NUMBERS | _TIMES),
    "*": Signature(2, math.inf, _NUMBERS),
    "/": Signature(2, math.inf, _WHOLES | {ValueType.FLOAT}),
    "%": Signature(2, math.inf, _WHOLES),
    "negate": Signature(1, 1, _NUMBERS | {ValueType.DURATION}),
    "contains": _OF_TEXTS,
    "startsWith": _OF_TEXTS,
    "endsWith": _OF_TEXTS,
    "matches": _OF_TEXTS,
    "size": Signature(1, 1, _TEXTS | {ValueType.LIST, ValueType.MAP, ValueType.JSON}),
    "has": _ONE,
}
"""The operators, functions and methods."""


def _meaningless(operator: str) -> NoReturn:
    raise EvaluationError(
        "meaningless", f"{operator} has no meaning for these operands"
    )


def apply(
    operator: str, wanted: ValueType, operands: Sequence[Item], pattern: Pattern | None
) -> Item:
    """The value of an operator on as many operands as it takes.

    `wanted` is their type where that decides what it does.
    """
    match operator:
        case "!":
            return truth(not truth_of(operands[0]))
        case "has":
            return truth(not is_null(operands[0]))
        case "negate":
            return _negated(some(operands[0], wanted))
        case "size":
            return Scalar(ValueType.INT, _size(operands[0], wanted))
        case "+" | "-" | "*" | "/" | "%":
            return _fold(operator, wanted, operands)
        case "==":
            return truth(_equal(operands[0], operands[1], wanted))
        case "!=":
            return truth(not _equal(operands[0], operands[1], wanted))
        case "in":
            return truth(_is_in(operands[0], operands[1], wanted))
        case "<" | "<=" | ">" | ">=":
            one, other = (some(operand, wanted).value for operand in operands)
            return truth(_ORDERS[operator](one, other))
        case _:
            text, part = (text_of(operand) for operand in operands)
            if operator == "matches":
                return truth(pattern is not None and pattern.is_found_in(text))
            return truth(_TEXT_METHODS[operator](text, part))


_ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda one, other: one < other,
    "<=": lambda one, other: one <= other,
    ">": lambda one, other: one > other,
    ">=": lambda one, other: one >= other,
}

_TEXT_METHODS: dict[str, Callable[[str, str], bool]] = {
    "contains": lambda text, part: part in text,
    "startsWith": lambda text, part: text.startswith(part),
    "endsWith": lambda text, part: text.endswith(part),
}


def _compared(item: Item, wanted: ValueType) -> object:
    """A value as a comparison of one type sees it."""
    if is_null(item):
        return None
    if wanted in _CONTAINERS or wanted in (ValueType.JSON, ValueType.NULL):
        value = wire(item)
        if wanted in _CONTAINERS:
            check(value, wanted)
        return value
    return some(item, wanted)


def _same(one: object, other: object) -> bool:
    if isinstance(one, Scalar) and isinstance(other, Scalar):
        return bool(one.value == other.value)
    # Null equals null and nothing else.
    if one is None or other is None:
        return one is other
    return same_json(one, other)


def _equal(one: Item, other: Item, wanted: ValueType) -> bool:
    """`==` of a type."""
    return _same(_compared(one, wanted), _compared(other, wanted))


def _is_in(item: Item, container: Item, wanted: ValueType) -> bool:
    """Whether an element of a list equals the value, or a map has it as a key."""
    entries = container.value if isinstance(container, Read) else None
    if isinstance(entries, dict):
        return not is_null(item) and text_of(item) in cast("dict[str, object]", entries)
    found = elements(container)
    value = _compared(item, wanted)
    first: EvaluationError | None = None
    # An element that equals the value decides, whatever the others are.
    for element in found:
        try:
            if _same(value, _compared(element, wanted)):
                return True
        except EvaluationError as error:
            first = first or error
    if first is not None:
        raise first
    return False


def _negated(value: Scalar) -> Item:
    if value.type in _WHOLES:
        return Scalar(value.type, _int64(-value.value))
    if value.type is ValueType.DECIMAL:
        return Scalar(value.type, cast(Decimal, value.value).copy_negate())
    return Scalar(value.type, -value.value)


def _fold(operator: str, wanted: ValueType, operands: Sequence[Item]) -> Item:
    """An operator on two operands or more, from left to right."""
    if wanted is ValueType.LIST:
        return Listed([item for operand in operands for item in elements(operand)])
    total: Scalar | None = None
    for operand in operands:
        # Among moments stand lengths, each of its own type.
        is_length = wanted is ValueType.TIMESTAMP and (
            type_of(operand) is ValueType.DURATION
        )
        value = some(operand, ValueType.DURATION if is_length else wanted)
        total = value if total is None else _step(operator, total, value)
    return no_value() if total is None else total


def _step(operator: str, one: Scalar, other: Scalar) -> Scalar:
    left, right = one.value, other.value
    if one.type in _TIMES:
        return _times(operator, one, other)
    if one.type in _WHOLES:
        return Scalar(one.type, _whole(operator, left, right))
    if one.type is ValueType.FLOAT:
        return Scalar(one.type, _float(operator, left, right))
    if one.type is ValueType.DECIMAL:
        match operator:
            case "+":
                return Scalar(one.type, EXACT.add(left, right))
            case "-":
                return Scalar(one.type, EXACT.subtract(left, right))
            case _:
                return Scalar(one.type, EXACT.multiply(left, right))
    return Scalar(one.type, left + right)


def _int64(number: int) -> int:
    if not is_int64(number):
        raise EvaluationError("overflow", "an integer is beyond 64 bits")
    return number


def _whole(operator: str, one: int, other: int) -> int:
    match operator:
        case "+":
            return _int64(one + other)
        case "-":
            return _int64(one - other)
        case "*":
            return _int64(one * other)
        case _:
            pass
    if other == 0:
        raise EvaluationError("division_by_zero", "an integer is divided by zero")
    # Towards zero. Of the smallest integer divided by -1 the remainder is beyond 64 bits too, because the quotient is.
    quotient = _int64(abs(one) // abs(other) * (1 if (one < 0) == (other < 0) else -1))
    return quotient if operator == "/" else one - quotient * other


def _float(operator: str, one: float, other: float) -> float:
    match operator:
        case "+":
            return one + other
        case "-":
            return one - other
        case "*":
            return one * other
        case _:
            pass
    if other != 0:
        return one / other
    if one == 0 or math.isnan(one) or math.isnan(other):
        return math.nan
    return math.copysign(math.inf, one) * math.copysign(1.0, other)


def _times(operator: str, one: Scalar, other: Scalar) -> Scalar:
    left: tuple[str, ValueType, ValueType] = (operator, one.type, other.type)
    match left:
        case ("+", ValueType.TIMESTAMP, ValueType.DURATION):
            return moment(one.value + other.value)
        case ("+", ValueType.DURATION, ValueType.TIMESTAMP):
            return moment(one.value + other.value)
        case ("+", ValueType.DURATION, ValueType.DURATION):
            return length(one.value + other.value)
        case ("-", ValueType.TIMESTAMP, ValueType.DURATION):
            return moment(one.value - other.value)
        case ("-", _, _) if one.type is other.type:
            return length(one.value - other.value)
        case _:
            _meaningless(operator)


def _size(item: Item, wanted: ValueType) -> int:
    """Code points, octets, elements or entries."""
    if wanted in _TEXTS:
        return len(some(item, wanted).value)
    if isinstance(item, Listed):
        return len(item.items)
    value = wire(item)
    if value is None:
        no_value()
    kinds = {ValueType.LIST: (list,), ValueType.MAP: (dict,)}
    if isinstance(value, kinds.get(wanted, (str, list, dict))):
        return len(cast("str | list[object] | dict[str, object]", value))
    return no_form(wanted)
