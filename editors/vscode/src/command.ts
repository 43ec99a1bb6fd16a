/** The command line, for what a server that is not there, or an older one, does not answer. */

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";

/** What the command printed about a file; rejected with what it said when it failed. */
function run(command: string, name: string, file: string, words: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: path.dirname(file), timeout: 30_000, maxBuffer: 64 * 1024 * 1024 };
    // A name that begins with a dash is no option.
    const all = [name, `./${path.basename(file)}`, ...words, "--color", "never", "--error-format", "short"];
    execFile(command, all, options, (error, printed, said) => {
      if (error === null) {
        resolve(printed);
      } else {
        reject(new Error(said.trim() || error.message));
      }
    });
  });
}

/** The picture of a workflow, of its file as it was saved. */
export function drawGraph(command: string, file: string, workflow: string): Promise<string> {
  return run(command, "graph", file, ["--format", "svg", "--workflow", workflow]);
}

/** The definition of a workflow, of its file as it was saved. */
export async function compileDefinition(command: string, file: string, workflow: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "weave-"));
  try {
    await run(command, "compile", file, ["-o", folder, "--quiet"]);
    return await readFile(path.join(folder, `${workflow}.workflow.json`), "utf8");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
