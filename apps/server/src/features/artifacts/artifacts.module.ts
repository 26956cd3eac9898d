import type { Mount } from '../../platform/http/mount.ts';
import type { Core } from '../../composition/core.ts';
import { createArtifactsService } from './artifacts.service.ts';
import { createBulk } from './bulk.ts';
import { createFileViews } from './file-views.ts';
import { createFolderFiles } from './folder-files.ts';
import { createPortableFiles } from './portable-files.ts';
import { createRunningQuota, createUploadIntake } from './upload-intake.ts';
import { createUploadRecording, type FileServices } from './upload-recording.ts';
import { createZips } from './zips.ts';

export function createFiles(core: Core, services: FileServices) {
  const { storage } = core;
  const arriving = createRunningQuota(services.subscription.assertMayUpload);
  const intake = createUploadIntake(core, arriving, services.ingestion.pool.warmUp);
  const record = createUploadRecording(core, services, intake);
  const bulk = createBulk(core, services);
  const views = createFileViews(storage, services.ingestion.viewLane);
  const folderFiles = createFolderFiles(core, services);
  const zips = createZips(core, bulk);
  const artifacts = createArtifactsService(core, services, { intake, record, bulk });
  return {
    arriving,
    artifacts,
    portableFiles: createPortableFiles(storage, intake, record),
    bulk,
    zips,
    folderFiles,
    routes(mount: Mount): void {
      for (const { routes } of [artifacts, bulk, zips, folderFiles, views]) routes(mount);
    },
  };
}
