import type { HistoryThread } from '@engram/contract';
import type { InfiniteData } from '@tanstack/react-query';

export interface HistoryFilter {
  /** Words to look for; empty for all. */
  q: string;
  savedOnly: boolean;
  archivedOnly: boolean;
}

export interface HistoryPage {
  entries: HistoryThread[];
  nextCursor: string | null;
  /** On all pages together. */
  total: number;
}

export type HistoryPages = InfiniteData<HistoryPage, string | null>;

/** What is done to a question. */
export interface HistoryChange {
  historyId: string;
  isBookmark?: boolean;
  isArchived?: boolean;
  /** Whether the other questions of its talk change too. */
  wholeThread?: boolean;
}
