import { chunk, indexTerms } from '../chunk.ts';
import { rankPassages } from '../ranking/rank.ts';
import { type Section, sectionsOf } from '../ranking/sections.ts';
import { analyzeQuestion, type Question } from '../question/question.ts';
import type { Passage, SourceDocument, SourceSegment } from '../types.ts';

/** A file of a test: paragraphs, or blocks with their own locations. */
export interface TestFile {
  name: string;
  language?: string;
  blocks: (string | (Partial<Omit<SourceSegment, 'start' | 'end'>> & { text: string }))[];
}

/** The document that extraction returns for a file: blocks separated by blank lines, rows by line ends. */
export function documentOf({ blocks }: TestFile): SourceDocument {
  let text = '';
  const segments: SourceSegment[] = [];
  for (const block of blocks) {
    const { text: blockText, ...rest } = typeof block === 'string' ? { text: block } : block;
    const kind = rest.kind ?? 'prose';
    if (text !== '') text += kind === 'table' || kind === 'list' ? '\n' : '\n\n';
    const start = text.length;
    text += blockText;
    const line = text.slice(0, start).split('\n').length;
    segments.push({ location: { line }, headings: [], ...rest, kind, start, end: text.length });
  }
  return { text, segments };
}

/** The passages of some files that contain a term of the question, scored as BM25 without lengths. */
export function findPassages(
  files: readonly TestFile[],
  text: string,
  languages: string[] = ['en'],
): { question: Question; passages: Passage[] } {
  const question = analyzeQuestion(text, languages);
  const rows = files.flatMap((file, i) =>
    chunk(documentOf(file)).map((piece) => {
      const context = { fileName: file.name, keywords: [], language: file.language ?? 'en' };
      const terms = new Set(indexTerms(piece, context).split(' '));
      return { terms, passage: { ...piece, artifactId: `artifact-${i}`, fileName: file.name } };
    }),
  );
  const rarity = new Map(
    question.query.split(' ').map((term) => {
      const count = rows.filter(({ terms }) => terms.has(term)).length;
      return [term, Math.log(1 + (rows.length - count + 0.5) / (count + 0.5))];
    }),
  );
  const passages = rows
    .map(({ terms, passage }): Passage => {
      let score = 0;
      for (const [term, idf] of rarity) if (terms.has(term)) score += idf;
      return { ...passage, score };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  return { question, passages };
}

/** The sections that a question finds in some files, best first. */
export function findSections(
  files: readonly TestFile[],
  text: string,
  languages?: string[],
): Section[] {
  const { question, passages } = findPassages(files, text, languages);
  const documents = new Map(files.map((file, i) => [`artifact-${i}`, documentOf(file)]));
  return sectionsOf(question, rankPassages(question, passages), { documents, limit: 10 });
}
