import { randomId } from '@mantine/hooks';
import type { UploadResult } from '@engram/contract';
import { refusalText, type RefusalKind } from './file-rules.ts';
import { fileNameFor } from './take-in.ts';

/** `chosen` items are listed in the upload panel and wait for its UPLOAD button. */
export type ItemStatus = 'chosen' | 'waiting' | 'sending' | 'sent' | 'failed';

/** A file or note on its way to the server. */
export interface UploadItem {
  id: string;
  file: File;
  /** The text of a note; null for a file. */
  note: string | null;
  name: string;
  /** Bytes. */
  size: number;
  status: ItemStatus;
  /** Share of its bytes that have left this machine, 0 to 1. */
  progress: number;
  keywords: readonly string[];
  /** Keywords of everything that was uploaded with it. */
  uploadKeywords: readonly string[];
  source: 'Web' | 'Share';
  /** Whether the upload panel lists it, until all that the panel sends has arrived. */
  isInPanel: boolean;
  /** Where it stands in a folder that was dropped. */
  path: string | null;
  /** What it was stored as; null until it is. */
  artifactId: string | null;
  /** Whether the same bytes were there already. */
  isKnown: boolean;
  /** Why it failed. */
  message: string | null;
  /** Why it cannot be sent again as it is: the browser refused it, or a reload lost it. */
  problem: RefusalKind | 'lost' | null;
  /** What was changed before it is sent. */
  notice: string | null;
}

/** A file that waits to be sent. */
export const newItem = (file: File, more: Partial<UploadItem> = {}): UploadItem => ({
  // Not crypto.randomUUID, which browsers keep from pages on plain http.
  id: randomId(),
  file,
  note: null,
  name: file.name,
  size: file.size,
  status: 'waiting',
  progress: 0,
  keywords: [],
  uploadKeywords: [],
  source: 'Web',
  isInPanel: false,
  path: null,
  artifactId: null,
  isKnown: false,
  message: null,
  problem: null,
  notice: null,
  ...more,
});

/** A text that waits to be sent, as a note unless the caller says otherwise. */
export const newNote = (text: string, more: Partial<UploadItem> = {}): UploadItem =>
  newItem(new File([text], fileNameFor(text), { type: 'text/plain' }), { note: text, ...more });

/** Whether it is still to be sent. */
export const isOpen = ({ status }: UploadItem): boolean =>
  status === 'waiting' || status === 'sending';

/** Takes what was sent out of the panel, once nothing in it is still to be sent. */
export const leavePanel = (items: readonly UploadItem[]): readonly UploadItem[] =>
  items.some((item) => item.isInPanel && isOpen(item))
    ? items
    : items.map((item) => (item.status === 'sent' ? { ...item, isInPanel: false } : item));

/** What the server's answer to one call says about an item; notes come last in a call. */
export function outcomes(
  batch: readonly UploadItem[],
  result: UploadResult,
): Map<string, Partial<UploadItem>> {
  const reasons = new Map(
    result.rejected.map((refused) => [refused.fileName, refusalText(refused)]),
  );
  // The answer lists what is stored in the order in which it was sent.
  const stored = result.artifacts.values();
  return new Map(
    batch.map((item): [string, Partial<UploadItem>] => {
      const message = (item.note === null && reasons.get(item.name)) || null;
      if (message) return [item.id, { status: 'failed', progress: 1, message }];
      const { artifactId = null, duplicate: isKnown = false, fileName } = stored.next().value ?? {};
      const name = item.note === null ? item.name : (fileName ?? item.name);
      return [item.id, { status: 'sent', progress: 1, message, artifactId, isKnown, name }];
    }),
  );
}
