import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempDisposableSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '@engram/client';
import { type Artifact, generateApiKey, listArtifacts, searchReady } from '@engram/contract';
import type { Engram } from '../tests/e2e/engram.ts';
import { signIn, startServer, type Table } from './setup.ts';

const bin = path.resolve(import.meta.dirname, '../apps/connector/src/bin.ts');
const FILES = 500;
/** Every Nth kill is the server's. */
const SERVER_EVERY = 5;
const TIMEOUT_MS = 300_000;

const randomBelow = (limit: number): number => Math.floor(Math.random() * limit);

/** A proxy that counts what is sent. Each version of a file begins with a mark. */
async function startProxy(engram: Engram) {
  const { port } = new URL(engram.url);
  const uploads = new Map<string, number>();
  let [bytes, calls] = [0, 0];
  const server = createServer((incoming, reply) => {
    const { method, url } = incoming;
    const isUpload = url?.endsWith('/artifacts/upload') ?? false;
    const parts: Buffer[] = [];
    const headers = { ...incoming.headers, host: `127.0.0.1:${port}` };
    const outgoing = request({ host: '127.0.0.1', port, path: url, method, headers });
    calls += 1;
    incoming.on('data', (part: Buffer) => {
      if (isUpload) parts.push(part);
      bytes += part.length;
    });
    incoming.pipe(outgoing);
    incoming.on('close', () => void (incoming.complete || outgoing.destroy()));
    outgoing.on('error', () => reply.destroy());
    outgoing.on('response', (response) => {
      if (response.statusCode === 200) {
        const text = Buffer.concat(parts).toString('utf8');
        for (const [mark] of text.matchAll(/#\d+ version \d+#/gu)) {
          uploads.set(mark, (uploads.get(mark) ?? 0) + 1);
        }
      }
      reply.writeHead(response.statusCode ?? 500, response.headers);
      response.on('error', () => reply.destroy()).pipe(reply);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
    counts: () => ({ bytes, calls, repeated: [...uploads.values()].filter((n) => n > 1).length }),
  };
}

/** A folder whose files are edited, renamed and deleted at random. */
class ChangingFolder {
  readonly root: string;
  /** The texts of the files by name. */
  readonly files = new Map<string, string>();
  /**
   * Texts that may stay in Engram: those of deleted files, and earlier texts of files that were both
   * changed and renamed between two scans, which makes them new files.
   */
  readonly obsolete = new Set<string>();
  /** Earlier texts by name. */
  readonly #earlier = new Map<string, string[]>();
  writtenBytes = 0;
  #number = 0;

  constructor(root: string) {
    this.root = root;
    mkdirSync(root);
    for (let index = 0; index < FILES; index += 1) this.#write(`${index}.txt`);
  }

  #write(name: string): void {
    this.#number += 1;
    const text = `#${this.#number} version ${this.#number}# ${`Paper ${name} of the boiler. `.repeat(60)}`;
    const file = path.join(this.root, name);
    writeFileSync(file, text);
    // The Connector waits for files that have just been written.
    utimesSync(file, Date.now() / 1000 - 3600, Date.now() / 1000 - 3600 - Math.random());
    const old = this.files.get(name);
    if (old !== undefined) this.#earlier.set(name, [...(this.#earlier.get(name) ?? []), old]);
    this.files.set(name, text);
    this.writtenBytes += text.length;
  }

  /** All versions of a file may stay in Engram. */
  #release(name: string, texts: readonly string[]): void {
    for (const text of [...(this.#earlier.get(name) ?? []), ...texts]) this.obsolete.add(text);
    this.#earlier.delete(name);
  }

  #randomName(): string {
    return [...this.files.keys()][randomBelow(this.files.size)] ?? '';
  }

  /** Changes some files, renames one, and sometimes deletes one. */
  change(): void {
    for (let count = randomBelow(4); count > 0; count -= 1) {
      const edited = this.#randomName();
      if (edited.startsWith('renamed')) this.#release(edited, [this.files.get(edited) ?? '']);
      this.#write(edited);
    }
    const from = this.#randomName();
    const to = `renamed ${(this.#number += 1)}.txt`;
    this.#release(from, []);
    renameSync(path.join(this.root, from), path.join(this.root, to));
    this.files.set(to, this.files.get(from) ?? '');
    this.files.delete(from);
    if (randomBelow(3) > 0) return;
    const deleted = this.#randomName();
    rmSync(path.join(this.root, deleted));
    this.#release(deleted, [this.files.get(deleted) ?? '']);
    this.files.delete(deleted);
  }
}

const listAll = async (client: Client): Promise<Artifact[]> =>
  (await client.call(listArtifacts, {})).data;

async function waitUntil(condition: () => Promise<boolean>): Promise<boolean> {
  const end = Date.now() + TIMEOUT_MS;
  while (Date.now() < end) {
    if (await condition().catch(() => false)) return true;
    await wait(1000);
  }
  return false;
}

/** The differences between the folder and Engram, by paths and by the start of each text. */
function compare(folder: ChangingFolder, artifacts: readonly Artifact[]) {
  const byPath = new Map<string, Artifact[]>();
  for (const artifact of artifacts) {
    byPath.set(artifact.path ?? '', [...(byPath.get(artifact.path ?? '') ?? []), artifact]);
  }
  const markOf = (text: string): string => text.slice(0, 30);
  let [lost, duplicated] = [0, 0];
  for (const [name, text] of folder.files) {
    const stored = byPath.get(`Papers/${name}`) ?? [];
    if (!stored.some((artifact) => artifact.artifactText?.startsWith(markOf(text)))) lost += 1;
    if (stored.length > 1) duplicated += 1;
    byPath.delete(`Papers/${name}`);
  }
  const obsolete = new Set([...folder.obsolete].map(markOf));
  const others = [...byPath.values()].flat();
  const extra = others.filter(
    (artifact) => !obsolete.has(markOf(artifact.artifactText ?? '')),
  ).length;
  return { lost, duplicated, extra };
}

/** Kills the Connector or the server at random while 500 files change, and compares the results. */
export async function run(kills: number): Promise<Table[]> {
  using base = mkdtempDisposableSync(path.join(tmpdir(), 'engram-connector-'));
  await using engram = await startServer();
  const { client } = await signIn(engram);
  using proxy = await startProxy(engram);
  const folder = new ChangingFolder(path.join(base.path, 'Papers'));
  const env = {
    ...process.env,
    ENGRAM_CONNECTOR_HOME: path.join(base.path, 'home'),
    ENGRAM_CONNECTOR_KEYCHAIN: 'off',
  };
  const start = (...args: string[]): ChildProcess =>
    spawn(process.execPath, [bin, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
    const ended = once(child, 'exit');
    if (child.kill(signal)) await ended;
  };
  let running: ChildProcess | null = null;
  try {
    const { data } = await client.call(generateApiKey, { params: { name: 'bench' }, body: {} });
    await once(start('pair', '--server', proxy.url, '--key', data.apiKey), 'exit');
    await once(start('add', folder.root, '--yes'), 'exit');
    running = start('run');
    for (let kill = 1; kill <= kills; kill += 1) {
      await wait(500 + randomBelow(2000));
      if (kill % SERVER_EVERY === 0) {
        await engram.kill();
        folder.change();
        await engram.restart();
      } else {
        await end(running, 'SIGKILL');
        folder.change();
        running = start('run');
      }
    }
    const isSynced = async (): Promise<boolean> => {
      const artifacts = await listAll(client);
      const { lost, duplicated, extra } = compare(folder, artifacts);
      return lost + duplicated + extra === 0 && (await client.call(searchReady, {})).data;
    };
    const hasSynced = await waitUntil(isSynced);
    const before = proxy.counts();
    await end(running, 'SIGTERM');
    await once(start('sync', '--once'), 'exit');
    const { bytes, calls, repeated } = proxy.counts();
    const result = {
      kills,
      ...compare(folder, await listAll(client)),
      stuck: hasSynced ? 0 : 1,
      'uploaded twice': repeated,
      'MB written': (folder.writtenBytes / 1e6).toFixed(2),
      'MB sent': (before.bytes / 1e6).toFixed(2),
      'calls when synced': calls - before.calls,
      'bytes when synced': bytes - before.bytes,
    };
    return [{ title: 'The Connector and the server, killed at random', rows: [result] }];
  } finally {
    if (running) await end(running, 'SIGKILL');
  }
}
