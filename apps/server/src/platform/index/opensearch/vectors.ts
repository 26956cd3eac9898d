import {
  isDirection,
  type NearPassage,
  type RowVector,
  type StoredModel,
  type UnembeddedRow,
  type VectorModel,
} from '../search-index.ts';
import type { Connection, Hit, Json, Operation } from './connection.ts';
import {
  allOf,
  anyOf,
  modelDocId,
  readCurrent,
  rowDocId,
  rowDocument,
  rowsOf,
  term,
  numberOf,
  textOf,
  vectorsOf,
} from './documents.ts';
import { encodeVector, isOfModel, nearness } from './vector-codec.ts';

export interface NearQuery {
  vector: Float32Array;
  limit: number;
  limits: Json;
}

const MAX_MODELS = 100;
const MAX_NEAR = 5000;
/** Above the score of a row without a vector. */
const MIN_SCORE = 1e-6;

export async function models(connection: Connection, userId: string): Promise<StoredModel[]> {
  const { hits } = await connection.search(userId, {
    size: MAX_MODELS,
    query: allOf(term('user', userId), term('kind', 'model')),
    stored_fields: ['content'],
  });
  const found = hits.hits.map((hit) => JSON.parse(textOf(hit, 'content')) as StoredModel);
  return found.sort((one, other) => Number(other.complete) - Number(one.complete));
}

function modelOperation(
  userId: string,
  { key, dimensions, setting }: VectorModel,
  { complete, action }: { complete: boolean; action: 'create' | 'index' },
): Operation {
  const content = JSON.stringify({ key, dimensions, setting, complete });
  const document = { kind: 'model', user: userId, content };
  return { action, target: { _id: modelDocId(userId, key) }, document };
}

/** Rows with text but without a vector of a model, newest artifact first. */
export async function unembedded(
  connection: Connection,
  userId: string,
  model: VectorModel,
  { limit, exclude }: { limit: number; exclude: ReadonlySet<string> },
): Promise<{ rows: UnembeddedRow[]; embedded: number; missing: number }> {
  const embedded = term('models', model.key);
  const meant = allOf(rowsOf(userId), term('meaning', true));
  const { hits, aggregations } = await connection.search(userId, {
    size: limit,
    query: meant,
    post_filter: {
      bool: { must_not: [embedded, ...(exclude.size > 0 ? [anyOf('artifact', exclude)] : [])] },
    },
    sort: [{ revision: 'desc' }, 'artifact', 'ordinal'],
    stored_fields: ['content'],
    docvalue_fields: ['artifact'],
    aggs: { embedded: { filter: embedded }, missing: { filter: { bool: { must_not: embedded } } } },
  });
  const counts = aggregations as Record<'embedded' | 'missing', { doc_count: number }>;
  return {
    rows: hits.hits.map((hit) => {
      const { text, headings } = JSON.parse(textOf(hit, 'content')) as UnembeddedRow;
      const key = hit._id.slice(rowDocId(userId, '').length);
      return { key, artifactId: textOf(hit, 'artifact'), text, headings };
    }),
    embedded: counts.embedded.doc_count,
    missing: counts.missing.doc_count,
  };
}

/** Writes a row again with a vector, beside those of other models in use. */
function withVector(
  userId: string,
  hit: Hit,
  { key, vector, inUse }: { key: string; vector: Float32Array; inUse: readonly string[] },
): Operation {
  const stored = vectorsOf(hit);
  const others = stored.models.filter((other) => other !== key && inUse.includes(other));
  const kept = stored.vectors.filter((each) => others.some((other) => isOfModel(each, other)));
  return {
    action: 'index',
    // Only if it was not changed since it was read.
    target: { _id: hit._id, if_seq_no: hit._seq_no, if_primary_term: hit._primary_term },
    document: rowDocument({
      userId,
      artifactId: textOf(hit, 'artifact'),
      revision: textOf(hit, 'revision'),
      ordinal: numberOf(hit, 'ordinal'),
      terms: textOf(hit, 'terms').split(' ').filter(Boolean),
      content: textOf(hit, 'content'),
      meaning: true,
      models: [...others, key],
      vectors: isDirection(vector) ? [...kept, encodeVector(key, vector)] : kept,
    }),
  };
}

/** Adds vectors of existing rows. A search sees them when this resolves. */
export async function addVectors(
  connection: Connection,
  userId: string,
  model: VectorModel,
  vectors: readonly RowVector[],
): Promise<void> {
  const byId = new Map(vectors.map(({ key, vector }) => [rowDocId(userId, key), vector]));
  const [known, { hits }] = await Promise.all([
    models(connection, userId),
    connection.search(userId, {
      size: byId.size,
      query: { ids: { values: [...byId.keys()] } },
      seq_no_primary_term: true,
      stored_fields: ['terms', 'content'],
      docvalue_fields: ['artifact', 'revision', 'ordinal', 'models', 'vectors'],
    }),
  ]);
  const inUse = known.map(({ key }) => key);
  const rows = hits.hits.flatMap((hit) => {
    const vector = byId.get(hit._id);
    return vector ? [withVector(userId, hit, { key: model.key, vector, inUse })] : [];
  });
  if (rows.length === 0) return;
  const made = modelOperation(userId, model, { complete: false, action: 'create' });
  const isNew = !inUse.includes(model.key);
  await connection.bulk(userId, [...(isNew ? [made] : []), ...rows], { refresh: true });
}

/** Marks a model as complete and deletes the others; their vectors go when rows are rewritten. */
export async function completeModel(
  connection: Connection,
  userId: string,
  model: VectorModel,
): Promise<void> {
  const others = (await models(connection, userId)).filter(({ key }) => key !== model.key);
  const gone = others.map(({ key }): Operation => ({
    action: 'delete',
    target: { _id: modelDocId(userId, key) },
  }));
  const made = modelOperation(userId, model, { complete: true, action: 'index' });
  await connection.bulk(userId, [made, ...gone], { refresh: true });
}

export async function nearest(
  connection: Connection,
  userId: string,
  model: VectorModel,
  query: NearQuery,
): Promise<NearPassage[]> {
  if (!isDirection(query.vector)) return [];
  const [known, { hits }] = await Promise.all([
    models(connection, userId),
    connection.search(userId, {
      // Some may be of an earlier revision.
      size: Math.min(MAX_NEAR, 2 * query.limit),
      query: {
        script_score: {
          query: allOf(rowsOf(userId), term('models', model.key), query.limits),
          script: nearness(model.key, query.vector),
        },
      },
      min_score: MIN_SCORE,
      stored_fields: [],
      docvalue_fields: ['artifact'],
    }),
  ]);
  if (hits.hits.length === 0 || !known.some(({ key }) => key === model.key)) return [];
  const rows = await readCurrent(connection, userId, {
    rows: { ids: { values: hits.hits.map(({ _id }) => _id) } },
    artifactIds: hits.hits.map((hit) => textOf(hit, 'artifact')),
  });
  const near = hits.hits.flatMap(({ _id, _score }) => {
    const row = rows.get(_id);
    return row ? [{ row, similarity: (_score ?? 0) - 1 }] : [];
  });
  return near.slice(0, query.limit);
}
