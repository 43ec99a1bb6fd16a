"""Reads every catalog in a folder with the Model Context Protocol's own types, and looks for what they would have dropped."""

import json
import pathlib
import sys

from mcp_types import ListToolsResult

wrong = []
files = sorted(pathlib.Path(sys.argv[1]).glob("*.json"))
tools = 0
for file in files:
    written = json.loads(file.read_text(encoding="utf-8"))
    try:
        read = ListToolsResult.model_validate(written)
    except ValueError as error:
        wrong.append(f"{file.name}: {error}")
        continue
    for tool, was in zip(read.tools, written["tools"], strict=True):
        tools += 1
        now = tool.model_dump(mode="json", by_alias=True, exclude_unset=True)
        if now != was:
            wrong.append(f"{file.name}: `{was['name']}` is read as {json.dumps(now)}")
        if was["inputSchema"].get("type") != "object":
            wrong.append(f"{file.name}: the input of `{was['name']}` is no object")
print("\n".join(wrong) or f"{len(files)} catalogs with {tools} tools")
sys.exit(bool(wrong))
