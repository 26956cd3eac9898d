import type { FileStore } from '../../platform/files/files.ts';
import type { SearchIndex } from '../../platform/index/search-index.ts';

/** Whether an account was deleted. */
type IsDeleted = (userId: string) => Promise<boolean>;

/** Cleans up after a write, also after a failed one, which may have stored a part. */
async function writeThen<Written>(
  written: Promise<Written>,
  cleanUp: () => Promise<unknown>,
): Promise<Written> {
  await written.catch(() => undefined);
  await cleanUp();
  return written;
}

/** A file store that deletes what is written for an account that was deleted in the meantime. */
export function guardFiles(files: FileStore, isDeleted: IsDeleted): FileStore {
  return {
    ...files,
    write: (key, content) =>
      writeThen(files.write(key, content), async () => {
        const [userId = ''] = key.split('/');
        if (await isDeleted(userId)) await files.removePrefix(userId);
      }),
  };
}

/** A search index that does the same. Its results are always checked against the database. */
export function guardIndex(index: SearchIndex, isDeleted: IsDeleted): SearchIndex {
  const cleanUp = async (userId: string): Promise<void> => {
    if (await isDeleted(userId)) await index.removeUser(userId);
  };
  return {
    ...index,
    replace: (userId, artifacts) =>
      writeThen(index.replace(userId, artifacts), () => cleanUp(userId)),
    addVectors: (userId, model, vectors) =>
      writeThen(index.addVectors(userId, model, vectors), () => cleanUp(userId)),
    completeModel: (userId, model) =>
      writeThen(index.completeModel(userId, model), () => cleanUp(userId)),
  };
}
