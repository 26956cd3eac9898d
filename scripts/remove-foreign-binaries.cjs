'use strict';
// Runs after 'npm ci'. Two packages bring the programs of all platforms along, 275 MB of which this
// machine never loads. Plain old JavaScript, since the right Node may not be installed yet.
const { existsSync, readdirSync, rmSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const { platform, arch } = process;

/** Removes all subfolders but one. */
function keepOnly(folder, name) {
  if (!existsSync(path.join(folder, name))) return;
  for (const other of readdirSync(folder)) {
    if (other !== name) rmSync(path.join(folder, other), { recursive: true });
  }
}

for (const modules of ['node_modules', 'apps/server/node_modules']) {
  const onnxRuntime = path.join(root, modules, 'onnxruntime-node/bin/napi-v6');
  keepOnly(onnxRuntime, platform);
  keepOnly(path.join(onnxRuntime, platform), arch);
}
if (arch === 'x64') {
  for (const name of ['linux-arm64', 'linux-armv7l']) {
    const folder = path.join(root, 'node_modules/@node-llama-cpp', name);
    rmSync(folder, { recursive: true, force: true });
  }
}
