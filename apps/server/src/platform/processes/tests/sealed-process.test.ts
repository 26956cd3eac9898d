import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createScratchFolder, type ScratchFolder } from '../scratch-folder.ts';
import { startSealed, systemSeals } from '../sealed-process.ts';
import type { Trespass } from './trespass-process.test-setup.ts';

let folder = '';
let scratch: ScratchFolder;
let server: Server;
let visits = 0;
let trespasser: ChildProcess;
let environment: Record<string, string>;

const inFolder = (...names: string[]): string => path.join(folder, ...names);
const port = (): string => String((server.address() as AddressInfo).port);

async function attempt(action: Trespass['action'], target: string): Promise<string> {
  trespasser.send({ action, target } satisfies Trespass);
  const [answer] = (await once(trespasser, 'message')) as [string];
  return answer;
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'engram-sealed-'));
  await mkdir(inFolder('database'));
  await writeFile(inFolder('secret'), 'do-not-tell');
  await writeFile(inFolder('own.txt'), 'Mine to read.');
  scratch = createScratchFolder(inFolder('reading'));
  server = createServer((_request, response) => {
    visits += 1;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  vi.stubEnv('ENGRAM_SECRET', 'do-not-tell');
  trespasser = startSealed({
    script: new URL('./trespass-process.test-setup.ts', import.meta.url),
    args: [],
    reads: [scratch.path],
  });
  vi.unstubAllEnvs();
  const [result] = (await once(trespasser, 'message')) as [string];
  environment = JSON.parse(result) as Record<string, string>;
});

afterAll(async () => {
  trespasser.kill('SIGKILL');
  server.close();
  await rm(folder, { recursive: true });
});

const hasSetpriv = spawnSync('setpriv', ['--no-new-privs', '--', 'true']).status === 0;
const REFUSED = /has been restricted|can only reach its parent|process\.binding/u;

test('a sealed process gets no secret', () => {
  expect(JSON.stringify(environment)).not.toContain('do-not-tell');
  expect(Object.keys(environment)).not.toContain('PATH');
});

test.each([
  'connect',
  'connect by TLS',
  'fetch',
  'send a datagram',
  'look up a name',
  'listen',
] as const)('a sealed process cannot %s', async (action) => {
  expect(await attempt(action, action === 'listen' ? '0' : port())).toMatch(REFUSED);
  expect(visits).toBe(0);
});

test('a sealed process reads only the file that it is given, and only while it is given', async () => {
  const shown = scratch.show(inFolder('own.txt'));
  await shown.linked;
  expect(await attempt('read', shown.path)).toBe('done');
  scratch.clear();
  expect(await attempt('read', shown.path)).toMatch(/ENOENT/u);
  const others = [inFolder('secret'), inFolder('own.txt'), '/etc/passwd', '/proc/self/environ'];
  for (const file of others) expect(await attempt('read', file)).toMatch(REFUSED);
  const places = [
    inFolder('database'),
    folder,
    path.resolve(import.meta.dirname, '../../../../../..'),
  ];
  for (const place of places) expect(await attempt('list', place)).toMatch(REFUSED);
});

test('a sealed process writes nowhere', async () => {
  const cache = process.env['NODE_COMPILE_CACHE'];
  const places = [folder, scratch.path, tmpdir(), import.meta.dirname, ...(cache ? [cache] : [])];
  for (const place of places) {
    expect(await attempt('write', path.join(place, 'trespass'))).toMatch(REFUSED);
  }
  const shown = scratch.show(inFolder('own.txt'));
  expect(await attempt('write', shown.path)).toMatch(REFUSED);
  expect(await attempt('link', shown.path)).toMatch(REFUSED);
  expect(await readdir(scratch.path)).toHaveLength(1);
  scratch.clear();
});

test('a sealed process starts no process and no thread with more rights, and sends no signals', async () => {
  expect(await attempt('spawn', '/bin/true')).toMatch(REFUSED);
  expect(await attempt('fork', inFolder('own.txt'))).toMatch(REFUSED);
  expect(await attempt('signal', String(process.pid))).toMatch(REFUSED);
  expect(await attempt('find inner modules', '')).toMatch(REFUSED);
  expect(await attempt('read in a thread', inFolder('secret'))).not.toBe('done');
});

test.runIf(systemSeals())(
  'the operating system gives a sealed process a network namespace without a connection',
  async () => {
    const ownNamespace = await readlink('/proc/self/ns/net');
    expect(await readlink(`/proc/${trespasser.pid}/ns/net`)).not.toBe(ownNamespace);
  },
);

test.runIf(hasSetpriv)(
  'the operating system prevents a sealed process from gaining rights through programs it starts',
  async () => {
    const status = await readFile(`/proc/${trespasser.pid}/status`, 'utf8');
    expect(status).toMatch(/^NoNewPrivs:\s+1$/mu);
  },
);
