#!/usr/bin/env node
'use strict';
// The commands of somebody who runs Engram: `npx engram`, `npx engram doctor`, …, and of a program that
// speaks MCP with it: `engram mcp`.
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

const OLDEST = 24;
const major = Number(process.versions.node.split('.')[0]);
const program = process.platform === 'win32' ? 'node.exe' : 'node';
const ownNode = path.join(__dirname, '../node_modules/node/bin', program);
// A program starts this by whatever Node it finds; the one that came with Engram takes over.
if (command === 'mcp' && major < OLDEST && existsSync(ownNode)) {
  const child = spawn(ownNode, [__filename, command, ...args], { stdio: 'inherit' });
  child.once('exit', (code) => process.exit(code ?? 1));
} else {
  process.argv.splice(2, process.argv.length, command, ...args);
  require('./run.cjs');
}
