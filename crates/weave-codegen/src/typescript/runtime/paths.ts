/** Where guards and templates read values, and how. */

import { type Dictionary, type JsonValue, isObject } from "./codec.js";

/** The values that a guard or template can read. */
export interface Scope {
  /** The value of each root: `input`, a node, `event`; or the parameters of a tool, prompt or agent. */
  readonly roots?: Dictionary<JsonValue>;
  /** All answers of a node, in order, which `.NODE[]` reads. */
  readonly answers?: Dictionary<readonly JsonValue[]>;
}

/** What one step of a path reads: a key, an index, or all answers. */
export type Segment = string | number | { readonly all: true };

/** What a path reads; nothing where something is absent, null or of another kind. */
export function readPath(
  path: readonly Segment[],
  scope: Scope,
): JsonValue | undefined {
  const [root, ...rest] = path;
  if (typeof root !== "string") {
    return undefined;
  }
  if (typeof rest[0] === "object") {
    const behind = rest.slice(1);
    return own(scope.answers, root)?.map(
      (answer) => descend(answer, behind) ?? null,
    );
  }
  return descend(own(scope.roots, root), rest);
}

/** What lies below a value. */
export function descend<T>(
  value: T | undefined,
  path: readonly Segment[],
): T | undefined {
  let at: unknown = value;
  for (const segment of path) {
    if (typeof segment === "string" && isObject(at)) {
      at = own(at, segment);
    } else if (typeof segment === "number" && Array.isArray(at)) {
      at = (at as readonly unknown[])[segment];
    } else {
      // `[]` stands right behind a root and nowhere else.
      return undefined;
    }
  }
  return at as T | undefined;
}

function own<T>(
  from: Readonly<Record<string, T>> | undefined,
  key: string,
): T | undefined {
  return from !== undefined && Object.hasOwn(from, key) ? from[key] : undefined;
}

/** Whether JSON is nested deeper than so many levels. */
export function isDeeper(value: unknown, limit: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) {
      return true;
    }
    const next: unknown[] = [];
    for (const entry of level) {
      if (typeof entry === "object" && entry !== null) {
        Object.values(entry).forEach((inner) => next.push(inner));
      }
    }
    level = next;
  }
  return false;
}
