import type { FastifyBaseLogger } from 'fastify';
import { createEmbedder, type EmbedderSettings } from '../../platform/ai/embedding/embedder.ts';
import type { SearchIndex } from '../../platform/index/search-index.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { ArtifactSets } from '../artifacts/artifacts.sets.ts';
import { createEmbeddingService, type EmbeddingService } from './embedding.service.ts';

export interface OpenEmbeddingDependencies {
  index: SearchIndex;
  jobs: Jobs;
  sets: Pick<ArtifactSets, 'owners' | 'fileNames'>;
  log: FastifyBaseLogger;
  /** How long finding by meaning may hold up an answer, in milliseconds. */
  timeLimitMs: number;
  /** Waits, for so many milliseconds at most, while somebody waits for an answer. */
  stepBack: (patienceMs: number) => Promise<void>;
}

/** Finding by meaning as the settings want it. */
export function openEmbedding(
  settings: EmbedderSettings & { role: 'all' | 'web' | 'worker' },
  { index, jobs, sets, log, timeLimitMs, stepBack }: OpenEmbeddingDependencies,
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
    index,
    jobs,
    owners: sets.owners,
    fileNames: sets.fileNames,
    log,
    timeLimitMs,
    stepBack,
    makesVectors: settings.role !== 'web',
  });
  return service;
}
