r"""The regular expressions of `matches`: the common part of RE2, ECMAScript, Python and Rust, where `\d \w \s \b` are ASCII.

They are not left to `re`, which may need a time that is exponential in the length of the text: here all ways through
a pattern are gone at once, so that the time is that of the text times that of the pattern.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import NoReturn, TypeAlias


class PatternError(ValueError):
    """What is wrong with a text that is no pattern."""


Ranges: TypeAlias = tuple[tuple[int, int], ...]
"""The first and the last code point of each part of a class."""


@dataclass(frozen=True)
class _Characters:
    ranges: Ranges
    negated: bool = False

    def has(self, point: int) -> bool:
        for first, last in self.ranges:
            if first <= point <= last:
                return not self.negated
        return self.negated


@dataclass(frozen=True)
class _Assertion:
    what: str


@dataclass(frozen=True)
class _Sequence:
    parts: Sequence[_Part]


@dataclass(frozen=True)
class _Choice:
    parts: Sequence[_Part]


@dataclass(frozen=True)
class _Repetition:
    part: _Part
    least: int
    most: int | None


_Part: TypeAlias = _Characters | _Assertion | _Sequence | _Choice | _Repetition

_MOST_REPEATED = 1000
"""Go, as all of RE2's family, refuses more: repetitions within each other are multiplied."""

_DEEPEST_GROUP = 100
_MOST_STATES = 200_000


def _ranges(*texts: str) -> Ranges:
    return tuple((ord(text[0]), ord(text[1])) for text in texts)


def _alone(character: str) -> Ranges:
    return ((ord(character), ord(character)),)


def _inverted(ranges: Ranges) -> Ranges:
    """All code points that are in none of the ranges, which are in their order."""
    firsts = [0, *(last + 1 for _, last in ranges)]
    lasts = [*(first - 1 for first, _ in ranges), 0x10FFFF]
    return tuple(zip(firsts, lasts, strict=True))


_WORD = _Characters(_ranges("09", "AZ", "__", "az"))
_CLASSES: dict[str, Ranges] = {
    "d": _ranges("09"),
    "w": _WORD.ranges,
    "s": _ranges("\t\n", "\f\r", "  "),
}
_SPECIAL = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_HEXADECIMAL = frozenset("0123456789abcdefABCDEF")


class _Reader:
    """Reads a pattern."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = 0

    def whole(self) -> _Part:
        part = self._choice()
        if self._at < len(self._text):
            self._refuse("a `)` closes nothing")
        return part

    def _refuse(self, message: str) -> NoReturn:
        raise PatternError(f"{message} (at character {self._at} of the pattern)")

    def _next(self) -> str:
        """The next character, nothing at the end."""
        return self._text[self._at : self._at + 1]

    def _take(self) -> str:
        taken = self._next()
        if not taken:
            self._refuse("it ends too early")
        self._at += 1
        return taken

    def _takes(self, wanted: str) -> bool:
        is_next = self._next() == wanted
        self._at += is_next
        return is_next

    def _choice(self) -> _Part:
        parts = [self._sequence()]
        while self._takes("|"):
            parts.append(self._sequence())
        return parts[0] if len(parts) == 1 else _Choice(parts)

    def _sequence(self) -> _Part:
        parts: list[_Part] = []
        while self._next() not in ("", "|", ")"):
            parts.append(self._repeated(self._one()))
        return _Sequence(parts)

    def _one(self) -> _Part:
        taken = self._take()
        match taken:
            case ".":
                return _Characters(_alone("\n"), negated=True)
            case "^" | "$":
                return _Assertion(taken)
            case "(":
                return self._group()
            case "[":
                return self._class()
            case "\\":
                escaped = self._take()
                if escaped in ("b", "B"):
                    return _Assertion(escaped)
                return _Characters(self._escaped(escaped))
            case "*" | "+" | "?" | "{":
                self._refuse("there is nothing that can be repeated")
            case _:
                return _Characters(_alone(taken))

    def _group(self) -> _Part:
        if self._takes("?") and not self._takes(":"):
            self._refuse(
                "only `(…)` and `(?:…)` are groups that are understood everywhere"
            )
        self._depth += 1
        if self._depth > _DEEPEST_GROUP:
            self._refuse("groups are nested too deeply")
        part = self._choice()
        self._depth -= 1
        if not self._takes(")"):
            self._refuse("a group is not closed")
        # What is repeated is the group, whatever stands in it.
        return _Choice([part])

    def _escaped(self, escaped: str) -> Ranges:
        """What stands for characters behind a backslash."""
        if escaped in _CLASSES:
            return _CLASSES[escaped]
        if escaped.lower() in _CLASSES:
            return _inverted(_CLASSES[escaped.lower()])
        if escaped in _SPECIAL:
            return _alone(_SPECIAL[escaped])
        if escaped == "x":
            digits = self._take() + self._take()
            if not _HEXADECIMAL.issuperset(digits):
                self._refuse("`\\x` has two digits")
            return _alone(chr(int(digits, 16)))
        if not escaped.isascii() or escaped.isalnum() or escaped in "<>":
            self._refuse("this escape is not understood everywhere")
        return _alone(escaped)

    def _class(self) -> _Part:
        negated = self._takes("^")
        ranges: list[tuple[int, int]] = []
        while self._takes("-"):
            ranges += _alone("-")
        is_first = not ranges
        while is_first or self._next() != "]":
            is_first = False
            found = self._member()
            if self._next() == "-" and self._text[self._at + 1 : self._at + 2] != "]":
                self._at += 1
                found = self._range(found, self._member())
            ranges += found
        self._at += 1
        return _Characters(tuple(ranges), negated)

    def _range(self, one: Ranges, other: Ranges) -> Ranges:
        first, last = one[0][0], other[-1][1]
        if one != ((first, first),) or other != ((last, last),) or first > last:
            self._refuse("this is no range of characters")
        return ((first, last),)

    def _member(self) -> Ranges:
        taken = self._take()
        if taken == "\\":
            return self._escaped(self._take())
        if taken == "[" or (taken in "&-~" and self._next() == taken):
            self._refuse("this is not understood everywhere in a class")
        return _alone(taken)

    def _repeated(self, part: _Part) -> _Part:
        bounds = self._bounds()
        if bounds is None:
            return part
        if isinstance(part, _Assertion):
            self._refuse("what stands for no character is not repeated")
        self._takes("?")
        if self._next() in ("*", "+", "?", "{"):
            self._refuse("what is repeated twice stands in a group")
        return _Repetition(part, *bounds)

    def _bounds(self) -> tuple[int, int | None] | None:
        if self._takes("*"):
            return 0, None
        if self._takes("+"):
            return 1, None
        if self._takes("?"):
            return 0, 1
        if not self._takes("{"):
            return None
        least = self._number()
        most = self._number() if self._takes(",") else least
        is_right = least is not None and (most is None or least <= most)
        if not is_right or least is None or not self._takes("}"):
            self._refuse("a repetition is `{m}`, `{m,}` or `{m,n}`")
        return least, most

    def _number(self) -> int | None:
        number: int | None = None
        while (digit := self._next()) and digit in "0123456789":
            # No pattern has so many repetitions, and no number is too large to be told.
            number = min((number or 0) * 10 + int(digit), _MOST_REPEATED + 1)
            self._at += 1
        return number


def _check_repetitions(part: _Part, room: int) -> None:
    """Demands that nothing is repeated too often, repetitions within each other multiplied."""
    if isinstance(part, _Sequence | _Choice):
        for inner in part.parts:
            _check_repetitions(inner, room)
    elif isinstance(part, _Repetition):
        times = max(part.least if part.most is None else part.most, 1)
        if times > room:
            raise PatternError(
                "more than 1,000 repetitions, those within each other multiplied, are not understood everywhere"
            )
        _check_repetitions(part.part, room // times)


@dataclass
class _State:
    """What is done: a character is passed, a place is looked at, other states are entered, or the pattern is found."""

    what: _Characters | _Assertion | None
    nexts: list[int] = field(default_factory=list[int])


class Pattern:
    """A pattern that is ready to be looked for."""

    def __init__(self, text: str) -> None:
        """Reads a pattern; raises a `PatternError` if it is none, or too large."""
        part = _Reader(text).whole()
        _check_repetitions(part, _MOST_REPEATED)
        self._states: list[_State] = []
        self._found = self._add(None)
        self._start = self._build(part, self._found)

    def _add(self, what: _Characters | _Assertion | None, *nexts: int) -> int:
        if len(self._states) >= _MOST_STATES:
            raise PatternError("the pattern is too large")
        self._states.append(_State(what, list(nexts)))
        return len(self._states) - 1

    def _build(self, part: _Part, behind: int) -> int:
        """The state in which a part begins that is followed by another state."""
        if isinstance(part, _Sequence):
            return reduce(
                lambda start, inner: self._build(inner, start),
                reversed(part.parts),
                behind,
            )
        if isinstance(part, _Choice):
            starts = [self._build(inner, behind) for inner in part.parts]
            return starts[0] if len(starts) == 1 else self._add(None, *starts)
        if not isinstance(part, _Repetition):
            return self._add(part, behind)
        start = behind
        if part.most is None:
            start = self._add(None, behind)
            self._states[start].nexts.append(self._build(part.part, start))
        else:
            for _ in range(part.most - part.least):
                start = self._add(None, behind, self._build(part.part, start))
        for _ in range(part.least):
            start = self._build(part.part, start)
        return start

    def is_found_in(self, text: str) -> bool:
        """Whether it is found anywhere in a text."""
        states = self._states
        # In which round a state was entered last, so that none is entered twice at one place.
        entered = [-1] * len(states)
        waiting: list[int] = []
        before: int | None = None
        for place in range(len(text) + 1):
            behind = ord(text[place]) if place < len(text) else None
            waiting.append(self._start)
            open_states, waiting = waiting, []
            while open_states:
                at = open_states.pop()
                if entered[at] == place:
                    continue
                entered[at] = place
                if at == self._found:
                    return True
                what, nexts = states[at].what, states[at].nexts
                if what is None:
                    open_states += nexts
                elif isinstance(what, _Characters):
                    if behind is not None and what.has(behind):
                        waiting += nexts
                elif _holds(what.what, before, behind):
                    open_states += nexts
            before = behind
        return False


def _holds(what: str, before: int | None, behind: int | None) -> bool:
    if what == "^":
        return before is None
    if what == "$":
        return behind is None
    is_at_word = [point is not None and _WORD.has(point) for point in (before, behind)]
    return (is_at_word[0] != is_at_word[1]) == (what == "b")
