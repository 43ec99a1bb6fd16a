/** What builders write values with: references and texts. */

import { Expr, readText } from "./builder_guards.js";
import type { JsonObject, JsonValue } from "./codec.js";
import type { ValueType } from "./values.js";

/** The types of values in conditions. */
export type Kind = ValueType;

/** A length of time. */
export interface Time {
  readonly days?: number;
  readonly hours?: number;
  readonly minutes?: number;
  readonly seconds?: number;
}

/** A mistake in a program that builds a workflow. */
export class BuilderError extends Error {
  override readonly name = "BuilderError";
}

/** A length of time as a definition has it: `PT1M30S`. */
export function timeText(time: Time): string {
  const { days = 0, hours = 0, minutes = 0, seconds = 0 } = time;
  const total = Math.round(
    (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000,
  );
  if (!Number.isSafeInteger(total) || total < 0) {
    throw new BuilderError(`${JSON.stringify(time)} is no length of time`);
  }
  const [h, m, rest] = [
    Math.floor(total / 3_600_000),
    Math.floor((total % 3_600_000) / 60_000),
    total % 60_000,
  ];
  const s = rest > 0 || total === 0 ? `${String(rest / 1000)}S` : "";
  return `PT${h > 0 ? `${String(h)}H` : ""}${m > 0 ? `${String(m)}M` : ""}${s}`;
}

/** A step of a path. */
export type PathStep =
  | {
      readonly key: string;
      readonly how: "field" | "loose";
      readonly maybe: boolean;
    }
  | {
      readonly key: string;
      readonly how: "entry";
      readonly maybe: boolean;
      readonly present: boolean;
      readonly nullable: boolean;
    }
  | { readonly index: number; readonly maybe: boolean }
  | { readonly all: true; readonly maybe: boolean };

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Whether a text is a name. */
export function isName(text: string): boolean {
  return NAME.test(text);
}

/** What is known of an entry of a map. */
export interface EntryNotes {
  /** It has been asked for before and is there. */
  readonly present?: boolean;
  /** Its type has null. */
  readonly nullable?: boolean;
}

/** A value that is read when the workflow runs. */
export class Ref {
  readonly root: string;
  readonly steps: readonly PathStep[];
  /** Whether it is the element of an `exists` or `forAll` around. */
  readonly bound: boolean;
  readonly #maybe: boolean;

  constructor(
    root: string,
    steps: readonly PathStep[] = [],
    bound = false,
    maybe = false,
  ) {
    this.root = root;
    this.steps = steps;
    this.bound = bound;
    this.#maybe = maybe;
  }

  #then(...steps: PathStep[]): Ref {
    return new Ref(this.root, [...this.steps, ...steps], this.bound);
  }

  /** What stands in it under these names, one in the other; a number is the place of an element. */
  at(...keys: readonly (string | number)[]): Ref {
    const step = (key: string | number, index: number): PathStep => {
      const maybe = index === 0 && this.#maybe;
      return typeof key === "number"
        ? { index: key, maybe }
        : { key, how: "field", maybe };
    };
    return this.#then(...keys.map(step));
  }

  /** What stands in it under a name that nobody declared: an entry of a map. */
  entry(key: string, notes: EntryNotes = {}): Ref {
    const { present = false, nullable = false } = notes;
    return this.#then({
      key,
      how: "entry",
      maybe: this.#maybe,
      present,
      nullable,
    });
  }

  /** What stands in it under a name if it is an object at all, as in a value of type `json`. */
  loose(key: string): Ref {
    return this.#then({ key, how: "loose", maybe: this.#maybe });
  }

  /** The same; what is read from it may be absent. */
  get maybe(): Ref {
    return new Ref(this.root, this.steps, this.bound, true);
  }

  /** All answers of a step, and what is read from each of them. */
  get all(): Ref {
    return this.#then({ all: true, maybe: this.#maybe });
  }

  /** This value, or another one where it is absent or null. */
  orElse(fallback: JsonValue): Filled {
    return new Filled(this, fallback);
  }

  /** This value in a condition, with its type. */
  as(kind: Kind): Expr {
    const segments = this.steps.map((step): JsonValue =>
      "key" in step ? step.key : "index" in step ? step.index : { all: true },
    );
    const path: JsonObject = segments.length > 0 ? { path: segments } : {};
    const tree: JsonObject = this.bound
      ? { var: this.root, ...path, type: kind }
      : { path: [this.root, ...segments], type: kind };
    return new Expr(
      tree,
      kind,
      kind === "decimal" ? undefined : readText(this),
      this,
    );
  }

  /** The path as a definition has it. */
  pathText(): string {
    const first = isName(this.root)
      ? `.${this.root}`
      : `.[${JSON.stringify(this.root)}]`;
    const steps = this.steps.map((step) => {
      const mark = step.maybe ? "?" : "";
      if ("key" in step) {
        return (
          mark +
          (isName(step.key) ? `.${step.key}` : `[${JSON.stringify(step.key)}]`)
        );
      }
      return "index" in step ? `${mark}[${String(step.index)}]` : `${mark}[]`;
    });
    return first + steps.join("");
  }

  /** The placeholder as a definition has it. */
  placeholder(): string {
    return `{{${this.pathText()}}}`;
  }
}

/** A value with another one in its place where it is absent or null. */
export class Filled {
  readonly ref: Ref;
  readonly fallback: JsonValue;

  constructor(ref: Ref, fallback: JsonValue) {
    this.ref = ref;
    this.fallback = fallback;
  }

  /** The placeholder as a definition has it. */
  placeholder(): string {
    return `{{${this.ref.pathText()} ?? ${JSON.stringify(this.fallback)}}}`;
  }
}

/** A text in which values are filled in. */
export class Text {
  readonly template: string;

  constructor(template: string) {
    this.template = template;
  }
}

function escaped(text: string): string {
  return text.replaceAll("{{", '{{"{{"}}');
}

/** A text in which values are filled in: ``text`Hello ${input.at("name")}` ``. */
export function text(
  words: TemplateStringsArray,
  ...values: readonly (Ref | Filled)[]
): Text {
  const parts = words.map((raw, index) => {
    const word = escaped(raw);
    const value = values[index];
    if (value === undefined) {
      return word;
    }
    // A brace that stood right before a placeholder would be taken for its first one.
    return (
      (word.endsWith("{") ? `${word.slice(0, -1)}{{"{"}}` : word) +
      value.placeholder()
    );
  });
  return new Text(parts.join(""));
}

/** A value that a workflow writes: JSON with values and texts in it. */
export type Value =
  | null
  | boolean
  | number
  | string
  | Ref
  | Filled
  | Text
  | readonly Value[]
  | { readonly [key: string]: Value | undefined };

/** A value as a definition has it. */
export function lowered(value: Value): JsonValue {
  if (value instanceof Ref || value instanceof Filled) {
    return value.placeholder();
  }
  if (value instanceof Text) {
    return value.template;
  }
  if (typeof value === "string") {
    return escaped(value);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if (Array.isArray(value)) {
    return (value as readonly Value[]).map(lowered);
  }
  const entries = Object.entries(value).flatMap(
    ([key, held]): [string, JsonValue][] =>
      held === undefined ? [] : [[key, lowered(held)]],
  );
  return Object.fromEntries(entries);
}
