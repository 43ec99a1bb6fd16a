/** Tools as the libraries of models take them, where the objects of `modelTools` are not what one takes. It needs no package. */

import { type JsonValue, canonical, isObject } from "./codec.js";
import { type BoundTool, type ModelTool, type RunOptions, ToolFailure, modelTools } from "./tools.js";

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
    properties: (isObject(properties) ? properties : {}) as Record<string, Record<string, unknown>>,
    required: Array.isArray(required) ? [...(required as readonly string[])] : [],
    additionalProperties: false,
  };
}

/** What a model reads about a call. */
async function told(tool: ModelTool, args: unknown, signal: AbortSignal | null | undefined): Promise<string> {
  const result = await tool.execute(args, signal === undefined || signal === null ? {} : { signal });
  return typeof result === "string" ? result : canonical(result);
}

/** What the function `tool` of `@openai/agents` takes. It tells strict tools from others by the types of their schemas, which generated ones fit at run time. */
export interface OpenAIAgentsTool {
  name: string;
  description: string;
  parameters: never;
  strict: never;
  execute: (args: unknown, context: unknown, details?: { signal?: AbortSignal }) => Promise<string>;
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
  run: (args: unknown, context?: { signal?: AbortSignal | null | undefined }) => Promise<string>;
  parse: (args: unknown) => unknown;
}

/** The tools of `client.beta.messages.toolRunner` of `@anthropic-ai/sdk`. What fails is an error of the runner, which tells the model its message. */
export function anthropicTools(tools: readonly BoundTool[], options: RunOptions = {}): AnthropicTool[] {
  return modelTools(tools, options).map((tool) => ({
    name: tool.name,
    description: tool.description,
    input_schema: parameters(tool),
    run: (args, context) => told(tool, args, context?.signal),
    parse: (args) => args,
  }));
}

/** A tool of the package `ai`. */
export interface AITool {
  description: string;
  title?: string;
  inputSchema: {
    readonly "~standard": {
      readonly version: 1;
      readonly vendor: "weave";
      readonly validate: (value: unknown) => { readonly value: unknown };
      readonly jsonSchema: { readonly input: () => Record<string, unknown>; readonly output: () => Record<string, unknown> };
    };
  };
  execute: (args: unknown, options: { abortSignal?: AbortSignal | undefined }) => Promise<JsonValue>;
}

/** The `tools` of `generateText` and others of the package `ai`, by their names. What fails is thrown, which that package tells the model. */
export function aiTools(tools: readonly BoundTool[], options: RunOptions = {}): Record<string, AITool> {
  const made = modelTools(tools, options).map((tool): [string, AITool] => {
    const schema = (): Record<string, unknown> => ({ ...tool.parameters });
    return [
      tool.name,
      {
        description: tool.description,
        ...(tool.title === undefined ? {} : { title: tool.title }),
        // The tool reads its arguments itself, as they came.
        inputSchema: {
          "~standard": { version: 1, vendor: "weave", validate: (value) => ({ value }), jsonSchema: { input: schema, output: schema } },
        },
        execute: (args, { abortSignal }) => tool.execute(args, abortSignal === undefined ? {} : { signal: abortSignal }),
      },
    ];
  });
  return Object.fromEntries(made);
}

/** What OpenAI's strict mode knows beside `type`, `enum` and what holds schemas. */
const STRICT = new Set(["description", "const", "enum", "type", "minimum", "maximum", "pattern", "minItems", "maxItems", "required"]);
const FORMATS = new Set(["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"]);

/** Whether OpenAI's strict mode takes a schema as it is: objects are closed, and nothing may be left out. */
function isStrict(schema: JsonValue | undefined): boolean {
  if (!isObject(schema)) {
    return false;
  }
  const all = (value: unknown): boolean => isObject(value) && (Object.values(value) as JsonValue[]).every(isStrict);
  const { type, properties, required, additionalProperties } = schema;
  if (type === "object") {
    const names = isObject(properties) ? Object.keys(properties) : [];
    const known = Array.isArray(required) ? (required as readonly JsonValue[]) : [];
    if (additionalProperties !== false || names.some((name) => !known.includes(name))) {
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
        return Array.isArray(value) && (value as readonly JsonValue[]).every(isStrict);
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
