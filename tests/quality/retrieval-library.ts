import { analyzeQuestion, chunk, indexTerms } from '../../packages/retrieval/src/index.ts';
import type {
  ChunkOptions,
  Passage,
  Question,
  SourceDocument,
} from '../../packages/retrieval/src/index.ts';
import { buildBm25 } from './retrieval-bm25.ts';
import type { EvalDocument } from './retrieval-datasets.ts';

/** A library in memory: what the server's index finds, without the server. */
export interface Library {
  documents: readonly EvalDocument[];
  /** Chunks. */
  size: number;
  find(question: string, k?: number): { question: Question; passages: Passage[] };
}

/** As the extraction reads a plain text file: paragraphs at their lines. */
export function plainDocument(text: string): SourceDocument {
  const segments: SourceDocument['segments'] = [];
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

/** Each document an artifact of its own, with a file name like its title. */
export function buildLibrary(documents: readonly EvalDocument[], options?: ChunkOptions): Library {
  const passages: Passage[] = [];
  const rows: string[] = [];
  for (const { id, title, text } of documents) {
    const fileName = `${title}.txt`;
    for (const piece of chunk(plainDocument(text), options)) {
      passages.push({ ...piece, artifactId: id, fileName, score: 0 });
      rows.push(indexTerms(piece, { fileName, keywords: [], language: 'en' }));
    }
  }
  const index = buildBm25(rows);
  return {
    documents,
    size: passages.length,
    find(text, k = 50) {
      const question = analyzeQuestion(text, ['en']);
      const found = index.search(question.query, k).flatMap(({ position, score }) => {
        const passage = passages[position];
        return passage === undefined ? [] : [{ ...passage, score }];
      });
      return { question, passages: found };
    },
  };
}
