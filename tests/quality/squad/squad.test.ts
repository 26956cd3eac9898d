import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '../../../apps/server/src/tests/app.test-setup.ts';
import { hasDataset } from '../retrieval/datasets.ts';
import { measureSquad, measureUnanswerable } from './end-to-end.ts';

const found = hasDataset('squad');
if (!found)
  process.stdout.write('The evaluation data is not there, so its questions are not asked.\n');

// Floors: they may only rise.
describe.skipIf(!found)('questions with known answers, end to end', () => {
  let engram: TestApp;

  beforeAll(async () => {
    engram = await buildTestApp({ env: { ENGRAM_LIMITS: 'off' } });
  });
  afterAll(() => engram.close());

  test('the right file is cited, and the answer stands at the start', async () => {
    const figures = await measureSquad(engram);
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    expect(figures.citedFirst).toBeGreaterThanOrEqual(0.78);
    expect(figures.withinFive).toBeGreaterThanOrEqual(0.94);
    expect(figures.answered).toBeGreaterThanOrEqual(0.775);
    expect(figures.refused).toBeLessThanOrEqual(0.07);
    // A procedure is shown whole.
    expect(figures.longestAnswer).toBeLessThanOrEqual(300);
    expect(figures.longestSentence).toBeLessThanOrEqual(520);
  });

  test('what the files do not say is mostly not answered', async () => {
    const refused = await measureUnanswerable(engram);
    process.stdout.write(`unanswerable questions refused: ${refused}\n`);
    expect(refused).toBeGreaterThanOrEqual(0.85);
  });
});
