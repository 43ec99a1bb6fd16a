#!/usr/bin/env node
// Starts the binary of this platform, which is in a package of its own. Starting Node takes a few hundred milliseconds: editors and scripts that
// start `weave` often should start the binary itself, whose path `weave.js --print-binary` prints.
"use strict";

const { spawnSync } = require("node:child_process");
const { readFileSync } = require("node:fs");

const PACKAGES = {{ packages }};

function isMusl() {
  if (process.platform !== "linux") {
    return false;
  }
  try {
    return readFileSync("/usr/bin/ldd", "latin1").includes("musl");
  } catch {
    const report = typeof process.report?.getReport === "function" ? process.report.getReport() : undefined;
    return report !== undefined && report.header?.glibcVersionRuntime === undefined;
  }
}

function find() {
  if (process.env.WEAVE_BINARY) {
    return process.env.WEAVE_BINARY;
  }
  const platform = `${process.platform}-${process.arch}${isMusl() ? "-musl" : ""}`;
  const name = PACKAGES[platform];
  if (name === undefined) {
    fail(`there is no weave binary for ${platform}`, `build it from source, and set WEAVE_BINARY to its path: {{ home }}`);
  }
  const file = process.platform === "win32" ? "weave.exe" : "weave";
  try {
    return require.resolve(`${name}/bin/${file}`);
  } catch {
    fail(
      `the package ${name} with the weave binary is not installed`,
      "optional dependencies may be turned off (--omit=optional), or the lock file was written on another platform (https://github.com/npm/cli/issues/4828):\n" +
        "      delete node_modules and package-lock.json, and install again; or set WEAVE_BINARY to the path of a binary",
    );
  }
}

function fail(message, help) {
  console.error(`error: ${message}\nhelp: ${help}`);
  process.exit(2);
}

const binary = find();
const words = process.argv.slice(2);
if (words.length === 1 && words[0] === "--print-binary") {
  console.log(binary);
  process.exit(0);
}
const result = spawnSync(binary, words, { stdio: "inherit", windowsHide: true });
if (result.error !== undefined) {
  fail(`${binary} cannot be started: ${result.error.message}`, "reinstall {{ package }}, or correct WEAVE_BINARY");
}
if (result.signal !== null) {
  // Ends as the binary did, so that shells see the same.
  process.kill(process.pid, result.signal);
}
process.exit(result.status ?? 2);
