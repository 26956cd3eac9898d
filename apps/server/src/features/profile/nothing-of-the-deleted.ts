import type { FileStore } from '../../platform/files/files.ts';
import type { SearchIndex } from '../../platform/index/search-index.ts';

/** Whether somebody deleted their account. */
type IsDeleted = (userId: string) => Promise<boolean>;

/** Whatever comes of the writing: also one that failed may have left something. */
async function afterwards<Written>(
  written: Promise<Written>,
  forget: () => Promise<unknown>,
): Promise<Written> {
  await written.catch(() => undefined);
  await forget();
  return written;
}

/**
 * The file store for what may still be writing when an account is deleted, on whichever server: what
 * was on its way goes. Whoever writes finds out by the rows that are gone.
 */
export function filesOfAccounts(files: FileStore, isDeleted: IsDeleted): FileStore {
  return {
    ...files,
    write: (key, content) =>
      afterwards(files.write(key, content), async () => {
        const [userId = ''] = key.split('/');
        if (await isDeleted(userId)) await files.removePrefix(userId);
      }),
  };
}

/** The same of the search index. What it finds is looked up in the database before anybody sees it. */
export function indexOfAccounts(index: SearchIndex, isDeleted: IsDeleted): SearchIndex {
  const forget = async (userId: string): Promise<void> => {
    if (await isDeleted(userId)) await index.removeUser(userId);
  };
  return {
    ...index,
    replace: (userId, artifacts) =>
      afterwards(index.replace(userId, artifacts), () => forget(userId)),
    addVectors: (userId, model, vectors) =>
      afterwards(index.addVectors(userId, model, vectors), () => forget(userId)),
    completeModel: (userId, model) =>
      afterwards(index.completeModel(userId, model), () => forget(userId)),
  };
}
