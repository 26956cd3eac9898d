import { createArtifactsService } from '../features/artifacts/artifacts.service.ts';
import { createBulk } from '../features/artifacts/bulk.ts';
import { createDeletedContents } from '../features/artifacts/deleted-contents.ts';
import { createDeletion } from '../features/artifacts/deletion.ts';
import { createFolderFiles } from '../features/artifacts/folder-files.ts';
import { createPortableFiles } from '../features/artifacts/portable-files.ts';
import { createReplacement } from '../features/artifacts/replacement.ts';
import { createRereading } from '../features/artifacts/rereading.ts';
import { createRunningQuota } from '../features/artifacts/running-quota.ts';
import { createUploadIntake } from '../features/artifacts/upload-intake.ts';
import { createUploadRecording } from '../features/artifacts/upload-recording.ts';
import { createZipLinks } from '../features/artifacts/zip-links.ts';
import { createZips } from '../features/artifacts/zips.ts';
import type { HistoryService } from '../features/history/history.service.ts';
import { createIndexing } from '../features/ingestion/indexing.ts';
import type { KeywordsService } from '../features/keywords/keywords.service.ts';
import type { SubscriptionService } from '../features/subscription/subscription.service.ts';
import {
  createWatchedFolders,
  type WatchedFoldersDependencies,
} from '../features/watched-folders/watched-folders.service.ts';
import type { Core } from './core.ts';
import type { Reading } from './reading.ts';

interface Parts extends Pick<WatchedFoldersDependencies, 'accountOf' | 'devices'> {
  reading: Reading;
  keywords: KeywordsService;
  history: HistoryService;
  subscription: SubscriptionService;
}

/** How files come, change, follow each other and go. */
export function createFiles({ config, storage, version, log, now }: Core, parts: Parts) {
  const { reading, keywords, history, subscription, accountOf, devices } = parts;
  const { database, artifactsRepository, sets, jobs, index, libraryChanged } = storage;
  const { enqueueReadings, cancelReadings } = reading.ingestion;
  const { assertMayUpload } = subscription;

  const arriving = createRunningQuota(assertMayUpload);
  const intake = createUploadIntake({
    files: storage.files,
    limits: config,
    arriving,
    stepBack: storage.courtesy.stepBack,
    expectFile: reading.pool.warmUp,
  });
  const readAgain = createRereading({ database, sets, enqueueReadings, now });
  const deletedContents = createDeletedContents(database, config.secret);
  const deletion = createDeletion({
    database,
    sets,
    deletedContents,
    jobs,
    files: storage.files,
    index: storage.index,
    log,
    cancelReadings,
    redactHistory: history.redact,
    libraryChanged,
    now,
  });
  const replacement = createReplacement({ database, deleteReplaced: deletion.deleteChosen });
  const indexing = createIndexing({
    readings: reading.readings,
    index,
    jobs,
    log,
    now,
    readAgain,
  });
  const common = {
    database,
    repository: artifactsRepository,
    deletedContents,
    enqueueReadings,
    indexAgain: indexing.enqueue,
    ensureKeywords: keywords.ensure,
    assertMayUpload,
    libraryChanged,
    now,
  };
  const record = createUploadRecording({ ...common, intake, readAgain, replacement });
  const { files, links, signing } = storage;
  const artifacts = createArtifactsService({ ...common, files, links, intake, record, deletion });
  const portableFiles = createPortableFiles({ database, files, intake, record });
  const bulk = createBulk({ ...common, deletion });
  const zipLinks = createZipLinks(database, signing);
  const zips = createZips({
    bulk,
    files,
    links: zipLinks,
    log,
    isAlive: signing.isAlive,
    now,
  });
  const folderFiles = createFolderFiles({ ...common, replacement, limits: config });
  const watchedFolders = createWatchedFolders({
    settings: config.watch,
    accountOf,
    devices,
    artifacts,
    folderFiles,
    stepBack: storage.courtesy.stepBack,
    limits: { media: config.mediaLimitMb * 1_048_576, other: config.uploadLimitMb * 1_048_576 },
    version,
    log,
    now,
  });
  return {
    arriving,
    intake,
    readAgain,
    deletion,
    deletedContents,
    replacement,
    indexing,
    /** A person's files that somebody reads or indexes, or is going to. */
    underWay: async (userId: string) =>
      (await indexing.underWay(userId)).union(await reading.ingestion.underWay(userId)),
    artifacts,
    portableFiles,
    bulk,
    zips,
    zipLinks,
    folderFiles,
    watchedFolders,
  };
}
