/** The extension: starts the language server, and registers commands and panels. */

import * as vscode from "vscode";
import type { Location, Position } from "vscode-languageclient";

import { Definitions } from "./definition";
import { GraphPanel } from "./graph";
import { Server } from "./server";
import { offerSnippets } from "./snippets";
import { showStatus } from "./status";
import { runTest } from "./tests";

const HELP = "https://github.com/weave-lang/weave#readme";

/** How long nothing must be typed before the picture is drawn anew. */
const PAUSE = 300;

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel("weave", { log: true });
  const trace = vscode.window.createOutputChannel("weave (messages)", { log: true });
  const started = new Server(output, trace, context.extensionPath);
  server = started;
  const graph = new GraphPanel(context.extensionUri, started);
  const definitions = new Definitions(started);
  const restart = async (): Promise<void> => {
    await started.restart();
    if (started.health === "missing") {
      // The message may stand there for hours; nothing waits for it.
      void explain();
    }
  };
  const refresh = new Pause(() => {
    void graph.refresh();
    definitions.refresh();
  });
  const changed = (document: vscode.TextDocument, saved: boolean): void => {
    const settings = vscode.workspace.getConfiguration("weave");
    if (document.languageId === "weave" && (saved || settings.get<boolean>("graph.updateOnType", true))) {
      refresh.start();
    }
  };
  context.subscriptions.push(
    output,
    trace,
    started,
    graph,
    definitions,
    refresh,
    showStatus(started),
    offerSnippets(started),
    vscode.commands.registerCommand("weave.showGraph", (wanted?: unknown) => graph.show(wanted)),
    vscode.commands.registerCommand("weave.showDefinition", (wanted?: unknown) => definitions.show(wanted)),
    vscode.commands.registerCommand("weave.showReferences", showReferences),
    vscode.commands.registerCommand("weave.runTest", (wanted?: unknown) => runTest(started, wanted)),
    vscode.commands.registerCommand("weave.restartServer", restart),
    vscode.commands.registerCommand("weave.showOutput", () => {
      output.show(true);
    }),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => void graph.follow(textEditor)),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      changed(document, false);
    }),
    vscode.workspace.onDidSaveTextDocument((document) => {
      changed(document, true);
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void restart()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      const parts = ["weave.server", "weave.diagnostics", "weave.trace"];
      if (parts.some((part) => event.affectsConfiguration(part))) {
        void restart();
      }
    }),
  );
  await restart();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

/** Lists places that a code lens has counted; the server has them in the form of the protocol, and VS Code in one of its own. */
async function showReferences(uri: string, position: Position, locations: Location[]): Promise<void> {
  const place = ({ line, character }: Position): vscode.Position => new vscode.Position(line, character);
  await vscode.commands.executeCommand(
    "editor.action.showReferences",
    vscode.Uri.parse(uri, true),
    place(position),
    locations.map(
      ({ uri: file, range: { start, end } }) =>
        new vscode.Location(vscode.Uri.parse(file, true), new vscode.Range(place(start), place(end))),
    ),
  );
}

/** Says how to get the command, which the extension does not bring along. */
async function explain(): Promise<void> {
  const configured = vscode.workspace.getConfiguration("weave").get<string>("server.path", "");
  const message =
    configured === ""
      ? "The `weave` command was not found, neither in PATH nor in target/release of the open folders. Colours and snippets work without it; errors, completion and the graph do not."
      : `weave.server.path names \`${configured}\`, which is no program.`;
  const [install, settings, retry] = ["How to Install", "Open Settings", "Try Again"];
  const chosen = await vscode.window.showWarningMessage(message, install, settings, retry);
  if (chosen === install) {
    await vscode.env.openExternal(vscode.Uri.parse(HELP));
  } else if (chosen === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "weave.server.path");
  } else if (chosen === retry) {
    await vscode.commands.executeCommand("weave.restartServer");
  }
}

/** Does something once nothing has happened for a moment. */
class Pause extends vscode.Disposable {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly task: () => void) {
    super(() => {
      clearTimeout(this.timer);
    });
  }

  start(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.task, PAUSE);
  }
}
