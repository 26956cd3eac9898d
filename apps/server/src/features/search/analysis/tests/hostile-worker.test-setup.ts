import { serveTasks } from '../../../../platform/threads/serve-tasks.ts';
import { type TaskCall, tasks } from '../tasks.ts';
import { warmUp } from '../warm-up.ts';

warmUp();

/** Hears of every question that is thought about for ever. */
const endless = new BroadcastChannel('endless');
endless.unref();

/** Thinks as ever, but of a question that says so it thinks for ever, or dies of it. */
serveTasks(({ name, input }: TaskCall) => {
  const asked = JSON.stringify(input);
  if (name === 'sections' && asked.includes('endless')) {
    // A channel has no origin, unlike a window.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    endless.postMessage('begun');
    for (;;);
  }
  // oxlint-disable-next-line unicorn/no-process-exit
  if (name === 'read' && asked.includes('deadly')) process.exit(1);
  return (tasks[name] as (input: unknown) => unknown)(input);
});
