/** Where things wait that other apps shared with this one. */
export const SHARE_INBOX = 'engram-share-inbox';

/** Removes everything that waits to be uploaded from this browser. */
export function forgetShared(): void {
  globalThis.indexedDB?.deleteDatabase(SHARE_INBOX);
}
