import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { folderOf, LIBRARIES } from '../own-libraries/measure.ts';
import { FOLDERS, loadQuestions } from '../private-library/questions.ts';
import {
  ALTERATIONS,
  askAll,
  type Asked,
  type Measured,
  measureVerifier,
  shownOf,
  type Tally,
} from './measure.ts';
import { NONSENSE, PARAPHRASES } from './paraphrases.ts';

function report(name: string, { right, altered, passed, stopped }: Measured): Tally {
  const tallies = ALTERATIONS.map((each) => altered[each]);
  const sum = (key: 'all' | 'shown') => tallies.reduce((total, tally) => total + tally[key], 0);
  const totals = { all: sum('all'), shown: sum('shown') };
  const rows: [string, Tally][] = [
    ['right', right],
    ...ALTERATIONS.map((each): [string, Tally] => [each, altered[each]]),
    ['altered in all', totals],
  ];
  const lines = [
    name,
    ...rows.map(([label, tally]) => `  ${label}: ${tally.shown} of ${tally.all} shown`),
    ...passed.map(({ alteration, text }) => `  ${alteration} < ${text}`),
    ...stopped.map((text) => `  stopped < ${text}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return totals;
}

// Floors may only rise, and ceilings may only fall.
describe.each(LIBRARIES)('verification with the %s', (name) => {
  let questions: Asked[] = [];
  beforeAll(async () => {
    const folder = folderOf(name);
    questions = await askAll([join(folder, 'files')], loadQuestions(folder));
  });

  test('a sentence of the files is shown, and an altered one is not', () => {
    const measured = measureVerifier(questions);
    const altered = report(name, measured);
    expect(measured.right.shown / measured.right.all).toBeGreaterThanOrEqual(0.96);
    expect(altered.shown / altered.all).toBeLessThanOrEqual(0.03);
  });

  test('most paraphrases of the files are shown', () => {
    const { shown, stopped } = shownOf(questions, PARAPHRASES[name]);
    const nonsense = shownOf(questions, NONSENSE[name]);
    const lines = [
      `${name}: ${shown.length} paraphrases shown, ${stopped.length} stopped`,
      ...stopped.map((text) => `  stopped < ${text}`),
      `  nonsense with right values: ${nonsense.shown.length} shown, ${nonsense.stopped.length} stopped`,
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
    expect(shown.length / PARAPHRASES[name].length).toBeGreaterThanOrEqual(0.88);
  });
});

test.skipIf(FOLDERS.length === 0)(
  'a sentence of a library that the code was not tuned for is shown, and an altered one is not',
  { timeout: 600_000 },
  async () => {
    const measured = measureVerifier(await askAll(FOLDERS, loadQuestions()));
    const altered = report('private library', measured);
    expect(measured.right.shown / measured.right.all).toBeGreaterThanOrEqual(0.98);
    expect(altered.shown / altered.all).toBeLessThanOrEqual(0.03);
  },
);
