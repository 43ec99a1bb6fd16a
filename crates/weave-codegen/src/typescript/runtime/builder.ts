/**
 * Builders: programs that put the definitions of workflows together. What nodes reach beside them comes from the generated `parts`, so that
 * the definition is the one that the compiler writes for the same workflow in a `.weave` file.
 */

import type { Expr } from "./builder_guards.js";
import type {
  AgentPart,
  ErrorPart,
  EventPart,
  ToolPart,
  WorkflowPart,
} from "./builder_parts.js";
import {
  type Arguments,
  type Part,
  type Uses,
  assembled,
} from "./builder_parts.js";
import { type Fields, type Type, nothing, record } from "./builder_types.js";
import {
  BuilderError,
  Filled,
  Ref,
  Text,
  type Time,
  type Value,
  isName,
  lowered,
  timeText,
} from "./builder_values.js";
import { type JsonObject, type JsonValue, canonical } from "./codec.js";
import type { FailureKind } from "./tools.js";

export * from "./builder_guards.js";
export {
  AgentPart,
  type Arguments,
  ErrorPart,
  EventPart,
  type Part,
  ToolPart,
  TypePart,
  WorkflowPart,
} from "./builder_parts.js";
export {
  BuilderError,
  Filled,
  type Kind,
  Ref,
  Text,
  type Time,
  type Value,
  text,
} from "./builder_values.js";
export type { FailureKind } from "./tools.js";
export * as t from "./builder_types.js";

/** What fires a node. */
export class Trigger {
  readonly source: JsonValue;
  readonly steps: readonly Step[];
  readonly parts: readonly Part[];
  readonly condition: {
    readonly when?: Expr;
    readonly also?: true;
    readonly else?: true;
  };
  /** The steps of a join, which stand in the order of the nodes. */
  readonly join: string | undefined;

  constructor(
    source: JsonValue,
    steps: readonly Step[] = [],
    parts: readonly Part[] = [],
    condition: Trigger["condition"] = {},
    join?: string,
  ) {
    this.source = source;
    this.steps = steps;
    this.parts = parts;
    this.condition = condition;
    this.join = join;
  }
}

/** What can fire a node: a trigger, the answer of a step, an event. */
export type On = Trigger | Step | EventPart;

function triggerOf(on: On): Trigger {
  if (on instanceof Trigger) {
    return on;
  }
  return on instanceof Step
    ? new Trigger(on.id, [on])
    : new Trigger(on.name, [], [on]);
}

function conditional(on: On, condition: Trigger["condition"]): Trigger {
  const trigger = triggerOf(on);
  if (Object.keys(trigger.condition).length > 0) {
    throw new BuilderError("a trigger has one condition at most");
  }
  return new Trigger(
    trigger.source,
    trigger.steps,
    trigger.parts,
    condition,
    trigger.join,
  );
}

/** A member of the choice: of those that listen to the same, the first one fires whose condition is true. */
export function when(on: On, condition: Expr): Trigger {
  return conditional(on, { when: condition });
}

/** Fires whenever the condition is true, whoever else does. */
export function alsoWhen(on: On, condition: Expr): Trigger {
  return conditional(on, { when: condition, also: true });
}

/** Fires if no member of the choice did. */
export function otherwise(on: On): Trigger {
  return conditional(on, { else: true });
}

/** The start of the run. */
export function start(): Trigger {
  return new Trigger("start");
}

/** This topic, as an answer to a step. */
export function answer(topic: EventPart, from: Step): Trigger {
  return new Trigger({ topic: topic.name, from: from.id }, [from], [topic]);
}

/** The agent of a step calls a tool. */
export function called(
  tool: ToolPart | AgentPart | WorkflowPart,
  from: Step,
): Trigger {
  return new Trigger({ tool: tool.name, from: from.id }, [from], [tool]);
}

function joined(
  kind: string,
  more: JsonObject,
  steps: readonly Step[],
  per: Step | undefined,
): Trigger {
  const fork: JsonObject = per === undefined ? {} : { per: per.id };
  return new Trigger(
    { ...more, ...fork },
    per === undefined ? steps : [...steps, per],
    [],
    {},
    kind,
  );
}

/** All of these steps have answered; for each firing of the fork, if they have one. */
export function allOf(steps: readonly Step[], per?: Step): Trigger {
  return joined("all", { all: steps.map((step) => step.id) }, steps, per);
}

/** So many of these steps have answered. */
export function someOf(
  count: number,
  steps: readonly Step[],
  per?: Step,
): Trigger {
  if (count < 1 || count > steps.length) {
    throw new BuilderError(
      `${String(count)} of ${String(steps.length)} steps cannot be`,
    );
  }
  return joined("of", { count, of: steps.map((step) => step.id) }, steps, per);
}

/** Each of these steps has answered or failed. */
export function settled(steps: readonly Step[], per?: Step): Trigger {
  return joined(
    "settled",
    { settled: steps.map((step) => step.id) },
    steps,
    per,
  );
}

/** A step has failed, after its retries. */
export function failed(step: Step): Trigger {
  return new Trigger({ failure: step.id }, [step]);
}

/** Any failure that no other node takes. */
export function anyFailure(): Trigger {
  return new Trigger({ failure: "*" });
}

/** A step has not answered in this time. */
export function timedOut(step: Step, after: Time): Trigger {
  return new Trigger({ timeout: timeText(after), from: step.id }, [step]);
}

/** So much time has passed since the start of the run. */
export function runTimedOut(after: Time): Trigger {
  return new Trigger({ timeout: timeText(after) });
}

/** What a node does. */
export class Action {
  readonly keys: JsonObject;
  readonly parts: readonly Part[];
  readonly steps: readonly Step[];
  /** The settings of the agent that is asked. */
  readonly agent: AgentPart | undefined;

  constructor(
    keys: JsonObject,
    parts: readonly Part[] = [],
    steps: readonly Step[] = [],
    agent?: AgentPart,
  ) {
    this.keys = keys;
    this.parts = parts;
    this.steps = steps;
    this.agent = agent;
  }

  /** The built-in topic that it emits. */
  get topic(): string | undefined {
    const { emit: topic } = this.keys;
    return typeof topic === "string" &&
      !this.parts.some((part) => part.name === topic)
      ? topic
      : undefined;
  }
}

/** Emits an event; it is answered if its topic has answers. */
export function emit<P>(topic: EventPart<P>, payload: NoInfer<P>): Action {
  return new Action({ emit: topic.name, payload: topic.given(payload) }, [
    topic,
  ]);
}

/** Calls a tool. */
export function call<A>(
  tool: ToolPart<A>,
  args: NoInfer<Arguments<A>>,
): Action {
  return new Action(
    {
      emit: "tool.dispatch",
      payload: { name: tool.name, args: tool.given("call", args) },
    },
    [tool],
  );
}

/** Asks an agent. */
export function ask<A>(
  agent: AgentPart<A>,
  args: NoInfer<Arguments<A>>,
): Action {
  return new Action(
    {
      emit: "ai.request",
      payload: { agent: agent.name, args: agent.given("ask", args) },
    },
    [agent],
    [],
    agent,
  );
}

/** Runs another workflow. */
export function run<A>(
  workflow: WorkflowPart<A>,
  input: NoInfer<Arguments<A>>,
): Action {
  const payload = {
    workflow: workflow.name,
    digest: workflow.digest(),
    input: workflow.given("run", input),
  };
  return new Action({ emit: "workflow.start", payload }, [workflow]);
}

function isTime(time: Time | Ref): time is Time {
  return !(time instanceof Ref);
}

/** Waits for a time. */
export function wait(time: Time | Ref): Action {
  return new Action({
    emit: "timer.set",
    payload: { after: isTime(time) ? timeText(time) : time.placeholder() },
  });
}

/** Waits until a moment. */
export function waitUntil(moment: string | Ref | Filled | Text): Action {
  return new Action({ emit: "timer.set", payload: { at: lowered(moment) } });
}

/** Waits for one of these events, for which the condition is true. */
export function receive(
  topics: readonly EventPart[],
  condition?: Expr,
): Action {
  const names = [...new Set(topics.map((topic) => topic.name))].sort();
  return new Action(
    {
      await: names,
      ...(condition === undefined ? {} : { match: condition.guard() }),
    },
    topics,
  );
}

/** Closes steps that are open. */
export function cancel(steps: readonly Step[]): Action {
  return new Action({ cancel: steps.map((step) => step.id) }, [], steps);
}

/** Answers at once with a value. */
export function value(output: Value): Action {
  return new Action({ output: lowered(output) });
}

/** What happens after a failed attempt. */
export interface Retry {
  /** How many further attempts there are. */
  readonly max: number;
  readonly backoff?: "linear" | "exponential";
  /** The first pause. */
  readonly base?: Time;
  /** The longest pause. */
  readonly cap?: Time;
  /** What is tried again. A child run fails with the names of its own nodes, which stand in `codes`. */
  readonly on?: readonly (ErrorPart | FailureKind)[];
  readonly codes?: readonly string[];
}

/** So many further attempts after a failed one. */
export function retry(max: number, more: Omit<Retry, "max"> = {}): Retry {
  return { max, ...more };
}

function retryOf(retry: Retry): JsonObject {
  const { max, backoff, base, cap, on = [], codes = [] } = retry;
  if (!Number.isInteger(max) || max < 0) {
    throw new BuilderError(`${String(max)} is no number of attempts`);
  }
  const listed = new Set([
    ...on.map((code) => (typeof code === "string" ? code : code.name)),
    ...codes,
  ]);
  return {
    max,
    ...(backoff === undefined ? {} : { backoff }),
    ...(base === undefined ? {} : { base: timeText(base) }),
    ...(cap === undefined ? {} : { cap: timeText(cap) }),
    ...(listed.size === 0 ? {} : { on: [...listed].sort() }),
  };
}

/** A fan-out over a list. */
export interface Each {
  readonly list: Ref;
  readonly name: string;
  /** How many are open at a time. */
  readonly parallel?: number;
  /** How many must succeed. */
  readonly min?: number;
}

/** A fan-out over a list; `element` with the same name reads the element. */
export function each(
  list: Ref,
  name: string,
  bounds: Pick<Each, "parallel" | "min"> = {},
): Each {
  if (!isName(name)) {
    throw new BuilderError(`\`${name}\` is not a name`);
  }
  return { list, name, ...bounds };
}

/** The element of a fan-out. */
export function element(name: string): Ref {
  return new Ref(name);
}

/** What is said of every node. */
interface NodeOptions {
  /** What fires it; nothing: the start of the run. */
  readonly on?: On | readonly On[];
  readonly description?: string;
  /** How often it fires in a run at most. */
  readonly limit?: number;
}

/** What is said of a step. */
export interface StepOptions extends NodeOptions {
  readonly do: Action;
  readonly each?: Each;
  /** How long an attempt may take. */
  readonly timeout?: Time;
  readonly retry?: Retry;
  /** The steps whose exchanges the request continues. */
  readonly history?: readonly Step[];
}

/** What is said of an end. */
export interface EndOptions extends NodeOptions {
  readonly output?: Value;
}

/** What is said of a failure of the run. */
export interface FailOptions extends NodeOptions {
  readonly message?: string | Text | Ref | Filled;
}

const RESERVED: ReadonlySet<string> = new Set([
  "start",
  "event",
  "failure",
  "input",
  "response",
  "result",
]);

/** A node. What it does is said when it is made, or later by `is`, so that nodes before it can name it. */
export class Node<O extends NodeOptions> {
  readonly id: string;
  readonly #made: (options: O) => void;

  constructor(id: string, made: (options: O) => void) {
    this.id = id;
    this.#made = made;
  }

  /** Says what fires it and what it does. */
  is(options: O): this {
    this.#made(options);
    return this;
  }
}

/** A step: a node whose answer others read and listen to. */
export class Step extends Node<StepOptions> {
  readonly workflow: Workflow;
  /** Its latest answer. */
  readonly answer: Ref;

  constructor(
    workflow: Workflow,
    id: string,
    made: (options: StepOptions) => void,
  ) {
    super(id, made);
    this.workflow = workflow;
    this.answer = new Ref(id);
  }

  /** What stands in its answer under these names. */
  at(...keys: readonly (string | number)[]): Ref {
    return this.answer.at(...keys);
  }

  /** Its answer, which may be absent. */
  get maybe(): Ref {
    return this.answer.maybe;
  }

  /** All its answers. */
  get all(): Ref {
    return this.answer.all;
  }
}

/** What is said of a workflow. */
export interface WorkflowOptions {
  readonly input?: Fields;
  readonly output?: Type;
  readonly title?: string;
  readonly description?: string;
  readonly deprecated?: string;
  readonly version?: string;
  /** How long a run may take. */
  readonly timeout?: Time;
  readonly meta?: JsonObject;
}

/** The value that fired a node. */
export const event: Ref = new Ref("event");
/** The event of a plain `ai.response`. */
export const response: Ref = new Ref("response");
/** The event of a plain `tool.result`. */
export const result: Ref = new Ref("result");
/** The failure that fired a node. */
export const failure: Ref = new Ref("failure");

/** A workflow that is put together: its name, and what is said of it. */
export function workflow(
  name: string,
  options: WorkflowOptions = {},
): Workflow {
  return new Workflow(name, options);
}

/** A workflow that is put together. */
export class Workflow {
  readonly name: string;
  /** The input of the run. */
  readonly input: Ref = new Ref("input");
  readonly #options: WorkflowOptions;
  readonly #nodes = new Map<string, JsonObject | undefined>();
  readonly #said = new Set<string>();
  readonly #uses: Uses = { parts: [], keys: [] };
  #ends = false;

  constructor(name: string, options: WorkflowOptions = {}) {
    if (!isName(name)) {
      throw new BuilderError(`\`${name}\` is not a name`);
    }
    this.name = name;
    this.#options = options;
  }

  /** A step. The order of nodes decides between them. */
  step(id: string, options?: StepOptions): Step {
    if (RESERVED.has(id)) {
      throw new BuilderError(
        `\`${id}\` is reserved and cannot be the name of a step`,
      );
    }
    this.#add(id, undefined);
    const step = new Step(this, id, (said) => {
      this.#define(id, said, () => this.#stepKeys(said));
    });
    return options === undefined ? step : step.is(options);
  }

  /** An end of the run. */
  end(id: string, options?: EndOptions): Node<EndOptions> {
    this.#ends = true;
    this.#add(id, { id, terminal: true });
    const node = new Node<EndOptions>(id, (said) => {
      this.#define(id, said, () => ({
        ...(said.output === undefined ? {} : { output: lowered(said.output) }),
        terminal: true,
      }));
    });
    return options === undefined ? node : node.is(options);
  }

  /** An end with which the run fails; the id is the code of the failure. */
  fail(id: string, options?: FailOptions): Node<FailOptions> {
    this.#ends = true;
    this.#add(id, { id, terminal: true, outcome: "failed" });
    const node = new Node<FailOptions>(id, (said) => {
      const message =
        said.message === undefined ? {} : { message: lowered(said.message) };
      this.#define(id, said, () => ({
        terminal: true,
        outcome: "failed",
        ...message,
      }));
    });
    return options === undefined ? node : node.is(options);
  }

  #add(id: string, node: JsonObject | undefined): void {
    if (!isName(id)) {
      throw new BuilderError(`\`${id}\` is not a name`);
    }
    if (this.#nodes.has(id)) {
      throw new BuilderError(`\`${id}\` is the name of two nodes`);
    }
    this.#nodes.set(id, node);
  }

  #define(id: string, said: NodeOptions, keys: () => JsonObject): void {
    if (this.#said.has(id)) {
      throw new BuilderError(`what \`${id}\` does has been said already`);
    }
    this.#said.add(id);
    const { description, limit, on = [] } = said;
    const triggers = (
      on instanceof Trigger || on instanceof Step || !Array.isArray(on)
        ? [on as On]
        : (on as readonly On[])
    ).map(triggerOf);
    if (limit !== undefined && (!Number.isInteger(limit) || limit < 1)) {
      throw new BuilderError(
        `the limit of \`${id}\` is ${String(limit)}, and it is 1 at least`,
      );
    }
    this.#nodes.set(id, {
      id,
      ...(description === undefined ? {} : { description }),
      ...this.#triggers(triggers),
      ...(limit === undefined ? {} : { limit }),
      ...keys(),
    });
  }

  #use(steps: readonly Step[], parts: readonly Part[]): void {
    for (const step of steps) {
      if (step.workflow !== this) {
        throw new BuilderError(
          `\`${step.id}\` is a step of \`${step.workflow.name}\`, not of \`${this.name}\``,
        );
      }
    }
    this.#uses.parts.push(...parts);
  }

  #triggers(triggers: readonly Trigger[]): JsonObject {
    const written = triggers.map((trigger) => {
      this.#use(trigger.steps, trigger.parts);
      const { when: guard, ...flags } = trigger.condition;
      return {
        on: this.#source(trigger),
        condition: {
          ...(guard === undefined ? {} : { when: guard.guard() }),
          ...flags,
        },
      };
    });
    const [only, ...others] = written;
    if (only === undefined) {
      return {};
    }
    if (others.length === 0) {
      // A node without `on` fires at the start.
      return only.on === "start"
        ? only.condition
        : { on: only.on, ...only.condition };
    }
    const bare = ({ on, condition }: (typeof written)[number]): JsonValue =>
      Object.keys(condition).length === 0 ? on : { on, ...condition };
    return { on: { any: written.map(bare) } };
  }

  /** The members of a join stand in the order of the nodes: joins of the same steps are one trigger. */
  #source(trigger: Trigger): JsonValue {
    const { join, source } = trigger;
    if (join === undefined) {
      return source;
    }
    const order = [...this.#nodes.keys()];
    const members = (source as JsonObject)[join] as readonly string[];
    const sorted = [...members].sort(
      (one, other) => order.indexOf(one) - order.indexOf(other),
    );
    return { ...(source as JsonObject), [join]: sorted };
  }

  #stepKeys(said: StepOptions): JsonObject {
    const { do: action, each, timeout, retry, history = [] } = said;
    this.#use([...action.steps, ...history], action.parts);
    this.#uses.parts.push(
      ...(retry?.on ?? []).filter((code) => typeof code !== "string"),
    );
    if (action.topic !== undefined) {
      this.#uses.keys.push(`events/${action.topic}`);
    }
    const fanOut = each && {
      in: each.list.placeholder(),
      as: each.name,
      ...(each.parallel === undefined ? {} : { parallel: each.parallel }),
      ...(each.min === undefined ? {} : { min: each.min }),
    };
    const settings = action.agent?.settings() ?? {};
    return {
      ...(fanOut === undefined ? {} : { each: fanOut }),
      ...action.keys,
      ...settings,
      ...(timeout === undefined ? {} : { timeout: timeText(timeout) }),
      ...(retry === undefined ? {} : { retry: retryOf(retry) }),
      ...(history.length === 0
        ? {}
        : { history: history.map((step) => step.id) }),
    };
  }

  /** The definition: what a `.weave` file with this workflow compiles to. */
  definition(): JsonObject {
    const nodes = [...this.#nodes].map(([id, node]) => {
      if (node === undefined) {
        throw new BuilderError(`nobody has said what \`${id}\` does`);
      }
      return node;
    });
    if (nodes.length === 0) {
      throw new BuilderError(
        `\`${this.name}\` has no nodes, and a workflow has one at least`,
      );
    }
    if (!this.#ends) {
      throw new BuilderError(
        `\`${this.name}\` has neither an end nor a fail, so no run of it comes to an end`,
      );
    }
    const {
      input = {},
      output = nothing(),
      timeout,
      meta = {},
      ...said
    } = this.#options;
    const taken = record(input);
    const uses: Uses = {
      parts: this.#uses.parts,
      keys: [...this.#uses.keys, ...taken.uses, ...output.uses],
    };
    const definition: JsonObject = {
      weave: "1",
      workflow: this.name,
      ...(said as JsonObject),
      ...(timeout === undefined ? {} : { timeout: timeText(timeout) }),
      input: taken.schema,
      output: output.schema,
      nodes,
      ...(Object.keys(meta).length === 0 ? {} : { meta }),
    };
    return assembled(definition, uses);
  }

  /** The canonical form of the definition, of which the digest is taken. */
  canonical(): string {
    return canonical(this.definition());
  }

  /** The digest of the definition. */
  async digest(): Promise<string> {
    const bytes = await crypto.subtle.digest(
      "SHA-256",
      new TextEncoder().encode(this.canonical()),
    );
    return `sha256:${[...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  }
}
