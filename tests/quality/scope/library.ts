import { readFileSync } from 'node:fs';
import {
  analyzeQuestion,
  composeFileList,
  createNameIndex,
  indexTerms,
  rankByDates,
  rankPassages,
  sectionsOf,
  readQuestion,
} from '../../../packages/retrieval/src/index.ts';
import type {
  Answer,
  FileKind,
  Passage,
  Question,
  QuestionFiles,
  Section,
} from '../../../packages/retrieval/src/index.ts';
import { readFileInto } from '../everyday/library.ts';
import type { EverydayFile } from '../everyday/library.ts';
import { loadDataset } from '../retrieval/datasets.ts';
import { buildBm25 } from '../retrieval/bm25.ts';

const FOLDER = import.meta.dirname;

/** The time and time zone at which the questions are asked. */
export const NOW = new Date('2026-11-20T11:00:00Z');
export const TIME_ZONE = 'Europe/Berlin';

/** A small file with its upload time. */
interface ScopeFile extends EverydayFile {
  createdAt: Date;
  kind: FileKind | null;
}

export interface ScopeQuestion {
  kind: 'name' | 'date' | 'upload' | 'list' | 'everyday';
  language: string;
  question: string;
  /** The files with the answer. Empty if no file has it. */
  files: string[];
  /** The length of a list that is only counted. */
  count: number | null;
  answer: string;
}

const KIND_OF: Readonly<Record<string, FileKind>> = {
  pdf: 'pdf',
  jpg: 'picture',
  png: 'picture',
  xlsx: 'spreadsheet',
  csv: 'spreadsheet',
  pptx: 'presentation',
  mp3: 'recording',
};

/** The text of a file whose bytes are not part of the set. */
const READ_AS: Readonly<Record<string, string>> = {
  xlsx: 'csv',
  docx: 'txt',
  pptx: 'txt',
  pdf: 'txt',
  mp3: 'txt',
  log: 'txt',
};

/** Extracts the files. Files of other types than text are represented by their text. */
export async function loadScopeFiles(): Promise<ScopeFile[]> {
  const parts = readFileSync(`${FOLDER}/files.txt`, 'utf8').split(/^=== /mu).slice(1);
  return Promise.all(
    parts.map(async (part): Promise<ScopeFile> => {
      const [head = '', ...lines] = part.split('\n');
      const [name = '', at = ''] = head.split(' @ ');
      const text = `${lines.join('\n').trim()}\n`;
      const extension = name.split('.').at(-1) ?? '';
      const readAs = READ_AS[extension] ?? extension;
      const common = { name, createdAt: new Date(at), kind: KIND_OF[extension] ?? null };
      if (text.trim() === '')
        return { ...common, text: '', language: 'en', segments: [], chunks: [] };
      const file = await readFileInto(`file.${readAs}`, new TextEncoder().encode(text));
      return { ...file, ...common };
    }),
  );
}

/** Articles on other subjects, uploaded before all other files, that enlarge a small library. */
export function loadOtherFiles(count: number): Promise<ScopeFile[]> {
  const encoder = new TextEncoder();
  return Promise.all(
    loadDataset('squad')
      .documents.slice(0, count)
      .map(async ({ title, text }): Promise<ScopeFile> => {
        const file = await readFileInto(`${title}.txt`, encoder.encode(text));
        return { ...file, createdAt: new Date('2025-01-01T12:00:00Z'), kind: null };
      }),
  );
}

export function loadScopeQuestions(half: 'development' | 'held-out'): ScopeQuestion[] {
  const lines = readFileSync(`${FOLDER}/questions-${half}.tsv`, 'utf8').trim().split('\n').slice(1);
  return lines.map((line): ScopeQuestion => {
    const [kind = '', language = '', question = '', files = '', answer = ''] = line.split('\t');
    const counted = files.startsWith('*');
    const named = counted || files === '-' || files === 'none' ? [] : files.split('|');
    return {
      kind: kind as ScopeQuestion['kind'],
      language,
      question,
      files: named,
      count: counted ? Number(files.slice(1)) : null,
      answer,
    };
  });
}

interface ScopeAnswer {
  /** The answer to a question for files. */
  list: Answer | null;
  /** Best first. */
  sections: Section[];
  /** The names of the files found, best first. */
  found: string[];
}

export interface ScopeLibrary {
  files: readonly ScopeFile[];
  /** Asks as the server does. Without scope, mentions of files are ignored. */
  ask(question: string, scoped: boolean): ScopeAnswer;
}

export function buildScopeLibrary(files: readonly ScopeFile[]): ScopeLibrary {
  const rows = files.flatMap((file) =>
    file.chunks.map((piece) => ({
      terms: indexTerms(piece, { fileName: file.name, keywords: [], language: file.language }),
      passage: { ...piece, artifactId: file.name, fileName: file.name, score: 0 } as Passage,
    })),
  );
  const index = buildBm25(rows.map(({ terms }) => terms));
  const languages = [...new Set(files.map(({ language }) => language))];
  const names = createNameIndex(files.map(({ name }) => ({ id: name, fileName: name })));

  function list({ files: wanted }: Question): ScopeAnswer {
    const chosen = files
      .filter((file) => isWithin(file, wanted))
      .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
    const { answer } = composeFileList(
      chosen.map(({ name, createdAt, text }) => ({
        artifactId: name,
        fileName: name,
        path: null,
        createdAt,
        beginning: text.trim() === '' ? null : { text, start: 0, location: { line: 1 } },
      })),
      { total: chosen.length, timed: wanted.uploaded.length > 0, timeZone: TIME_ZONE },
    );
    return { list: answer, sections: [], found: chosen.map(({ name }) => name) };
  }

  /** The rows for a question's terms and, with less weight, for its hints. */
  function search({ query, hints }: Question): [number, number][] {
    const scores = new Map<number, number>();
    for (const { term, weight } of [{ term: query, weight: 1 }, ...hints]) {
      for (const { position, score } of index.search(term, rows.length)) {
        scores.set(position, (scores.get(position) ?? 0) + weight * score);
      }
    }
    return [...scores].sort(([, a], [, b]) => b - a);
  }

  return {
    files,
    ask(text, scoped) {
      const options = { now: NOW, timeZone: TIME_ZONE, languages, names };
      const question = scoped ? readQuestion(text, options) : analyzeQuestion(text, languages);
      if (question.files.list !== null) return list(question);
      const { named } = question.files;
      const only = new Set(
        files
          .filter((file) => isWithin(file, question.files))
          .filter(({ name }) => named.length === 0 || named.includes(name))
          .map(({ name }) => name),
      );
      const allowed = (of: ReadonlySet<string>) =>
        search(question).flatMap(([position, score]) => {
          const passage = rows[position]?.passage;
          return passage && of.has(passage.artifactId) ? [{ ...passage, score }] : [];
        });
      const candidates = rows.flatMap(({ passage }) =>
        only.has(passage.artifactId) ? passage : [],
      );
      const inOnly = allowed(only);
      const hits = inOnly.length > 0 || only.size === files.length ? inOnly : candidates;
      const ranked = rankByDates(question, rankPassages(question, hits.slice(0, 50)));
      return {
        list: null,
        sections: sectionsOf(question, ranked, { documents: new Map(), limit: 3 }),
        found: [...new Set(ranked.map(({ fileName }) => fileName))],
      };
    },
  };
}

function isWithin({ createdAt, kind }: ScopeFile, { uploaded, kinds }: QuestionFiles): boolean {
  const isThen = uploaded.some(({ from, to }) => createdAt >= from && createdAt < to);
  if (uploaded.length > 0 && !isThen) return false;
  return kinds.length === 0 || (kind !== null && kinds.includes(kind));
}
