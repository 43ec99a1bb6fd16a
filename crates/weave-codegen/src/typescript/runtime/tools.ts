/** Tools: what implements them, and what becomes of a call. */

import {
  type Codec,
  type JsonObject,
  type JsonValue,
  type Result,
  ValidationError,
  codec,
  isObject,
} from "./codec.js";
import { nothingAtAll } from "./structures.js";

/** A value, now or later. */
export type Awaitable<T> = T | PromiseLike<T>;

/** The built-in kinds of failures. */
export type FailureKind =
  | "execution_error"
  | "invalid_input"
  | "invalid_output"
  | "timeout"
  | "denied"
  | "cancelled"
  | "unavailable"
  | "unknown_tool"
  | "non_local_tool"
  | "unknown_outcome"
  | "max_turns"
  | "elements"
  | "stalled"
  | "runaway";

/** The statuses over HTTP of the kinds; all others are 500. */
const STATUSES: Partial<Record<FailureKind, number>> = {
  invalid_input: 400,
  denied: 403,
  unknown_tool: 404,
  cancelled: 499,
  unavailable: 503,
  timeout: 504,
};

/** What a tool fails with. */
export class ToolFailure extends Error {
  override readonly name: string = "ToolFailure";
  readonly kind: FailureKind;
  /** The name of a declared error. */
  readonly code: string | undefined;
  readonly data: JsonValue | undefined;
  /** The status of an answer over HTTP. */
  readonly status: number;

  constructor(
    kind: FailureKind,
    message: string,
    declared?: {
      readonly code: string;
      readonly data: JsonValue;
      readonly status: number;
    },
  ) {
    super(message);
    this.kind = kind;
    this.code = declared?.code;
    this.data = declared?.data;
    this.status = declared?.status ?? STATUSES[kind] ?? 500;
  }

  /** As it stands on a scroll. */
  toJSON(): JsonObject {
    return {
      kind: this.kind,
      ...(this.code === undefined ? {} : { code: this.code }),
      message: this.message,
      ...(this.data === undefined ? {} : { data: this.data }),
    };
  }
}

type Make = (message?: string) => ToolFailure;

function failureOf(kind: FailureKind): Make {
  return (message = "") => new ToolFailure(kind, message);
}

/** What makes failures of the built-in kinds. */
export const kinds: {
  readonly executionError: Make;
  readonly invalidInput: Make;
  readonly invalidOutput: Make;
  readonly timeout: Make;
  readonly denied: Make;
  readonly cancelled: Make;
  readonly unavailable: Make;
  readonly unknownTool: Make;
  readonly nonLocalTool: Make;
  readonly unknownOutcome: Make;
  readonly maxTurns: Make;
  readonly elements: Make;
  readonly stalled: Make;
  readonly runaway: Make;
} = {
  executionError: failureOf("execution_error"),
  invalidInput: failureOf("invalid_input"),
  invalidOutput: failureOf("invalid_output"),
  timeout: failureOf("timeout"),
  denied: failureOf("denied"),
  cancelled: failureOf("cancelled"),
  unavailable: failureOf("unavailable"),
  unknownTool: failureOf("unknown_tool"),
  nonLocalTool: failureOf("non_local_tool"),
  unknownOutcome: failureOf("unknown_outcome"),
  maxTurns: failureOf("max_turns"),
  elements: failureOf("elements"),
  stalled: failureOf("stalled"),
  runaway: failureOf("runaway"),
};

/** A declared error with its data. */
export function declaredFailure(
  code: string,
  data: JsonValue,
  status: number,
  message: string,
): ToolFailure {
  return new ToolFailure("execution_error", message, { code, data, status });
}

/** What a tool gives that has no output. */
export const NOTHING: Codec<void> = codec(nothingAtAll(), { type: "null" });

/** Some of the methods of a service. */
export type Some<Service> = {
  readonly [Method in keyof Service]?: Service[Method];
};

/** A value as an object of JSON. */
export function asJson<T>(type: Codec<T>, value: T): JsonObject {
  const written = type.node.write(value);
  return isObject(written) ? written : {};
}

/** The input of a call with the name of what was called. */
export function named<const Name extends string, Input>(
  name: Name,
  input: Result<Input>,
): Result<{ readonly name: Name; readonly input: Input }> {
  return input.ok ? { ok: true, value: { name, input: input.value } } : input;
}

/** The payload of an event with its topic. */
export function payloadOf<const Topic extends string, Payload>(
  topic: Topic,
  payload: Result<Payload>,
): Result<{ readonly topic: Topic; readonly payload: Payload }> {
  return payload.ok
    ? { ok: true, value: { topic, payload: payload.value } }
    : payload;
}

/** That a name means nothing here. */
export function unknownName(name: string): Result<never> {
  return {
    ok: false,
    issue: { message: `there is no ${JSON.stringify(name)} here`, path: [] },
  };
}

/** That the result of a call comes later, under this key. */
export class Pending {
  readonly key: string;

  constructor(key: string) {
    this.key = key;
  }
}

/** What a tool's implementation knows beside its arguments. */
export interface ToolContext<Progress, Artifacts, Errors> {
  /** The tool's name. */
  readonly tool: string;
  /** What identifies the call, if the caller said it. A deferred result is completed under this key. */
  readonly key: string | undefined;
  /** Fires when nobody waits for the result any more. */
  readonly signal: AbortSignal;
  /** The failures that the tool declares; throw one of them. */
  readonly errors: Errors;
  /** Tells how far it has come. */
  emit(progress: Progress): void;
  /** Hands something to the application beside the output. */
  attach(artifacts: Artifacts): void;
}

/** The context of a tool whose result may come later. */
export interface DeferredContext<
  Progress,
  Artifacts,
  Errors,
> extends ToolContext<Progress, Artifacts, Errors> {
  /** What the implementation returns if the result comes later. */
  pending(): Pending;
}

/** A tool that a service implements. */
export interface ToolDefinition<Input, Output, Progress, Artifacts, Errors> {
  readonly name: string;
  /** What a definition says about it, with schemas that need no other document. */
  readonly descriptor: JsonObject;
  readonly input: Codec<Input>;
  readonly output: Codec<Output>;
  readonly progress?: Codec<Progress>;
  readonly artifacts?: Codec<Artifacts>;
  readonly errors: Errors;
  /** The codes and kinds that it declares. */
  readonly fails: readonly string[];
  readonly deferred: boolean;
  /** What people see while it runs. */
  readonly action?: (input: Input) => string;
}

/** What becomes of a call. */
export type Outcome =
  | { readonly result: JsonValue }
  | { readonly failure: ToolFailure }
  | { readonly pending: string };

/** One call on its way. */
export interface Call {
  readonly tool: string;
  readonly args: unknown;
  readonly key: string | undefined;
  readonly signal: AbortSignal;
  /** Takes what the tool streams, as JSON. */
  readonly onProgress: (progress: JsonValue) => void;
  /** Takes what the tool hands over beside its output, as JSON. */
  readonly onArtifacts: (artifacts: JsonValue) => void;
  /** Takes what was thrown and is no failure that the tool declares. */
  readonly onError: (error: unknown) => void;
}

/** Stands around each call; the first one is the outermost. */
export type Middleware = (
  call: Call,
  next: (call: Call) => Promise<Outcome>,
) => Promise<Outcome>;

/** A tool with its implementation. */
export interface BoundTool {
  readonly name: string;
  /** What models are offered it as. */
  readonly offered: readonly string[];
  /** The service that implements it, behind the name of its package. */
  readonly service: string;
  readonly definition: ToolDefinition<
    unknown,
    unknown,
    unknown,
    unknown,
    unknown
  >;
  run(call: Call): Promise<Outcome>;
}

type Method<Input, Output, Context> = (
  input: Input,
  context: Context,
) => Awaitable<Output | Pending>;

/** A tool with its implementation: arguments are read before it is called, and what it gives is checked. */
export function bind<Input, Output, Progress, Artifacts, Errors>(
  definition: ToolDefinition<Input, Output, Progress, Artifacts, Errors>,
  method: Method<Input, Output, DeferredContext<Progress, Artifacts, Errors>>,
  offered: readonly string[],
  service: string,
): BoundTool {
  const run = async (call: Call): Promise<Outcome> => {
    const input = definition.input.decode(call.args);
    if (!input.ok) {
      const error = new ValidationError(input.issue);
      return { failure: new ToolFailure("invalid_input", error.message) };
    }
    try {
      call.signal.throwIfAborted();
      const output = await method(input.value, contextOf(definition, call));
      if (output instanceof Pending) {
        return definition.deferred
          ? { pending: output.key }
          : {
              failure: new ToolFailure(
                "invalid_output",
                "the tool is not deferred",
              ),
            };
      }
      return { result: definition.output.encode(output) };
    } catch (error) {
      return { failure: failureFrom(definition.fails, error, call) };
    }
  };
  return {
    name: definition.name,
    offered,
    service,
    definition: definition as BoundTool["definition"],
    run,
  };
}

function contextOf<Input, Output, Progress, Artifacts, Errors>(
  definition: ToolDefinition<Input, Output, Progress, Artifacts, Errors>,
  call: Call,
): DeferredContext<Progress, Artifacts, Errors> {
  return {
    tool: definition.name,
    key: call.key,
    signal: call.signal,
    errors: definition.errors,
    emit: (progress) => {
      if (definition.progress !== undefined) {
        call.onProgress(definition.progress.encode(progress));
      }
    },
    attach: (artifacts) => {
      if (definition.artifacts !== undefined) {
        call.onArtifacts(definition.artifacts.encode(artifacts));
      }
    },
    pending: () => {
      if (call.key === undefined) {
        throw new Error(
          "the caller gave no key under which the result could come later",
        );
      }
      return new Pending(call.key);
    },
  };
}

/** What was thrown as a failure; what nobody declared is told to the application and not to the caller. */
function failureFrom(
  fails: readonly string[],
  error: unknown,
  call: Call,
): ToolFailure {
  if (
    error instanceof ToolFailure &&
    (error.code === undefined || fails.includes(error.code))
  ) {
    return error;
  }
  if (call.signal.aborted) {
    return new ToolFailure("cancelled", "the call was cancelled");
  }
  call.onError(error);
  if (error instanceof ValidationError) {
    return new ToolFailure("invalid_output", error.message);
  }
  return new ToolFailure("execution_error", "the tool failed");
}

/** What stands around calls, and who is told what. */
export interface RunOptions {
  readonly middleware?: readonly Middleware[];
  readonly onProgress?: (tool: string, progress: JsonValue) => void;
  readonly onArtifacts?: (tool: string, artifacts: JsonValue) => void;
  readonly onError?: (tool: string, error: unknown) => void;
  /** How many bytes the body of a request over HTTP has at the most; without it, 16 MiB. */
  readonly maxBody?: number;
}

/** The same options, where somebody else is told, too. */
export function alsoTelling(
  options: RunOptions,
  onProgress: (progress: JsonValue) => void,
  onArtifacts: (artifacts: JsonValue) => void,
): RunOptions {
  return {
    ...options,
    onProgress: (tool, progress) => {
      onProgress(progress);
      options.onProgress?.(tool, progress);
    },
    onArtifacts: (tool, artifacts) => {
      onArtifacts(artifacts);
      options.onArtifacts?.(tool, artifacts);
    },
  };
}

function clash(name: string, one: BoundTool, other: BoundTool): string {
  return `two tools are called ${JSON.stringify(name)} here, one of ${one.service} and one of ${other.service}: serve them apart`;
}

/**
 * Adds tools to what is known under these names.
 *
 * Throws an `Error` if one name would mean two tools.
 */
export function register(
  known: Map<string, BoundTool>,
  tools: readonly BoundTool[],
  namesOf: (tool: BoundTool) => readonly string[],
): void {
  for (const tool of tools) {
    for (const name of new Set(namesOf(tool))) {
      const other = known.get(name);
      const isOffered = tool.offered.includes(name);
      if (other === undefined) {
        known.set(name, tool);
      } else if (
        other.definition !== tool.definition ||
        (isOffered && other.offered.includes(name))
      ) {
        throw new Error(clash(name, other, tool));
      } else if (isOffered) {
        known.set(name, tool);
      }
    }
  }
}

/** The tool that a name means, or why it means none. */
function find(tools: readonly BoundTool[], name: string): BoundTool | string {
  const offered = tools.filter((known) => known.offered.includes(name));
  const [tool, ...others] =
    offered.length > 0 ? offered : tools.filter((known) => known.name === name);
  if (tool === undefined) {
    return `there is no tool ${JSON.stringify(name)} here`;
  }
  const other = others.find(
    ({ definition }) => offered.length > 0 || definition !== tool.definition,
  );
  return other === undefined ? tool : clash(name, tool, other);
}

/** Calls a tool by its name, through the middleware. */
export async function dispatch(
  tools: readonly BoundTool[],
  dispatched: {
    readonly name: string;
    readonly args?: unknown;
    readonly key?: string;
    readonly signal?: AbortSignal;
  },
  options: RunOptions = {},
): Promise<Outcome> {
  const tool = find(tools, dispatched.name);
  if (typeof tool === "string") {
    return { failure: new ToolFailure("unknown_tool", tool) };
  }
  const first: Call = {
    tool: tool.name,
    args: dispatched.args ?? {},
    key: dispatched.key,
    signal: dispatched.signal ?? new AbortController().signal,
    onProgress: (progress) => options.onProgress?.(tool.name, progress),
    onArtifacts: (artifacts) => options.onArtifacts?.(tool.name, artifacts),
    onError: (error) => options.onError?.(tool.name, error),
  };
  const around = [...(options.middleware ?? [])].reverse();
  const run = around.reduce<(call: Call) => Promise<Outcome>>(
    (next, middleware) => (call) => middleware(call, next),
    (call) => tool.run(call),
  );
  try {
    return await run(first);
  } catch (error) {
    return { failure: failureFrom(tool.definition.fails, error, first) };
  }
}

/** A tool in the form that the libraries of models take. */
export interface ModelTool {
  readonly type: "function";
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly version?: string;
  readonly mode: "feedback" | "silent";
  readonly strict: boolean;
  /** The JSON Schema of the arguments, under the names that the libraries look for. */
  readonly parameters: JsonObject;
  readonly inputSchema: JsonObject;
  /** The arguments as a Standard Schema. */
  readonly input: Codec<unknown>;
  readonly action: (input: unknown) => string | undefined;
  /** Gives the output as JSON; throws a `ToolFailure`. */
  readonly execute: (args: unknown, context?: ModelCall) => Promise<JsonValue>;
}

/** What a library knows of one call of a tool. */
export interface ModelCall {
  readonly signal?: AbortSignal;
  /** Takes what the tool streams, as JSON. */
  readonly onProgress?: (progress: JsonValue) => void;
  /** Takes what the tool hands over beside its output, as JSON. */
  readonly onArtifacts?: (artifacts: JsonValue) => void;
}

function said(descriptor: JsonObject, key: string): string | undefined {
  const value = descriptor[key];
  return typeof value === "string" ? value : undefined;
}

/**
 * What models are offered: each tool under each of its names.
 *
 * Throws an `Error` if two of them would have one name.
 */
export function modelTools(
  tools: readonly BoundTool[],
  options: RunOptions = {},
): readonly ModelTool[] {
  register(new Map(), tools, ({ offered }) => offered);
  return tools.flatMap((tool) =>
    tool.offered.map((name) => modelTool(tool, name, tools, options)),
  );
}

function modelTool(
  tool: BoundTool,
  name: string,
  tools: readonly BoundTool[],
  options: RunOptions,
): ModelTool {
  const { descriptor, input, action } = tool.definition;
  const [title, version] = [
    said(descriptor, "title"),
    said(descriptor, "version"),
  ];
  return {
    type: "function",
    name,
    ...(title === undefined ? {} : { title }),
    description: said(descriptor, "description") ?? "",
    ...(version === undefined ? {} : { version }),
    mode: descriptor["mode"] === "silent" ? "silent" : "feedback",
    strict: descriptor["strict"] === true,
    parameters: input.schema,
    inputSchema: input.schema,
    input,
    action: (value) => action?.(value),
    execute: async (args, context) => {
      const signal = context?.signal;
      const told = alsoTelling(
        options,
        (progress) => context?.onProgress?.(progress),
        (artifacts) => context?.onArtifacts?.(artifacts),
      );
      const outcome = await dispatch(
        tools,
        { name, args, ...(signal === undefined ? {} : { signal }) },
        told,
      );
      if ("failure" in outcome) {
        throw outcome.failure;
      }
      return "result" in outcome
        ? outcome.result
        : { pending: outcome.pending };
    },
  };
}

/** A call that is read and never executed here: a signal, or a question to somebody outside. */
export interface CallDefinition<Input, Response> {
  readonly name: string;
  readonly descriptor: JsonObject;
  readonly input: Codec<Input>;
  /** What somebody answers later. */
  readonly response: Codec<Response>;
}

/** An agent. */
export interface AgentDefinition<Input, Output> {
  readonly name: string;
  readonly model?: string;
  readonly input: Codec<Input>;
  readonly output: Codec<Output>;
}

/** A workflow, with its definition. */
export interface WorkflowDefinition<
  Input,
  Output,
  Node extends string = string,
> {
  readonly name: string;
  /** What identifies the definition. */
  readonly digest: string;
  readonly input: Codec<Input>;
  readonly output: Codec<Output>;
  /** The names of its nodes. */
  readonly nodes: { readonly [Name in Node]: Name };
  readonly definition: JsonObject;
}

/** The payload of the `workflow.start` that begins a run. */
export function startOf<Input, Output>(
  workflow: WorkflowDefinition<Input, Output>,
  input: Input,
): JsonObject {
  return {
    workflow: workflow.name,
    digest: workflow.digest,
    input: workflow.input.encode(input),
  };
}
