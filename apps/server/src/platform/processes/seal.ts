/**
 * Loaded into a sealed process before anything else. Removes abilities that Node's permissions do not cover: the
 * network, unsealed threads, and signals to other processes.
 */
import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import threads, { type Worker, type WorkerOptions } from 'node:worker_threads';
import { drop } from './drop.ts';

function refuse(): never {
  const error = new Error('A sealed process can only reach its parent.');
  throw Object.assign(error, { code: 'ERR_ACCESS_DENIED' });
}

function replace(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { value, writable: false, configurable: false });
}

// All connections (TLS, HTTP, fetch) use this method.
replace(net.Socket.prototype, 'connect', refuse);
replace(net.Server.prototype, 'listen', refuse);
for (const name of ['bind', 'connect', 'send']) replace(dgram.Socket.prototype, name, refuse);
for (const owner of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
  for (
    let place: object = owner;
    place !== Object.prototype;
    place = Object.getPrototypeOf(place)
  ) {
    const names = Object.getOwnPropertyNames(place);
    for (const name of names.filter((name) => /^(?:lookup|resolve|reverse)/u.test(name))) {
      replace(place, name, refuse);
    }
  }
}

/** A thread inherits the permissions of its process, unless its options override them. */
const Thread = threads.Worker;
function SealedThread(script: string | URL, options: WorkerOptions = {}): Worker {
  const { resourceLimits, workerData, stdin = false, stdout = false, stderr = false } = options;
  return new Thread(script, {
    workerData,
    stdin,
    stdout,
    stderr,
    ...(resourceLimits && { resourceLimits }),
  });
}
SealedThread.prototype = Thread.prototype;
replace(Thread.prototype, 'constructor', SealedThread);
replace(threads, 'Worker', SealedThread);

const { kill } = process;
replace(process, 'kill', (pid: number, signal?: NodeJS.Signals) =>
  pid === process.pid ? kill.call(process, pid, signal) : refuse(),
);

// Node needs write access to open its compile cache, but not to use it afterwards.
drop('fs.write');
syncBuiltinESMExports();
