import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Session } from '@lancedb/lancedb';
import type { WeightedTerm } from './bm25.ts';
import {
  isUuid,
  requireUuid,
  schemaVersion,
  splitTerms,
  toFoundRow,
  type FoundRow,
  type IndexRow,
} from './index-schema.ts';
import { MergeSchedule, systemClock, type Clock } from './merge-schedule.ts';
import type { RowPlace } from './main-table.ts';
import { OpenUsers } from './open-users.ts';
import type { IsLike } from './similar-terms.ts';
import { UserIndex, type ArtifactRows, type IndexLog } from './user-index.ts';

export type { WeightedTerm } from './bm25.ts';
export type { FoundRow, IndexRow, RowLocation } from './index-schema.ts';
export type { RowPlace } from './main-table.ts';
export type { Clock } from './merge-schedule.ts';
export type { ArtifactRows, IndexLog } from './user-index.ts';

export interface SearchRequest {
  /** Analysed terms, or terms with weights; a term that comes twice counts twice. */
  terms: readonly (string | WeightedTerm)[];
  /** How many rows are wanted, 1 or more. */
  limit: number;
  /** Only these artifacts; none find nothing. A set is remembered by itself and must not change. */
  only?: readonly string[] | ReadonlySet<string>;
  /** Not these artifacts; as `only`. */
  exclude?: readonly string[] | ReadonlySet<string>;
}

export interface FoundPassage {
  row: FoundRow;
  /** BM25 (k1 1.2, b 0.75) over all of the user's rows; comparable within one question. */
  score: number;
}

export interface IndexStatistics {
  /** Rows in the large table and rows that wait for a merge. */
  mainRows: number;
  deltaRows: number;
}

/**
 * Full-text search over each user's chunks, derived from the database and always rebuildable.
 * Every id is a lower-case UUID; another one is a `TypeError`.
 */
export interface SearchIndex {
  /**
   * Replaces all rows of the artifacts; on the disk and searchable when it resolves. May be run
   * again after any failure. Rows that name another artifact than the one they are given for are a
   * `TypeError`.
   */
  replace(userId: string, artifacts: readonly ArtifactRows[]): Promise<void>;
  /** The artifacts are in no answer from now on; their bytes go with the next merge. */
  remove(userId: string, artifactIds: readonly string[]): Promise<void>;
  /** The best rows for the terms, best first. */
  search(userId: string, request: SearchRequest): Promise<FoundPassage[]>;
  /**
   * For each of some terms that no row has, terms that some row has and `isLike` takes for it: what
   * it may be a misspelling of. At most a few each.
   */
  similarTerms(userId: string, terms: readonly string[], isLike: IsLike): Promise<string[]>;
  /** Users who have a folder in the index. */
  users(): Promise<string[]>;
  /** Every artifact of a user that has rows. */
  artifactIds(userId: string): Promise<Set<string>>;
  /** The rows of an artifact, in its order; empty when it has none. */
  rows(userId: string, artifactId: string): Promise<IndexRow[]>;
  /** Single rows by their places, in no order; those that are not there are left out. */
  rowsAt(userId: string, places: readonly RowPlace[]): Promise<FoundRow[]>;
  /** Removes everything of a user from the disk. */
  removeUser(userId: string): Promise<void>;
  /** Merges what waits and removes old versions and deleted bytes now, not when the user is idle. */
  compact(userId: string): Promise<void>;
  stats(userId: string): Promise<IndexStatistics>;
  /** True when the user's rows were written by another version: replace them all, then `finishRebuild`. */
  needsRebuild(userId: string): Promise<boolean>;
  /** Removes what other versions wrote. */
  finishRebuild(userId: string): Promise<void>;
  /** Ends running merges and writes; nothing may be called afterwards. */
  close(): Promise<void>;
}

export interface SearchIndexOptions {
  /** The folder for all users' tables; made when missing. One process at a time. */
  folder: string;
  log: IndexLog;
  /** For tests; the system's clock otherwise. */
  clock?: Clock;
  /** How much of the engine's index data stays in memory, in bytes. */
  cacheBytes?: number;
  /** How many users stay open, and how many bytes their unmerged rows may take together. */
  openUsers?: { most: number; mostBytes: number };
  /** Users of whom nothing is kept any more: nothing is written of them, and nothing found. */
  isGone?: (userId: string) => boolean;
}

const megabyte = 1024 * 1024;

export async function openSearchIndex({
  folder,
  log,
  clock = systemClock,
  cacheBytes = 512 * megabyte,
  openUsers = { most: 200, mostBytes: 256 * megabyte },
  isGone = () => false,
}: SearchIndexOptions): Promise<SearchIndex> {
  const session = new Session(BigInt(cacheBytes), BigInt(Math.ceil(cacheBytes / 4)));
  const versionFolder = `v${schemaVersion}`;
  const userFolder = (userId: string) => {
    requireUuid(userId, 'user id');
    return join(folder, userId);
  };
  const users = new OpenUsers(
    (userId) => UserIndex.open(join(userFolder(userId), versionFolder), session, log),
    openUsers,
  );
  const schedule = new MergeSchedule(users, clock, log);

  /** Looks into a user's tables. Opening them makes their folder, so those of the gone stay closed. */
  const look = <Found>(
    userId: string,
    nothing: Found,
    work: (user: UserIndex) => Promise<Found>,
  ): Promise<Found> => (isGone(userId) ? Promise.resolve(nothing) : users.use(userId, work));

  const touched = (userId: string): void => {
    if (!isGone(userId)) schedule.touched(userId);
  };

  async function write(userId: string, artifacts: readonly ArtifactRows[]): Promise<void> {
    if (artifacts.length === 0) return;
    await look(userId, undefined, (user) => user.write([...artifacts]));
    touched(userId);
  }

  async function otherVersions(userId: string): Promise<string[]> {
    const names = await readdir(userFolder(userId)).catch(emptyWhenMissing);
    return names.filter((name) => name !== versionFolder);
  }

  return {
    async replace(userId, artifacts) {
      for (const { artifactId, rows } of artifacts) {
        requireUuid(artifactId, 'artifact id');
        if (rows.some((row) => row.artifactId !== artifactId)) {
          throw new TypeError('A row was given for an artifact that it does not belong to.');
        }
      }
      await write(userId, artifacts);
    },

    async remove(userId, artifactIds) {
      for (const artifactId of artifactIds) requireUuid(artifactId, 'artifact id');
      await write(
        userId,
        artifactIds.map((artifactId) => ({ artifactId, rows: [] })),
      );
    },

    async search(userId, { terms, limit, only, exclude = nothing }) {
      const query = {
        terms: mergeTerms(terms),
        limit: Math.floor(limit),
        only: only ? checkedSet(only) : null,
        exclude: checkedSet(exclude),
      };
      if (query.terms.length === 0 || limit < 1 || query.only?.size === 0) return [];
      const found = await look(userId, [], (user) => user.search(query));
      touched(userId);
      return found.map(({ row, score }) => ({ row: toFoundRow(row), score }));
    },

    async similarTerms(userId, terms, isLike) {
      const found = await look(userId, [], (user) =>
        Promise.all(terms.flatMap(splitTerms).map((term) => user.similarTerms(term, isLike))),
      );
      return [...new Set(found.flat())];
    },

    users: async () => (await readdir(folder).catch(emptyWhenMissing)).filter(isUuid),

    artifactIds: (userId) => look(userId, new Set(), (user) => user.artifactIds()),

    async rows(userId, artifactId) {
      requireUuid(artifactId, 'artifact id');
      const rows = await look(userId, [], (user) => user.rowsOf(artifactId));
      return rows.map((row) => ({ ...toFoundRow(row), terms: row.terms }));
    },

    async rowsAt(userId, places) {
      for (const { artifactId } of places) requireUuid(artifactId, 'artifact id');
      if (places.length === 0) return [];
      return (await look(userId, [], (user) => user.rowsAt(places))).map(toFoundRow);
    },

    async removeUser(userId) {
      schedule.forget(userId);
      await users.closed(userId, () => rm(userFolder(userId), { recursive: true, force: true }));
    },

    compact: (userId) => look(userId, undefined, (user) => user.merge()),

    stats: (userId) =>
      look(userId, { mainRows: 0, deltaRows: 0 }, async ({ mainRows, deltaRows }) => ({
        mainRows,
        deltaRows,
      })),

    needsRebuild: async (userId) => (await otherVersions(userId)).length > 0,

    async finishRebuild(userId) {
      for (const name of await otherVersions(userId)) {
        await rm(join(userFolder(userId), name), { recursive: true, force: true });
      }
    },

    async close() {
      schedule.close();
      await users.close();
    },
  };
}

const nothing: ReadonlySet<string> = new Set();

/** Sets whose ids were all seen to be UUIDs: thousands of ids are not looked at with each question. */
const checkedSets = new WeakSet<ReadonlySet<string>>();

function checkedSet(ids: readonly string[] | ReadonlySet<string>): ReadonlySet<string> {
  const set = ids instanceof Set ? (ids as ReadonlySet<string>) : new Set(ids);
  if (checkedSets.has(set)) return set;
  for (const id of set) requireUuid(id, 'artifact id');
  checkedSets.add(set);
  return set;
}

function mergeTerms(terms: readonly (string | WeightedTerm)[]): WeightedTerm[] {
  const weights = new Map<string, number>();
  for (const given of terms) {
    const { term, weight } = typeof given === 'string' ? { term: given, weight: 1 } : given;
    if (!(weight > 0)) continue;
    for (const part of splitTerms(term)) weights.set(part, (weights.get(part) ?? 0) + weight);
  }
  return Array.from(weights, ([term, weight]) => ({ term, weight }));
}

function emptyWhenMissing(error: unknown): string[] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
  throw error;
}
