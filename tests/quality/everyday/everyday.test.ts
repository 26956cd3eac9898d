import { beforeAll, describe, expect, test } from 'vitest';
import { buildEverydayLibrary, loadFiles, loadQuestions, smallLibrary } from './library.ts';
import type { EverydayLibrary } from './library.ts';
import { measure } from './metrics.ts';

// Floors: they may only rise.
const FLOORS = {
  tuned: { answered: 0.92, file: 0.96, place: 0.9, refused: 0.04, refusedUnanswerable: 0.7 },
  'held-out': { answered: 0.97, file: 0.99, place: 0.99, refused: 0.01, refusedUnanswerable: 0.52 },
} as const;

describe.each(['tuned', 'held-out'] as const)('everyday files, %s half', (half) => {
  let all: EverydayLibrary;
  const questions = loadQuestions(half);
  const floor = FLOORS[half];

  beforeAll(async () => {
    all = buildEverydayLibrary(await loadFiles());
  });

  test('every question names a file of the library', () => {
    const names = new Set(['-', ...all.files.map(({ name }) => name)]);
    for (const { file } of questions) expect(names).toContain(file);
  });

  test('answers stand at the start, with their file and place', () => {
    const figures = measure(questions, () => all);
    expect(figures.answered).toBeGreaterThanOrEqual(floor.answered);
    expect(figures.file).toBeGreaterThanOrEqual(floor.file);
    expect(figures.place).toBeGreaterThanOrEqual(floor.place);
    expect(figures.refused).toBeLessThanOrEqual(floor.refused);
    expect(figures.refusedUnanswerable).toBeGreaterThanOrEqual(floor.refusedUnanswerable);
  });

  test('three files are enough to answer from', () => {
    const answerable = questions.filter(({ file }) => file !== '-');
    const figures = measure(answerable, (question) => smallLibrary(all, question));
    expect(figures.answered).toBeGreaterThanOrEqual(0.92);
    expect(figures.refused).toBeLessThanOrEqual(0.04);
  });
});
