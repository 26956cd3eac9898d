import { afterEach, describe, expect, test } from 'vitest';
import {
  createServerDatabase,
  testServerUrl,
} from '../../database/tests/database-suite.test-setup.ts';
import { openDatabase, type Database } from '../../database/database.ts';
import { migrate } from '../../database/migrate.ts';
import { log, settings } from './jobs.test-setup.ts';
import { createJobs, type Job, type Jobs, type QueueDefinition } from '../jobs.ts';

interface Named {
  name: string;
}

const HEARTBEAT_MS = 50;

describe.skipIf(!testServerUrl)('jobs of several processes on one database', () => {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  /** Processes with their own connection pools that run a queue with the given handlers. */
  async function startAll(
    ...definitions: Partial<QueueDefinition<Named>>[]
  ): Promise<{ database: Database; processes: Jobs[] }> {
    const server = await createServerDatabase(testServerUrl ?? '');
    ends.push(server.drop);
    const processes: Jobs[] = [];
    const databases: Database[] = [];
    for (const definition of definitions) {
      const database = await openDatabase({ url: server.url, dataDir: '', log });
      databases.push(database);
      await migrate(database);
      ends.push(database.close);
      const jobs = createJobs({ database, log, heartbeatMs: HEARTBEAT_MS });
      jobs.define<Named>('work', { ...settings, handler: async () => {}, ...definition });
      processes.push(jobs);
      ends.push(() => jobs.stop({ graceful: false }));
    }
    const [database] = databases;
    if (!database) throw new Error('No process was defined.');
    return { database, processes };
  }

  /** A handler that records the jobs it starts, and ends when its job is aborted. */
  function untilAborted() {
    const started: string[] = [];
    const aborted: string[] = [];
    const handler = ({ data, signal }: Job<Named>): Promise<void> => {
      started.push(data.name);
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted.push(data.name);
          reject(signal.reason);
        });
      });
    };
    return { started, aborted, handler };
  }

  test('jobs of a process without a heartbeat run in another, and the first one drops them if it is alive', async () => {
    const stuck = untilAborted();
    const ran: string[] = [];
    const { database, processes } = await startAll(
      { handler: stuck.handler },
      { handler: async ({ data }) => void ran.push(data.name) },
    );
    const [first, second] = processes;
    await first?.enqueue('work', { name: 'a' });
    await first?.start();
    await expect.poll(() => stuck.started).toEqual(['a']);
    // Otherwise it may claim the job again before the other one does.
    first?.drain(3600);
    await second?.start();
    expect(ran).toEqual([]);
    const { rows } = await database.pool.query(
      'select worker_id as process from jobs where worker_id is not null',
    );
    const silence = "update job_workers set seen_at = now() - interval '1 minute' where id = $1";
    await expect
      .poll(async () => {
        if (ran.length === 0) await database.pool.query(silence, [rows[0]?.process]);
        return ran;
      })
      .toEqual(['a']);
    await expect.poll(() => stuck.aborted).toEqual(['a']);
    await expect
      .poll(() => second?.counts().then((counts) => counts.filter(({ count }) => count > 0)))
      .toEqual([]);
  });

  test('a process that starts takes no jobs from the others', async () => {
    const busy = untilAborted();
    const ran: string[] = [];
    const { processes } = await startAll(
      { handler: busy.handler, concurrency: 1 },
      { handler: async ({ data }) => void ran.push(data.name) },
    );
    const [first, second] = processes;
    await first?.enqueue('work', { name: 'first' });
    await first?.start();
    await expect.poll(() => busy.started).toEqual(['first']);
    await second?.enqueue('work', { name: 'second' });
    await second?.start();
    await expect.poll(() => ran).toEqual(['second']);
    expect(busy.aborted).toEqual([]);
  });

  test('two jobs with the same key never run in parallel, and the second runs on any free worker', async () => {
    const gate = Promise.withResolvers<void>();
    const ran: string[] = [];
    const note = async ({ data }: Job<Named>): Promise<void> => {
      ran.push(`begin ${data.name}`);
      if (data.name === 'old') await gate.promise;
      ran.push(`end ${data.name}`);
    };
    const { processes } = await startAll({ handler: note }, { handler: note });
    const [first, second] = processes;
    await first?.enqueue('work', { name: 'old' }, { key: 'k' });
    await first?.start();
    await expect.poll(() => ran).toEqual(['begin old']);
    await second?.start();
    await second?.enqueue('work', { name: 'new' }, { key: 'k' });
    // A job with another key shows that the queue was polled.
    await second?.enqueue('work', { name: 'beside' }, { key: 'l' });
    await expect.poll(() => ran).toContain('end beside');
    expect(ran).not.toContain('begin new');
    gate.resolve();
    await second?.onIdle();
    expect(ran.filter((line) => !line.endsWith('beside'))).toEqual([
      'begin old',
      'end old',
      'begin new',
      'end new',
    ]);
  });

  test('a job that one process cancels is aborted in the process that runs it', async () => {
    const stuck = untilAborted();
    const { processes } = await startAll({ handler: stuck.handler }, {});
    const [first, second] = processes;
    await first?.start();
    await first?.enqueue('work', { name: 'a' }, { key: 'a' });
    await first?.enqueue('work', { name: 'b' }, { key: 'b' });
    await expect.poll(() => stuck.started).toEqual(['a', 'b']);
    await second?.cancel('work', 'a');
    await expect.poll(() => stuck.aborted).toEqual(['a']);
  });
});
