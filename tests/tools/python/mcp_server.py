"""The tools of the example support.weave and of a fixture, served over HTTP and over the Model Context Protocol."""

import asyncio
import socket
import sys
from typing import Any, Never

import uvicorn
from mcp.server import Server

from gen._weave import DeferredContext, Pending, RunOptions, ToolContext, asgi_app
from gen._weave.mcp import McpTools
from gen.shop import codecs as shop
from gen.station import tools as station
from gen.station import types as s
from gen.support import errors
from gen.support import tools as support
from gen.support import types as t

CUSTOMER = {
    "id": "123e4567-e89b-12d3-a456-426614174000",
    "name": "Ada",
    "email": "ada@example.com",
    "since": "2026-01-01",
}
LINE = {"sku": "AB-1", "title": "Tea", "quantity": 1, "price": "12.50"}


class Desk:
    """The whole implementation of the example."""

    async def find_order(
        self, input: t.FindOrderInput, context: ToolContext[Never, Never], /
    ) -> t.FindOrderOutput:
        if input.order_id == "broken":
            raise OSError("a secret of the database")
        order = {"id": input.order_id, "customer": CUSTOMER, "lines": [LINE]}
        when = {"total": "12.50", "placed_at": "2026-11-22T09:00:00Z"}
        return shop.Order.decode({**order, **when})

    async def refund(
        self, input: t.RefundInput, context: ToolContext[Never, Never], /
    ) -> t.RefundOutput:
        if input.order_id == "declined":
            raise errors.CardDeclined(t.CardDeclined(reason="stolen"))
        return t.RefundOutput(refund_id=f"r_{input.amount}")

    async def remember(
        self, input: t.RememberInput, context: ToolContext[Never, Never], /
    ) -> None:
        return None


class Base:
    """The whole implementation of the fixture. It tells when a caller has left."""

    def __init__(self) -> None:
        self.left = asyncio.Event()

    async def list_stages(
        self, input: s.ListStagesInput, context: ToolContext[Never, Never], /
    ) -> s.ListStagesOutput:
        return [s.Stage(name="first", parts=[s.Stage(name="engine", parts=[])])]

    async def find_pad(
        self, input: s.FindPadInput, context: ToolContext[Never, Never], /
    ) -> s.FindPadOutput:
        return None if input.name == "none" else s.Pad(name=input.name, busy=False)

    async def count_down(
        self,
        input: s.CountDownInput,
        context: ToolContext[s.CountDownProgress, s.CountDownArtifacts],
        /,
    ) -> s.CountDownOutput:
        for done in range(input.from_):
            context.emit(
                s.CountDownProgress(
                    progress=done + 1,
                    total=input.from_,
                    message=str(input.from_ - done),
                )
            )
            if input.from_ == 9:
                try:
                    await asyncio.sleep(600)
                finally:
                    self.left.set()
        context.attach(s.CountDownArtifacts(log="counted"))
        return s.CountDownOutput(done=True)

    async def check_weather(
        self,
        input: s.CheckWeatherInput,
        context: ToolContext[s.CheckWeatherProgress, Never],
        /,
    ) -> s.CheckWeatherOutput:
        await self.left.wait()
        context.emit("looking")
        context.emit("thinking")
        return "the caller left"

    async def launch(
        self, input: s.LaunchInput, context: DeferredContext[Never, Never], /
    ) -> s.LaunchOutput | Pending:
        if input.pad == "later":
            return context.pending()
        return s.LaunchOutput.model_validate({"at": "2026-11-22T09:00:00Z"})


def told(tool: str, error: BaseException) -> None:
    """Says on the standard error stream what went wrong."""
    print(f"{tool}: {error}", file=sys.stderr)


options = RunOptions(on_error=told)
desk, base = Desk(), Base()
bound = [
    *support.desk_tools(desk),
    *support.all_tools(desk),
    *station.all_tools(base),
]
mcp = McpTools(bound, options)
server = Server(
    "desk",
    version="1",
    on_list_tools=mcp.on_list_tools,
    on_call_tool=mcp.on_call_tool,
)
over_mcp = server.streamable_http_app()
over_http = asgi_app(support.all_tools(desk), options)


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Serves both."""
    is_dispatch = scope.get("path") == "/dispatch"
    await (over_http if is_dispatch else over_mcp)(scope, receive, send)


listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen()
print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
running = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
asyncio.run(running.serve(sockets=[listener]))
