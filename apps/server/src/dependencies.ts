import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { routes } from '@engram/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';
import { createArtifactsRepository } from './features/artifacts/artifacts.repository.ts';
import { createArtifactsService } from './features/artifacts/artifacts.service.ts';
import { createLibrary } from './features/artifacts/library.ts';
import { createSignedLinks } from './features/artifacts/signed-links.ts';
import { createAuthService } from './features/auth/auth.service.ts';
import { createExtractionPool } from './features/ingestion/extraction-pool.ts';
import { createHistoryRepository } from './features/history/history.repository.ts';
import { createHistoryService } from './features/history/history.service.ts';
import { createIngestionService } from './features/ingestion/ingestion.service.ts';

import { createKeywordsService } from './features/keywords/keywords.service.ts';
import { createProfileService } from './features/profile/profile.service.ts';
import { createRecommendationsService } from './features/search/recommendations.service.ts';
import { createSearchService } from './features/search/search.service.ts';
import { createSubscriptionService } from './features/subscription/subscription.service.ts';
import { createSystemService } from './features/system/system.service.ts';
import { createAnswerModel } from './platform/ai/answer-model.ts';
import { openDatabase } from './platform/database/database.ts';
import { migrate } from './platform/database/migrate.ts';
import { createDiskFileStore } from './platform/files/disk.ts';
import { openSearchIndex } from './platform/index/search-index.ts';
import { createJobs } from './platform/jobs/jobs.ts';
import { createMailer } from './platform/mail/mailer.ts';

export interface Surroundings {
  log: FastifyBaseLogger;
  now: () => Date;
  /** Checks every answer against the contract; on in tests. */
  checkAnswers?: boolean;
  /** The built web app, or null for calls alone. */
  webFolder?: string | null;
}

/** Wall time for reading a file of up to 10 MB, in milliseconds. */
const READING_LIMIT_MS = 120_000;

/** Files after which a reading process is replaced, so that what a parser leaks does not add up. */
const RECYCLE_AFTER = 500;

/** How often what has expired is deleted and the embedded database is cleaned, in milliseconds. */
const UPKEEP_INTERVAL_MS = 3_600_000;

const manifest = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8'),
) as { version: string };

/** Everything the server is made of, built from the settings and handed to those who need it. */
export async function createDependencies(config: Config, surroundings: Surroundings) {
  const { log, now, checkAnswers = false, webFolder = null } = surroundings;

  const database = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir, log });
  await migrate(database);
  const jobs = await createJobs({ database, log });
  const files = await createDiskFileStore({ folder: path.join(config.dataDir, 'files') });
  const index = await openSearchIndex({ folder: path.join(config.dataDir, 'index'), log });
  const mailer = createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom, log });
  const model = createAnswerModel(config, { log });
  const pool = createExtractionPool({
    size: Math.max(1, Math.min(config.workers, availableParallelism() - 1)),
    memoryMb: config.workerMemoryMb,
    timeoutMs: READING_LIMIT_MS,
    recycleAfter: RECYCLE_AFTER,
    log,
  });

  const artifactsRepository = createArtifactsRepository(database);
  const links = createSignedLinks(config.secret, now);
  const library = createLibrary({ repository: artifactsRepository, links });
  const subscription = createSubscriptionService({
    database,
    limits: config.limits,
    now,
    storedBytes: artifactsRepository.storedBytes,
  });
  const keywords = createKeywordsService({ database, now });
  const auth = createAuthService({
    database,
    config,
    mailer,
    log,
    now,
    hasArtifacts: artifactsRepository.exist,
    onNewUser: async (tx, userId) => {
      await keywords.addDefaults(tx, userId);
      await subscription.start(tx, userId);
    },
  });
  const profile = createProfileService({ accounts: auth.accounts });
  const history = createHistoryService({
    database,
    repository: createHistoryRepository(database),
    existing: artifactsRepository.known,
    presentRelated: library.presentRelated,
    timeZone: config.timeZone,
    now,
  });
  const ingestion = createIngestionService({
    database,
    artifacts: artifactsRepository,
    files,
    index,
    jobs,
    pool,
    log,
    now,
    libraryChanged: library.changed,
  });
  const artifacts = createArtifactsService({
    database,
    repository: artifactsRepository,
    files,
    links,
    limits: config,
    now,
    enqueueReading: ingestion.enqueueReading,
    enqueueRemoval: ingestion.enqueueRemoval,
    redactHistory: history.redact,
    ensureKeywords: keywords.ensure,
    assertMayUpload: subscription.assertMayUpload,
    libraryChanged: library.changed,
  });
  const search = createSearchService({
    library,
    history,
    index,
    model,
    countQuery: subscription.countQuery,
    spelledKeywords: keywords.spelled,
    now,
  });
  const recommendations = createRecommendationsService({ library });
  const system = createSystemService({
    version: manifest.version,
    routes,
    config,
    google: null,
    abilities: [
      mailer.describe,
      () => ({
        name: 'model',
        ...(model?.describe() ?? { on: false, detail: 'ENGRAM_LLM is none.' }),
      }),
    ],
  });

  await ingestion.define();
  await ingestion.sweep();

  const upkeep = async (): Promise<void> => {
    await auth.cleanUp();
    await database.maintain();
  };
  let upkeepTimer: NodeJS.Timeout | undefined;

  return {
    config,
    log,
    now,
    checkAnswers,
    webFolder,
    database,
    jobs,
    index,
    files,
    services: {
      auth,
      profile,
      subscription,
      keywords,
      artifacts,
      ingestion,
      history,
      search,
      recommendations,
      system,
    },

    /** Begins the background work: jobs that wait, what a kill left behind, regular upkeep. */
    async start(): Promise<void> {
      await jobs.start();
      upkeepTimer = setInterval(() => {
        upkeep().catch((error: unknown) => log.error({ err: error }, 'the upkeep failed'));
      }, UPKEEP_INTERVAL_MS).unref();
    },

    /** Ends everything in the order in which it leans on each other. */
    async close(): Promise<void> {
      clearInterval(upkeepTimer);
      await jobs.stop({ graceful: true });
      await pool.close();
      await auth.drain();
      await index.close();
      mailer.close();
      await database.close();
    },
  };
}

/** What the app is built from. */
export type Dependencies = Awaited<ReturnType<typeof createDependencies>>;
