#!/usr/bin/env node
'use strict';
// The commands of somebody who runs Engram: `npx engram`, `npx engram doctor`.
const COMMANDS = ['start', 'doctor'];
const [command = 'start', ...args] = process.argv.slice(2);
if (!COMMANDS.includes(command)) {
  process.stderr.write(`Usage: engram [${COMMANDS.join(' | ')}]\n`);
  process.exit(1);
}
process.argv.splice(2, process.argv.length, command, ...args);
require('./run.cjs');
