/** The command line, for what a server that is not there, or an older one, does not answer. */

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";

/** What a command printed; rejected with what it said when it failed. */
function run(command: string, words: readonly string[], folder: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, timeout: 30_000, maxBuffer: 64 * 1024 * 1024 };
    execFile(command, words, options, (error, printed, said) => {
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
  const words = ["graph", file, "--format", "svg", "--workflow", workflow, "--color", "never"];
  return run(command, words, path.dirname(file));
}

/** The definition of a workflow, of its file as it was saved. */
export async function compileDefinition(command: string, file: string, workflow: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "weave-"));
  try {
    await run(command, ["compile", file, "-o", folder, "--color", "never", "--quiet"], path.dirname(file));
    return await readFile(path.join(folder, `${workflow}.workflow.json`), "utf8");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
