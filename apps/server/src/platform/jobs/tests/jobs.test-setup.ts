import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Database } from '../../database/database.ts';
import { migrate } from '../../database/migrate.ts';
import type { TestStore } from '../../database/tests/database-suite.test-setup.ts';
import { createJobs, type Job, type Jobs } from '../jobs.ts';

export const log = { info() {}, warn() {}, error() {} };
export const settings = {
  concurrency: 2,
  timeoutSeconds: 240,
  retryLimit: 2,
  retryDelaySeconds: 0,
};

/** The fixture of a test of jobs. `queue` is used by this test only. */
interface Workshop {
  database: Database;
  jobs: Jobs;
  queue: string;
  /** The names of the jobs that {@link Workshop.note} ran. */
  ran: string[];
  note: (job: Job<{ name: string }>) => Promise<void>;
}

/** Makes a waiting job due. Returns false if none waits. */
export async function retryNow(
  { database, jobs }: { database: Database; jobs: Jobs },
  queue: string,
  key: string,
): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    "update jobs set run_at = now() where queue = $1 and key = $2 and state = 'waiting'",
    [queue, key],
  );
  // Wakes the queue.
  await jobs.enqueueAll(queue, []);
  return (rowCount ?? 0) > 0;
}

/** One database for a suite, and jobs with their own queue for each test. */
export function useJobs(createStore: () => Promise<TestStore>): Workshop {
  let store: TestStore;
  let count = 0;
  const workshop: Partial<Workshop> = {};
  const note: Workshop['note'] = async ({ data }) => void workshop.ran?.push(data.name);

  beforeAll(async () => {
    store = await createStore();
    workshop.database = await store.open();
    await migrate(workshop.database);
  });
  afterAll(async () => {
    await workshop.database?.close();
    await store.destroy();
  });
  beforeEach(async () => {
    if (!workshop.database) throw new Error('There is no database.');
    workshop.ran = [];
    workshop.queue = `queue-${count++}`;
    workshop.jobs = createJobs({ database: workshop.database, log });
  });
  afterEach(async () => {
    await workshop.jobs?.stop({ graceful: false });
    await workshop.database?.pool.query('delete from jobs');
  });
  return Object.assign(workshop, { note }) as Workshop;
}
