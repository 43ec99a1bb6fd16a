/** Conditions: the tree that a definition has, and the same in CEL. */

import {
  BuilderError,
  type Kind,
  type PathStep,
  Ref,
  isName,
} from "./builder_values.js";
import type { JsonObject, JsonValue } from "./codec.js";

interface Cel {
  readonly text: string;
  /** How tightly it binds. */
  readonly binds: number;
}

const UNARY = 5;
const MEMBER = 6;

/** A condition, or a part of one. */
export class Expr {
  readonly tree: JsonObject;
  readonly kind: Kind;
  /** The same in CEL, if CEL can say it. */
  readonly cel: Cel | undefined;
  /** What is read, if it is a value that is read. */
  readonly ref: Ref | undefined;

  constructor(tree: JsonObject, kind: Kind, cel: Cel | undefined, ref?: Ref) {
    this.tree = tree;
    this.kind = kind;
    this.cel = cel;
    this.ref = ref;
  }

  /** The condition as a definition has it. */
  guard(): JsonObject {
    return this.cel === undefined
      ? { expr: this.tree }
      : { cel: this.cel.text, expr: this.tree };
  }
}

/** A part of a condition: constants stand as they are, of the type of what they are compared with. */
export type Operand = Expr | string | number | boolean | null;

const RESERVED: ReadonlySet<string> = new Set(
  "as break const continue else false for function if import in let loop namespace null package return true var void while".split(
    " ",
  ),
);
const TYPES: ReadonlySet<string> = new Set(
  "bool bytes double duration dyn int list map null_type string timestamp type uint".split(
    " ",
  ),
);

function usable(name: string): boolean {
  return !RESERVED.has(name) && !TYPES.has(name);
}

function member(text: string): Cel {
  return { text, binds: MEMBER };
}

function atLeast(cel: Cel, binds: number): string {
  return cel.binds < binds ? `(${cel.text})` : cel.text;
}

/** A path in CEL, if it reads from nothing that may be missing. */
function rawText(root: string, steps: readonly PathStep[]): string | undefined {
  if (!usable(root)) {
    return undefined;
  }
  let path = root;
  for (const step of steps) {
    if (step.maybe || !("key" in step) || step.how === "loose") {
      return undefined;
    }
    const plain =
      step.how === "field" && isName(step.key) && !RESERVED.has(step.key);
    path += plain ? `.${step.key}` : `[${JSON.stringify(step.key)}]`;
  }
  return path;
}

/** The question whether the entry of a map is there that a path ends with. */
function entryText(ref: Ref): string | undefined {
  const last = ref.steps.at(-1);
  if (last === undefined || !("key" in last) || last.how !== "entry") {
    return undefined;
  }
  const map = rawText(ref.root, ref.steps.slice(0, -1));
  return map === undefined
    ? undefined
    : `${JSON.stringify(last.key)} in ${map}`;
}

/** What a path reads, in CEL. */
export function readText(ref: Ref): Cel | undefined {
  const path = rawText(ref.root, ref.steps);
  if (path === undefined) {
    return undefined;
  }
  const last = ref.steps.at(-1);
  const entry = entryText(ref);
  const present = last !== undefined && "present" in last && last.present;
  // An entry that is not there is an error in CEL, and null here.
  return member(
    entry === undefined || present ? path : `(${entry} ? ${path} : null)`,
  );
}

const DURATION = /^PT(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,3}))?S)?$/;

function durationText(value: string): string | undefined {
  const found = DURATION.exec(value);
  if (found === null) {
    return undefined;
  }
  const [hours, minutes, seconds] = [
    found[1] ?? "0",
    found[2] ?? "0",
    found[3] ?? "0",
  ].map(Number) as [number, number, number];
  const total =
    ((hours * 60 + minutes) * 60 + seconds) * 1000 +
    Number((found[4] ?? "").padEnd(3, "0"));
  return total % 1000 === 0
    ? `duration("${String(total / 1000)}s")`
    : `duration("${String(total)}ms")`;
}

function floatText(value: number): string {
  if (Number.isInteger(value)) {
    return `${String(value)}.0`;
  }
  return Math.abs(value) < 1e-5 ? value.toExponential() : String(value);
}

function constantText(value: JsonValue, kind: Kind): string | undefined {
  if (value === null) {
    return "null";
  }
  switch (kind) {
    case "decimal":
    case "bytes":
      return undefined;
    case "float":
      return typeof value === "number"
        ? floatText(value)
        : JSON.stringify(value);
    case "int64":
      return typeof value === "string" ? value : JSON.stringify(value);
    case "timestamp":
      return `timestamp(${JSON.stringify(value)})`;
    case "duration":
      return typeof value === "string" ? durationText(value) : undefined;
    default:
      return JSON.stringify(value);
  }
}

/** A constant with its type, in the form that it has in JSON. */
export function constant(value: JsonValue, kind: Kind): Expr {
  const held = value === null ? "null" : kind;
  const words = constantText(value, held);
  // A sign is an operator.
  const cel =
    words === undefined
      ? undefined
      : { text: words, binds: words.startsWith("-") ? UNARY : MEMBER };
  return new Expr({ const: value, type: held }, held, cel);
}

const WIRE_STRINGS: ReadonlySet<Kind> = new Set([
  "int64",
  "decimal",
  "bytes",
  "timestamp",
  "date",
  "duration",
] as const);

function lift(operand: Operand, beside?: Operand): Expr {
  if (operand instanceof Expr) {
    return operand;
  }
  const kind = beside instanceof Expr ? beside.kind : undefined;
  switch (typeof operand) {
    case "boolean":
      return constant(operand, "bool");
    case "number":
      return constant(
        operand,
        kind === "float" || !Number.isInteger(operand) ? "float" : "int",
      );
    case "string":
      return constant(
        operand,
        kind !== undefined && WIRE_STRINGS.has(kind) ? kind : "string",
      );
    default:
      return constant(null, "null");
  }
}

const BINDS: Readonly<Record<string, number>> = {
  "||": 0,
  "&&": 1,
  "==": 2,
  "!=": 2,
  "<": 2,
  "<=": 2,
  ">": 2,
  ">=": 2,
  in: 2,
  "+": 3,
  "-": 3,
  "*": 4,
  "/": 4,
  "%": 4,
};
const ARITHMETIC: ReadonlySet<string> = new Set(["+", "-", "*", "/", "%"]);

/** The type that an operator works on. */
function operandKind(op: string, left: Kind, right: Kind): Kind {
  if (op === "==" || op === "!=") {
    if (left === "null" || right === "null") {
      return "null";
    }
    if (left !== right) {
      return "json";
    }
  }
  if (
    (op === "+" || op === "-") &&
    (left === "timestamp" || right === "timestamp")
  ) {
    return "timestamp";
  }
  if ((left === "json" || left === "null") && op !== "in" && right !== "null") {
    return right;
  }
  return left === "null" ? "json" : left;
}

/** What is compared with null may be of a type that CEL does not have. */
function compared(expr: Expr, other: Expr): Cel | undefined {
  return expr.ref !== undefined &&
    other.kind === "null" &&
    "const" in other.tree
    ? readText(expr.ref)
    : expr.cel;
}

function binaryText(op: string, left: Expr, right: Expr): Cel | undefined {
  const [first, second] = [compared(left, right), compared(right, left)];
  if (first === undefined || second === undefined) {
    return undefined;
  }
  const binds = BINDS[op] ?? 0;
  // `a && (b && c)` is the same without parentheses; `a - (b - c)` is not.
  const associative = op === "&&" || op === "||";
  return {
    text: `${atLeast(first, binds)} ${op} ${atLeast(second, associative ? binds : binds + 1)}`,
    binds,
  };
}

function argumentsOf(
  expr: Expr,
  op: string,
  kind: Kind | undefined,
): readonly JsonValue[] {
  const { op: same, type, args } = expr.tree;
  return same === op && type === kind && Array.isArray(args)
    ? (args as readonly JsonValue[])
    : [expr.tree];
}

/** Whether a value is null does not depend on its type. */
function untyped(expr: Expr, operands: Kind | undefined): JsonObject {
  const { tree } = expr;
  const isRead = "path" in tree || "var" in tree;
  return operands === "null" && isRead && !("op" in tree)
    ? { ...tree, type: "json" }
    : tree;
}

function binary(op: string, left: Expr, right: Expr): Expr {
  const logical = op === "&&" || op === "||";
  const operands = logical ? undefined : operandKind(op, left.kind, right.kind);
  const extended =
    logical || ARITHMETIC.has(op)
      ? argumentsOf(left, op, operands)
      : [untyped(left, operands)];
  const args = [
    ...extended,
    ...(logical
      ? argumentsOf(right, op, undefined)
      : [untyped(right, operands)]),
  ];
  const between =
    op === "-" && left.kind === "timestamp" && right.kind === "timestamp";
  const kind = between
    ? "duration"
    : ARITHMETIC.has(op)
      ? (operands ?? "bool")
      : "bool";
  const tree: JsonObject =
    operands === undefined ? { op, args } : { op, type: operands, args };
  return new Expr(tree, kind, binaryText(op, left, right));
}

function chain(op: string, operands: readonly Operand[]): Expr {
  const [first, second, ...rest] = operands;
  if (first === undefined || second === undefined) {
    throw new BuilderError(`\`${op}\` takes two operands at least`);
  }
  const begun = binary(op, lift(first, second), lift(second, first));
  return rest.reduce<Expr>(
    (sum, operand) => binary(op, sum, lift(operand, sum)),
    begun,
  );
}

/** All of these. */
export function and(...conditions: readonly Operand[]): Expr {
  return chain("&&", conditions);
}

/** One of these at least. */
export function or(...conditions: readonly Operand[]): Expr {
  return chain("||", conditions);
}

/** The opposite. */
export function not(condition: Operand): Expr {
  const inner = lift(condition);
  const cel = inner.cel && {
    text: `!${atLeast(inner.cel, UNARY)}`,
    binds: UNARY,
  };
  return new Expr({ op: "!", args: [inner.tree] }, "bool", cel);
}

/** Equal. */
export function eq(left: Operand, right: Operand): Expr {
  return chain("==", [left, right]);
}

/** Not equal. */
export function ne(left: Operand, right: Operand): Expr {
  return chain("!=", [left, right]);
}

/** Less. */
export function lt(left: Operand, right: Operand): Expr {
  return chain("<", [left, right]);
}

/** Less or equal. */
export function le(left: Operand, right: Operand): Expr {
  return chain("<=", [left, right]);
}

/** Greater. */
export function gt(left: Operand, right: Operand): Expr {
  return chain(">", [left, right]);
}

/** Greater or equal. */
export function ge(left: Operand, right: Operand): Expr {
  return chain(">=", [left, right]);
}

/** An element of a list, or a key of a map. */
export function isIn(element: Operand, list: Operand): Expr {
  return chain("in", [element, list]);
}

/** The sum, or one text behind the other. */
export function add(...operands: readonly Operand[]): Expr {
  return chain("+", operands);
}

/** The difference, from left to right. */
export function sub(...operands: readonly Operand[]): Expr {
  return chain("-", operands);
}

/** The product. */
export function mul(...operands: readonly Operand[]): Expr {
  return chain("*", operands);
}

/** The quotient, from left to right. */
export function div(...operands: readonly Operand[]): Expr {
  return chain("/", operands);
}

/** The remainder, from left to right. */
export function rem(...operands: readonly Operand[]): Expr {
  return chain("%", operands);
}

/** The other sign. */
export function neg(operand: Operand): Expr {
  const inner = lift(operand);
  const tree = { op: "negate", type: inner.kind, args: [inner.tree] };
  if (inner.cel === undefined) {
    return new Expr(tree, inner.kind, undefined);
  }
  if (inner.kind === "duration") {
    // The sign of CEL stands before numbers only.
    return new Expr(tree, inner.kind, {
      text: `duration("0s") - ${atLeast(inner.cel, 4)}`,
      binds: 3,
    });
  }
  // Two signs are none in CEL, but the smallest integer has no opposite.
  const tightness = inner.cel.text.startsWith("-") ? MEMBER : UNARY;
  return new Expr(tree, inner.kind, {
    text: `-${atLeast(inner.cel, tightness)}`,
    binds: UNARY,
  });
}

/** How many characters, octets, elements or entries. */
export function size(operand: Operand): Expr {
  const inner = lift(operand);
  return new Expr(
    { op: "size", type: inner.kind, args: [inner.tree] },
    "int",
    inner.cel && member(`size(${inner.cel.text})`),
  );
}

/** Whether a value is there and not null. */
export function has(value: Expr): Expr {
  const { ref } = value;
  if (ref === undefined) {
    throw new BuilderError("`has` asks for a value that is read");
  }
  const tree = { op: "has", args: [value.tree] };
  const path = rawText(ref.root, ref.steps);
  if (path === undefined) {
    return new Expr(tree, "bool", undefined);
  }
  const last = ref.steps.at(-1);
  const entry = entryText(ref);
  const there = `${path} != null`;
  if (entry === undefined) {
    return new Expr(tree, "bool", { text: there, binds: 2 });
  }
  const nullable = last !== undefined && "nullable" in last && last.nullable;
  return new Expr(
    tree,
    "bool",
    nullable
      ? { text: `${entry} && ${there}`, binds: 1 }
      : { text: entry, binds: 2 },
  );
}

function question(op: string, whole: Operand, part: Operand): Expr {
  const [receiver, argument] = [lift(whole), lift(part)];
  const cel =
    receiver.cel &&
    argument.cel &&
    member(`${atLeast(receiver.cel, MEMBER)}.${op}(${argument.cel.text})`);
  return new Expr({ op, args: [receiver.tree, argument.tree] }, "bool", cel);
}

/** Whether a text contains another. */
export function contains(whole: Operand, part: Operand): Expr {
  return question("contains", whole, part);
}

/** Whether a text starts with another. */
export function startsWith(whole: Operand, start: Operand): Expr {
  return question("startsWith", whole, start);
}

/** Whether a text ends with another. */
export function endsWith(whole: Operand, end: Operand): Expr {
  return question("endsWith", whole, end);
}

/** Whether a pattern is found in a text. */
export function matches(whole: Operand, pattern: string): Expr {
  return question("matches", whole, pattern);
}

/** A list. */
export function listOf(...items: readonly Operand[]): Expr {
  const made = items.map((item) => lift(item));
  const texts = made.map((item) => item.cel?.text);
  const cel = texts.every((part) => part !== undefined)
    ? member(`[${texts.join(", ")}]`)
    : undefined;
  // A list of constants is a constant.
  const constants = made.flatMap((item) =>
    "const" in item.tree ? [item.tree["const"]] : [],
  );
  const tree: JsonObject =
    constants.length === made.length
      ? { const: constants, type: "list" }
      : { list: made.map((item) => item.tree) };
  return new Expr(tree, "list", cel);
}

function quantified(op: string, list: Expr, name: string, asked: Expr): Expr {
  const cel =
    usable(name) &&
    list.cel &&
    asked.cel &&
    member(`${atLeast(list.cel, MEMBER)}.${op}(${name}, ${asked.cel.text})`);
  return new Expr(
    { op, var: name, in: list.tree, body: asked.tree },
    "bool",
    cel === false ? undefined : cel,
  );
}

/** The element that a condition inside `exists` or `forAll` is about. */
export function item(name: string): Ref {
  return new Ref(name, [], true);
}

/** Whether it is true of one element of a list, or of one key of a map, at least. */
export function exists(list: Expr, name: string, body: Expr): Expr {
  return quantified("exists", list, name, body);
}

/** Whether it is true of all elements of a list, or of all keys of a map. */
export function forAll(list: Expr, name: string, body: Expr): Expr {
  return quantified("all", list, name, body);
}
