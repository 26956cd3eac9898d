import { parentPort } from 'node:worker_threads';
import type { EspeakReply, EspeakRequest } from './espeak-speaker.ts';

/** Answers with the text's bytes, unless the text says to crash, to end or to take forever. */
parentPort?.on('message', ({ text }: EspeakRequest) => {
  if (text === 'crash') throw new Error('It crashed.');
  // oxlint-disable-next-line unicorn/no-process-exit
  if (text === 'end') process.exit(1);
  if (text === 'hang') return;
  const reply: EspeakReply = { mp3: new TextEncoder().encode(text) };
  parentPort?.postMessage(reply, []);
});
