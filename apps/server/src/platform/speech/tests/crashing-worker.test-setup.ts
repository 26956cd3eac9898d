import { serveTasks } from '../../threads/serve-tasks.ts';
import type { EspeakRequest } from '../espeak-speaker.ts';

/** Returns the bytes of the text, unless the text tells it to crash, to exit or to hang. */
serveTasks(({ text }: EspeakRequest) => {
  // Outside the task, because an error inside would only fail the task.
  if (text === 'crash') {
    setImmediate(() => {
      throw new Error('It crashed.');
    });
  }
  // oxlint-disable-next-line unicorn/no-process-exit
  if (text === 'end') process.exit(1);
  if (text === 'crash' || text === 'hang') return new Promise(() => undefined);
  return new TextEncoder().encode(text);
});
