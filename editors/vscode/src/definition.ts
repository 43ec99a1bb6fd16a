/** The definition that a workflow is compiled to, as a document beside its text. */

import * as vscode from "vscode";

import type { Server } from "./server";
import { definitionOf, type Subject, subjectFrom } from "./subject";
import { outdated } from "./workflows";

const SCHEME = "weave-definition";

/** Documents whose text is a definition. The address says of which workflow: `weave-definition:NAME.workflow.json?URI`. */
export class Definitions implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly registration: vscode.Disposable;
  /** What was shown last, for the time when the program has errors. */
  private readonly last = new Map<string, string>();

  readonly onDidChange = this.changed.event;

  constructor(private readonly server: Server) {
    this.registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  async show(wanted?: unknown): Promise<void> {
    const subject = subjectFrom(wanted);
    if (subject === undefined) {
      void vscode.window.showInformationMessage(
        "There is no workflow in this file whose definition could be shown.",
      );
      return;
    }
    const document = await vscode.workspace.openTextDocument(address(subject));
    // While the program has errors, a comment says so.
    await vscode.languages.setTextDocumentLanguage(document, "jsonc");
    const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true };
    await vscode.window.showTextDocument(document, place);
  }

  async provideTextDocumentContent(uri: vscode.Uri, token: vscode.CancellationToken): Promise<string> {
    const key = uri.toString();
    try {
      const text = await definitionOf(this.server, subjectAt(uri), token);
      this.last.set(key, text);
      return text;
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      return outdated(said, this.last.get(key));
    }
  }

  /** Makes the open definitions anew. */
  refresh(): void {
    const documents = vscode.workspace.textDocuments.filter((document) => document.uri.scheme === SCHEME);
    for (const document of documents) {
      this.changed.fire(document.uri);
    }
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}

function address({ uri, workflow }: Subject): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `${workflow}.workflow.json`, query: uri.toString() });
}

function subjectAt(uri: vscode.Uri): Subject {
  return { uri: vscode.Uri.parse(uri.query, true), workflow: uri.path.replace(/\.workflow\.json$/, "") };
}
