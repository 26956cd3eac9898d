import type { ArtifactRows } from '../search-index.ts';
import type { Connection, Hit, Json, Operation } from './connection.ts';
import {
  allOf,
  anyOf,
  artifactDocId,
  contentOf,
  newRevision,
  numberOf,
  type Revision,
  revisionsBefore,
  rowDocId,
  rowDocument,
  rowKey,
  rowsOf,
  type StoredVectors,
  term,
  termsOf,
  textOf,
  vectorsOf,
} from './documents.ts';

/** Rows of one request, some megabytes: the server's loop stands still while they are written out. */
const ROWS_OF_A_REQUEST = 250;
/** The same of artifacts and removals, which are short. */
const LINES_OF_A_REQUEST = 5000;
const IDS_OF_A_PAGE = 5000;
const CONTENTS_OF_A_PAGE = 500;
const NONE: StoredVectors = { models: [], vectors: [] };

/** No replacement takes longer: an earlier one's rows that no artifact names were left by a kill. */
const LONGEST_REPLACEMENT_MS = 3_600_000;

/** All hits of a query, page by page. */
async function* pagesOf(
  connection: Connection,
  userId: string,
  request: Json & { size: number },
): AsyncGenerator<Hit[]> {
  let after: Hit['sort'];
  do {
    const { hits } = await connection.search(userId, {
      sort: ['artifact', 'revision', 'ordinal'],
      ...request,
      ...(after ? { search_after: after } : {}),
    });
    yield hits.hits;
    after = hits.hits.length === request.size ? hits.hits.at(-1)?.sort : undefined;
  } while (after);
}

/** The ids of the rows that a query finds. */
async function idsOf(connection: Connection, userId: string, query: Json): Promise<string[]> {
  const ids: string[] = [];
  const request = { size: IDS_OF_A_PAGE, query, stored_fields: [] };
  for await (const hits of pagesOf(connection, userId, request)) {
    ids.push(...hits.map(({ _id }) => _id));
  }
  return ids;
}

const placeOf = (artifactId: string, ordinal: number, content: string): string =>
  `${artifactId} ${ordinal} ${content}`;

/** The vectors of the rows that a query finds, by the place and the content of their rows. */
async function embedded(
  connection: Connection,
  userId: string,
  query: Json,
): Promise<Map<string, StoredVectors>> {
  const found = new Map<string, StoredVectors>();
  const request = {
    size: CONTENTS_OF_A_PAGE,
    query: allOf(query, { exists: { field: 'models' } }),
    stored_fields: ['content'],
    docvalue_fields: ['artifact', 'ordinal', 'models', 'vectors'],
  };
  for await (const hits of pagesOf(connection, userId, request)) {
    for (const hit of hits) {
      const [artifactId, content] = [textOf(hit, 'artifact'), textOf(hit, 'content')];
      found.set(placeOf(artifactId, numberOf(hit, 'ordinal'), content), vectorsOf(hit));
    }
  }
  return found;
}

/** An artifact's rows as they are written. */
function toOperations(
  userId: string,
  { artifactId, rows }: ArtifactRows,
  { name: revision }: Revision,
  kept: ReadonlyMap<string, StoredVectors>,
): { artifact: Json; rows: Operation[] } {
  let length = 0;
  const operations = rows.map((row): Operation => {
    const { ordinal } = row;
    const terms = termsOf(row);
    const content = contentOf(row);
    length += terms.length;
    const vectors = kept.get(placeOf(artifactId, ordinal, content)) ?? NONE;
    const meaning = row.end > row.start;
    return {
      action: 'index',
      target: { _id: rowDocId(userId, rowKey(artifactId, revision, ordinal)) },
      document: rowDocument({
        userId,
        artifactId,
        revision,
        ordinal,
        terms,
        content,
        meaning,
        ...vectors,
      }),
    };
  });
  const artifact = {
    kind: 'artifact',
    user: userId,
    artifact: artifactId,
    revision,
    rows: rows.length,
    length,
  };
  return { artifact, rows: operations };
}

/** Does operations in as many requests as they take; only the end of the last is waited for. */
async function inParts(
  connection: Connection,
  userId: string,
  operations: readonly Operation[],
  { most, refresh }: { most: number; refresh: boolean },
): Promise<Operation[]> {
  const conflicts: Operation[] = [];
  for (let at = 0; at < operations.length; at += most) {
    const isLast = at + most >= operations.length;
    const part = operations.slice(at, at + most);
    conflicts.push(...(await connection.bulk(userId, part, { refresh: refresh && isLast })));
  }
  return conflicts;
}

const removalOf = (_id: string): Operation => ({ action: 'delete', target: { _id } });

/**
 * Gives artifacts these rows in place of the earlier ones; one without rows goes. Every search sees it
 * when this resolves.
 *
 * The new rows are written first, under a revision of their own, and are nobody's until the artifact's
 * document names that revision. That one write turns the artifact over as a whole; the earlier rows go
 * behind it. A kill in between leaves rows that nothing shows, which the next replacement takes away,
 * or else {@link purge}. Of two servers at once the one with the higher revision wins: the other's
 * write of the artifact's document is refused by its version, and it takes its own rows back.
 */
export async function replace(
  connection: Connection,
  userId: string,
  artifacts: readonly ArtifactRows[],
  now: number,
): Promise<void> {
  const artifactIds = artifacts.map(({ artifactId }) => artifactId);
  const headIds = artifactIds.map((id) => artifactDocId(userId, id));
  const versions = await connection.versions(userId, headIds);
  const revision = newRevision(now, versions.values());
  const earlier = allOf(
    rowsOf(userId),
    anyOf('artifact', artifactIds),
    revisionsBefore(revision.number),
  );
  const left = await idsOf(connection, userId, earlier);
  const isReplaced = left.length > 0 && artifacts.some(({ rows }) => rows.length > 0);
  const kept = isReplaced
    ? await embedded(connection, userId, earlier)
    : new Map<string, StoredVectors>();

  const written: Operation[] = [];
  const heads = artifacts.map((artifact): Operation => {
    const version = { version: revision.number, version_type: 'external' };
    const target = { _id: artifactDocId(userId, artifact.artifactId), ...version };
    if (artifact.rows.length === 0) return { action: 'delete', target };
    const made = toOperations(userId, artifact, revision, kept);
    written.push(...made.rows);
    return { action: 'index', target, document: made.artifact };
  });
  const visibly = { most: LINES_OF_A_REQUEST, refresh: true };
  await inParts(connection, userId, written, { most: ROWS_OF_A_REQUEST, refresh: false });
  const last = [...heads, ...left.map(removalOf)];
  const lost = await inParts(connection, userId, last, visibly);
  if (lost.length === 0) return;
  const losers = new Set(lost.map(({ target }) => target['_id']));
  const own = written.filter(({ document }) => {
    const { artifact } = document as { artifact: string };
    return losers.has(artifactDocId(userId, artifact));
  });
  const back = own.map(({ target }) => removalOf(String(target['_id'])));
  await inParts(connection, userId, back, visibly);
}

interface Orphans {
  orphans: {
    buckets: { key: { artifact: string; revision: string } }[];
    after_key?: Json;
  };
}

/**
 * Removes the rows that a replacement which was cut off has left. What was removed before is only marked
 * as such until OpenSearch merges the segments that it stands in, as it does by itself while people go
 * on writing, and sooner than by default (see `mapping.ts`). Forcing that would write a whole shard
 * anew, everybody's rows, for a few of one person; whoever runs the cluster can do it when it is quiet.
 */
export async function purge(connection: Connection, userId: string, now: number): Promise<void> {
  const before = revisionsBefore(now - LONGEST_REPLACEMENT_MS);
  let after: Json | undefined;
  do {
    const { aggregations } = await connection.search(userId, {
      size: 0,
      query: allOf(term('user', userId), before),
      aggs: {
        orphans: {
          composite: {
            size: 1000,
            sources: [
              { artifact: { terms: { field: 'artifact' } } },
              { revision: { terms: { field: 'revision' } } },
            ],
            ...(after ? { after } : {}),
          },
          aggs: {
            named: { filter: term('kind', 'artifact') },
            unnamed: {
              bucket_selector: {
                buckets_path: { named: 'named._count' },
                script: 'params.named == 0',
              },
            },
          },
        },
      },
    });
    const { orphans } = aggregations as unknown as Orphans;
    for (const { key } of orphans.buckets) {
      const { artifact, revision } = key;
      const query = allOf(rowsOf(userId), term('artifact', artifact), term('revision', revision));
      await connection.deleteByQuery(userId, query);
    }
    after = orphans.after_key;
  } while (after);
}

/** Removes everything of a person, also what comes while it is removed. */
export async function removeUser(connection: Connection, userId: string): Promise<void> {
  do await connection.refresh();
  while ((await connection.deleteByQuery(userId, term('user', userId))) > 0);
}
