import { access, constants, mkdir, opendir, readdir, rm } from 'node:fs/promises';
import path, { join } from 'node:path';
import { type Clock, systemClock } from '../../clock.ts';
import { createFairThreadLimiter } from '../../threads/fair-limiter.ts';
import { createThreads } from '../../threads/threads.ts';
import { createSearchIndex } from '../create-search-index.ts';
import {
  type ArtifactLimits,
  type ArtifactRows,
  type IndexLog,
  isUuid,
  NOTHING_FOUND,
  requireUuid,
  type SearchIndex,
  similarTo,
} from '../search-index.ts';
import type { Limits } from './search.ts';
import type { Calls, ArgsOf, Task } from './thread.ts';

const ENDING = '.sqlite';
const script = new URL('thread.ts', import.meta.url);

/** CPU time limits of a call, in milliseconds. A search of 100,000 chunks takes about 10. */
const READ_LIMIT_MS = 5000;
const WRITE_LIMIT_MS = 300_000;
const IDLE_MS = 60_000;
const READING_HEAP_MB = 256;
const READERS = 3;
const WRITING_HEAP_MB = 1024;

/** How long changes are collected after a commit, in milliseconds, so that files become ready together. */
const GATHER_MS = 40;
/** Limits a message to the thread, because copying rows blocks the server. */
const ROWS_PER_MESSAGE = 250;

/** A purge starts after this time without removed rows of a user, in milliseconds. */
const PURGE_DELAY_MS = 5000;
const MAX_PURGE_STEPS = 20_000;

/**
 * A search index in a folder, with a SQLite file for each user. A few threads, shared fairly between users,
 * answer questions, and another one does all other work, so that questions do not wait for it. A call that
 * exceeds its time or memory fails with ThreadEnded.
 */
export async function openSqliteIndex({
  folder,
  log,
  clock = systemClock,
}: {
  folder: string;
  log: IndexLog;
  clock?: Clock;
}): Promise<SearchIndex> {
  await mkdir(folder, { recursive: true });
  const reader = createThreads<Task>({
    script,
    min: 1,
    max: READERS,
    spare: 1,
    idleMs: IDLE_MS,
    heapMb: READING_HEAP_MB,
  });
  const limiter = createFairThreadLimiter({ concurrency: READERS });
  const writer = createThreads<Task>({ script, max: 1, idleMs: IDLE_MS, heapMb: WRITING_HEAP_MB });

  const pathOf = (userId: string): string => join(folder, userId + ENDING);

  /** Calls a reader thread. Returns `fallback` for a user without a file. */
  async function read<Name extends keyof Calls>(
    userId: string,
    fallback: ReturnType<Calls[Name]>,
    call: Name,
    ...args: ArgsOf<Name>
  ): Promise<ReturnType<Calls[Name]>> {
    const task = { path: pathOf(userId), call, args } as Task;
    const result = await limiter.run(userId, null, () =>
      reader.run(task, { leftMs: READ_LIMIT_MS }),
    );
    return (result as ReturnType<Calls[Name]> | undefined) ?? fallback;
  }

  /** Calls the writer thread. Returns undefined for a user without a file. */
  async function write<Name extends keyof Calls>(
    userId: string,
    call: Name,
    ...args: ArgsOf<Name>
  ): Promise<ReturnType<Calls[Name]> | undefined> {
    const task = { path: pathOf(userId), call, args } as Task;
    return (await writer.run(task, { leftMs: WRITE_LIMIT_MS })) as ReturnType<Calls[Name]>;
  }

  const purgeTimers = new Map<string, unknown>();
  const closing = new AbortController();

  function cancelPurge(userId: string): void {
    clock.clearTimeout(purgeTimers.get(userId));
    purgeTimers.delete(userId);
  }

  async function purge(userId: string): Promise<void> {
    cancelPurge(userId);
    for (let steps = 0; steps < MAX_PURGE_STEPS && !closing.signal.aborted; steps += 1) {
      if (!(await write(userId, 'purgeStep'))) return;
    }
  }

  function purgeLater(userId: string): void {
    cancelPurge(userId);
    if (closing.signal.aborted) return;
    const start = () => {
      purge(userId).catch((err: unknown) => {
        log.warn({ err, userId }, 'removed rows could not be purged');
      });
    };
    purgeTimers.set(userId, clock.setTimeout(start, PURGE_DELAY_MS));
  }

  /** Replaces rows in one transaction. The thread gets them in several messages. */
  async function replaceOf(userId: string, artifacts: readonly ArtifactRows[]): Promise<void> {
    const rows = artifacts.flatMap((artifact) => artifact.rows);
    let i = 0;
    for (; rows.length - i > ROWS_PER_MESSAGE; i += ROWS_PER_MESSAGE) {
      const part = rows.slice(i, i + ROWS_PER_MESSAGE);
      await writer.run({ call: 'stage', rows: part, first: i === 0 }, { leftMs: WRITE_LIMIT_MS });
    }
    const ids = artifacts.map(({ artifactId }) => artifactId);
    if (await write(userId, 'replace', ids, rows.slice(i))) purgeLater(userId);
  }

  const index = createSearchIndex({
    gatherMs: GATHER_MS,

    async replace(artifactsOf) {
      for (const [userId, artifacts] of artifactsOf) await replaceOf(userId, artifacts);
    },

    search: (userId, { terms, limit, ...limits }) =>
      read(userId, NOTHING_FOUND, 'search', { terms, limit, ...toLimits(limits) }),

    async similarTerms(userId, terms, isLike) {
      const similar = new Set<string>();
      for (const term of terms) {
        const others = await read(userId, [], 'termsBeginningLike', term);
        for (const other of similarTo(term, others, isLike)) similar.add(other);
      }
      return [...similar];
    },

    async users() {
      const names = (await readdir(folder)).filter((name) => name.endsWith(ENDING));
      return names.map((name) => name.slice(0, -ENDING.length)).filter(isUuid);
    },

    artifactIds: async (userId) => new Set(await read(userId, [], 'artifactIds')),

    size: (userId) => read(userId, 0, 'size'),

    rowsAt: (userId, places) => read(userId, [], 'rowsAt', places),

    models: (userId) => read(userId, [], 'models'),

    // Uses the writer, because counting a whole library would delay questions.
    async unembedded(userId, model, { limit, exclude }) {
      const request = { limit, exclude: idsAsJson(exclude) };
      const result = await write(userId, 'unembedded', model, request);
      return result ?? { rows: [], embedded: 0, missing: 0 };
    },

    addVectors: (userId, model, vectors) => write(userId, 'addVectors', model, vectors),

    completeModel: (userId, model) => write(userId, 'completeModel', model),

    nearest: (userId, model, { vector, limit, ...limits }) =>
      read(userId, [], 'nearest', model, { vector, limit, ...toLimits(limits) }),

    purge,

    async removeUser(userId) {
      cancelPurge(userId);
      limiter.forget(userId);
      const path = pathOf(userId);
      await reader.runOnEach({ path, call: 'release' }, { leftMs: READ_LIMIT_MS });
      await writer.run({ path, call: 'removeUser' }, { leftMs: WRITE_LIMIT_MS });
    },

    async assertUsable() {
      await access(folder, constants.R_OK | constants.W_OK);
      // A file in place of the folder may have the same rights.
      await (await opendir(folder)).close();
    },

    async close() {
      for (const threads of [reader, writer]) {
        // Closed files need no recovery at the next start.
        await threads.runOnEach({ call: 'close' }, { leftMs: WRITE_LIMIT_MS });
        await threads.close();
      }
    },
  });

  return {
    ...index,
    close() {
      closing.abort();
      for (const userId of purgeTimers.keys()) cancelPurge(userId);
      return index.close();
    },
  };
}

/** The ids of a set as JSON, cached because the same sets are passed until a file changes. */
const asJson = new WeakMap<ReadonlySet<string>, string>();

function idsAsJson(ids: ReadonlySet<string>): string {
  const known = asJson.get(ids);
  if (known !== undefined) return known;
  for (const id of ids) requireUuid(id, 'artifact id');
  const json = JSON.stringify([...ids]);
  asJson.set(ids, json);
  return json;
}

const toLimits = ({ only, exclude }: ArtifactLimits): Limits => ({
  only: only ? idsAsJson(only) : null,
  exclude: exclude && exclude.size > 0 ? idsAsJson(exclude) : null,
});

/** Removes the search data of versions before 0.2. The files are reindexed from the database. */
export async function removeEarlierIndex(dataDir: string): Promise<void> {
  const index = path.join(dataDir, 'index');
  const entries = await readdir(index, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory() && isUuid(entry.name));
  for (const { name } of folders) await rm(path.join(index, name), { recursive: true });
  await rm(path.join(dataDir, 'vectors'), { recursive: true, force: true });
}
