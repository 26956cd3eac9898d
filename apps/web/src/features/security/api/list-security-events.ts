import { listSecurityEvents as route } from '@engram/contract/browser';
import { api } from '../../../lib/api.ts';
import { usePages } from '../../../lib/use-pages.ts';

export const securityEventsKey = ['security-events'] as const;

/** What happened to the safety of the account, the newest first, page by page. */
export const useSecurityEvents = () =>
  usePages(securityEventsKey, (query, sending) => api.call(route, { query }, sending));
