/** The parts of definitions that stand beside the nodes. */

import { Type } from "./builder_types.js";
import {
  BuilderError,
  Filled,
  Ref,
  type Value,
  lowered,
} from "./builder_values.js";
import type { JsonObject, JsonValue } from "./codec.js";
import { PARTS } from "./parts.js";

/** What is known of a part. */
export interface PartData {
  /** Its key in the definition. */
  readonly name: string;
  /** What stands there. */
  readonly entry: JsonObject;
  /** The keys of the parts that it brings along. */
  readonly uses?: readonly string[];
  /** The projections that it brings along. */
  readonly projections?: JsonObject;
  /** The projections that it brings along where an agent is offered it. */
  readonly offered?: JsonObject;
  /** What an agent says about its requests where the step says nothing. */
  readonly settings?: JsonObject;
}

/** What a workflow uses. */
export interface Uses {
  readonly parts: Part[];
  readonly keys: string[];
}

/** A part that programs name. */
export class Part {
  /** `PACKAGE/SECTION/NAME`, or `SECTION/NAME` for what is built in. */
  readonly key: string;

  constructor(key: string) {
    this.key = key;
  }

  /** The name that it was declared with. */
  get name(): string {
    return this.key.slice(this.key.lastIndexOf("/") + 1);
  }

  /** What is known of it. */
  protected data(): PartData {
    return found(this.key);
  }
}

/** An event, or its topic, with the type of its payload. */
export class EventPart<P = unknown> extends Part {
  declare readonly part: "event";
  declare readonly payload: P;

  /** A payload as a definition has it. */
  given(payload: P): JsonValue {
    return lowered(payload as Value);
  }
}

/** A declared error. */
export class ErrorPart extends Part {
  declare readonly part: "error";
}

/** What is given to a tool, an agent or a workflow: values by the names of its parameters. */
export type Arguments<A> =
  | (keyof A extends never
      ? Readonly<Record<string, never>>
      : { readonly [K in keyof A]: Value })
  | Ref
  | Filled;

/** What is given arguments: a tool, an agent or a workflow. */
class Callee<A> extends Part {
  declare readonly args: A;

  /** Arguments as a definition has them. */
  given(word: string, args: Arguments<A>): JsonValue {
    const values = args as Value;
    if (!(values instanceof Ref || values instanceof Filled)) {
      this.#check(word, args);
    }
    return lowered(values);
  }

  /** Refuses arguments that it does not take, and too few of them. */
  #check(word: string, args: object): void {
    const { properties, required } = this.data().entry["input"] as {
      readonly properties: JsonObject;
      readonly required?: readonly string[];
    };
    for (const name of Object.keys(args)) {
      if (!Object.hasOwn(properties, name)) {
        const names = Object.keys(properties).map((known) => `\`${known}\``);
        throw new BuilderError(
          `\`${this.name}\` has no parameter \`${name}\`, it has ${names.join(", ") || "none"}`,
        );
      }
    }
    for (const name of required ?? []) {
      if (!Object.hasOwn(args, name)) {
        throw new BuilderError(
          `\`${word}\` of \`${this.name}\` lacks \`${name}\``,
        );
      }
    }
  }
}

/** A tool with the names of its arguments. */
export class ToolPart<A = unknown> extends Callee<A> {
  declare readonly part: "tool";
  declare readonly args: A;
}

/** An agent with the names of its arguments. */
export class AgentPart<A = unknown> extends Callee<A> {
  declare readonly part: "agent";
  declare readonly args: A;

  /** What it says about the time of its requests and about further attempts. */
  settings(): JsonObject {
    return this.data().settings ?? {};
  }
}

/** A workflow with the names of its input. */
export class WorkflowPart<A = unknown> extends Callee<A> {
  declare readonly part: "workflow";
  declare readonly args: A;

  /** The digest of its definition. */
  digest(): JsonValue {
    return this.data().entry["digest"] ?? null;
  }
}

/** A declared type. */
export class TypePart extends Type {
  constructor(key: string, name: string) {
    super({ $ref: `#/$defs/${name}` }, [key]);
  }
}

const read = new Map<string, PartData>();

function found(key: string): PartData {
  const text = Object.hasOwn(PARTS, key) ? PARTS[key] : undefined;
  if (text === undefined) {
    throw new BuilderError(
      `there is no \`${key}\`; generate the package again`,
    );
  }
  const data = read.get(key) ?? (JSON.parse(text) as PartData);
  read.set(key, data);
  return data;
}

function sectionOf(key: string): string {
  const parts = key.split("/");
  return parts.at(-2) ?? "";
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Both objects, and where they have the same keys, both of what stands there. */
function merged(one: JsonObject, other: JsonObject): JsonObject {
  const both = new Map<string, JsonValue>(Object.entries(one));
  for (const [key, value] of Object.entries(other)) {
    const held = both.get(key);
    both.set(
      key,
      isObject(held) && isObject(value) && !("schema" in value)
        ? merged(held, value)
        : value,
    );
  }
  return Object.fromEntries(both);
}

/** New names for the types of a definition: a declared name, unless several types that are there have it. */
function newNames(
  reached: ReadonlyMap<string, PartData>,
): ReadonlyMap<string, string> {
  const byName = new Map<string, Set<string>>();
  for (const [key, { name }] of reached) {
    if (sectionOf(key) === "$defs") {
      const declared = key.slice(key.lastIndexOf("/") + 1);
      byName.set(declared, (byName.get(declared) ?? new Set()).add(name));
    }
  }
  const names = new Map<string, string>();
  for (const [declared, [name, ...others]] of byName) {
    if (name !== undefined && name !== declared && others.length === 0) {
      names.set(name, declared);
    }
  }
  return names;
}

/** The same with these types called otherwise, wherever they are named. */
function renamed(
  value: JsonValue,
  names: ReadonlyMap<string, string>,
): JsonValue {
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item) => renamed(item, names));
  }
  if (!isObject(value)) {
    return value;
  }
  const entries = Object.entries(value).map(
    ([key, held]): [string, JsonValue] => {
      if (typeof held === "string" && (key === "$ref" || key === "at")) {
        return [
          key,
          held.replace(
            /^(#?\/\$defs\/)([^/]+)/,
            (_, start: string, name: string) =>
              start + (names.get(name) ?? name),
          ),
        ];
      }
      const inner = renamed(held, names);
      if (key !== "$defs" || !isObject(inner)) {
        return [key, inner];
      }
      return [
        key,
        Object.fromEntries(
          Object.entries(inner).map(([name, type]) => [
            names.get(name) ?? name,
            type,
          ]),
        ),
      ];
    },
  );
  return Object.fromEntries(entries);
}

/** A definition with all that its nodes and types reach. */
export function assembled(definition: JsonObject, uses: Uses): JsonObject {
  const open = [...uses.keys, ...uses.parts.map((part) => part.key)];
  const reached = new Map<string, PartData>();
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (!reached.has(key)) {
      const data = found(key);
      reached.set(key, data);
      open.push(...(data.uses ?? []));
    }
  }
  const sections = new Map<string, Map<string, JsonValue>>();
  let projections: JsonObject = {};
  for (const [key, data] of reached) {
    const section = sectionOf(key);
    const entries = sections.get(section) ?? new Map<string, JsonValue>();
    const other = entries.get(data.name);
    if (other !== undefined && other !== data.entry && section !== "$defs") {
      throw new BuilderError(
        `two of the ${section} that the workflow uses are called \`${data.name}\``,
      );
    }
    sections.set(section, entries.set(data.name, data.entry));
    projections = merged(projections, data.projections ?? {});
    for (const offer of section === "agents"
      ? ((data.entry["tools"] ?? []) as readonly JsonObject[])
      : []) {
      projections = merged(projections, offered(offer, reached));
    }
  }
  const { nodes = [], ...head } = definition;
  const made: JsonObject = {
    ...head,
    ...Object.fromEntries(
      [...sections].map(([section, entries]) => [
        section,
        Object.fromEntries(entries),
      ]),
    ),
    ...(Object.keys(projections).length === 0 ? {} : { projections }),
  };
  const names = newNames(reached);
  return {
    ...(names.size === 0 ? made : (renamed(made, names) as JsonObject)),
    nodes,
  };
}

/** The projections of what an agent is offered. */
function offered(
  offer: JsonObject,
  reached: ReadonlyMap<string, PartData>,
): JsonObject {
  for (const [kind, section] of [
    ["tool", "tools"],
    ["agent", "agents"],
    ["workflow", "workflows"],
  ] as const) {
    const name = offer[kind];
    if (name !== undefined) {
      const same = [...reached].find(
        ([key, data]) => sectionOf(key) === section && data.name === name,
      );
      return same?.[1].offered ?? {};
    }
  }
  return {};
}
