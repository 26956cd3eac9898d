import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { Later, toSyncError, SyncProblem } from '../sync-problem.ts';

/** What is thrown where a database finds no room for another page. */
function fullDisk(): unknown {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE t (a BLOB); PRAGMA max_page_count = 2');
  try {
    database.exec('INSERT INTO t VALUES (zeroblob(100000))');
  } catch (error) {
    return error;
  } finally {
    database.close();
  }
  throw new Error('There was room.');
}

test('a full disk is reported in a sentence, and the sync waits', () => {
  const meaning = toSyncError(fullDisk());
  expect(meaning).toBeInstanceOf(Later);
  expect(meaning).toMatchObject({ message: expect.stringContaining('is full') as string });
});

test('each failure in a row is waited for longer, five minutes at most, or as long as was said', () => {
  const problem = new SyncProblem();
  const waits = Array.from({ length: 12 }, () => {
    problem.add(new Later('Not now.'), 0);
    return problem.notBefore / 1000;
  });
  expect(waits.slice(0, 4)).toEqual([2, 4, 8, 16]);
  expect(waits.at(-1)).toBe(300);
  problem.add(new Later('Not now.', 60), 0);
  expect(problem.notBefore).toBe(60_000);
  problem.recover();
  expect(problem).toMatchObject({ message: null, notBefore: 0 });
});
