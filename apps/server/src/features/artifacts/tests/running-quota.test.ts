import { expect, test } from 'vitest';
import { createRunningQuota } from '../upload-intake.ts';

const MEGABYTE = 1_048_576;

/** A plan with a storage limit in megabytes. */
const planOf = (megabytes: number) =>
  createRunningQuota(async (_, bytes) => {
    if (bytes > megabytes * MEGABYTE) throw new Error('full');
  });

test('all running uploads of a user count together, within a few megabytes', async () => {
  const quota = planOf(20);
  quota.begin('ann', 'a');
  quota.begin('ann', 'b');
  quota.begin('bob', 'c');
  let accepted = 0;
  const fill = async () => {
    for (; accepted < 100; accepted += 1) await quota.count(accepted % 2 ? 'a' : 'b', MEGABYTE);
  };
  await expect(fill()).rejects.toThrow('full');
  expect(accepted).toBeLessThanOrEqual(24);
  await expect(quota.count('c', 19 * MEGABYTE)).resolves.toBeUndefined();
});

test('small files that are rejected one after another do not add up', async () => {
  const quota = planOf(20);
  let stored = 0;
  for (let file = 0; file < 100; file += 1) {
    const id = String(file);
    quota.begin('ann', id);
    await quota.count(id, MEGABYTE).then(
      () => (stored += 1),
      () => quota.end(id),
    );
  }
  expect(stored).toBeLessThanOrEqual(24);
});

test('a file that is stored or cancelled no longer counts', async () => {
  const quota = planOf(20);
  for (let file = 0; file < 10; file += 1) {
    const id = String(file);
    quota.begin('ann', id);
    await quota.count(id, 15 * MEGABYTE);
    quota.end(id);
    quota.end(id);
  }
  quota.begin('ann', 'last');
  await expect(quota.count('last', 20 * MEGABYTE)).resolves.toBeUndefined();
});
