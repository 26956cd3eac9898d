import type { QueryClient } from '@tanstack/react-query';

const queryKey = ['lastUpload'];

/** When this tab last uploaded something, in milliseconds since the epoch; 0 where it has not. */
export const lastUploadAt = (queries: QueryClient): number =>
  queries.getQueryData<number>(queryKey) ?? 0;

/** Notes that this tab uploads something now: lists of files are read more often for a while. */
export const noteUpload = (queries: QueryClient): void =>
  void queries.setQueryData<number>(queryKey, Date.now());
