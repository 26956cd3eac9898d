import type { Extraction, Segment } from '@engram/extraction';
import {
  analyze,
  chunk,
  detectLanguage,
  type DocumentFacts,
  factsOf,
  foldersOf,
  indexTerms,
  phrasesOf,
  recordsOf,
  type RecordTable,
} from '@engram/retrieval';
import type { IndexRow } from '../../platform/index/search-index.ts';

export interface RowContext {
  artifactId: string;
  fileName: string;
  path: string | null;
  keywords: readonly string[];
}

export function indexRows(
  document: { text: string; segments: readonly Segment[] },
  { artifactId, ...context }: RowContext & { language: string },
): IndexRow[] {
  return chunk(document).map((row) =>
    Object.assign(row, { artifactId, terms: indexTerms(row, context) }),
  );
}

/** The row that makes a file without text searchable by its name, folders and keywords. */
export function nameRow({ artifactId, fileName, path, keywords }: RowContext): IndexRow {
  const words = [fileName, foldersOf(path), ...keywords].join(' ');
  return {
    artifactId,
    ordinal: 0,
    start: 0,
    end: 0,
    text: '',
    terms: analyze(words, 'en').join(' '),
    location: { line: 1 },
    places: [],
    headings: [],
  };
}

export interface IndexData {
  /** ISO 639-1; null if there is no text. */
  language: string | null;
  /** Most characteristic first. */
  phrases: string[];
  /** Null if there is no text. */
  facts: DocumentFacts | null;
  tables: RecordTable[];
  rows: IndexRow[];
}

/** Characters from the start, the middle and the end from which the language is detected. */
const SAMPLE_LENGTH = 2000;

function sample(text: string): string {
  if (text.length <= 3 * SAMPLE_LENGTH) return text;
  const middle = Math.floor((text.length - SAMPLE_LENGTH) / 2);
  return [0, middle, text.length - SAMPLE_LENGTH]
    .map((start) => text.slice(start, start + SAMPLE_LENGTH))
    .join('\n');
}

/** Derives the data that is stored with a text: index rows, phrases, facts and records. */
export function deriveIndexData(extraction: Extraction, context: RowContext): IndexData {
  const { text, segments } = extraction;
  if (segments.length === 0) {
    return { language: null, phrases: [], facts: null, tables: [], rows: [] };
  }
  const language = detectLanguage(sample(text));
  const { artifactId, fileName } = context;
  const document = { text, segments };
  const rows = indexRows(document, { ...context, language });
  const facts = factsOf(document, { fileName, title: extraction.title, language });
  const { kind } = facts;
  const tables = recordsOf(document, { artifactId, fileName, kind, language });
  return { language, phrases: phrasesOf(document, language), facts, tables, rows };
}
