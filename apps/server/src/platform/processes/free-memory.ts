import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (
  options: { type: 'minor' } | { type: 'major'; flavor: 'last-resort' },
) => void;

/**
 * Frees the buffers that a stream has done with. V8 looks at the small objects alone when it decides
 * to collect the young generation, and buffers hang on those by the megabyte: a fast upload gains
 * 250 MB before it takes notice, and 60 MB when it is told every 16 MB. Takes about a millisecond.
 */
export const freeBuffers = (): void => collect({ type: 'minor' });

/**
 * Gives back to the system what a pile of work has left in this thread's heap. V8 collects it when
 * much more has come, and keeps the empty pages for itself. Takes some 50 ms, so ask for it when
 * nobody waits.
 */
export const freeHeap = (): void => collect({ type: 'major', flavor: 'last-resort' });
