// A tool server: the service desk of the example `support.weave`, started on this machine and called with good and bad dispatches.

import assert from "node:assert/strict";
import { type AddressInfo } from "node:net";
import { createServer } from "node:http";
import * as $w from "./gen/_weave/index.js";
import { registerTools } from "./gen/_weave/mcp.js";
import * as faded from "./gen/faded/index.js";
import * as fading from "./gen/fading/index.js";
import * as shop from "./gen/shop/index.js";
import * as support from "./gen/support/index.js";
import * as types from "./gen/types/index.js";

const customer = { id: "123e4567-e89b-12d3-a456-426614174000", name: "Ada", email: "ada@example.com", since: "2026-01-01" };
const line = { sku: "AB-1", title: "Tea", quantity: 1, price: "12.50" };

// The whole implementation.
const service: support.tools.Service = {
  findOrder: (input, context) => {
    if (input.orderId === "wait") {
      return new Promise((_, reject) => {
        context.signal.addEventListener("abort", () => {
          reject(new Error("aborted"));
        });
      });
    }
    if (input.orderId === "broken") {
      throw new Error("a secret of the database");
    }
    const order = shop.codecs.Order.parse({ id: "A-1", customer, lines: [line], total: "12.50", placed_at: "2026-11-22T09:00:00Z" });
    return { ...order, lines: input.orderId === "odd" ? [] : order.lines };
  },
  refund: (input, context) => {
    if (input.orderId === "declined") {
      throw context.errors.cardDeclined({ reason: "stolen" });
    }
    if (input.orderId === "later") {
      throw context.errors.unavailable("try again");
    }
    return { refundId: `r_${input.amount}` };
  },
  remember: () => undefined,
};

const seen: string[] = [];
const told: unknown[] = [];
const audit: $w.Middleware = async (call, next) => {
  seen.push(call.tool);
  return next(call);
};
const options: $w.RunOptions = { middleware: [audit], onError: (_, error) => told.push(error) };
const all = $w.fetchHandler(support.tools.allTools(service), options);
const overridden = support.tools.allTools(service, { refund: () => ({ refundId: "mock" }) });
const mock = $w.fetchHandler(overridden);
const [first] = support.tools.allTools(service);
assert.ok(first !== undefined);
const only = $w.toolHandler(first);
const small = $w.fetchHandler(overridden, { maxBody: 17 });
const handlers: Record<string, $w.FetchHandler> = { "/all": all, "/mock": mock, "/only": only, "/small": small };
const json = { "content-type": "application/json" };

const server = createServer((incoming, outgoing) => {
  const parts: Buffer[] = [];
  incoming.on("data", (part: Buffer) => parts.push(part));
  incoming.on("end", () => {
    const stop = new AbortController();
    outgoing.on("close", () => {
      stop.abort();
    });
    const body = incoming.method === "GET" ? {} : { body: Buffer.concat(parts) };
    const request = new Request(`http://localhost${incoming.url ?? ""}`, {
      method: incoming.method ?? "GET",
      headers: incoming.headers as Record<string, string>,
      signal: stop.signal,
      ...body,
    });
    void (async () => {
      const answer = await (handlers[incoming.url ?? ""] ?? all)(request);
      outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
      outgoing.end(Buffer.from(await answer.arrayBuffer()));
    })();
  });
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;

async function call(path: string, body: unknown, headers: Record<string, string> = {}): Promise<[number, string]> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const init = { method: "POST", body: text, headers: { ...json, ...headers }, signal: AbortSignal.timeout(20_000) };
  const answer = await fetch(address + path, init);
  return [answer.status, await answer.text()];
}

const failure = (kind: string, message: string, more: object = {}): unknown => ({ failure: { kind, ...more, message } });

async function expect(path: string, body: unknown, status: number, answer: unknown): Promise<void> {
  const [found, text] = await call(path, body);
  assert.deepEqual([found, JSON.parse(text)], [status, answer], JSON.stringify(body));
}

const refund = (args: unknown): unknown => ({ name: "refund", args });
await expect("/all", refund({ order_id: "A-1", amount: "12.50" }), 200, { refund_id: "r_12.50" });
await expect("/all", { name: "remember", args: { preferences: ["tea"] } }, 200, null);
await expect("/all", refund({ order_id: "A-1", amount: 12.5 }), 400, failure("invalid_input", "/amount: must be a string"));
await expect("/all", refund({ order_id: "A-1" }), 400, failure("invalid_input", "/amount: is missing"));
await expect(
  "/all",
  refund({ order_id: "A-1", amount: "1", more: 1 }),
  400,
  failure("invalid_input", "/more: is not a field that is known here"),
);
await expect("/all", '{"name":"refund","args":{"__proto__":{}}}', 400, failure("invalid_input", "/order_id: is missing"));
await expect("/all", refund(7), 400, failure("invalid_input", "(root): must be an object"));
await expect("/all", { name: "nope" }, 404, failure("unknown_tool", 'there is no tool "nope" here'));
await expect("/all", { name: "escalate", args: { reason: "x" } }, 404, failure("unknown_tool", 'there is no tool "escalate" here'));
await expect("/all", { name: "toString" }, 404, failure("unknown_tool", 'there is no tool "toString" here'));
await expect("/all", { args: {} }, 400, failure("invalid_input", "/name: is missing"));
await expect("/all", "{", 400, failure("invalid_input", "the body is not JSON"));
await expect("/small", '{"name":"refund"}', 400, failure("invalid_input", "/order_id: is missing"));
await expect("/small", '{"name":"refund"} ', 413, failure("invalid_input", "the body is too long"));
for (const kind of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""]) {
  assert.equal((await call("/all", refund({}), { "content-type": kind }))[0], 415);
}
assert.equal((await call("/all", refund({}), { "content-type": "Application/JSON ; charset=utf-8" }))[0], 400);
await expect("/all", "[]", 400, failure("invalid_input", "(root): must be an object"));
const declined = failure("execution_error", "card_declined", { code: "card_declined" }) as { failure: object };
await expect("/all", refund({ order_id: "declined", amount: "1" }), 422, { failure: { ...declined.failure, data: { reason: "stolen" } } });
await expect("/all", refund({ order_id: "later", amount: "1" }), 503, failure("unavailable", "try again"));
await expect("/all", { name: "find_order", args: { order_id: "broken" } }, 500, failure("execution_error", "the tool failed"));
assert.equal(String(told[0]), "Error: a secret of the database");
await expect("/all", { name: "find_order", args: { order_id: "odd" } }, 500, failure("invalid_output", "/lines: must have at least 1 items"));
await expect("/mock", refund({ order_id: "declined", amount: "1" }), 200, { refund_id: "mock" });
assert.equal((await call("/only", { args: { order_id: "A-2" } }))[0], 200);
await expect("/only", refund({}), 404, failure("unknown_tool", 'there is no tool "refund" here'));
assert.equal((await fetch(`${address}/all`)).status, 405);
const [streamedStatus, lines] = await call("/all", refund({ order_id: "A-1", amount: "1" }), { accept: "application/x-ndjson" });
assert.deepEqual([streamedStatus, lines], [200, '{"result":{"refund_id":"r_1"}}\n']);
assert.ok(seen.includes("refund") && !seen.includes("nope"));

// A caller that leaves cancels the call.
await assert.rejects(
  fetch(`${address}/all`, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ name: "find_order", args: { order_id: "wait" } }),
    signal: AbortSignal.timeout(300),
  }),
);

// What models are offered, and what it does.
const desk = $w.modelTools(support.tools.deskTools(service));
assert.deepEqual(
  desk.map((tool) => tool.name),
  ["desk__find_order"],
);
const offered = $w.modelTools(support.tools.allTools(service)).find((tool) => tool.name === "refund");
assert.equal(offered?.action({ orderId: "A-1", amount: "5" }), "Refunding 5");
assert.deepEqual(await offered.execute({ order_id: "A-1", amount: "5" }), { refund_id: "r_5" });
await assert.rejects(async () => offered.execute({}), $w.ToolFailure);

assert.deepEqual(support.tools.webSearch["input"], support.codecs.WebSearchInput.schema);
assert.ok("$defs" in support.codecs.FindOrderOutput.schema);
assert.deepEqual(JSON.parse(JSON.stringify(support.tools.findOrder.descriptor))["output"], support.codecs.FindOrderOutput.schema);

// Tools of two packages that have one name.
const nobody = (): never => {
  throw new Error("nobody calls it");
};
const former = fading.tools.allTools({ find: nobody, pack: nobody });
const later = faded.tools.allTools({ find: nobody });
const renamed = fading.tools.findersTools({ find: nobody, pack: nobody });
const clash = (one: string, other: string): { message: string } => ({
  message: `two tools are called "find" here, one of ${one} and one of ${other}: serve them apart`,
});
const both = [...former, ...later];
const expected = clash("fading.Service", "faded.Service");
assert.throws(() => $w.fetchHandler(both), expected);
assert.throws(() => $w.modelTools(both), expected);
const ambiguous = await $w.dispatch(both, { name: "find" });
assert.ok("failure" in ambiguous && ambiguous.failure.kind === "unknown_tool");
assert.equal(ambiguous.failure.message, expected.message);
const registry = { registerTool: () => undefined };
registerTools(registry, former);
assert.throws(() => {
  registerTools(registry, later);
}, expected);
registerTools(registry, renamed);
assert.throws(() => $w.fetchHandler([...later, ...later]), clash("faded.Service", "faded.Service"));
// Models know the two apart; steps do not.
assert.equal($w.modelTools([...renamed, ...later]).length, 2);
assert.throws(() => $w.fetchHandler([...renamed, ...later]), clash("fading.FindersService", "faded.Service"));
// At a path each, they are served.
const apart = $w.fetchHandlers({ "/former": renamed, "/later": later });
const asked = async (path: string): Promise<unknown> => {
  const request = { method: "POST", headers: json, body: JSON.stringify({ name: "find", args: {} }) };
  const answer = await apart(new Request(`http://localhost${path}`, request));
  return [answer.status, await answer.json()];
};
const wrong = (field: string): unknown => [400, { failure: { kind: "invalid_input", message: `/${field}: is missing` } }];
assert.deepEqual(await asked("/former"), wrong("box"));
assert.deepEqual(await asked("/later"), wrong("shelf"));
assert.deepEqual(await asked("/"), [404, { failure: { kind: "invalid_input", message: "no tools are served at this path" } }]);
// One tool under two names.
$w.fetchHandler([...renamed, ...former]);

// Signals, events, prompts and workflows.
const signal = support.tools.decodeSignal("escalate", { reason: "angry" });
assert.ok(signal.ok && signal.value.name === "escalate" && signal.value.input.reason === "angry");
assert.ok(!support.tools.decodeSignal("refund", {}).ok);
const event = support.events.decodeEvent("approval.denied", { by: "Ada", reason: "too much" });
assert.ok(event.ok && event.value.topic === support.events.topics.approvalDenied && event.value.payload.reason === "too much");
assert.ok(!support.events.decodeEvent("approval.denied", { by: "Ada" }).ok);
assert.equal(support.prompts.grounded({ question: "Why?" }, { docs: ["a", "b"] }).split("\n").at(-1), '["a","b"]');
const start = $w.startOf(support.workflows.support, {
  ticket: support.codecs.Ticket.parse({
    id: "123e4567-e89b-12d3-a456-426614174000",
    customer,
    body: "help",
    tags: [],
  }),
});
assert.equal(start["digest"], support.workflows.support.digest);

// What fits no type of a union is looked at once on each level, not once for each way through the types.
let deep: unknown = 1;
for (let level = 0; level < 200; level += 1) {
  deep = { next: deep };
}
const chain = types.codecs.Chain.decode(deep);
assert.ok(!chain.ok && chain.issue.path.length === 0);

server.closeAllConnections();
server.close();
console.log("the server answers as it should");
