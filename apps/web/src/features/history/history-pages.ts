import type { HistoryThread } from '@engram/contract';
import { listThreads } from '@engram/contract/browser';
import type { InfiniteData } from '@tanstack/react-query';
import { keyOf } from '../../api/keys.ts';

/** Prefix of the keys of all lists of questions; a list's key ends with its filter. */
export const listsKey = [...keyOf(listThreads), 'list'];

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
