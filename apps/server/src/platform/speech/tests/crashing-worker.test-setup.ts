import { serveTasks } from '../../threads/serve-tasks.ts';
import type { EspeakRequest } from '../espeak-speaker.ts';

/** Answers with the text's bytes, unless the text says to crash, to end or to take forever. */
serveTasks(({ text }: EspeakRequest) => {
  // Not in the task, which would only fail.
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
