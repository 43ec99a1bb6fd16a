/** The language server: found, started, stopped, and what it is asked beyond the protocol. */

import { homedir } from "node:os";
import * as vscode from "vscode";
import {
  type ClientCapabilities,
  CloseAction,
  ErrorAction,
  type Executable,
  type FeatureState,
  LanguageClient,
  type LanguageClientOptions,
  LSPErrorCodes,
  ResponseError,
  State,
  type StaticFeature,
  vsdiag,
} from "vscode-languageclient/node";

import { findBinary } from "./binary";
import { Crashes } from "./crashes";

/** How the server is. */
export type Health = "starting" | "running" | "stopped" | "missing";

/** The server knows the request, and cannot do what is asked. */
export class Refused extends Error {}

/** The files that the server looks at. */
export const SERVED = [
  { scheme: "file", language: "weave" },
  { scheme: "file", pattern: "**/weave.toml" },
];

const SEVERITIES: Record<string, vscode.DiagnosticSeverity> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  note: vscode.DiagnosticSeverity.Hint,
};

/** The server and the one client that talks to it. */
export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private readonly changed = new vscode.EventEmitter<Health>();
  private current: Health = "stopped";
  /** Starts and stops follow each other: a second restart waits for the first. */
  private queue: Promise<void> = Promise.resolve();

  /** Tells when the server starts or stops. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly output: vscode.LogOutputChannel,
    private readonly trace: vscode.LogOutputChannel,
    /** The folder of the extension. */
    private readonly extension: string,
  ) {}

  get health(): Health {
    return this.current;
  }

  /** The command, if there is one. */
  get command(): string | undefined {
    const found = find(this.extension);
    return "command" in found ? found.command : undefined;
  }

  restart(): Promise<void> {
    return this.enqueue(async () => {
      await this.stopNow();
      await this.startNow();
    });
  }

  stop(): Promise<void> {
    return this.enqueue(() => this.stopNow());
  }

  /** The answer to a request; nothing if there is no server that knows it. Rejected with what the server says when it cannot answer. */
  async ask(method: string, parameters: object, token: vscode.CancellationToken): Promise<unknown> {
    if (this.client?.state !== State.Running) {
      return undefined;
    }
    try {
      return await this.client.sendRequest<unknown>(method, parameters, token);
    } catch (error) {
      if (error instanceof ResponseError && error.code === LSPErrorCodes.RequestFailed) {
        throw new Refused(error.message);
      }
      this.output.debug(`${method}: ${String(error)}`);
      return undefined;
    }
  }

  dispose(): void {
    void this.stop();
    this.changed.dispose();
  }

  private enqueue(task: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(task, task);
    return this.queue;
  }

  private async startNow(): Promise<void> {
    const found = find(this.extension);
    if (!("command" in found)) {
      this.become("missing");
      this.output.warn(`no weave command; looked for\n  ${found.missing.join("\n  ")}`);
      return;
    }
    const settings = vscode.workspace.getConfiguration("weave");
    const executable: Executable = {
      command: found.command,
      args: settings.get<string[]>("server.arguments", ["lsp"]),
    };
    this.output.info(`starting ${[executable.command, ...(executable.args ?? [])].join(" ")}`);
    this.become("starting");
    const client = new LanguageClient("weave", "weave", executable, this.options());
    client.registerFeature(new Commands());
    client.onDidChangeState(({ newState }) => {
      if (this.client === client) {
        this.become(
          newState === State.Running ? "running" : newState === State.Starting ? "starting" : "stopped",
        );
      }
    });
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      this.output.error(`the language server cannot be started: ${String(error)}`);
      this.become("stopped");
    }
  }

  private async stopNow(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client !== undefined) {
      try {
        await client.dispose();
      } catch (error) {
        this.output.warn(`the language server did not end as it should: ${String(error)}`);
      }
      this.become("stopped");
    }
  }

  private become(health: Health): void {
    this.current = health;
    this.changed.fire(health);
  }

  private options(): LanguageClientOptions {
    const crashes = new Crashes();
    return {
      documentSelector: [...SERVED],
      outputChannel: this.output,
      traceOutputChannel: tracing(this.trace),
      middleware: {
        handleDiagnostics: (uri, diagnostics, next) => {
          next(uri, severeEnough(uri, diagnostics));
        },
        provideCodeLenses: async (document, token, next) =>
          (await next(document, token))?.map((lens) => withOwnCommand(lens)),
        resolveCodeLens: async (lens, token, next) => {
          const resolved = await next(lens, token);
          return resolved && withOwnCommand(resolved);
        },
        provideDiagnostics: async (document, previous, token, next) => {
          const report = await next(document, previous, token);
          const uri = document instanceof vscode.Uri ? document : document.uri;
          if (report?.kind === vsdiag.DocumentDiagnosticReportKind.full) {
            report.items = severeEnough(uri, report.items);
          }
          return report;
        },
      },
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue }),
        closed: () => ({ action: crashes.note(Date.now()) ? CloseAction.DoNotRestart : CloseAction.Restart }),
      },
    };
  }
}

/** Tells the server which commands its code lenses may name; other editors have none of them. */
class Commands implements StaticFeature {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    const commands = ["weave.showGraph", "weave.showDefinition", "weave.showReferences", "weave.runTest"];
    capabilities.experimental = { commands: { commands } };
  }

  initialize(): void {
    // Nothing depends on what the server can do.
  }

  getState(): FeatureState {
    return { kind: "static" };
  }

  clear(): void {
    // Nothing is kept.
  }
}

/** VS Code has a command that lists places, but wants them in its own form. */
function withOwnCommand(lens: vscode.CodeLens): vscode.CodeLens {
  if (lens.command?.command === "editor.action.showReferences") {
    lens.command = { ...lens.command, command: "weave.showReferences" };
  }
  return lens;
}

function find(extension: string): ReturnType<typeof findBinary> {
  return findBinary({
    configured: vscode.workspace.getConfiguration("weave").get<string>("server.path", ""),
    searchPath: process.env["PATH"] ?? "",
    folders: (vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [])
      .filter((folder) => folder.uri.scheme === "file")
      .map((folder) => folder.uri.fsPath),
    extension,
    home: homedir(),
    platform: process.platform,
    arch: process.arch,
  });
}

/** Without what is milder than `weave.diagnostics.level` says. */
function severeEnough(uri: vscode.Uri, diagnostics: vscode.Diagnostic[]): vscode.Diagnostic[] {
  const level = vscode.workspace.getConfiguration("weave", uri).get("diagnostics.level", "note");
  const least = SEVERITIES[level] ?? vscode.DiagnosticSeverity.Hint;
  return diagnostics.filter((diagnostic) => diagnostic.severity <= least);
}

/** The client traces where its channel is at the level of traces. Here the setting `weave.trace.server` is enough. */
function tracing(channel: vscode.LogOutputChannel): vscode.LogOutputChannel {
  const level = vscode.workspace.getConfiguration("weave").get<string>("trace.server", "off");
  if (level === "off") {
    return channel;
  }
  return new Proxy(channel, {
    get(target, key) {
      if (key === "logLevel") {
        return vscode.LogLevel.Trace;
      }
      const value: unknown = Reflect.get(target, key === "trace" ? "info" : key);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}
