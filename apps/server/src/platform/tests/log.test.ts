import { DrizzleQueryError } from 'drizzle-orm/errors';
import { expect, test } from 'vitest';
import { createLog } from '../log.ts';

test('the log shows a failed statement without its values', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const cause = Object.assign(new Error('value too long'), { detail: 'my secret question' });
  const failed = new DrizzleQueryError('insert into t values ($1)', ['my secret question'], cause);
  log.error({ err: failed }, 'a job failed');
  log.child({ job: 1 }).warn({ err: new Error('not kept', { cause: failed }) }, 'a job waits');
  log.warn({ err: null }, 'nothing was thrown');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toContain('value too long (in: insert into t values ($1))');
  expect(lines.join('')).not.toContain('secret');
});
