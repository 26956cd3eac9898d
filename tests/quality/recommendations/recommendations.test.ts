import { afterAll, describe, expect, test } from 'vitest';
import { loadFiles, readFileInto } from '../everyday/library.ts';
import type { EverydayFile } from '../everyday/library.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SET } from '../private-library/questions.ts';
import { readFolders, type ReadFile } from '../private-library/read.ts';
import { FOREIGN_FILES } from './files.ts';
import { measureRecommendations, type RecommendationFigures } from './measure.ts';
import { hasDataset, loadDataset } from '../retrieval/datasets.ts';

const FILES_PER_LIBRARY = 8;
const PARAGRAPHS_PER_LIBRARY = 25;
/** Paragraphs from the same source: a library has one or two subjects. */
const SQUAD_LIBRARIES = 16;

/** Personal documents, twenty per library. */
const PERSONAL = join(SET, 'personal');
const PERSONAL_LIBRARIES = 10;

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const libraries: Record<string, () => Promise<ReadFile[][]>> = {
  async everyday() {
    const files = await loadFiles();
    return Array.from({ length: Math.floor(files.length / FILES_PER_LIBRARY) }, (_, at) =>
      // Every eighth file, so that each library holds files of many kinds.
      files.filter((_file, i) => i % 5 === at % 5).slice(0, FILES_PER_LIBRARY),
    );
  },
  async squad() {
    const { documents } = loadDataset('squad');
    const starts = Array.from({ length: SQUAD_LIBRARIES }, (_, at) => at * PARAGRAPHS_PER_LIBRARY);
    return Promise.all(
      starts.map(async (start) => {
        const paragraphs = documents.slice(start, start + PARAGRAPHS_PER_LIBRARY);
        const files = paragraphs.map(({ id, text }) => readFileInto(`${id}.txt`, bytes(text)));
        return Promise.all(files);
      }),
    );
  },
  async personal() {
    const { files } = await readFolders([PERSONAL]);
    return Array.from({ length: PERSONAL_LIBRARIES }, (_, at) =>
      files.filter((_file, i) => i % PERSONAL_LIBRARIES === at).slice(0, 20),
    );
  },
  async foreign() {
    return Promise.all(
      Object.values(FOREIGN_FILES).map(async (files) => {
        const read: Promise<EverydayFile>[] = files.map(([name, text]) =>
          readFileInto(name, bytes(text)),
        );
        return Promise.all(read);
      }),
    );
  },
};

/**
 * Minimum number of libraries with six questions, of questions in all, and of questions of one
 * library. Paragraphs and files of a few lines have no headings and few labels.
 */
const FLOORS: Record<string, { full: number; questions: number; fewest: number }> = {
  everyday: { full: 5, questions: 30, fewest: 6 },
  squad: { full: 5, questions: 75, fewest: 3 },
  personal: { full: 9, questions: 58, fewest: 5 },
  foreign: { full: 0, questions: 11, fewest: 1 },
};

describe('recommended questions', () => {
  const table: Record<string, RecommendationFigures> = {};
  afterAll(() => console.table(table));

  const present = Object.entries(libraries).filter(
    ([name]) =>
      (name !== 'squad' || hasDataset(name)) && (name !== 'personal' || existsSync(PERSONAL)),
  );

  test.each(present)('questions of %s libraries reach the quality floors', async (name, load) => {
    const recommended: string[] = [];
    const figures = await measureRecommendations(await load(), (question) =>
      recommended.push(question),
    );
    table[name] = figures;
    if (process.env['ENGRAM_QUALITY_VERBOSE'] === 'true') console.log(recommended.join('\n'));
    expect(figures.answered).toBe(figures.questions);
    expect(figures.echoes).toBe(0);
    expect(figures.alike).toBeLessThanOrEqual(1 / 3);
    expect(figures.full).toBeGreaterThanOrEqual(FLOORS[name]?.full ?? 0);
    expect(figures.questions).toBeGreaterThanOrEqual(FLOORS[name]?.questions ?? 0);
    expect(figures.fewest).toBeGreaterThanOrEqual(FLOORS[name]?.fewest ?? 0);
  });
});
