/** Tools over the Model Context Protocol: what registers them with an `McpServer` of `@modelcontextprotocol/server` 2. It needs no package. */

import {
  type JsonObject,
  type JsonValue,
  canonical,
  isObject,
} from "./codec.js";
import {
  type BoundTool,
  type Outcome,
  type RunOptions,
  alsoTelling,
  dispatch,
  register,
} from "./tools.js";

/** The key in `_meta` below which everything stands that the protocol has no word for. */
const OURS = "x-weave";

/** A schema that is told to clients and lets through everything: a tool's own codec reads its arguments. */
export interface McpSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "weave";
    readonly validate: (value: unknown) => { readonly value: unknown };
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
  };
}

/** What a server is told about a tool. */
export interface McpTool {
  title?: string;
  description?: string;
  inputSchema: McpSchema;
  outputSchema?: McpSchema;
  annotations?: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
  _meta: Record<string, unknown>;
}

/** What a server tells about a call. */
export interface McpContext {
  readonly mcpReq: {
    readonly _meta?:
      | {
          readonly progressToken?: string | number | undefined;
          readonly [key: string]: unknown;
        }
      | undefined;
    readonly signal: AbortSignal;
    readonly notify: (notification: {
      method: "notifications/progress";
      params: Record<string, unknown>;
    }) => Promise<void>;
  };
}

/** What becomes of a call. */
export interface McpResult {
  content: { type: "text"; text: string }[];
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: Record<string, unknown>;
  [key: string]: unknown;
}

/** What is needed of a server. */
export interface McpRegistry {
  registerTool(
    name: string,
    tool: McpTool,
    run: (args: unknown, context: McpContext) => Promise<McpResult>,
  ): unknown;
}

/** What was registered with each server. */
const REGISTERED = new WeakMap<McpRegistry, Map<string, BoundTool>>();

/**
 * Registers what models are offered: each tool under each of its names.
 *
 * Throws an `Error` if two tools of the server would have one name.
 */
export function registerTools(
  server: McpRegistry,
  tools: readonly BoundTool[],
  options: RunOptions = {},
): void {
  const known = REGISTERED.get(server) ?? new Map<string, BoundTool>();
  register(known, tools, ({ offered }) => offered);
  REGISTERED.set(server, known);
  for (const tool of tools) {
    const output = writtenOut(tool.definition.output.schema);
    const gives = output["type"] !== "null";
    // What says that the result comes later does not fit the schema of the output.
    const told = described(
      tool,
      gives && !tool.definition.deferred ? output : undefined,
    );
    for (const name of tool.offered) {
      server.registerTool(name, told, async (args, context) => {
        const artifacts: JsonValue[] = [];
        const outcome = await called(
          tools,
          tool,
          name,
          args,
          context,
          options,
          artifacts,
        );
        return resultOf(outcome, gives, artifacts);
      });
    }
  }
}

function schema(found: JsonObject): McpSchema {
  const json = (): Record<string, unknown> => ({ ...found });
  return {
    "~standard": {
      version: 1,
      vendor: "weave",
      validate: (value) => ({ value }),
      jsonSchema: { input: json, output: json },
    },
  };
}

/** A schema whose root is no reference: clients look for its `type`. */
function writtenOut(found: JsonObject): JsonObject {
  const { $ref, $defs, ...rest } = found;
  if (
    typeof $ref !== "string" ||
    !isObject($defs) ||
    Object.keys(rest).length > 0
  ) {
    return found;
  }
  const key = $ref
    .replace("#/$defs/", "")
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
  const named = Object.hasOwn($defs, key) ? $defs[key] : undefined;
  if (!isObject(named)) {
    return found;
  }
  const others = Object.fromEntries(
    Object.entries($defs).filter(([name]) => name !== key),
  );
  const isReferred = JSON.stringify([named, others]).includes(
    JSON.stringify($ref),
  );
  const defs = isReferred ? $defs : others;
  // A name may stand for a name.
  return writtenOut({
    ...named,
    ...(Object.keys(defs).length === 0 ? {} : { $defs: defs }),
  });
}

function described(tool: BoundTool, output: JsonObject | undefined): McpTool {
  const { definition } = tool;
  const { title, description, hints, meta } = definition.descriptor;
  return {
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof description === "string" ? { description } : {}),
    inputSchema: schema(writtenOut(definition.input.schema)),
    ...(output === undefined ? {} : { outputSchema: schema(output) }),
    ...(Array.isArray(hints)
      ? { annotations: annotations(hints as readonly JsonValue[]) }
      : {}),
    _meta: { ...(isObject(meta) ? meta : {}), [OURS]: ours(tool) },
  };
}

/** All four, where something is known: the protocol takes a tool for destructive that does not say otherwise. */
function annotations(
  hints: readonly JsonValue[],
): NonNullable<McpTool["annotations"]> {
  return {
    readOnlyHint: hints.includes("read_only"),
    destructiveHint: hints.includes("destructive"),
    idempotentHint: hints.includes("idempotent"),
    openWorldHint: hints.includes("open_world"),
  };
}

function ours({ name, definition: { descriptor } }: BoundTool): JsonObject {
  const {
    kind,
    id,
    version,
    deprecated,
    mode,
    activation,
    approval,
    deferred,
    fails,
  } = descriptor;
  return {
    kind: kind ?? "local",
    id: id ?? name,
    ...(version === undefined ? {} : { version }),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(mode === "silent" ? { mode } : {}),
    ...(activation === undefined ? {} : { activation }),
    ...(approval === undefined ? {} : { approval: true }),
    ...(deferred === undefined ? {} : { deferred: true }),
    ...(fails === undefined ? {} : { fails }),
  };
}

async function called(
  tools: readonly BoundTool[],
  tool: BoundTool,
  name: string,
  args: unknown,
  { mcpReq: { _meta: meta, signal, notify } }: McpContext,
  options: RunOptions,
  artifacts: JsonValue[],
): Promise<Outcome> {
  const token = meta?.progressToken;
  let told = Promise.resolve();
  let count = 0;
  const onProgress = (progress: JsonValue): void => {
    count += 1;
    if (token !== undefined) {
      const params = { progressToken: token, ...progressOf(progress, count) };
      // Who has left hears nothing.
      told = told
        .then(() => notify({ method: "notifications/progress", params }))
        .catch(() => undefined);
    }
  };
  const key =
    keyOf(meta) ?? (tool.definition.deferred ? crypto.randomUUID() : undefined);
  const outcome = await dispatch(
    tools,
    { name, args, signal, ...(key === undefined ? {} : { key }) },
    alsoTelling(options, onProgress, (found) => artifacts.push(found)),
  );
  await told;
  return outcome;
}

/** The key that a client gives the call, under which a deferred result is completed. */
function keyOf(
  meta: Readonly<Record<string, unknown>> | undefined,
): string | undefined {
  const said = meta?.[OURS];
  const key = isObject(said) ? said["key"] : undefined;
  return typeof key === "string" && key !== "" ? key : undefined;
}

/** Progress that has the fields of the protocol is told as it is; of any other, values are counted and the text is the value. */
function progressOf(value: JsonValue, count: number): JsonObject {
  const { progress, total, message } = isObject(value) ? value : {};
  if (typeof progress !== "number") {
    return {
      progress: count,
      message: typeof value === "string" ? value : canonical(value),
    };
  }
  return {
    progress,
    ...(typeof total === "number" ? { total } : {}),
    ...(typeof message === "string" ? { message } : {}),
  };
}

function resultOf(
  outcome: Outcome,
  gives: boolean,
  artifacts: readonly JsonValue[],
): McpResult {
  const beside = (more: JsonObject): Pick<McpResult, "_meta"> => {
    const said = { ...more, ...(artifacts.length === 0 ? {} : { artifacts }) };
    return Object.keys(said).length === 0 ? {} : { _meta: { [OURS]: said } };
  };
  if ("failure" in outcome) {
    const failure = outcome.failure.toJSON();
    return {
      isError: true,
      content: [{ type: "text", text: canonical(failure) }],
      ...beside({ failure }),
    };
  }
  if ("pending" in outcome) {
    return {
      content: [
        { type: "text", text: canonical({ pending: outcome.pending }) },
      ],
      ...beside({ pending: outcome.pending }),
    };
  }
  if (!gives) {
    return { content: [], ...beside({}) };
  }
  return {
    content: [{ type: "text", text: canonical(outcome.result) }],
    structuredContent: outcome.result,
    ...beside({}),
  };
}
