import { beforeEach, expect, test } from 'vitest';
import { createLog } from '../../log.ts';
import { createObserver } from '../observer.ts';

const lines: Record<string, unknown>[] = [];
const log = createLog('info', {
  write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
});
const JOB = { id: 'f3b1', queue: 'read-artifact', attempt: 1 };

beforeEach(() => void lines.splice(0));

test('each line that is logged during a job names the job', async () => {
  const observer = createObserver();
  await Promise.all([
    observer.job(JOB, async () => {
      await Promise.resolve();
      log.warn('a page has no text');
      return 'done';
    }),
    observer.job({ ...JOB, id: 'c0de', queue: 'send-mail' }, async () => {
      log.warn('the mail waits');
      return 'failed';
    }),
  ]);
  log.warn('nobody asked for this');
  expect(lines.map(({ msg, jobId, queue }) => ({ msg, jobId, queue }))).toEqual([
    { msg: 'the mail waits', jobId: 'c0de', queue: 'send-mail' },
    { msg: 'a page has no text', jobId: 'f3b1', queue: 'read-artifact' },
    { msg: 'nobody asked for this', jobId: undefined, queue: undefined },
  ]);
});

test('work that a job started and did not wait for is not logged under its name', async () => {
  const finished = Promise.withResolvers<void>();
  let afterwards: Promise<void> | undefined;
  await createObserver().job(JOB, async () => {
    afterwards = finished.promise.then(() => log.warn('served others'));
    return 'done';
  });
  finished.resolve();
  await afterwards;
  expect(lines).toEqual([expect.not.objectContaining({ jobId: 'f3b1' })]);
});
