import type { Extraction } from '@engram/extraction';
import {
  chunk,
  detectLanguage,
  type DocumentFacts,
  factsOf,
  indexTerms,
  phrasesOf,
  recordsOf,
  type RecordTable,
} from '@engram/retrieval';
import type { IndexRow } from '../../platform/index/search-index.ts';

/** What a file's chunks carry besides their text. */
export interface DocumentContext {
  artifactId: string;
  fileName: string;
  /** Where the file stands in the folder that it came from. */
  path: string | null;
  keywords: readonly string[];
}

export interface Prepared {
  /** ISO 639-1; null when there is no text. */
  language: string | null;
  /** What the file speaks of, the most telling first. */
  phrases: string[];
  /** What it says of itself; null when there is no text. */
  facts: DocumentFacts | null;
  /** Its tables and fields as typed records. */
  tables: RecordTable[];
  rows: IndexRow[];
}

/** Characters from the start, the middle and the end that the language is told by. */
const SAMPLE_LENGTH = 2000;

function sample(text: string): string {
  if (text.length <= 3 * SAMPLE_LENGTH) return text;
  const middle = Math.floor((text.length - SAMPLE_LENGTH) / 2);
  return [0, middle, text.length - SAMPLE_LENGTH]
    .map((at) => text.slice(at, at + SAMPLE_LENGTH))
    .join('\n');
}

/** Cuts what was read into chunks and analyses them: the rows of the search index. */
export function prepare(extraction: Extraction, context: DocumentContext): Prepared {
  const { text, segments } = extraction;
  if (segments.length === 0) {
    return { language: null, phrases: [], facts: null, tables: [], rows: [] };
  }
  const language = detectLanguage(sample(text));
  const { artifactId, fileName, path, keywords } = context;
  const document = { text, segments: segments as Parameters<typeof chunk>[0]['segments'] };
  const rows = chunk(document).map((piece) =>
    Object.assign(piece, {
      artifactId,
      terms: indexTerms(piece, { fileName, path, keywords, language }),
    }),
  );
  const facts = factsOf(document, { fileName, title: extraction.title, language });
  const { kind } = facts;
  const tables = recordsOf(document, { artifactId, fileName, kind, language });
  return { language, phrases: phrasesOf(document, language), facts, tables, rows };
}
