export const SHARE_INBOX = 'engram-share-inbox';

export const UNSENT_DATABASE = 'engram-unsent';

/** Removes everything that waits to be uploaded from this browser. */
export function forgetShared(): void {
  globalThis.indexedDB?.deleteDatabase(SHARE_INBOX);
  globalThis.indexedDB?.deleteDatabase(UNSENT_DATABASE);
}
