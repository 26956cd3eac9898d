import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns/promises';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';
import { Worker } from 'node:worker_threads';

/** The forbidden action, and its target: a file, a folder or a port of this machine. */
export interface Trespass {
  action: keyof typeof actions;
  target: string;
}

/** Runs code in a thread that is started without the options of the process. */
async function inThread(code: string): Promise<void> {
  const worker = new Worker(code, { eval: true, execArgv: [] });
  const [message] = (await once(worker, 'message')) as [string];
  if (message !== 'done') throw new Error(message);
}

const actions = {
  connect: (port: string) => once(net.connect(Number(port), '127.0.0.1'), 'connect'),
  'connect by TLS': (port: string) => once(tls.connect(Number(port), '127.0.0.1'), 'connect'),
  fetch: (port: string) => fetch(`http://127.0.0.1:${port}/`),
  listen: (port: string) => once(net.createServer().listen(Number(port)), 'listening'),
  'send a datagram': (port: string) =>
    dgram.createSocket('udp4').send('secret', Number(port), '127.0.0.1'),
  'look up a name': () => dns.lookup('localhost'),
  read: (file: string) => fs.readFileSync(file),
  list: (folder: string) => fs.readdirSync(folder),
  write: (file: string) => fs.writeFileSync(file, 'mine'),
  link: (file: string) => fs.linkSync(file, `${file}-linked`),
  spawn: (program: string) => childProcess.execFileSync(program),
  fork: (script: string) => childProcess.fork(script),
  signal: (pid: string) => process.kill(Number(pid), 0),
  'find inner modules': () =>
    (process as { binding?: (name: string) => object }).binding?.('tcp_wrap'),
  'read in a thread': (file: string) =>
    inThread(`const { parentPort } = require('node:worker_threads');
      try { require('node:fs').readFileSync(${JSON.stringify(file)}); parentPort.postMessage('done'); }
      catch (error) { parentPort.postMessage(error.message); }`),
};

/** Returns 'done', or why the action failed. */
process.on('message', ({ action, target }: Trespass) => {
  void (async () => {
    const answer = await (async () => actions[action](target))().then(
      () => 'done',
      (error: NodeJS.ErrnoException) => `${error.message} ${String(error.cause ?? '')}`,
    );
    process.send?.(answer);
  })();
});
process.on('disconnect', () => process.exit());
process.send?.(JSON.stringify(process.env));
