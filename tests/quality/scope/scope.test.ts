import { beforeAll, describe, expect, test } from 'vitest';
import { buildScopeLibrary, loadScopeFiles, loadScopeQuestions } from './library.ts';
import type { ScopeLibrary } from './library.ts';
import { measureScope } from './metrics.ts';

// Floors may only rise.
const FLOORS = {
  development: { first: 0.97, three: 0.98, answered: 0.9 },
  'held-out': { first: 0.93, three: 0.97, answered: 0.91 },
} as const;

describe.each(['development', 'held-out'] as const)('questions that name files, %s', (half) => {
  let library: ScopeLibrary;
  const questions = loadScopeQuestions(half);

  beforeAll(async () => {
    library = buildScopeLibrary(await loadScopeFiles());
  });

  test('every question names files of the library', () => {
    const names = new Set(library.files.map(({ name }) => name));
    for (const name of questions.flatMap(({ files }) => files)) expect(names).toContain(name);
  });

  test('the named files are first, and contain the answer', () => {
    const figures = measureScope(library, questions, true);
    const floor = FLOORS[half];
    expect(figures.first).toBeGreaterThanOrEqual(floor.first);
    expect(figures.three).toBeGreaterThanOrEqual(floor.three);
    expect(figures.answered).toBeGreaterThanOrEqual(floor.answered);
  });

  test('file lists contain exactly the requested files', () => {
    const lists = questions.filter(({ kind }) => kind === 'list');
    expect(measureScope(library, lists, true).first).toBe(1);
  });
});
