import { isSignedIn, onSessionChange } from '../../session/session.ts';
import type { UploadItem } from './upload-item.ts';

export interface UnsentFile extends Omit<UploadItem, 'file'> {
  type: string;
}

const KEY = 'engram-unsent';

/** The files of this tab that are not sent yet. They survive a reload. */
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
    // The storage is full, so the browser asks before a reload that would lose files.
    sessionStorage.removeItem(KEY);
  }
}

let interrupted = readUnsent();

onSessionChange(() => {
  if (!isSignedIn()) interrupted = [];
});

export const wasInterrupted = (): boolean => interrupted.length > 0;

export function takeInterrupted(): UnsentFile[] {
  const items = interrupted;
  interrupted = [];
  const ids = new Set(items.map(({ id }) => id));
  writeUnsent(readUnsent().filter(({ id }) => !ids.has(id)));
  return items;
}
