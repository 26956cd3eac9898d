import { afterEach, expect, test } from 'vitest';
import { describeDatabases } from '../../database/tests/database-suite.test-setup.ts';
import { log, settings, useJobs } from './jobs.test-setup.ts';
import { createJobs, type Job, type Jobs, type QueueDefinition } from '../jobs.ts';

interface Named {
  name: string;
}

/** Interruptions after which a job runs alone, and after which it fails. */
const QUARANTINE_AFTER = 3;
const FAIL_AFTER = 8;

describeDatabases('jobs that the end of their process interrupts', (createStore) => {
  const fixture = useJobs(createStore);
  const dead: Jobs[] = [];
  const failures: string[] = [];

  afterEach(async () => {
    for (const jobs of dead.splice(0)) await jobs.stop({ graceful: false });
    failures.length = 0;
  });

  /** Starts a process on the queue after the previous one stopped or was killed. */
  async function start(
    handler: QueueDefinition<Named>['handler'],
    {
      aloneSeconds = 60,
      ...definition
    }: Partial<QueueDefinition<Named>> & { aloneSeconds?: number } = {},
  ): Promise<void> {
    fixture.jobs = createJobs({
      database: fixture.database,
      log,
      quarantineTimes: { backoff: 0, drain: 30, isolation: aloneSeconds },
    });
    fixture.jobs.define<Named>(fixture.queue, {
      ...settings,
      onFailed: async ({ name }, error) => void failures.push(`${name}: ${error.message}`),
      handler,
      ...definition,
    });
    await fixture.jobs.start();
  }

  /** Makes the process count as killed: it sends no more heartbeats. */
  async function forgetProcess(): Promise<void> {
    dead.push(fixture.jobs);
    await fixture.database.pool.query('delete from job_workers');
  }

  /** Runs the queue until the maximum number of jobs is running, and abandons them as a kill does. */
  async function killWhileRunning(concurrency: number, times = 1): Promise<string[]> {
    const running: string[] = [];
    for (let time = 0; time < times; time += 1) {
      const full = Promise.withResolvers<void>();
      running.length = 0;
      await start(
        ({ data, signal }) => {
          if (running.push(data.name) === concurrency) full.resolve();
          return new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason));
          });
        },
        { concurrency },
      );
      await full.promise;
      await forgetProcess();
    }
    return running;
  }

  async function enqueue(...names: string[]): Promise<void> {
    fixture.jobs.define(fixture.queue, { ...settings, handler: fixture.note });
    for (const name of names) await fixture.jobs.enqueue(fixture.queue, { name }, { key: name });
    await fixture.jobs.stop();
  }

  test('interrupted jobs run again first, and the interruption does not count as an attempt', async () => {
    await enqueue('first', 'second', 'third');
    expect(await killWhileRunning(2, QUARANTINE_AFTER - 1)).toEqual(['first', 'second']);
    const attempts: number[] = [];
    await start(
      async (job) => {
        attempts.push(job.attempt);
        await fixture.note(job);
      },
      { concurrency: 1, retryDelaySeconds: 3600 },
    );
    await fixture.jobs.onIdle();
    expect(fixture.ran).toEqual(['first', 'second', 'third']);
    expect(attempts).toEqual([1, 1, 1]);
  });

  test('interruptions do not change how often a failing job is attempted', async () => {
    const attempts: number[] = [];
    const failing = async ({ attempt }: Job<Named>): Promise<void> => {
      attempts.push(attempt);
      throw new Error(`try ${attempt}`);
    };
    const makeDue = () => fixture.database.pool.query('update jobs set run_at = now()');
    await enqueue('bad');
    for (let tries = 1; tries <= settings.retryLimit; tries += 1) {
      await killWhileRunning(1, QUARANTINE_AFTER - 1);
      await start(failing);
      await expect.poll(() => attempts.length).toBe(tries);
      await fixture.jobs.stop();
      await makeDue();
    }
    expect(failures).toEqual([]);
    await start(failing);
    await fixture.jobs.onIdle();
    expect(attempts).toEqual([1, 2, 3]);
    expect(failures).toEqual(['bad: try 3']);
  });

  test('a job that was interrupted often runs alone, one after the other, while others continue', async () => {
    await enqueue('a', 'b', ...Array.from({ length: 20 }, (_, n) => `other ${n}`));
    expect(await killWhileRunning(2, QUARANTINE_AFTER)).toEqual(['a', 'b']);
    const inside = new Set<string>();
    const parallelJobs = new Map<string, number>();
    await start(
      async (job) => {
        const { name } = job.data;
        inside.add(name);
        await fixture.database.pool.query('select 1');
        for (const started of inside) {
          parallelJobs.set(started, Math.max(parallelJobs.get(started) ?? 0, inside.size));
        }
        await fixture.database.pool.query('select 1');
        inside.delete(name);
        await fixture.note(job);
      },
      { concurrency: 4 },
    );
    await fixture.jobs.onIdle();
    expect([parallelJobs.get('a'), parallelJobs.get('b')]).toEqual([1, 1]);
    expect(Math.max(...parallelJobs.values())).toBeGreaterThan(1);
    expect(fixture.ran).toHaveLength(22);
  });

  test('a job fails if it crashed the process each time that it ran alone', async () => {
    await enqueue('deadly', 'harmless');
    await killWhileRunning(1, QUARANTINE_AFTER);
    // The job runs alone now. The other job runs first only because it is due immediately.
    for (let crashes = QUARANTINE_AFTER; crashes < FAIL_AFTER; crashes += 1) {
      const alone = Promise.withResolvers<void>();
      await start(async (job) => {
        if (job.data.name !== 'deadly') return fixture.note(job);
        alone.resolve();
        return new Promise((_resolve, reject) => {
          job.signal.addEventListener('abort', () => reject(job.signal.reason));
        });
      });
      await alone.promise;
      expect(failures).toEqual([]);
      await forgetProcess();
    }
    await start(fixture.note);
    await fixture.jobs.onIdle();
    expect(fixture.ran).toEqual(['harmless']);
    expect(failures).toEqual(['deadly: Engram crashed each time it processed this.']);
  });

  test('a job runs next to others again once the process survived it alone for long enough', async () => {
    await enqueue('long', 'other');
    await killWhileRunning(1, QUARANTINE_AFTER);
    const gate = Promise.withResolvers<void>();
    const isAlone = Promise.withResolvers<void>();
    await start(
      async (job) => {
        if (job.data.name === 'long') {
          isAlone.resolve();
          await gate.promise;
        }
        await fixture.note(job);
      },
      { aloneSeconds: 0.05 },
    );
    await isAlone.promise;
    await fixture.jobs.enqueue(fixture.queue, { name: 'later' });
    await expect.poll(() => fixture.ran.toSorted()).toEqual(['later', 'other']);
    const { rows } = await fixture.database.pool.query(
      "select interruptions from jobs where data ->> 'name' = 'long'",
    );
    expect(rows).toEqual([{ interruptions: 0 }]);
    gate.resolve();
    await fixture.jobs.onIdle();
    expect(fixture.ran.at(-1)).toBe('long');
  });

  test('a regular stop is not an interruption, however often it happens', async () => {
    await enqueue('patient');
    for (let time = 0; time <= FAIL_AFTER; time += 1) {
      const started = Promise.withResolvers<void>();
      await start(({ signal }) => {
        started.resolve();
        return new Promise((_resolve, reject) => {
          // A child process that ends by the same signal does the same.
          signal.addEventListener('abort', () => reject(new Error('gone')));
        });
      });
      await started.promise;
      await fixture.jobs.stop({ graceful: false });
    }
    const { rows } = await fixture.database.pool.query(
      'select interruptions, attempts as tries from jobs',
    );
    expect(rows).toEqual([{ interruptions: 0, tries: 0 }]);
  });

  test('interrupted jobs with the same key run once, with the newest data', async () => {
    await enqueue('twin');
    await killWhileRunning(1);
    await fixture.jobs.enqueue(fixture.queue, { name: 'newer twin' }, { key: 'twin' });
    await start(fixture.note);
    await fixture.jobs.onIdle();
    expect(fixture.ran).toEqual(['newer twin']);
  });
});
