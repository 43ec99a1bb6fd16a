"""Templates of a definition: read once, and filled in with values."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, cast

from pydantic import JsonValue

from .guard import DEEPEST_TREE
from .json import DEEPEST, DecodeError, canonical, text_of
from .paths import MISSING, All, Missing, Scope, Segment
from .values import EvaluationError, is_deeper


@dataclass(frozen=True)
class _Slot:
    """What stands in braces: where a value lies, and what takes its place if it is absent or null."""

    path: Sequence[Segment]
    fallback: JsonValue | Missing

    def value(self, scope: Scope) -> JsonValue | Missing:
        found = scope.read(self.path)
        if (found is None or found is MISSING) and self.fallback is not MISSING:
            return self.fallback
        return found


_OPEN = "{{"
_QUOTED_OPEN = '{{"{{"}}'
_QUOTED_BRACE = '{{"{"}}'
_NAME = re.compile("[A-Za-z_][A-Za-z0-9_]*")
_INDEX = re.compile("0|[1-9][0-9]{0,9}")
_TEXT = re.compile(r'"[^"\\\0-\x1f]*(?:\\.[^"\\\0-\x1f]*)*"')
_OTHER = re.compile(r"[\[\]{}:,]|true|false|null|-?[0-9][0-9.eE+-]*")

_DEEPEST_DEFAULT = 127
"""The default of a placeholder is no deeper: readers of JSON bound the depth of values."""


class _Reader:
    """Reads one template. Each has exactly one text, and no other text of it is read."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def parts(self) -> list[str | _Slot]:
        parts: list[str | _Slot] = []
        while self._at < len(self._text):
            start = self._at
            said = self._words()
            is_before_slot = self._at < len(self._text)
            written = said.replace(_OPEN, _QUOTED_OPEN)
            if is_before_slot and written.endswith("{"):
                # A brace that stood right before a placeholder would be taken for its first one.
                written = written[:-1] + _QUOTED_BRACE
            if written != self._text[start : self._at]:
                self._refuse("is a template that is not written in its one form", start)
            if said:
                parts.append(said)
            if is_before_slot:
                parts.append(self._slot())
        return parts

    def _refuse(self, message: str, at: int) -> NoReturn:
        raise DecodeError(f"{message} (at character {at})")

    def _takes(self, wanted: str) -> bool:
        is_next = self._text.startswith(wanted, self._at)
        self._at += len(wanted) if is_next else 0
        return is_next

    def _found(self, form: re.Pattern[str]) -> str:
        found = form.match(self._text, self._at)
        self._at = found.end() if found else self._at
        return found[0] if found else ""

    def _words(self) -> str:
        """What stands there as it is, up to the next placeholder."""
        said: list[str] = []
        while self._at < len(self._text):
            end = self._text.find(_OPEN, self._at)
            end = len(self._text) if end < 0 else end
            said.append(self._text[self._at : end])
            self._at = end
            if self._takes(_QUOTED_OPEN):
                said.append(_OPEN)
            elif self._takes(_QUOTED_BRACE):
                said.append("{")
            else:
                break
        return "".join(said)

    def _slot(self) -> _Slot:
        start = self._at
        self._at += len(_OPEN)
        if not self._takes("."):
            self._refuse(
                "has a `{{` that opens no placeholder; a path begins with a dot, and a literal `{{` is written "
                f"`{_QUOTED_OPEN}`",
                start,
            )
        is_odd = self._text.startswith("[", self._at)
        root = self._bracket() if is_odd else self._found(_NAME)
        if not isinstance(root, str) or (not root and not is_odd):
            self._refuse(
                "has a path that does not begin with the name of a root", start
            )
        path: list[Segment] = [root]
        while (step := self._step()) is not None:
            path.append(step)
        fallback = self._json() if self._takes(" ?? ") else MISSING
        if not self._takes("}}"):
            self._refuse("has a placeholder that is not closed by `}}`", start)
        return _Slot(path, fallback)

    def _step(self) -> Segment | None:
        start = self._at
        self._takes("?")
        if self._takes("."):
            name = self._found(_NAME)
            if not name:
                self._refuse("has a dot without a name", start)
            return name
        if self._text.startswith("[", self._at):
            return self._bracket()
        self._at = start
        return None

    def _bracket(self) -> Segment:
        """`[]`, `[0]` or `["any key"]`."""
        start = self._at
        self._at += 1
        if self._takes("]"):
            return All.ALL
        token = self._found(_TEXT)
        key = _unquoted(token)
        segment: Segment | None = None
        if key is not None and _NAME.fullmatch(key) is None:
            segment = key
        elif not token and (index := self._found(_INDEX)) and int(index) < 2**32:
            segment = int(index)
        if segment is None or not self._takes("]"):
            self._refuse(
                'has brackets with something else than an index or a key that needs them: `[0]`, `["any key"]`, `[]`',
                start,
            )
        return segment

    def _json(self) -> JsonValue:
        """A JSON value without space in it."""
        start = self._at
        depth = 0
        while True:
            text = self._found(_TEXT)
            token = text or self._found(_OTHER)
            depth += 1 if token in ("[", "{") else -1 if token in ("]", "}") else 0
            if (
                not token
                or depth > _DEEPEST_DEFAULT
                or (text and _unquoted(text) is None)
            ):
                self._refuse(
                    "has a `??` that is not followed by JSON without spaces", start
                )
            if depth <= 0:
                break
        try:
            return cast(
                JsonValue,
                json.loads(
                    self._text[start : self._at],
                    object_pairs_hook=_once,
                    parse_float=_finite,
                    parse_int=_whole,
                ),
            )
        except ValueError:
            self._refuse(
                "has a `??` that is not followed by JSON, or by JSON with a key that is there twice",
                start,
            )


def _unquoted(token: str) -> str | None:
    """A text behind its JSON, if that is in its one form."""
    try:
        text = json.loads(token)
    except ValueError:
        return None
    return text if isinstance(text, str) and text_of(text) == token else None


def _once(entries: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(entries)
    if len(found) != len(entries):
        raise ValueError("a key is there twice")
    return found


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is too great")
    return number


def _whole(text: str) -> float:
    # What has more than 64 bits is a double wherever it is read.
    return int(text) if len(text) < 20 else _finite(text)


class Template:
    """A template that was read once and can be filled in often."""

    def __init__(self, parts: Sequence[str | _Slot]) -> None:
        self._parts = parts

    @classmethod
    def parse(cls, text: str) -> Template:
        """Reads a template; raises a `DecodeError` that says where it is none."""
        return cls(_Reader(text).parts())

    def render(self, scope: Scope) -> JsonValue | Missing:
        """What it yields: the value itself where it is one placeholder and nothing else, and text in every other case.

        `MISSING` if that is absent. Raises an `EvaluationError` if a value in a text is nested too deeply.
        """
        if len(self._parts) == 1 and isinstance(self._parts[0], _Slot):
            return self._parts[0].value(scope)
        return self.text(scope)

    def text(self, scope: Scope) -> str:
        """What it says as text, also where it is one placeholder.

        Strings stand as they are, everything else as JSON; what is absent is empty.
        """
        return "".join(
            part if isinstance(part, str) else _said(part.value(scope))
            for part in self._parts
        )


def _said(value: JsonValue | Missing) -> str:
    if value is MISSING:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list | dict) and is_deeper(value, DEEPEST):
        raise EvaluationError(
            "too_deep", f"a value in a text is nested deeper than {DEEPEST} levels"
        )
    try:
        return canonical(value)
    except RecursionError:
        raise EvaluationError(
            "too_deep", "a value in a text is nested deeper than there is room for"
        ) from None


class Payload:
    """A payload or output of a definition, in which every string is a template, at any depth; keys stay as they are."""

    def __init__(self, shape: Any) -> None:
        self._shape = shape

    @classmethod
    def parse(cls, payload: JsonValue) -> Payload:
        """Reads a payload; raises a `DecodeError` with the path of a string that is no template."""
        if is_deeper(payload, DEEPEST_TREE):
            raise DecodeError(f"is nested deeper than {DEEPEST_TREE} levels")
        try:
            return cls(_prepared(payload, []))
        except RecursionError:
            raise DecodeError("is nested deeper than there is room for") from None

    def render(self, scope: Scope) -> JsonValue:
        """The payload with everything filled in.

        An entry whose value is absent is left out; an element, or the whole, is null.
        """
        try:
            found = _rendered(self._shape, scope)
        except RecursionError:
            raise EvaluationError(
                "too_deep", "the payload is nested deeper than there is room for"
            ) from None
        return None if found is MISSING else found


def _prepared(value: JsonValue, path: list[str | int]) -> Any:
    """The value with templates in the place of strings."""
    if isinstance(value, str):
        try:
            return Template.parse(value)
        except DecodeError as error:
            raise DecodeError(error.message, tuple(path)) from None
    if isinstance(value, list):
        items: list[Any] = []
        for index, item in enumerate(value):
            path.append(index)
            items.append(_prepared(item, path))
            path.pop()
        return items
    if isinstance(value, dict):
        entries: dict[str, Any] = {}
        for key, item in value.items():
            path.append(key)
            entries[key] = _prepared(item, path)
            path.pop()
        return entries
    return value


def _rendered(shape: Any, scope: Scope) -> JsonValue | Missing:
    if isinstance(shape, Template):
        return shape.render(scope)
    if isinstance(shape, list):
        items: list[JsonValue] = []
        for item in cast("Sequence[Any]", shape):
            found = _rendered(item, scope)
            items.append(None if found is MISSING else found)
        return items
    if isinstance(shape, dict):
        entries: dict[str, JsonValue] = {}
        for key, item in cast("dict[str, Any]", shape).items():
            found = _rendered(item, scope)
            if found is not MISSING:
                entries[key] = found
        return entries
    return cast("JsonValue", shape)
