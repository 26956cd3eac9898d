import path from 'node:path';
import { type Elsewhere, folderName } from '@engram/folder-sync';
import type { Config } from '../../config.ts';
import { WatchedFolder, type WatchedFolderDependencies } from './watched-folder.ts';
import { createWatchedSteps, type StepsDependencies } from './watched-steps.ts';

export interface WatchedFoldersDependencies
  extends
    Omit<WatchedFolderDependencies, 'doSteps' | 'elsewhere' | 'folderFiles'>,
    Omit<StepsDependencies, 'folderFiles'> {
  settings: Config['watch'];
  folderFiles: WatchedFolderDependencies['folderFiles'] & StepsDependencies['folderFiles'];
}

/** Folders of the server's own machine that are kept in step, each for one account. */
export function createWatchedFolders({ settings, ...deps }: WatchedFoldersDependencies) {
  const doSteps = createWatchedSteps(deps);
  const folders: WatchedFolder[] = [];

  const elsewhere = (asking: WatchedFolder, userId: string, sha256: string): Elsewhere | null => {
    for (const folder of folders) {
      const found = folder === asking ? null : folder.holderOf(userId, sha256);
      if (found) return found;
    }
    return null;
  };

  /** Names by account: two folders of one person are told apart. */
  const names = new Map<string, Set<string>>();
  for (const { folder, email } of settings) {
    const root = path.resolve(folder);
    const taken = names.get(email) ?? new Set();
    names.set(email, taken);
    const name = folderName(root, taken);
    taken.add(name);
    folders.push(new WatchedFolder({ root, name, email }, { ...deps, doSteps, elsewhere }));
  }

  return {
    /** Looks at all folders that are due. */
    async look(): Promise<void> {
      await Promise.all(folders.map((folder) => folder.look()));
    },

    start(): void {
      for (const folder of folders) folder.start();
    },

    async close(): Promise<void> {
      await Promise.all(folders.map((folder) => folder.close()));
    },
  };
}
