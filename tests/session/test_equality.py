"""What the server says of each program of the suite is what `weave lint --format json` says of it."""

from __future__ import annotations

import asyncio
import json
import os
import pathlib
import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from lsprotocol import types
from pytest_lsp import LanguageClient
from test_session import PATIENCE, WEAVE, start, within

#: Severity, id, where it starts and ends, and the message.
Said = tuple[str, str, int, int, int, int, str]

SEVERITIES = {
    types.DiagnosticSeverity.Error: "error",
    types.DiagnosticSeverity.Warning: "warning",
    types.DiagnosticSeverity.Information: "note",
}


def lint(folder: pathlib.Path) -> dict[str, list[Said]]:
    """What the command says of each file in a folder."""
    command = [WEAVE, "lint", "--format", "json", "."]
    result = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", timeout=PATIENCE, check=False)
    if result.returncode == 2:
        # Where the settings are wrong the command says nothing of programs.
        (folder / "weave.toml").unlink()
        return lint(folder)
    assert result.returncode in (0, 1), result.stderr
    said: dict[str, list[Said]] = {}
    for found in json.loads(result.stdout)["diagnostics"]:
        start, end = found["place"]["start"], found["place"]["end"]
        place = (start["line"] - 1, start["utf16_column"] - 1, end["line"] - 1, end["utf16_column"] - 1)
        said.setdefault(found["place"]["file"], []).append((found["severity"], found["id"], *place, found["message"]))
    return said


def said(found: types.Diagnostic) -> Said:
    """What a diagnostic of the server says: its notes follow the message on lines of their own."""
    assert found.severity is not None and isinstance(found.code, str)
    start, end = found.range.start, found.range.end
    return (SEVERITIES[found.severity], found.code, start.line, start.character, end.line, end.character, found.message.split("\n")[0])


async def ask(client: LanguageClient, document: types.TextDocumentIdentifier) -> list[Said]:
    """What the server says of a file now."""
    answer = await within(client.text_document_diagnostic_async(types.DocumentDiagnosticParams(text_document=document)))
    assert isinstance(answer, types.RelatedFullDocumentDiagnosticReport)
    return [said(found) for found in answer.items]


def programs(to: pathlib.Path) -> list[pathlib.Path]:
    """The folders with programs, each copied to a place of its own, so that nothing but it is looked at."""
    root = pathlib.Path(os.environ["WEAVE_ROOT"])
    files = [*(root / "tests/suite").rglob("*.weave"), *(root / "examples").rglob("*.weave")]
    folders = {file.parent for file in files}
    outermost = sorted(folder for folder in folders if folders.isdisjoint(folder.parents))
    return [shutil.copytree(folder, to / str(number)) for number, folder in enumerate(outermost)]


@pytest.mark.asyncio
async def test_the_server_says_what_the_command_says(tmp_path: pathlib.Path) -> None:
    folders = programs(tmp_path)
    assert len(folders) > 900
    with ThreadPoolExecutor() as threads:
        by_command = list(threads.map(lint, folders))
    client = await start(tmp_path / "0", asks=True)
    mentioned = 0
    for folder, files in zip(folders, by_command, strict=True):
        this = types.WorkspaceFolder(uri=folder.as_uri(), name="case")
        client.workspace_did_change_workspace_folders(
            types.DidChangeWorkspaceFoldersParams(event=types.WorkspaceFoldersChangeEvent(added=[this], removed=[]))
        )
        for file in sorted(path for path in folder.rglob("*.weave") if path.is_file()):
            expected = files.get(file.relative_to(folder).as_posix(), [])
            document = types.TextDocumentIdentifier(uri=file.as_uri())
            # What rules find is known a moment later; clients are told to ask again then.
            end = time.monotonic() + PATIENCE
            while (found := await ask(client, document)) != expected and time.monotonic() < end:
                await asyncio.sleep(0.01)
            assert found == expected, file.read_text(errors="replace")
            mentioned += len(found)
        client.workspace_did_change_workspace_folders(
            types.DidChangeWorkspaceFoldersParams(event=types.WorkspaceFoldersChangeEvent(added=[], removed=[this]))
        )
    assert mentioned > 1000
    await within(client.shutdown_session())
