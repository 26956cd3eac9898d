import { serveTasks } from '../serve-tasks.ts';

/** What a test has a thread do. */
export type OddTask = 'crash' | 'end' | 'fill' | 'fail' | 'forever' | 'hang' | `say ${string}`;

/** Answers what it shall say, unless it shall come to no good end. */
serveTasks((task: OddTask): unknown => {
  const kept: unknown[] = [];
  // Not in the task, which would only fail.
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
  if (task === 'fill') for (;;) kept.push(Array.from({ length: 10_000 }, () => ({})));
  return task.slice('say '.length);
});
