import { serveTasks } from '../../../platform/threads/serve-tasks.ts';
import { type TaskCall, tasks } from './tasks.ts';
import { warmUp } from './warm-up.ts';

warmUp();

/** Thinks as ever, but of a question that says so it thinks for ever, or dies of it. */
serveTasks(({ name, input }: TaskCall) => {
  const asked = JSON.stringify(input);
  if (name === 'answer' && asked.includes('endless')) for (;;);
  // oxlint-disable-next-line unicorn/no-process-exit
  if (name === 'read' && asked.includes('deadly')) process.exit(1);
  return (tasks[name] as (input: unknown) => unknown)(input);
});
