import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

const run = (cwd: string, args: string[]): ChildProcess =>
  spawn(process.execPath, args, { cwd, stdio: 'inherit' });

// The web app with hot reload on port 5173 forwards its calls to the server on port 3000.
const children = [
  run(root, ['--watch-path=apps/server', '--watch-path=packages', 'apps/server/src/main.ts']),
  run(path.join(root, 'apps/web'), [path.join(root, 'node_modules/vite/bin/vite.js')]),
];

const stop = (): void => children.forEach((child) => child.kill('SIGTERM'));
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
for (const child of children) child.once('exit', stop);
