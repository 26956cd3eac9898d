import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderOf, LIBRARIES } from '../own-libraries/measure.ts';
import { FOLDERS, loadQuestions } from '../private-library/questions.ts';
import { ALTERATIONS, type Measured, measureVerifier, type Tally } from './measure.ts';

function report(name: string, { right, altered, passed, stopped }: Measured): Tally {
  const tallies = ALTERATIONS.map((each) => altered[each]);
  const sum = (key: 'all' | 'shown') => tallies.reduce((total, tally) => total + tally[key], 0);
  const all = { all: sum('all'), shown: sum('shown') };
  const rows: [string, Tally][] = [
    ['right', right],
    ...ALTERATIONS.map((each): [string, Tally] => [each, altered[each]]),
    ['altered in all', all],
  ];
  const lines = [
    name,
    ...rows.map(([label, tally]) => `  ${label}: ${tally.shown} of ${tally.all} shown`),
    ...passed.map(({ alteration, text }) => `  ${alteration} < ${text}`),
    ...stopped.map((text) => `  stopped < ${text}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return all;
}

// Ceilings and a floor: they may only become stricter.
describe('a sentence of the files', () => {
  test.each(LIBRARIES)('of the %s is shown, and not with one thing changed', async (name) => {
    const folder = folderOf(name);
    const measured = await measureVerifier([join(folder, 'files')], loadQuestions(folder));
    const altered = report(name, measured);
    expect(measured.right.shown / measured.right.all).toBeGreaterThanOrEqual(0.96);
    expect(altered.shown / altered.all).toBeLessThanOrEqual(0.035);
  });

  test.skipIf(FOLDERS.length === 0)(
    'of a library that nothing was fitted on is shown, and not with one thing changed',
    { timeout: 600_000 },
    async () => {
      const measured = await measureVerifier(FOLDERS, loadQuestions());
      const altered = report('private library', measured);
      expect(measured.right.shown / measured.right.all).toBeGreaterThanOrEqual(0.98);
      expect(altered.shown / altered.all).toBeLessThanOrEqual(0.03);
    },
  );
});
