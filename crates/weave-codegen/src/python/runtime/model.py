"""Records as pydantic models, and what reads and writes the types that annotations say."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from enum import StrEnum
from importlib import import_module
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
)

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    JsonValue,
    SerializerFunctionWrapHandler,
    ValidationInfo,
    model_serializer,
    model_validator,
)
from pydantic import Field as PydanticField
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, core_schema

from .json import DecodeError, JsonObject, Place, canonical, parse_json, text_of
from .nodes import (
    Either,
    Enumeration,
    Field,
    Lazy,
    List,
    Map,
    Node,
    Nothing,
    Nullable,
    OneOf,
    Record,
    Sizes,
    Tagged,
)

T = TypeVar("T")


class Optional:
    """Marks a field that may be absent."""

    def __init__(self, null: bool) -> None:
        self.null = null


ABSENT = Optional(null=False)
"""Marks a field that may be absent; null counts as absent."""

ABSENT_OR_NULL = Optional(null=True)
"""Marks a field that may be absent, and for which null is another thing."""


class Sized(Sizes):
    """Bounds of a list or a map, in its annotation."""

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_after_validator_function(
            self._checked, handler(source)
        )

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        form = handler(schema)
        what = "Items" if form.get("type") == "array" else "Properties"
        bounds = (
            (f"min{what}", self.min),
            (f"max{what}", self.max),
            ("uniqueItems", self.unique or None),
        )
        return form | {key: bound for key, bound in bounds if bound is not None}

    def _checked(self, value: Collection[object]) -> Collection[object]:
        try:
            self.check(
                len(value), "items" if isinstance(value, list) else "entries", []
            )
            if self.unique:
                self.distinct([_plain(item) for item in value], [])
        except DecodeError as error:
            raise ValueError(error.message) from None
        return value


class Literally:
    """Tells numbers from truth values among constants: Python takes them for equal."""

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        known: tuple[object, ...] = get_args(source)

        def check(value: object) -> object:
            if not any(
                value == constant
                and isinstance(value, bool) == isinstance(constant, bool)
                for constant in known
            ):
                raise ValueError(f"must be one of {known}")
            return value

        return core_schema.no_info_before_validator_function(check, handler(source))


LITERALLY = Literally()
"""Marks constants of which some are truth values, or the numbers that are equal to them."""


def _plain(value: object) -> JsonValue:
    """A value by which it is told from others."""
    if isinstance(value, BaseModel):
        return cast(JsonValue, value.model_dump(mode="json"))
    if isinstance(value, list):
        return [_plain(item) for item in cast("list[object]", value)]
    if isinstance(value, dict):
        return {
            str(key): _plain(item)
            for key, item in cast("dict[object, object]", value).items()
        }
    return (
        value
        if value is None or isinstance(value, str | bool | int | float)
        else str(value)
    )


def sized(
    min: int | None = None, max: int | None = None, unique: bool = False
) -> Sized:
    """Bounds of a list or a map, for its annotation."""
    return Sized(min, max, unique)


class Tag:
    """Marks a union that a tag tells apart: the name of the field, and that in JSON."""

    def __init__(self, name: str, wire: str) -> None:
        self.name = name
        self.wire = wire

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return Discriminator(self.name).__get_pydantic_core_schema__(source, handler)


class Recursive:
    """Stands for a type that contains itself, in an annotation."""

    def __init__(self, find: Callable[[], Any]) -> None:
        self.node = Lazy(lambda: node_of(find()))

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(
            self._checked,
            serialization=core_schema.plain_serializer_function_ser_schema(
                self._dump, when_used="json"
            ),
        )

    def _dump(self, value: Any) -> JsonValue:
        return self.node.write(value, Place())

    def _checked(self, value: Any) -> Any:
        try:
            return self.node.read(value, Place())
        except DecodeError as error:
            first = error
        try:
            # It may be what reading gives.
            return self.node.read(self.node.write(value, Place()), Place())
        except DecodeError:
            raise ValueError(str(first)) from None


def recursive(find: Callable[[], Any]) -> Any:
    """A type that contains itself; `find` gives what it stands for."""
    return Annotated[Any, Recursive(find)]


def module(name: str, package: str) -> Any:
    """The types of another package, which are made of those of this one."""
    return import_module(name, package)


class _Default:
    """What a reader finds where a writer left out a field."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.field: tuple[type[Model], str] | None = None

    def __call__(self) -> Any:
        value = parse_json(self.text)
        if self.field is None:
            return value
        model, name = self.field
        return next(
            field for field in record_of(model).fields if field.name == name
        ).node.read(value, Place())


def default(text: str) -> Any:
    """A field that a writer may leave out: what a reader finds then, as JSON."""
    return PydanticField(default_factory=_Default(text))


_INCOMPLETE: list[type[BaseModel]] = []


def complete() -> None:
    """Looks up the names in annotations that were not there yet, each in the module of its class.

    Pydantic would do so when a value is read first, and take names of the function that reads it.
    """
    waiting = list(_INCOMPLETE)
    _INCOMPLETE.clear()
    for model in waiting:
        names = vars(sys.modules[model.__module__])
        try:
            is_complete = model.model_rebuild(
                raise_errors=False, _types_namespace=names
            )
        except AttributeError:
            # Modules that import each other: the other one completes it at its own end.
            is_complete = False
        if is_complete is False:
            _INCOMPLETE.append(model)


class Model(BaseModel):
    """A record. It checks itself when it is made, and takes no fields that it does not have."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        protected_namespaces=(),
    )

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        if not cls.__pydantic_complete__:
            _INCOMPLETE.append(cls)
        for name, info in cls.model_fields.items():
            if isinstance(info.default_factory, _Default):
                info.default_factory.field = (cls, name)

    @model_validator(mode="before")
    @classmethod
    def _as_in_json(cls, data: Any, info: ValidationInfo) -> Any:
        """Providers in strict mode send null for what is absent; JSON knows no names of Python."""
        if not isinstance(data, dict):
            return data
        given = dict(cast("dict[str, Any]", data))
        for field in record_of(cls).fields:
            has_other_name = field.name != field.wire and field.name in given
            if (
                has_other_name
                and info.mode == "json"
                and cls.model_config.get("extra") == "forbid"
            ):
                raise ValueError(
                    f"{text_of(field.name)} is not a field that is known here"
                )
            if (
                field.optional or field.default is not None
            ) and not field.node.nullable:
                for key in (field.wire, field.name):
                    if key in given and given[key] is None:
                        del given[key]
        return given

    @model_serializer(mode="wrap")
    def _without_the_absent(
        self, handler: SerializerFunctionWrapHandler
    ) -> dict[str, Any]:
        written = cast("dict[str, Any]", handler(self))
        for field in record_of(type(self)).fields:
            if field.is_absent_in(self):
                written.pop(field.wire, None)
                written.pop(field.name, None)
        return written


_RECORDS: dict[type[Model], Record] = {}


def record_of(model: type[Model]) -> Record:
    """What reads and writes a record."""
    known = _RECORDS.get(model)
    if known is None:
        known = _RECORDS[model] = Record(model, lambda: _fields(model))
    return known


def _fields(model: type[Model]) -> list[Field]:
    model.model_rebuild(_types_namespace=vars(sys.modules[model.__module__]))
    return [_field(name, info) for name, info in model.model_fields.items()]


def _field(name: str, info: FieldInfo) -> Field:
    mark = next((mark for mark in info.metadata if isinstance(mark, Optional)), None)
    node = node_of(info.annotation, info.metadata)
    if mark is not None and not mark.null and isinstance(node, Nullable):
        node = node.node
    has_default = mark is None and not info.is_required()
    return Field(
        name,
        info.alias or name,
        node,
        optional=mark is not None,
        default=(lambda: info.get_default(call_default_factory=True))
        if has_default
        else None,
    )


def node_of(hint: Any, metadata: list[Any] | None = None) -> Node:
    """What reads and writes the type that an annotation says."""
    tag: Tag | None = None
    sizes = Sizes(None, None, False)
    # The last one says most: it stands around the others.
    for mark in reversed(metadata or []):
        if isinstance(mark, Node):
            return mark
        if isinstance(mark, Recursive):
            return mark.node
        if isinstance(mark, Tag):
            tag = mark
        if isinstance(mark, Sizes):
            sizes = mark
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return node_of(arguments[0], [*arguments[1:], *(metadata or [])])
    if origin is Union or origin is UnionType:
        return _tagged(tag, arguments) if tag else _either(arguments)
    if origin is list:
        return List(node_of(arguments[0]), sizes)
    if origin is dict:
        return Map(node_of(arguments[1]), sizes)
    if origin is Literal:
        return OneOf(arguments)
    if hint is None or hint is NoneType:
        return Nothing()
    if isinstance(hint, type) and issubclass(hint, Model):
        return record_of(hint)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return Enumeration(hint)
    raise TypeError(f"{hint!r} is no type of a generated package")


def _tagged(tag: Tag, variants: tuple[type[Model], ...]) -> Node:
    by_tag = {
        get_args(variant.model_fields[tag.name].annotation)[0]: record_of(variant)
        for variant in variants
    }
    return Tagged(tag.wire, by_tag)


def _either(hints: tuple[Any, ...]) -> Node:
    members = [node_of(hint) for hint in hints if hint is not NoneType]
    node = members[0] if len(members) == 1 else Either(members)
    return Nullable(node) if NoneType in hints else node


class Schema:
    """A JSON Schema (draft 2020-12), put together with what it refers to when it is asked for."""

    def __init__(self, own: str) -> None:
        self._own = own
        self._referred: list[tuple[str, Callable[[], Schema]]] = []

    def refer(self, name: str, find: Callable[[], Schema]) -> None:
        """Says to which named type it refers itself."""
        self._referred.append((name, find))

    @property
    def document(self) -> JsonObject:
        """The schema, which needs no other document."""
        return cast(JsonObject, parse_json(str(self)))

    def __str__(self) -> str:
        """The text of the schema, which needs no other document."""
        found: dict[str, str] = {}
        left = list(self._referred)
        while left:
            name, find = left.pop()
            if name not in found:
                schema = find()
                found[name] = schema._own
                left.extend(schema._referred)
        if not found:
            return self._own
        definitions = ", ".join(f'"{name}": {found[name]}' for name in sorted(found))
        return f'{self._own.removesuffix("}")}, "$defs": {{{definitions}}}}}'


class Codec(Generic[T]):
    """Reads and writes the values of one type."""

    def __init__(self, node: Node, schema: Schema) -> None:
        self._node = node
        self._schema = schema

    @property
    def schema(self) -> JsonObject:
        """The JSON Schema (draft 2020-12) of the type, which needs no other document."""
        return self._schema.document

    def decode(self, value: object) -> T:
        """Reads a JSON value; raises a `DecodeError` if it does not fit."""
        try:
            return cast(T, self._node.read(value, Place()))
        except RecursionError:
            raise DecodeError("is nested deeper than Python can follow") from None

    def decode_json(self, text: str | bytes) -> T:
        """Reads JSON; raises a `DecodeError` if it does not fit, another `ValueError` if it is none."""
        return self.decode(parse_json(text))

    def encode(self, value: T) -> JsonValue:
        """Writes a value as JSON; raises a `DecodeError` if it does not fit its type."""
        try:
            written = self._node.write(value, Place())
        except RecursionError:
            raise DecodeError("is nested deeper than Python can follow") from None
        self.decode(written)
        return written

    def encode_json(self, value: T) -> str:
        """Writes a value as the JSON of RFC 8785; raises a `DecodeError` if it does not fit its type."""
        return canonical(self.encode(value))


def codec(hint: Any, schema: Schema) -> Codec[Any]:
    """What reads and writes the values of a type."""
    return Codec(Lazy(lambda: node_of(hint)), schema)
