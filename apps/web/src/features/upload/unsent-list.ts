import { isSignedIn, onSessionChange } from '../../session/session.ts';

/** A file whose upload had begun, as the tab's session storage lists it. */
export interface UnsentFile {
  id: string;
  name: string;
  /** Bytes. */
  size: number;
  /** Media type. */
  type: string;
  path: string | null;
  keywords: readonly string[];
  /** Keywords of everything that was uploaded with it. */
  uploadKeywords: readonly string[];
  /** The text of a note; null for a file. */
  note: string | null;
}

const KEY = 'engram-unsent';

/** Files of this tab that are not sent yet; a reload keeps the list, and signing out clears it. */
export function readUnsent(): UnsentFile[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as UnsentFile[];
  } catch {
    return [];
  }
}

export function writeUnsent(files: readonly UnsentFile[]): void {
  try {
    if (files.length > 0) sessionStorage.setItem(KEY, JSON.stringify(files));
    else sessionStorage.removeItem(KEY);
  } catch {
    // The storage is full: a reload would lose what is not sent, and the browser asks first.
    sessionStorage.removeItem(KEY);
  }
}

let interrupted = readUnsent();

// It belongs to the user who sent it.
onSessionChange(() => {
  if (!isSignedIn()) interrupted = [];
});

/** Whether a reload interrupted an upload, and it has not been resumed yet. */
export const wasInterrupted = (): boolean => interrupted.length > 0;

/** What a reload interrupted; it is answered once. */
export function takeInterrupted(): UnsentFile[] {
  const taken = interrupted;
  interrupted = [];
  const ids = new Set(taken.map(({ id }) => id));
  writeUnsent(readUnsent().filter(({ id }) => !ids.has(id)));
  return taken;
}
