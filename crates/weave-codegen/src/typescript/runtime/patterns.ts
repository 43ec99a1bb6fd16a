/**
 * The regular expressions of `matches`: the common part of RE2, ECMAScript, Python and Rust, where `\d \w \s \b` are ASCII.
 *
 * They are not left to `RegExp`, which may need a time that is exponential in the length of the text: here all ways through a pattern
 * are gone at once, so that the time is that of the text times that of the pattern.
 */

/** A pattern that is ready to be looked for. */
export interface Pattern {
  /** Whether it is found anywhere in a text. */
  isFoundIn(text: string): boolean;
}

/** What is wrong with a text that is no pattern. */
export class PatternError extends Error {
  override readonly name: string = "PatternError";
}

/** The first and the last code point of each part of a class, one behind the other. */
type Ranges = readonly number[];

type Assertion = "^" | "$" | "b" | "B";

type Part =
  | {
      readonly kind: "characters";
      readonly ranges: Ranges;
      readonly negated: boolean;
    }
  | { readonly kind: "assertion"; readonly assertion: Assertion }
  | { readonly kind: "sequence" | "choice"; readonly parts: readonly Part[] }
  | {
      readonly kind: "repetition";
      readonly part: Part;
      readonly least: number;
      readonly most: number;
    };

/** Go, as all of RE2's family, refuses more: repetitions within each other are multiplied. */
const MOST_REPEATED = 1000;
const DEEPEST_GROUP = 100;
const MOST_STATES = 200_000;

const points = (text: string): number[] =>
  Array.from(text, (character) => character.codePointAt(0) ?? 0);
const ranges = (...texts: readonly string[]): Ranges => texts.flatMap(points);

const DIGIT = ranges("09");
const WORD = ranges("09", "AZ", "__", "az");
const SPACE = ranges("\t\n", "\f\r", "  ");
const CLASSES: Readonly<Record<string, Ranges>> = {
  d: DIGIT,
  w: WORD,
  s: SPACE,
};
const SPECIAL: Readonly<Record<string, string>> = {
  a: "\x07",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};
const LAST = 0x10ffff;

/** All code points that are in none of the ranges, which are in their order. */
function inverted(of: Ranges): Ranges {
  const result = [0];
  for (let index = 0; index < of.length; index += 2) {
    result.push((of[index] ?? 0) - 1, (of[index + 1] ?? 0) + 1);
  }
  return [...result, LAST];
}

/** Reads a pattern. */
class Reader {
  private readonly text: readonly string[];
  private at = 0;
  private depth = 0;

  constructor(pattern: string) {
    this.text = Array.from(pattern);
  }

  whole(): Part {
    const part = this.choice();
    return this.at < this.text.length
      ? this.refuse("a `)` closes nothing")
      : part;
  }

  private refuse(message: string): never {
    throw new PatternError(
      `${message} (at character ${String(this.at)} of the pattern)`,
    );
  }

  private next(): string | undefined {
    return this.text[this.at];
  }

  private take(): string {
    const taken = this.next() ?? this.refuse("it ends too early");
    this.at += 1;
    return taken;
  }

  private takes(wanted: string): boolean {
    const isNext = this.next() === wanted;
    this.at += isNext ? 1 : 0;
    return isNext;
  }

  private choice(): Part {
    const parts = [this.sequence()];
    while (this.takes("|")) {
      parts.push(this.sequence());
    }
    return { kind: "choice", parts };
  }

  private sequence(): Part {
    const parts: Part[] = [];
    for (
      let next = this.next();
      next !== undefined && next !== "|" && next !== ")";
      next = this.next()
    ) {
      parts.push(this.repeated(this.one()));
    }
    return { kind: "sequence", parts };
  }

  private one(): Part {
    const taken = this.take();
    switch (taken) {
      case ".":
        return { kind: "characters", ranges: ranges("\n\n"), negated: true };
      case "^":
      case "$":
        return { kind: "assertion", assertion: taken };
      case "(":
        return this.group();
      case "[":
        return this.class();
      case "\\":
        return this.escape();
      case "*":
      case "+":
      case "?":
      case "{":
        return this.refuse("there is nothing that can be repeated");
      default:
        return {
          kind: "characters",
          ranges: ranges(taken + taken),
          negated: false,
        };
    }
  }

  private group(): Part {
    if (this.takes("?") && !this.takes(":")) {
      return this.refuse(
        "only `(…)` and `(?:…)` are groups that are understood everywhere",
      );
    }
    this.depth += 1;
    if (this.depth > DEEPEST_GROUP) {
      return this.refuse("groups are nested too deeply");
    }
    const part = this.choice();
    this.depth -= 1;
    return this.takes(")") ? part : this.refuse("a group is not closed");
  }

  private escape(): Part {
    const escaped = this.take();
    if (escaped === "b" || escaped === "B") {
      return { kind: "assertion", assertion: escaped };
    }
    return {
      kind: "characters",
      ranges: this.escaped(escaped),
      negated: false,
    };
  }

  /** What stands for characters behind a backslash. */
  private escaped(escaped: string): Ranges {
    const known = CLASSES[escaped];
    if (known !== undefined) {
      return known;
    }
    const opposite = CLASSES[escaped.toLowerCase()];
    if (opposite !== undefined) {
      return inverted(opposite);
    }
    const special = SPECIAL[escaped];
    if (special !== undefined) {
      return ranges(special + special);
    }
    if (escaped === "x") {
      const digits = this.take() + this.take();
      const point = parseInt(digits, 16);
      return /^[0-9A-Fa-f]{2}$/.test(digits)
        ? [point, point]
        : this.refuse("`\\x` has two digits");
    }
    if (/^[\0-\x7f]$/.test(escaped) && !/[0-9A-Za-z<>]/.test(escaped)) {
      return ranges(escaped + escaped);
    }
    return this.refuse("this escape is not understood everywhere");
  }

  private class(): Part {
    const negated = this.takes("^");
    const all: number[] = [];
    while (this.takes("-")) {
      all.push(...ranges("--"));
    }
    for (
      let isFirst = all.length === 0;
      isFirst || this.next() !== "]";
      isFirst = false
    ) {
      const from = this.member();
      if (this.next() === "-" && this.text[this.at + 1] !== "]") {
        this.at += 1;
        const to = this.member();
        const [first = 0, last = 0] = [from[0], to[1]];
        if (
          from.length !== 2 ||
          from[0] !== from[1] ||
          to.length !== 2 ||
          to[0] !== to[1] ||
          first > last
        ) {
          return this.refuse("this is no range of characters");
        }
        all.push(first, last);
      } else {
        all.push(...from);
      }
    }
    this.at += 1;
    return { kind: "characters", ranges: all, negated };
  }

  private member(): Ranges {
    const taken = this.take();
    if (taken === "\\") {
      return this.escaped(this.take());
    }
    const isOperation = "&-~".includes(taken) && this.next() === taken;
    return taken === "[" || isOperation
      ? this.refuse("this is not understood everywhere in a class")
      : ranges(taken + taken);
  }

  private repeated(part: Part): Part {
    const bounds = this.bounds();
    if (bounds === undefined) {
      return part;
    }
    if (part.kind === "assertion") {
      return this.refuse("what stands for no character is not repeated");
    }
    this.takes("?");
    if ("*+?{".includes(this.next() ?? "-")) {
      return this.refuse("what is repeated twice stands in a group");
    }
    const [least, most] = bounds;
    return { kind: "repetition", part, least, most };
  }

  private bounds(): readonly [number, number] | undefined {
    if (this.takes("*")) {
      return [0, Infinity];
    }
    if (this.takes("+")) {
      return [1, Infinity];
    }
    if (this.takes("?")) {
      return [0, 1];
    }
    if (!this.takes("{")) {
      return undefined;
    }
    const least = this.number() ?? this.refuse("`{` is followed by a number");
    const most = this.takes(",") ? (this.number() ?? Infinity) : least;
    return this.takes("}") && least <= most
      ? [least, most]
      : this.refuse("a repetition is `{m}`, `{m,}` or `{m,n}`");
  }

  private number(): number | undefined {
    let digits = "";
    for (
      let next = this.next();
      next !== undefined && /^[0-9]$/.test(next);
      next = this.next()
    ) {
      digits += next;
      this.at += 1;
    }
    return digits === "" ? undefined : Number(digits);
  }
}

/** Demands that nothing is repeated too often, repetitions within each other multiplied. */
function checkRepetitions(part: Part, room: number): void {
  if (part.kind === "sequence" || part.kind === "choice") {
    part.parts.forEach((inner) => {
      checkRepetitions(inner, room);
    });
  } else if (part.kind === "repetition") {
    const isCounted =
      part.least > 1 || (part.most !== Infinity && part.most > 1);
    const times = isCounted
      ? part.most === Infinity
        ? part.least
        : part.most
      : 1;
    if (times > room) {
      throw new PatternError(
        "more than 1,000 repetitions, those within each other multiplied, are not understood everywhere",
      );
    }
    checkRepetitions(part.part, Math.floor(room / times));
  }
}

/** What is done in a state: a character is passed, a place is looked at, other states are entered, or the pattern is found. */
type State =
  | {
      readonly kind: "characters";
      readonly ranges: Ranges;
      readonly negated: boolean;
      readonly next: number;
    }
  | {
      readonly kind: "assertion";
      readonly assertion: Assertion;
      readonly next: number;
    }
  | { readonly kind: "fork"; readonly nexts: number[] }
  | { readonly kind: "found" };

class Builder {
  readonly states: State[] = [];

  add(state: State): number {
    if (this.states.length >= MOST_STATES) {
      throw new PatternError("the pattern is too large");
    }
    return this.states.push(state) - 1;
  }

  /** The state in which a part begins that is followed by `next`. */
  build(part: Part, next: number): number {
    switch (part.kind) {
      case "characters":
      case "assertion":
        return this.add({ ...part, next });
      case "sequence":
        return part.parts.reduceRight(
          (behind, inner) => this.build(inner, behind),
          next,
        );
      case "choice":
        return part.parts.length === 1 && part.parts[0] !== undefined
          ? this.build(part.parts[0], next)
          : this.add({
              kind: "fork",
              nexts: part.parts.map((inner) => this.build(inner, next)),
            });
      case "repetition": {
        let start = next;
        if (part.most === Infinity) {
          const nexts = [next];
          start = this.add({ kind: "fork", nexts });
          nexts.push(this.build(part.part, start));
        } else {
          for (let index = part.least; index < part.most; index += 1) {
            start = this.add({
              kind: "fork",
              nexts: [next, this.build(part.part, start)],
            });
          }
        }
        for (let index = 0; index < part.least; index += 1) {
          start = this.build(part.part, start);
        }
        return start;
      }
    }
  }
}

function has(of: Ranges, point: number): boolean {
  for (let index = 0; index < of.length; index += 2) {
    if (point >= (of[index] ?? 0) && point <= (of[index + 1] ?? 0)) {
      return true;
    }
  }
  return false;
}

function holds(
  assertion: Assertion,
  before: number | undefined,
  behind: number | undefined,
): boolean {
  switch (assertion) {
    case "^":
      return before === undefined;
    case "$":
      return behind === undefined;
    default: {
      const isWord = (point: number | undefined): boolean =>
        point !== undefined && has(WORD, point);
      return (isWord(before) !== isWord(behind)) === (assertion === "b");
    }
  }
}

/** Whether the pattern that begins in a state is found anywhere in a text. */
function isFound(
  states: readonly State[],
  start: number,
  text: string,
): boolean {
  // In which round a state was entered last, so that none is entered twice at one place.
  const entered = new Int32Array(states.length).fill(-1);
  let waiting: number[] = [];
  let before: number | undefined;
  let round = 0;
  for (const behind of [...points(text), undefined]) {
    const open = [...waiting, start];
    waiting = [];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const state = states[at];
      if (state === undefined || entered[at] === round) {
        continue;
      }
      entered[at] = round;
      if (state.kind === "found") {
        return true;
      }
      if (state.kind === "fork") {
        // Not as arguments: their number is bounded.
        state.nexts.forEach((next) => open.push(next));
      } else if (state.kind === "assertion") {
        if (holds(state.assertion, before, behind)) {
          open.push(state.next);
        }
      } else if (
        behind !== undefined &&
        has(state.ranges, behind) !== state.negated
      ) {
        waiting.push(state.next);
      }
    }
    before = behind;
    round += 1;
  }
  return false;
}

/** Reads a pattern; throws a `PatternError` if it is none, or too large. */
export function pattern(text: string): Pattern {
  const part = new Reader(text).whole();
  checkRepetitions(part, MOST_REPEATED);
  const builder = new Builder();
  const start = builder.build(part, builder.add({ kind: "found" }));
  return { isFoundIn: (searched) => isFound(builder.states, start, searched) };
}
