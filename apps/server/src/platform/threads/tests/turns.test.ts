import { expect, test } from 'vitest';
import { createTurns } from '../turns.ts';

/** Tasks that end when the test says so. */
function tasks() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    task: (name: string) => () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    },
    end: (name: string) => ends.get(name)?.(),
  };
}

const full = () => new Error('full');

test('no group has more than its share, and others pass it by', async () => {
  const turns = createTurns({ atOnce: 3, atOnceOfGroup: 1, waiting: 10, waitingOfGroup: 2, full });
  const { begun, task, end } = tasks();
  const run = (name: string) => turns.run(name.slice(0, 1), null, task(name));
  const all = ['a1', 'a2', 'a3', 'b1'].map(run);
  await expect(run('a4')).rejects.toThrow('full');
  expect(begun).toEqual(['a1', 'b1']);
  end('a1');
  await all[0];
  await expect.poll(() => begun).toEqual(['a1', 'b1', 'a2']);
  for (const name of ['a2', 'b1']) end(name);
  await expect.poll(() => begun).toContain('a3');
  end('a3');
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1']);
});
