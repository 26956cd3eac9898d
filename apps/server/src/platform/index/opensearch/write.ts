import type { ArtifactRows } from '../search-index.ts';
import type { Hit, Json, Operation, UserDocuments } from './connection.ts';
import {
  allOf,
  anyOf,
  artifactDocId,
  contentOf,
  keysOf,
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

/** Limited to a few megabytes, because serializing a request blocks the server. */
const ROWS_PER_REQUEST = 250;
const IDS_PER_PAGE = 5000;
const CONTENTS_PER_PAGE = 500;
const NONE: StoredVectors = { models: [], vectors: [] };

/** Older rows without an artifact belong to an interrupted replacement. */
const MAX_REPLACEMENT_MS = 3_600_000;

async function* pagesOf(
  docs: UserDocuments,
  request: Json & { size: number },
): AsyncGenerator<Hit[]> {
  let after: Hit['sort'];
  do {
    const { hits } = await docs.search({
      sort: ['artifact', 'revision', 'ordinal'],
      ...request,
      ...(after ? { search_after: after } : {}),
    });
    yield hits.hits;
    after = hits.hits.length === request.size ? hits.hits.at(-1)?.sort : undefined;
  } while (after);
}

async function idsOf(docs: UserDocuments, query: Json): Promise<string[]> {
  const ids: string[] = [];
  const request = { size: IDS_PER_PAGE, query, stored_fields: [] };
  for await (const hits of pagesOf(docs, request)) {
    ids.push(...hits.map(({ _id }) => _id));
  }
  return ids;
}

const placeOf = (artifactId: string, ordinal: number, content: string): string =>
  `${artifactId} ${ordinal} ${content}`;

async function embedded(docs: UserDocuments, query: Json): Promise<Map<string, StoredVectors>> {
  const vectors = new Map<string, StoredVectors>();
  const request = {
    size: CONTENTS_PER_PAGE,
    query: allOf(query, { exists: { field: 'models' } }),
    stored_fields: ['content'],
    docvalue_fields: ['artifact', 'ordinal', 'models', 'vectors'],
  };
  for await (const hits of pagesOf(docs, request)) {
    for (const hit of hits) {
      const [artifactId, content] = [textOf(hit, 'artifact'), textOf(hit, 'content')];
      vectors.set(placeOf(artifactId, numberOf(hit, 'ordinal'), content), vectorsOf(hit));
    }
  }
  return vectors;
}

function toOperations(
  userId: string,
  { artifactId, rows }: ArtifactRows,
  { name: revision }: Revision,
  storedVectors: ReadonlyMap<string, StoredVectors>,
): { artifact: Json; rows: Operation[] } {
  let length = 0;
  const operations = rows.map((row): Operation => {
    const { ordinal } = row;
    const terms = termsOf(row);
    const content = contentOf(row);
    length += terms.length;
    const vectors = storedVectors.get(placeOf(artifactId, ordinal, content)) ?? NONE;
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

const removalOf = (_id: string): Operation => ({ action: 'delete', target: { _id } });

/**
 * Replaces the rows of artifacts, or deletes them. Every search sees the change when this resolves.
 *
 * The new rows are written first, under a new revision. They are hidden until the artifact's document names
 * that revision in one atomic write. Then the earlier rows are deleted. A crash leaves hidden rows, which the
 * next replacement or {@link purge} deletes. If two servers replace the same artifact, the higher revision
 * wins. The other server gets a version conflict and deletes its own rows.
 */
export async function replace(
  docs: UserDocuments,
  artifacts: readonly ArtifactRows[],
  nowMs: number,
): Promise<void> {
  const artifactIds = artifacts.map(({ artifactId }) => artifactId);
  const headIds = artifactIds.map((id) => artifactDocId(docs.userId, id));
  const versions = await docs.versions(headIds);
  const revision = newRevision(nowMs, versions.values());
  const earlier = allOf(
    rowsOf(docs.userId),
    anyOf('artifact', artifactIds),
    revisionsBefore(revision.number),
  );
  const earlierIds = await idsOf(docs, earlier);
  const isReplaced = earlierIds.length > 0 && artifacts.some(({ rows }) => rows.length > 0);
  const storedVectors = isReplaced
    ? await embedded(docs, earlier)
    : new Map<string, StoredVectors>();

  const written: Operation[] = [];
  const heads = artifacts.map((artifact): Operation => {
    const version = { version: revision.number, version_type: 'external' };
    const target = { _id: artifactDocId(docs.userId, artifact.artifactId), ...version };
    if (artifact.rows.length === 0) return { action: 'delete', target };
    const operations = toOperations(docs.userId, artifact, revision, storedVectors);
    written.push(...operations.rows);
    return { action: 'index', target, document: operations.artifact };
  });
  await docs.bulk(written, false, ROWS_PER_REQUEST);
  const last = [...heads, ...earlierIds.map(removalOf)];
  const conflicts = await docs.bulk(last, true);
  if (conflicts.length === 0) return;
  const losers = new Set(conflicts.map(({ target }) => target['_id']));
  const withdrawn = written.filter(({ document }) => {
    const { artifact } = document as { artifact: string };
    return losers.has(artifactDocId(docs.userId, artifact));
  });
  const removals = withdrawn.map(({ target }) => removalOf(String(target['_id'])));
  await docs.bulk(removals, true);
}

/**
 * Deletes the rows of interrupted replacements. OpenSearch removes deleted rows from the disk when it merges
 * their segments. Forcing a merge would rewrite the rows of all users in the shard.
 */
export async function purge(docs: UserDocuments, nowMs: number): Promise<void> {
  const query = allOf(term('user', docs.userId), revisionsBefore(nowMs - MAX_REPLACEMENT_MS));
  const orphaned = {
    named: { filter: term('kind', 'artifact') },
    unnamed: {
      bucket_selector: {
        buckets_path: { named: 'named._count' },
        script: 'params.named == 0',
      },
    },
  };
  const pages = keysOf(docs.search, query, ['artifact', 'revision'], orphaned);
  for await (const keys of pages) {
    for (const { artifact, revision } of keys) {
      const rows = [term('artifact', artifact), term('revision', revision)];
      await docs.deleteByQuery(allOf(rowsOf(docs.userId), ...rows));
    }
  }
}

export async function removeUser(docs: UserDocuments): Promise<void> {
  do await docs.refresh();
  while ((await docs.deleteByQuery(term('user', docs.userId))) > 0);
}
