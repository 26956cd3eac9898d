import { createThreads } from '../../platform/threads/threads.ts';
import type { Post } from './read-feed.ts';

const SCRIPT = new URL('./feed-worker.ts', import.meta.url);

/** How long a feed may take to be read, in milliseconds. */
const TIME_LIMIT_MS = 20_000;
const HEAP_MB = 256;

/**
 * The latest posts of a feed, read in a thread of its own: a feed is anybody's text, and must
 * neither hold the server up nor fill its memory.
 * @throws Error when the text is no feed, or takes too much to read.
 */
export async function readFeedInThread(text: string, now: Date): Promise<Post[]> {
  const threads = createThreads({ script: SCRIPT, most: 1, idleMs: 0, heapMb: HEAP_MB });
  try {
    return (await threads.run({ text, now }, { leftMs: TIME_LIMIT_MS })) as Post[];
  } finally {
    await threads.close();
  }
}
