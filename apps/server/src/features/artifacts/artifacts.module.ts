import { createArtifactsService } from './artifacts.service.ts';
import { createBulk } from './bulk.ts';
import { createFolderFiles } from './folder-files.ts';
import { createPortableFiles } from './portable-files.ts';
import { createRunningQuota } from './running-quota.ts';
import { createUploadIntake } from './upload-intake.ts';
import { createUploadRecording } from './upload-recording.ts';
import { createZipLinks } from './zip-links.ts';
import { createZips } from './zips.ts';
import type { ArtifactDeletion } from '../deletion/artifact-deletion.ts';
import type { KeywordsService } from '../keywords/keywords.service.ts';
import type { SubscriptionService } from '../subscription/subscription.service.ts';
import type { Core } from '../../composition/core.ts';
import type { Reading } from '../../composition/reading.ts';

/** Uploads, listings and changes of files. */
export function createFiles(
  { config, storage, log, now }: Core,
  services: {
    reading: Reading;
    deletion: ArtifactDeletion;
    keywords: KeywordsService;
    subscription: SubscriptionService;
  },
) {
  const { reading, deletion, keywords, subscription } = services;
  const { artifactsRepository: repository, files, links, signing, ...stored } = storage;
  const { assertMayUpload } = subscription;
  const arriving = createRunningQuota(assertMayUpload);
  const intake = createUploadIntake({
    files,
    limits: config,
    arriving,
    yieldToRequests: storage.backgroundYield.yieldToRequests,
    expectFile: reading.pool.warmUp,
  });
  const common = {
    ...stored,
    repository,
    deletion,
    intake,
    indexAgain: reading.indexing.enqueue,
    ensureKeywords: keywords.ensure,
    assertMayUpload,
    now,
  };
  const record = createUploadRecording(common);
  const bulk = createBulk(common);
  const zipLinks = createZipLinks(storage.database, signing);
  return {
    arriving,
    artifacts: createArtifactsService({ ...common, files, links, record }),
    portableFiles: createPortableFiles({ database: storage.database, files, intake, record }),
    bulk,
    zips: createZips({ bulk, files, links: zipLinks, log, isAlive: signing.isAlive, now }),
    zipLinks,
    folderFiles: createFolderFiles({ ...common, limits: config }),
  };
}

export type Files = ReturnType<typeof createFiles>;
