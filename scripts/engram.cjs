#!/usr/bin/env node
'use strict';
// The commands `npx engram`, `npx engram doctor`, …, and `engram mcp` for programs that use MCP.
const { spawn } = require('node:child_process');
const { existsSync } = require('node:fs');
const path = require('node:path');

const COMMANDS = ['start', 'doctor', 'backup', 'restore', 'mcp'];
const [command = 'start', ...args] = process.argv.slice(2);
if (!COMMANDS.includes(command)) {
  const isHelp = command === '--help' || command === '-h';
  const usage = `Usage: engram [${COMMANDS.join(' | ')}] [--help]\n`;
  process[isHelp ? 'stdout' : 'stderr'].write(usage);
  process.exit(isHelp ? 0 : 1);
}

const MIN_NODE = 24;
const major = Number(process.versions.node.split('.')[0]);
const program = process.platform === 'win32' ? 'node.exe' : 'node';
const bundledNode = path.join(__dirname, '../node_modules/node/bin', program);
// Programs start this with any Node. If it is too old, the bundled one takes over.
if (command === 'mcp' && major < MIN_NODE && existsSync(bundledNode)) {
  const child = spawn(bundledNode, [__filename, command, ...args], { stdio: 'inherit' });
  child.once('exit', (code) => process.exit(code ?? 1));
} else {
  process.argv.splice(2, process.argv.length, command, ...args);
  require('./run.cjs');
}
