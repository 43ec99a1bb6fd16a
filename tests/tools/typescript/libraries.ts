// Two libraries of models that are in no registry: what they say that a tool is, and as much of what they do with one as it can notice.
// Read in November 2026:
//   warlock: @warlock.js/ai 5.7.0, https://github.com/warlockjs/ai, src/contracts/tool.contract.ts, src/tool/tool.ts, src/utils/json-schema.ts
//   effect-uai: @effect-uai/core, https://github.com/betalyra/effect-uai, packages/core/src/tool/Tool.ts (at 03e550e)

type Checked<T> = { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly { readonly message: string }[] };

/** A Standard Schema, of which the JSON Schema is asked too. */
interface Standard<T> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Checked<T> | Promise<Checked<T>>;
    readonly jsonSchema: { readonly input: (options: { readonly target: string }) => Record<string, unknown> };
  };
}

/** What warlock gives a tool beside its arguments. */
export interface WarlockContext {
  artifacts: Record<string, unknown>;
  signal?: AbortSignal;
}

/** What warlock's `tool` takes. */
export interface WarlockConfig<Input = unknown, Output = unknown> {
  name: string;
  description: string;
  version?: string;
  action?: string | ((input: Input) => string);
  meta?: { label?: unknown; [key: string]: unknown };
  mode?: "feedback" | "silent";
  input?: Standard<Input>;
  execute(input: Input, context?: WarlockContext): Promise<Output>;
}

/** What an agent of warlock calls. */
export interface WarlockContract<Input, Output> extends WarlockConfig<Input, Output> {
  invoke(given: unknown, context?: WarlockContext): Promise<{ data?: Output; error?: string }>;
}

/** It never throws, and runs what the schema gave. */
export function warlockTool<Input, Output>(config: WarlockConfig<Input, Output>): WarlockContract<Input, Output> {
  const invoke = async (given: unknown, context: WarlockContext = { artifacts: {} }): Promise<{ data?: Output; error?: string }> => {
    const checked = await config.input?.["~standard"].validate(given);
    if (checked?.issues !== undefined) {
      return { error: checked.issues.map((issue) => issue.message).join("; ") };
    }
    try {
      return { data: await config.execute((checked?.value ?? given) as Input, context) };
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  };
  return { ...config, invoke };
}

/** What a model is told of the arguments: warlock asks in the words of OpenAI. */
export function warlockSchema(tool: WarlockConfig): Record<string, unknown> | undefined {
  return tool.input?.["~standard"].jsonSchema.input({ target: "openai-strict" });
}

/** As much of `effect` as there is to see: nothing happens before it is run. */
export class Effect<A, E = never> {
  declare readonly error: E;
  readonly start: (signal: AbortSignal) => Promise<A>;

  constructor(start: (signal: AbortSignal) => Promise<A>) {
    this.start = start;
  }

  static tryPromise<A, E>(options: {
    readonly try: (signal: AbortSignal) => PromiseLike<A>;
    readonly catch: (error: unknown) => E;
  }): Effect<A, E> {
    return new Effect<A, E>(async (signal) => {
      try {
        return await options.try(signal);
      } catch (error) {
        throw options.catch(error);
      }
    });
  }

  static runPromise<A, E>(effect: Effect<A, E>, signal: AbortSignal = new AbortController().signal): Promise<A> {
    return effect.start(signal);
  }
}

/** A local tool of effect-uai. */
export interface UaiTool<Input, Event, Output> {
  readonly _tag: "LocalTool";
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Standard<Input>;
  readonly run: (input: Input, emit: (event: Event) => Effect<void>) => Effect<Output, unknown>;
  readonly emitBufferSize?: number;
  readonly strict?: boolean;
}

/** What a model is told of a tool. */
export function uaiDescriptor(tool: UaiTool<unknown, unknown, unknown>): Record<string, unknown> {
  const { name, description, strict } = tool;
  return { name, description, strict, inputSchema: tool.inputSchema["~standard"].jsonSchema.input({ target: "draft-2020-12" }) };
}

/** What the executor gives for a call whose arguments are JSON: the output as JSON, or what went wrong; and what was emitted meanwhile. */
export async function uaiExecute(
  tool: UaiTool<unknown, unknown, unknown>,
  given: string,
  signal?: AbortSignal,
): Promise<{ output?: string; error?: unknown; events: unknown[] }> {
  const events: unknown[] = [];
  const checked = await tool.inputSchema["~standard"].validate(JSON.parse(given));
  if (checked.issues !== undefined) {
    return { error: checked.issues, events };
  }
  const emit = (event: unknown): Effect<void> =>
    new Effect(async () => {
      await Promise.resolve();
      events.push(event);
    });
  try {
    return { output: JSON.stringify(await Effect.runPromise(tool.run(checked.value, emit), signal)), events };
  } catch (error) {
    return { error, events };
  }
}
