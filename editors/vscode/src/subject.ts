/** What the graph and the definition are of: a workflow of a document, and how they are got. */

import * as vscode from "vscode";

import { compileDefinition, drawGraph } from "./command";
import { Refused, type Server } from "./server";
import { workflowAt } from "./workflows";

/** A workflow of a document. */
export interface Subject {
  readonly uri: vscode.Uri;
  readonly workflow: string;
}

/** The workflow that the cursor of an editor is in. */
export function subjectOf(editor: vscode.TextEditor | undefined): Subject | undefined {
  if (editor?.document.languageId !== "weave") {
    return undefined;
  }
  const workflow = workflowAt(editor.document.getText(), editor.selection.active.line);
  return workflow === undefined ? undefined : { uri: editor.document.uri, workflow };
}

/** What a command is about: what a code lens hands it, or else the workflow that the cursor is in. */
export function subjectFrom(wanted: unknown): Subject | undefined {
  if (isRecord(wanted) && typeof wanted["uri"] === "string" && typeof wanted["workflow"] === "string") {
    return { uri: vscode.Uri.parse(wanted["uri"], true), workflow: wanted["workflow"] };
  }
  return subjectOf(vscode.window.activeTextEditor);
}

/** The picture as SVG: from the server, which knows what is not saved yet, or from the command line. */
export function graphOf(server: Server, subject: Subject, token: vscode.CancellationToken): Promise<string> {
  const asked = server.ask("weave/graph", { ...identify(subject), format: "svg" }, token);
  return answered(asked, "svg", subject, () =>
    drawGraph(commandOf(server), subject.uri.fsPath, subject.workflow),
  );
}

/** The definition as JSON, got like the picture. */
export function definitionOf(
  server: Server,
  subject: Subject,
  token: vscode.CancellationToken,
): Promise<string> {
  const asked = server.ask("weave/definition", identify(subject), token);
  const compile = (): Promise<string> =>
    compileDefinition(commandOf(server), subject.uri.fsPath, subject.workflow);
  return answered(asked, "definition", subject, compile);
}

/**
 * The answer of the server, or what the command line makes of the file. A server that refuses may do so because of another file of the project; the
 * command line looks at this one only. But it sees what is saved.
 */
async function answered(
  asked: Promise<unknown>,
  key: string,
  subject: Subject,
  otherwise: () => Promise<string>,
): Promise<string> {
  try {
    return textOf(await asked, key) ?? (await otherwise());
  } catch (error) {
    if (!(error instanceof Refused) || isDirty(subject)) {
      throw error;
    }
    return otherwise();
  }
}

function isDirty({ uri }: Subject): boolean {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  return open?.isDirty ?? false;
}

function identify({ uri, workflow }: Subject): object {
  return { textDocument: { uri: uri.toString() }, workflow };
}

/** An answer is a text, or an object with it. */
function textOf(answer: unknown, key: string): string | undefined {
  const value = isRecord(answer) && key in answer ? answer[key] : answer;
  if (typeof value === "string") {
    return value;
  }
  return isRecord(value) ? `${JSON.stringify(value, undefined, 2)}\n` : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function commandOf(server: Server): string {
  const command = server.command;
  if (command === undefined) {
    throw new Error("The `weave` command was not found.");
  }
  return command;
}
