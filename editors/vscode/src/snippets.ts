/** Snippets where no server runs: it has the same ones, only where they fit, and with the names that are known there. */

import * as vscode from "vscode";

import snippets from "../snippets/weave.json";
import type { Server } from "./server";

export function offerSnippets(server: Server): vscode.Disposable {
  return vscode.languages.registerCompletionItemProvider("weave", {
    provideCompletionItems: () => (server.health === "running" ? [] : items()),
  });
}

function items(): vscode.CompletionItem[] {
  return Object.entries(snippets).map(([name, { prefix, description, body }]) => {
    const item = new vscode.CompletionItem({ label: name, description }, vscode.CompletionItemKind.Snippet);
    item.filterText = [...prefix, name].join(" ");
    item.insertText = new vscode.SnippetString(body.join("\n"));
    return item;
  });
}
