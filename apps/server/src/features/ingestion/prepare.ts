import type { Extraction } from '@engram/extraction';
import {
  detectLanguage,
  type DocumentFacts,
  factsOf,
  phrasesOf,
  recordsOf,
  type RecordTable,
} from '@engram/retrieval';
import type { IndexRow } from '../../platform/index/search-index.ts';
import { indexRows, type RowContext } from './index-rows.ts';

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

/** Makes of what was read what is stored beside it: rows, phrases, facts and records. */
export function prepare(extraction: Extraction, context: RowContext): Prepared {
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
