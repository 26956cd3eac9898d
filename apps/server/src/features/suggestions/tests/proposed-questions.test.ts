import { recommendedQuestions } from '@engram/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWithModel } from '../../../tests/model-app.test-setup.ts';

const FILES = {
  'lease.txt': 'The deposit of the flat in Mill Lane is 1,800 euros.',
  'alarm.txt': 'The code of the alarm in the boathouse is 4711.',
};
const ABOUT_DEPOSIT = 'How high is the deposit of the flat in Mill Lane?';

let setup: Awaited<ReturnType<typeof startWithModel>>;
beforeAll(async () => {
  setup = await startWithModel(FILES);
});
afterAll(() => setup.close());

const recommended = async (): Promise<string[]> =>
  (await setup.ann.client.call(recommendedQuestions, {})).data;

test('the questions of a model replace those of templates, if the files answer them', async () => {
  const numberOf = (prompt: string, file: string): string | undefined =>
    new RegExp(`n="(\\d+)"[^>]*file="${file}"`, 'u').exec(prompt)?.[1];
  setup.model.behave({
    kind: 'answer',
    pieces: ({ prompt }) => [
      `${ABOUT_DEPOSIT} [${numberOf(prompt, 'lease.txt')}]\n`,
      `What is the alarm code of the boathouse? [${numberOf(prompt, 'alarm.txt')}]\n`,
      `Who painted the orchard gate? [${numberOf(prompt, 'lease.txt')}]\n`,
    ],
  });
  const before = await recommended();
  expect(before).not.toContain(ABOUT_DEPOSIT);
  await expect.poll(recommended).toContain(ABOUT_DEPOSIT);
  const [first, ...others] = await recommended();
  expect(first).toBe(ABOUT_DEPOSIT);
  expect(others.join(' ')).not.toMatch(/alarm code|orchard gate/u);
  expect(setup.model.requests).toHaveLength(1);
});
