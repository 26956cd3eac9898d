import { listSecurityEvents as route } from '@engram/contract/browser';
import { api } from '../../../api/api.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import { usePages } from '../../../api/use-pages.ts';

/** What happened to the safety of the account, the newest first, page by page. */
export const useSecurityEvents = () =>
  usePages(queryKeys.securityEvents, (query, sending) => api.call(route, { query }, sending));
