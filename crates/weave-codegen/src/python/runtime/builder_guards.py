"""Conditions: the tree that a definition has, and the same in CEL."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import reduce
from typing import TypeAlias

from pydantic import JsonValue

from .builder_values import BuilderError, Kind, Ref, Step, is_name
from .json import JsonObject, canonical, text_of


@dataclass(frozen=True)
class Cel:
    """A text of CEL, and how tightly it binds."""

    text: str
    binds: int = 6

    def at_least(self, binds: int) -> str:
        """In parentheses if it binds less tightly than it must."""
        return f"({self.text})" if self.binds < binds else self.text


_UNARY = 5
_MEMBER = 6


@dataclass(frozen=True)
class Expr:
    """A condition, or a part of one."""

    tree: JsonObject
    kind: Kind
    cel: Cel | None
    """The same in CEL, if CEL can say it."""
    ref: Ref | None = None
    """What is read, if it is a value that is read."""

    def guard(self) -> JsonObject:
        """The condition as a definition has it."""
        if self.cel is None:
            return {"expr": self.tree}
        return {"cel": self.cel.text, "expr": self.tree}


Operand: TypeAlias = "Expr | str | int | float | bool | None"
"""A part of a condition: constants stand as they are, of the type of what they are compared with."""

_RESERVED = frozenset(
    [
        "as",
        "break",
        "const",
        "continue",
        "else",
        "false",
        "for",
        "function",
        "if",
        "import",
        "in",
        "let",
        "loop",
        "namespace",
        "null",
        "package",
        "return",
        "true",
        "var",
        "void",
        "while",
    ]
)
_TYPES = frozenset(
    [
        "bool",
        "bytes",
        "double",
        "duration",
        "dyn",
        "int",
        "list",
        "map",
        "null_type",
        "string",
        "timestamp",
        "type",
        "uint",
    ]
)


def _usable(name: str) -> bool:
    return name not in _RESERVED and name not in _TYPES


def _raw_text(root: str, steps: tuple[Step, ...]) -> str | None:
    """A path in CEL, if it reads from nothing that may be missing."""
    if not _usable(root):
        return None
    path = root
    for step in steps:
        if step.maybe or step.how not in ("field", "entry"):
            return None
        key = str(step.key)
        plain = step.how == "field" and is_name(key) and key not in _RESERVED
        path += f".{key}" if plain else f"[{text_of(key)}]"
    return path


def _entry_text(ref: Ref) -> str | None:
    """The question whether the entry of a map is there that a path ends with."""
    if not ref.steps or ref.steps[-1].how != "entry":
        return None
    return f"{text_of(str(ref.steps[-1].key))} in {_raw_text(ref.root, ref.steps[:-1])}"


def _read_text(ref: Ref) -> Cel | None:
    path = _raw_text(ref.root, ref.steps)
    if path is None:
        return None
    entry = _entry_text(ref)
    if entry is None or ref.steps[-1].present:
        return Cel(path)
    # An entry that is not there is an error in CEL, and null here.
    return Cel(f"({entry} ? {path} : null)")


def typed(ref: Ref, kind: Kind) -> Expr:
    """A value in a condition, with its type."""
    path: list[JsonValue] = [] if ref.bound else [ref.root]
    for step in ref.steps:
        path.append({"all": True} if step.how == "all" else step.key)
    tree: JsonObject = {"type": kind}
    if ref.bound:
        tree["var"] = ref.root
    if path:
        tree["path"] = path
    return Expr(tree, kind, None if kind == "decimal" else _read_text(ref), ref)


_DURATION = re.compile(
    r"PT(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,3}))?S)?", re.ASCII
)


def _duration_text(value: str) -> str | None:
    found = _DURATION.fullmatch(value)
    if found is None:
        return None
    hours, minutes, seconds = (int(found[place] or 0) for place in (1, 2, 3))
    total = ((hours * 60 + minutes) * 60 + seconds) * 1000
    total += int((found[4] or "").ljust(3, "0"))
    if total % 1000 == 0:
        return f'duration("{total // 1000}s")'
    return f'duration("{total}ms")'


def _float_text(value: float) -> str:
    if float(value).is_integer():
        return f"{int(value)}.0"
    if abs(value) >= 1e-5:
        return canonical(value)
    digits, exponent = repr(float(value)).split("e")
    return f"{digits}e{int(exponent)}"


def _constant_text(value: JsonValue, kind: Kind) -> str | None:
    if value is None:
        return "null"
    match kind:
        case "decimal" | "bytes":
            return None
        case "float" if isinstance(value, int | float):
            return _float_text(value)
        case "int64" if isinstance(value, str):
            return value
        case "timestamp":
            return f"timestamp({canonical(value)})"
        case "duration":
            return _duration_text(str(value))
        case _:
            return canonical(value)


def constant(value: JsonValue, kind: Kind) -> Expr:
    """A constant with its type, in the form that it has in JSON."""
    held: Kind = "null" if value is None else kind
    words = _constant_text(value, held)
    cel = None
    if words is not None:
        # A sign is an operator.
        cel = Cel(words, _UNARY if words.startswith("-") else _MEMBER)
    return Expr({"const": value, "type": held}, held, cel)


_WIRE = frozenset({"int64", "decimal", "bytes", "timestamp", "date", "duration"})


def _lift(operand: Operand, beside: Operand = None) -> Expr:
    if isinstance(operand, Expr):
        return operand
    kind: Kind | None = beside.kind if isinstance(beside, Expr) else None
    if operand is None:
        return constant(None, "null")
    if isinstance(operand, bool):
        return constant(operand, "bool")
    if isinstance(operand, str):
        if kind is not None and kind in _WIRE:
            return constant(operand, kind)
        return constant(operand, "string")
    if kind == "float" or isinstance(operand, float):
        return constant(operand, "float")
    return constant(operand, "int")


_BINDS = {"||": 0, "&&": 1, "+": 3, "-": 3, "*": 4, "/": 4, "%": 4}


def _operand_kind(op: str, left: Kind, right: Kind) -> Kind:
    if op in ("==", "!="):
        if "null" in (left, right):
            return "null"
        if left != right:
            return "json"
    if op in ("+", "-") and "timestamp" in (left, right):
        return "timestamp"
    if left in ("json", "null") and op != "in" and right != "null":
        return right
    return "json" if left == "null" else left


def _compared(expr: Expr, other: Expr) -> Cel | None:
    # What is compared with null may be of a type that CEL does not have.
    if expr.ref is not None and other.kind == "null" and "const" in other.tree:
        return _read_text(expr.ref)
    return expr.cel


def _arguments(expr: Expr, op: str, kind: Kind | None) -> list[JsonValue]:
    args = expr.tree.get("args")
    if (
        expr.tree.get("op") == op
        and expr.tree.get("type") == kind
        and isinstance(args, list)
    ):
        return args
    return [expr.tree]


def _untyped(expr: Expr, operands: Kind | None) -> JsonObject:
    """Whether a value is null does not depend on its type."""
    is_read = "op" not in expr.tree and ("path" in expr.tree or "var" in expr.tree)
    if operands == "null" and is_read:
        return {**expr.tree, "type": "json"}
    return expr.tree


def _binary(op: str, left: Expr, right: Expr) -> Expr:
    binds = _BINDS.get(op, 2)
    logical, arithmetic = binds < 2, binds > 2
    operands = None if logical else _operand_kind(op, left.kind, right.kind)
    args = _arguments(left, op, operands) if binds != 2 else [_untyped(left, operands)]
    more = _arguments(right, op, None) if logical else [_untyped(right, operands)]
    tree: JsonObject = {"op": op, "args": [*args, *more]}
    if operands is not None:
        tree["type"] = operands
    kind: Kind = operands if arithmetic and operands is not None else "bool"
    if op == "-" and left.kind == "timestamp" and right.kind == "timestamp":
        kind = "duration"
    first, second = _compared(left, right), _compared(right, left)
    cel = None
    if first is not None and second is not None:
        # `a && (b && c)` is the same without parentheses; `a - (b - c)` is not.
        tightness = binds if logical else binds + 1
        cel = Cel(f"{first.at_least(binds)} {op} {second.at_least(tightness)}", binds)
    return Expr(tree, kind, cel)


def _chain(op: str, operands: tuple[Operand, ...]) -> Expr:
    if len(operands) < 2:
        raise BuilderError(f"`{op}` takes two operands at least")
    first, second, *rest = operands
    begun = _binary(op, _lift(first, second), _lift(second, first))
    return reduce(
        lambda total, part: _binary(op, total, _lift(part, total)), rest, begun
    )


def and_(*conditions: Operand) -> Expr:
    """All of these."""
    return _chain("&&", conditions)


def or_(*conditions: Operand) -> Expr:
    """One of these at least."""
    return _chain("||", conditions)


def eq(left: Operand, right: Operand) -> Expr:
    """Equal."""
    return _chain("==", (left, right))


def ne(left: Operand, right: Operand) -> Expr:
    """Not equal."""
    return _chain("!=", (left, right))


def lt(left: Operand, right: Operand) -> Expr:
    """Less."""
    return _chain("<", (left, right))


def le(left: Operand, right: Operand) -> Expr:
    """Less or equal."""
    return _chain("<=", (left, right))


def gt(left: Operand, right: Operand) -> Expr:
    """Greater."""
    return _chain(">", (left, right))


def ge(left: Operand, right: Operand) -> Expr:
    """Greater or equal."""
    return _chain(">=", (left, right))


def is_in(element: Operand, collection: Operand) -> Expr:
    """An element of a list, or a key of a map."""
    return _chain("in", (element, collection))


def add(*operands: Operand) -> Expr:
    """The sum, or one text behind the other."""
    return _chain("+", operands)


def sub(*operands: Operand) -> Expr:
    """The difference, from left to right."""
    return _chain("-", operands)


def mul(*operands: Operand) -> Expr:
    """The product."""
    return _chain("*", operands)


def div(*operands: Operand) -> Expr:
    """The quotient, from left to right."""
    return _chain("/", operands)


def rem(*operands: Operand) -> Expr:
    """The remainder, from left to right."""
    return _chain("%", operands)


def not_(condition: Operand) -> Expr:
    """The opposite."""
    inner = _lift(condition)
    cel = inner.cel and Cel(f"!{inner.cel.at_least(_UNARY)}", _UNARY)
    return Expr({"op": "!", "args": [inner.tree]}, "bool", cel)


def neg(operand: Operand) -> Expr:
    """The other sign."""
    inner = _lift(operand)
    tree: JsonObject = {"op": "negate", "type": inner.kind, "args": [inner.tree]}
    cel = None
    if inner.cel is not None and inner.kind == "duration":
        # The sign of CEL stands before numbers only.
        cel = Cel(f'duration("0s") - {inner.cel.at_least(4)}', 3)
    elif inner.cel is not None:
        # Two signs are none in CEL, but the smallest integer has no opposite.
        tightness = _MEMBER if inner.cel.text.startswith("-") else _UNARY
        cel = Cel(f"-{inner.cel.at_least(tightness)}", _UNARY)
    return Expr(tree, inner.kind, cel)


def size(operand: Operand) -> Expr:
    """How many characters, octets, elements or entries."""
    inner = _lift(operand)
    cel = inner.cel and Cel(f"size({inner.cel.text})")
    return Expr({"op": "size", "type": inner.kind, "args": [inner.tree]}, "int", cel)


def has(value: Expr) -> Expr:
    """Whether a value is there and not null."""
    ref = value.ref
    if ref is None:
        raise BuilderError("`has` asks for a value that is read")
    path = _raw_text(ref.root, ref.steps)
    cel = None
    if path is not None:
        entry = _entry_text(ref)
        if entry is None:
            cel = Cel(f"{path} != null", 2)
        elif ref.steps[-1].nullable:
            cel = Cel(f"{entry} && {path} != null", 1)
        else:
            cel = Cel(entry, 2)
    return Expr({"op": "has", "args": [value.tree]}, "bool", cel)


def _question(op: str, whole: Operand, part: Operand) -> Expr:
    receiver, argument = _lift(whole), _lift(part)
    cel = None
    if receiver.cel is not None and argument.cel is not None:
        cel = Cel(f"{receiver.cel.at_least(_MEMBER)}.{op}({argument.cel.text})")
    return Expr({"op": op, "args": [receiver.tree, argument.tree]}, "bool", cel)


def contains(whole: Operand, part: Operand) -> Expr:
    """Whether a text contains another."""
    return _question("contains", whole, part)


def starts_with(whole: Operand, start: Operand) -> Expr:
    """Whether a text starts with another."""
    return _question("startsWith", whole, start)


def ends_with(whole: Operand, end: Operand) -> Expr:
    """Whether a text ends with another."""
    return _question("endsWith", whole, end)


def matches(whole: Operand, pattern: str) -> Expr:
    """Whether a pattern is found in a text."""
    return _question("matches", whole, pattern)


def list_of(*items: Operand) -> Expr:
    """A list."""
    made = [_lift(item) for item in items]
    texts = [item.cel.text for item in made if item.cel is not None]
    cel = Cel(f"[{', '.join(texts)}]") if len(texts) == len(made) else None
    # A list of constants is a constant.
    constants = [item.tree["const"] for item in made if "const" in item.tree]
    if len(constants) == len(made):
        return Expr({"const": constants, "type": "list"}, "list", cel)
    trees: list[JsonValue] = [item.tree for item in made]
    return Expr({"list": trees}, "list", cel)


def item(name: str) -> Ref:
    """The element that a condition inside `exists` or `for_all` is about."""
    return Ref(name, bound=True)


def _quantified(op: str, collection: Expr, name: str, body: Expr) -> Expr:
    cel = None
    if _usable(name) and collection.cel is not None and body.cel is not None:
        receiver = collection.cel.at_least(_MEMBER)
        cel = Cel(f"{receiver}.{op}({name}, {body.cel.text})")
    tree: JsonObject = {
        "op": op,
        "var": name,
        "in": collection.tree,
        "body": body.tree,
    }
    return Expr(tree, "bool", cel)


def exists(collection: Expr, name: str, body: Expr) -> Expr:
    """Whether it is true of one element of a list, or of one key of a map, at least."""
    return _quantified("exists", collection, name, body)


def for_all(collection: Expr, name: str, body: Expr) -> Expr:
    """Whether it is true of all elements of a list, or of all keys of a map."""
    return _quantified("all", collection, name, body)
