'use strict';
// Written for old versions of Node, so they can report what is wrong.
const { existsSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const path = require('node:path');
const { environment, flags } = require('./server-process.json');
const usage = require('./usage.cjs');

const [command, ...args] = process.argv.slice(2);
// The command that with-services starts has its own --help.
const ownArgs = command === 'with-services' ? args.slice(0, 1) : args;
if (usage[command] && ['--help', '-h'].some((flag) => ownArgs.includes(flag))) {
  process.stdout.write(`Usage: ${usage[command].trim()}\n`);
  process.exit(0);
}

/** Commands whose code is outside of this folder. */
const MODULES = {
  backup: '../apps/server/src/backup.ts',
  bench: '../bench/main.ts',
  doctor: '../apps/server/src/doctor.ts',
  mcp: '../packages/mcp-bridge/src/main.ts',
  model: '../apps/server/src/model-command.ts',
  restore: '../apps/server/src/restore.ts',
};

const MIN_NODE = 24;
const major = Number(process.versions.node.split('.')[0]);
if (major < MIN_NODE) {
  process.stderr.write(
    [
      `Engram needs Node ${MIN_NODE} or newer, and this is Node ${process.versions.node}.`,
      "'npm ci' installs the right Node with an install script of the package 'node'. If install",
      "scripts are disabled, run 'npm ci --ignore-scripts=false', or install Node 24 yourself.",
      '',
    ].join('\n'),
  );
  process.exit(1);
}
// Compiled code is cached for the next start, and for child processes.
const compiled = path.join(__dirname, '../node_modules/.cache/engram/compiled');
process.env.NODE_COMPILE_CACHE = process.env.NODE_COMPILE_CACHE || compiled;
enableCompileCache(process.env.NODE_COMPILE_CACHE);
// The server replaces this process, because its memory settings apply only from the start: half of
// Node's usual young generation, and two pools of the C library instead of several for each thread.
if (
  command === 'start' &&
  process.execve &&
  !flags.every((flag) => process.execArgv.includes(flag))
) {
  process.execve(
    process.execPath,
    [process.execPath, ...process.execArgv, ...flags, __filename, command, ...args],
    { ...environment, ...process.env },
  );
}
if (['backup', 'doctor', 'model', 'restore'].includes(command) && existsSync('.env')) {
  process.loadEnvFile('.env');
}
process.argv.splice(2, process.argv.length, ...args);
import(MODULES[command] || `./${command}.ts`).catch((error) => {
  process.stderr.write(`${error && error.stack ? error.stack : error}\n`);
  process.exit(1);
});
