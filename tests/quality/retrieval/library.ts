import { analyzeQuestion, chunk, indexTerms } from '../../../packages/retrieval/src/index.ts';
import type { Passage, Question, SourceDocument } from '../../../packages/retrieval/src/index.ts';
import { buildBm25 } from './bm25.ts';
import type { EvalDocument } from './datasets.ts';

/** A library in memory that finds what the server's index finds. */
export interface Library {
  documents: readonly EvalDocument[];
  /** All chunks, document by document. */
  passages: readonly Passage[];
  /** The number of chunks. */
  size: number;
  /** @param keep which artifacts to include, by id. Default: all */
  find(
    question: string,
    k?: number,
    keep?: (artifactId: string) => boolean,
  ): { question: Question; passages: Passage[] };
}

/** As extraction reads a plain text file: paragraphs with their lines. */
export function plainDocument(text: string): SourceDocument {
  const segments: SourceDocument['segments'][number][] = [];
  let line = 1;
  let at = 0;
  for (const paragraph of text.split(/(\n\s*\n)/u)) {
    if (paragraph.trim() !== '') {
      segments.push({
        start: at,
        end: at + paragraph.length,
        location: { line },
        headings: [],
        kind: 'prose',
      });
    }
    at += paragraph.length;
    line += paragraph.split('\n').length - 1;
  }
  return { text, segments };
}

interface Row {
  passage: Passage;
  terms: string;
}

/** Many libraries contain the same documents. */
const known = new WeakMap<EvalDocument, Row[]>();

function rowsOf(document: EvalDocument): Row[] {
  const cut = known.get(document);
  if (cut !== undefined) return cut;
  const fileName = `${document.title}.txt`;
  const context = { fileName, keywords: [], language: 'en' };
  const rows = chunk(plainDocument(document.text)).map((piece) => ({
    passage: { ...piece, artifactId: document.id, fileName, score: 0 },
    terms: indexTerms(piece, context),
  }));
  known.set(document, rows);
  return rows;
}

/** Each document is an artifact with a file name similar to its title. */
export function buildLibrary(documents: readonly EvalDocument[]): Library {
  const rows = documents.flatMap(rowsOf);
  const passages = rows.map(({ passage }) => passage);
  const index = buildBm25(rows.map(({ terms }) => terms));
  return {
    documents,
    passages,
    size: passages.length,
    find(text, k = 50, keep = () => true) {
      const question = analyzeQuestion(text, ['en']);
      const allowed = (position: number): boolean => keep(passages[position]?.artifactId ?? '');
      const found = index.search(question.query, k, allowed).flatMap(({ position, score }) => {
        const passage = passages[position];
        return passage === undefined ? [] : [{ ...passage, score }];
      });
      return { question, passages: found };
    },
  };
}
