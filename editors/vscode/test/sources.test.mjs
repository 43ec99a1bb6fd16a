// The parts that know nothing of VS Code, and what package.json promises.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import test from "node:test";
import { buildSync } from "esbuild";

async function source(name) {
  const { outputFiles } = buildSync({
    entryPoints: [`src/${name}.ts`],
    bundle: true,
    format: "esm",
    platform: "node",
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const { findBinary } = await source("binary");
const { Crashes } = await source("crashes");
const { lineOfNode, outdated, workflowAt, workflows } = await source("workflows");

const here = {
  configured: "",
  searchPath: "/usr/bin::/opt/bin:.:node_modules/.bin",
  folders: ["/home/me/flows"],
  extension: "/ext",
  home: "/home/me",
  platform: "linux",
  arch: "x64",
};

test("the command of the project comes first, then the one in the extension, then PATH", () => {
  const has =
    (...files) =>
    (file) =>
      files.includes(file);
  const built = "/home/me/flows/target/release/weave";
  assert.deepEqual(findBinary(here, has("/opt/bin/weave", built)), { command: "/opt/bin/weave" });
  assert.deepEqual(findBinary(here, has(built)), { command: built });
  assert.ok("missing" in findBinary({ ...here, folders: [] }, has(built)));
  const project = [
    "/home/me/flows/node_modules/weave-lang-linux-x64/bin/weave",
    "/home/me/flows/node_modules/weave-lang-linux-x64-musl/bin/weave",
    "/home/me/flows/.venv/bin/weave",
  ];
  const others = ["/ext/bundled/weave", "/usr/bin/weave", "/opt/bin/weave", built];
  assert.deepEqual(findBinary(here, has()), { missing: [...project, ...others] });
  for (const [index, command] of [...project, ...others].entries()) {
    assert.deepEqual(findBinary(here, has(...[...project, ...others].slice(index))), { command });
  }
  const windows = { ...here, platform: "win32", searchPath: "C:\\bin;D:\\w", folders: [] };
  assert.deepEqual(findBinary(windows, has("D:\\w\\weave.exe")), { command: "D:\\w\\weave.exe" });
  const installed = "D:\\flows\\.venv\\Scripts\\weave.exe";
  assert.deepEqual(findBinary({ ...windows, folders: ["D:\\flows"] }, has(installed)), {
    command: installed,
  });
});

test("a setting is heeded, and nothing else is taken in its place", () => {
  const all = () => true;
  assert.deepEqual(findBinary({ ...here, configured: "/x/weave" }, all), { command: "/x/weave" });
  assert.deepEqual(findBinary({ ...here, configured: "~/bin/weave" }, all), {
    command: "/home/me/bin/weave",
  });
  assert.deepEqual(findBinary({ ...here, configured: "bin/weave" }, all), {
    command: "/home/me/flows/bin/weave",
  });
  assert.deepEqual(findBinary({ ...here, configured: "bin/weave", folders: [] }, all), { missing: [] });
  const onlyInPath = (file) => file === "/usr/bin/weave";
  assert.deepEqual(findBinary({ ...here, configured: "/x/weave" }, onlyInPath), { missing: ["/x/weave"] });
});

const text = `type A { x: int }
workflow one(a: A) {
  step ask_it { wait 1s } step ask { wait 1s }
  end done on ask
}

workflow two(
  a: A
) {
  step ask { wait 2s }
}
`;

test("a server that falls over again and again is not started any more", () => {
  const minutes = (...times) => {
    const crashes = new Crashes();
    return times.map((time) => crashes.note(time * 60_000));
  };
  assert.deepEqual(minutes(0, 0.1, 0.2, 0.3, 0.4), [false, false, false, false, true]);
  // One that falls over now and then is.
  assert.ok(!minutes(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10).includes(true));
  assert.deepEqual(minutes(0, 60, 60.5, 61, 61.5, 62), [false, false, false, false, false, true]);
});

test("workflows and their nodes are found by their lines", () => {
  assert.deepEqual(workflows(text), [
    { name: "one", line: 1 },
    { name: "two", line: 6 },
  ]);
  assert.equal(workflowAt(text, 0), "one");
  assert.equal(workflowAt(text, 3), "one");
  assert.equal(workflowAt(text, 8), "two");
  assert.equal(workflowAt("type A { x: int }", 0), undefined);
  assert.equal(lineOfNode(text, "one", "ask"), 2);
  assert.equal(lineOfNode(text, "one", "done"), 3);
  assert.equal(lineOfNode(text, "two", "ask"), 9);
  assert.equal(lineOfNode(text, "two", "start"), 6);
  assert.equal(lineOfNode(text, "two", "done"), undefined);
  assert.equal(lineOfNode(text, "three", "ask"), undefined);
});

test("a definition from before says what is wrong now", () => {
  assert.equal(outdated("desk.weave:3:1: error\n", undefined), "// desk.weave:3:1: error\n");
  const both = outdated("one\ntwo", '{ "weave": "1" }\n');
  assert.equal(both, '// one\n// two\n// This is the definition from before:\n{ "weave": "1" }\n');
});

test("lines are indented, comments go on and words are selected as people expect", () => {
  const configuration = JSON.parse(readFileSync("language-configuration.json", "utf8"));
  const deeper = new RegExp(configuration.indentationRules.increaseIndentPattern);
  for (const line of [
    "tool find(",
    "  step go {",
    '  step go on a when .a.kind == "refund" {',
    '  end done = { url: "http://x/{id}", more: [  // why',
    String.raw`  end done on a when .a == "\\" && .b == "\"" {`,
  ]) {
    assert.ok(deeper.test(line), line);
  }
  for (const line of ["// type A {", '  status: "{"', "  a: 1 // {", 'prompt p() """', "type A { x: int }"]) {
    assert.ok(!deeper.test(line), line);
  }
  const goesOn = (before, after) =>
    configuration.onEnterRules.find(
      ({ beforeText, afterText = "" }) =>
        new RegExp(beforeText).test(before) && new RegExp(afterText).test(after),
    )?.action.appendText;
  assert.equal(goesOn("  /// What it", ""), "/// ");
  assert.equal(goesOn("//! What is", " here"), "//! ");
  // An empty line is the way out.
  assert.equal(goesOn("  /// ", ""), undefined);
  assert.equal(goesOn("//! ", ""), undefined);
  assert.equal(goesOn("  // one", " two"), "// ");
  assert.equal(goesOn("  // one", ""), undefined);
  assert.equal(goesOn("  step go { // one", " two"), undefined);
  assert.equal(goesOn("//// a line", ""), undefined);
  const { pattern, flags } = configuration.wordPattern;
  const words = "when .größe == 24h && order_id".match(new RegExp(pattern, `${flags}g`));
  assert.deepEqual(words, ["when", "größe", "24h", "order_id"]);
});

test("every command and setting that is promised is there, and none is forgotten", () => {
  const code = ["extension", "server", "graph", "definition", "status", "subject"]
    .map((name) => readFileSync(`src/${name}.ts`, "utf8"))
    .join("\n");
  const registered = [...code.matchAll(/registerCommand\("([^"]+)"/g)].map(([, name]) => name);
  // Only code lenses start these: their arguments are places and paths of tests.
  const ofLenses = ["weave.runTest", "weave.showReferences"];
  const forPeople = registered.filter((name) => !ofLenses.includes(name));
  assert.deepEqual(forPeople.sort(), manifest.contributes.commands.map(({ command }) => command).sort());
  for (const setting of Object.keys(manifest.contributes.configuration.properties)) {
    assert.ok(code.includes(`"${setting.replace("weave.", "")}"`), `${setting} is not read`);
  }
});

test("every file that package.json names is there", () => {
  const { languages, grammars } = manifest.contributes;
  const files = [
    manifest.icon,
    ...languages.flatMap(({ configuration, icon }) => [configuration, icon.light, icon.dark]),
    ...grammars.map(({ path }) => path),
  ];
  for (const file of files) {
    assert.ok(existsSync(file), file);
  }
});
