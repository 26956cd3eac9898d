import { expect, test } from 'vitest';
import { describeDatabases } from '../../database/tests/database-suite.test-setup.ts';
import { log, retryNow, settings, useJobs } from './jobs.test-setup.ts';
import { createJobs, PermanentError } from '../jobs.ts';

describeDatabases('jobs', (createStore, kind) => {
  const fixture = useJobs(createStore);

  test('jobs run once each, with their data, and leave no rows', async () => {
    fixture.jobs.define(fixture.queue, { ...settings, handler: fixture.note });
    await fixture.jobs.enqueue(fixture.queue, { name: 'before the start' });
    await fixture.jobs.start();
    await fixture.jobs.enqueue(fixture.queue, { name: 'after the start' });
    await fixture.jobs.onIdle();
    expect(fixture.ran.toSorted()).toEqual(['after the start', 'before the start']);
    const { rows } = await fixture.database.pool.query('select * from jobs');
    expect(rows).toEqual([]);
  });

  test('a job is enqueued in the transaction of its caller', async () => {
    fixture.jobs.define(fixture.queue, { ...settings, handler: fixture.note });
    await fixture.jobs.start();
    await fixture.database.transaction(async (tx) => {
      await fixture.jobs.enqueue(fixture.queue, { name: 'committed' }, { tx, group: 'a' });
    });
    const undone = fixture.database.transaction(async (tx) => {
      await fixture.jobs.enqueue(fixture.queue, { name: 'rolled back' }, { tx, group: 'a' });
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    await fixture.jobs.onIdle();
    expect(fixture.ran).toEqual(['committed']);
  });

  test('failed jobs are retried until they succeed, and attempts are counted', async () => {
    const attempts: number[] = [];
    fixture.jobs.define(fixture.queue, {
      ...settings,
      retryDelaySeconds: 3600,
      handler: async (job) => {
        attempts.push(job.attempt);
        if (job.attempt < 3) throw new Error('not yet');
      },
    });
    await fixture.jobs.start();
    await fixture.jobs.enqueue(fixture.queue, {}, { key: 'k' });
    for (let tries = 1; tries < 3; tries++) {
      await expect.poll(() => attempts.length).toBe(tries);
      await expect.poll(() => retryNow(fixture, fixture.queue, 'k')).toBe(true);
    }
    await fixture.jobs.onIdle();
    expect(attempts).toEqual([1, 2, 3]);
    expect(await retryNow(fixture, fixture.queue, 'k')).toBe(false);
  });

  test('a job that fails permanently is reported once, with the last reason', async () => {
    const failures: [object, string][] = [];
    const onFailed = async (data: object, error: Error) => {
      failures.push([data, error.message]);
    };
    let tries = 0;
    fixture.jobs.define(fixture.queue, {
      ...settings,
      retryLimit: 0,
      onFailed,
      handler: async () => {
        throw new Error(`NUL \0 at try ${++tries}`);
      },
    });
    await fixture.jobs.start();
    await fixture.jobs.enqueue(fixture.queue, { name: 'doomed' });
    await fixture.jobs.onIdle();
    expect(failures).toEqual([[{ name: 'doomed' }, 'NUL  at try 1']]);
  });

  test('a job with a permanent error is not retried, and the error keeps its message', async () => {
    const errors: Error[] = [];
    let tries = 0;
    fixture.jobs.define(fixture.queue, {
      ...settings,
      retryLimit: 5,
      retryDelaySeconds: 3600,
      onFailed: async (_data, error) => {
        errors.push(error);
      },
      handler: async () => {
        tries++;
        throw Object.assign(new PermanentError('This PDF is password-protected.'), { code: 'PDF' });
      },
    });
    await fixture.jobs.start();
    await fixture.jobs.enqueue(fixture.queue, {});
    await fixture.jobs.onIdle();
    expect(tries).toBe(1);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toBeInstanceOf(PermanentError);
    expect(errors[0]).toMatchObject({ message: 'This PDF is password-protected.', code: 'PDF' });
  });

  test('a failure report that fails is repeated', async () => {
    let reports = 0;
    fixture.jobs.define(fixture.queue, {
      ...settings,
      retryLimit: 0,
      onFailed: async () => {
        if (++reports === 1) throw new Error('the database was away');
      },
      handler: async () => {
        throw new Error('doomed');
      },
    });
    await fixture.jobs.start();
    await fixture.jobs.enqueue(fixture.queue, {}, { key: 'k' });
    await expect.poll(() => reports).toBe(1);
    await expect.poll(() => retryNow(fixture, fixture.queue, 'k')).toBe(true);
    await fixture.jobs.onIdle();
    expect(reports).toBe(2);
  });

  test('a job whose result could not be stored runs again as soon as the database responds', async () => {
    const { pool } = fixture.database;
    const started: string[] = [];
    const originalQuery = pool.query.bind(pool);
    fixture.jobs.define<{ name: string }>(fixture.queue, {
      ...settings,
      async handler({ data, attempt }) {
        started.push(`${data.name} ${attempt}`);
        if (started.length > 2) return;
        pool.query = () => Promise.reject(new Error('The database is away.'));
        if (data.name === 'bad') throw new Error('This went wrong.');
      },
    });
    await fixture.jobs.enqueueAll(fixture.queue, [
      { data: { name: 'good' } },
      { data: { name: 'bad' } },
    ]);
    await fixture.jobs.start();
    await expect.poll(() => started.length).toBe(2);
    setTimeout(() => (pool.query = originalQuery), 100);
    await fixture.jobs.onIdle();
    expect(started.toSorted()).toEqual(['bad 1', 'bad 1', 'good 1', 'good 1']);
  });

  test('jobs with the same key wait once, with the newest data, and never run in parallel', async () => {
    const gate = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    let inside = 0;
    let maxRunning = 0;
    fixture.jobs.define<{ name: string }>(fixture.queue, {
      ...settings,
      handler: async (job) => {
        maxRunning = Math.max(maxRunning, ++inside);
        fixture.ran.push(job.data.name);
        entered.resolve();
        await gate.promise;
        inside--;
      },
    });
    await fixture.jobs.start();
    await fixture.jobs.enqueue(fixture.queue, { name: 'first' }, { key: 'k' });
    await entered.promise;
    await fixture.jobs.enqueue(
      fixture.queue,
      { name: 'second' },
      { key: 'k', startAfter: new Date(0) },
    );
    await fixture.jobs.enqueue(fixture.queue, { name: 'third' }, { key: 'k' });
    gate.resolve();
    await fixture.jobs.onIdle();
    expect(maxRunning).toBe(1);
    expect(fixture.ran[0]).toBe('first');
    expect(fixture.ran.at(-1)).toBe('third');
  });

  test('a waiting job takes the newer data of its key', async () => {
    fixture.jobs.define(fixture.queue, { ...settings, handler: fixture.note });
    await fixture.jobs.enqueue(fixture.queue, { name: 'old' }, { key: 'k' });
    await fixture.jobs.enqueue(fixture.queue, { name: 'new' }, { key: 'k' });
    await fixture.jobs.start();
    await fixture.jobs.onIdle();
    expect(fixture.ran).toEqual(['new']);
  });

  test('a delayed job becomes due immediately if its key is enqueued without a delay', async () => {
    const startAfter = new Date(Date.now() + 3_600_000);
    fixture.jobs.define(fixture.queue, { ...settings, handler: fixture.note });
    await fixture.jobs.enqueue(fixture.queue, { name: 'old' }, { key: 'k', startAfter });
    await fixture.jobs.enqueue(fixture.queue, { name: 'now' }, { key: 'k' });
    await fixture.jobs.enqueue(fixture.queue, { name: 'new' }, { key: 'k', startAfter });
    await fixture.jobs.start();
    await fixture.jobs.onIdle();
    expect(fixture.ran).toEqual(['new']);
  });

  test('jobs can be cancelled while they wait and while they run', async () => {
    const started = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    fixture.jobs.define<{ name: string }>(fixture.queue, {
      ...settings,
      handler: ({ signal }) => {
        started.resolve();
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted.resolve();
            reject(signal.reason);
          });
        });
      },
    });
    const later = new Date(Date.now() + 3_600_000);
    await fixture.jobs.enqueue(fixture.queue, { name: 'waiting' }, { key: 'w', startAfter: later });
    await fixture.jobs.start();
    await fixture.jobs.enqueue(fixture.queue, { name: 'running' }, { key: 'r' });
    await started.promise;
    await fixture.jobs.cancel(fixture.queue, 'w');
    await fixture.jobs.cancel(fixture.queue, 'r');
    await aborted.promise;
    await fixture.jobs.onIdle();
    expect(fixture.ran).toEqual([]);
  });

  test('jobs that take too long are aborted and fail, even if they ignore the signal', async () => {
    const reasons: string[] = [];
    fixture.jobs.define(fixture.queue, {
      ...settings,
      timeoutSeconds: 0.05,
      retryLimit: 0,
      onFailed: async (_data, error) => {
        reasons.push(error.message);
      },
      handler: () => new Promise<void>(() => {}),
    });
    await fixture.jobs.start();
    await fixture.jobs.enqueue(fixture.queue, {});
    await fixture.jobs.onIdle();
    expect(reasons).toEqual(['The job took longer than 0.05 s.']);
  });

  test('an expected permanent failure is logged in one line below the warning level', async () => {
    const lines: string[] = [];
    const note = (level: string) => (message: string) => void lines.push(`${level}: ${message}`);
    const listening = createJobs({
      database: fixture.database,
      log: { info: note('info'), warn: note('warn'), error: note('error') },
    });
    listening.define(fixture.queue, {
      ...settings,
      handler: () => Promise.reject(new PermanentError('This PDF is password-protected.')),
    });
    await listening.start();
    await listening.enqueue(fixture.queue, {});
    await listening.onIdle();
    await listening.stop();
    expect(lines).toEqual([
      `info: A job of the queue ${fixture.queue} failed permanently: This PDF is password-protected.`,
    ]);
  });

  test('a stop returns running and waiting jobs to the queue, and the attempt does not count', async () => {
    const started = Promise.withResolvers<void>();
    fixture.jobs.define(fixture.queue, {
      ...settings,
      handler: ({ signal }) => {
        started.resolve();
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      },
    });
    await fixture.jobs.start();
    for (let n = 0; n < 5; n++) await fixture.jobs.enqueue(fixture.queue, { name: `job ${n}` });
    await started.promise;
    await fixture.jobs.stop({ graceful: true, graceSeconds: 0.05 });

    fixture.jobs = createJobs({ database: fixture.database, log });
    const attempts: number[] = [];
    fixture.jobs.define<{ name: string }>(fixture.queue, {
      ...settings,
      handler: async (job) => {
        attempts.push(job.attempt);
        fixture.ran.push(job.data.name);
      },
    });
    await fixture.jobs.start();
    await fixture.jobs.onIdle();
    expect(fixture.ran.toSorted()).toEqual(['job 0', 'job 1', 'job 2', 'job 3', 'job 4']);
    expect(attempts).toEqual([1, 1, 1, 1, 1]);
  });

  test('a graceful stop waits for running jobs', async () => {
    const started = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    fixture.jobs.define(fixture.queue, {
      ...settings,
      handler: async () => {
        started.resolve();
        await gate.promise;
        fixture.ran.push('ended');
      },
    });
    await fixture.jobs.start();
    await fixture.jobs.enqueue(fixture.queue, {});
    await started.promise;
    const stopped = fixture.jobs.stop();
    gate.resolve();
    await stopped;
    expect(fixture.ran).toEqual(['ended']);
    const { rows } = await fixture.database.pool.query('select * from jobs');
    expect(rows).toEqual([]);
  });

  test.runIf(kind === 'server')('another process is notified of a job immediately', async () => {
    const other = createJobs({ database: fixture.database, log });
    const notified = Promise.withResolvers<void>();
    const definition = { ...settings, handler: async () => notified.resolve() };
    fixture.jobs.define(fixture.queue, definition);
    other.define(fixture.queue, definition);
    await other.start();
    await other.onIdle();
    await fixture.jobs.enqueue(fixture.queue, {});
    await expect(notified.promise).resolves.toBeUndefined();
    await other.stop();
  });

  test('the tables stay small, however many jobs are processed', async () => {
    fixture.jobs.define(fixture.queue, { ...settings, handler: async () => {} });
    await fixture.jobs.start();
    const sizes: number[] = [];
    for (let round = 0; round < 5; round++) {
      await fixture.database.transaction(async (tx) => {
        for (let n = 0; n < 300; n++)
          await fixture.jobs.enqueue(fixture.queue, { n }, { tx, group: 'a' });
      });
      await fixture.jobs.onIdle();
      await fixture.database.pool.query('vacuum jobs');
      const { rows } = await fixture.database.pool.query<{ bytes: number }>(
        "select pg_total_relation_size('jobs')::int as bytes",
      );
      sizes.push(rows[0]?.bytes ?? Infinity);
    }
    expect(sizes[4]).toBeLessThanOrEqual((sizes[0] ?? 0) * 2);
  });
});
