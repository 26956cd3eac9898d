import type { UserFile } from './user-file.ts';

/** Limits on artifacts, as JSON arrays of their ids: `json_each` reads them faster than a list comes. */
export interface Limits {
  only: string | null;
  exclude: string | null;
}

/** The numbers of the artifacts within limits, as a JSON array, and how many chunks they have; null for all. */
export function allowedArtifacts(
  { sql }: UserFile,
  { only, exclude }: Limits,
): { artifacts: string; chunks: number } | null {
  if (only === null && exclude === null) return null;
  const found = only
    ? sql.get`SELECT json_group_array(number) AS artifacts, coalesce(sum(chunks), 0) AS chunks
        FROM artifacts WHERE id IN (SELECT value FROM json_each(${only}))
          AND id NOT IN (SELECT value FROM json_each(${exclude ?? '[]'}))`
    : sql.get`SELECT json_group_array(number) AS artifacts, coalesce(sum(chunks), 0) AS chunks
        FROM artifacts WHERE id NOT IN (SELECT value FROM json_each(${exclude}))`;
  return { artifacts: String(found?.['artifacts'] ?? '[]'), chunks: Number(found?.['chunks']) };
}
