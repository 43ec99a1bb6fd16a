/** Which workflows a text declares, as far as a line shows it, and what is shown of them. Knows nothing of VS Code, so that tests need none. */

/** A workflow and the line of its header, from 0. */
export interface Workflow {
  readonly name: string;
  readonly line: number;
}

/** The workflows in the order of the text. */
export function workflows(text: string): Workflow[] {
  const found: Workflow[] = [];
  for (const [line, content] of text.split("\n").entries()) {
    const name = /^\s*workflow\s+([A-Za-z_]\w*)\s*\(/.exec(content)?.[1];
    if (name !== undefined) {
      found.push({ name, line });
    }
  }
  return found;
}

/** The workflow that a line belongs to: the last one that begins before it, or the first of all. */
export function workflowAt(text: string, line: number): string | undefined {
  const all = workflows(text);
  return (all.filter((workflow) => workflow.line <= line).at(-1) ?? all[0])?.name;
}

/** The line on which a node of a workflow is declared. */
export function lineOfNode(text: string, workflow: string, node: string): number | undefined {
  const all = workflows(text);
  const index = all.findIndex(({ name }) => name === workflow);
  const own = all[index];
  if (own === undefined) {
    return undefined;
  }
  if (node === "start") {
    return own.line;
  }
  const lines = text.split("\n").slice(own.line, all[index + 1]?.line);
  const declares = new RegExp(`(?:^|[{}]|\\s)(?:step|end|fail)\\s+${node}\\b`);
  const offset = lines.findIndex((content) => declares.test(content));
  return offset < 0 ? undefined : own.line + offset;
}

/** What is shown in place of a definition that cannot be had: why, and the one that was shown before. */
export function outdated(problem: string, before: string | undefined): string {
  const why = problem.trimEnd().replaceAll(/^/gm, "// ");
  return before === undefined ? `${why}\n` : `${why}\n// This is the definition from before:\n${before}`;
}
