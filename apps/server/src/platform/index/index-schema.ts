import { Index, makeArrowTable, type Table } from '@lancedb/lancedb';
import { Field, Float64, Int32, Schema, Utf8 } from 'apache-arrow';

/**
 * The version of the tables' columns and of what stands in them. Raise it with every change: tables
 * of another version are not read, and their owners are rebuilt from the database.
 */
export const schemaVersion = 1;

/** A place inside a file, as the extraction named it: carried, never looked into. */
export type RowLocation = Record<string, string | number>;

/** One chunk of an artifact as it is indexed. */
export interface IndexRow {
  /** A UUID. */
  artifactId: string;
  /** 0, 1, 2 … in the order of the artifact. */
  ordinal: number;
  /** UTF-16 offsets in the artifact's text. */
  start: number;
  end: number;
  text: string;
  /** The analysed terms, joined by whitespace. Terms above 1,000 UTF-16 units are left out. */
  terms: string;
  location: RowLocation;
  places: { offset: number; location: RowLocation }[];
  headings: string[];
}

/** A row as the tables keep it. A tombstone (`ordinal` −1) says that the artifact has no rows. */
export interface StoredRow {
  artifactId: string;
  ordinal: number;
  start: number;
  end: number;
  text: string;
  terms: string;
  /** How many terms there are. */
  length: number;
  /** `location`, `places` and `headings` as JSON. */
  context: string;
  /** The write that brought the row, counted up; the delta's highest one of an artifact is valid. */
  sequence: number;
}

export const tombstoneOrdinal = -1;

/** A dense `vector` column comes here, with a higher {@link schemaVersion}. */
const arrowSchema = new Schema([
  new Field('artifactId', new Utf8(), false),
  new Field('ordinal', new Int32(), false),
  new Field('start', new Int32(), false),
  new Field('end', new Int32(), false),
  new Field('text', new Utf8(), false),
  new Field('terms', new Utf8(), false),
  new Field('length', new Int32(), false),
  new Field('context', new Utf8(), false),
  new Field('sequence', new Float64(), false),
]);

export type ArrowTable = Awaited<ReturnType<ReturnType<Table['query']>['toArrow']>>;

export function toArrowTable(rows: StoredRow[]): ArrowTable {
  return makeArrowTable(
    rows.map((row) => ({ ...row })),
    { schema: arrowSchema },
  );
}

const longestTerm = 1000;
/** Unicode's White_Space, at which the engine's tokenizer splits (JavaScript's \s is another set). */
const whitespace = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

/** The terms of a text of terms, cut where the engine cuts them. */
export function splitTerms(terms: string): string[] {
  return terms
    .toWellFormed()
    .split(whitespace)
    .filter((term) => term !== '' && term.length <= longestTerm);
}

export function toStoredRow(row: IndexRow, sequence: number): StoredRow {
  const terms = splitTerms(row.terms);
  const { artifactId, ordinal, start, end, location, places, headings } = row;
  return {
    artifactId,
    ordinal,
    start,
    end,
    text: row.text,
    terms: terms.join(' '),
    length: terms.length,
    context: JSON.stringify({ location, places, headings }),
    sequence,
  };
}

export function tombstone(artifactId: string, sequence: number): StoredRow {
  return {
    artifactId,
    ordinal: tombstoneOrdinal,
    start: 0,
    end: 0,
    text: '',
    terms: '',
    length: 0,
    context: '',
    sequence,
  };
}

type RowContext = Pick<IndexRow, 'location' | 'places' | 'headings'>;

/** A row as a search answers it: the indexed row without its terms. */
export type FoundRow = Omit<IndexRow, 'terms'>;

export function toFoundRow(row: Omit<StoredRow, 'terms' | 'length' | 'sequence'>): FoundRow {
  const { artifactId, ordinal, start, end, text } = row;
  const context = JSON.parse(row.context) as RowContext;
  return { artifactId, ordinal, start, end, text, ...context };
}

/**
 * The full-text index over our own analysis: nothing but whitespace is looked at. The engine drops
 * terms above 40 bytes unless told otherwise, hence `maxTokenLength`. An `Index` serves once.
 */
export function termsIndex(): Index {
  return Index.fts({
    baseTokenizer: 'whitespace',
    stem: false,
    removeStopWords: false,
    lowercase: false,
    asciiFolding: false,
    withPosition: false,
    maxTokenLength: longestTerm * 4,
  });
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const isUuid = (id: string): boolean => uuid.test(id);

/** Ids stand in folder names and in filter expressions: nothing but a UUID may pass. */
export function requireUuid(id: string, what: string): void {
  if (!isUuid(id)) throw new TypeError(`The ${what} of an index entry must be a lower-case UUID.`);
}

/** A filter on artifacts. */
export function artifactFilter(ids: Iterable<string>): string {
  const quoted = Array.from(ids, (id) => {
    requireUuid(id, 'artifact id');
    return `'${id}'`;
  });
  return `artifactId IN (${quoted.join(',')})`;
}
