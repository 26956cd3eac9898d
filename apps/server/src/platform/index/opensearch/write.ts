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

/** Rows of one request, some megabytes: serializing them blocks the server. */
const ROWS_OF_A_REQUEST = 250;
const IDS_OF_A_PAGE = 5000;
const CONTENTS_OF_A_PAGE = 500;
const NONE: StoredVectors = { models: [], vectors: [] };

/** Maximum duration of a replacement. Older rows that no artifact names were left by a kill. */
const LONGEST_REPLACEMENT_MS = 3_600_000;

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
  const request = { size: IDS_OF_A_PAGE, query, stored_fields: [] };
  for await (const hits of pagesOf(docs, request)) {
    ids.push(...hits.map(({ _id }) => _id));
  }
  return ids;
}

const placeOf = (artifactId: string, ordinal: number, content: string): string =>
  `${artifactId} ${ordinal} ${content}`;

async function embedded(docs: UserDocuments, query: Json): Promise<Map<string, StoredVectors>> {
  const found = new Map<string, StoredVectors>();
  const request = {
    size: CONTENTS_OF_A_PAGE,
    query: allOf(query, { exists: { field: 'models' } }),
    stored_fields: ['content'],
    docvalue_fields: ['artifact', 'ordinal', 'models', 'vectors'],
  };
  for await (const hits of pagesOf(docs, request)) {
    for (const hit of hits) {
      const [artifactId, content] = [textOf(hit, 'artifact'), textOf(hit, 'content')];
      found.set(placeOf(artifactId, numberOf(hit, 'ordinal'), content), vectorsOf(hit));
    }
  }
  return found;
}

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

const removalOf = (_id: string): Operation => ({ action: 'delete', target: { _id } });

/**
 * Replaces the rows of artifacts, or deletes them. Every search sees the change when this resolves.
 *
 * The new rows are written first, under a new revision. They are hidden until the artifact's document
 * names that revision, which is one atomic write. Then the earlier rows are deleted. A kill in between
 * leaves hidden rows, which the next replacement or {@link purge} deletes. Of two servers at once the one
 * with the higher revision wins: the other's write of the document is refused by its version, and it
 * deletes its own rows again.
 */
export async function replace(
  docs: UserDocuments,
  artifacts: readonly ArtifactRows[],
  now: number,
): Promise<void> {
  const artifactIds = artifacts.map(({ artifactId }) => artifactId);
  const headIds = artifactIds.map((id) => artifactDocId(docs.userId, id));
  const versions = await docs.versions(headIds);
  const revision = newRevision(now, versions.values());
  const earlier = allOf(
    rowsOf(docs.userId),
    anyOf('artifact', artifactIds),
    revisionsBefore(revision.number),
  );
  const left = await idsOf(docs, earlier);
  const isReplaced = left.length > 0 && artifacts.some(({ rows }) => rows.length > 0);
  const kept = isReplaced ? await embedded(docs, earlier) : new Map<string, StoredVectors>();

  const written: Operation[] = [];
  const heads = artifacts.map((artifact): Operation => {
    const version = { version: revision.number, version_type: 'external' };
    const target = { _id: artifactDocId(docs.userId, artifact.artifactId), ...version };
    if (artifact.rows.length === 0) return { action: 'delete', target };
    const made = toOperations(docs.userId, artifact, revision, kept);
    written.push(...made.rows);
    return { action: 'index', target, document: made.artifact };
  });
  await docs.bulk(written, false, ROWS_OF_A_REQUEST);
  const last = [...heads, ...left.map(removalOf)];
  const lost = await docs.bulk(last, true);
  if (lost.length === 0) return;
  const losers = new Set(lost.map(({ target }) => target['_id']));
  const withdrawn = written.filter(({ document }) => {
    const { artifact } = document as { artifact: string };
    return losers.has(artifactDocId(docs.userId, artifact));
  });
  const back = withdrawn.map(({ target }) => removalOf(String(target['_id'])));
  await docs.bulk(back, true);
}

/**
 * Deletes the rows of interrupted replacements. OpenSearch only marks rows as deleted until it merges
 * their segments (see `connection.ts`). Forcing that would rewrite a whole shard with the rows of all users.
 */
export async function purge(docs: UserDocuments, now: number): Promise<void> {
  const query = allOf(term('user', docs.userId), revisionsBefore(now - LONGEST_REPLACEMENT_MS));
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
