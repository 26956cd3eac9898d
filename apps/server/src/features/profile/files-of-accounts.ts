import type { FileStore } from '../../platform/files/files.ts';
import { accountGone } from './profile.errors.ts';

/**
 * The file store for what may still be writing when an account is deleted: of somebody who is gone
 * nothing is stored, and what was on its way goes.
 */
export function withoutDeletedAccounts(
  files: FileStore,
  isDeleted: (userId: string) => boolean,
): FileStore {
  async function keep<Kept>(key: string, store: () => Promise<Kept>): Promise<Kept> {
    const [userId = ''] = key.split('/');
    if (isDeleted(userId)) throw accountGone();
    try {
      return await store();
    } finally {
      // Also a write that failed may have made the person's folder.
      if (isDeleted(userId)) await files.removePrefix(userId);
    }
  }
  return {
    ...files,
    write: (key, content) => keep(key, () => files.write(key, content)),
  };
}
