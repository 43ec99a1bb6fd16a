"""Evaluates guards in CEL with CEL's implementation in C++.

usage: cel_oracle.py FILE

FILE is JSON: `variables` has the type of each variable, `scopes` values of them, `guards` a CEL text and the indices of scopes each. The
answer, on standard output, is a list for each guard: true, false or null for an error, in the order of the scopes; or a text, why the guard
cannot be compiled.
"""

import base64
import datetime
import json
import re
import sys

from cel_expr_python import cel


def duration(text):
    days, hours, minutes, seconds = re.fullmatch(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?", text).groups()
    return datetime.timedelta(days=int(days or 0), hours=int(hours or 0), minutes=int(minutes or 0), seconds=float(seconds or 0))


# What our types are in CEL, and how their wire forms become its values. What may be null is bound as it is.
TYPES = {
    "bool": (cel.Type.BOOL, None),
    "int": (cel.Type.INT, int),
    "int64": (cel.Type.INT, int),
    "float": (cel.Type.DOUBLE, float),
    "string": (cel.Type.STRING, None),
    "bytes": (cel.Type.BYTES, base64.b64decode),
    "timestamp": (cel.Type.TIMESTAMP, lambda text: datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))),
    "duration": (cel.Type.DURATION, duration),
    "date": (cel.Type.STRING, None),
    "int[]": (cel.Type.List(cel.Type.INT), None),
    "string[]": (cel.Type.List(cel.Type.STRING), None),
    "map<int>": (cel.Type.Map(cel.Type.STRING, cel.Type.INT), None),
}


def bound(value, kind):
    convert = TYPES.get(kind, (None, None))[1]
    return convert(value) if convert else value


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        task = json.load(file)
    variables = task["variables"]
    environment = cel.NewEnv(variables={name: TYPES.get(kind, (cel.Type.DYN,))[0] for name, kind in variables.items()})
    # What is absent is bound to null.
    scopes = [{name: bound(scope.get(name), kind) for name, kind in variables.items()} for scope in task["scopes"]]
    answers = []
    for guard in task["guards"]:
        try:
            compiled = environment.compile(guard["cel"])
        except Exception as error:  # The package raises no type of its own.
            answers.append(str(error))
            continue
        results = [compiled.eval(data=scopes[index]) for index in guard["scopes"]]
        answers.append([result.value() if result.type() == cel.Type.BOOL else None for result in results])
    json.dump(answers, sys.stdout)


main()
