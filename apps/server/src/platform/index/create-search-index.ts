import { createGroupCommit } from '../database/group-commit.ts';
import { IndexUnavailable } from './index-unavailable.ts';
import {
  type ArtifactRows,
  isDirection,
  mergeTerms,
  NOTHING_FOUND,
  requireUuid,
  type SearchIndex,
  type SearchRequest,
  splitTerms,
  type WeightedTerm,
} from './search-index.ts';

/** The maximum artifacts and rows of one write, unless one artifact has more rows. */
const MAX_ARTIFACTS = 250;
const MAX_ROWS = 1000;

/** A search index that gets only valid ids, except in limits, and no trivial calls. */
interface IndexDriver extends Omit<SearchIndex, 'replace' | 'remove' | 'search'> {
  /** How long changes are collected after a commit, in milliseconds. */
  gatherMs: number;
  /** Replaces the rows of distinct artifacts, by user. An artifact without rows is removed. */
  replace(artifactsOf: ReadonlyMap<string, readonly ArtifactRows[]>): Promise<void>;
  search(
    userId: string,
    request: SearchRequest & { terms: readonly WeightedTerm[] },
  ): ReturnType<SearchIndex['search']>;
}

/** @throws TypeError for a row of another artifact, or an invalid id */
function requireOwnRows(artifacts: readonly ArtifactRows[]): void {
  for (const { artifactId, rows } of artifacts) {
    requireUuid(artifactId, 'artifact id');
    if (rows.some((row) => row.artifactId !== artifactId)) {
      throw new TypeError('A row does not belong to its artifact.');
    }
  }
}

/** The common logic of all drivers: checks ids, and groups writes into commits. */
export function createSearchIndex(driver: IndexDriver): SearchIndex {
  const running = new Set<Promise<unknown>>();

  /** Makes a call for a user. Closing the index waits for it. */
  async function run<Result>(userId: string, call: () => Promise<Result>): Promise<Result> {
    requireUuid(userId, 'user id');
    const result = call();
    running.add(result);
    return result.finally(() => running.delete(result));
  }

  const commit = createGroupCommit<{ userId: string; artifact: ArtifactRows }, void>({
    maxItems: MAX_ARTIFACTS,
    gatherMs: driver.gatherMs,
    maxSize: MAX_ROWS,
    sizeOf: ({ artifact }) => artifact.rows.length,
    affectsAll: (error) => error instanceof IndexUnavailable,
    async commit(items) {
      const artifactsOf = new Map<string, ArtifactRows[]>();
      for (const [userId, userItems] of Map.groupBy(items, (item) => item.userId)) {
        // Only the last rows of an artifact are written.
        const latest = new Map(userItems.map(({ artifact }) => [artifact.artifactId, artifact]));
        artifactsOf.set(userId, [...latest.values()]);
      }
      await driver.replace(artifactsOf);
      return items.map(() => undefined);
    },
  });

  const replace = (userId: string, artifacts: readonly ArtifactRows[]): Promise<void> =>
    run(userId, async () => {
      requireOwnRows(artifacts);
      await Promise.all(artifacts.map((artifact) => commit({ userId, artifact })));
    });

  return {
    replace,

    remove: (userId, artifactIds) =>
      replace(
        userId,
        artifactIds.map((artifactId) => ({ artifactId, rows: [] })),
      ),

    search: (userId, request) =>
      run(userId, async () => {
        const terms = mergeTerms(request.terms);
        if (terms.length === 0 || request.only?.size === 0) return NOTHING_FOUND;
        return driver.search(userId, { ...request, terms });
      }),

    similarTerms: (userId, terms, isLike) =>
      run(userId, () =>
        driver.similarTerms(userId, [...new Set(terms.flatMap(splitTerms))], isLike),
      ),

    rowsAt: (userId, places) =>
      run(userId, async () => {
        for (const { artifactId } of places) requireUuid(artifactId, 'artifact id');
        return places.length === 0 ? [] : driver.rowsAt(userId, places);
      }),

    nearest: (userId, model, request) =>
      run(userId, async () => {
        if (request.only?.size === 0 || !isDirection(request.vector)) return [];
        return driver.nearest(userId, model, request);
      }),

    artifactIds: (userId) => run(userId, () => driver.artifactIds(userId)),
    size: (userId) => run(userId, () => driver.size(userId)),
    models: (userId) => run(userId, () => driver.models(userId)),
    unembedded: (userId, model, request) =>
      run(userId, () => driver.unembedded(userId, model, request)),
    addVectors: (userId, model, vectors) =>
      run(userId, () => driver.addVectors(userId, model, vectors)),
    completeModel: (userId, model) => run(userId, () => driver.completeModel(userId, model)),
    purge: (userId) => run(userId, () => driver.purge(userId)),
    removeUser: (userId) => run(userId, () => driver.removeUser(userId)),
    users: driver.users,
    assertUsable: driver.assertUsable,

    async close() {
      while (running.size > 0) await Promise.allSettled(running);
      await driver.close();
    },
  };
}
