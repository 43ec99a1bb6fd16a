// Evaluates guards, templates and payloads, and says what became of each.

import { readFileSync, writeFileSync } from "node:fs";
import * as $w from "./gen/_weave/index.js";

interface Task {
  readonly guard?: string;
  readonly template?: string;
  readonly payload?: string;
  readonly scope: $w.Dictionary<$w.JsonValue>;
  readonly answers: $w.Dictionary<readonly $w.JsonValue[]>;
}

function value(task: Task, scope: $w.Scope): $w.JsonValue | undefined {
  if (task.guard !== undefined) {
    const guard = $w.Guard.parse(JSON.parse(task.guard));
    const holds = guard.holds(scope);
    const value = guard.evaluate(scope);
    if (holds !== (value === true)) {
      throw new Error("a guard holds that is not true, or does not hold that is");
    }
    return value;
  }
  if (task.template !== undefined) {
    return $w.Template.parse(task.template).render(scope);
  }
  return $w.Payload.parse(JSON.parse(task.payload ?? "") as $w.JsonValue).render(scope);
}

function outcome(task: Task): unknown {
  try {
    const found = value(task, { roots: task.scope, answers: task.answers });
    return found === undefined ? { absent: true } : { value: found };
  } catch (error) {
    if (error instanceof $w.EvaluationError) {
      return { error: error.kind };
    }
    if (error instanceof $w.ValidationError) {
      return { refused: $w.pointer(error.issue.path), message: error.issue.message };
    }
    throw error;
  }
}

const [, , from, to] = process.argv;
const tasks = JSON.parse(readFileSync(from ?? "", "utf8")) as Task[];
writeFileSync(to ?? "", JSON.stringify(tasks.map(outcome)));
