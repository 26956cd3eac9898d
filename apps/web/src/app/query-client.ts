import { ApiError } from '@engram/client';
import { QueryClient } from '@tanstack/react-query';

/** A refusal stays one however often it is asked for; a server that is down may come back. */
const isWorthRetrying = (failures: number, error: Error): boolean =>
  failures < 2 && !(error instanceof ApiError && error.status < 500);

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: 30_000, retry: isWorthRetrying, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  });
