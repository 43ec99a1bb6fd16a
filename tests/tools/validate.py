"""Validates definitions with a validator that shares no code with the compiler.

usage: validate.py SCHEMA FOLDER

Each file of FOLDER is a definition: it must fit SCHEMA, each JSON Schema in it must be one of draft 2020-12, each reference in such a schema must
lead somewhere, and what the definition says about its own tools must hold: their examples fit their schemas.
"""

import json
import pathlib
import sys

from jsonschema import Draft202012Validator

# Keys whose values are schemas, by the part of the definition in which they stand.
WHOLE = ["input", "output"]
PARTS = {
    "tools": ["input", "output", "progress", "artifacts"],
    "agents": ["input", "output"],
    "prompts": ["input", "hydrates"],
    "events": ["payload"],
    "errors": ["data"],
    "workflows": ["input", "output"],
}


def schemas(definition):
    """All schemas of a definition with their places."""
    for key in WHOLE:
        yield key, definition[key]
    for name, schema in definition.get("$defs", {}).items():
        yield f"$defs/{name}", schema
    for part, keys in PARTS.items():
        for name, entry in definition.get(part, {}).items():
            for key in keys:
                if key in entry:
                    yield f"{part}/{name}/{key}", entry[key]
    for provider, projections in definition.get("projections", {}).items():
        for part, entries in projections.items():
            for name, entry in entries.items():
                for projection in entry.values() if part == "agents" else [entry]:
                    if "schema" in projection:
                        yield f"projections/{provider}/{part}/{name}", projection["schema"]


def references(schema):
    """All `$ref`s in a schema."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "$ref" and isinstance(value, str):
                yield value
            elif key not in ("const", "enum", "default", "examples"):
                yield from references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from references(value)


def resolved(definition, reference):
    """Whether a reference leads somewhere in the definition."""
    if not reference.startswith("#/"):
        return False
    value = definition
    for part in reference[2:].split("/"):
        part = part.replace("~1", "/").replace("~0", "~")
        if not isinstance(value, dict) or part not in value:
            return False
        value = value[part]
    return True


def problems(definition, published):
    """What is wrong with a definition."""
    for error in published.iter_errors(definition):
        yield f"{'/'.join(map(str, error.absolute_path))}: {error.message}"
    defs = definition.get("$defs", {})
    for place, schema in schemas(definition):
        for error in Draft202012Validator(Draft202012Validator.META_SCHEMA).iter_errors(schema):
            yield f"{place}: not a schema: {error.message}"
        for reference in references(schema):
            if not resolved(definition, reference):
                yield f"{place}: {reference} leads nowhere"
    for name, tool in definition.get("tools", {}).items():
        for number, example in enumerate(tool.get("examples", [])):
            for side in ("input", "output"):
                if side in example:
                    whole = {"$defs": defs, "allOf": [tool[side]]}
                    for error in Draft202012Validator(whole).iter_errors(example[side]):
                        yield f"tools/{name}/examples/{number}/{side}: {error.message}"


def main():
    schema = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    published = Draft202012Validator(schema)
    files = sorted(pathlib.Path(sys.argv[2]).glob("*.json"))
    found = 0
    checked = 0
    for file in files:
        definition = json.loads(file.read_text(encoding="utf-8"))
        checked += sum(1 for _ in schemas(definition))
        for problem in problems(definition, published):
            found += 1
            print(f"{file.name}: {problem}")
    print(f"{len(files)} definitions with {checked} schemas, {found} problems")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
