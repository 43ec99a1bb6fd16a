// The tools of the example support.weave and of a fixture, served over HTTP and over the Model Context Protocol.

import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import { type AddressInfo } from "node:net";
import * as $w from "./gen/_weave/index.js";
import { registerTools } from "./gen/_weave/mcp.js";
import * as shop from "./gen/shop/index.js";
import * as station from "./gen/station/index.js";
import * as support from "./gen/support/index.js";

const customer = { id: "123e4567-e89b-12d3-a456-426614174000", name: "Ada", email: "ada@example.com", since: "2026-01-01" };
const line = { sku: "AB-1", title: "Tea", quantity: 1, price: "12.50" };

// The whole implementation of the example.
const desk: support.tools.Service = {
  findOrder: ({ orderId: id }) => {
    if (id === "broken") {
      throw new Error("a secret of the database");
    }
    return shop.codecs.Order.parse({ id, customer, lines: [line], total: "12.50", placed_at: "2026-11-22T09:00:00Z" });
  },
  refund: ({ orderId, amount }, { errors }) => {
    if (orderId === "declined") {
      throw errors.cardDeclined({ reason: "stolen" });
    }
    return { refundId: `r_${amount}` };
  },
  remember: () => undefined,
};

let leave: () => void;
const left = new Promise<void>((resolve) => {
  leave = resolve;
});

// The whole implementation of the fixture. It tells when a caller has left.
const base: station.tools.Service = {
  listStages: () => [{ name: "first", parts: [{ name: "engine", parts: [] }] }],
  findPad: ({ name }) => (name === "none" ? null : { name, busy: false }),
  countDown: async ({ from }, { signal, emit, attach }) => {
    for (let done = 0; done < from; done += 1) {
      emit({ progress: done + 1, total: from, message: String(from - done) });
      if (from === 9) {
        await new Promise<void>((resolve) => {
          signal.addEventListener("abort", () => {
            resolve();
          });
        });
        leave();
      }
    }
    attach({ log: "counted" });
    return { done: true };
  },
  checkWeather: async (_, { emit }) => {
    await left;
    emit("looking");
    emit("thinking");
    return "the caller left";
  },
  launch: ({ pad }, context) => (pad === "later" ? context.pending() : { at: "2026-11-22T09:00:00Z" }),
};

const options: $w.RunOptions = {
  onError: (tool, error) => {
    console.error(tool, error);
  },
};
const overHttp = $w.fetchHandler(support.tools.allTools(desk), options);
const overMcp = createMcpHandler(() => {
  const server = new McpServer({ name: "desk", version: "1" });
  for (const tools of [support.tools.deskTools(desk), support.tools.allTools(desk), station.tools.allTools(base)]) {
    registerTools(server, tools, options);
  }
  return server;
});

async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of incoming) {
    parts.push(part as Buffer);
  }
  const stop = new AbortController();
  outgoing.on("close", () => {
    stop.abort();
  });
  const { method = "GET", url = "/" } = incoming;
  const headers = incoming.headers as Record<string, string>;
  const body = method === "POST" ? { body: Buffer.concat(parts) } : {};
  const request = new Request(`http://${headers["host"] ?? ""}${url}`, { method, headers, signal: stop.signal, ...body });
  const answer = await (url === "/dispatch" ? overHttp(request) : overMcp.fetch(request));
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
  const reader = answer.body?.getReader();
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    outgoing.write(part.value);
  }
  outgoing.end();
}

const server = createServer((incoming, outgoing) => void serve(incoming, outgoing));
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
});
