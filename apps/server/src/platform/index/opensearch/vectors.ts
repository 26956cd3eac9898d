import { createHash } from 'node:crypto';
import {
  bytesOf,
  isDirection,
  type NearPassage,
  type RowVector,
  type StoredModel,
  type UnembeddedRow,
  type VectorModel,
} from '../search-index.ts';
import type { Hit, Json, Operation, UserDocuments } from './connection.ts';
import {
  allOf,
  anyOf,
  modelDocId,
  readCurrent,
  rowDocId,
  rowDocument,
  rowsOf,
  numberOf,
  term,
  textOf,
  vectorsOf,
} from './documents.ts';

/** The bytes of the model's name before the numbers of a vector. */
const NAME_BYTES = 4;

const nameOf = (model: string): Buffer =>
  createHash('sha256').update(model).digest().subarray(0, NAME_BYTES);

function encodeVector(model: string, vector: Float32Array): string {
  const bytes = bytesOf(vector);
  return Buffer.concat([nameOf(model), Buffer.from(bytes.buffer)]).toString('base64');
}

const isOfModel = (encoded: string, model: string): boolean =>
  Buffer.from(encoded, 'base64').subarray(0, NAME_BYTES).equals(nameOf(model));

/**
 * Scores a row by 1 plus the cosine with the question, because scores must not be negative, or 0 without a
 * vector of the model. The question is passed as a string, because a list would be unpacked for every row.
 */
const SOURCE = `
  String question = params.question;
  String name = params.name;
  for (BytesRef vector : doc['vectors']) {
    byte[] bytes = vector.bytes;
    int start = vector.offset;
    boolean named = true;
    for (int i = 0; i < ${NAME_BYTES}; i++) {
      if (bytes[start + i] != (byte) (name.charAt(i) - 128)) { named = false; }
    }
    if (!named || vector.length - ${NAME_BYTES} != question.length()) { continue; }
    start += ${NAME_BYTES};
    int product = 0;
    int square = 0;
    for (int i = 0; i < question.length(); i++) {
      int number = bytes[start + i];
      product += number * (question.charAt(i) - 128);
      square += number * number;
    }
    return 1 + product / Math.sqrt((double) square * params.square);
  }
  return 0;`;

const asText = (numbers: Int8Array): string =>
  Array.from(numbers, (number) => String.fromCharCode(number + 128)).join('');

function nearness(model: string, vector: Float32Array): object {
  const question = bytesOf(vector);
  const square = question.reduce((sum, number) => sum + number * number, 0);
  const name = asText(new Int8Array(nameOf(model)));
  return { source: SOURCE, params: { question: asText(question), square, name } };
}

const MAX_MODELS = 100;
const MAX_NEAR = 5000;
/** Above the score of a row without a vector. */
const MIN_SCORE = 1e-6;

export async function models(docs: UserDocuments): Promise<StoredModel[]> {
  const { hits } = await docs.search({
    size: MAX_MODELS,
    query: allOf(term('user', docs.userId), term('kind', 'model')),
    stored_fields: ['content'],
  });
  const stored = hits.hits.map((hit) => JSON.parse(textOf(hit, 'content')) as StoredModel);
  return stored.sort((a, b) => Number(b.complete) - Number(a.complete));
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

export async function unembedded(
  docs: UserDocuments,
  model: VectorModel,
  { limit, exclude }: { limit: number; exclude: ReadonlySet<string> },
): Promise<{ rows: UnembeddedRow[]; embedded: number; missing: number }> {
  const embedded = term('models', model.key);
  const embeddable = allOf(rowsOf(docs.userId), term('meaning', true));
  const { hits, aggregations } = await docs.search({
    size: limit,
    query: embeddable,
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
      const key = hit._id.slice(rowDocId(docs.userId, '').length);
      return { key, artifactId: textOf(hit, 'artifact'), text, headings };
    }),
    embedded: counts.embedded.doc_count,
    missing: counts.missing.doc_count,
  };
}

/** Rewrites a row with an added vector, and keeps those of other models in use. */
function withVector(
  userId: string,
  hit: Hit,
  { key, vector, inUse }: { key: string; vector: Float32Array; inUse: readonly string[] },
): Operation {
  const stored = vectorsOf(hit);
  const others = stored.models.filter((other) => other !== key && inUse.includes(other));
  const otherVectors = stored.vectors.filter((vector) =>
    others.some((model) => isOfModel(vector, model)),
  );
  return {
    action: 'index',
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
      vectors: isDirection(vector) ? [...otherVectors, encodeVector(key, vector)] : otherVectors,
    }),
  };
}

/** Adds vectors to existing rows. Searches see them when this resolves. */
export async function addVectors(
  docs: UserDocuments,
  model: VectorModel,
  vectors: readonly RowVector[],
): Promise<void> {
  const byId = new Map(vectors.map(({ key, vector }) => [rowDocId(docs.userId, key), vector]));
  const [known, { hits }] = await Promise.all([
    models(docs),
    docs.search({
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
    return vector ? [withVector(docs.userId, hit, { key: model.key, vector, inUse })] : [];
  });
  if (rows.length === 0) return;
  const creation = modelOperation(docs.userId, model, { complete: false, action: 'create' });
  const isNew = !inUse.includes(model.key);
  await docs.bulk([...(isNew ? [creation] : []), ...rows], true);
}

/** Marks a model as complete and deletes the others, whose vectors are removed when rows are rewritten. */
export async function completeModel(docs: UserDocuments, model: VectorModel): Promise<void> {
  const others = (await models(docs)).filter(({ key }) => key !== model.key);
  const deletions = others.map(({ key }): Operation => ({
    action: 'delete',
    target: { _id: modelDocId(docs.userId, key) },
  }));
  const completion = modelOperation(docs.userId, model, { complete: true, action: 'index' });
  await docs.bulk([completion, ...deletions], true);
}

export async function nearest(
  docs: UserDocuments,
  model: VectorModel,
  query: { vector: Float32Array; limit: number; limits: Json },
): Promise<NearPassage[]> {
  const [known, { hits }] = await Promise.all([
    models(docs),
    docs.search({
      // Some may belong to an earlier revision.
      size: Math.min(MAX_NEAR, 2 * query.limit),
      query: {
        script_score: {
          query: allOf(rowsOf(docs.userId), term('models', model.key), query.limits),
          script: nearness(model.key, query.vector),
        },
      },
      min_score: MIN_SCORE,
      stored_fields: [],
      docvalue_fields: ['artifact'],
    }),
  ]);
  if (hits.hits.length === 0 || !known.some(({ key }) => key === model.key)) return [];
  const { rows } = await readCurrent(docs, {
    rows: { ids: { values: hits.hits.map(({ _id }) => _id) } },
    artifactIds: hits.hits.map((hit) => textOf(hit, 'artifact')),
  });
  const near = hits.hits.flatMap(({ _id, _score }) => {
    const row = rows.get(_id);
    return row ? [{ row, similarity: (_score ?? 0) - 1 }] : [];
  });
  return near.slice(0, query.limit);
}
