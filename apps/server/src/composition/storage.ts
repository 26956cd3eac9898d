import path from 'node:path';
import { and, eq, gt, isNull, or } from 'drizzle-orm';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import { openFileStore, roomOf } from './file-store.ts';
import { apiKeys } from '../features/api-keys/api-keys.tables.ts';
import { sessions } from '../features/auth/auth.tables.ts';
import { connections } from '../features/connections/connections.tables.ts';
import { createArtifactsRepository } from '../features/artifacts/artifacts.repository.ts';
import { createLibrary } from '../features/artifacts/library.ts';
import {
  createLibraryVersions,
  type LibraryChanged,
} from '../features/artifacts/library.repository.ts';
import {
  createExtractionsRepository,
  createReprocessing,
} from '../features/artifacts/extractions.repository.ts';
import { createTextsRepository } from '../features/artifacts/texts.repository.ts';
import { createExtractionQueue } from '../features/ingestion/extraction-queue.ts';
import { createFileLinks } from '../features/artifacts/artifacts.presenter.ts';
import { assertNotRestoring } from '../features/backup/restore.ts';
import { createUsersRepository } from '../features/auth/users.repository.ts';
import { createFilePasswords } from '../features/artifacts/file-passwords.repository.ts';
import { createEmbeddingService } from '../features/embedding/embedding.service.ts';
import {
  createDeletedAccounts,
  guardFiles,
  guardIndex,
} from '../features/deletion/deleted-accounts.ts';
import { createWebhookEvents } from '../features/webhooks/webhook-events.ts';
import { createEmbedder } from '../platform/ai/encoders/embedder.ts';
import { lockDataFolder } from '../platform/database/data-folder-lock.ts';
import { type Database, openDatabase } from '../platform/database/database.ts';
import { assertInstallation, type SharedPlaces } from '../platform/database/installation.ts';
import { migrate, schemaName } from '../platform/database/migrate.ts';
import { lockDatabase } from '../platform/database/database-lock.ts';
import type { LinkHolder } from '../platform/http/signed-links.ts';
import { createBackgroundYield } from '../platform/http/background-yield.ts';
import { openSqliteIndex, removeEarlierIndex } from '../platform/index/sqlite/sqlite-index.ts';
import type { SearchIndex } from '../platform/index/search-index.ts';
import { createJobs } from '../platform/jobs/jobs.ts';
import type { Observability } from '../platform/observability/open-observability.ts';
import { traceDatabase } from '../platform/observability/traced-database.ts';
import { traced } from '../platform/observability/tracing.ts';

interface StorageOptions {
  log: FastifyBaseLogger;
  now: () => Date;
  observability: Observability;
  /** How long a search by meaning may delay an answer, in milliseconds. */
  meaningMs: number;
  /** Free bytes on the disk of a folder. Default: as reported by the system. */
  freeBytes?: ((folder: string) => Promise<number>) | undefined;
  /** Records this data folder and secret as those of the database, see {@link assertInstallation}. */
  replaceInstallation?: boolean | undefined;
}

/** Addresses of the shared storage, without secrets. Null if this server shares nothing. */
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
 * Opens, locks and migrates the database, and checks that the data folder and the secret belong to it.
 * Closing it releases the lock. Servers that share all storage share the lock.
 */
async function openLockedDatabase(config: Config, options: StorageOptions): Promise<Database> {
  const { databaseUrl: url, dataDir, secret, notShared: missing } = config;
  const { log, replaceInstallation } = options;
  assertNotRestoring(dataDir);
  // The embedded database locks the folder itself.
  const folder = url ? lockDataFolder(dataDir) : null;
  let release = (): void => undefined;
  let opened: Database | null = null;
  const close = async (): Promise<void> => {
    release();
    await opened?.close();
    folder?.release();
  };
  try {
    opened = await openDatabase({ url, dataDir, log, template: await schemaName() });
    if (url) release = await lockDatabase(opened, { log, missing });
    const shared = sharedPlaces(config);
    await assertInstallation(opened, { dataDir, secret, missing, shared, replaceInstallation });
    await migrate(opened);
    return { ...opened, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens the search index of ENGRAM_SEARCH. While OpenSearch does not respond, indexing waits. */
async function openSearchIndex(
  { search: url, searchIndex: name, dataDir }: Config,
  log: FastifyBaseLogger,
): Promise<SearchIndex> {
  if (url === undefined) {
    await removeEarlierIndex(dataDir);
    return openSqliteIndex({ folder: path.join(dataDir, 'index'), log });
  }
  // The library is large, so it is loaded only if it is needed.
  const { openOpenSearchIndex } = await import('../platform/index/opensearch/opensearch-index.ts');
  const index = openOpenSearchIndex({ url, name, log });
  await index.assertUsable().catch(() => undefined);
  return index;
}

/** Checks whether the session, API key or connection that requested a link still exists. */
function createLinkHolders({ db }: Database, now: () => Date) {
  return async ({ userId, sessionId, apiKeyId, connectionId }: LinkHolder): Promise<boolean> => {
    if (sessionId !== null) {
      const isOpen = and(eq(sessions.id, sessionId), gt(sessions.expiresAt, now()));
      return (await db.$count(sessions, and(eq(sessions.userId, userId), isOpen))) > 0;
    }
    if (apiKeyId !== null) {
      const isValid = or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now()));
      const isOwn = and(eq(apiKeys.userId, userId), eq(apiKeys.id, apiKeyId));
      return (await db.$count(apiKeys, and(isOwn, isValid))) > 0;
    }
    if (connectionId === null) return false;
    const isOwn = and(eq(connections.userId, userId), eq(connections.id, connectionId));
    return (await db.$count(connections, isOwn)) > 0;
  };
}

/** Opens the database, the files and the search index, with the repositories on them. */
export async function openStorage(config: Config, options: StorageOptions) {
  const { log, now, meaningMs, freeBytes, observability } = options;
  const { tracing, observer } = observability;
  const database = await openLockedDatabase(config, options);
  traceDatabase(database.pool, tracing);
  const jobs = createJobs({ database, log, observer });
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
  const library = createLibrary(database, texts, artifactsRepository, links, versions.find);
  const extractionQueue = createExtractionQueue(jobs);
  const { yieldToRequests } = backgroundYield;
  const onReady = (): void => embedding.modelIsReady();
  const embedding = createEmbeddingService({
    embedder: createEmbedder(config, { log, yieldToRequests, onReady }),
    openEmbedder: (embeddings) =>
      createEmbedder({ ...config, embeddings }, { log, mayFetch: false }),
    index,
    jobs,
    artifacts: artifactsRepository,
    log,
    timeLimitMs: meaningMs,
    yieldToRequests,
    makesVectors: config.role !== 'web',
  });

  const libraryChanged: LibraryChanged = async (tx, ...userIds) => {
    await versions.increment(tx, userIds);
    await embedding.changed(tx, userIds);
  };
  const webhookEvents = createWebhookEvents(database, jobs, now);

  return {
    database,
    jobs,
    backgroundYield,
    deletedAccounts,
    emailOf: createUsersRepository(database).emailOf,
    room,
    files,
    index,
    embedding,
    artifactsRepository,
    filePasswords: createFilePasswords(database, config.secret),
    signing,
    links,
    texts,
    library,
    extractionQueue,
    reprocess: createReprocessing(database, extractionQueue, now),
    libraryChanged,
    webhookEvents,
    extractions: createExtractionsRepository(database, libraryChanged, webhookEvents),
  };
}

export type Storage = Awaited<ReturnType<typeof openStorage>>;
