"""The scalar types: their form in JSON, and their bounds."""

from __future__ import annotations

import base64
import re
from abc import abstractmethod
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Annotated, Any, Generic, TypeAlias, TypeVar, cast
from uuid import UUID

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, JsonValue
from pydantic_core import CoreSchema, core_schema

from .json import DecodeError, Place, refuse
from .nodes import JSON, Node

Bound = TypeVar("Bound")


class Scalar(Node):
    """A scalar. It stands in the annotation of a field, where pydantic asks it to check what is given."""

    kind: type | None = None
    """What a value is in Python, where that is not its form in JSON."""

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(
            self._check,
            serialization=core_schema.plain_serializer_function_ser_schema(
                self._dump, when_used="json"
            ),
        )

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return self.form()

    @abstractmethod
    def form(self) -> dict[str, Any]:
        """Its JSON Schema."""

    def _check(self, value: Any, info: core_schema.ValidationInfo) -> Any:
        path = Place()
        try:
            if (
                info.mode == "python"
                and self.kind is not None
                and isinstance(value, self.kind)
            ):
                self.read(self.write(value, path), path)
                return value
            return self.read(value, path)
        except DecodeError as error:
            raise ValueError(error.message) from None

    def _dump(self, value: Any) -> JsonValue:
        return self.write(value, Place())


def _text(value: object, path: Place) -> str:
    if not isinstance(value, str):
        refuse(path, "must be a string")
    return value


class Limits(Scalar, Generic[Bound]):
    """What has a least and a greatest value, or length."""

    def __init__(self, min: Bound | None = None, max: Bound | None = None) -> None:
        self.min = min
        self.max = max

    def _bounded(self, value: Any, path: Place, order: Callable[[Any], Any]) -> None:
        if self.min is not None and order(value) < order(self.min):
            refuse(path, f"must not be less than {self.min}")
        if self.max is not None and order(value) > order(self.max):
            refuse(path, f"must not be greater than {self.max}")

    def _form(self, form: dict[str, Any], least: str, greatest: str) -> dict[str, Any]:
        bounds = ((least, self.min), (greatest, self.max))
        return form | {key: bound for key, bound in bounds if bound is not None}


class Sized(Limits[int]):
    """What has a length."""

    def __init__(
        self, min: int | None = None, max: int | None = None, pattern: str | None = None
    ) -> None:
        super().__init__(min, max)
        self.pattern = None if pattern is None else re.compile(pattern, re.ASCII)

    def _sized(self, size: int, unit: str, text: str, path: Place) -> None:
        if self.min is not None and size < self.min:
            refuse(path, f"must have at least {self.min} {unit}")
        if self.max is not None and size > self.max:
            refuse(path, f"must have at most {self.max} {unit}")
        if self.pattern is not None and self.pattern.search(text) is None:
            refuse(path, f"must match {self.pattern.pattern}")


class Text(Sized):
    """Text, whose length is counted in code points."""

    def form(self) -> dict[str, Any]:
        return self._form({"type": "string"}, "minLength", "maxLength")

    def read(self, value: object, path: Place) -> Any:
        text = _text(value, path)
        self._sized(len(text), "characters", text, path)
        return text

    def write(self, value: Any, path: Place) -> JsonValue:
        return _text(value, path)


class Truth(Scalar):
    """`True` or `False`."""

    def form(self) -> dict[str, Any]:
        return {"type": "boolean"}

    def read(self, value: object, path: Place) -> Any:
        if not isinstance(value, bool):
            refuse(path, "must be true or false")
        return value

    def write(self, value: Any, path: Place) -> JsonValue:
        return cast(bool, self.read(value, path))


SAFE = 2**53 - 1


class Whole(Limits[int]):
    """A whole number that a double holds."""

    def form(self) -> dict[str, Any]:
        return self._form({"type": "integer"}, "minimum", "maximum")

    def read(self, value: object, path: Place) -> Any:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool) or abs(value) > SAFE:
            refuse(path, "must be a whole number")
        self._bounded(value, path, int)
        return value

    def write(self, value: Any, path: Place) -> JsonValue:
        return cast(int, self.read(value, path))


class Real(Limits[float]):
    """A finite double."""

    def form(self) -> dict[str, Any]:
        return self._form({"type": "number"}, "minimum", "maximum")

    def read(self, value: object, path: Place) -> Any:
        if (
            not isinstance(value, int | float)
            or isinstance(value, bool)
            or not abs(value) <= 1.7976931348623157e308
        ):
            refuse(path, "must be a finite number")
        # JSON knows no zero with a sign.
        number = float(value) + 0.0
        self._bounded(number, path, float)
        return number

    def write(self, value: Any, path: Place) -> JsonValue:
        return cast(float, self.read(value, path))


_INT64 = re.compile(r"-?[0-9]{1,19}")
DECIMAL = re.compile(r"-?[0-9]+(\.[0-9]+)?")
BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


class Whole64(Limits[str]):
    """A whole number of 64 bits, text in JSON."""

    kind = int

    def form(self) -> dict[str, Any]:
        return {"type": "string", "format": "int64"}

    def read(self, value: object, path: Place) -> Any:
        text = _text(value, path)
        if _INT64.fullmatch(text) is None:
            refuse(path, "must be a whole number in quotes")
        number = int(text)
        if not -(2**63) <= number < 2**63:
            refuse(path, "must be a whole number of 64 bits")
        self._bounded(number, path, int)
        return number

    def write(self, value: Any, path: Place) -> JsonValue:
        if not isinstance(value, int) or isinstance(value, bool):
            refuse(path, "must be a whole number")
        return str(value)


class Exact(Limits[str]):
    """A decimal number of any precision, text in JSON."""

    kind = Decimal

    def form(self) -> dict[str, Any]:
        return {"type": "string", "format": "decimal"}

    def read(self, value: object, path: Place) -> Any:
        text = _text(value, path)
        if DECIMAL.fullmatch(text) is None:
            refuse(path, "must be a decimal number in quotes")
        number = Decimal(text)
        self._bounded(number, path, Decimal)
        return number

    def write(self, value: Any, path: Place) -> JsonValue:
        if not isinstance(value, Decimal) or not value.is_finite():
            refuse(path, "must be a finite decimal number")
        return format(value, "f")


class Binary(Sized):
    """Bytes, standard base64 in JSON."""

    kind = bytes

    def form(self) -> dict[str, Any]:
        return {"type": "string", "contentEncoding": "base64"}

    def read(self, value: object, path: Place) -> Any:
        text = _text(value, path)
        if BASE64.fullmatch(text) is None:
            refuse(path, "must be base64 with the standard alphabet and padding")
        read = base64.b64decode(text)
        self._sized(len(read), "bytes", text, path)
        return read

    def write(self, value: Any, path: Place) -> JsonValue:
        if not isinstance(value, bytes):
            refuse(path, "must be bytes")
        return base64.b64encode(value).decode("ascii")


_FIRST_DAY = date(1970, 1, 1)
_SECOND = 1_000_000_000


def _day(text: str) -> date | None:
    if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text) is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


_MOMENT = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?"
    r"(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))"
)


def days_of(text: str) -> int | None:
    """The days since the first of 1970, if there is such a day; Python knows no year before the year 1."""
    is_before = text.startswith("0000")
    day = _day(f"0400{text[4:]}" if is_before else text)
    return (
        None if day is None else (day - _FIRST_DAY).days - (146_097 if is_before else 0)
    )


def moment_of(text: str) -> tuple[int, timezone] | None:
    """The nanoseconds since the start of 1970 and the zone, if the text is a moment; it may be outside the years 1 to 9999."""
    form = _MOMENT.fullmatch(text)
    if form is None:
        return None
    days = days_of(form[1])
    hour, minute, second, zone_hour, zone_minute = (
        int(form[group] or 0) for group in (2, 3, 4, 7, 8)
    )
    if (
        days is None
        or hour > 23
        or minute > 59
        or second > 60
        or zone_hour > 23
        or zone_minute > 59
    ):
        return None
    ahead = (-1 if form[6] == "-" else 1) * (zone_hour * 60 + zone_minute)
    seconds = days * 86_400 + (hour * 60 + minute - ahead) * 60 + second
    fraction = int((form[5] or "").ljust(9, "0")[:9])
    return seconds * _SECOND + fraction, timezone(timedelta(minutes=ahead))


def is_moment(nanoseconds: int) -> bool:
    """Whether nanoseconds since the start of 1970 are a moment of the years 1 to 9999."""
    return -62_135_596_800 * _SECOND <= nanoseconds < 253_402_300_800 * _SECOND


def _moment(text: str) -> tuple[int, timezone] | None:
    found = moment_of(text)
    return found if found is not None and is_moment(found[0]) else None


_START = datetime(1970, 1, 1, tzinfo=UTC)
_NO_MOMENT = "must be a point in time, as RFC 3339 writes it"


class Moment(Limits[str]):
    """A point in time, RFC 3339 in JSON."""

    kind = datetime

    def form(self) -> dict[str, Any]:
        return {"type": "string", "format": "date-time"}

    def read(self, value: object, path: Place) -> Any:
        found = _moment(_text(value, path))
        if found is None:
            refuse(path, _NO_MOMENT)
        nanoseconds, zone = found
        self._bounded(value, path, lambda text: (_moment(text) or (0,))[0])
        moment = _START + timedelta(microseconds=nanoseconds // 1000)
        try:
            return moment.astimezone(zone)
        except OverflowError:
            return moment

    def write(self, value: Any, path: Place) -> JsonValue:
        if not isinstance(value, datetime) or value.utcoffset() is None:
            refuse(path, "must be a datetime with a zone")
        return re.sub(r"\+00:00$", "Z", value.isoformat())


class Day(Limits[str]):
    """A day."""

    kind = date

    def form(self) -> dict[str, Any]:
        return {"type": "string", "format": "date"}

    def read(self, value: object, path: Place) -> Any:
        found = _day(_text(value, path))
        if found is None:
            refuse(path, "must be a date such as 2026-11-21")
        self._bounded(value, path, _day)
        return found

    def write(self, value: Any, path: Place) -> JsonValue:
        if not isinstance(value, date) or isinstance(value, datetime):
            refuse(path, "must be a date")
        return value.isoformat()


_LENGTH = re.compile(
    r"(-?)P(?!$)(?:([0-9]+)W|(?:([0-9]+)D)?"
    r"(?:T(?=[0-9])(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9]+)(?:\.([0-9]+))?S)?)?)"
)


def _number(digits: str | None) -> int:
    # So many digits are beyond every length, and Python refuses to read as many as it likes.
    return int(digits.lstrip("0")[:40] or 0) if digits else 0


def length_of(text: str) -> int | None:
    """The nanoseconds of a length of time without years and months; it may be too long."""
    form = _LENGTH.fullmatch(text)
    if form is None:
        return None
    weeks, days, hours, minutes, rest = (_number(form[group]) for group in range(2, 7))
    seconds = (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + rest
    length = seconds * _SECOND + int((form[7] or "").ljust(9, "0")[:9])
    return -length if form[1] else length


def is_length(nanoseconds: int) -> bool:
    """Whether so many nanoseconds are within ten thousand years."""
    return abs(nanoseconds) <= 315_576_000_000 * _SECOND


def _nanoseconds(text: str) -> int | None:
    found = length_of(text)
    return found if found is not None and is_length(found) else None


class Length(Limits[str]):
    """A length of time, ISO 8601 in JSON."""

    kind = timedelta

    def form(self) -> dict[str, Any]:
        return {"type": "string", "format": "duration"}

    def read(self, value: object, path: Place) -> Any:
        found = _nanoseconds(_text(value, path))
        if found is None:
            refuse(
                path,
                "must be a length of time such as PT1M30S, without years and months",
            )
        self._bounded(value, path, _nanoseconds)
        # Towards nothing, whatever the sign.
        length = timedelta(microseconds=abs(found) // 1000)
        return -length if found < 0 else length

    def write(self, value: Any, path: Place) -> JsonValue:
        if not isinstance(value, timedelta):
            refuse(path, "must be a timedelta")
        length = abs(value)
        minutes, seconds = divmod(length.seconds, 60)
        hours, minutes = divmod(minutes, 60)
        fraction = (
            f".{length.microseconds:06}".rstrip("0") if length.microseconds else ""
        )
        parts = ((hours, "H", ""), (minutes, "M", ""), (seconds, "S", fraction))
        time = "".join(
            f"{number}{rest}{unit}" for number, unit, rest in parts if number or rest
        )
        day = f"{length.days}D" if length.days else ""
        text = f"{day}T{time}" if time else day or "T0S"
        return f"{'-' if value < timedelta() else ''}P{text}"


class Form(Scalar):
    """Text of a certain form."""

    def __init__(self, name: str, form: str, what: str) -> None:
        self._name = name
        self._form = re.compile(form)
        self._what = what

    def form(self) -> dict[str, Any]:
        return {"type": "string", "format": self._name}

    def read(self, value: object, path: Place) -> Any:
        text = _text(value, path)
        if self._form.fullmatch(text) is None:
            refuse(path, f"must be {self._what}")
        return text

    def write(self, value: Any, path: Place) -> JsonValue:
        return _text(value, path)


class Identity(Form):
    """A UUID."""

    kind = UUID

    def read(self, value: object, path: Place) -> Any:
        return UUID(cast(str, super().read(value, path)))

    def write(self, value: Any, path: Place) -> JsonValue:
        if not isinstance(value, UUID):
            refuse(path, "must be a UUID")
        return str(value)


class Whatever(Scalar):
    """Any JSON value."""

    @property
    def nullable(self) -> bool:
        return True

    def form(self) -> dict[str, Any]:
        return {}

    def read(self, value: object, path: Place) -> Any:
        return JSON.read(value, path)

    def write(self, value: Any, path: Place) -> JsonValue:
        return JSON.write(value, path)


class Constant(Scalar):
    """A number that a type stands for."""

    def __init__(self, value: float) -> None:
        self.value = value

    def form(self) -> dict[str, Any]:
        return {"const": self.value}

    def read(self, value: object, path: Place) -> Any:
        if isinstance(value, bool) or value != self.value:
            refuse(path, f"must be {self.value}")
        return self.value

    def write(self, value: Any, path: Place) -> JsonValue:
        return cast(float, self.read(value, path))


_ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_PLAIN = "[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2}"
_AUTHORITY = rf"(?:(?:{_PLAIN}|:)*@)?(?:\[[0-9A-Fa-f:.]+\]|(?:{_PLAIN})*)(?::[0-9]*)?"
_SEGMENT = f"(?:{_PLAIN}|[:@])"
_PATH = f"(?://{_AUTHORITY}(?:/{_SEGMENT}*)*|/(?:{_SEGMENT}+(?:/{_SEGMENT}*)*)?|{_SEGMENT}+(?:/{_SEGMENT}*)*)?"
_REST = rf"(?:\?(?:{_PLAIN}|[:@/?])*)?(?:#(?:{_PLAIN}|[:@/?])*)?"

String: TypeAlias = Annotated[str, Text()]
Bool: TypeAlias = Annotated[bool, Truth()]
Int: TypeAlias = Annotated[int, Whole()]
Int64: TypeAlias = Annotated[int, Whole64()]
Float: TypeAlias = Annotated[float, Real()]
Number: TypeAlias = Annotated[Decimal, Exact()]
Bytes: TypeAlias = Annotated[bytes, Binary()]
Timestamp: TypeAlias = Annotated[datetime, Moment()]
Date: TypeAlias = Annotated[date, Day()]
Duration: TypeAlias = Annotated[timedelta, Length()]
Uuid: TypeAlias = Annotated[
    UUID,
    Identity("uuid", r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}", "a UUID"),
]
Uri: TypeAlias = Annotated[
    str, Form("uri", f"[A-Za-z][A-Za-z0-9+.-]*:{_PATH}{_REST}", "a URI")
]
Email: TypeAlias = Annotated[
    str,
    Form(
        "email", rf"{_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*", "an e-mail address"
    ),
]
Json: TypeAlias = Annotated[JsonValue, Whatever()]
