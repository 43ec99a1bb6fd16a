/** Tools as the libraries of models take them, where the objects of `modelTools` are not what one takes. It needs no package. */

import { type Issue, type JsonValue, canonical, isObject } from "./codec.js";
import {
  type BoundTool,
  type ModelTool,
  type RunOptions,
  ToolFailure,
  modelTools,
} from "./tools.js";

/** The JSON Schema of arguments, as libraries want to see it. */
export interface ParameterSchema {
  type: "object";
  properties: Record<string, Record<string, unknown>>;
  required: string[];
  additionalProperties: false;
  [keyword: string]: unknown;
}

function parameters(tool: ModelTool): ParameterSchema {
  const { properties, required } = tool.parameters;
  return {
    ...tool.parameters,
    type: "object",
    properties: (isObject(properties) ? properties : {}) as Record<
      string,
      Record<string, unknown>
    >,
    required: Array.isArray(required)
      ? [...(required as readonly string[])]
      : [],
    additionalProperties: false,
  };
}

/** What a model reads about a call. */
async function told(
  tool: ModelTool,
  args: unknown,
  signal: AbortSignal | null | undefined,
): Promise<string> {
  const result = await tool.execute(
    args,
    signal === undefined || signal === null ? {} : { signal },
  );
  return typeof result === "string" ? result : canonical(result);
}

/** What the function `tool` of `@openai/agents` takes. It tells strict tools from others by the types of their schemas, which generated ones fit at run time. */
export interface OpenAIAgentsTool {
  name: string;
  description: string;
  parameters: never;
  strict: never;
  execute: (
    args: unknown,
    context: unknown,
    details?: { signal?: AbortSignal },
  ) => Promise<string>;
}

/** The tools of an `Agent` of `@openai/agents`, made by its function `tool`. What fails is told to the model as JSON. */
export function openAIAgentsTools<Tool>(
  tool: (options: OpenAIAgentsTool) => Tool,
  tools: readonly BoundTool[],
  options: RunOptions = {},
): Tool[] {
  return modelTools(tools, options).map((known) =>
    tool({
      name: known.name,
      description: known.description,
      parameters: parameters(known) as never,
      strict: (known.strict && isStrict(known.parameters)) as never,
      execute: async (args, _, details) => {
        try {
          return await told(known, args, details?.signal);
        } catch (error) {
          if (error instanceof ToolFailure && error.kind !== "cancelled") {
            return canonical({ failure: error.toJSON() });
          }
          throw error;
        }
      },
    }),
  );
}

/** A tool that the tool runner of `@anthropic-ai/sdk` runs. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: ParameterSchema;
  run: (
    args: unknown,
    context?: { signal?: AbortSignal | null | undefined },
  ) => Promise<string>;
  parse: (args: unknown) => unknown;
}

/** The tools of `client.beta.messages.toolRunner` of `@anthropic-ai/sdk`. What fails is an error of the runner, which tells the model its message. */
export function anthropicTools(
  tools: readonly BoundTool[],
  options: RunOptions = {},
): AnthropicTool[] {
  return modelTools(tools, options).map((tool) => ({
    name: tool.name,
    description: tool.description,
    input_schema: parameters(tool),
    run: (args, context) => told(tool, args, context?.signal),
    parse: (args) => args,
  }));
}

/** Arguments as a Standard Schema with a Standard JSON Schema. They stay as they came: the tool reads them itself. */
export interface ArgumentSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "weave";
    readonly validate: (
      value: unknown,
    ) =>
      | { readonly value: unknown; readonly issues?: undefined }
      | { readonly issues: readonly Issue[] };
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
  };
}

function argumentSchema(
  tool: ModelTool,
  validate: ArgumentSchema["~standard"]["validate"],
): ArgumentSchema {
  const schema = (): Record<string, unknown> => ({ ...tool.parameters });
  return {
    "~standard": {
      version: 1,
      vendor: "weave",
      validate,
      jsonSchema: { input: schema, output: schema },
    },
  };
}

/** The same, where the library tells the model what is wrong with arguments. */
function checkedSchema(tool: ModelTool): ArgumentSchema {
  return argumentSchema(tool, (value) => {
    const read = tool.input.decode(value);
    return read.ok ? { value } : { issues: [read.issue] };
  });
}

/** A tool of the package `ai`. */
export interface AITool {
  description: string;
  title?: string;
  inputSchema: ArgumentSchema;
  execute: (
    args: unknown,
    options: { abortSignal?: AbortSignal | undefined },
  ) => Promise<JsonValue>;
}

/** The `tools` of `generateText` and others of the package `ai`, by their names. What fails is thrown, which that package tells the model. */
export function aiTools(
  tools: readonly BoundTool[],
  options: RunOptions = {},
): Record<string, AITool> {
  const made = modelTools(tools, options).map((tool): [string, AITool] => {
    return [
      tool.name,
      {
        description: tool.description,
        ...(tool.title === undefined ? {} : { title: tool.title }),
        // A failure says what is wrong with the arguments.
        inputSchema: argumentSchema(tool, (value) => ({ value })),
        execute: (args, { abortSignal }) =>
          tool.execute(
            args,
            abortSignal === undefined ? {} : { signal: abortSignal },
          ),
      },
    ];
  });
  return Object.fromEntries(made);
}

/** What the function `tool` of warlock takes. */
export interface WarlockTool {
  name: string;
  description: string;
  version?: string;
  meta?: Record<string, unknown>;
  action?: (input: unknown) => string;
  mode: "feedback" | "silent";
  input: ArgumentSchema;
  execute: (
    input: unknown,
    context?: {
      artifacts: Record<string, unknown>;
      signal?: AbortSignal | undefined;
    },
  ) => Promise<JsonValue>;
}

/** The `tools` of an agent of warlock, made by its function `tool`. What a tool hands over stands in the artifacts of the call; what fails is thrown. */
export function warlockTools<Tool>(
  tool: (config: WarlockTool) => Tool,
  tools: readonly BoundTool[],
  options: RunOptions = {},
): Tool[] {
  return modelTools(tools, options).map((known) =>
    tool({
      name: known.name,
      description: known.description,
      ...(known.version === undefined ? {} : { version: known.version }),
      ...(known.title === undefined ? {} : { meta: { label: known.title } }),
      // It is asked before anybody has looked at the arguments.
      action: (input) => {
        const read = known.input.decode(input);
        return (
          (read.ok ? known.action(read.value) : undefined) ??
          known.title ??
          known.name
        );
      },
      mode: known.mode,
      input: checkedSchema(known),
      execute: (input, context) =>
        known.execute(input, {
          ...(context?.signal === undefined ? {} : { signal: context.signal }),
          onArtifacts: (artifacts) => {
            Object.assign(context?.artifacts ?? {}, artifacts);
          },
        }),
    }),
  );
}

/** What is needed of the module `Effect` of the package `effect`. */
export interface EffectModule<Running, Emitted> {
  readonly tryPromise: (options: {
    readonly try: (signal: AbortSignal) => Promise<JsonValue>;
    readonly catch: (error: unknown) => unknown;
  }) => Running;
  readonly runPromise: (effect: Emitted) => Promise<unknown>;
}

/** A local tool of effect-uai. */
export interface EffectTool<Running, Emitted> {
  readonly _tag: "LocalTool";
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ArgumentSchema;
  readonly strict: boolean;
  readonly run: (
    input: unknown,
    emit: (event: JsonValue) => Emitted,
  ) => Running;
}

/** The tools of a toolkit of effect-uai, made with the module `Effect`. What a tool streams is emitted in its order before the tool ends; what fails fails the effect. */
export function effectTools<Running, Emitted>(
  effect: EffectModule<Running, Emitted>,
  tools: readonly BoundTool[],
  options: RunOptions = {},
): EffectTool<Running, Emitted>[] {
  return modelTools(tools, options).map((tool) => ({
    _tag: "LocalTool",
    name: tool.name,
    description: tool.description,
    inputSchema: checkedSchema(tool),
    strict: tool.strict && isStrict(tool.parameters),
    run: (input, emit) =>
      effect.tryPromise({
        try: async (signal) => {
          let emitted: Promise<unknown> = Promise.resolve();
          const onProgress = (progress: JsonValue): void => {
            emitted = emitted.then(() => effect.runPromise(emit(progress)));
          };
          try {
            return await tool.execute(input, { signal, onProgress });
          } finally {
            await emitted;
          }
        },
        catch: (error) => error,
      }),
  }));
}

/** What OpenAI's strict mode knows beside `type`, `enum` and what holds schemas. */
const STRICT = new Set([
  "description",
  "const",
  "enum",
  "type",
  "minimum",
  "maximum",
  "pattern",
  "minItems",
  "maxItems",
  "required",
]);
const FORMATS = new Set([
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
]);

/** Whether OpenAI's strict mode takes a schema as it is: objects are closed, and nothing may be left out. */
function isStrict(schema: JsonValue | undefined): boolean {
  if (!isObject(schema)) {
    return false;
  }
  const all = (value: unknown): boolean =>
    isObject(value) && (Object.values(value) as JsonValue[]).every(isStrict);
  const { type, properties, required, additionalProperties } = schema;
  if (type === "object") {
    const names = isObject(properties) ? Object.keys(properties) : [];
    const known = Array.isArray(required)
      ? (required as readonly JsonValue[])
      : [];
    if (
      additionalProperties !== false ||
      names.some((name) => !known.includes(name))
    ) {
      return false;
    }
  }
  return Object.entries(schema).every(([keyword, value]) => {
    switch (keyword) {
      case "properties":
      case "$defs":
        return all(value);
      case "items":
        return isStrict(value);
      case "anyOf":
        return (
          Array.isArray(value) &&
          (value as readonly JsonValue[]).every(isStrict)
        );
      case "additionalProperties":
        return value === false;
      case "format":
        return typeof value === "string" && FORMATS.has(value);
      case "$ref":
        return Object.keys(schema).length === 1;
      default:
        return STRICT.has(keyword);
    }
  });
}
