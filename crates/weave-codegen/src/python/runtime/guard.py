"""Guards: read once from the tree of a definition, and evaluated over values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from pydantic import JsonValue

from .json import DecodeError, Place, refuse
from .operators import OPERATORS, apply
from .paths import MISSING, All, Scope, Segment, descend
from .patterns import Pattern, PatternError
from .values import (
    EvaluationError,
    Item,
    Listed,
    Read,
    ValueType,
    elements,
    is_deeper,
    no_form,
    read,
    truth,
    truth_of,
    wire,
)

GREATEST_WORK = 1_000_000
"""How often the bodies of `exists` and `all` are asked in one evaluation at most."""

DEEPEST_TREE = 1024
"""How deep the tree of a guard may be nested, as that of a definition."""


@dataclass(frozen=True, slots=True)
class _Constant:
    value: object
    type: ValueType


@dataclass(frozen=True, slots=True)
class _Reading:
    path: Sequence[Segment]
    type: ValueType


@dataclass(frozen=True, slots=True)
class _Variable:
    name: str
    path: Sequence[Segment]
    type: ValueType


@dataclass(frozen=True, slots=True)
class _Listing:
    items: Sequence[_Expression]


@dataclass(frozen=True, slots=True)
class _Logic:
    decides: bool
    operands: Sequence[_Expression]


@dataclass(frozen=True, slots=True)
class _Application:
    operator: str
    type: ValueType
    operands: Sequence[_Expression]
    pattern: Pattern | None


@dataclass(frozen=True, slots=True)
class _Question:
    decides: bool
    variable: str
    container: _Expression
    body: _Expression


_Expression: TypeAlias = (
    _Constant | _Reading | _Variable | _Listing | _Logic | _Application | _Question
)
_Tree: TypeAlias = dict[str, object]


class _Reader:
    """Reads the tree of an expression, and says where it is none.

    It takes one frame of Python's stack for each level.
    """

    def __init__(self) -> None:
        self._path = Place()
        self._variables: list[str] = []

    def guard(self, value: object) -> _Expression:
        """A guard as it stands in a definition, or its tree alone."""
        tree = _tree(value)
        if "expr" not in tree:
            return self._expression(value)
        self._only(tree, "cel", "expr")
        self._path.append("expr")
        return self._expression(tree["expr"])

    def _expression(self, value: object) -> _Expression:
        if not isinstance(value, dict):
            refuse(self._path, "must be an object")
        tree = cast(_Tree, value)
        keys = ("const", "op", "var", "path", "list")
        match next((key for key in keys if key in tree), None):
            case "const":
                self._only(tree, "const", "type")
                return _Constant(tree["const"], self._type(tree))
            case "op" if "var" in tree:
                decides, variable = self._question(tree)
                self._path.append("in")
                container = self._expression(tree["in"])
                self._path[-1] = "body"
                self._variables.append(variable)
                body = self._expression(tree["body"])
                self._variables.pop()
                self._path.pop()
                return _Question(decides, variable, container, body)
            case "op":
                operator, args = self._operator(tree)
                operands: list[_Expression] = []
                self._path += ["args", 0]
                for index, operand in enumerate(args):
                    self._path[-1] = index
                    operands.append(self._expression(operand))
                del self._path[-2:]
                return self._application(operator, tree, operands)
            case "var":
                return self._variable(tree)
            case "path":
                self._only(tree, "path", "type")
                path = self._segments(tree)
                if not path or not isinstance(path[0], str):
                    self._refuse("path", "must begin with the name of a root")
                return _Reading(path, self._type(tree))
            case "list":
                self._only(tree, "list")
                items: list[_Expression] = []
                all_items = self._list(tree, "list")
                self._path += ["list", 0]
                for index, item in enumerate(all_items):
                    self._path[-1] = index
                    items.append(self._expression(item))
                del self._path[-2:]
                return _Listing(items)
            case _:
                refuse(self._path, "must have the key const, path, var, list or op")

    def _refuse(self, key: str | int, message: str) -> Any:
        refuse([*self._path, key], message)

    def _only(self, tree: _Tree, *keys: str) -> None:
        for key in tree:
            if key not in keys:
                self._refuse(key, "does not belong here")

    def _get(self, tree: _Tree, key: str) -> object:
        return tree[key] if key in tree else self._refuse(key, "is missing")

    def _list(self, tree: _Tree, key: str) -> list[object]:
        value = self._get(tree, key)
        if not isinstance(value, list):
            self._refuse(key, "must be a list")
        if not value:
            self._refuse(key, "must not be empty")
        return cast("list[object]", value)

    def _text(self, tree: _Tree, key: str) -> str:
        value = self._get(tree, key)
        if not isinstance(value, str):
            self._refuse(key, "must be a string")
        return cast(str, value)

    def _type(self, tree: _Tree) -> ValueType:
        value = self._get(tree, "type")
        try:
            return ValueType(cast(str, value))
        except ValueError:
            return cast(ValueType, self._refuse("type", "must be a type"))

    def _question(self, tree: _Tree) -> tuple[bool, str]:
        self._only(tree, "op", "var", "in", "body")
        operator = tree["op"]
        if operator not in ("exists", "all"):
            self._refuse("op", "must be exists or all")
        variable = self._text(tree, "var")
        self._get(tree, "in")
        self._get(tree, "body")
        return operator == "exists", variable

    def _operator(self, tree: _Tree) -> tuple[str, list[object]]:
        self._only(tree, "op", "type", "args")
        operator = tree["op"]
        if not isinstance(operator, str) or operator not in OPERATORS:
            self._refuse("op", "must be an operator")
        return cast(str, operator), self._list(tree, "args")

    def _application(
        self, operator: str, tree: _Tree, operands: Sequence[_Expression]
    ) -> _Expression:
        signature = OPERATORS[operator]
        if not signature.least <= len(operands) <= signature.most:
            self._refuse("args", f"{operator} takes another number of operands")
        if signature.types is None:
            self._only(tree, "op", "args")
            if operator in ("&&", "||"):
                return _Logic(operator == "||", operands)
            pattern = self._pattern(operands[1]) if operator == "matches" else None
            return _Application(operator, ValueType.JSON, operands, pattern)
        wanted = self._type(tree)
        if wanted not in signature.types:
            self._refuse("type", f"{operator} has no meaning for the type {wanted}")
        return _Application(operator, wanted, operands, None)

    def _pattern(self, operand: _Expression) -> Pattern:
        path: list[str | int] = [*self._path, "args", 1]
        if not isinstance(operand, _Constant) or operand.type is not ValueType.STRING:
            refuse(path, "must be a constant string")
        if not isinstance(operand.value, str):
            refuse(path, "must be a constant string")
        try:
            return Pattern(operand.value)
        except PatternError as error:
            refuse([*path, "const"], f"is a pattern that cannot be used: {error}")

    def _variable(self, tree: _Tree) -> _Expression:
        self._only(tree, "var", "path", "type")
        name = self._text(tree, "var")
        if name not in self._variables:
            self._refuse("var", "no `exists` or `all` around it has this variable")
        path = self._segments(tree) if "path" in tree else []
        return _Variable(name, path, self._type(tree))

    def _segments(self, tree: _Tree) -> list[Segment]:
        value = self._get(tree, "path")
        if not isinstance(value, list):
            self._refuse("path", "must be a list")
        segments: list[Segment] = []
        for index, segment in enumerate(cast("list[object]", value)):
            found = _segment(segment)
            if found is None:
                refuse(
                    [*self._path, "path", index],
                    'must be a key, an index or {"all": true}',
                )
            segments.append(found)
        return segments


def _tree(value: object) -> _Tree:
    return cast(_Tree, value) if isinstance(value, dict) else {}


def _segment(value: object) -> Segment | None:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        entries = cast(_Tree, value)
        return All.ALL if len(entries) == 1 and entries.get("all") is True else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 <= value < 2**32 and value == int(value) else None


class _Evaluation:
    """One evaluation. It takes one frame of Python's stack for each level of the tree."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        # The variables of the quantifiers around, the innermost last.
        self._bound: list[tuple[str, Item]] = []
        self._work = 0

    def value(self, of: _Expression) -> Item:
        """The value of an expression."""
        match of:
            case _Constant():
                return read(of.value, of.type)
            case _Reading():
                found = self._scope.read(of.path)
                return read(None if found is MISSING else found, of.type)
            case _Variable():
                return self._variable(of)
            case _Listing():
                items: list[Item] = []
                for item in of.items:
                    items.append(_element(self.value(item)))
                return Listed(items)
            case _Logic():
                first: EvaluationError | None = None
                for operand in of.operands:
                    try:
                        if truth_of(self.value(operand)) is of.decides:
                            return truth(of.decides)
                    except EvaluationError as error:
                        first = _absorbed(first, error)
                return _undecided(first, of.decides)
            case _Application():
                operands: list[Item] = []
                for operand in of.operands:
                    operands.append(self.value(operand))
                return apply(of.operator, of.type, operands, of.pattern)
            case _Question():
                first = None
                for element in _asked(self.value(of.container)):
                    self._count()
                    self._bound.append((of.variable, element))
                    try:
                        if truth_of(self.value(of.body)) is of.decides:
                            return truth(of.decides)
                    except EvaluationError as error:
                        first = _absorbed(first, error)
                    finally:
                        self._bound.pop()
                return _undecided(first, of.decides)

    def _count(self) -> None:
        self._work += 1
        if self._work > GREATEST_WORK:
            raise EvaluationError(
                "too_much_work",
                f"the bodies of exists and all are asked more than {GREATEST_WORK} times",
            )

    def _variable(self, of: _Variable) -> Item:
        found = next(item for name, item in reversed(self._bound) if name == of.name)
        if isinstance(found, Read):
            below = descend(found.value, of.path)
            return read(None if below is MISSING else below, of.type)
        if of.path:
            return read(None, of.type)
        if not isinstance(found, Listed) and found.type is not of.type:
            no_form(of.type)
        return found


def _element(item: Item) -> Item:
    """An element of a list; none is itself a list that is made of expressions."""
    return Read(wire(item), ValueType.LIST) if isinstance(item, Listed) else item


def _asked(container: Item) -> Sequence[Item]:
    """What a quantifier asks about: of a list its elements, of a map its keys in order."""
    value = container.value if isinstance(container, Read) else None
    if not isinstance(value, dict):
        return elements(container)
    return [Read(key, ValueType.STRING) for key in sorted(cast(_Tree, value))]


def _absorbed(first: EvaluationError | None, error: EvaluationError) -> EvaluationError:
    """The first error, if it does not end the whole evaluation."""
    if error.kind == "too_much_work":
        raise error
    return first or error


def _undecided(first: EvaluationError | None, decides: bool) -> Item:
    """An error counts only if nothing decides."""
    if first is not None:
        raise first
    return truth(not decides)


class Guard:
    """A guard that was read once and can be evaluated often."""

    def __init__(self, expression: _Expression) -> None:
        self._expression = expression

    @classmethod
    def parse(cls, guard: object) -> Guard:
        """Reads a guard as it stands in a definition, or its tree alone.

        Raises a `DecodeError` with the path of what is wrong: what has not the form of a guard, operators
        without meaning for their operands, variables that nobody has, patterns that not everybody reads alike.
        """
        if is_deeper(guard, DEEPEST_TREE):
            raise DecodeError(f"is nested deeper than {DEEPEST_TREE} levels")
        try:
            return cls(_Reader().guard(guard))
        except RecursionError:
            raise DecodeError("is nested deeper than there is room for") from None

    def evaluate(self, scope: Scope) -> JsonValue:
        """Its value, in the form that its type has in JSON; what is absent is null.

        Raises an `EvaluationError`.
        """
        try:
            return wire(_Evaluation(scope).value(self._expression))
        except (RecursionError, MemoryError) as error:
            raise EvaluationError("too_much_work", "there is no room for it") from error

    def holds(self, scope: Scope) -> bool:
        """Whether it is true; one that ends in an error is false."""
        try:
            return self.evaluate(scope) is True
        except EvaluationError:
            return False
