"""Runs the workflow of `host_load` on LangGraph's SQLite checkpointer and on DBOS with SQLite, and on weave, one after the other.

    cargo build --release -p weave-tools --example host_load
    pip install langgraph==1.2.22 langgraph-checkpoint-sqlite==3.1.2 dbos==3.4.0 httpx==0.28.1
    python crates/weave-tools/examples/compare.py target/release/examples/host_load [RUNS]

Three tool steps over HTTP, an approval, one more tool step; 64 runs at once. CPU is that of the engine's process with its driver; the
server of the tools is not counted.
"""

import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import time

ADDRESS = "127.0.0.1:48282"
AT_ONCE = 64
STEPS = 5


def report(name: str, runs: int, begun: float) -> None:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    steps = runs * STEPS
    cpu = usage.ru_utime + usage.ru_stime
    print(f"{name}: {steps / (time.monotonic() - begun):.0f} steps/s, {cpu * 1000 / steps:.2f} s of CPU for 1,000 steps", flush=True)


def langgraph(runs: int, folder: str) -> None:
    from typing import TypedDict

    import httpx
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
    from langgraph.graph import END, START, StateGraph
    from langgraph.types import Command, interrupt

    class State(TypedDict, total=False):
        n: int

    async def main() -> None:
        limits = httpx.Limits(max_connections=AT_ONCE, max_keepalive_connections=AT_ONCE)
        async with httpx.AsyncClient(limits=limits) as client, AsyncSqliteSaver.from_conn_string(f"{folder}/langgraph.db") as saver:

            async def step(state: State) -> State:
                (await client.post(f"http://{ADDRESS}/tools/step", json={"n": 1})).json()
                return {"n": state.get("n", 0) + 1}

            def approve(state: State) -> State:
                interrupt("may it go on?")
                return {"n": state.get("n", 0) + 1}

            graph = StateGraph(State)
            names = ["one", "two", "three", "approve", "four"]
            for name in names:
                graph.add_node(name, approve if name == "approve" else step)
            for before, after in zip([START, *names], [*names, END]):
                graph.add_edge(before, after)
            app = graph.compile(checkpointer=saver)
            gate = asyncio.Semaphore(AT_ONCE)

            async def run(number: int) -> None:
                async with gate:
                    config = {"configurable": {"thread_id": str(number)}}
                    # Each step is durable before the next one begins.
                    await app.ainvoke({"n": 0}, config, durability="sync")
                    done = await app.ainvoke(Command(resume=True), config, durability="sync")
                    assert done["n"] == STEPS, done

            begun = time.monotonic()
            await asyncio.gather(*(run(number) for number in range(runs)))
            report("LangGraph", runs, begun)

    asyncio.run(main())


def dbos(runs: int, folder: str) -> None:
    from concurrent.futures import ThreadPoolExecutor

    import httpx
    from dbos import DBOS, SetWorkflowID

    DBOS(config={"name": "compare", "system_database_url": f"sqlite:///{folder}/dbos.sqlite", "log_level": "ERROR", "run_admin_server": False})
    client = httpx.Client(limits=httpx.Limits(max_connections=AT_ONCE, max_keepalive_connections=AT_ONCE))

    @DBOS.step()
    def step() -> dict:
        return client.post(f"http://{ADDRESS}/tools/step", json={"n": 1}).json()

    @DBOS.workflow()
    def order() -> str:
        for _ in range(3):
            step()
        assert DBOS.recv("approval", timeout_seconds=600)
        step()
        return "done"

    DBOS.launch()

    def run(number: int) -> None:
        with SetWorkflowID(f"r{number}"):
            handle = DBOS.start_workflow(order)
        DBOS.send(f"r{number}", "granted", "approval")
        assert handle.get_result() == "done"

    begun = time.monotonic()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(run, range(runs)))
    report("DBOS", runs, begun)
    DBOS.destroy()


def main() -> None:
    program, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 640
    if len(sys.argv) > 3:
        {"langgraph": langgraph, "dbos": dbos}[sys.argv[3]](runs, sys.argv[4])
        return
    server = subprocess.Popen([program, "serve", ADDRESS], stdout=subprocess.PIPE)
    try:
        server.stdout.readline()
        print("weave, with a sync before each acknowledgement: ", end="", flush=True)
        subprocess.run([program, "runs", str(runs), "http", ADDRESS], check=True)
        for name in ["langgraph", "dbos"]:
            with tempfile.TemporaryDirectory() as folder:
                environment = {**os.environ, "LANGSMITH_TRACING": "false"}
                subprocess.run([sys.executable, __file__, program, str(runs), name, folder], check=True, env=environment)
    finally:
        server.kill()


if __name__ == "__main__":
    main()
