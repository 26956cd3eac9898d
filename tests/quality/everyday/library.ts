import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { detectType, extract } from '../../../packages/extraction/src/index.ts';
import {
  analyzeQuestion,
  chunk,
  detectLanguage,
  indexTerms,
  rankPassages,
  sectionsOf,
  withRarity,
} from '../../../packages/retrieval/src/index.ts';
import type {
  Chunk,
  Passage,
  Question,
  Section,
  SourceDocument,
} from '../../../packages/retrieval/src/index.ts';
import { makeDocx, makePptx, makeXlsx } from './office.ts';
import { buildBm25 } from '../retrieval/bm25.ts';

const FOLDER = import.meta.dirname;

/** A file as the pipeline extracts it. */
export interface EverydayFile extends SourceDocument {
  name: string;
  language: string;
  chunks: Chunk[];
}

/** A question with the text that a right answer contains. The file '-' means that no file answers it. */
export interface EverydayQuestion {
  question: string;
  file: string;
  answers: string[];
  /** The location of the answer, such as 'row:3', 'slide:2' or 'line:17'. Empty if it is not checked. */
  place: string;
}

export interface Asked {
  /** Best first. */
  sections: Section[];
  /** The names of the files found, best first. */
  found: string[];
}

export interface EverydayLibrary {
  files: readonly EverydayFile[];
  /** Chunks. */
  size: number;
  passages: readonly Passage[];
  languages: readonly string[];
  find(question: string): { question: Question; passages: Passage[] };
  ask(question: string): Asked;
}

function bytesOf(entry: string): { name: string; bytes: Uint8Array } {
  const bytes = new Uint8Array(readFileSync(join(FOLDER, 'fixtures', entry)));
  const office = /^(.+\.(docx|pptx|xlsx))\.json$/.exec(entry);
  if (office === null) return { name: entry, bytes };
  const source = JSON.parse(new TextDecoder().decode(bytes)) as {
    sheets: Parameters<typeof makeXlsx>[0];
    paragraphs: string[];
    slides: string[][];
  };
  const [, name = entry, type] = office;
  if (type === 'xlsx') return { name, bytes: makeXlsx(source.sheets) };
  return type === 'docx'
    ? { name, bytes: makeDocx(source.paragraphs) }
    : { name, bytes: makePptx(source.slides) };
}

/** Extracts and chunks one file. */
export async function readFileInto(name: string, bytes: Uint8Array): Promise<EverydayFile> {
  const type = await detectType(bytes, name);
  if (type === null) throw new Error(`${name} is of no type that is read.`);
  const { text, segments } = await extract({ bytes, fileName: name, type });
  const document = {
    text,
    segments: segments.map((segment) => ({ ...segment, location: { ...segment.location } })),
  };
  return { name, ...document, language: detectLanguage(text), chunks: chunk(document) };
}

export async function loadFiles(): Promise<EverydayFile[]> {
  const entries = readdirSync(join(FOLDER, 'fixtures')).sort();
  return Promise.all(
    entries.map((entry) => {
      const { name, bytes } = bytesOf(entry);
      return readFileInto(name, bytes);
    }),
  );
}

/** The questions of one half: 'tuned' was used to tune the ranking, 'held-out' was not. */
export function loadQuestions(half: 'tuned' | 'held-out'): EverydayQuestion[] {
  const [, ...lines] = readFileSync(join(FOLDER, `questions-${half}.tsv`), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => {
    const [question = '', file = '', answers = '', place = ''] = line.split('\t');
    return { question, file, answers: answers.split('|').filter((text) => text !== ''), place };
  });
}

/** The files as a library in memory, searched as the server searches its index. */
export function buildEverydayLibrary(files: readonly EverydayFile[]): EverydayLibrary {
  const passages: Passage[] = [];
  const rows: string[] = [];
  const counts = new Map<string, number>();
  files.forEach(({ name, language, chunks }, i) => {
    counts.set(language, (counts.get(language) ?? 0) + 1);
    for (const piece of chunks) {
      passages.push({ ...piece, artifactId: `${i}-${name}`, fileName: name, score: 0 });
      rows.push(indexTerms(piece, { fileName: name, keywords: [], language }));
    }
  });
  const languages = [...counts].sort((a, b) => b[1] - a[1]).map(([language]) => language);
  const index = buildBm25(rows);
  const find = (text: string): { question: Question; passages: Passage[] } => {
    const question = withRarity(analyzeQuestion(text, languages), index.frequencies);
    const found = index.search(question.query, 50).flatMap(({ position, score }) => {
      const passage = passages[position];
      return passage === undefined ? [] : [{ ...passage, score }];
    });
    return { question, passages: found };
  };
  return {
    files,
    size: passages.length,
    passages,
    languages,
    find,
    ask(text) {
      const { question, passages: found } = find(text);
      const ranked = rankPassages(question, found);
      return {
        sections: sectionsOf(question, ranked, { documents: new Map(), limit: 3 }),
        found: [...new Set(ranked.map(({ fileName }) => fileName))],
      };
    },
  };
}

/** The file that answers and two neighbors, or the three nearest if none answers. */
export function smallLibrary(all: EverydayLibrary, question: EverydayQuestion): EverydayLibrary {
  const { files } = all;
  const right = files.findIndex(({ name }) => name === question.file);
  if (right !== -1) {
    return buildEverydayLibrary(
      [0, 1, 2].flatMap((step) => files[(right + step) % files.length] ?? []),
    );
  }
  const near = new Set(all.ask(question.question).found.slice(0, 3));
  return buildEverydayLibrary(files.filter(({ name }) => near.has(name)));
}
