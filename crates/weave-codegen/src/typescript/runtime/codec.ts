/** How values are read from JSON and written to it: checked at the boundary, with the path of the first thing that is wrong. */

/** Any JSON value. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A value for each of some keys. */
export interface Dictionary<T> {
  readonly [key: string]: T;
}

/** A record without fields. */
export type Empty = Readonly<Record<string, never>>;

/** What is wrong with a value, and where: names as they stand in JSON, and indices. */
export interface Issue {
  readonly message: string;
  readonly path: readonly (string | number)[];
}

/** What reading gives: a value, or the first thing that is wrong. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issue: Issue };

/** A value that does not fit its type. */
export class ValidationError extends Error {
  override readonly name: string = "ValidationError";
  readonly issue: Issue;

  constructor(issue: Issue) {
    super(`${pointer(issue.path)}: ${issue.message}`);
    this.issue = issue;
  }
}

/** A path as a JSON pointer, `(root)` for the value itself. */
export function pointer(path: readonly (string | number)[]): string {
  if (path.length === 0) {
    return "(root)";
  }
  return path
    .map(
      (part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`,
    )
    .join("");
}

/** Reads and writes the values of one type. It is a Standard Schema with a Standard JSON Schema. */
export interface Codec<T> {
  /** The JSON Schema (draft 2020-12) of the type, which needs no other document. */
  readonly schema: JsonObject;
  /** Reads a JSON value. */
  decode(value: unknown): Result<T>;
  /** Reads a JSON value; throws a `ValidationError` if it does not fit. */
  parse(value: unknown): T;
  /** Writes a value as JSON; throws a `ValidationError` if it does not fit its type. */
  encode(value: T): JsonValue;
  /** What other codecs are made of. */
  readonly node: Node<T>;
  readonly "~standard": StandardProperties<T>;
}

/** What <https://standardschema.dev> asks for. */
export interface StandardProperties<T> {
  readonly version: 1;
  readonly vendor: "weave";
  readonly validate: (
    value: unknown,
  ) =>
    | { readonly value: T; readonly issues?: undefined }
    | { readonly issues: readonly Issue[] };
  readonly jsonSchema: {
    readonly input: (options: {
      readonly target: string;
    }) => Record<string, unknown>;
    readonly output: (options: {
      readonly target: string;
    }) => Record<string, unknown>;
  };
  readonly types?: { readonly input: T; readonly output: T } | undefined;
}

/** Where reading has come to. */
export interface Place {
  readonly path: (string | number)[];
  /** What became of objects and lists that unions without a tag were tried on, so that each union reads each of them once. */
  tried?: Map<object, Map<unknown, { readonly value: unknown } | undefined>>;
}

/** How a type is read and written. Reading throws a `ValidationError`. */
export interface Node<T> {
  /** Whether null is one of its values. */
  nullable(): boolean;
  read(value: unknown, place: Place): T;
  write(value: T): JsonValue;
}

/** Readers of JSON bound the depth of values; so do we. */
const DEEPEST = 512;

/** Says what is wrong at a place. */
export function refuse(place: Place, message: string): never {
  throw new ValidationError({ message, path: [...place.path] });
}

/** Reads what stands under a key. */
export function below<T>(
  node: Node<T>,
  value: unknown,
  key: string | number,
  place: Place,
): T {
  if (place.path.length >= DEEPEST) {
    refuse(place, `is nested deeper than ${String(DEEPEST)} levels`);
  }
  place.path.push(key);
  const read = node.read(value, place);
  place.path.pop();
  return read;
}

/** Schemas that refer to named types, by what they are on their own. */
const referring = new WeakMap<
  JsonObject,
  { readonly own: JsonObject; readonly referred: () => Dictionary<JsonObject> }
>();

/** A schema with the named types that it refers to itself. What can be reached from it is put together when `$defs` is first looked at. */
export function schema(
  own: JsonObject,
  referred: () => Dictionary<JsonObject>,
): JsonObject {
  const whole = { ...own };
  const define = (property: PropertyDescriptor): void => {
    Object.defineProperty(whole, "$defs", {
      ...property,
      configurable: true,
      enumerable: true,
    });
  };
  define({
    get: () => {
      const value = reachable(referred);
      define({ value, writable: true });
      return value;
    },
  });
  referring.set(whole, { own, referred });
  return whole;
}

function reachable(referred: () => Dictionary<JsonObject>): JsonObject {
  const found = new Map<string, JsonObject>();
  const open = Object.entries(referred());
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [name, whole] = next;
    if (!found.has(name)) {
      const more = referring.get(whole);
      found.set(name, more?.own ?? whole);
      open.push(...Object.entries(more?.referred() ?? {}));
    }
  }
  return Object.fromEntries(
    [...found].sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** The codec of a type. */
export function codec<T>(node: Node<T>, schema: JsonObject): Codec<T> {
  const decode = (value: unknown): Result<T> => {
    try {
      return { ok: true, value: node.read(value, { path: [] }) };
    } catch (error) {
      if (error instanceof ValidationError) {
        return { ok: false, issue: error.issue };
      }
      throw error;
    }
  };
  const jsonSchema = (options: {
    readonly target: string;
  }): Record<string, unknown> => {
    if (options.target !== "draft-2020-12") {
      throw new Error(
        `there is no schema for the target ${options.target}, only for draft-2020-12`,
      );
    }
    return { ...schema };
  };
  return {
    schema,
    node,
    decode,
    parse: (value) => node.read(value, { path: [] }),
    encode: (value) => {
      const written = node.write(value);
      node.read(written, { path: [] });
      return written;
    },
    "~standard": {
      version: 1,
      vendor: "weave",
      validate: (value) => {
        const result = decode(value);
        return result.ok ? { value: result.value } : { issues: [result.issue] };
      },
      jsonSchema: { input: jsonSchema, output: jsonSchema },
    },
  };
}

/** The node of a named type, looked up when it is first needed, so that types may contain themselves. */
export function ref<T>(find: () => Codec<T>): Node<T> {
  return {
    nullable: () => find().node.nullable(),
    read: (value, place) => find().node.read(value, place),
    write: (value) => find().node.write(value),
  };
}

/** Whether a value is an object that may have properties of its own. */
export function isObject(
  value: unknown,
): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text of a value in the one form of RFC 8785. */
export function canonical(value: JsonValue): string {
  if (Array.isArray(value)) {
    return `[${(value as readonly JsonValue[]).map(canonical).join(",")}]`;
  }
  if (isObject(value)) {
    const entries = Object.entries(value).sort(([one], [other]) =>
      one < other ? -1 : 1,
    );
    return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonical(entry)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}
