import { expect, test } from 'vitest';
import { createQuestionLimiter } from '../analysis/analysis-threads.ts';

/** Asks questions that end on demand, and records which have started. */
function createQuestions() {
  const limit = createQuestionLimiter(1);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (user: string, name: string) =>
    limit(user, () => {
      started.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(name, resolve);
      return promise;
    });
  return { ask, started, end: (name: string) => ends.get(name)?.() };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('further concurrent questions of users share one queue, which serves users round robin', async () => {
  const { ask, started, end } = createQuestions();
  const flood = ['a1', 'a2', 'a3', 'b1', 'b2', 'b3'].map((name) => ask(name.charAt(0), name));
  await settled();
  expect(started).toEqual(['a1', 'a2', 'b1']);

  const calm = ask('c', 'c1');
  await settled();
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1']);

  for (const name of ['a2', 'a3', 'b2', 'b3']) {
    await expect.poll(() => started).toContain(name);
    end(name);
  }
  for (const name of ['a1', 'b1', 'c1']) end(name);
  await Promise.all([...flood, calm]);
});

test('a user whose questions are all answered is served immediately again', async () => {
  const { ask, started, end } = createQuestions();
  const first = [ask('a', 'a1'), ask('a', 'a2'), ask('b', 'b1'), ask('b', 'b2')];
  await settled();
  for (const name of ['b1', 'a2', 'b2']) {
    end(name);
    await settled();
  }
  const next = [ask('b', 'b3'), ask('a', 'a3')];
  await settled();
  expect(started).toEqual(['a1', 'a2', 'b1', 'b2', 'b3', 'a3']);
  for (const name of ['a1', 'b3', 'a3']) end(name);
  await Promise.all([...first, ...next]);
});
