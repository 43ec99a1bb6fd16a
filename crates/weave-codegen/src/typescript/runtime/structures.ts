/** Records, lists, maps, unions, and what else is made of other types. */

import {
  type Dictionary,
  type JsonObject,
  type JsonValue,
  type Node,
  type Place,
  ValidationError,
  below,
  canonical,
  isObject,
  refuse,
} from "./codec.js";

/** A key that objects of JavaScript treat as something else. */
const POISON = "__proto__";

/** Sets a property of an object, whatever its name. */
function put<T>(into: Record<string, T>, key: string, value: T): void {
  if (key === POISON) {
    Object.defineProperty(into, key, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  } else {
    into[key] = value;
  }
}

/** How one field of a record is read and written. */
export interface Field {
  /** The name in TypeScript. */
  readonly name: string;
  /** The name in JSON. */
  readonly wire: string;
  readonly node: Node<unknown>;
  /** Whether it may be absent. */
  readonly optional: boolean;
  /** What a reader finds where a writer left it out. */
  readonly fallback?: JsonValue;
}

/** A field that is always there. */
export function required<T>(name: string, wire: string, node: Node<T>): Field {
  return { name, wire, node, optional: false };
}

/** A field that may be absent; null counts as absent, unless it is one of its values. */
export function optional<T>(name: string, wire: string, node: Node<T>): Field {
  return { name, wire, node, optional: true };
}

/** A field that a writer may leave out, and that every reader finds. */
export function defaulted<T>(
  name: string,
  wire: string,
  node: Node<T>,
  fallback: JsonValue,
): Field {
  return { name, wire, node, optional: false, fallback };
}

function readField(
  field: Field,
  object: Readonly<Record<string, unknown>>,
  place: Place,
  into: Record<string, unknown>,
): void {
  const value = Object.hasOwn(object, field.wire)
    ? object[field.wire]
    : undefined;
  const absent =
    value === undefined || (value === null && !field.node.nullable());
  if (!absent) {
    into[field.name] = below(field.node, value, field.wire, place);
  } else if (field.fallback !== undefined) {
    into[field.name] = below(field.node, field.fallback, field.wire, place);
  } else if (!field.optional) {
    place.path.push(field.wire);
    if (value === undefined) {
      refuse(place, "is missing");
    }
    field.node.read(value, place);
    place.path.pop();
  }
}

/** Where a record keeps what it has beside its fields. */
const EXTRA = "$extra";

/** A record. An open one keeps what it has beside its fields under `$extra`. */
export function record<T>(fields: readonly Field[], open: boolean): Node<T> {
  const known = new Set(fields.map((field) => field.wire));
  const read = (value: unknown, place: Place): T => {
    if (!isObject(value)) {
      return refuse(place, "must be an object");
    }
    const into: Record<string, unknown> = {};
    for (const field of fields) {
      readField(field, value, place, into);
    }
    const extra: Record<string, unknown> = {};
    let more = false;
    for (const key of Object.keys(value)) {
      if (known.has(key)) {
        continue;
      }
      if (!open || key === POISON) {
        place.path.push(key);
        refuse(place, "is not a field that is known here");
      }
      if (value[key] !== undefined) {
        extra[key] = below(json(), value[key], key, place);
        more = true;
      }
    }
    if (more) {
      into[EXTRA] = extra;
    }
    return into as T;
  };
  const write = (value: T): JsonValue => {
    const from = asObject(value);
    const into: Record<string, JsonValue> = {};
    for (const field of fields) {
      const found = Object.hasOwn(from, field.name)
        ? from[field.name]
        : undefined;
      if (found !== undefined) {
        put(into, field.wire, field.node.write(found));
      }
    }
    for (const key of Object.keys(from)) {
      if (key === EXTRA && open) {
        const extra = Object.entries(asObject(from[EXTRA])).filter(
          ([name]) => !known.has(name),
        );
        extra.forEach(([name, entry]) => (into[name] = entry as JsonValue));
      } else if (
        from[key] !== undefined &&
        !fields.some((field) => field.name === key)
      ) {
        refuse({ path: [key] }, "is not a field that is known here");
      }
    }
    return into;
  };
  return { nullable: () => false, read, write };
}

/** A value that is to be written; nobody can have given another but by a cast. */
function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : refuse({ path: [] }, "must be an object");
}

/** A tagged union: the tag tells which record it is. */
export function tagged<T>(
  name: string,
  wire: string,
  variants: Dictionary<Node<T>>,
): Node<T> {
  const find = (
    tag: unknown,
    path: (string | number)[],
    place: Place,
  ): Node<T> => {
    const variant =
      typeof tag === "string" && Object.hasOwn(variants, tag)
        ? variants[tag]
        : undefined;
    if (variant === undefined) {
      place.path.push(...path);
      return refuse(
        place,
        tag === undefined
          ? "is missing"
          : `must be one of ${listed(Object.keys(variants))}`,
      );
    }
    return variant;
  };
  return {
    nullable: () => false,
    read: (value, place) => {
      if (!isObject(value)) {
        return refuse(place, "must be an object");
      }
      return find(
        Object.hasOwn(value, wire) ? value[wire] : undefined,
        [wire],
        place,
      ).read(value, place);
    },
    write: (value) => {
      const from = asObject(value);
      return find(Object.hasOwn(from, name) ? from[name] : undefined, [wire], {
        path: [],
      }).write(value);
    },
  };
}

function listed(values: readonly (string | number | boolean)[]): string {
  return values.map((value) => JSON.stringify(value)).join(", ");
}

/** One of some constants. */
export function oneOf<const T extends string | number | boolean>(
  values: readonly T[],
): Node<T> {
  return {
    nullable: () => false,
    read: (value, place) => {
      const found = values.find((known) => known === value);
      return (
        found ??
        (values.length === 1
          ? refuse(place, `must be ${listed(values)}`)
          : refuse(place, `must be one of ${listed(values)}`))
      );
    },
    write: (value) => value,
  };
}

/** Bounds of the number of items. */
export interface Sizes {
  readonly min?: number;
  readonly max?: number;
  readonly unique?: boolean;
}

function sized(count: number, sizes: Sizes, what: string, place: Place): void {
  if (sizes.min !== undefined && count < sizes.min) {
    refuse(place, `must have at least ${String(sizes.min)} ${what}`);
  }
  if (sizes.max !== undefined && count > sizes.max) {
    refuse(place, `must have at most ${String(sizes.max)} ${what}`);
  }
}

export function list<T>(item: Node<T>, sizes: Sizes = {}): Node<readonly T[]> {
  return {
    nullable: () => false,
    read: (value, place) => {
      if (!Array.isArray(value)) {
        return refuse(place, "must be a list");
      }
      sized(value.length, sizes, "items", place);
      const read = (value as readonly unknown[]).map((element, index) =>
        below(item, element, index, place),
      );
      if (
        sizes.unique === true &&
        new Set(value.map((element) => canonical(element as JsonValue))).size <
          value.length
      ) {
        refuse(place, "must not have equal items");
      }
      return read;
    },
    write: (value) => value.map((element) => item.write(element)),
  };
}

export function map<T>(entry: Node<T>, sizes: Sizes = {}): Node<Dictionary<T>> {
  return {
    nullable: () => false,
    read: (value, place) => {
      if (!isObject(value)) {
        return refuse(place, "must be an object");
      }
      const keys = Object.keys(value);
      sized(keys.length, sizes, "entries", place);
      const into: Record<string, T> = {};
      for (const key of keys) {
        if (key === POISON) {
          place.path.push(key);
          refuse(place, "is no key that is safe in JavaScript");
        }
        into[key] = below(entry, value[key], key, place);
      }
      return into;
    },
    write: (value) => {
      const into: Record<string, JsonValue> = {};
      for (const [key, element] of Object.entries(value)) {
        if (key !== POISON) {
          into[key] = entry.write(element);
        }
      }
      return into;
    },
  };
}

const NOTHING: Node<null> = {
  nullable: () => true,
  read: (value, place) =>
    value === null ? null : refuse(place, "must be null"),
  write: () => null,
};

/** Null. */
export function nothing(): Node<null> {
  return NOTHING;
}

/** Null in JSON, and nothing in TypeScript. */
export function nothingAtAll(): Node<void> {
  return {
    nullable: () => true,
    read: (value, place) => {
      NOTHING.read(value, place);
    },
    write: () => null,
  };
}

/** A value, or null. */
export function nullable<T>(node: Node<T>): Node<T | null> {
  return {
    nullable: () => true,
    read: (value, place) => (value === null ? null : node.read(value, place)),
    write: (value) => (value === null ? null : node.write(value)),
  };
}

/** The first of several types that a value fits. */
export function either<T>(members: readonly Node<unknown>[]): Node<T> {
  const first = (
    value: unknown,
    place: Place,
  ): { readonly value: unknown } | undefined => {
    for (const member of members) {
      const depth = place.path.length;
      try {
        return { value: member.read(value, place) };
      } catch (error) {
        if (!(error instanceof ValidationError)) {
          throw error;
        }
        place.path.length = depth;
      }
    }
    return undefined;
  };
  // However many types around it are tried, a value is read once: else it would be read once for each way through them.
  const once = (
    value: object,
    place: Place,
  ): { readonly value: unknown } | undefined => {
    place.tried ??= new Map();
    const known =
      place.tried.get(value) ??
      new Map<unknown, { readonly value: unknown } | undefined>();
    place.tried.set(value, known);
    if (!known.has(members)) {
      known.set(members, first(value, place));
    }
    return known.get(members);
  };
  const read = (value: unknown, place: Place): T => {
    const found =
      typeof value === "object" && value !== null
        ? once(value, place)
        : first(value, place);
    return found === undefined
      ? refuse(place, "fits none of its types")
      : (found.value as T);
  };
  const write = (value: T): JsonValue => {
    for (const member of members) {
      try {
        const written = member.write(value);
        member.read(written, { path: [] });
        return written;
      } catch {
        // It is a value of another member, which the next one may be.
      }
    }
    return refuse({ path: [] }, "fits none of its types");
  };
  return {
    nullable: () => members.some((member) => member.nullable()),
    read,
    write,
  };
}

const JSON_NODE: Node<JsonValue> = {
  nullable: () => true,
  read: (value, place) => {
    if (
      value === null ||
      typeof value === "string" ||
      typeof value === "boolean" ||
      Number.isFinite(value)
    ) {
      return value as JsonValue;
    }
    if (Array.isArray(value)) {
      return (value as readonly unknown[]).map((element, index) =>
        below(JSON_NODE, element, index, place),
      );
    }
    if (!isObject(value)) {
      return refuse(place, "must be JSON");
    }
    const into: Record<string, JsonValue> = {};
    for (const key of Object.keys(value)) {
      if (key === POISON) {
        place.path.push(key);
        refuse(place, "is no key that is safe in JavaScript");
      }
      into[key] = below(JSON_NODE, value[key], key, place);
    }
    return into satisfies JsonObject;
  },
  write: (value) => value,
};

/** Any JSON value. */
export function json(): Node<JsonValue> {
  return JSON_NODE;
}
