"""Lists the tools of a server and calls some: `mcp_client.py ADDRESS VERSION STEPS RESULTS`."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from mcp import Client, MCPError

FIRST_MODERN = "2026-07-28"


async def call(client: Client, step: dict[str, Any]) -> dict[str, Any]:
    """What becomes of one call."""
    found: dict[str, Any] = {}
    heard: list[dict[str, Any]] = []

    async def told(progress: float, total: float | None, message: str | None) -> None:
        said = {"progress": progress, "total": total, "message": message}
        heard.append({key: it for key, it in said.items() if it is not None})
        if "cancel" in step:
            called.cancel()

    meta: Any = {"x-weave": {"key": step["key"]}} if "key" in step else None
    listens = "progress" in step or "cancel" in step
    called = asyncio.create_task(
        client.call_tool(
            step["tool"],
            step["args"],
            progress_callback=told if listens else None,
            meta=meta,
        )
    )
    try:
        result = await called
        found["result"] = result.model_dump(
            mode="json", by_alias=True, exclude_unset=True
        )
    except MCPError as error:
        found["error"] = error.code
    except asyncio.CancelledError:
        return {"left": True}
    if heard:
        found["progress"] = heard
    return found


async def main() -> None:
    """Writes what the server says."""
    address, version, steps, results = sys.argv[1:]
    mode = version if version >= FIRST_MODERN else "legacy"
    async with Client(f"{address}/mcp", mode=mode) as client:
        listed = await client.list_tools()
        tools = [
            tool.model_dump(mode="json", by_alias=True, exclude_unset=True)
            for tool in listed.tools
        ]
        asked = json.loads(Path(steps).read_text(encoding="utf-8"))
        found = {
            "version": client.session.protocol_version,
            "tools": tools,
            "results": [await call(client, step) for step in asked],
        }
    Path(results).write_text(json.dumps(found), encoding="utf-8")


asyncio.run(asyncio.wait_for(main(), 180))
