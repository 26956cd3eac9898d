import type { Artifact } from '@engram/contract';
import type { UploadItem } from './upload-item.ts';

/** How far something in the tray is. */
export type TrayStep = 'waiting' | 'sending' | 'reading' | 'ready' | 'failed';

/** The step of a file; one that is not among the newest was there before, and is read. */
export function stateOf(item: UploadItem, reading: Artifact | undefined): TrayStep {
  if (item.status === 'chosen') return 'waiting';
  if (item.status !== 'sent') return item.status;
  if (reading?.stage === 'failed') return 'failed';
  if (reading) return reading.stage === 'ready' ? 'ready' : 'reading';
  return item.isKnown ? 'ready' : 'reading';
}
