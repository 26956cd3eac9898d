import { LRUCache } from 'lru-cache';
import type { Embedder } from '../../platform/ai/encoders/embedder.ts';
import type { StoredModel } from '../../platform/index/search-index.ts';

/** A model that nobody has asked for so many milliseconds is closed: the new vectors are there. */
const IDLE_MS = 10 * 60_000;
/** Earlier settings whose models are open at a time. */
const OPEN_MODELS = 3;

/**
 * The models of earlier settings: they answer as long as the vectors of the new one are not all
 * there. Each is opened when somebody's vectors ask for it, if it still can be.
 */
export function createPreviousModels(openEmbedder: (setting: string) => Embedder | null) {
  const closing = new Set<Promise<void>>();

  function close(embedder: Embedder | null): void {
    const closed = (embedder?.close() ?? Promise.resolve()).finally(() => closing.delete(closed));
    closing.add(closed);
  }

  const opened = new LRUCache<string, { embedder: Embedder | null }>({
    max: OPEN_MODELS,
    ttl: IDLE_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    dispose: ({ embedder }) => close(embedder),
  });

  function open(setting: string): Embedder | null {
    const embedder = openEmbedder(setting);
    embedder?.start();
    opened.set(setting, { embedder });
    return embedder;
  }

  return {
    /** The embedder of stored vectors; null where it is not there, or not yet. */
    embedderOf({ key, setting }: StoredModel): Embedder | null {
      const embedder = (opened.get(setting) ?? { embedder: open(setting) }).embedder;
      return embedder?.model()?.key === key ? embedder : null;
    },

    async settled(): Promise<void> {
      for (const { embedder } of opened.values()) await embedder?.settled();
    },

    async close(): Promise<void> {
      opened.clear();
      await Promise.all(closing);
    },
  };
}
