import type { Embedder } from '../../platform/ai/embedding/embedder.ts';
import type { StoredModel } from '../../platform/index/search-index.ts';

/**
 * The models of earlier settings: they answer as long as the vectors of the new one are not all
 * there. Each is opened when somebody's vectors ask for it, if it still can be.
 */
export function createPreviousModels(openEmbedder: (setting: string) => Embedder | null) {
  const embedders = new Map<string, Embedder | null>();

  return {
    /** The embedder of stored vectors; null where it is not there, or not yet. */
    embedderOf({ key, setting }: StoredModel): Embedder | null {
      if (!embedders.has(setting)) {
        const opened = openEmbedder(setting);
        opened?.start();
        embedders.set(setting, opened);
      }
      const embedder = embedders.get(setting) ?? null;
      return embedder?.model()?.key === key ? embedder : null;
    },

    async settled(): Promise<void> {
      for (const embedder of embedders.values()) await embedder?.settled();
    },

    async close(): Promise<void> {
      const opened = [...embedders.values()];
      embedders.clear();
      for (const embedder of opened) await embedder?.close();
    },
  };
}

export type PreviousModels = ReturnType<typeof createPreviousModels>;
