"""An independent client, over standard input and output.

What the server says is read by the types of `lsprotocol`, which take nothing that the protocol does not have.
"""

from __future__ import annotations

import asyncio
import os
import pathlib
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar
from urllib.parse import urlparse
from urllib.request import url2pathname

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

Answer = TypeVar("Answer")

WEAVE = os.environ["WEAVE"]

#: Generous: the machines of CI are slow, and a hang is what is looked for.
PATIENCE = 60.0

TYPES = "type Order { id: string, total: decimal }\n"
MAIN = """\
import { Order } from "./types.weave"

/// Finds an order.
tool find(id: string) -> Order

workflow ship(order: Order) -> string {
  step   look { call find { id: .input.order.idd } }
  end done on look = .look.id
}
"""


class Session:
    """A project of two files, and what an editor does in it."""

    def __init__(self, client: LanguageClient, folder: pathlib.Path) -> None:
        self.client = client
        self.folder = folder
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def document(self, name: str) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(uri=self.uri(name))

    def place(self, name: str, text: str, behind: int = 0) -> types.Position:
        """Where a text stands; everything here is ASCII, so that all units are alike."""
        before = self.texts[name][: self.texts[name].index(text) + behind].split("\n")
        return types.Position(line=len(before) - 1, character=len(before[-1]))

    def open(self, name: str, text: str) -> None:
        self.texts[name], self.versions[name] = text, 1
        item = types.TextDocumentItem(uri=self.uri(name), language_id="weave", version=1, text=text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))

    def replace(self, name: str, old: str, new: str) -> None:
        """Replaces the first mention of a text."""
        span = types.Range(start=self.place(name, old), end=self.place(name, old, len(old)))
        self.versions[name] += 1
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                text_document=types.VersionedTextDocumentIdentifier(uri=self.uri(name), version=self.versions[name]),
                content_changes=[types.TextDocumentContentChangePartial(range=span, text=new)],
            )
        )
        self.texts[name] = self.texts[name].replace(old, new, 1)

    def apply(self, name: str, edits: list[types.TextEdit]) -> str:
        """The text with these edits, which do not overlap."""
        lines = self.texts[name].splitlines(keepends=True)

        def offset(position: types.Position) -> int:
            return sum(map(len, lines[: position.line])) + position.character

        text = self.texts[name]
        # What is inserted where something is replaced stands before it.
        for edit in sorted(edits, key=lambda edit: (offset(edit.range.start), offset(edit.range.end)), reverse=True):
            text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
        return text

    def codes(self, name: str) -> list[str | int | None]:
        return [found.code for found in self.client.diagnostics.get(self.uri(name), []) if found.severity == types.DiagnosticSeverity.Error]

    async def until(self, condition: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, f"in vain waited for: {what}"
            await asyncio.sleep(0.005)


async def start(folder: pathlib.Path, asks: bool = False) -> LanguageClient:
    """A client that has opened a folder; one that asks for diagnostics, or one that waits for them."""
    capabilities = client_capabilities("visual-studio-code")
    if asks:
        assert capabilities.text_document is not None and capabilities.workspace is not None
        capabilities.text_document.diagnostic = types.DiagnosticClientCapabilities()
        capabilities.workspace.diagnostics = types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
    client = await ClientServerConfig(server_command=[WEAVE, "lsp", "--stdio"]).start()
    assert isinstance(client, LanguageClient)
    result = await client.initialize_session(
        types.InitializeParams(
            capabilities=capabilities,
            workspace_folders=[types.WorkspaceFolder(uri=folder.as_uri(), name="desk")],
        )
    )
    assert result.server_info is not None and result.server_info.name == "weave"
    return client


@pytest_asyncio.fixture
async def session(tmp_path: pathlib.Path) -> AsyncIterator[Session]:
    (tmp_path / "weave.toml").write_text("")
    (tmp_path / "types.weave").write_text(TYPES)
    (tmp_path / "main.weave").write_text(MAIN)
    client = await start(tmp_path)
    yield Session(client, tmp_path)
    if client.error is None and client._server is not None and client._server.returncode is None:
        await within(client.shutdown_session())


async def within(answer: Awaitable[Answer]) -> Answer:
    return await asyncio.wait_for(answer, PATIENCE)


@pytest.mark.asyncio
async def test_a_whole_session(session: Session) -> None:
    client = session.client
    session.open("main.weave", MAIN)
    await session.until(lambda: session.codes("main.weave") == ["unknown-field"], "the error of the field")
    found = client.diagnostics[session.uri("main.weave")][0]
    assert (found.range.start, found.source) == (session.place("main.weave", "idd"), "weave")
    assert found.code_description is not None
    page = pathlib.Path(url2pathname(urlparse(found.code_description.href).path))
    assert page.read_text(encoding="utf-8").startswith("unknown-field (error)\n")

    # A fix is offered, and takes the error away.
    actions = await within(
        client.text_document_code_action_async(
            types.CodeActionParams(
                text_document=session.document("main.weave"),
                range=found.range,
                context=types.CodeActionContext(diagnostics=[found], only=[types.CodeActionKind.QuickFix]),
            )
        )
    )
    fixes = [action for action in actions or [] if isinstance(action, types.CodeAction) and action.kind == types.CodeActionKind.QuickFix]
    assert len(fixes) == 1 and fixes[0].edit is not None, actions
    assert "order.id }" in session.apply("main.weave", edits_of(fixes[0].edit)[session.uri("main.weave")])
    session.replace("main.weave", "idd", "id")
    await session.until(lambda: session.codes("main.weave") == [], "the error goes away")

    # What may stand behind a dot.
    session.replace("main.weave", ".input.order.id }", ".input.order. }")
    position = session.place("main.weave", ".order. }", len(".order."))
    at = types.CompletionParams(text_document=session.document("main.weave"), position=position)
    completed = await within(client.text_document_completion_async(at))
    items = completed.items if isinstance(completed, types.CompletionList) else completed or []
    assert sorted(item.label for item in items) == ["id", "total"]
    session.replace("main.weave", ".order. }", ".order.id }")

    # What a word is, and where it is declared.
    place = session.place("main.weave", "find {")
    hover = await within(client.text_document_hover_async(types.HoverParams(text_document=session.document("main.weave"), position=place)))
    assert hover is not None and isinstance(hover.contents, types.MarkupContent)
    assert "Finds an order." in hover.contents.value and "tool find" in hover.contents.value
    definition = await within(
        client.text_document_definition_async(
            types.DefinitionParams(text_document=session.document("main.weave"), position=session.place("main.weave", "Order) ->"))
        )
    )
    assert [target(one) for one in locations(definition)] == [session.uri("types.weave")]

    # Another name, in both files, one of which is not open.
    prepared = await within(
        client.text_document_prepare_rename_async(
            types.PrepareRenameParams(text_document=session.document("main.weave"), position=session.place("main.weave", "Order) ->"))
        )
    )
    assert prepared is not None
    renamed = await within(
        client.text_document_rename_async(
            types.RenameParams(
                text_document=session.document("main.weave"), position=session.place("main.weave", "Order) ->"), new_name="Parcel"
            )
        )
    )
    assert renamed is not None
    edits = edits_of(renamed)
    assert sorted(edits) == sorted(session.uri(name) for name in ["main.weave", "types.weave"])
    session.texts["types.weave"] = TYPES
    assert session.apply("types.weave", edits[session.uri("types.weave")]).startswith("type Parcel {")
    assert session.apply("main.weave", edits[session.uri("main.weave")]).count("Parcel") == 3

    # The one layout.
    options = types.FormattingOptions(tab_size=2, insert_spaces=True)
    formatted = await within(
        client.text_document_formatting_async(types.DocumentFormattingParams(text_document=session.document("main.weave"), options=options))
    )
    assert "  step look {" in session.apply("main.weave", list(formatted or []))

    # Polite to the end.
    await within(client.shutdown_session())
    assert client._server is not None and client._server.returncode == 0


@pytest.mark.asyncio
async def test_what_is_shown_beside_the_text(session: Session) -> None:
    client, document = session.client, session.document("main.weave")
    session.open("main.weave", MAIN.replace("idd", "id"))

    # Colours, by the legend that the server has sent.
    tokens = await within(client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(text_document=document)))
    assert tokens is not None and len(tokens.data) % 5 == 0 and len(tokens.data) > 100
    session.replace("main.weave", "Finds an order.", "Finds.")
    delta = await within(
        client.text_document_semantic_tokens_full_delta_async(
            types.SemanticTokensDeltaParams(text_document=document, previous_result_id=tokens.result_id or "")
        )
    )
    assert isinstance(delta, types.SemanticTokensDelta) and len(delta.edits) == 1 and len(delta.edits[0].data or []) == 5

    # What the text leaves unsaid, and what is called.
    lines = session.texts["main.weave"].count("\n")
    whole = types.Range(start=types.Position(0, 0), end=types.Position(lines, 0))
    hints = await within(client.text_document_inlay_hint_async(types.InlayHintParams(text_document=document, range=whole)))
    assert [hint.label for hint in hints or []] == [": Order"]
    inside = session.place("main.weave", "id: .input")
    signature = await within(client.text_document_signature_help_async(types.SignatureHelpParams(text_document=document, position=inside)))
    assert signature is not None and signature.signatures[0].label == "find(id: string) -> Order"

    # Links, lenses (of which this client has no commands), and what leads where.
    links = await within(client.text_document_document_link_async(types.DocumentLinkParams(text_document=document)))
    assert [link.target for link in links or []] == [session.uri("types.weave")]
    lenses = await within(client.text_document_code_lens_async(types.CodeLensParams(text_document=document)))
    assert lenses is not None and len(lenses) == 0
    at = types.CallHierarchyPrepareParams(text_document=document, position=session.place("main.weave", "look {"))
    items = await within(client.text_document_prepare_call_hierarchy_async(at))
    assert items is not None and [item.name for item in items] == ["look"]
    called = await within(client.call_hierarchy_outgoing_calls_async(types.CallHierarchyOutgoingCallsParams(item=items[0])))
    assert [call.to.name for call in called or []] == ["find", "done"]
    callers = await within(client.call_hierarchy_incoming_calls_async(types.CallHierarchyIncomingCallsParams(item=items[0])))
    assert [call.from_.name for call in callers or []] == ["ship"]

    # The graph of what is not saved.
    subject = {"textDocument": {"uri": session.uri("main.weave")}, "workflow": "ship", "format": "svg"}
    graph = await within(client.protocol.send_request_async("weave/graph", subject))
    assert graph.svg.startswith("<svg ")
    session.replace("main.weave", ".look.id", ".look.di")
    with pytest.raises(JsonRpcException) as refused:
        await within(client.protocol.send_request_async("weave/graph", subject))
    assert refused.value.code == -32803 and "main.weave, line 8" in refused.value.message


@pytest.mark.asyncio
async def test_a_client_that_asks_for_diagnostics(tmp_path: pathlib.Path, session: Session) -> None:
    client = await start(tmp_path, asks=True)
    asking = Session(client, tmp_path)
    asking.open("main.weave", MAIN.replace("idd", "id"))
    document = asking.document("main.weave")

    async def asked(known: str | None) -> types.DocumentDiagnosticReport:
        params = types.DocumentDiagnosticParams(text_document=document, identifier="weave", previous_result_id=known)
        return await within(client.text_document_diagnostic_async(params))

    asking.replace("main.weave", ".look.id", ".look.idd")
    report = await asked(None)
    assert isinstance(report, types.RelatedFullDocumentDiagnosticReport) and report.result_id is not None
    assert [item.code for item in report.items] == ["unknown-field"]
    assert isinstance(await asked(report.result_id), types.RelatedUnchangedDocumentDiagnosticReport)

    # Another file changes what is said of this one, and the server says that it is worth asking.
    asking.open("types.weave", TYPES)
    before = client.diagnostic_refresh_count
    asking.replace("types.weave", "id: string", "idd: string")
    await asking.until(lambda: client.diagnostic_refresh_count > before, "the request to ask again")
    again = await asked(report.result_id)
    assert isinstance(again, types.RelatedFullDocumentDiagnosticReport)
    # What was wrong is right now, and the other way round.
    assert [item.range.start for item in report.items] == [asking.place("main.weave", "idd")]
    assert [item.range.start for item in again.items] == [asking.place("main.weave", "id }")]
    whole = await within(client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams(previous_result_ids=[])))
    assert asking.uri("main.weave") not in [
        report.uri for report in whole.items if isinstance(report, types.WorkspaceUnchangedDocumentDiagnosticReport)
    ]
    assert client.diagnostics == {}
    await within(client.shutdown_session())


@pytest.mark.asyncio
async def test_what_is_changed_at_request(session: Session) -> None:
    client, document = session.client, session.document("main.weave")
    session.open("main.weave", MAIN.replace("idd", "id") + '\ntype Parcel { size: "small" | "large" }\n')

    async def chosen(at: types.Position, kind: types.CodeActionKind, word: str) -> str:
        """The text after the one action of a kind with a word in its title."""
        context = types.CodeActionContext(diagnostics=[], only=[kind])
        params = types.CodeActionParams(text_document=document, range=types.Range(at, at), context=context)
        found = await within(client.text_document_code_action_async(params))
        actions = [action for action in found or [] if isinstance(action, types.CodeAction) and word in action.title]
        assert len(actions) == 1, found
        # The edits are worked out when somebody has chosen the action.
        action = actions[0] if actions[0].edit else await within(client.code_action_resolve_async(actions[0]))
        assert action.edit is not None
        return session.apply("main.weave", edits_of(action.edit)[session.uri("main.weave")])

    place = session.place("main.weave", "small")
    assert "enum ParcelSize { small, large }\n\ntype Parcel { size: ParcelSize }" in await chosen(
        place, types.CodeActionKind.RefactorExtract, "enum"
    )
    text = await chosen(session.place("main.weave", "look {"), types.CodeActionKind.RefactorRewrite, "fails")
    assert "fail look_failed on failure(look)" in text
    session.replace("main.weave", "{ Order }", "{ order.gone, Order }")
    assert "import { Order } from" in await chosen(types.Position(0, 0), types.CodeActionKind.SourceOrganizeImports, "imports")
    session.replace("main.weave", "order.gone, ", "")

    # Imports follow a file that moves.
    moves = [types.FileRename(old_uri=session.uri("types.weave"), new_uri=session.uri("kit/types.weave"))]
    edit = await within(client.workspace_will_rename_files_async(types.RenameFilesParams(files=moves)))
    assert edit is not None
    assert 'from "./kit/types.weave"' in session.apply("main.weave", edits_of(edit)[session.uri("main.weave")])

    # A tool leads to what was generated for it.
    (session.folder / "weave.toml").write_text('[gen.python]\noutput = "gen"\n')
    (session.folder / "gen" / "main").mkdir(parents=True)
    (session.folder / "gen" / ".weave-python.json").write_text('{ "version": "1", "files": { "main/tools.py": "" } }')
    (session.folder / "gen" / "main" / "tools.py").write_text("class Tools:\n    def find(self) -> None: ...\n")
    change = types.FileEvent(uri=session.uri("weave.toml"), type=types.FileChangeType.Changed)
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes=[change]))
    at = types.ImplementationParams(text_document=document, position=session.place("main.weave", "find("))
    stubs = await within(client.text_document_implementation_async(at))
    assert [(target(stub), stub.range.start.line) for stub in stubs or [] if isinstance(stub, types.Location)] == [
        (session.uri("gen/main/tools.py"), 1)
    ]


@pytest.mark.asyncio
async def test_what_is_written_for_you(session: Session) -> None:
    client, document = session.client, session.document("main.weave")
    session.open("main.weave", MAIN.replace("idd", "id"))

    # A name that another file declares: choosing it imports it. Its docs come when they are looked at.
    (session.folder / "more.weave").write_text("/// Tells.\ntool tell(text: string)\n")
    changed = types.FileEvent(uri=session.uri("more.weave"), type=types.FileChangeType.Created)
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes=[changed]))
    session.replace("main.weave", "  end done", "  step say on look {\n    call \n  }\n  end done")
    at = types.CompletionParams(text_document=document, position=session.place("main.weave", "call \n", len("call ")))
    completed = await within(client.text_document_completion_async(at))
    assert isinstance(completed, types.CompletionList)
    tell = next(item for item in completed.items if item.label == "tell")
    assert tell.detail == "tool from ./more.weave"
    assert tell.insert_text_format == types.InsertTextFormat.Snippet and isinstance(tell.text_edit, types.TextEdit)
    assert tell.text_edit.new_text == "tell { text: $1 }$0"
    assert 'import { tell } from "./more.weave"\nimport { Order }' in session.apply("main.weave", list(tell.additional_text_edits or []))
    resolved = await within(client.completion_item_resolve_async(tell))
    assert isinstance(resolved.documentation, types.MarkupContent) and "Tells." in resolved.documentation.value

    # A whole node, where one may begin.
    session.replace("main.weave", "call \n", "call tell { text: .look.id }\n")
    session.replace("main.weave", "  end done", "  st\n  end done")
    at = types.CompletionParams(text_document=document, position=session.place("main.weave", "  st\n", len("  st")))
    completed = await within(client.text_document_completion_async(at))
    assert isinstance(completed, types.CompletionList)
    snippets = [item for item in completed.items if item.kind == types.CompletionItemKind.Snippet]
    assert snippets and all(item.insert_text_format == types.InsertTextFormat.Snippet for item in snippets)
    session.replace("main.weave", "  st\n", "")

    # What a brace closes gets the layout, and a step is edited with its mentions.
    options = types.FormattingOptions(tab_size=2, insert_spaces=True)
    behind = session.place("main.weave", ".order.id } }", len(".order.id } }"))
    edits = await within(
        client.text_document_on_type_formatting_async(
            types.DocumentOnTypeFormattingParams(text_document=document, position=behind, ch="}", options=options)
        )
    )
    assert "  step look {\n    call find { id: .input.order.id }\n  }\n" in session.apply("main.weave", list(edits or []))
    linked = await within(
        client.text_document_linked_editing_range_async(
            types.LinkedEditingRangeParams(text_document=document, position=session.place("main.weave", "look {"))
        )
    )
    assert linked is not None and len(linked.ranges) == 5


@pytest.mark.asyncio
async def test_the_settings_of_a_project(session: Session) -> None:
    client, document = session.client, session.document("weave.toml")
    session.open("main.weave", MAIN.replace("idd", "id"))
    session.open("weave.toml", '[lint.rules]\nmissing-docs = "of"\n')
    await session.until(lambda: session.codes("weave.toml") == ["config-value"], "the wrong level is shown before it is saved")
    found = client.diagnostics[session.uri("weave.toml")][0]
    assert found.range.start == session.place("weave.toml", '"of"')
    at = types.CompletionParams(text_document=document, position=session.place("weave.toml", "of", 2))
    completed = await within(client.text_document_completion_async(at))
    items = completed.items if isinstance(completed, types.CompletionList) else completed or []
    assert [item.label for item in items] == ["off", "note", "warn", "error"]
    place = session.place("weave.toml", "missing")
    hover = await within(client.text_document_hover_async(types.HoverParams(text_document=document, position=place)))
    assert hover is not None and isinstance(hover.contents, types.MarkupContent) and "lint.rules.missing-docs" in hover.contents.value
    # It is no program.
    colours = await within(client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(text_document=document)))
    assert colours is None

    # What it says holds once it is saved.
    def is_noted() -> bool:
        return any(one.code == "missing-docs" for one in client.diagnostics.get(session.uri("main.weave"), []))

    session.replace("weave.toml", '"of"', '"warn"')
    await session.until(lambda: session.codes("weave.toml") == [], "the settings are right")
    assert not is_noted()
    (session.folder / "weave.toml").write_text(session.texts["weave.toml"])
    client.text_document_did_save(types.DidSaveTextDocumentParams(text_document=document))
    await session.until(is_noted, "the rule is on")


@pytest.mark.asyncio
async def test_a_thousand_changes_arrive_in_order(session: Session) -> None:
    session.open("main.weave", MAIN)
    for number in range(1_000):
        before = "Finds an order." if number == 0 else f"Finds {number - 1}."
        session.replace("main.weave", before, f"Finds {number}.")
    hover = await within(
        session.client.text_document_hover_async(
            types.HoverParams(text_document=session.document("main.weave"), position=session.place("main.weave", "find {"))
        )
    )
    assert hover is not None and isinstance(hover.contents, types.MarkupContent)
    assert "Finds 999." in hover.contents.value
    # The error is still the one, at the place that it has now.
    await session.until(lambda: session.codes("main.weave") == ["unknown-field"], "the diagnostics of the last text")


@pytest.mark.asyncio
async def test_eight_hundred_requests_are_answered(session: Session) -> None:
    session.open("main.weave", MAIN)
    place = session.place("main.weave", "find {")
    at = types.HoverParams(text_document=session.document("main.weave"), position=place)
    asked = [session.client.text_document_hover_async(at) for _ in range(800)]
    answers = await within(asyncio.gather(*asked))
    assert len(answers) == 800 and all(answer is not None for answer in answers)


@pytest.mark.asyncio
async def test_what_is_cancelled_is_answered(session: Session) -> None:
    session.open("main.weave", MAIN)
    # A text that takes a while, so that the requests behind it are still open when they are cancelled.
    session.open("long.weave", "".join(f"tool t{number}(a: string) -> string\n" for number in range(20_000)))
    at = types.HoverParams(text_document=session.document("main.weave"), position=session.place("main.weave", "find {"))
    waiting = session.client.protocol.send_request("textDocument/hover", at)
    number = next(key for key, future in session.client.protocol._request_futures.items() if future is waiting)
    session.client.cancel_request(types.CancelParams(id=number))
    with pytest.raises(JsonRpcException) as cancelled:
        await within(asyncio.wrap_future(waiting))
    assert cancelled.value.code == -32800
    # The server goes on.
    assert await within(session.client.text_document_hover_async(at)) is not None


@pytest.mark.asyncio
@pytest.mark.skipif(sys.platform == "win32", reason="processes end in another way there")
async def test_a_client_that_dies_takes_the_server_with_it(session: Session) -> None:
    session.open("main.weave", MAIN)
    server = session.client._server
    assert server is not None and server.stdin is not None
    # A process that ends closes its end of the pipe; it says nothing before.
    server.stdin.close()
    assert await within(server.wait()) == 1


def edits_of(edit: types.WorkspaceEdit) -> dict[str, list[types.TextEdit]]:
    """The edits of each file, in whichever of its two forms the protocol has them."""
    found = {uri: list(edits) for uri, edits in (edit.changes or {}).items()}
    for change in edit.document_changes or []:
        assert isinstance(change, types.TextDocumentEdit), change
        found[change.text_document.uri] = [
            types.TextEdit(one.range, one.new_text) for one in change.edits if not isinstance(one, types.SnippetTextEdit)
        ]
    return found


def locations(answer: types.DefinitionResult) -> list[types.Location | types.LocationLink]:
    if answer is None:
        return []
    return [answer] if isinstance(answer, types.Location) else list(answer)


def target(location: types.Location | types.LocationLink) -> str:
    return location.uri if isinstance(location, types.Location) else location.target_uri
