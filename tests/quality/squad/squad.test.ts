import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '../../../apps/server/src/tests/app.test-setup.ts';
import { hasDataset } from '../retrieval/datasets.ts';
import { measureSquad, measureUnanswerable } from './end-to-end.ts';

/** `npm run quality -- squad` asks all 2,942 questions. */
const EVERY = 8;

const found = hasDataset('squad');
if (!found)
  process.stdout.write('The evaluation data is not there, so its questions are not asked.\n');

// Floors may only rise.
describe.skipIf(!found)('questions with known answers, end to end', () => {
  let engram: TestApp;

  beforeAll(async () => {
    engram = await buildTestApp({ env: { ENGRAM_LIMITS: 'off' } });
  });
  afterAll(() => engram.close());

  test('the first sections contain the answer', async () => {
    const figures = await measureSquad(engram, EVERY);
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    expect(figures.first).toBeGreaterThanOrEqual(0.78);
    expect(figures.withinFive).toBeGreaterThanOrEqual(0.94);
    expect(figures.answered).toBeGreaterThanOrEqual(0.78);
    expect(figures.answeredInThree).toBeGreaterThanOrEqual(0.9);
    expect(figures.flagged).toBeLessThanOrEqual(0.1);
  });

  test('some of the questions that the files do not answer are flagged', async () => {
    const flagged = await measureUnanswerable(engram);
    process.stdout.write(`unanswerable questions flagged: ${flagged}\n`);
    expect(flagged).toBeGreaterThanOrEqual(0.2);
  });
});
