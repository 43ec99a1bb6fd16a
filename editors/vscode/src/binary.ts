/** Where the `weave` command is. Knows nothing of VS Code, so that tests need none. */

import { accessSync, constants, statSync } from "node:fs";
import * as path from "node:path";

/** What is known of the machine and the settings. */
export interface Surroundings {
  /** The setting `weave.server.path`; may be empty. */
  readonly configured: string;
  /** The variable `PATH`. */
  readonly searchPath: string;
  /** The folders that are open and trusted: what lies in others was perhaps put there to be started. */
  readonly folders: readonly string[];
  /** The folder of the user, for a leading `~`. */
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** Where the command is, or where it was looked for in vain. */
export type Found = { readonly command: string } | { readonly missing: readonly string[] };

/**
 * The command of the setting; or the one in `PATH`; or one that was built in an open folder. A setting that names nothing is an error, not a
 * reason to look elsewhere: who sets it wants that one. A place that is no whole path would depend on where the editor was started.
 */
export function findBinary(
  surroundings: Surroundings,
  isProgram: (file: string) => boolean = isExecutable,
): Found {
  const places = candidates(surroundings);
  const command = places.find(isProgram);
  return command === undefined ? { missing: places } : { command };
}

function candidates({ configured, searchPath, folders, home, platform }: Surroundings): string[] {
  const names = platform === "win32" ? ["weave.exe", "weave.cmd"] : ["weave"];
  const flavour = platform === "win32" ? path.win32 : path.posix;
  if (configured !== "") {
    const expanded = configured.startsWith("~/") ? flavour.join(home, configured.slice(2)) : configured;
    if (flavour.isAbsolute(expanded)) {
      return [expanded];
    }
    return folders.map((folder) => flavour.join(folder, expanded));
  }
  const searched = searchPath.split(flavour.delimiter).filter((folder) => flavour.isAbsolute(folder));
  const built = folders.map((folder) => flavour.join(folder, "target", "release"));
  return [...searched, ...built].flatMap((folder) => names.map((name) => flavour.join(folder, name)));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
