import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeSearchIndex } from './index.test-suite.ts';
import { chunk } from './index.test-suite-rows.ts';
import { openSearchIndex, type Clock, type IndexRow, type SearchIndex } from './search-index.ts';

const log = { warn: () => undefined };
const user = randomUUID();

describeSearchIndex('a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'engram-index-'));
  const index = await openSearchIndex({ folder, log });
  const dispose = async () => {
    await index.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { index, dispose };
});

const put = (index: SearchIndex, rows: IndexRow[], owner = user) =>
  index.replace(
    owner,
    rows.map((row) => ({ artifactId: row.artifactId, rows: [row] })),
  );

async function idsOf(index: SearchIndex, term: string): Promise<Set<string>> {
  const found = await index.search(user, { terms: [term], limit: 10_000 });
  return new Set(found.map(({ row }) => row.artifactId));
}

describe('the search index in a folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'engram-index-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it.each(['merged', 'unmerged'])('knows everything after it was reopened, %s', async (state) => {
    const kept = chunk('common kept');
    const gone = chunk('common gone');
    const first = await openSearchIndex({ folder, log });
    await put(first, [kept, gone]);
    if (state === 'merged') await first.compact(user);
    await first.remove(user, [gone.artifactId]);
    await first.close();
    const second = await openSearchIndex({ folder, log });
    expect(await idsOf(second, 'common')).toEqual(new Set([kept.artifactId]));
    await second.close();
  });

  it.each([3, 9, 14])('opens whole after kill -9 at report %i', async (reports) => {
    const done = await runUntilKilled(folder, reports);
    const index = await openSearchIndex({ folder, log });
    const check = async () => {
      const found = await idsOf(index, 'every');
      const standing = [...done.written].filter((id) => !done.removing.has(id));
      expect([...done.removed].filter((id) => found.has(id))).toEqual([]);
      expect(standing.filter((id) => !found.has(id))).toEqual([]);
    };
    await check();
    await index.compact(user);
    await check();
    await index.close();
  });

  it('leaves no byte of what was removed, in no file', async () => {
    const canary = 'zqxjkvcanary';
    const index = await openSearchIndex({ folder, log });
    const secret = chunk(`common ${canary}`);
    await put(index, [...Array.from({ length: 50 }, () => chunk('common kept')), secret]);
    await index.compact(user);
    const before = await dataFiles(folder);
    await index.remove(user, [secret.artifactId]);
    await index.compact(user);
    for (const path of await filesOf(folder)) expect(await readFile(path)).not.toContain(canary);
    // Files are compressed: that each of them was written anew is what proves it.
    expect((await dataFiles(folder)).filter((path) => before.includes(path))).toEqual([]);
    expect((await idsOf(index, 'common')).size).toBe(50);
    await index.close();
  });

  it('wants a rebuild of what another version wrote, until it is finished', async () => {
    const index = await openSearchIndex({ folder, log });
    expect(await index.needsRebuild(user)).toBe(false);
    await mkdir(join(folder, user, 'v0', 'main.lance'), { recursive: true });
    expect(await index.needsRebuild(user)).toBe(true);
    await put(index, [chunk('rebuilt')]);
    expect(await index.needsRebuild(user)).toBe(true);
    await index.finishRebuild(user);
    expect(await index.needsRebuild(user)).toBe(false);
    expect((await idsOf(index, 'rebuilt')).size).toBe(1);
    await index.close();
  });

  it('writes and finds nothing of users who are gone, whatever comes late', async () => {
    const clock = manualClock();
    const gone = new Set<string>();
    const isGone = (userId: string): boolean => gone.has(userId);
    const index = await openSearchIndex({ folder, log, clock, isGone });
    const late = chunk('late');
    await put(index, [chunk('early'), late]);
    gone.add(user);
    await index.removeUser(user);
    await put(index, [late]);
    await index.remove(user, [late.artifactId]);
    await index.compact(user);
    expect((await idsOf(index, 'late')).size).toBe(0);
    expect(await index.artifactIds(user)).toEqual(new Set());
    expect(await index.rows(user, late.artifactId)).toEqual([]);
    expect(await index.stats(user)).toEqual({ mainRows: 0, deltaRows: 0 });
    // The merge that was waiting for the user to be idle does not bring the folder back.
    for (let second = 0; second < 20; second += 1) await clock.step();
    expect(await index.users()).toEqual([]);
    await index.close();
  });

  it('serves more users than may be open', async () => {
    const openUsers = { most: 2, mostBytes: 1_000_000 };
    const index = await openSearchIndex({ folder, log, openUsers });
    const users = Array.from({ length: 7 }, () => randomUUID());
    await Promise.all(users.map((owner) => put(index, [chunk('mine')], owner)));
    const found = await Promise.all(
      [...users, ...users].map((owner) => index.search(owner, { terms: ['mine'], limit: 5 })),
    );
    expect(found.map((rows) => rows.length)).toEqual(Array.from({ length: 14 }, () => 1));
    await index.close();
  });

  it('merges a grown delta once the user is idle, and not before', async () => {
    const clock = manualClock();
    const index = await openSearchIndex({ folder, log, clock });
    await put(
      index,
      Array.from({ length: 250 }, () => chunk('word')),
    );
    clock.advance(4000);
    expect(await index.stats(user)).toEqual({ mainRows: 0, deltaRows: 250 });
    await clock.runUntil(async () => (await index.stats(user)).mainRows === 250);
    expect(await index.stats(user)).toEqual({ mainRows: 250, deltaRows: 0 });
    await put(index, [chunk('small')]);
    for (let second = 0; second < 20; second += 1) await clock.step();
    expect(await index.stats(user)).toEqual({ mainRows: 250, deltaRows: 1 });
    const [removed = ''] = await idsOf(index, 'word');
    await index.remove(user, [removed]);
    await clock.runUntil(async () => (await index.stats(user)).mainRows === 250 - 1 + 1);
    await clock.runUntil(async () => (await index.stats(user)).deltaRows === 0);
    await index.close();
  });
});

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
}

async function dataFiles(folder: string): Promise<string[]> {
  return (await filesOf(folder)).filter((path) => /\/(data|_indices)\//.test(path));
}

/** Runs the writing process, kills it at a report, and tells what it had reported. */
async function runUntilKilled(folder: string, reports: number) {
  const script = join(import.meta.dirname, 'crash.test-process.ts');
  const child = spawn(process.execPath, [script, folder, user], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const done = {
    written: new Set<string>(),
    removing: new Set<string>(),
    removed: new Set<string>(),
  };
  let count = 0;
  for await (const line of createInterface(child.stdout)) {
    const report = JSON.parse(line) as Partial<Record<keyof typeof done, string[]>>;
    for (const id of report.written ?? []) done.written.add(id);
    for (const id of report.removing ?? []) done.removing.add(id);
    for (const id of report.removed ?? []) done.removed.add(id);
    count += 1;
    if (count === reports) child.kill('SIGKILL');
  }
  await ended;
  return done;
}

/** A clock that stands still until it is told otherwise. */
function manualClock(): Clock & {
  advance: (milliseconds: number) => void;
  step: () => Promise<void>;
  runUntil: (reached: () => Promise<boolean>) => Promise<void>;
} {
  let now = 0;
  const timers = new Map<number, { at: number; run: () => void }>();
  let next = 1;
  const advance = (milliseconds: number) => {
    now += milliseconds;
    for (const [id, timer] of timers) {
      if (timer.at > now) continue;
      timers.delete(id);
      timer.run();
    }
  };
  const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));
  const step = async () => {
    advance(1000);
    await turn();
  };
  return {
    now: () => now,
    setTimeout(run, milliseconds) {
      timers.set(next, { at: now + milliseconds, run });
      return next++;
    },
    clearTimeout: (timer) => void timers.delete(timer as number),
    advance,
    step,
    async runUntil(reached) {
      while (!(await reached())) await step();
    },
  };
}
