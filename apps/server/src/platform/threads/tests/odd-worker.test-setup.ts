import { serveTasks } from '../serve-tasks.ts';

/** The action that a test requests from a thread. */
export type OddTask = 'crash' | 'end' | 'fill' | 'fail' | 'forever' | 'hang' | `say ${string}`;

/** Returns the requested text, unless the test wants a failure. */
serveTasks((task: OddTask): unknown => {
  const allocations: unknown[] = [];
  // Outside the task, because an error inside would only fail the task.
  if (task === 'crash') {
    setImmediate(() => {
      throw new Error('It crashed.');
    });
  }
  // oxlint-disable-next-line unicorn/no-process-exit
  if (task === 'end') process.exit(1);
  if (task === 'fail') throw new RangeError('It failed.');
  if (task === 'crash' || task === 'hang') return new Promise(() => undefined);
  if (task === 'forever') for (;;);
  if (task === 'fill') for (;;) allocations.push(Array.from({ length: 10_000 }, () => ({})));
  return task.slice('say '.length);
});
