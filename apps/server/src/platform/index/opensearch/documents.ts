import { createHash, randomUUID } from 'node:crypto';
import {
  type ArtifactLimits,
  type FoundRow,
  type IndexRow,
  requireUuid,
  splitTerms,
} from '../search-index.ts';
import type { Hit, Json, UserDocuments } from './connection.ts';

/** The maximum number of values in a `terms` query. */
const MAX_VALUES = 65_536;

export const term = (field: string, value: string | boolean): Json => ({
  term: { [field]: value },
});

export const allOf = (...filter: Json[]): Json => ({ bool: { filter } });

export const artifactsOf = (userId: string): Json =>
  allOf(term('user', userId), term('kind', 'artifact'));

export const rowsOf = (userId: string): Json => allOf(term('user', userId), term('kind', 'row'));

export function anyOf(field: string, values: Iterable<string>): Json {
  const list = [...values];
  const parts = Array.from({ length: Math.ceil(list.length / MAX_VALUES) }, (_, index) => ({
    terms: { [field]: list.slice(index * MAX_VALUES, (index + 1) * MAX_VALUES) },
  }));
  return { bool: { should: parts, minimum_should_match: 1 } };
}

export function within({ only, exclude }: ArtifactLimits): Json {
  for (const id of [...(only ?? []), ...(exclude ?? [])]) requireUuid(id, 'artifact id');
  return {
    bool: {
      filter: only ? [anyOf('artifact', only)] : [],
      must_not: exclude && exclude.size > 0 ? [anyOf('artifact', exclude)] : [],
    },
  };
}

export const artifactDocId = (userId: string, artifactId: string): string =>
  `${userId}:${artifactId}`;

export const rowKey = (artifactId: string, revision: string, ordinal: number): string =>
  `${artifactId}:${revision}:${ordinal}`;

export const rowDocId = (userId: string, key: string): string => `${userId}:${key}`;

export const modelDocId = (userId: string, model: string): string =>
  // Hashed, because a model's key may be too long for an id.
  `${userId}:model:${createHash('sha256').update(model).digest('hex').slice(0, 32)}`;

export interface Revision {
  /** The version of the artifacts' documents, in milliseconds. */
  number: number;
  name: string;
}

const DIGITS = 10;

const revisionName = (number: number): string => number.toString(36).padStart(DIGITS, '0');

export function newRevision(nowMs: number, known: Iterable<number>): Revision {
  const number = Math.max(nowMs, ...[...known].map((version) => version + 1));
  return { number, name: `${revisionName(number)}-${randomUUID().slice(0, 8)}` };
}

export const revisionsBefore = (moment: number): Json => ({
  range: { revision: { lt: revisionName(moment) } },
});

export const tokenOf = (userId: string, term: string): string => `${userId}:${term}`;

export function contentOf({ start, end, text, location, places, headings }: IndexRow): string {
  return JSON.stringify({ start, end, text, location, places, headings });
}

export interface StoredVectors {
  models: string[];
  /** Base64, without zero vectors. */
  vectors: string[];
}

interface RowSource extends StoredVectors {
  userId: string;
  artifactId: string;
  revision: string;
  ordinal: number;
  terms: readonly string[];
  content: string;
  meaning: boolean;
}

export function rowDocument({ userId, artifactId, terms, ...rest }: RowSource): object {
  return {
    ...rest,
    kind: 'row',
    user: userId,
    artifact: artifactId,
    length: terms.length,
    tokens: terms.map((term) => tokenOf(userId, term)),
    terms: terms.join(' '),
  };
}

export const termsOf = (row: IndexRow): string[] => splitTerms(row.terms);

export const textOf = ({ fields }: Hit, field: string): string =>
  String(fields?.[field]?.[0] ?? '');

export const numberOf = ({ fields }: Hit, field: string): number =>
  Number(fields?.[field]?.[0] ?? 0);

export const textsOf = ({ fields }: Hit, field: string): string[] =>
  (fields?.[field] ?? []).map(String);

export const vectorsOf = (hit: Hit): StoredVectors => ({
  models: textsOf(hit, 'models'),
  // OpenSearch returns base64url, but only accepts base64.
  vectors: textsOf(hit, 'vectors').map((text) => Buffer.from(text, 'base64url').toString('base64')),
});

const KEYS_PER_PAGE = 10_000;

/** The distinct combinations of the fields' values, page by page. */
export async function* keysOf<Field extends string>(
  search: UserDocuments['search'],
  query: Json,
  fields: readonly Field[],
  aggs?: Json,
): AsyncGenerator<Record<Field, string>[]> {
  const sources = fields.map((field) => ({ [field]: { terms: { field } } }));
  let after: Json | undefined;
  do {
    const composite = { size: KEYS_PER_PAGE, sources, ...(after && { after }) };
    const keys = { composite, ...(aggs && { aggs }) };
    const { aggregations } = await search({ size: 0, query, aggs: { keys } });
    const page = aggregations?.['keys'] as {
      buckets: { key: Record<Field, string> }[];
      after_key?: Json;
    };
    yield page.buckets.map(({ key }) => key);
    after = page.after_key;
  } while (after);
}

const ROWS_PER_PAGE = 5000;

/** The current rows of a query by id, and the revisions of artifacts. One search reads both. */
export async function readCurrent(
  docs: UserDocuments,
  { rows, artifactIds }: { rows: Json; artifactIds: Iterable<string> },
): Promise<{ rows: Map<string, FoundRow>; revisions: Map<string, string> }> {
  const heads = [...new Set(artifactIds)].map((id) => artifactDocId(docs.userId, id));
  const { hits } = await docs.search({
    size: ROWS_PER_PAGE,
    query: { bool: { should: [{ ids: { values: heads } }, allOf(rowsOf(docs.userId), rows)] } },
    stored_fields: ['content'],
    docvalue_fields: ['kind', 'artifact', 'revision', 'ordinal'],
  });
  const revisions = new Map<string, string>();
  for (const hit of hits.hits) {
    if (textOf(hit, 'kind') !== 'artifact') continue;
    revisions.set(textOf(hit, 'artifact'), textOf(hit, 'revision'));
  }
  const currentRows = new Map<string, FoundRow>();
  for (const hit of hits.hits) {
    const artifactId = textOf(hit, 'artifact');
    if (textOf(hit, 'kind') !== 'row') continue;
    if (revisions.get(artifactId) !== textOf(hit, 'revision')) continue;
    const content = JSON.parse(textOf(hit, 'content')) as Omit<FoundRow, 'artifactId' | 'ordinal'>;
    currentRows.set(hit._id, { artifactId, ordinal: numberOf(hit, 'ordinal'), ...content });
  }
  return { rows: currentRows, revisions };
}
