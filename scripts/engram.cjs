#!/usr/bin/env node
'use strict';
// The commands of somebody who runs Engram: `npx engram`, `npx engram doctor`, and of a program that
// speaks MCP with it: `npx engram mcp`.
const COMMANDS = ['start', 'doctor', 'mcp'];
const [command = 'start', ...args] = process.argv.slice(2);
if (!COMMANDS.includes(command)) {
  process.stderr.write(`Usage: engram [${COMMANDS.join(' | ')}]\n`);
  process.exit(1);
}
process.argv.splice(2, process.argv.length, command, ...args);
require('./run.cjs');
