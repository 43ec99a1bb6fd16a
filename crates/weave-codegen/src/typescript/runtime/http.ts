/** Tools over HTTP: the payload of a dispatch comes in, the result goes out. */

import { type JsonValue, canonical, isObject } from "./codec.js";
import {
  type BoundTool,
  type Outcome,
  type RunOptions,
  ToolFailure,
  alsoTelling,
  dispatch,
  register,
} from "./tools.js";

/** Answers a request. */
export type FetchHandler = (request: Request) => Promise<Response>;

const JSON_TYPE = "application/json";
const LINES = "application/x-ndjson";

/** How many bytes the body of a request has at the most, where nobody says another number. */
const LONGEST = 16 * 1024 * 1024;

function answer(
  status: number,
  body: JsonValue,
  headers: Record<string, string> = {},
): Response {
  return new Response(canonical(body), {
    status,
    headers: { "content-type": JSON_TYPE, ...headers },
  });
}

function failed(failure: ToolFailure): Response {
  // No text can follow a status of these, nor one that is none.
  const status =
    failure.status >= 400 && failure.status < 600 ? failure.status : 500;
  return answer(status, { failure: failure.toJSON() });
}

/** What is answered to a request that is no dispatch. */
function refused(
  status: number,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return answer(
    status,
    { failure: new ToolFailure("invalid_input", message).toJSON() },
    headers,
  );
}

function answered(outcome: Outcome): Response {
  if ("failure" in outcome) {
    return failed(outcome.failure);
  }
  return "result" in outcome
    ? answer(200, outcome.result)
    : answer(202, { pending: outcome.pending });
}

interface Dispatched {
  readonly name: string;
  readonly args?: unknown;
  readonly key?: string;
  readonly signal: AbortSignal;
}

/** The text of the body; nothing if it has more bytes than these. What follows is not even read. */
async function textOf(
  request: Request,
  longest: number,
): Promise<string | undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined =
    request.body?.getReader();
  let [text, length] = ["", 0];
  for (
    let part = await reader?.read();
    part?.done === false;
    part = await reader?.read()
  ) {
    length += part.value.byteLength;
    if (length > longest) {
      return undefined;
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

async function read(
  request: Request,
  only: BoundTool | undefined,
  longest: number,
): Promise<Dispatched | Response> {
  const [kind = ""] = (request.headers.get("content-type") ?? "").split(";");
  // What a page of another origin can send without asking first is never declared as JSON.
  if (kind.trim().toLowerCase() !== JSON_TYPE) {
    return refused(415, `a dispatch is sent as ${JSON_TYPE}`);
  }
  let body: unknown;
  try {
    const text = await textOf(request, longest);
    if (text === undefined) {
      return refused(413, "the body is too long");
    }
    body = JSON.parse(text);
  } catch {
    return refused(400, "the body is not JSON");
  }
  if (!isObject(body)) {
    return refused(400, "(root): must be an object");
  }
  const own = (key: string): unknown =>
    Object.hasOwn(body, key) ? body[key] : undefined;
  const name = own("name") ?? only?.name;
  if (typeof name !== "string") {
    return refused(
      400,
      `/name: ${name === undefined ? "is missing" : "must be a string"}`,
    );
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
function streamed(
  tools: readonly BoundTool[],
  dispatched: Dispatched,
  options: RunOptions,
): Response {
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
      line(
        "failure" in outcome
          ? { failure: outcome.failure.toJSON() }
          : { ...outcome },
      );
      if (open) {
        controller.close();
      }
    },
  });
  return new Response(body, {
    status: 200,
    headers: { "content-type": LINES },
  });
}

function handler(
  tools: readonly BoundTool[],
  only: BoundTool | undefined,
  options: RunOptions,
): FetchHandler {
  // Models call tools as they are offered, steps as they are declared.
  register(new Map(), tools, ({ name, offered }) => [...offered, name]);
  return async (request) => {
    if (request.method !== "POST") {
      return refused(405, "a dispatch is sent with POST", { allow: "POST" });
    }
    const dispatched = await read(request, only, options.maxBody ?? LONGEST);
    if (dispatched instanceof Response) {
      return dispatched;
    }
    if ((request.headers.get("accept") ?? "").includes(LINES)) {
      return streamed(tools, dispatched, options);
    }
    return answered(await dispatch(tools, dispatched, options));
  };
}

/**
 * Serves all of these tools: a dispatch names the one that is meant. Who accepts `application/x-ndjson` also gets what tools stream.
 *
 * Throws an `Error` if a name would mean two tools.
 */
export function fetchHandler(
  tools: readonly BoundTool[],
  options: RunOptions = {},
): FetchHandler {
  return handler(tools, undefined, options);
}

/**
 * Serves lists of tools, each at the path that is its key: in each of them a name means one tool.
 *
 * Throws an `Error` if in one of them it means two.
 */
export function fetchHandlers(
  tools: Readonly<Record<string, readonly BoundTool[]>>,
  options: RunOptions = {},
): FetchHandler {
  const handlers = new Map(
    Object.entries(tools).map(([path, served]) => [
      path,
      fetchHandler(served, options),
    ]),
  );
  return async (request) => {
    const { pathname } = new URL(request.url);
    const found = handlers.get(pathname);
    return found === undefined
      ? refused(404, "no tools are served at this path")
      : found(request);
  };
}

/** Serves one tool, which a dispatch need not name. */
export function toolHandler(
  tool: BoundTool,
  options: RunOptions = {},
): FetchHandler {
  return handler([tool], tool, options);
}
