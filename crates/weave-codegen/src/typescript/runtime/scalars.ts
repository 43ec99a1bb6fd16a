/** The scalar types: their form in JSON, and their bounds. */

import { type Node, type Place, refuse } from "./codec.js";

declare const brand: unique symbol;

/** A text of a certain form. */
export type Branded<Name extends string> = string & { readonly [brand]: Name };

/** A whole number of 64 bits, as text. */
export type Int64 = Branded<"int64">;
/** A decimal number of any precision, as text: `12.50`. */
export type Decimal = Branded<"decimal">;
/** A UUID. */
export type Uuid = Branded<"uuid">;
/** A URI. */
export type Uri = Branded<"uri">;
/** An e-mail address. */
export type Email = Branded<"email">;

/** The least and the greatest value, or length, and a pattern. */
export interface Limits<Bound> {
  readonly min?: Bound;
  readonly max?: Bound;
  readonly pattern?: RegExp;
}

function scalar<T extends string | number | boolean>(
  read: (value: unknown, place: Place) => T,
): Node<T> {
  return { nullable: () => false, read, write: (value) => value };
}

function text(value: unknown, place: Place): string {
  return typeof value === "string" ? value : refuse(place, "must be a string");
}

/** How many characters a text has: code points, as JSON Schema counts. */
export function characters(value: string): number {
  let count = value.length;
  for (let index = 0; index < value.length; index += 1) {
    // What takes two units is one character.
    if ((value.codePointAt(index) ?? 0) > 0xffff) {
      count -= 1;
      index += 1;
    }
  }
  return count;
}

function bounded<T>(
  place: Place,
  value: T,
  limits: Limits<T>,
  compare: (one: T, other: T) => number,
): void {
  if (limits.min !== undefined && compare(value, limits.min) < 0) {
    refuse(place, `must not be less than ${String(limits.min)}`);
  }
  if (limits.max !== undefined && compare(value, limits.max) > 0) {
    refuse(place, `must not be greater than ${String(limits.max)}`);
  }
}

function sized(
  place: Place,
  size: number,
  unit: string,
  limits: Limits<number>,
): void {
  if (limits.min !== undefined && size < limits.min) {
    refuse(place, `must have at least ${String(limits.min)} ${unit}`);
  }
  if (limits.max !== undefined && size > limits.max) {
    refuse(place, `must have at most ${String(limits.max)} ${unit}`);
  }
}

function matches(
  place: Place,
  value: string,
  pattern: RegExp | undefined,
): void {
  if (pattern !== undefined && !pattern.test(value)) {
    refuse(place, `must match ${pattern.source}`);
  }
}

const numeric = (one: number, other: number): number => one - other;
const big = (one: bigint, other: bigint): number =>
  one < other ? -1 : one > other ? 1 : 0;

export function string(limits: Limits<number> = {}): Node<string> {
  return scalar((value, place) => {
    const read = text(value, place);
    if (limits.min !== undefined || limits.max !== undefined) {
      sized(place, characters(read), "characters", limits);
    }
    matches(place, read, limits.pattern);
    return read;
  });
}

export function bool(): Node<boolean> {
  return scalar((value, place) =>
    typeof value === "boolean" ? value : refuse(place, "must be true or false"),
  );
}

export function int(limits: Limits<number> = {}): Node<number> {
  return scalar((value, place) => {
    if (typeof value !== "number" || !Number.isSafeInteger(value)) {
      return refuse(place, "must be a whole number");
    }
    bounded(place, value, limits, numeric);
    // JSON knows no zero with a sign.
    return value + 0;
  });
}

export function float(limits: Limits<number> = {}): Node<number> {
  return scalar((value, place) => {
    if (typeof value !== "number" || !Number.isFinite(value)) {
      return refuse(place, "must be a finite number");
    }
    bounded(place, value, limits, numeric);
    // JSON knows no zero with a sign.
    return value + 0;
  });
}

const GREATEST_INT64 = 2n ** 63n - 1n;

export function int64(limits: Limits<string> = {}): Node<Int64> {
  return scalar((value, place) => {
    const read = text(value, place);
    if (!/^-?[0-9]{1,19}$/.test(read)) {
      refuse(place, "must be a whole number in quotes");
    }
    const number = BigInt(read);
    if (number > GREATEST_INT64 || number < -GREATEST_INT64 - 1n) {
      refuse(place, "must be a whole number of 64 bits");
    }
    bounded(place, read, limits, (one, other) =>
      big(BigInt(one), BigInt(other)),
    );
    return read as Int64;
  });
}

/** Compares decimal numbers exactly. */
export function compareDecimals(one: string, other: string): number {
  const fraction = (value: string): string => value.split(".")[1] ?? "";
  const digits = Math.max(fraction(one).length, fraction(other).length);
  const scaled = (value: string): bigint =>
    BigInt(
      value.replace(".", "") + "0".repeat(digits - fraction(value).length),
    );
  return big(scaled(one), scaled(other));
}

export function decimal(limits: Limits<string> = {}): Node<Decimal> {
  return scalar((value, place) => {
    const read = text(value, place);
    if (!/^-?[0-9]+(\.[0-9]+)?$/.test(read)) {
      refuse(place, "must be a decimal number in quotes");
    }
    bounded(place, read, limits, compareDecimals);
    return read as Decimal;
  });
}

const BASE64 =
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function bytes(limits: Limits<number> = {}): Node<string> {
  return scalar((value, place) => {
    const read = text(value, place);
    if (!BASE64.test(read)) {
      refuse(place, "must be base64 with the standard alphabet and padding");
    }
    const padding = read.endsWith("==") ? 2 : read.endsWith("=") ? 1 : 0;
    sized(place, (read.length / 4) * 3 - padding, "bytes", limits);
    matches(place, read, limits.pattern);
    return settled(read, padding);
  });
}

const ALPHABET =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The one text for the same bytes: the bits of the last character that belong to none of them are zero. */
function settled(base64: string, padding: number): string {
  if (padding === 0) {
    return base64;
  }
  const at = base64.length - padding - 1;
  const bits =
    ALPHABET.indexOf(base64.charAt(at)) & (padding === 2 ? 0x30 : 0x3c);
  return base64.slice(0, at) + ALPHABET.charAt(bits) + "=".repeat(padding);
}

const SECOND = 1_000_000_000n;

/** The number of days since the first of 1970, if there is such a day. */
export function readDay(value: string): bigint | undefined {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  if (found === null) {
    return undefined;
  }
  const [year, month, date] = found.slice(1).map(Number) as [
    number,
    number,
    number,
  ];
  const made = new Date(0);
  made.setUTCFullYear(year, month - 1, date);
  const same =
    made.getUTCFullYear() === year &&
    made.getUTCMonth() === month - 1 &&
    made.getUTCDate() === date;
  return same ? BigInt(Math.round(made.getTime() / 86_400_000)) : undefined;
}

/** The nanoseconds since the start of 1970, if the text is a moment; it may be outside the years 1 to 9999. */
export function readMoment(value: string): bigint | undefined {
  const form =
    /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/.exec(
      value,
    );
  const days = readDay(form?.[1] ?? "");
  if (form === null || days === undefined) {
    return undefined;
  }
  const [hour, minute, second, zoneHour, zoneMinute] = [2, 3, 4, 7, 8].map(
    (index) => Number(form[index] ?? 0),
  ) as [number, number, number, number, number];
  if (
    hour > 23 ||
    minute > 59 ||
    second > 60 ||
    zoneHour > 23 ||
    zoneMinute > 59
  ) {
    return undefined;
  }
  const ahead = (form[6] === "-" ? -1 : 1) * (zoneHour * 60 + zoneMinute);
  const seconds =
    days * 86_400n + BigInt((hour * 60 + minute - ahead) * 60 + second);
  return seconds * SECOND + BigInt((form[5] ?? "").padEnd(9, "0").slice(0, 9));
}

/** Whether nanoseconds since the start of 1970 are a moment of the years 1 to 9999. */
export function isMoment(nanoseconds: bigint): boolean {
  return (
    nanoseconds >= -62_135_596_800n * SECOND &&
    nanoseconds < 253_402_300_800n * SECOND
  );
}

/** The nanoseconds of a length of time without years and months; it may be too long. */
export function readLength(value: string): bigint | undefined {
  const found =
    /^(-?)P(?:(\d+)W|(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?)?)$/.exec(
      value,
    );
  if (found === null || value.endsWith("P")) {
    return undefined;
  }
  const part = (index: number): bigint => BigInt(found[index] ?? 0);
  const seconds =
    part(2) * 604_800n +
    part(3) * 86_400n +
    part(4) * 3_600n +
    part(5) * 60n +
    part(6);
  const nanoseconds =
    seconds * SECOND + BigInt((found[7] ?? "").padEnd(9, "0").slice(0, 9));
  return found[1] === "-" ? -nanoseconds : nanoseconds;
}

/** Whether so many nanoseconds are within ten thousand years. */
export function isLength(nanoseconds: bigint): boolean {
  const longest = 315_576_000_000n * SECOND;
  return nanoseconds >= -longest && nanoseconds <= longest;
}

/** What is read, if it is within bounds. */
function within(
  read: (value: string) => bigint | undefined,
  is: (found: bigint) => boolean,
): (value: string) => bigint | undefined {
  return (value) => {
    const found = read(value);
    return found !== undefined && is(found) ? found : undefined;
  };
}

function ordered(
  order: (value: string) => bigint | undefined,
  what: string,
): (limits?: Limits<string>) => Node<string> {
  return (limits = {}) =>
    scalar((value, place) => {
      const read = text(value, place);
      if (order(read) === undefined) {
        refuse(place, `must be ${what}`);
      }
      bounded(place, read, limits, (one, other) =>
        big(order(one) ?? 0n, order(other) ?? 0n),
      );
      return read;
    });
}

export const timestamp: (limits?: Limits<string>) => Node<string> = ordered(
  within(readMoment, isMoment),
  "a point in time, as RFC 3339 writes it",
);
export const date: (limits?: Limits<string>) => Node<string> = ordered(
  readDay,
  "a date such as 2026-11-21",
);
export const duration: (limits?: Limits<string>) => Node<string> = ordered(
  within(readLength, isLength),
  "a length of time such as PT1M30S, without years and months",
);

function formatted<Name extends string>(
  form: RegExp,
  what: string,
): () => Node<Branded<Name>> {
  return () =>
    scalar((value, place) => {
      const read = text(value, place);
      return form.test(read)
        ? (read as Branded<Name>)
        : refuse(place, `must be ${what}`);
    });
}

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
const PLAIN = "[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2}";
const AUTHORITY = `(?:(?:${PLAIN}|:)*@)?(?:\\[[0-9A-Fa-f:.]+\\]|(?:${PLAIN})*)(?::[0-9]*)?`;
const SEGMENT = `(?:${PLAIN}|[:@])`;
const PATH = `(?://${AUTHORITY}(?:/${SEGMENT}*)*|/(?:${SEGMENT}+(?:/${SEGMENT}*)*)?|${SEGMENT}+(?:/${SEGMENT}*)*)?`;
const URI = `^[A-Za-z][A-Za-z0-9+.-]*:${PATH}(?:\\?(?:${PLAIN}|[:@/?])*)?(?:#(?:${PLAIN}|[:@/?])*)?$`;

export const uuid: () => Node<Uuid> = formatted(
  /^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/,
  "a UUID",
);
export const uri: () => Node<Uri> = formatted(new RegExp(URI), "a URI");
export const email: () => Node<Email> = formatted(
  new RegExp(`^${ATOM}(?:\\.${ATOM})*@${LABEL}(?:\\.${LABEL})*$`),
  "an e-mail address",
);
