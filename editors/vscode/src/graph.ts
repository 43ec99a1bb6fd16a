/** The panel with the graph of a workflow, beside its text. */

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

import type { Server } from "./server";
import { graphOf, type Subject, subjectFrom, subjectOf } from "./subject";
import { lineOfNode } from "./workflows";

/** What the page says: that it listens, or which node was clicked. */
interface Said {
  readonly node?: string;
}

/** The one panel. It follows the cursor from workflow to workflow. */
export class GraphPanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private subject: Subject | undefined;
  private drawing: vscode.CancellationTokenSource | undefined;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly server: Server,
  ) {}

  async show(wanted?: unknown): Promise<void> {
    const subject = subjectFrom(wanted);
    if (subject === undefined) {
      void vscode.window.showInformationMessage(
        "There is no workflow in this file whose graph could be drawn.",
      );
      return;
    }
    this.subject = subject;
    if (this.panel === undefined) {
      // The picture is drawn when the page says that it listens.
      this.panel = this.open(subject);
    } else {
      this.panel.reveal(undefined, true);
      await this.draw();
    }
  }

  /** Draws another workflow if the cursor has gone to one. */
  async follow(editor: vscode.TextEditor | undefined): Promise<void> {
    const subject = subjectOf(editor);
    if (this.panel === undefined || subject === undefined || isSame(subject, this.subject)) {
      return;
    }
    this.subject = subject;
    await this.draw();
  }

  /** Draws the picture anew after a change of one of the files that it may depend on. */
  async refresh(): Promise<void> {
    if (this.panel !== undefined) {
      await this.draw();
    }
  }

  dispose(): void {
    this.drawing?.cancel();
    this.panel?.dispose();
  }

  private open(subject: Subject): vscode.WebviewPanel {
    const dist = vscode.Uri.joinPath(this.extension, "dist");
    const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const options = { enableScripts: true, localResourceRoots: [dist], retainContextWhenHidden: true };
    const panel = vscode.window.createWebviewPanel("weave.graph", titleOf(subject), place, options);
    panel.iconPath = vscode.Uri.joinPath(this.extension, "images", "weave.png");
    const script = panel.webview.asWebviewUri(vscode.Uri.joinPath(dist, "graph.js"));
    panel.webview.html = page(script, panel.webview.cspSource);
    panel.webview.onDidReceiveMessage(({ node }: Said) =>
      node === undefined ? this.draw() : this.reveal(node),
    );
    panel.onDidDispose(() => {
      this.drawing?.cancel();
      this.panel = undefined;
      this.subject = undefined;
    });
    return panel;
  }

  private async draw(): Promise<void> {
    const { panel, subject } = this;
    if (panel === undefined || subject === undefined) {
      return;
    }
    this.drawing?.cancel();
    const drawing = new vscode.CancellationTokenSource();
    this.drawing = drawing;
    panel.title = titleOf(subject);
    const message = await graphOf(this.server, subject, drawing.token).then(
      (svg) => ({ workflow: subject.workflow, svg }),
      (error: unknown) => ({
        workflow: subject.workflow,
        problem: error instanceof Error ? error.message : String(error),
      }),
    );
    // What was asked for before the latest change is of no use any more.
    if (!drawing.token.isCancellationRequested && this.panel === panel) {
      await panel.webview.postMessage(message);
    }
    drawing.dispose();
  }

  /** Goes to where a node is declared. */
  private async reveal(node: string): Promise<void> {
    const { subject } = this;
    if (subject === undefined) {
      return;
    }
    const document = await vscode.workspace.openTextDocument(subject.uri);
    const line = lineOfNode(document.getText(), subject.workflow, node);
    if (line === undefined) {
      return;
    }
    const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
    const viewColumn = shown?.viewColumn ?? vscode.ViewColumn.One;
    const editor = await vscode.window.showTextDocument(document, { viewColumn });
    const start = new vscode.Position(line, document.lineAt(line).firstNonWhitespaceCharacterIndex);
    editor.selection = new vscode.Selection(start, start);
    editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}

function titleOf({ workflow }: Subject): string {
  return `Graph: ${workflow}`;
}

function isSame(one: Subject, other: Subject | undefined): boolean {
  return one.workflow === other?.workflow && one.uri.toString() === other.uri.toString();
}

/** The page; its script puts the picture into it. Nothing but that script may run. */
function page(script: vscode.Uri, source: string): string {
  const nonce = randomBytes(16).toString("base64");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src ${source} data:; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'">
<style>
html, body { height: 100%; margin: 0; padding: 0; overflow: hidden; background: var(--vscode-editor-background); color: var(--vscode-editor-foreground) }
#picture { position: absolute; inset: 0; overflow: hidden; cursor: grab }
#picture.moved { cursor: grabbing }
#picture svg { position: absolute; left: 0; top: 0; transform-origin: 0 0 }
#picture svg .page { fill: transparent }
#picture svg .label, #picture svg .wrong { paint-order: stroke; stroke: var(--vscode-editor-background); stroke-width: 4px; stroke-linejoin: round }
#picture svg .node { cursor: pointer }
#picture.old svg { opacity: .35 }
#problem { position: absolute; left: 12px; right: 12px; top: 12px; max-height: 50%; overflow: auto; margin: 0; padding: 8px 12px; white-space: pre-wrap;
  border: 1px solid var(--vscode-inputValidation-warningBorder); background: var(--vscode-inputValidation-warningBackground);
  color: var(--vscode-inputValidation-warningForeground, inherit); font-family: var(--vscode-editor-font-family); font-size: 12px }
#problem:empty { display: none }
#tools { position: absolute; right: 12px; bottom: 12px; display: flex; gap: 4px }
#tools button { min-width: 28px; height: 28px; padding: 0 8px; border: 1px solid var(--vscode-button-border, transparent); border-radius: 4px; cursor: pointer;
  color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground) }
#tools button:hover { background: var(--vscode-button-secondaryHoverBackground) }
</style>
</head>
<body>
<div id="picture"></div>
<pre id="problem"></pre>
<div id="tools"><button id="out" title="Smaller">−</button><button id="in" title="Larger">+</button><button id="fit" title="Show all of it">Fit</button></div>
<script nonce="${nonce}" src="${script.toString()}"></script>
</body>
</html>`;
}
