import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import { openFileStore, roomOf } from './file-store.ts';
import { createLinkHolders } from './link-holders.ts';
import { openSearchIndex } from './search-index.ts';
import { createArtifactsRepository } from '../features/artifacts/artifacts.repository.ts';
import { createLibrary } from '../features/artifacts/library.ts';
import {
  createLibraryVersions,
  type LibraryChanged,
} from '../features/artifacts/library-versions.ts';
import { createReadingsRepository } from '../features/artifacts/readings.repository.ts';
import { createTextsRepository } from '../features/artifacts/texts.repository.ts';
import { createRereading } from '../features/artifacts/rereading.ts';
import { createReadingQueue } from '../features/ingestion/reading-queue.ts';
import { createFileLinks } from '../features/artifacts/file-links.ts';
import { assertNotRestoring } from '../features/backup/restore.ts';
import { createUsersRepository } from '../features/auth/users.repository.ts';
import { createEmbeddingService } from '../features/embedding/embedding.service.ts';
import { guardFiles, guardIndex } from '../features/deletion/deleted-account-guards.ts';
import { createDeletedAccounts } from '../features/deletion/deleted-accounts.ts';
import { createEmbedder } from '../platform/ai/encoders/embedder.ts';
import { lockDataFolder } from '../platform/database/data-folder-lock.ts';
import { type Database, openDatabase } from '../platform/database/database.ts';
import { assertInstallation, type SharedPlaces } from '../platform/database/installation.ts';
import { migrate, schemaName } from '../platform/database/migrate.ts';
import { type HeldDatabase, holdDatabase } from '../platform/database/only-server.ts';
import { createBackgroundYield } from '../platform/http/background-yield.ts';
import { createJobs } from '../platform/jobs/jobs.ts';
import type { Observability } from '../platform/observability/open-observability.ts';
import { traceDatabase } from '../platform/observability/traced-database.ts';
import { traced } from '../platform/observability/tracing.ts';

export interface StorageOptions {
  log: FastifyBaseLogger;
  now: () => Date;
  observability: Observability;
  /** How long finding by meaning may hold up an answer, in milliseconds. */
  meaningMs: number;
  /** Bytes that the disk of a folder has left; without it the disk is asked. */
  freeBytes?: ((folder: string) => Promise<number>) | undefined;
  /** Makes the data folder and the secret those of the database, see {@link assertInstallation}. */
  takeOver?: boolean | undefined;
}

/** Where servers keep what they share, without what opens it; null where one keeps it alone. */
function sharedPlaces({
  notShared,
  files = '',
  search = '',
  searchIndex: index,
}: Config): SharedPlaces | null {
  if (notShared.length > 0) return null;
  const { origin, pathname } = new URL(search);
  return { files, search: `${origin}${pathname} (${index})` };
}

/**
 * Opens the database for this process, or for it and those that share all with it, until it is
 * closed, with the data folder and the secret that belong to it, and brings it to the newest schema.
 */
async function openOwnDatabase(config: Config, options: StorageOptions): Promise<Database> {
  const { databaseUrl: url, dataDir, secret, notShared: missing } = config;
  const { log, takeOver } = options;
  assertNotRestoring(dataDir);
  // The embedded database locks the folder itself; what is in it is one process's either way.
  const folder = url ? lockDataFolder(dataDir) : null;
  let held: HeldDatabase | null = null;
  let opened: Database | null = null;
  const close = async (): Promise<void> => {
    held?.release();
    await opened?.close();
    folder?.release();
  };
  try {
    opened = await openDatabase({ url, dataDir, log, template: await schemaName() });
    if (url) held = await holdDatabase(opened, { log, missing });
    const shared = sharedPlaces(config);
    await assertInstallation(opened, { dataDir, secret, missing, shared, takeOver });
    await migrate(opened);
    return { ...opened, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Where everything is kept: the database, the files and the search index. */
export async function openStorage(config: Config, options: StorageOptions) {
  const { log, now, meaningMs, freeBytes, observability } = options;
  const { tracing, observer } = observability;
  const database = await openOwnDatabase(config, options);
  traceDatabase(database.pool, tracing);
  const jobs = await createJobs({ database, log, observer });
  const backgroundYield = createBackgroundYield();
  const deletedAccounts = createDeletedAccounts(database, now);
  const room = roomOf(config, config.dataDir, freeBytes);
  const store = await openFileStore(config, { room, freeBytes });
  const files = guardFiles(store, deletedAccounts.has);
  const index = traced(
    tracing,
    'index',
    guardIndex(await openSearchIndex(config, log), deletedAccounts.has),
    ['search', 'nearest', 'similarTerms', 'rowsAt', 'replace', 'remove'],
  );
  const artifactsRepository = createArtifactsRepository(database);
  const versions = createLibraryVersions(database);
  const signing = { secret: config.secret, isAlive: createLinkHolders(database, now), now };
  const links = createFileLinks(signing);
  const texts = createTextsRepository(database);
  const library = createLibrary(database, texts, {
    artifactsRepository,
    links,
    version: versions.of,
  });
  const readingQueue = createReadingQueue(jobs);
  const { yieldToRequests } = backgroundYield;
  const onReady = (): void => embedding.modelIsReady();
  const embedding = createEmbeddingService({
    embedder: createEmbedder(config, { log, yieldToRequests, onReady }),
    openEmbedder: (embeddings) =>
      createEmbedder({ ...config, embeddings }, { log, mayFetch: false }),
    index,
    jobs,
    owners: artifactsRepository.owners,
    fileNames: artifactsRepository.fileNames,
    log,
    timeLimitMs: meaningMs,
    yieldToRequests,
    makesVectors: config.role !== 'web',
  });

  const libraryChanged: LibraryChanged = async (tx, ...userIds) => {
    await versions.raise(tx, userIds);
    database.afterCommit(() => userIds.forEach(embedding.changed));
  };

  return {
    database,
    jobs,
    backgroundYield,
    deletedAccounts,
    emailOf: createUsersRepository(database).emailOf,
    /** What the disk has left. */
    room,
    files,
    index,
    embedding,
    artifactsRepository,
    signing,
    links,
    texts,
    library,
    readingQueue,
    readAgain: createRereading(database, artifactsRepository, readingQueue, now),
    libraryChanged,
    readings: createReadingsRepository(database, libraryChanged),
  };
}

export type Storage = Awaited<ReturnType<typeof openStorage>>;
