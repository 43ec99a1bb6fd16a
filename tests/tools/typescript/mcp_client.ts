// Lists the tools of a server and calls some: `mcp_client.js ADDRESS VERSION STEPS RESULTS`.

import { Client, ProtocolError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { readFileSync, writeFileSync } from "node:fs";

interface Step {
  readonly tool: string;
  readonly args?: Record<string, unknown>;
  readonly key?: string;
  readonly progress?: readonly unknown[];
  readonly cancel?: boolean;
}

const [address = "", version = "", steps = "", results = ""] = process.argv.slice(2);
const mode = version >= "2026-07-28" ? { pin: version } : "legacy";
const client = new Client({ name: "client", version: "1" }, { versionNegotiation: { mode } });

async function call(step: Step): Promise<unknown> {
  const progress: unknown[] = [];
  const said = (): object => (progress.length === 0 ? {} : { progress });
  const stop = new AbortController();
  const onprogress = (value: unknown): void => {
    progress.push(value);
    if (step.cancel === true) {
      stop.abort();
    }
  };
  const listens = step.progress !== undefined || step.cancel === true;
  const params = {
    name: step.tool,
    arguments: step.args ?? {},
    ...(step.key === undefined ? {} : { _meta: { "x-weave": { key: step.key } } }),
  };
  try {
    const result = await client.callTool(params, { timeout: 180_000, signal: stop.signal, ...(listens ? { onprogress } : {}) });
    return { result, ...said() };
  } catch (error) {
    if (error instanceof ProtocolError) {
      return { error: error.code, ...said() };
    }
    if (stop.signal.aborted) {
      return { left: true };
    }
    throw error;
  }
}

await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp`)));
const { tools } = await client.listTools();
const found: unknown[] = [];
for (const step of JSON.parse(readFileSync(steps, "utf8")) as Step[]) {
  found.push(await call(step));
}
const negotiated = client.getNegotiatedProtocolVersion();
writeFileSync(results, JSON.stringify({ version: negotiated, tools, results: found }));
await client.close();
