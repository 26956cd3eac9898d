export const SHARE_INBOX = 'engram-share-inbox';

export const UNSENT_DATABASE = 'engram-unsent';

/** Deletes everything in this browser that has not been uploaded. */
export function deleteUnsentFiles(): void {
  globalThis.indexedDB?.deleteDatabase(SHARE_INBOX);
  globalThis.indexedDB?.deleteDatabase(UNSENT_DATABASE);
}
