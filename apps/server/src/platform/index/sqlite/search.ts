import {
  type Candidate,
  frequenciesOf,
  type KnownTerm,
  type LibrarySize,
  scored,
  type WeightedTerm,
} from '../bm25.ts';
import type { FoundRow, IndexRow, RowPlace, SearchResult } from '../search-index.ts';
import type { UserFile } from './user-file.ts';

/** Limits on artifacts, as JSON arrays of their ids, which `json_each` reads fast. */
export interface Limits {
  only: string | null;
  exclude: string | null;
}

/** The numbers of the allowed artifacts as a JSON array, and the count of their chunks. */
interface Allowed {
  artifacts: string;
  chunks: number;
}

/** The last limits of each file, because a question is searched several times with the same ones. */
const last = new WeakMap<UserFile, Limits & { version: unknown; allowed: Allowed }>();

export function allowedArtifacts(file: UserFile, { only, exclude }: Limits): Allowed | null {
  if (only === null && exclude === null) return null;
  // Changes when another connection writes.
  const version = file.db.prepare('PRAGMA data_version').get()?.['data_version'];
  const known = last.get(file);
  if (known?.version === version && known?.only === only && known.exclude === exclude) {
    return known.allowed;
  }
  const { sql } = file;
  const selected = only
    ? sql.get<Allowed>`SELECT json_group_array(number) AS artifacts, coalesce(sum(chunks), 0) AS chunks
        FROM artifacts WHERE id IN (SELECT value FROM json_each(${only}))
          AND id NOT IN (SELECT value FROM json_each(${exclude ?? '[]'}))`
    : sql.get<Allowed>`SELECT json_group_array(number) AS artifacts, coalesce(sum(chunks), 0) AS chunks
        FROM artifacts WHERE id NOT IN (SELECT value FROM json_each(${exclude}))`;
  const allowed = selected ?? { artifacts: '[]', chunks: 0 };
  last.set(file, { only, exclude, version, allowed });
  return allowed;
}

type RowContext = Pick<IndexRow, 'location' | 'places' | 'headings'>;

/** The characters read from a chunk. Older versions stored table rows of any width as one chunk. */
export const MAX_CHARACTERS = 65_536;

type SelectedRow = Omit<FoundRow, keyof RowContext> & { context: string };

function toFoundRow({ artifactId, ordinal, start, end, text, context }: SelectedRow): FoundRow {
  const known = JSON.parse(context) as RowContext;
  const isCut = text.length >= MAX_CHARACTERS;
  return { artifactId, ordinal, start, end: isCut ? start + text.length : end, text, ...known };
}

export const size = ({ sql }: UserFile): number =>
  sql.get<{ chunks: number }>`SELECT chunks FROM library`?.chunks ?? 0;

export const artifactIds = ({ sql }: UserFile): string[] =>
  sql.all<{ id: string }>`SELECT id FROM artifacts`.map(({ id }) => id);

/** Adds the rows of chunks, in the same order. */
export function withRows<Found extends { id: number }>(
  { sql }: UserFile,
  matches: readonly Found[],
): (Found & { row: FoundRow })[] {
  const ids = matches.map(({ id }) => id);
  const rows = sql.all<SelectedRow & { id: number }>`
    SELECT c.id, a.id AS "artifactId", c.ordinal, c.start, c."end",
      substr(t.text, 1, ${MAX_CHARACTERS}) AS text,
      CASE WHEN octet_length(t.context) <= ${MAX_CHARACTERS} THEN t.context
        ELSE json_object('location', json(t.context -> 'location'), 'places', json('[]'),
          'headings', json('[]')) END AS context
    FROM json_each(${JSON.stringify(ids)}) AS wanted CROSS JOIN chunks c ON c.id = wanted.value
    JOIN artifacts a ON a.number = c.artifact
    JOIN contents t ON t.chunk = c.id`;
  const byId = new Map(rows.map((row) => [row.id, toFoundRow(row)]));
  return matches.flatMap((match) => {
    const row = byId.get(match.id);
    return row ? [{ ...match, row }] : [];
  });
}

export function rowsAt(file: UserFile, places: readonly RowPlace[]): FoundRow[] {
  const matches = file.sql.all<{ id: number }>`
    SELECT c.id FROM json_each(${JSON.stringify(places)}) AS place
    CROSS JOIN artifacts a ON a.id = place.value ->> 'artifactId'
    JOIN chunks c ON c.artifact = a.number AND c.ordinal = place.value ->> 'ordinal'`;
  return withRows(file, matches).map(({ row }) => row);
}

interface WordQuery extends Limits {
  terms: readonly WeightedTerm[];
  limit: number;
}

/** The maximum postings read for candidates, because common terms are slow and not distinctive. */
const MAX_POSTINGS = 20_000;
const CANDIDATES_PER_ROW = 6;
/** If the limits allow up to this number of chunks, all are scored. */
const MAX_SCORED = 2000;

function knownTerms({ sql }: UserFile, terms: readonly WeightedTerm[]): KnownTerm[] {
  return terms.flatMap((term) => {
    const row = sql.get<{ doc: number }>`SELECT doc FROM vocabulary WHERE term = ${term.term}`;
    return row ? [{ ...term, documents: row.doc }] : [];
  });
}

function rarest(terms: readonly KnownTerm[], budget: number): KnownTerm[] {
  const chosen: KnownTerm[] = [];
  let postings = 0;
  for (const term of terms.toSorted((a, b) => a.documents - b.documents)) {
    postings += term.documents;
    if (chosen.length > 0 && postings > budget) break;
    chosen.push(term);
  }
  return chosen;
}

/** The terms compared with a misspelled one, and the maximum difference in length. */
const MAX_COMPARED = 100_000;
const MAX_EDITS = 2;

const anyOf = (terms: readonly WeightedTerm[]): string =>
  terms.map(({ term }) => `"${term.replaceAll('"', '""')}"`).join(' OR ');

function choose(file: UserFile, query: WordQuery, known: readonly KnownTerm[], total: number) {
  const { sql } = file;
  const limit = query.limit * CANDIDATES_PER_ROW;
  const allowed = allowedArtifacts(file, query);
  if (!allowed) {
    const terms = anyOf(rarest(known, MAX_POSTINGS));
    return sql.all<{ id: number }>`SELECT rowid AS id FROM words WHERE words MATCH ${terms}
      ORDER BY bm25(words) LIMIT ${limit}`;
  }
  if (allowed.chunks <= MAX_SCORED) {
    return sql.all<{ id: number }>`SELECT id FROM chunks
      WHERE artifact IN (SELECT value FROM json_each(${allowed.artifacts}))`;
  }
  // The budget grows because only a share of the postings is allowed.
  const terms = anyOf(rarest(known, (MAX_POSTINGS * total) / allowed.chunks));
  return sql.all<{
    id: number;
  }>`SELECT words.rowid AS id FROM words JOIN chunks c ON c.id = words.rowid
    WHERE words MATCH ${terms}
      AND c.artifact IN (SELECT value FROM json_each(${allowed.artifacts}))
    ORDER BY bm25(words) LIMIT ${limit}`;
}

export function search(file: UserFile, query: WordQuery): SearchResult {
  const { sql } = file;
  const known = knownTerms(file, query.terms);
  const size = sql.get<LibrarySize>`SELECT chunks AS rows, terms FROM library` ?? {
    rows: 0,
    terms: 0,
  };
  const frequencies = frequenciesOf(known, size);
  if (known.length === 0) return { passages: [], frequencies };
  const ids = choose(file, query, known, size.rows).map(({ id }) => id);
  const candidates = sql.all<Candidate & { id: number }>`
    SELECT c.id, a.id AS "artifactId", c.ordinal, c.length,
      substr(t.terms, 1, ${MAX_CHARACTERS}) AS terms
    FROM json_each(${JSON.stringify(ids)}) AS chosen CROSS JOIN chunks c ON c.id = chosen.value
    JOIN artifacts a ON a.number = c.artifact
    JOIN contents t ON t.chunk = c.id`;
  const best = scored(candidates, known, size).slice(0, query.limit);
  const passages = withRows(file, best).map(({ row, score }) => ({ row, score }));
  return { passages, frequencies };
}

export function termsBeginningLike(
  { sql }: UserFile,
  term: string,
): { term: string; documents: number }[] {
  const [first = ''] = term;
  const { length } = term;
  return sql.all<{ term: string; documents: number }>`SELECT term, documents
    FROM (SELECT term, doc AS documents FROM vocabulary
      WHERE term >= ${first} AND term < ${`${first}\u{10FFFF}`} LIMIT ${MAX_COMPARED})
    WHERE length(term) BETWEEN ${length - MAX_EDITS} AND ${length + MAX_EDITS}`;
}
