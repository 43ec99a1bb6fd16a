"""Texts with placeholders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic import JsonValue

from .json import JsonObject, canonical, parse_json
from .model import Codec


class Placeholder:
    """What is read from a value, and what stands for it if it is absent or null, as JSON."""

    def __init__(self, *path: str | int, fallback: str | None = None) -> None:
        self.path = path
        self.fallback = fallback

    def text(self, roots: Mapping[str, JsonValue]) -> str:
        """What stands in its place: a text as it is, everything else as JSON."""
        value, found = self._find(roots)
        if value is None and self.fallback is not None:
            value, found = parse_json(self.fallback), True
        if not found:
            return ""
        return value if isinstance(value, str) else canonical(value)

    def _find(self, roots: Mapping[str, JsonValue]) -> tuple[JsonValue, bool]:
        value: object = roots
        for part in self.path:
            if not isinstance(value, dict | list):
                return None, False
            try:
                value = cast("Any", value)[part]
            except (LookupError, TypeError):
                return None, False
        return cast("JsonValue", value), True


def render(parts: Sequence[str | Placeholder], roots: Mapping[str, JsonValue]) -> str:
    """Fills in the placeholders of a text."""
    return "".join(
        part if isinstance(part, str) else part.text(roots) for part in parts
    )


def roots_of(codec: Codec[Any], value: object) -> JsonObject:
    """A value as an object of JSON."""
    written = codec.encode(value)
    return written if isinstance(written, dict) else {}
