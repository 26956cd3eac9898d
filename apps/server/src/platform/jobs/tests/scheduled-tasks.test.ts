import { expect, test } from 'vitest';
import { describeDatabases } from '../../database/tests/database-suite.test-setup.ts';
import { log, useJobs } from './jobs.test-setup.ts';
import { createScheduledTasks, type ScheduledTask } from '../scheduled-tasks.ts';

const HOUR_MS = 3_600_000;

describeDatabases('scheduled tasks', (createStore) => {
  const fixture = useJobs(createStore);

  async function start(
    tasks: readonly ScheduledTask[],
    { hasOtherServers = false, firstDelayMs = HOUR_MS } = {},
  ): Promise<void> {
    const { jobs, queue } = fixture;
    const scheduled = createScheduledTasks({
      jobs,
      queue,
      tasks,
      log,
      hasOtherServers,
      firstDelayMs,
    });
    await jobs.start();
    await scheduled.start();
  }

  const waiting = async (): Promise<string[]> =>
    (
      await fixture.database.pool.query<{ name: string }>(
        `select data ->> 'name' as name from jobs where state = 'waiting'
         and run_at > now() + interval '30 minutes' order by 1`,
      )
    ).rows.map(({ name }) => name);

  const recording = (name: string, more: Partial<ScheduledTask> = {}): ScheduledTask => ({
    name,
    everyMs: HOUR_MS,
    run: async () => void fixture.ran.push(name),
    ...more,
  });

  test('a task runs at the start if requested, and then on its schedule', async () => {
    await start([recording('sweep', { atStart: true }), recording('forget')]);
    await expect.poll(() => fixture.ran).toEqual(['sweep']);
    await expect.poll(waiting).toEqual(['forget', 'sweep']);
    // A timer of a repeating task must not keep the process alive.
    await fixture.jobs.onIdle();
  });

  test('a task runs repeatedly, also after a failure', async () => {
    let runs = 0;
    const failing = recording('failing', {
      everyMs: 10,
      run: async () => {
        runs += 1;
        throw new Error('no');
      },
    });
    await start([failing], { firstDelayMs: 0 });
    await expect.poll(() => runs).toBeGreaterThan(2);
  });

  test('with several servers a task keeps its schedule, whichever server starts', async () => {
    const { jobs, queue } = fixture;
    const tasks = [recording('sweep', { atStart: true })];
    const options = { jobs, queue, tasks, log, hasOtherServers: true, firstDelayMs: HOUR_MS };
    await start(tasks, { hasOtherServers: true });
    await createScheduledTasks(options).start();
    expect(await waiting()).toEqual(['sweep']);
    expect(fixture.ran).toEqual([]);
  });
});
