'use strict';
// Plain old JavaScript, so that even an old Node can run it and say what is wrong.
const { enableCompileCache } = require('node:module');
const path = require('node:path');
const { environment, flags } = require('./server-process.json');
const usage = require('./usage.cjs');

const [command, ...args] = process.argv.slice(2);
// A command that with-services starts has a --help of its own.
const ownArgs = command === 'with-services' ? args.slice(0, 1) : args;
if (usage[command] && ['--help', '-h'].some((flag) => ownArgs.includes(flag))) {
  process.stdout.write(`Usage: ${usage[command].trim()}\n`);
  process.exit(0);
}

const OLDEST = 24;
const major = Number(process.versions.node.split('.')[0]);
if (major < OLDEST) {
  process.stderr.write(
    [
      `Engram needs Node ${OLDEST} or newer, and this is Node ${process.versions.node}.`,
      "'npm ci' brings the right Node along by an install script of the package 'node'. If install",
      "scripts are switched off, run 'npm ci --ignore-scripts=false', or install Node 24 yourself.",
      '',
    ].join('\n'),
  );
  process.exit(1);
}
// What was compiled once is kept for the next start, and for the processes that this one starts.
const compiled = path.join(__dirname, '../node_modules/.cache/engram/compiled');
process.env.NODE_COMPILE_CACHE = process.env.NODE_COMPILE_CACHE || compiled;
enableCompileCache(process.env.NODE_COMPILE_CACHE);
// What a process keeps is decided when it starts, so the server takes this one's place. Its young
// generation is half of what Node lets it grow to and keeps. The C library has two pools instead of
// some for each thread, each of which keeps what was freed in it, and gives back what is large.
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
process.argv.splice(2, process.argv.length, ...args);
import(`./${command}.ts`).catch((error) => {
  process.stderr.write(`${error && error.stack ? error.stack : error}\n`);
  process.exit(1);
});
