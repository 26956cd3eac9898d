import type { FileStore } from '../../platform/files/files.ts';
import type { SearchIndex } from '../../platform/index/search-index.ts';
import { accountGone } from './profile.errors.ts';

/** Whether somebody deleted their account. */
type IsDeleted = (userId: string) => Promise<boolean>;

/**
 * The file store for what may still be writing when an account is deleted, on whichever server: of
 * somebody who is gone what was on its way goes.
 */
export function filesOfAccounts(files: FileStore, isDeleted: IsDeleted): FileStore {
  return {
    ...files,
    async write(key, content) {
      const [userId = ''] = key.split('/');
      const written = files.write(key, content);
      // Also a write that failed may have made the person's folder.
      await written.catch(() => undefined);
      if (!(await isDeleted(userId))) return written;
      await files.removePrefix(userId);
      throw accountGone();
    },
  };
}

/** The same of the search index. What it finds is looked up in the database before anybody sees it. */
export function indexOfAccounts(index: SearchIndex, isDeleted: IsDeleted): SearchIndex {
  const keep = async (userId: string, written: Promise<void>): Promise<void> => {
    await written.catch(() => undefined);
    if (await isDeleted(userId)) await index.removeUser(userId);
    else await written;
  };
  return {
    ...index,
    replace: (userId, artifacts) => keep(userId, index.replace(userId, artifacts)),
    addVectors: (userId, model, vectors) => keep(userId, index.addVectors(userId, model, vectors)),
  };
}
