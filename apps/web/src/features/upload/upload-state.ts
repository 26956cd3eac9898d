import { randomId } from '@mantine/hooks';
import type { UploadResult } from '@engram/contract';
import { refusalText, type RefusalKind } from './file-rules.ts';

export type ItemStatus = 'waiting' | 'sending' | 'sent' | 'refused';

/** Whether there is nothing to upload. */
export const isEmpty = ({ items, text }: Pick<UploadContent, 'items' | 'text'>): boolean =>
  items.length === 0 && text.trim() === '';

/** A chosen file on its way. */
export interface UploadItem {
  id: string;
  file: File;
  name: string;
  /** Bytes. */
  size: number;
  status: ItemStatus;
  /** Share of its bytes that have left this machine, 0 to 1. */
  progress: number;
  keywords: readonly string[];
  /** Where it stands in a folder that was dropped. */
  path: string | null;
  /** What it was stored as; null until it is. */
  artifactId: string | null;
  /** Whether the same bytes were there already. */
  isKnown: boolean;
  /** Why it was refused. */
  message: string | null;
  /** Why it was refused in the browser; such a file cannot be tried again as it is. */
  refusal: RefusalKind | null;
  /** What was changed before it is sent. */
  notice: string | null;
}

export interface UploadContent {
  items: readonly UploadItem[];
  text: string;
  keywords: readonly string[];
  /** What of it came from another app, until all of that is uploaded or removed. */
  shares: readonly string[];
}

export const emptyContent: UploadContent = { items: [], text: '', keywords: [], shares: [] };

export type UploadAction =
  | { type: 'add'; items: readonly UploadItem[] }
  | { type: 'take'; shares: readonly string[]; files: readonly File[]; text: string }
  | { type: 'settle' }
  | { type: 'remove'; id: string }
  | { type: 'tag'; id: string; keywords: readonly string[] }
  | { type: 'tagAll'; keywords: readonly string[] }
  | { type: 'write'; text: string }
  | { type: 'update'; changes: ReadonlyMap<string, Partial<UploadItem>> }
  | { type: 'dropSent' }
  | { type: 'clear' };

/** A file that has just been chosen. */
export const newItem = (file: File, path: string | null = null): UploadItem => ({
  // Not crypto.randomUUID, which browsers keep from pages on plain http.
  id: randomId(),
  file,
  name: file.name,
  size: file.size,
  status: 'waiting',
  progress: 0,
  keywords: [],
  path,
  artifactId: null,
  isKnown: false,
  message: null,
  refusal: null,
  notice: null,
});

export function uploadReducer(content: UploadContent, action: UploadAction): UploadContent {
  const { items } = content;
  switch (action.type) {
    case 'add':
      return { ...content, items: [...items, ...action.items] };
    case 'take':
      return {
        ...content,
        items: [...items, ...action.files.map((file) => newItem(file))],
        text: action.text,
        shares: [...content.shares, ...action.shares],
      };
    case 'settle':
      return { ...content, shares: [] };
    case 'remove':
      return { ...content, items: items.filter((item) => item.id !== action.id) };
    case 'tag':
      return {
        ...content,
        items: items.map((item) =>
          item.id === action.id ? { ...item, keywords: action.keywords } : item,
        ),
      };
    case 'tagAll':
      return { ...content, keywords: action.keywords };
    case 'write':
      return { ...content, text: action.text };
    case 'update':
      return {
        ...content,
        items: items.map((item) => ({ ...item, ...action.changes.get(item.id) })),
      };
    case 'dropSent':
      return { ...content, items: items.filter((item) => item.status !== 'sent') };
    case 'clear':
      return { ...emptyContent, shares: content.shares };
  }
}

/** What the server's answer to one call says about each of its files. */
export function outcomes(
  batch: readonly UploadItem[],
  result: UploadResult,
): Map<string, Partial<UploadItem>> {
  const reasons = new Map(
    result.rejected.map((refused) => [refused.fileName, refusalText(refused)]),
  );
  // Those that are stored are told in the order in which they were sent.
  const stored = result.artifacts.values();
  return new Map(
    batch.map((item): [string, Partial<UploadItem>] => {
      const message = reasons.get(item.name) ?? null;
      if (message) return [item.id, { status: 'refused', progress: 1, message }];
      const { artifactId = null, duplicate: isKnown = false } = stored.next().value ?? {};
      return [item.id, { status: 'sent', progress: 1, message, artifactId, isKnown }];
    }),
  );
}
