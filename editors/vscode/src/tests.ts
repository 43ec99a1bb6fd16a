/** Runs a test in a terminal of its own, and shows what failed where problems are listed. */

import * as vscode from "vscode";

import type { Server } from "./server";

/** Runs the test that a code lens hands over: `{ uri, test }`, where `test` is its path. */
export async function runTest(server: Server, wanted: unknown): Promise<void> {
  const command = server.command;
  const test = testFrom(wanted);
  if (command === undefined || test === undefined) {
    return;
  }
  await vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === test.uri.toString())?.save();
  const folder = vscode.workspace.getWorkspaceFolder(test.uri) ?? vscode.TaskScope.Workspace;
  const execution = new vscode.ProcessExecution(command, ["test", test.uri.fsPath, "--filter", test.path]);
  const task = new vscode.Task(
    { type: "weave", test: test.path },
    folder,
    `test ${test.path}`,
    "weave",
    execution,
    "$weave",
  );
  task.presentationOptions = { clear: true, panel: vscode.TaskPanelKind.Dedicated };
  await vscode.tasks.executeTask(task);
}

function testFrom(wanted: unknown): { uri: vscode.Uri; path: string } | undefined {
  if (typeof wanted !== "object" || wanted === null || !("uri" in wanted) || !("test" in wanted)) {
    return undefined;
  }
  const { uri, test } = wanted;
  return typeof uri === "string" && typeof test === "string"
    ? { uri: vscode.Uri.parse(uri, true), path: test }
    : undefined;
}
