/** What each operator of a guard does with its operands; `&&`, `||` and the quantifiers are not here. */

import { isObject } from "./codec.js";
import type { Pattern } from "./patterns.js";
import { characters } from "./scalars.js";
import {
  type Fraction,
  type Item,
  type Scalar,
  type ValueType,
  EvaluationError,
  aligned,
  check,
  compare,
  count,
  elements,
  fail,
  isInt64,
  isNull,
  length,
  moment,
  sameJson,
  scalar,
  some,
  textOf,
  truth,
  truthOf,
  typeOf,
  wire,
} from "./values.js";

/** How many operands an operator takes, and of which types where it has several meanings. */
export interface Signature {
  readonly least: number;
  readonly most: number;
  readonly types?: readonly ValueType[];
}

const NUMBERS = ["int", "int64", "float", "decimal"] as const;
const ORDERED = [
  ...NUMBERS,
  "bool",
  "string",
  "bytes",
  "timestamp",
  "date",
  "duration",
] as const;
const OTHERS = ["list", "map", "record", "json"] as const;

const logic: Signature = { least: 2, most: Infinity };
const equality: Signature = {
  least: 2,
  most: 2,
  types: [...ORDERED, ...OTHERS, "null"],
};
const ordering: Signature = { least: 2, most: 2, types: ORDERED };
const ofTexts: Signature = { least: 2, most: 2 };
const one: Signature = { least: 1, most: 1 };

function folded(...types: readonly ValueType[]): Signature {
  return { least: 2, most: Infinity, types };
}

/** An operator, function or method. */
export type Operator =
  | "&&"
  | "||"
  | "!"
  | "=="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "in"
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "negate"
  | "contains"
  | "startsWith"
  | "endsWith"
  | "matches"
  | "size"
  | "has";

/** What each of them takes. */
export const OPERATORS: Readonly<Record<Operator, Signature>> = {
  "&&": logic,
  "||": logic,
  "!": one,
  "==": equality,
  "!=": equality,
  "<": ordering,
  "<=": ordering,
  ">": ordering,
  ">=": ordering,
  in: { ...equality, types: [...ORDERED, ...OTHERS] },
  "+": folded(...NUMBERS, "string", "bytes", "list", "timestamp", "duration"),
  "-": folded(...NUMBERS, "timestamp", "duration"),
  "*": folded(...NUMBERS),
  "/": folded("int", "int64", "float"),
  "%": folded("int", "int64"),
  negate: { ...one, types: [...NUMBERS, "duration"] },
  contains: ofTexts,
  startsWith: ofTexts,
  endsWith: ofTexts,
  matches: ofTexts,
  size: { ...one, types: ["string", "bytes", "list", "map", "json"] },
  has: one,
};

function meaningless(operator: Operator): never {
  return fail("meaningless", `${operator} has no meaning for these operands`);
}

/** The value of an operator on its operands, of which `type` is the type where that decides what it does. */
export function apply(
  operator: Operator,
  type: ValueType,
  operands: readonly Item[],
  pattern: Pattern | undefined,
): Item {
  const [first, second] = operands;
  if (first === undefined) {
    return meaningless(operator);
  }
  switch (operator) {
    case "!":
      return truth(!truthOf(first));
    case "has":
      return truth(!isNull(first));
    case "negate":
      return { from: "operator", value: negated(some(first, type)), type };
    case "size":
      return count(size(first, type));
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
      return fold(operator, type, operands);
    default:
      return truth(
        second === undefined
          ? meaningless(operator)
          : asked(operator, type, first, second, pattern),
      );
  }
}

/** Questions about two values. */
function asked(
  operator: Operator,
  type: ValueType,
  first: Item,
  second: Item,
  pattern: Pattern | undefined,
): boolean {
  switch (operator) {
    case "==":
      return equal(first, second, type);
    case "!=":
      return !equal(first, second, type);
    case "<":
    case "<=":
    case ">":
    case ">=": {
      const order = compare(some(first, type), some(second, type)) ?? NaN;
      return operator === "<"
        ? order < 0
        : operator === "<="
          ? order <= 0
          : operator === ">"
            ? order > 0
            : order >= 0;
    }
    case "in":
      return isIn(first, second, type);
    default: {
      const [text, part] = [textOf(first), textOf(second)];
      switch (operator) {
        case "contains":
          return text.includes(part);
        case "startsWith":
          return text.startsWith(part);
        case "endsWith":
          return text.endsWith(part);
        default:
          return pattern?.isFoundIn(text) ?? meaningless(operator);
      }
    }
  }
}

/** `==` of a type: null equals null and nothing else. */
function equal(one: Item, other: Item, type: ValueType): boolean {
  // Both are looked at: one that does not have the form of the type is an error.
  const compared = [one, other].map((side) => {
    if (isNull(side)) {
      return null;
    }
    if (type === "list" || type === "map" || type === "record") {
      const value = wire(side);
      check(value, type);
      return { json: value };
    }
    return type === "json" || type === "null"
      ? { json: wire(side) }
      : { scalar: scalar(side, type) };
  });
  const [left, right] = compared;
  if (
    left === null ||
    right === null ||
    left === undefined ||
    right === undefined
  ) {
    return left === right;
  }
  if (left.json !== undefined && right.json !== undefined) {
    return sameJson(left.json, right.json);
  }
  return (
    left.scalar !== undefined &&
    right.scalar !== undefined &&
    compare(left.scalar, right.scalar) === 0
  );
}

/** Whether an element of a list equals the value, or a map has it as a key. */
function isIn(value: Item, container: Item, type: ValueType): boolean {
  if (container.from === "json" && isObject(container.value)) {
    return !isNull(value) && Object.hasOwn(container.value, textOf(value));
  }
  const all = elements(container);
  // A value that does not have the form of the type is an error whatever the elements are.
  equal(value, value, type);
  let first: EvaluationError | undefined;
  // An element that equals the value decides, whatever the others are.
  for (const element of all) {
    try {
      if (equal(value, element, type)) {
        return true;
      }
    } catch (error) {
      first ??= absorbed(error);
    }
  }
  return first === undefined ? false : fail(first.kind, first.message);
}

/** An error that does not end the whole evaluation. */
export function absorbed(error: unknown): EvaluationError {
  if (error instanceof EvaluationError && error.kind !== "too_much_work") {
    return error;
  }
  throw error;
}

function negated(value: Scalar): Scalar {
  switch (value.kind) {
    case "whole":
      return { kind: "whole", value: int64(-value.value) };
    case "float":
      return { kind: "float", value: -value.value };
    case "decimal":
      return {
        kind: "decimal",
        value: { digits: -value.value.digits, scale: value.value.scale },
      };
    case "length":
      return { kind: "length", value: -value.value };
    default:
      return meaningless("negate");
  }
}

type Arithmetic = "+" | "-" | "*" | "/" | "%";

/** An operator on two operands or more, from left to right. */
function fold(
  operator: Arithmetic,
  type: ValueType,
  operands: readonly Item[],
): Item {
  if (type === "list") {
    return {
      from: "list",
      items: operands.flatMap((operand) => elements(operand)),
    };
  }
  // Among moments stand lengths, each of its own type.
  const typed = (operand: Item): ValueType =>
    type !== "timestamp"
      ? type
      : typeOf(operand) === "duration"
        ? "duration"
        : "timestamp";
  const [first, ...rest] = operands;
  let sum =
    first === undefined ? meaningless(operator) : some(first, typed(first));
  for (const operand of rest) {
    sum = step(operator, sum, some(operand, typed(operand)));
  }
  return {
    from: "operator",
    value: sum,
    type: sum.kind === "length" ? "duration" : type,
  };
}

function step(operator: Arithmetic, one: Scalar, other: Scalar): Scalar {
  if (one.kind === "whole" && other.kind === "whole") {
    return {
      kind: "whole",
      value: int64(whole(operator, one.value, other.value)),
    };
  }
  if (one.kind === "float" && other.kind === "float") {
    return { kind: "float", value: FLOATS[operator](one.value, other.value) };
  }
  if (one.kind === "decimal" && other.kind === "decimal") {
    return {
      kind: "decimal",
      value: decimal(operator, one.value, other.value),
    };
  }
  if (operator === "+" && one.kind === "text" && other.kind === "text") {
    return { kind: "text", value: one.value + other.value };
  }
  if (operator === "+" && one.kind === "octets" && other.kind === "octets") {
    const joined = new Uint8Array(one.value.length + other.value.length);
    joined.set(one.value);
    joined.set(other.value, one.value.length);
    return { kind: "octets", value: joined };
  }
  return time(operator, one, other);
}

function int64(value: bigint): bigint {
  return isInt64(value)
    ? value
    : fail("overflow", "an integer is beyond 64 bits");
}

function whole(operator: Arithmetic, one: bigint, other: bigint): bigint {
  switch (operator) {
    case "+":
      return one + other;
    case "-":
      return one - other;
    case "*":
      return one * other;
    default: {
      if (other === 0n) {
        return fail("division_by_zero", "an integer is divided by zero");
      }
      // Of the smallest integer divided by -1 the remainder is beyond 64 bits too, because the quotient is.
      const quotient = int64(one / other);
      return operator === "/" ? quotient : one % other;
    }
  }
}

const FLOATS: Readonly<
  Record<Arithmetic, (one: number, other: number) => number>
> = {
  "+": (one, other) => one + other,
  "-": (one, other) => one - other,
  "*": (one, other) => one * other,
  "/": (one, other) => one / other,
  "%": () => meaningless("%"),
};

function decimal(
  operator: Arithmetic,
  one: Fraction,
  other: Fraction,
): Fraction {
  if (operator === "*") {
    return {
      digits: one.digits * other.digits,
      scale: one.scale + other.scale,
    };
  }
  const [left, right] = aligned(one, other);
  const scale = Math.max(one.scale, other.scale);
  switch (operator) {
    case "+":
      return { digits: left + right, scale };
    case "-":
      return { digits: left - right, scale };
    default:
      return meaningless(operator);
  }
}

function time(operator: Arithmetic, one: Scalar, other: Scalar): Scalar {
  if (operator === "+") {
    if (one.kind === "moment" && other.kind === "length") {
      return moment(one.value + other.value);
    }
    if (
      one.kind === "length" &&
      (other.kind === "moment" || other.kind === "length")
    ) {
      return other.kind === "moment"
        ? moment(one.value + other.value)
        : length(one.value + other.value);
    }
  }
  if (operator === "-") {
    if (one.kind === "moment" && other.kind === "length") {
      return moment(one.value - other.value);
    }
    if (
      one.kind === other.kind &&
      (one.kind === "moment" || one.kind === "length")
    ) {
      return length(one.value - (other.value as bigint));
    }
  }
  return meaningless(operator);
}

/** Code points, octets, elements or entries. */
function size(operand: Item, type: ValueType): number {
  if (type === "string") {
    return characters(textOf(operand));
  }
  if (type === "bytes") {
    const octets = some(operand, "bytes");
    return octets.kind === "octets" ? octets.value.length : meaningless("size");
  }
  if (operand.from === "list") {
    return operand.items.length;
  }
  const value = wire(operand);
  if (value === null) {
    return fail("null", "a value is null or absent where one is needed");
  }
  if (typeof value === "string" && type === "json") {
    return characters(value);
  }
  if (Array.isArray(value) && type !== "map") {
    return (value as readonly unknown[]).length;
  }
  return isObject(value) && type !== "list"
    ? Object.keys(value).length
    : fail("form", `a value of the type ${type} has no size`);
}
