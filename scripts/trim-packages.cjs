'use strict';
// Runs after 'npm ci' and makes the installed packages smaller and faster to load. Plain old
// JavaScript, because the right Node may not be installed yet.
const { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const { platform, arch } = process;

/** The folder of a package of the server, wherever npm put it. */
function folderOf(name) {
  const folders = ['apps/server/node_modules', 'node_modules'].map((modules) =>
    path.join(root, modules, name),
  );
  return folders.find((folder) => existsSync(folder)) || folders[0];
}

/** Removes all subfolders but one. */
function keepOnly(folder, name) {
  if (!existsSync(path.join(folder, name))) return;
  for (const other of readdirSync(folder)) {
    if (other !== name) rmSync(path.join(folder, other), { recursive: true });
  }
}

// These packages contain the binaries of all platforms, 275 MB of which are unused here.
const onnxRuntime = path.join(folderOf('onnxruntime-node'), 'bin/napi-v6');
keepOnly(onnxRuntime, platform);
keepOnly(path.join(onnxRuntime, platform), arch);
if (arch === 'x64') {
  for (const name of ['linux-arm64', 'linux-armv7l']) {
    rmSync(folderOf(`@node-llama-cpp/${name}`), { recursive: true, force: true });
  }
}

// The data of Tesseract comes in two models, of which the smaller one is as good.
const tesseract = path.dirname(folderOf('@tesseract.js-data/eng'));
if (existsSync(tesseract)) {
  for (const language of readdirSync(tesseract)) {
    rmSync(path.join(tesseract, language, '4.0.0'), { recursive: true, force: true });
  }
}

// Node loads the WebAssembly of Tesseract from its own files.
const core = folderOf('tesseract.js-core');
if (existsSync(core)) {
  for (const name of readdirSync(core)) {
    if (name.endsWith('.wasm.js')) rmSync(path.join(core, name));
  }
}

// The sources of llama.cpp, to compile it where no binary fits.
rmSync(path.join(folderOf('node-llama-cpp'), 'llama/gitRelease.bundle'), { force: true });

// libheif also ships plain JavaScript and bundles, 7 MB in total.
const heif = folderOf('libheif-js');
for (const name of [
  'libheif',
  'libheif-wasm/libheif-bundle.js',
  'libheif-wasm/libheif-bundle.mjs',
]) {
  rmSync(path.join(heif, name), { recursive: true, force: true });
}

// Node parses a package.json again for each module of the package. The 447 entries of Drizzle's
// exports, 180 KB, took half a second of each start.
const manifest = path.join(folderOf('drizzle-orm'), 'package.json');
if (existsSync(manifest)) {
  const drizzle = JSON.parse(readFileSync(manifest, 'utf8'));
  const used = ['.', './errors', './node-postgres', './pg-core', './package.json'];
  drizzle.exports = Object.fromEntries(used.map((entry) => [entry, drizzle.exports[entry]]));
  // A new file, since the installed one may be a link into npm's cache.
  rmSync(manifest);
  writeFileSync(manifest, `${JSON.stringify(drizzle, null, 2)}\n`);
}

/** Removes the source maps of all packages, 110 MB. */
function removeSourceMaps(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) removeSourceMaps(file);
    else if (/\.(?:[cm]?[jt]s|css)\.map$/.test(entry.name)) rmSync(file);
  }
}
for (const modules of ['node_modules', 'apps/server/node_modules']) {
  if (existsSync(path.join(root, modules))) removeSourceMaps(path.join(root, modules));
}
