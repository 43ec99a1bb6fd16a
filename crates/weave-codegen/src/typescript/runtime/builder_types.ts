/** What builders write types with. Each is a JSON Schema, with the declared types that it refers to. */

import type { JsonObject, JsonValue } from "./codec.js";

/** A type. */
export class Type {
  readonly schema: JsonObject;
  /** The keys of the declared types in it. */
  readonly uses: readonly string[];
  /** Whether a field of this type may be left out. */
  readonly isOptional: boolean;

  constructor(
    schema: JsonObject,
    uses: readonly string[] = [],
    isOptional = false,
  ) {
    this.schema = schema;
    this.uses = uses;
    this.isOptional = isOptional;
  }
}

/** A type with further keywords of JSON Schema, such as `minLength` or `description`. A field with a `default` may be left out. */
export function noted(type: Type, keywords: JsonObject): Type {
  return new Type(
    { ...type.schema, ...keywords },
    type.uses,
    type.isOptional || Object.hasOwn(keywords, "default"),
  );
}

/** The type of a field that may be left out. */
export function optional(type: Type): Type {
  return new Type(type.schema, type.uses, true);
}

/** A type without anything else in it. */
function plain(schema: JsonObject): () => Type {
  return () => new Type(schema);
}

/** Text. */
export const string: () => Type = plain({ type: "string" });
/** `true` or `false`. */
export const bool: () => Type = plain({ type: "boolean" });
/** A whole number. */
export const int: () => Type = plain({
  type: "integer",
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
});
/** A number. */
export const float: () => Type = plain({ type: "number" });
/** A whole number of 64 bits. */
export const int64: () => Type = plain({
  type: "string",
  format: "int64",
  pattern: "^-?[0-9]{1,19}$",
});
/** An exact decimal number. */
export const decimal: () => Type = plain({
  type: "string",
  format: "decimal",
  pattern: "^-?[0-9]+(\\.[0-9]+)?$",
});
/** Octets. */
export const bytes: () => Type = plain({
  type: "string",
  contentEncoding: "base64",
});
/** A moment. */
export const timestamp: () => Type = plain({
  type: "string",
  format: "date-time",
});
/** A day. */
export const date: () => Type = plain({ type: "string", format: "date" });
/** A length of time. */
export const duration: () => Type = plain({
  type: "string",
  format: "duration",
});
/** A UUID. */
export const uuid: () => Type = plain({ type: "string", format: "uuid" });
/** A URI. */
export const uri: () => Type = plain({ type: "string", format: "uri" });
/** An e-mail address. */
export const email: () => Type = plain({ type: "string", format: "email" });
/** Anything. */
export const json: () => Type = plain({});
/** Nothing. */
export const nothing: () => Type = plain({ type: "null" });

function literalType(value: string | number | boolean): string {
  return typeof value === "number"
    ? Number.isInteger(value)
      ? "integer"
      : "number"
    : typeof value;
}

/** One of these values, all of them of one type. */
export function oneOf(
  first: string | number | boolean,
  ...others: readonly (string | number | boolean)[]
): Type {
  const type = literalType(first);
  return new Type(
    others.length === 0
      ? { type, const: first }
      : { type, enum: [first, ...others] },
  );
}

/** A list. */
export function list(item: Type): Type {
  return new Type({ type: "array", items: item.schema }, item.uses);
}

/** A map from strings. */
export function map(value: Type): Type {
  return new Type(
    { type: "object", additionalProperties: value.schema },
    value.uses,
  );
}

/** One of these types. */
export function either(...members: readonly Type[]): Type {
  return new Type(
    { anyOf: members.map((member) => member.schema) },
    members.flatMap((member) => member.uses),
  );
}

/** The type or null. */
export function nullable(type: Type): Type {
  const alternatives: JsonValue = type.schema["anyOf"] ?? [type.schema];
  return new Type(
    { anyOf: [...(alternatives as readonly JsonValue[]), { type: "null" }] },
    type.uses,
  );
}

/** The fields of a record by their names. */
export interface Fields {
  readonly [name: string]: Type;
}

/** A record with these fields, and no others unless it is open. */
export function record(fields: Fields, isOpen = false): Type {
  const entries = Object.entries(fields);
  const required = entries
    .filter(([, type]) => !type.isOptional)
    .map(([name]) => name);
  const schema = {
    type: "object",
    properties: Object.fromEntries(
      entries.map(([name, type]) => [name, type.schema]),
    ),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: isOpen,
  };
  return new Type(
    schema,
    entries.flatMap(([, type]) => type.uses),
  );
}

/** A type that nothing else here says, as JSON Schema. */
export function schema(keywords: JsonObject): Type {
  return new Type(keywords);
}
