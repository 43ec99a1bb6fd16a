/** Guards: read once from the tree of a definition, and evaluated over values. */

import { type JsonValue, ValidationError, isObject } from "./codec.js";
import { type Operator, OPERATORS, absorbed, apply } from "./operators.js";
import {
  type Scope,
  type Segment,
  descend,
  isDeeper,
  readPath,
} from "./paths.js";
import { type Pattern, PatternError, pattern } from "./patterns.js";
import {
  type Item,
  type ValueType,
  EvaluationError,
  elements,
  fail,
  isNull,
  item,
  plain,
  textOrder,
  truth,
  truthOf,
  typeOf,
  wire,
} from "./values.js";

/** How often the bodies of `exists` and `all` are asked in one evaluation at most. */
export const GREATEST_WORK = 1_000_000;

/** How deep the tree of a guard may be nested, as that of a definition. */
export const DEEPEST_TREE = 1024;

const TYPES: readonly string[] = [
  ...[
    "bool",
    "int",
    "int64",
    "float",
    "decimal",
    "string",
    "bytes",
    "timestamp",
    "date",
    "duration",
  ],
  ...["null", "list", "map", "record", "json"],
];

type Expression =
  | {
      readonly kind: "constant";
      readonly value: JsonValue;
      readonly type: ValueType;
    }
  | {
      readonly kind: "path";
      readonly path: readonly Segment[];
      readonly type: ValueType;
    }
  | {
      readonly kind: "variable";
      readonly name: string;
      readonly path: readonly Segment[];
      readonly type: ValueType;
    }
  | { readonly kind: "list"; readonly items: readonly Expression[] }
  | {
      readonly kind: "logic";
      readonly decides: boolean;
      readonly operands: readonly Expression[];
    }
  | Application
  | Question;

interface Application {
  readonly kind: "application";
  readonly operator: Operator;
  readonly type: ValueType;
  readonly operands: readonly Expression[];
  readonly pattern: Pattern | undefined;
}

interface Question {
  readonly kind: "question";
  readonly decides: boolean;
  readonly variable: string;
  readonly list: Expression;
  readonly body: Expression;
}

type Tree = Readonly<Record<string, unknown>>;

/** Reads the tree of an expression, and says where it is none. */
class Reader {
  private readonly path: (string | number)[] = [];
  private readonly variables: string[] = [];

  /** A guard as it stands in a definition, or its tree alone. */
  guard(from: unknown): Expression {
    if (!isObject(from) || !has(from, "expr")) {
      return this.expression(from);
    }
    this.only(from, "cel", "expr");
    return this.below(from, "expr", (it) => this.expression(it));
  }

  expression(from: unknown): Expression {
    if (!isObject(from)) {
      return this.refuse("must be an object");
    }
    if (has(from, "const")) {
      this.only(from, "const", "type");
      return {
        kind: "constant",
        value: from["const"] as JsonValue,
        type: this.below(from, "type", (it) => this.type(it)),
      };
    }
    if (has(from, "op")) {
      return has(from, "var") ? this.question(from) : this.application(from);
    }
    if (has(from, "var")) {
      this.only(from, "var", "path", "type");
      const name = this.below(from, "var", (it) => this.text(it));
      if (!this.variables.includes(name)) {
        return this.refuse(
          "no `exists` or `all` around it has this variable",
          "var",
        );
      }
      const path = has(from, "path")
        ? this.below(from, "path", (it) => this.segments(it))
        : [];
      return {
        kind: "variable",
        name,
        path,
        type: this.below(from, "type", (it) => this.type(it)),
      };
    }
    if (has(from, "path")) {
      this.only(from, "path", "type");
      const path = this.below(from, "path", (it) => this.segments(it));
      if (typeof path[0] !== "string") {
        return this.refuse("must begin with the name of a root", "path");
      }
      return {
        kind: "path",
        path,
        type: this.below(from, "type", (it) => this.type(it)),
      };
    }
    if (has(from, "list")) {
      this.only(from, "list");
      return {
        kind: "list",
        items: this.below(from, "list", (it) => this.expressions(it)),
      };
    }
    return this.refuse("must have the key const, path, var, list or op");
  }

  private application(from: Tree): Expression {
    this.only(from, "op", "type", "args");
    const operator = this.below(from, "op", (it) => this.operator(it));
    const { least, most, types } = OPERATORS[operator];
    const operands = this.below(from, "args", (it) => this.expressions(it));
    if (operands.length < least || operands.length > most) {
      return this.refuse(
        `${operator} takes another number of operands`,
        "args",
      );
    }
    if (operator === "&&" || operator === "||") {
      this.only(from, "op", "args");
      return { kind: "logic", decides: operator === "||", operands };
    }
    if (types === undefined) {
      this.only(from, "op", "args");
      return {
        kind: "application",
        operator,
        type: "json",
        operands,
        pattern: this.pattern(operator, operands[1]),
      };
    }
    const type = this.below(from, "type", (it) => this.type(it));
    if (!types.includes(type)) {
      return this.refuse(
        `${operator} has no meaning for the type ${type}`,
        "type",
      );
    }
    return {
      kind: "application",
      operator,
      type,
      operands,
      pattern: undefined,
    };
  }

  private pattern(
    operator: Operator,
    operand: Expression | undefined,
  ): Pattern | undefined {
    if (operator !== "matches") {
      return undefined;
    }
    this.path.push("args", 1);
    if (
      operand?.kind !== "constant" ||
      operand.type !== "string" ||
      typeof operand.value !== "string"
    ) {
      return this.refuse("must be a constant string");
    }
    try {
      return pattern(operand.value);
    } catch (error) {
      if (error instanceof PatternError) {
        return this.refuse(
          `is a pattern that cannot be used: ${error.message}`,
          "const",
        );
      }
      throw error;
    } finally {
      this.path.length -= 2;
    }
  }

  private question(from: Tree): Expression {
    this.only(from, "op", "var", "in", "body");
    const operator = from["op"];
    if (operator !== "exists" && operator !== "all") {
      return this.refuse("must be exists or all", "op");
    }
    const variable = this.below(from, "var", (it) => this.text(it));
    const list = this.below(from, "in", (it) => this.expression(it));
    this.variables.push(variable);
    const body = this.below(from, "body", (it) => this.expression(it));
    this.variables.pop();
    return {
      kind: "question",
      decides: operator === "exists",
      variable,
      list,
      body,
    };
  }

  private only(from: Tree, ...keys: readonly string[]): void {
    const other = Object.keys(from).find((key) => !keys.includes(key));
    if (other !== undefined) {
      this.refuse("does not belong here", other);
    }
  }

  private refuse(
    message: string,
    ...below: readonly (string | number)[]
  ): never {
    throw new ValidationError({ message, path: [...this.path, ...below] });
  }

  private below<T>(from: Tree, key: string, read: (value: unknown) => T): T {
    if (!has(from, key)) {
      return this.refuse("is missing", key);
    }
    this.path.push(key);
    const value = read(from[key]);
    this.path.pop();
    return value;
  }

  private text(value: unknown): string {
    return typeof value === "string" ? value : this.refuse("must be a string");
  }

  private type(value: unknown): ValueType {
    return typeof value === "string" && TYPES.includes(value)
      ? (value as ValueType)
      : this.refuse("must be a type");
  }

  private operator(value: unknown): Operator {
    return typeof value === "string" && Object.hasOwn(OPERATORS, value)
      ? (value as Operator)
      : this.refuse("must be an operator");
  }

  private each<T>(value: unknown, read: (item: unknown) => T): T[] {
    if (!Array.isArray(value)) {
      return this.refuse("must be a list");
    }
    return (value as readonly unknown[]).map((item, index) => {
      this.path.push(index);
      const found = read(item);
      this.path.pop();
      return found;
    });
  }

  private expressions(value: unknown): readonly Expression[] {
    const found = this.each(value, (it) => this.expression(it));
    return found.length > 0 ? found : this.refuse("must not be empty");
  }

  private segments(value: unknown): readonly Segment[] {
    return this.each(value, (it) => this.segment(it));
  }

  private segment(value: unknown): Segment {
    if (
      typeof value === "number" &&
      Number.isInteger(value) &&
      value >= 0 &&
      value < 2 ** 32
    ) {
      return value;
    }
    if (
      isObject(value) &&
      Object.keys(value).length === 1 &&
      value["all"] === true
    ) {
      return { all: true };
    }
    return typeof value === "string"
      ? value
      : this.refuse('must be a key, an index or {"all": true}');
  }
}

function has(from: Tree, key: string): boolean {
  return Object.hasOwn(from, key) && from[key] !== undefined;
}

/** One evaluation. */
class Evaluation {
  private readonly scope: Scope;
  /** The variables of the quantifiers around, the innermost last. */
  private readonly bound: (readonly [string, Item])[] = [];
  private work = 0;

  constructor(scope: Scope) {
    this.scope = scope;
  }

  value(of: Expression): Item {
    switch (of.kind) {
      case "constant":
        return item(of.value, of.type);
      case "path":
        return item(readPath(of.path, this.scope) ?? null, of.type);
      case "variable":
        return this.variable(of.name, of.path, of.type);
      case "list":
        return {
          from: "list",
          items: of.items.map((inner) => this.element(inner)),
        };
      case "logic":
        return this.decided(of.decides, of.operands, (operand) =>
          truthOf(this.value(operand)),
        );
      case "application": {
        const operands = of.operands.map((operand) => this.value(operand));
        return apply(of.operator, of.type, operands, of.pattern);
      }
      case "question":
        return this.decided(of.decides, asked(this.value(of.list)), (element) =>
          this.answer(of, element),
        );
    }
  }

  /** An element of a list; none is itself a list that is made of expressions. */
  private element(of: Expression): Item {
    const found = this.value(of);
    return found.from === "list"
      ? { from: "json", value: wire(found), type: "list" }
      : found;
  }

  /** Whether one of all is what decides; an error counts only if none does. */
  private decided<T>(
    decides: boolean,
    all: readonly T[],
    ask: (one: T) => boolean,
  ): Item {
    let first: EvaluationError | undefined;
    for (const one of all) {
      try {
        if (ask(one) === decides) {
          return truth(decides);
        }
      } catch (error) {
        first ??= absorbed(error);
      }
    }
    return first === undefined
      ? truth(!decides)
      : fail(first.kind, first.message);
  }

  private answer(question: Question, element: Item): boolean {
    this.work += 1;
    if (this.work > GREATEST_WORK) {
      fail(
        "too_much_work",
        `the bodies of exists and all are asked more than ${String(GREATEST_WORK)} times`,
      );
    }
    this.bound.push([question.variable, element]);
    try {
      return truthOf(this.value(question.body));
    } finally {
      this.bound.pop();
    }
  }

  private variable(
    name: string,
    path: readonly Segment[],
    type: ValueType,
  ): Item {
    const found =
      this.bound.findLast(([variable]) => variable === name)?.[1] ??
      fail("meaningless", `there is no ${name}`);
    if (found.from === "json") {
      return item(descend(found.value, path) ?? null, type);
    }
    if (path.length > 0) {
      return item(null, type);
    }
    return found.from === "list" || typeOf(found) === type
      ? found
      : fail("form", `a value is not of the type ${type}`);
  }
}

/** What a quantifier asks about: of a list its elements, of a map its keys in order. */
function asked(container: Item): readonly Item[] {
  if (
    container.from !== "json" ||
    !isObject(container.value) ||
    isNull(container)
  ) {
    return elements(container);
  }
  const keys = Object.keys(container.value).sort(textOrder);
  return keys.map((key) => ({ from: "json", value: key, type: "string" }));
}

/** A guard that was read once and can be evaluated often. */
export class Guard {
  private readonly expression: Expression;

  private constructor(expression: Expression) {
    this.expression = expression;
  }

  /**
   * Reads a guard as it stands in a definition, or its tree alone. Throws a `ValidationError` with the path of what is wrong: what has not
   * the form of a guard, operators without meaning for their operands, variables that nobody has, patterns that not everybody reads alike.
   */
  static parse(guard: unknown): Guard {
    if (isDeeper(guard, DEEPEST_TREE)) {
      throw new ValidationError({
        message: `is nested deeper than ${String(DEEPEST_TREE)} levels`,
        path: [],
      });
    }
    return new Guard(new Reader().guard(guard));
  }

  /** Its value, in the form that its type has in JSON; what is absent is null. Throws an `EvaluationError`. */
  evaluate(scope: Scope): JsonValue {
    try {
      return plain(wire(new Evaluation(scope).value(this.expression)));
    } catch (error) {
      // Texts, numbers and stacks have bounds in every engine.
      throw error instanceof RangeError
        ? new EvaluationError("too_much_work", error.message)
        : error;
    }
  }

  /** Whether it is true; one that ends in an error is false. */
  holds(scope: Scope): boolean {
    try {
      return this.evaluate(scope) === true;
    } catch (error) {
      if (error instanceof EvaluationError) {
        return false;
      }
      throw error;
    }
  }
}
