import { ApiError } from '@engram/client';

/** What is said above why the keywords are not there: whether the server refused, or nothing came of it. */
export const fetchFailure = (error: unknown): string =>
  error instanceof ApiError ? 'Failed to fetch keywords' : 'Error fetching keywords';
