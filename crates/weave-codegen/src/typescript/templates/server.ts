import {
  type IncomingMessage,
  type ServerResponse,
  createServer,
} from "node:http";
import { Readable } from "node:stream";
import { handler } from "./handler.js";

/** Answers one request. What runs is told to stop when the caller leaves. */
async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const left = new AbortController();
  outgoing.on("close", () => {
    left.abort();
  });
  const { method = "GET", url = "/" } = incoming;
  const hasBody = method !== "GET" && method !== "HEAD";
  const request = new Request(new URL(url, "http://localhost"), {
    method,
    headers: incoming.headers as Record<string, string>,
    signal: left.signal,
    ...(hasBody
      ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" }
      : {}),
  });
  const response = await handler(request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  const reader = response.body?.getReader();
  let next = await reader?.read();
  while (next?.done === false) {
    outgoing.write(next.value);
    next = await reader?.read();
  }
  outgoing.end(() => {
    // The rest of a request that was too long is not waited for.
    if (!incoming.complete) {
      incoming.destroy();
    }
  });
}

const server = createServer((incoming, outgoing) => {
  answer(incoming, outgoing).catch((error: unknown) => {
    console.error(error);
    outgoing.destroy();
  });
});

const { HOST: host = "127.0.0.1", PORT: port = "8080" } = process.env;
server.listen(Number(port), host, () => {
  const address = server.address();
  const chosen = typeof address === "object" ? address?.port : undefined;
  console.log(`serving tools on http://${host}:${String(chosen ?? port)}`);
});
