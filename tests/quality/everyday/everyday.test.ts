import { beforeAll, describe, expect, test } from 'vitest';
import { buildEverydayLibrary, loadFiles, loadQuestions, smallLibrary } from './library.ts';
import type { EverydayLibrary } from './library.ts';
import { measure } from './metrics.ts';

// Floors may only rise.
const FLOORS = {
  tuned: { first: 0.93, three: 0.99, file: 0.95, place: 0.68, flagged: 0.05, unanswerable: 0.6 },
  'held-out': {
    first: 0.98,
    three: 0.99,
    file: 0.99,
    place: 0.72,
    flagged: 0.02,
    unanswerable: 0.5,
  },
} as const;

describe.each(['tuned', 'held-out'] as const)('everyday files, %s half', (half) => {
  let library: EverydayLibrary;
  const questions = loadQuestions(half);
  const floor = FLOORS[half];

  beforeAll(async () => {
    library = buildEverydayLibrary(await loadFiles());
  });

  test('every question names a file of the library', () => {
    const names = new Set(['-', ...library.files.map(({ name }) => name)]);
    for (const { file } of questions) expect(names).toContain(file);
  });

  test('the first sections contain the answer, at its location', () => {
    const figures = measure(questions, () => library);
    process.stdout.write(`${half} ${JSON.stringify(figures)}\n`);
    expect(figures.first).toBeGreaterThanOrEqual(floor.first);
    expect(figures.three).toBeGreaterThanOrEqual(floor.three);
    expect(figures.file).toBeGreaterThanOrEqual(floor.file);
    expect(figures.place).toBeGreaterThanOrEqual(floor.place);
    expect(figures.flagged).toBeLessThanOrEqual(floor.flagged);
    expect(figures.flaggedUnanswerable).toBeGreaterThanOrEqual(floor.unanswerable);
  });

  test('three files are enough to find the answer', () => {
    const answerable = questions.filter(({ file }) => file !== '-');
    const figures = measure(answerable, (question) => smallLibrary(library, question));
    expect(figures.first).toBeGreaterThanOrEqual(0.92);
    expect(figures.flagged).toBeLessThanOrEqual(0.05);
  });
});
