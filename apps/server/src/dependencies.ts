import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { routes } from '@engram/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';
import { createArtifactsRepository } from './features/artifacts/artifacts.repository.ts';
import { createArtifactsService } from './features/artifacts/artifacts.service.ts';
import { createArtifactSets } from './features/artifacts/artifacts.sets.ts';
import { createDeletion } from './features/artifacts/deletion.ts';
import { createKeywordTerms } from './features/artifacts/keyword-terms.ts';
import { createLibrary } from './features/artifacts/library.ts';
import { createReadingsRepository } from './features/artifacts/readings.repository.ts';
import { createRereading } from './features/artifacts/rereading.ts';
import { createSubjectsRepository } from './features/artifacts/subjects.repository.ts';
import { createSignedLinks } from './features/artifacts/signed-links.ts';
import { createUploadIntake } from './features/artifacts/upload-intake.ts';
import { createAuthService } from './features/auth/auth.service.ts';
import { createExtractionPool } from './features/ingestion/extraction-pool.ts';
import {
  assertLanguages,
  createReadingAbilities,
  describeRecognition,
} from './features/ingestion/abilities.ts';
import { createWantMeeting } from './features/ingestion/meet-wants.ts';
import { createArtifactReader } from './features/ingestion/read-artifact.ts';
import { createRecognitionLane } from './features/ingestion/recognition-lane.ts';
import { createThumbnails } from './features/ingestion/thumbnails.ts';
import { createTranscription } from './features/ingestion/transcription.ts';
import { createAnswerAudio } from './features/history/answer-audio.ts';
import { createEarlierQuestions } from './features/history/earlier-questions.ts';
import { createHistoryRepository } from './features/history/history.repository.ts';
import { createHistoryService } from './features/history/history.service.ts';
import { createIngestionService } from './features/ingestion/ingestion.service.ts';

import { createKeywordsService } from './features/keywords/keywords.service.ts';
import { openEmbedding, withVectors } from './features/embedding/open-embedding.ts';
import { createProfileService } from './features/profile/profile.service.ts';
import { createListing } from './features/search/listing.ts';
import { createRetrieval } from './features/search/retrieval.ts';
import { createSearchService } from './features/search/search.service.ts';
import { createSubscriptionService } from './features/subscription/subscription.service.ts';
import { createQuestionAsker } from './features/suggestions/question-asker.ts';
import { createRecommendationsService } from './features/suggestions/recommendations.service.ts';
import { createSuggestionsService } from './features/suggestions/suggestions.service.ts';
import { createSystemService } from './features/system/system.service.ts';
import { createUpkeepService } from './features/upkeep/upkeep.service.ts';
import { createAnswerModel } from './platform/ai/answering/answer-model.ts';
import { lockDataFolder } from './platform/database/data-folder-lock.ts';
import { createTranscriber } from './platform/ai/transcription/transcription.ts';
import { createDescriber } from './platform/ai/vision.ts';
import { openDatabase } from './platform/database/database.ts';
import { migrate } from './platform/database/migrate.ts';
import { createDiskFileStore } from './platform/files/disk.ts';
import { createFfmpeg } from './platform/media/ffmpeg.ts';
import { createCourtesy } from './platform/http/courtesy.ts';
import { openSearchIndex } from './platform/index/search-index.ts';
import { createJobs } from './platform/jobs/jobs.ts';
import { createMailer } from './platform/mail/mailer.ts';
import { createSpeaker } from './platform/speech/speaker.ts';

export interface Surroundings {
  log: FastifyBaseLogger;
  now: () => Date;
  /** Checks every answer against the contract; on in tests. */
  checkAnswers?: boolean;
  /** How long finding by meaning may hold up an answer, in milliseconds. Default: 150. */
  meaningMs?: number;
  /** The built web app, or null for calls alone. */
  webFolder?: string | null;
}

/** Wall time for reading a file of up to 10 MB, in milliseconds. */
const READING_LIMIT_MS = 120_000;

/** Files after which a reading process is replaced, so that what a parser leaks does not add up. */
const RECYCLE_AFTER = 500;

/** Time without a task after which the process of the recognition ends, in milliseconds. */
const RECOGNITION_IDLE_MS = 60_000;

/** How often what has expired is deleted and the embedded database is cleaned, in milliseconds. */
const UPKEEP_INTERVAL_MS = 3_600_000;

/** How long a question that asks for it waits for its answer's sound at most, in milliseconds. */
const SOUND_WAIT_MS = 10_000;

const manifest = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8'),
) as { version: string };

/** Everything the server is made of, built from the settings and handed to those who need it. */
export async function createDependencies(config: Config, surroundings: Surroundings) {
  const { log, now, checkAnswers = false, meaningMs = 150, webFolder = null } = surroundings;

  assertLanguages(config);
  // The embedded database locks the folder itself; its files and index are one process's either way.
  const lock = config.databaseUrl ? lockDataFolder(config.dataDir) : null;
  const database = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir, log });
  await migrate(database);
  const jobs = await createJobs({ database, log });
  const courtesy = createCourtesy();
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
  const sets = createArtifactSets(database);
  const embedding = openEmbedding(config, {
    index,
    sets,
    log,
    timeLimitMs: meaningMs,
    stepBack: courtesy.stepBack,
  });
  const libraryChanged = (userId: string, language?: string | null): void => {
    library.changed(userId, language);
    embedding.changed(userId);
  };
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
  const speaker = createSpeaker(config, { log });
  const historyRepository = createHistoryRepository(database);
  const audio = createAnswerAudio({
    database,
    repository: historyRepository,
    speaker,
    log,
    now,
    waitMs: SOUND_WAIT_MS,
  });
  const history = createHistoryService({
    database,
    repository: historyRepository,
    audio,
    existing: artifactsRepository.known,
    presentRelated: library.presentRelated,
    timeZone: config.timeZone,
    now,
  });
  const transcriber = createTranscriber(config, { log });
  const describer = createDescriber(config, { log });
  const ffmpeg = createFfmpeg({ ffmpeg: config.ffmpeg, log });
  const lane = createRecognitionLane({
    memoryMb: config.workerMemoryMb,
    idleMs: RECOGNITION_IDLE_MS,
    settings: {
      ocrLanguages: config.ocrLanguages.split('+'),
      ocrData: config.ocrData ?? null,
      speechFolder: transcriber.folder,
    },
    log,
  });
  const abilities = createReadingAbilities({ ocr: config.ocr, transcriber, describer });
  const reader = createArtifactReader({
    files,
    pool,
    meetWants: createWantMeeting({
      lane,
      transcription: createTranscription({ lane, transcriber, ffmpeg }),
      describer,
    }),
    abilities,
    now,
  });
  const thumbnails = createThumbnails({ artifacts: artifactsRepository, files, lane, ffmpeg, log });
  const ingestion = createIngestionService({
    readings: createReadingsRepository(database),
    stepBack: courtesy.stepBack,
    files,
    index,
    jobs,
    reader,
    thumbnails,
    log,
    now,
    libraryChanged,
  });
  const intake = createUploadIntake({ files, limits: config, stepBack: courtesy.stepBack });
  const readAgain = createRereading({
    database,
    sets,
    enqueueReadings: ingestion.enqueueReadings,
    now,
  });
  const deletion = createDeletion({
    database,
    sets,
    jobs,
    files,
    index: withVectors(index, embedding),
    log,
    cancelReadings: ingestion.cancelReadings,
    redactHistory: history.redact,
    libraryChanged,
  });
  const keywordTerms = createKeywordTerms({
    artifacts: artifactsRepository,
    index,
    jobs,
    log,
    now,
    readAgain,
  });
  const artifacts = createArtifactsService({
    database,
    repository: artifactsRepository,
    sets,
    files,
    intake,
    links,
    now,
    enqueueReadings: ingestion.enqueueReadings,
    readAgain,
    deletion,
    keywordTerms,
    ensureKeywords: keywords.ensure,
    assertMayUpload: subscription.assertMayUpload,
    libraryChanged,
  });
  const retrieval = createRetrieval({
    library,
    index,
    meaning: embedding,
    spelledKeywords: keywords.spelled,
  });
  const listing = createListing({
    library,
    spelledKeywords: keywords.spelled,
    timeZone: config.timeZone,
  });
  const search = createSearchService({
    library,
    retrieval,
    listing,
    timeZone: config.timeZone,
    history,
    index,
    model,
    countQuery: subscription.countQuery,
    spokenAnswer: audio.spoken,
    now,
  });
  const subjects = createSubjectsRepository(database);
  const recommendations = createRecommendationsService({
    library,
    subjects,
    ask: createQuestionAsker({ library, retrieval, index, now, timeZone: config.timeZone }),
    log,
  });
  const suggestions = createSuggestionsService({
    earlierQuestions: createEarlierQuestions(database),
    keywords: keywords.list,
    newestSubjects: subjects.newest,
    libraryVersion: library.version,
  });
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
      () => ({ name: 'speech', ...speaker.describe() }),
      () => ({ name: 'embeddings', ...embedding.describe() }),
      () => ({ name: 'recognition', ...describeRecognition(config) }),
      () => ({ name: 'transcription', ...transcriber.describe() }),
      () => ({ name: 'vision', ...describer.describe() }),
      () => ({ name: 'ffmpeg', ...ffmpeg.describe() }),
    ],
  });

  const upkeep = createUpkeepService({
    sets,
    files,
    index: withVectors(index, embedding),
    log,
    readAgain,
    giveUp: ingestion.giveUp,
    existingUsers: auth.accounts.existing,
    existingArtifacts: artifactsRepository.known,
    arriving: intake.arriving,
    underWay: ingestion.underWay,
  });

  await ingestion.define();
  await deletion.define();
  await keywordTerms.define();

  const closing = new AbortController();
  let upkeepTimer: NodeJS.Timeout | undefined;
  let upkeepRun: Promise<void> = Promise.resolve();
  const runUpkeep = (tasks: readonly (() => Promise<unknown>)[]): void => {
    upkeepRun = upkeepRun
      .then(async () => {
        for (const task of tasks) if (!closing.signal.aborted) await task();
      })
      .catch((error: unknown) => log.error({ err: error }, 'the upkeep failed'));
  };

  return {
    version: manifest.version,
    config,
    log,
    now,
    checkAnswers,
    webFolder,
    database,
    jobs,
    index,
    embedding,
    files,
    courtesy,
    lane,
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
      suggestions,
      system,
      upkeep,
    },

    /** Begins the background work: jobs that wait, what a kill left behind, regular upkeep. */
    async start(): Promise<void> {
      await jobs.start();
      // Beside the first requests: it waits for nobody, and nobody for it.
      const sweep = () => upkeep.sweep(closing.signal);
      runUpkeep([sweep]);
      embedding.start();
      const tasks = [auth.cleanUp, sweep, database.maintain];
      upkeepTimer = setInterval(() => runUpkeep(tasks), UPKEEP_INTERVAL_MS).unref();
    },

    /** Ends everything in the order in which it leans on each other. */
    async close(): Promise<void> {
      clearInterval(upkeepTimer);
      closing.abort();
      await upkeepRun;
      await jobs.stop({ graceful: true });
      await pool.close();
      await lane.close();
      await speaker.close();
      await auth.drain();
      await embedding.close();
      await recommendations.drain();
      await index.close();
      mailer.close();
      await database.close();
      lock?.release();
    },
  };
}

/** What the app is built from. */
export type Dependencies = Awaited<ReturnType<typeof createDependencies>>;
