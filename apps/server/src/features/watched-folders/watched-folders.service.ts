import path from 'node:path';
import { type Elsewhere, folderName } from '@engram/folder-sync';
import type { Core } from '../../composition/core.ts';
import type { ArtifactsService } from '../artifacts/artifacts.service.ts';
import type { FolderFiles } from '../artifacts/folder-files.ts';
import type { AuthService } from '../auth/auth.service.ts';
import type { DevicesService } from '../devices/devices.service.ts';
import { WatchedFolder } from './watched-folder.ts';
import { createWatchedServer } from './watched-server.ts';

interface Services {
  accounts: Pick<AuthService['accounts'], 'ofEmail'>;
  devices: DevicesService;
  artifacts: ArtifactsService;
  folderFiles: FolderFiles;
}

/** Folders on the server's machine, each of which is uploaded for one account. */
export function createWatchedFolders(core: Core, services: Services) {
  const { config, storage } = core;
  const createServer = createWatchedServer(storage, services.artifacts, services.folderFiles);
  const limits = {
    media: config.mediaLimitMb * 1_048_576,
    other: config.uploadLimitMb * 1_048_576,
  };
  const folders: WatchedFolder[] = [];

  const elsewhere = (asking: WatchedFolder, userId: string, sha256: string): Elsewhere | null => {
    for (const folder of folders) {
      const found = folder === asking ? null : folder.holderOf(userId, sha256);
      if (found) return found;
    }
    return null;
  };

  /** Distinct names of folders by account. */
  const names = new Map<string, Set<string>>();
  for (const { folder, email } of config.watch) {
    const root = path.resolve(folder);
    const taken = names.get(email) ?? new Set();
    names.set(email, taken);
    const name = folderName(root, taken);
    taken.add(name);
    const deps = { ...services, createServer, limits, elsewhere };
    folders.push(new WatchedFolder({ root, name, email }, core, deps));
  }

  return {
    /** Scans all folders that are due. */
    async scan(): Promise<void> {
      await Promise.all(folders.map((folder) => folder.scan()));
    },

    start(): void {
      for (const folder of folders) folder.start();
    },

    async close(): Promise<void> {
      await Promise.all(folders.map((folder) => folder.close()));
    },
  };
}
