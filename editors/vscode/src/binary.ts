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
  /** The folder of the extension: packages for one platform have the command in it. */
  readonly extension: string;
  /** The folder of the user, for a leading `~`. */
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** The processor, as Node names it. */
  readonly arch: string;
}

/** Where the command is, or where it was looked for in vain. */
export type Found = { readonly command: string } | { readonly missing: readonly string[] };

/**
 * The command of the setting; or the one that a project has installed with npm or in a Python environment, so that everyone who works on it has the
 * same version; or the one in the extension; or the one in `PATH`; or one that was built in an open folder. A setting that names nothing is an error,
 * not a reason to look elsewhere: the user wants that command. A relative path would depend on where the editor was started.
 */
export function findBinary(
  surroundings: Surroundings,
  isProgram: (file: string) => boolean = isExecutable,
): Found {
  const places = candidates(surroundings);
  const command = places.find(isProgram);
  return command === undefined ? { missing: places } : { command };
}

function candidates({
  configured,
  searchPath,
  folders,
  extension,
  home,
  platform,
  arch,
}: Surroundings): string[] {
  const names = platform === "win32" ? ["weave.exe", "weave.cmd"] : ["weave"];
  const flavour = platform === "win32" ? path.win32 : path.posix;
  if (configured !== "") {
    const expanded = configured.startsWith("~/") ? flavour.join(home, configured.slice(2)) : configured;
    if (flavour.isAbsolute(expanded)) {
      return [expanded];
    }
    return folders.map((folder) => flavour.join(folder, expanded));
  }
  const installed = folders.flatMap((folder) => projectFolders(flavour, folder, `${platform}-${arch}`));
  const bundled = flavour.join(extension, "bundled");
  const searched = searchPath.split(flavour.delimiter).filter((folder) => flavour.isAbsolute(folder));
  const built = folders.map((folder) => flavour.join(folder, "target", "release"));
  return [...installed, bundled, ...searched, ...built].flatMap((folder) =>
    names.map((name) => flavour.join(folder, name)),
  );
}

/** Where npm and pip put the command itself: the launcher of npm would start Node first. */
function projectFolders(flavour: path.PlatformPath, folder: string, platform: string): string[] {
  const suffixes = platform.startsWith("linux-") ? ["", "-musl"] : [""];
  const npm = suffixes.map((suffix) =>
    flavour.join(folder, "node_modules", `weave-lang-${platform}${suffix}`, "bin"),
  );
  return [...npm, flavour.join(folder, ".venv", platform.startsWith("win32-") ? "Scripts" : "bin")];
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
