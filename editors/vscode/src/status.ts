/** The item in the status bar: whether the language server runs, and what can be done. */

import * as vscode from "vscode";

import { type Health, SERVED, type Server } from "./server";

/** What the links may do: the path that stands beside them is a text of somebody else. */
const COMMANDS = [
  "weave.showGraph",
  "weave.showDefinition",
  "weave.restartServer",
  "weave.showOutput",
  "workbench.action.openSettings",
];

const SHOWN: Record<Health, { icon: string; text: string }> = {
  starting: { icon: "$(loading~spin)", text: "The language server starts." },
  running: { icon: "$(check)", text: "The language server runs." },
  stopped: { icon: "$(circle-slash)", text: "The language server does not run." },
  missing: { icon: "$(warning)", text: "The `weave` command was not found." },
};

/** Shows the item while a file is in front that the server looks at. */
export function showStatus(server: Server): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("weave.status", vscode.StatusBarAlignment.Right, 100);
  item.name = "weave";
  const draw = (): void => {
    const { icon, text } = SHOWN[server.health];
    item.text = `${icon} weave`;
    const needsYou = server.health === "missing" || server.health === "stopped";
    item.backgroundColor = needsYou ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    item.command = server.health === "missing" ? "weave.restartServer" : "weave.showOutput";
    const links = [
      "[Show Graph](command:weave.showGraph)",
      "[Show Definition](command:weave.showDefinition)",
      "[Restart](command:weave.restartServer)",
      "[Output](command:weave.showOutput)",
      "[Settings](command:workbench.action.openSettings?%22weave.%22)",
    ];
    const where = server.command === undefined ? "" : `\n\n\`${server.command}\``;
    const tooltip = new vscode.MarkdownString(`${text}${where}\n\n${links.join(" · ")}`, true);
    tooltip.isTrusted = { enabledCommands: COMMANDS };
    item.tooltip = tooltip;
    const document = vscode.window.activeTextEditor?.document;
    if (document !== undefined && vscode.languages.match(SERVED, document) > 0) {
      item.show();
    } else {
      item.hide();
    }
  };
  draw();
  return vscode.Disposable.from(
    item,
    server.onDidChange(draw),
    vscode.window.onDidChangeActiveTextEditor(draw),
  );
}
