import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { RetryLaterError, toSyncError, SyncProblem } from '../sync-problem.ts';

/** The error of a database that has no space for another page. */
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
  throw new Error('The database was not full.');
}

test('a full disk is reported as an error that is retried later', () => {
  const syncError = toSyncError(fullDisk());
  expect(syncError).toBeInstanceOf(RetryLaterError);
  expect(syncError).toMatchObject({ message: expect.stringContaining('is full') as string });
});

test('consecutive failures increase the backoff up to five minutes, unless the server sets it', () => {
  const problem = new SyncProblem();
  const backoffs = Array.from({ length: 12 }, () => {
    problem.add(new RetryLaterError('Unavailable.'), 0);
    return problem.notBefore / 1000;
  });
  expect(backoffs.slice(0, 4)).toEqual([2, 4, 8, 16]);
  expect(backoffs.at(-1)).toBe(300);
  problem.add(new RetryLaterError('Unavailable.', 60), 0);
  expect(problem.notBefore).toBe(60_000);
  problem.recover();
  expect(problem).toMatchObject({ message: null, notBefore: 0 });
});
