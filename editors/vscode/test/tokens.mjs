// The tokens that VS Code's own highlighter finds: `node test/tokens.mjs GRAMMAR FILE…` prints JSON, for each file a list of lines, for each
// line a list of [start, end, scopes], in the units of UTF-16.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { loadWASM, OnigScanner, OnigString } = require("vscode-oniguruma");
const { INITIAL, Registry, parseRawGrammar } = require("vscode-textmate");

const [grammarPath, ...files] = process.argv.slice(2);
await loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
const registry = new Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new OnigScanner(patterns),
    createOnigString: (text) => new OnigString(text),
  }),
  loadGrammar: (scope) =>
    Promise.resolve(
      scope === "source.weave" ? parseRawGrammar(readFileSync(grammarPath, "utf8"), "weave.json") : null,
    ),
});
const grammar = await registry.loadGrammar("source.weave");

const result = files.map((file) => {
  let state = INITIAL;
  return readFileSync(file, "utf8")
    .split("\n")
    .map((line) => {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
      state = ruleStack;
      return tokens.map(({ startIndex, endIndex, scopes }) => [
        startIndex,
        endIndex,
        scopes.slice(1).join(" "),
      ]);
    });
});
console.log(JSON.stringify(result));
