/** Tools over HTTP: the payload of a dispatch comes in, the result goes out. */

import { type JsonValue, canonical, isObject } from "./codec.js";
import { type BoundTool, type Outcome, type RunOptions, ToolFailure, alsoTelling, dispatch } from "./tools.js";

/** Answers a request. */
export type FetchHandler = (request: Request) => Promise<Response>;

const LINES = "application/x-ndjson";

function answer(status: number, body: JsonValue, headers: Record<string, string> = {}): Response {
  return new Response(canonical(body), { status, headers: { "content-type": "application/json", ...headers } });
}

function failed(failure: ToolFailure, headers: Record<string, string> = {}): Response {
  // No text can follow a status of these, nor one that is none.
  const status = failure.status >= 400 && failure.status < 600 ? failure.status : 500;
  return answer(status, { failure: failure.toJSON() }, headers);
}

function answered(outcome: Outcome): Response {
  if ("failure" in outcome) {
    return failed(outcome.failure);
  }
  return "result" in outcome ? answer(200, outcome.result) : answer(202, { pending: outcome.pending });
}

interface Dispatched {
  readonly name: string;
  readonly args?: unknown;
  readonly key?: string;
  readonly signal: AbortSignal;
}

async function read(request: Request, only: BoundTool | undefined): Promise<Dispatched | ToolFailure> {
  let body: unknown;
  try {
    body = await request.json();
  } catch {
    return new ToolFailure("invalid_input", "the body is not JSON");
  }
  if (!isObject(body)) {
    return new ToolFailure("invalid_input", "(root): must be an object");
  }
  const own = (key: string): unknown => (Object.hasOwn(body, key) ? body[key] : undefined);
  const name = own("name") ?? only?.name;
  if (typeof name !== "string") {
    return new ToolFailure("invalid_input", `/name: ${name === undefined ? "is missing" : "must be a string"}`);
  }
  const [args, key] = [own("args"), own("key")];
  return {
    name,
    ...(args === undefined || args === null ? {} : { args }),
    ...(typeof key === "string" ? { key } : {}),
    signal: request.signal,
  };
}

/** What the tool streams, and then its outcome, each on a line of its own. */
function streamed(tools: readonly BoundTool[], dispatched: Dispatched, options: RunOptions): Response {
  const encoder = new TextEncoder();
  let open = true;
  const body = new ReadableStream<Uint8Array>({
    cancel() {
      open = false;
    },
    async start(controller) {
      const line = (value: JsonValue): void => {
        if (open) {
          controller.enqueue(encoder.encode(`${canonical(value)}\n`));
        }
      };
      const told = alsoTelling(
        options,
        (progress) => {
          line({ progress });
        },
        (artifacts) => {
          line({ artifacts });
        },
      );
      const outcome = await dispatch(tools, dispatched, told);
      line("failure" in outcome ? { failure: outcome.failure.toJSON() } : { ...outcome });
      if (open) {
        controller.close();
      }
    },
  });
  return new Response(body, { status: 200, headers: { "content-type": LINES } });
}

function handler(tools: readonly BoundTool[], only: BoundTool | undefined, options: RunOptions): FetchHandler {
  return async (request) => {
    if (request.method !== "POST") {
      return answer(405, { failure: new ToolFailure("invalid_input", "a dispatch is sent with POST").toJSON() }, { allow: "POST" });
    }
    const dispatched = await read(request, only);
    if (dispatched instanceof ToolFailure) {
      return failed(dispatched);
    }
    if ((request.headers.get("accept") ?? "").includes(LINES)) {
      return streamed(tools, dispatched, options);
    }
    return answered(await dispatch(tools, dispatched, options));
  };
}

/** Serves all of these tools: a dispatch names the one that is meant. Who accepts `application/x-ndjson` also gets what tools stream. */
export function fetchHandler(tools: readonly BoundTool[], options: RunOptions = {}): FetchHandler {
  return handler(tools, undefined, options);
}

/** Serves one tool, which a dispatch need not name. */
export function toolHandler(tool: BoundTool, options: RunOptions = {}): FetchHandler {
  return handler([tool], tool, options);
}
