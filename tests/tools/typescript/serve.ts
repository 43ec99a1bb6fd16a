// Carries out the tools of the example `refund.weave` for workflow runs. It listens on 127.0.0.1.

import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import * as $w from "./gen/_weave/index.js";
import * as refund from "./gen/refund/index.js";
import * as shop from "./gen/shop/index.js";

const customer = { id: "123e4567-e89b-12d3-a456-426614174000", name: "Ada", email: "ada@example.com", since: "2026-01-01" };
const line = { sku: "AB-1", title: "Tea", quantity: 1, price: "12.50" };

const service: refund.tools.Service = {
  findOrder: (input, context) => {
    if (input.orderId === "none") {
      throw context.errors.orderNotFound({ orderId: input.orderId });
    }
    const order = { id: input.orderId, customer, lines: [line], total: "12.50", placed_at: "2026-11-22T09:00:00Z" };
    return shop.codecs.Order.parse(order);
  },
  refundPayment: (input) => ({ refundId: `${input.orderId} ${input.amount}` }),
};
const handler = $w.fetchHandler(refund.tools.allTools(service));

const server = createServer((incoming, outgoing) => {
  const parts: Buffer[] = [];
  incoming.on("data", (part: Buffer) => parts.push(part));
  incoming.on("end", () => {
    const headers = incoming.headers as Record<string, string>;
    const request = new Request("http://localhost/", { method: "POST", headers, body: Buffer.concat(parts) });
    void (async () => {
      const answer = await handler(request);
      outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
      outgoing.end(Buffer.from(await answer.arrayBuffer()));
    })();
  });
});
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
});
