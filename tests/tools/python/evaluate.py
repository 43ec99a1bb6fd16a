"""Evaluates guards, templates and payloads, and says what became of each."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, cast

from gen import _weave as w


def value(task: dict[str, Any]) -> w.JsonValue | w.Missing:
    scope = w.Scope(task["scope"], task["answers"])
    if "guard" in task:
        guard = w.Guard.parse(w.parse_json(task["guard"]))
        try:
            found = guard.evaluate(scope)
        except w.EvaluationError as error:
            # To find out twice that something takes too long takes too long.
            assert error.kind == "too_much_work" or not guard.holds(scope)
            raise
        assert guard.holds(scope) is (found is True)
        return found
    if "template" in task:
        return w.Template.parse(task["template"]).render(scope)
    return w.Payload.parse(w.parse_json(task["payload"])).render(scope)


def outcome(task: dict[str, Any]) -> dict[str, Any]:
    try:
        found = value(task)
    except w.EvaluationError as error:
        return {"error": error.kind}
    except w.DecodeError as error:
        return {"refused": w.pointer(error.path), "message": error.message}
    return {"absent": True} if found is w.MISSING else {"value": found}


def main() -> None:
    asked, answered = map(Path, sys.argv[1:])
    tasks = cast("list[dict[str, Any]]", json.loads(asked.read_text("utf-8")))
    answered.write_text(json.dumps([outcome(task) for task in tasks]), "utf-8")


if __name__ == "__main__":
    main()
