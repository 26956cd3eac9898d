import path from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { createEmbedder, type EmbedderSettings } from '../../platform/ai/embedding/embedder.ts';
import type { SearchIndex } from '../../platform/index/search-index.ts';
import { createVectorStore } from '../../platform/vectors/vector-store.ts';
import type { ArtifactSets } from '../artifacts/artifacts.sets.ts';
import { createEmbeddingService, type EmbeddingService } from './embedding.service.ts';

export interface OpenEmbeddingDependencies {
  index: SearchIndex;
  sets: Pick<ArtifactSets, 'owners' | 'readable'>;
  log: FastifyBaseLogger;
  /** How long finding by meaning may hold up an answer, in milliseconds. */
  timeLimitMs: number;
  /** Waits, for so many milliseconds at most, while somebody waits for an answer. */
  stepBack: (patienceMs: number) => Promise<void>;
  /** People of whom nothing is kept any more. */
  isGone: (userId: string) => boolean;
}

/** Finding by meaning as the settings want it, with vectors in the data folder. */
export function openEmbedding(
  settings: EmbedderSettings,
  { index, sets, log, timeLimitMs, stepBack, isGone }: OpenEmbeddingDependencies,
): EmbeddingService {
  const embedder = createEmbedder(settings, {
    log,
    stepBack,
    onReady: () => service.modelIsReady(),
  });
  const service = createEmbeddingService({
    embedder,
    openEmbedder: (setting) =>
      createEmbedder({ ...settings, embeddings: setting }, { log, mayFetch: false }),
    vectors: createVectorStore({ folder: path.join(settings.dataDir, 'vectors'), isGone }),
    index,
    owners: sets.owners,
    readable: sets.readable,
    log,
    timeLimitMs,
    stepBack,
  });
  return service;
}

/** The index for those who delete: what goes from it goes from the vectors as well. */
export function withVectors(index: SearchIndex, embedding: EmbeddingService): SearchIndex {
  return {
    ...index,
    users: async () => [...new Set([...(await index.users()), ...(await embedding.users())])],
    async remove(userId, artifactIds) {
      await index.remove(userId, artifactIds);
      await embedding.forget(userId, artifactIds);
    },
    async removeUser(userId) {
      await index.removeUser(userId);
      await embedding.forgetUser(userId);
    },
  };
}
