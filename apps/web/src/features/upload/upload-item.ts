import { randomId } from '@mantine/hooks';
import type { RefusalKind } from './file-rules.ts';
import { fileNameFor } from './merge-content.ts';

export interface UploadItem {
  id: string;
  file: File;
  /** The text of a note; null for a file. */
  note: string | null;
  name: string;
  size: number;
  /** `chosen` items are listed in the upload panel and wait for its UPLOAD button. */
  status: 'chosen' | 'waiting' | 'sending' | 'sent' | 'failed';
  /** Share of its bytes that is sent, 0 to 1. */
  progress: number;
  keywords: readonly string[];
  uploadKeywords: readonly string[];
  source: 'Web' | 'Share';
  /** Whether the upload panel lists it, which it does until all its items are sent. */
  isInPanel: boolean;
  path: string | null;
  artifactId: string | null;
  isKnown: boolean;
  message: string | null;
  /** Why it cannot be sent: it is refused, or a reload lost it. */
  problem: RefusalKind | 'lost' | null;
  notice: string | null;
}

export const newItem = (file: File, more: Partial<UploadItem> = {}): UploadItem => ({
  // `crypto.randomUUID` does not exist on pages without https.
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

export const newNote = (text: string, more: Partial<UploadItem> = {}): UploadItem =>
  newItem(new File([text], fileNameFor(text), { type: 'text/plain' }), { note: text, ...more });

export const isOpen = ({ status }: UploadItem): boolean =>
  status === 'waiting' || status === 'sending';
