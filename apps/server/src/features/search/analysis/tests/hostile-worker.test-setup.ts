import { serveTasks } from '../../../../platform/threads/serve-tasks.ts';
import { runTask, type TaskCall, warmUp } from '../tasks.ts';

warmUp();

/** Gets a message for each question that never ends. */
const endless = new BroadcastChannel('endless');
endless.unref();

/** Runs tasks, but never ends for an endless question, and exits for a deadly one. */
serveTasks((call: TaskCall) => {
  const { name, input } = call;
  const text = JSON.stringify(input);
  if (name === 'sections' && text.includes('endless')) {
    // A channel has no origin, unlike a window.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    endless.postMessage('begun');
    for (;;);
  }
  // oxlint-disable-next-line unicorn/no-process-exit
  if (name === 'read' && text.includes('deadly')) process.exit(1);
  return runTask(call);
});
