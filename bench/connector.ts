import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
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
const PATIENCE_MS = 300_000;

const random = (below: number): number => Math.floor(Math.random() * below);

/** Stands between the two, and counts what is sent: each version of a file begins with a mark. */
async function startWire(engram: Engram) {
  const { port } = new URL(engram.url);
  const taken = new Map<string, number>();
  let [bytes, calls] = [0, 0];
  const server = createServer((asked, reply) => {
    const isUpload = asked.url?.endsWith('/artifacts/upload') ?? false;
    const parts: Buffer[] = [];
    const headers = { ...asked.headers, host: `127.0.0.1:${port}` };
    const { method, url } = asked;
    const onward = request({ host: '127.0.0.1', port, path: url, method, headers });
    calls += 1;
    asked.on('data', (part: Buffer) => {
      if (isUpload) parts.push(part);
      bytes += part.length;
    });
    asked.pipe(onward);
    asked.on('close', () => void (asked.complete || onward.destroy()));
    onward.on('error', () => reply.destroy());
    onward.on('response', (said) => {
      if (said.statusCode === 200) {
        for (const [mark] of Buffer.concat(parts)
          .toString('utf8')
          .matchAll(/#\d+ version \d+#/gu))
          taken.set(mark, (taken.get(mark) ?? 0) + 1);
      }
      reply.writeHead(said.statusCode ?? 500, said.headers);
      said.on('error', () => reply.destroy()).pipe(reply);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
    figures: () => ({ bytes, calls, twice: [...taken.values()].filter((n) => n > 1).length }),
  };
}

/** A folder whose files are edited, renamed and deleted at random. */
class Papers {
  readonly root: string;
  /** The text of each file that is there, by its name. */
  readonly files = new Map<string, string>();
  /**
   * Texts that may stay in Engram: of files that left, and what a file was before it was changed and
   * renamed between two looks, which makes it another file.
   */
  readonly left = new Set<string>();
  /** What a file said before, by its name. */
  readonly #before = new Map<string, string[]>();
  written = 0;
  #number = 0;

  constructor(root: string) {
    this.root = root;
    mkdirSync(root);
    for (let at = 0; at < FILES; at += 1) this.#write(`${at}.txt`);
  }

  #write(name: string): void {
    this.#number += 1;
    const text = `#${this.#number} version ${this.#number}# ${`Paper ${name} of the boiler. `.repeat(60)}`;
    const where = path.join(this.root, name);
    writeFileSync(where, text);
    // As if it had stood still for an hour.
    utimesSync(where, Date.now() / 1000 - 3600, Date.now() / 1000 - 3600 - Math.random());
    const old = this.files.get(name);
    if (old !== undefined) this.#before.set(name, [...(this.#before.get(name) ?? []), old]);
    this.files.set(name, text);
    this.written += text.length;
  }

  /** What was at a name may stay in Engram, in all its versions. */
  #leave(name: string, texts: readonly string[]): void {
    for (const text of [...(this.#before.get(name) ?? []), ...texts]) this.left.add(text);
    this.#before.delete(name);
  }

  #any(): string {
    return [...this.files.keys()][random(this.files.size)] ?? '';
  }

  /** Some files are changed, one is renamed, sometimes one leaves. */
  change(): void {
    for (let count = random(4); count > 0; count -= 1) {
      const edited = this.#any();
      if (edited.startsWith('renamed')) this.#leave(edited, [this.files.get(edited) ?? '']);
      this.#write(edited);
    }
    const from = this.#any();
    const to = `renamed ${(this.#number += 1)}.txt`;
    this.#leave(from, []);
    renameSync(path.join(this.root, from), path.join(this.root, to));
    this.files.set(to, this.files.get(from) ?? '');
    this.files.delete(from);
    if (random(3) > 0) return;
    const leaving = this.#any();
    rmSync(path.join(this.root, leaving));
    this.#leave(leaving, [this.files.get(leaving) ?? '']);
    this.files.delete(leaving);
  }
}

async function everything(client: Client): Promise<Artifact[]> {
  const all: Artifact[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 400, ...(cursor === undefined ? {} : { cursor }) };
    const page = await client.call(listArtifacts, { query });
    all.push(...page.data);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}

async function until(isSo: () => Promise<boolean>): Promise<boolean> {
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end) {
    if (await isSo().catch(() => false)) return true;
    await wait(1000);
  }
  return false;
}

/** What is wrong after all: by the paths, and by the first words of each file. */
function compare(papers: Papers, artifacts: readonly Artifact[]) {
  const byPath = new Map<string, Artifact[]>();
  for (const one of artifacts) {
    byPath.set(one.path ?? '', [...(byPath.get(one.path ?? '') ?? []), one]);
  }
  const markOf = (text: string): string => text.slice(0, 30);
  let [lost, doubled] = [0, 0];
  for (const [name, text] of papers.files) {
    const there = byPath.get(`Papers/${name}`) ?? [];
    if (!there.some((one) => one.artifactText?.startsWith(markOf(text)))) lost += 1;
    if (there.length > 1) doubled += 1;
    byPath.delete(`Papers/${name}`);
  }
  const gone = new Set([...papers.left].map(markOf));
  // What left the folder stays in Engram; anything else is too much.
  const others = [...byPath.values()].flat();
  const tooMany = others.filter((one) => !gone.has(markOf(one.artifactText ?? ''))).length;
  return { lost, doubled, tooMany };
}

/** Kills the Connector or the server at random while 500 files change, and looks what came of it. */
export async function run(kills: number): Promise<Table[]> {
  const base = mkdtempSync(path.join(tmpdir(), 'engram-connector-'));
  const engram = await startServer();
  const { client } = await signIn(engram);
  const wire = await startWire(engram);
  const papers = new Papers(path.join(base, 'Papers'));
  const env = {
    ...process.env,
    ENGRAM_CONNECTOR_HOME: path.join(base, 'home'),
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
    await once(start('pair', '--server', wire.url, '--key', data.apiKey), 'exit');
    await once(start('add', papers.root, '--yes'), 'exit');
    running = start('run');
    for (let kill = 1; kill <= kills; kill += 1) {
      await wait(500 + random(2000));
      if (kill % SERVER_EVERY === 0) {
        await engram.kill();
        papers.change();
        await engram.restart();
      } else {
        await end(running, 'SIGKILL');
        papers.change();
        running = start('run');
      }
    }
    const isThere = async (): Promise<boolean> => {
      const all = await everything(client);
      const { lost, doubled, tooMany } = compare(papers, all);
      return lost + doubled + tooMany === 0 && (await client.call(searchReady, {})).data;
    };
    const isWhole = await until(isThere);
    const before = wire.figures();
    await end(running, 'SIGTERM');
    await once(start('sync', '--once'), 'exit');
    const { bytes, calls, twice } = wire.figures();
    const result = {
      kills,
      ...compare(papers, await everything(client)),
      stuck: isWhole ? 0 : 1,
      'taken twice': twice,
      'MB written': (papers.written / 1e6).toFixed(2),
      'MB sent': (before.bytes / 1e6).toFixed(2),
      'calls when in step': calls - before.calls,
      'bytes when in step': bytes - before.bytes,
    };
    return [{ title: 'The Connector and the server, killed at random', rows: [result] }];
  } finally {
    if (running) await end(running, 'SIGKILL');
    wire.close();
    await engram.close();
    rmSync(base, { recursive: true, force: true });
  }
}
