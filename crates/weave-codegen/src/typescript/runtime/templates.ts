/** Templates of a definition: read once, and filled in with values. */

import {
  type JsonObject,
  type JsonValue,
  ValidationError,
  canonical,
  isObject,
} from "./codec.js";
import { DEEPEST_TREE } from "./guard.js";
import { type Scope, type Segment, isDeeper, readPath } from "./paths.js";
import { EvaluationError, fail } from "./values.js";

/** What stands in braces: where a value lies, and what takes its place if it is absent or null. */
interface Slot {
  readonly path: readonly Segment[];
  readonly fallback?: JsonValue;
}

const OPEN = "{{";
const QUOTED_OPEN = '{{"{{"}}';
const QUOTED_BRACE = '{{"{"}}';
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const INDEX = /0|[1-9][0-9]{0,9}/y;
const TEXT = /"[^"\\\0-\x1f]*(?:\\.[^"\\\0-\x1f]*)*"/y;
const TOKEN =
  /"[^"\\\0-\x1f]*(?:\\.[^"\\\0-\x1f]*)*"|[[\]{}:,]|true|false|null|-?[0-9][0-9.eE+-]*/y;

/** The default of a placeholder is no deeper: readers of JSON bound the depth of values. */
const DEEPEST_DEFAULT = 127;

/** Values that no schema fits have no text. */
const DEEPEST_TEXT = 512;

/** Reads one template. Each has exactly one text, and no other text of it is read. */
class Reader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  parts(): readonly (string | Slot)[] {
    const parts: (string | Slot)[] = [];
    while (this.at < this.text.length) {
      const start = this.at;
      const said = this.words();
      const isBeforeSlot = this.at < this.text.length;
      const written = said.replaceAll(OPEN, QUOTED_OPEN);
      // A brace that stood right before a placeholder would be taken for its first one.
      const only =
        isBeforeSlot && written.endsWith("{")
          ? written.slice(0, -1) + QUOTED_BRACE
          : written;
      if (only !== this.text.slice(start, this.at)) {
        return this.refuse(
          "is a template that is not written in its one form",
          start,
        );
      }
      if (said !== "") {
        parts.push(said);
      }
      if (isBeforeSlot) {
        parts.push(this.slot());
      }
    }
    return parts;
  }

  /** What stands there as it is, up to the next placeholder. */
  private words(): string {
    const said: string[] = [];
    while (this.at < this.text.length) {
      const open = this.text.indexOf(OPEN, this.at);
      const end = open < 0 ? this.text.length : open;
      said.push(this.text.slice(this.at, end));
      this.at = end;
      if (this.takes(QUOTED_OPEN)) {
        said.push(OPEN);
      } else if (this.takes(QUOTED_BRACE)) {
        said.push("{");
      } else {
        break;
      }
    }
    return said.join("");
  }

  private slot(): Slot {
    const start = this.at;
    this.at += OPEN.length;
    if (!this.takes(".")) {
      return this.refuse(
        'has a `{{` that opens no placeholder; a path begins with a dot, and a literal `{{` is written `{{"{{"}}`',
        start,
      );
    }
    const root = this.text[this.at] === "[" ? this.bracket() : this.found(NAME);
    if (typeof root !== "string") {
      return this.refuse(
        "has a path that does not begin with the name of a root",
        start,
      );
    }
    const path: Segment[] = [root];
    for (let next = this.step(); next !== undefined; next = this.step()) {
      path.push(next);
    }
    const fallback = this.takes(" ?? ") ? this.json() : undefined;
    if (!this.takes("}}")) {
      return this.refuse("has a placeholder that is not closed by `}}`", start);
    }
    return { path, ...(fallback === undefined ? {} : { fallback }) };
  }

  private step(): Segment | undefined {
    const start = this.at;
    this.takes("?");
    if (this.takes(".")) {
      return this.found(NAME) ?? this.refuse("has a dot without a name", start);
    }
    if (this.text[this.at] === "[") {
      return this.bracket();
    }
    this.at = start;
    return undefined;
  }

  /** `[]`, `[0]` or `["any key"]`. */
  private bracket(): Segment {
    const start = this.at;
    this.at += 1;
    if (this.takes("]")) {
      return { all: true };
    }
    const key = this.found(TEXT);
    const segment = key === undefined ? this.found(INDEX) : unquoted(key);
    const is = (found: string): boolean =>
      key === undefined ? Number(found) < 2 ** 32 : !isName(found);
    if (segment === undefined || !is(segment) || !this.takes("]")) {
      return this.refuse(
        'has brackets with something else than an index or a key that needs them: `[0]`, `["any key"]`, `[]`',
        start,
      );
    }
    return key === undefined ? Number(segment) : segment;
  }

  /** A JSON value without space in it. */
  private json(): JsonValue {
    const start = this.at;
    let [depth, deepest, keys] = [0, 0, 0];
    for (let isOpen = true; isOpen; isOpen = depth > 0) {
      const token = this.found(TOKEN);
      if (
        token === undefined ||
        (token.startsWith('"') && unquoted(token) === undefined)
      ) {
        return this.refuse(
          "has a `??` that is not followed by JSON without spaces",
          start,
        );
      }
      depth +=
        token === "[" || token === "{"
          ? 1
          : token === "]" || token === "}"
            ? -1
            : 0;
      deepest = Math.max(deepest, depth);
      keys += token === ":" ? 1 : 0;
    }
    const found =
      deepest <= DEEPEST_DEFAULT
        ? parsed(this.text.slice(start, this.at))
        : undefined;
    return found !== undefined && entries(found) === keys
      ? found
      : this.refuse(
          "has a `??` that is not followed by JSON, or by JSON with a key that is there twice",
          start,
        );
  }

  private takes(wanted: string): boolean {
    const isNext = this.text.startsWith(wanted, this.at);
    this.at += isNext ? wanted.length : 0;
    return isNext;
  }

  private found(form: RegExp): string | undefined {
    form.lastIndex = this.at;
    const found = form.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  private refuse(message: string, at: number): never {
    throw new ValidationError({
      message: `${message} (at character ${String(at)})`,
      path: [],
    });
  }
}

function isName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text);
}

/** A text behind its JSON, if that is in its one form. */
function unquoted(token: string): string | undefined {
  const text = parsed(token);
  return typeof text === "string" && JSON.stringify(text) === token
    ? text
    : undefined;
}

function parsed(text: string): JsonValue | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isFinite(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isFinite(value: JsonValue): boolean {
  return typeof value === "object" && value !== null
    ? Object.values(value).every(isFinite)
    : typeof value !== "number" || Number.isFinite(value);
}

/** How many entries the objects in a value have. */
function entries(value: JsonValue): number {
  if (typeof value !== "object" || value === null) {
    return 0;
  }
  const inner = Object.values(value as JsonObject).reduce(
    (sum: number, entry) => sum + entries(entry),
    0,
  );
  return inner + (Array.isArray(value) ? 0 : Object.keys(value).length);
}

function filled({ path, fallback }: Slot, scope: Scope): JsonValue | undefined {
  const found = readPath(path, scope);
  return fallback !== undefined && (found === undefined || found === null)
    ? fallback
    : found;
}

/** A template that was read once and can be filled in often. */
export class Template {
  private readonly parts: readonly (string | Slot)[];

  private constructor(parts: readonly (string | Slot)[]) {
    this.parts = parts;
  }

  /** Reads a template; throws a `ValidationError` that says where it is none. */
  static parse(text: string): Template {
    return new Template(new Reader(text).parts());
  }

  /**
   * What it yields: the value itself where it is one placeholder and nothing else, and text in every other case. Nothing if that is absent.
   * Throws an `EvaluationError` if a value in a text is nested too deeply.
   */
  render(scope: Scope): JsonValue | undefined {
    const [only, ...others] = this.parts;
    return only !== undefined && typeof only !== "string" && others.length === 0
      ? filled(only, scope)
      : this.text(scope);
  }

  /** What it says as text, also where it is one placeholder: strings as they are, everything else as JSON; what is absent is empty. */
  text(scope: Scope): string {
    const texts = this.parts.map((part) => {
      const value = typeof part === "string" ? part : filled(part, scope);
      if (typeof value === "object" && isDeeper(value, DEEPEST_TEXT)) {
        return fail(
          "too_deep",
          `a value in a text is nested deeper than ${String(DEEPEST_TEXT)} levels`,
        );
      }
      return typeof value === "string"
        ? value
        : value === undefined
          ? ""
          : canonical(value);
    });
    try {
      return texts.join("");
    } catch (error) {
      // Texts have a bound in every engine.
      throw error instanceof RangeError
        ? new EvaluationError("too_much_work", error.message)
        : error;
    }
  }
}

type Filling =
  | { readonly template: Template }
  | { readonly items: readonly Filling[] }
  | { readonly entries: readonly (readonly [string, Filling])[] }
  | { readonly value: JsonValue };

/** A payload or output of a definition, in which every string is a template, at any depth; keys stay as they are. */
export class Payload {
  private readonly filling: Filling;

  private constructor(filling: Filling) {
    this.filling = filling;
  }

  /** Reads a payload; throws a `ValidationError` with the path of a string that is no template. */
  static parse(payload: JsonValue): Payload {
    if (isDeeper(payload, DEEPEST_TREE)) {
      throw new ValidationError({
        message: `is nested deeper than ${String(DEEPEST_TREE)} levels`,
        path: [],
      });
    }
    return new Payload(prepared(payload, []));
  }

  /** The payload with everything filled in. An entry whose value is absent is left out; an element, or the whole, is null. */
  render(scope: Scope): JsonValue {
    return rendered(this.filling, scope) ?? null;
  }
}

function prepared(value: JsonValue, path: (string | number)[]): Filling {
  const below = (key: string | number, inner: JsonValue): Filling => {
    path.push(key);
    const filling = prepared(inner, path);
    path.pop();
    return filling;
  };
  if (typeof value === "string") {
    try {
      return { template: Template.parse(value) };
    } catch (error) {
      throw error instanceof ValidationError
        ? new ValidationError({ message: error.issue.message, path: [...path] })
        : error;
    }
  }
  if (Array.isArray(value)) {
    return {
      items: (value as readonly JsonValue[]).map((inner, index) =>
        below(index, inner),
      ),
    };
  }
  if (isObject(value)) {
    return {
      entries: Object.entries(value).map(
        ([key, inner]) => [key, below(key, inner)] as const,
      ),
    };
  }
  return { value };
}

function rendered(filling: Filling, scope: Scope): JsonValue | undefined {
  if ("template" in filling) {
    return filling.template.render(scope);
  }
  if ("items" in filling) {
    return filling.items.map((inner) => rendered(inner, scope) ?? null);
  }
  if ("entries" in filling) {
    const entries = filling.entries.map(
      ([key, inner]) => [key, rendered(inner, scope)] as const,
    );
    // A key may be called as something that every object has.
    return Object.fromEntries(
      entries.filter(
        (entry): entry is readonly [string, JsonValue] =>
          entry[1] !== undefined,
      ),
    );
  }
  return filling.value;
}
