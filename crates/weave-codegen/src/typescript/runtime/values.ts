/** Values of an evaluation: as they stand in JSON, or as an operator made them. */

import { type JsonValue, isObject } from "./codec.js";
import {
  isLength,
  isMoment,
  readDay,
  readLength,
  readMoment,
} from "./scalars.js";

/** The type of a value in a guard. */
export type ValueType =
  | "bool"
  | "int"
  | "int64"
  | "float"
  | "decimal"
  | "string"
  | "bytes"
  | "timestamp"
  | "date"
  | "duration"
  | "null"
  | "list"
  | "map"
  | "record"
  | "json";

/** What can go wrong in an evaluation. */
export type EvaluationErrorKind =
  | "null"
  | "form"
  | "overflow"
  | "division_by_zero"
  | "out_of_range"
  | "not_finite"
  | "meaningless"
  | "too_deep"
  | "too_much_work";

/** Why an expression has no value. A guard that ends in one of these is false. */
export class EvaluationError extends Error {
  override readonly name: string = "EvaluationError";
  readonly kind: EvaluationErrorKind;

  constructor(kind: EvaluationErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Ends an evaluation, or the part of it that an operator may pass over. */
export function fail(kind: EvaluationErrorKind, message: string): never {
  throw new EvaluationError(kind, message);
}

function noForm(type: ValueType): never {
  return fail(
    "form",
    `a value does not have the form of its type, which is ${type}`,
  );
}

/** JSON, in which whole numbers that an operator made stay exact. */
export type Exact = JsonValue | bigint | readonly Exact[];

/** An exact decimal number: the digits, and how many of them stand behind the point. */
export interface Fraction {
  readonly digits: bigint;
  readonly scale: number;
}

/** A value that is no list, map, record or other JSON. Moments and lengths count nanoseconds, days count days. */
export type Scalar =
  | { readonly kind: "bool"; readonly value: boolean }
  | { readonly kind: "whole"; readonly value: bigint }
  | { readonly kind: "float"; readonly value: number }
  | { readonly kind: "decimal"; readonly value: Fraction }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "octets"; readonly value: Uint8Array }
  | { readonly kind: "moment" | "day" | "length"; readonly value: bigint };

/** A value with its type: what was read keeps its form, and an operator reads it as the type that it works on. */
export type Item =
  | { readonly from: "json"; readonly value: Exact; readonly type: ValueType }
  | {
      readonly from: "operator";
      readonly value: Scalar;
      readonly type: ValueType;
    }
  | { readonly from: "list"; readonly items: readonly Item[] };

/** A truth that an operator made. */
export function truth(value: boolean): Item {
  return { from: "operator", value: { kind: "bool", value }, type: "bool" };
}

/** A whole number that an operator made. */
export function count(value: number): Item {
  return {
    from: "operator",
    value: { kind: "whole", value: BigInt(value) },
    type: "int",
  };
}

/** A value that was read; it must have the form of its type unless it is null. */
export function item(value: Exact, type: ValueType): Item {
  if (value !== null) {
    check(value, type);
  }
  return { from: "json", value, type };
}

/** The type of a value. */
export function typeOf(from: Item): ValueType {
  return from.from === "list" ? "list" : from.type;
}

/** Whether a value is null or absent. */
export function isNull(from: Item): boolean {
  return from.from === "json" && from.value === null;
}

/** Demands that a value that is not null has the form of a type. */
export function check(value: Exact, type: ValueType): void {
  switch (type) {
    case "json":
      return;
    case "list":
      return Array.isArray(value) ? undefined : noForm(type);
    case "map":
    case "record":
      return isObject(value) ? undefined : noForm(type);
    default:
      read(value, type);
  }
}

/** A value as a scalar of this type; nothing if it is null. */
export function scalar(from: Item, wanted: ValueType): Scalar | undefined {
  if (from.from === "json") {
    return from.value === null ? undefined : read(from.value, wanted);
  }
  return from.from === "operator" && from.type === wanted
    ? from.value
    : noForm(wanted);
}

/** A value as a scalar of this type, where null is an error. */
export function some(from: Item, wanted: ValueType): Scalar {
  return (
    scalar(from, wanted) ??
    fail("null", "a value is null or absent where one is needed")
  );
}

/** A value as text, where null is an error. */
export function textOf(from: Item): string {
  const found = some(from, "string");
  return found.kind === "text" ? found.value : noForm("string");
}

/** A value as a truth, where null is an error. */
export function truthOf(from: Item): boolean {
  const found = some(from, "bool");
  return found.kind === "bool" ? found.value : noForm("bool");
}

/** The elements of a list, where null is an error. */
export function elements(from: Item): readonly Item[] {
  if (from.from === "list") {
    return from.items;
  }
  if (from.from === "json" && Array.isArray(from.value)) {
    return (from.value as readonly Exact[]).map((value) => ({
      from: "json",
      value,
      type: "json",
    }));
  }
  return isNull(from)
    ? fail("null", "a list is null or absent")
    : noForm("list");
}

/** A value as it stands in JSON. */
export function wire(from: Item): Exact {
  if (from.from === "json") {
    return from.value;
  }
  return from.from === "list"
    ? from.items.map(wire)
    : written(from.value, from.type);
}

function written(value: Scalar, type: ValueType): Exact {
  switch (value.kind) {
    case "whole":
      if (type === "int64") {
        return value.value.toString();
      }
      return Number.isSafeInteger(Number(value.value))
        ? Number(value.value)
        : value.value;
    case "float":
      return Number.isFinite(value.value)
        ? value.value
        : fail("not_finite", "an infinity or NaN has no form in JSON");
    case "decimal":
      return fractionText(value.value);
    case "octets":
      return base64(value.value);
    case "moment":
      return momentText(value.value);
    case "length":
      return lengthText(value.value);
    case "day":
      // No operator makes a day.
      return noForm(type);
    default:
      return value.value;
  }
}

/** JSON with nothing in it but JSON. */
export function plain(value: Exact): JsonValue {
  return isPlain(value)
    ? value
    : typeof value === "bigint"
      ? Number(value)
      : value.map(plain);
}

function isPlain(value: Exact): value is JsonValue {
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === "bigint") {
      return false;
    }
    if (Array.isArray(next)) {
      // Not as arguments: their number is bounded.
      (next as readonly Exact[]).forEach((entry) => open.push(entry));
    }
  }
  return true;
}

function read(value: Exact, wanted: ValueType): Scalar {
  if (typeof value === "string") {
    return readText(value, wanted) ?? noForm(wanted);
  }
  if (typeof value === "boolean" && wanted === "bool") {
    return { kind: "bool", value };
  }
  if (typeof value === "number" && Number.isFinite(value)) {
    if (wanted === "float") {
      return { kind: "float", value };
    }
    if (wanted === "int" && Number.isSafeInteger(value)) {
      return { kind: "whole", value: BigInt(value) };
    }
  }
  // A number that a double cannot hold is beyond what is read as an `int`.
  return typeof value === "bigint" && wanted === "float"
    ? { kind: "float", value: Number(value) }
    : noForm(wanted);
}

function readText(value: string, wanted: ValueType): Scalar | undefined {
  switch (wanted) {
    case "string":
      return { kind: "text", value };
    case "int64": {
      const number = /^-?[0-9]+$/.test(value) ? BigInt(value) : undefined;
      return number !== undefined && isInt64(number)
        ? { kind: "whole", value: number }
        : undefined;
    }
    case "decimal": {
      const digits = /^-?[0-9]+(?:\.[0-9]+)?$/.test(value)
        ? BigInt(value.replace(".", ""))
        : undefined;
      const scale = value.includes(".")
        ? value.length - value.indexOf(".") - 1
        : 0;
      return digits === undefined
        ? undefined
        : { kind: "decimal", value: { digits, scale } };
    }
    case "bytes": {
      const octets = fromBase64(value);
      return octets && { kind: "octets", value: octets };
    }
    case "timestamp": {
      const at = readMoment(value);
      return at === undefined ? undefined : moment(at);
    }
    case "date": {
      const day = readDay(value);
      return day === undefined ? undefined : { kind: "day", value: day };
    }
    case "duration": {
      const of = readLength(value);
      return of === undefined ? undefined : length(of);
    }
    default:
      return undefined;
  }
}

/** Whether a number has 64 bits at most. */
export function isInt64(number: bigint): boolean {
  return BigInt.asIntN(64, number) === number;
}

/** A moment, if it is within the years 1 to 9999. */
export function moment(value: bigint): Scalar {
  return isMoment(value)
    ? { kind: "moment", value }
    : fail("out_of_range", "a moment is outside the years 1 to 9999");
}

/** A length of time, if it is within ten thousand years. */
export function length(value: bigint): Scalar {
  return isLength(value)
    ? { kind: "length", value }
    : fail("out_of_range", "a duration is beyond 315576000000 seconds");
}

function order(one: bigint | number, other: bigint | number): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Compares texts by code points: units of surrogates stand behind all others. */
export function textOrder(one: string, other: string): number {
  const least = Math.min(one.length, other.length);
  for (let index = 0; index < least; index += 1) {
    const [left, right] = [one.charCodeAt(index), other.charCodeAt(index)];
    if (left !== right) {
      const isPair = (unit: number): boolean =>
        unit >= 0xd800 && unit <= 0xdfff;
      return isPair(left) === isPair(right)
        ? left - right
        : isPair(left)
          ? 1
          : -1;
    }
  }
  return one.length - other.length;
}

function octetOrder(one: Uint8Array, other: Uint8Array): number {
  for (const [index, octet] of one.entries()) {
    const counterpart = other[index];
    if (octet !== counterpart) {
      return counterpart === undefined ? 1 : octet - counterpart;
    }
  }
  return one.length - other.length;
}

/** How two scalars of one type compare; nothing for NaN and for two of different types. */
export function compare(one: Scalar, other: Scalar): number | undefined {
  switch (one.kind) {
    case "bool":
      return other.kind === "bool"
        ? Number(one.value) - Number(other.value)
        : undefined;
    case "float":
      return other.kind === "float" &&
        !Number.isNaN(one.value) &&
        !Number.isNaN(other.value)
        ? order(one.value, other.value)
        : undefined;
    case "decimal":
      return other.kind === "decimal"
        ? order(...aligned(one.value, other.value))
        : undefined;
    case "text":
      return other.kind === "text"
        ? textOrder(one.value, other.value)
        : undefined;
    case "octets":
      return other.kind === "octets"
        ? octetOrder(one.value, other.value)
        : undefined;
    default:
      return other.kind === one.kind
        ? order(one.value, other.value)
        : undefined;
  }
}

/** The digits of two decimal numbers, with as many behind the point. */
export function aligned(one: Fraction, other: Fraction): [bigint, bigint] {
  const scale = Math.max(one.scale, other.scale);
  const digits = (of: Fraction): bigint =>
    of.scale === scale
      ? of.digits
      : of.digits * 10n ** BigInt(scale - of.scale);
  return [digits(one), digits(other)];
}

/** Whether two values are the same JSON: numbers by value, objects whatever the order of their keys. */
export function sameJson(one: Exact, other: Exact): boolean {
  const open: [Exact, Exact][] = [[one, other]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [left, right] = pair;
    if (Array.isArray(left) && Array.isArray(right)) {
      const [lefts, rights] = [
        left as readonly Exact[],
        right as readonly Exact[],
      ];
      if (lefts.length !== rights.length) {
        return false;
      }
      lefts.forEach((entry, index) =>
        open.push([entry, rights[index] ?? null]),
      );
    } else if (isObject(left) && isObject(right)) {
      const keys = Object.keys(left);
      if (
        keys.length !== Object.keys(right).length ||
        !keys.every((key) => Object.hasOwn(right, key))
      ) {
        return false;
      }
      keys.forEach((key) =>
        open.push([left[key] as Exact, right[key] as Exact]),
      );
    } else if (left !== right) {
      return false;
    }
  }
  return true;
}

/** The shortest text of a decimal number. */
function fractionText({ digits, scale }: Fraction): string {
  const sign = digits < 0n ? "-" : "";
  const all = (digits < 0n ? -digits : digits)
    .toString()
    .padStart(scale + 1, "0");
  const point = all.length - scale;
  const fraction = trimmed(all.slice(point));
  return `${sign}${all.slice(0, point)}${fraction && `.${fraction}`}`;
}

/** Digits without the zeros at their end. */
function trimmed(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") {
    end -= 1;
  }
  return digits.slice(0, end);
}

const SECOND = 1_000_000_000n;

function fractionOfSecond(nanoseconds: bigint): string {
  return nanoseconds === 0n
    ? ""
    : `.${trimmed(nanoseconds.toString().padStart(9, "0"))}`;
}

/** RFC 3339 in UTC, with as many digits of a second as it needs. */
function momentText(nanoseconds: bigint): string {
  const fraction = ((nanoseconds % SECOND) + SECOND) % SECOND;
  const seconds = (nanoseconds - fraction) / SECOND;
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}${fractionOfSecond(fraction)}Z`;
}

/** Hours, minutes and seconds, without parts that are zero. */
function lengthText(nanoseconds: bigint): string {
  const all = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const [seconds, fraction] = [all / SECOND, fractionOfSecond(all % SECOND)];
  const part = (number: bigint, unit: string): string =>
    number === 0n ? "" : `${number.toString()}${unit}`;
  const rest = seconds % 60n;
  const last =
    rest === 0n && fraction === "" && all !== 0n
      ? ""
      : `${rest.toString()}${fraction}S`;
  return `${nanoseconds < 0n ? "-" : ""}PT${part(seconds / 3600n, "H")}${part((seconds / 60n) % 60n, "M")}${last}`;
}

const ALPHABET =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The octets behind a text with the standard alphabet and padding, if it is one. */
function fromBase64(text: string): Uint8Array | undefined {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const end = text.length - padding;
  if (text.length % 4 !== 0) {
    return undefined;
  }
  const octets = new Uint8Array((text.length / 4) * 3 - padding);
  let [bits, size, at] = [0, 0, 0];
  for (let index = 0; index < end; index += 1) {
    const sextet = ALPHABET.indexOf(text.charAt(index));
    if (sextet < 0) {
      return undefined;
    }
    bits = ((bits << 6) | sextet) & 0xffff;
    size += 6;
    if (size >= 8) {
      size -= 8;
      octets[at] = (bits >> size) & 0xff;
      at += 1;
    }
  }
  return octets;
}

function base64(octets: Uint8Array): string {
  const parts: string[] = [];
  for (let index = 0; index < octets.length; index += 3) {
    const [one = 0, two, three] = octets.subarray(index, index + 3);
    const bits = (one << 16) | ((two ?? 0) << 8) | (three ?? 0);
    const letter = (place: number): string =>
      ALPHABET.charAt((bits >> (18 - 6 * place)) & 0x3f);
    parts.push(
      letter(0),
      letter(1),
      two === undefined ? "=" : letter(2),
      three === undefined ? "=" : letter(3),
    );
  }
  return parts.join("");
}
