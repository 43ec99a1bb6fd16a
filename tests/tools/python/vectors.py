"""Reads values with the generated codecs and says what became of each."""

from __future__ import annotations

import hashlib
import importlib
import json
import pkgutil
import sys
from pathlib import Path
from typing import Any, cast

import gen
from gen import _weave as w
from gen.one import codecs as one
from gen.one import types as one_types
from gen.types import codecs, schemas, types
from pydantic import TypeAdapter, ValidationError


def by_pydantic(name: str, text: str) -> object:
    """What pydantic makes of it; itself where it refuses it."""
    adapter: TypeAdapter[Any] = TypeAdapter(getattr(types, name))
    try:
        return adapter.validate_json(text)
    except ValidationError as error:
        return error


def verdict(name: str, text: str) -> dict[str, Any]:
    codec = cast("w.Codec[Any]", getattr(codecs, name))
    # Without a value, the schema is asked for.
    if not text:
        assert codec.schema == json.loads(str(getattr(schemas, name)))
        return {"schema": codec.schema}
    modelled = by_pydantic(name, text)
    try:
        value = codec.decode_json(text)
    except w.DecodeError as error:
        # Only codecs know that a key is not safe in other languages, or there twice.
        is_of_codecs = "__proto__" in text or error.message == "is there twice"
        if not isinstance(modelled, ValidationError) and not is_of_codecs:
            return {"problem": "pydantic reads it"}
        return {"ok": False, "path": error.path, "message": error.message}
    if modelled != value:
        return {"problem": f"pydantic makes something else of it: {modelled!r}"}
    written = codec.encode(value)
    # What was read is written and read again.
    if codec.decode_json(w.canonical(written)) != value:
        return {"problem": "it is another value when it is read again"}
    adapter: TypeAdapter[Any] = TypeAdapter(getattr(types, name))
    if adapter.validate_python(value) != value or json.loads(adapter.dump_json(value)) != written:
        return {"problem": "pydantic writes something else"}
    adapter.json_schema()
    return {"ok": True, "written": codec.encode_json(value)}


def check_others() -> None:
    """What no value of the vectors shows."""
    for module in pkgutil.walk_packages(gen.__path__, "gen."):
        importlib.import_module(module.name)
    # Files that import each other, and aliases that are made of themselves.
    branch = one.Branch.decode_json('{"fruit": {"branches": [{"fruit": {"branches": []}}]}}')
    assert branch.fruit.branches[0].shade == "dark" and branch.leaves is None
    woods = one_types.Woods.model_validate_json('{"tree": [[], [[]]], "deep": {"a": null}, "names": null}')
    assert woods == one.Woods.decode_json('{"tree": [[], [[]]], "deep": {"a": null}}')
    assert woods.names == ["oak"] and woods.rate == 3 and woods.since.tzinfo is not None
    rest = '"kind":null,"names":["oak"],"rate":3,"since":"2026-01-01T00:00:00Z","tree":[[],[[]]]'
    assert one.Woods.encode_json(woods) == f'{{"cut":false,"deep":{{"a":null}},{rest}}}'
    swapped = {"a": 1, "b": 2}
    names = {"type": "t", "match": 1, "class": "c", "self": True, "json": 2, "model_config": "m", "str": "s"}
    read = one.Names.decode({**names, "int": 3, "list": [], "__private": "p", **swapped})
    assert (read.class_, read.b_, read.a_) == ("c", 1, 2)
    try:
        one_types.Branch(fruit=woods)  # type: ignore[arg-type]  # pyright: ignore
    except ValidationError:
        pass
    else:
        raise AssertionError("a record is made of another one")
    assert "hidden" not in repr(one_types.Said(a="x", d="hidden"))
    # Values that are nested too deep are refused, and nothing ends.
    deep = "[" * 5000 + "]" * 5000
    for text in (deep, f'{{"tree": {deep}}}'):
        try:
            one.Woods.decode_json(text)
        except w.DecodeError:
            continue
        raise AssertionError("it is too deep")
    assert one.Tree.decode_json("[" * 300 + "]" * 300)
    # What fits no type of a union is looked at once on each level, not once for each way through the types.
    for innermost in ("1", '{"other": 1}'):
        try:
            codecs.Chain.decode_json('{"next": ' * 200 + innermost + "}" * 200)
        except w.DecodeError as error:
            assert error.path == (), error.path
        else:
            raise AssertionError("a chain has no end")
    chain = codecs.Chain.decode_json('{"other": 1, "next": ' * 100 + '{"one": 1}' + "}" * 100)
    assert codecs.Chain.decode(codecs.Chain.encode(chain)) == chain
    # A definition is what its digest says.
    from gen.support import workflows

    canonical = w.canonical(workflows.support.definition).encode()
    assert hashlib.sha256(canonical).hexdigest() in workflows.support.digest, workflows.support.digest


def main() -> None:
    check_others()
    asked, answered = map(Path, sys.argv[1:])
    vectors = cast("list[dict[str, str]]", json.loads(asked.read_text("utf-8")))
    verdicts = [verdict(vector["type"], vector["json"]) for vector in vectors]
    answered.write_text(json.dumps(verdicts), "utf-8")


if __name__ == "__main__":
    main()
