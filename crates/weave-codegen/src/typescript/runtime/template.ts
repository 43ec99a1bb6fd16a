/** Texts with placeholders. */

import { type JsonObject, type JsonValue, canonical } from "./codec.js";

/** What is read from a value, and what stands for it if it is absent or null. */
export interface Placeholder {
  readonly path: readonly (string | number)[];
  readonly fallback?: JsonValue;
}

function lookUp(
  path: readonly (string | number)[],
  roots: JsonObject,
): JsonValue | undefined {
  let value: JsonValue | undefined = roots;
  for (const part of path) {
    if (typeof value !== "object" || value === null) {
      return undefined;
    }
    value = Object.hasOwn(value, part)
      ? (value as JsonObject)[part]
      : undefined;
  }
  return value;
}

/** Fills in the placeholders of a text: strings as they are, everything else as JSON. */
export function render(
  parts: readonly (string | Placeholder)[],
  roots: JsonObject,
): string {
  const texts = parts.map((part) => {
    if (typeof part === "string") {
      return part;
    }
    const found = lookUp(part.path, roots);
    const value =
      part.fallback !== undefined && (found === undefined || found === null)
        ? part.fallback
        : found;
    if (value === undefined) {
      return "";
    }
    return typeof value === "string" ? value : canonical(value);
  });
  return texts.join("");
}
