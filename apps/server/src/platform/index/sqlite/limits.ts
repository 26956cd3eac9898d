import type { UserFile } from './user-file.ts';

/** Limits on artifacts, as JSON arrays of their ids, which `json_each` reads fast. */
export interface Limits {
  only: string | null;
  exclude: string | null;
}

interface Allowed {
  artifacts: string;
  chunks: number;
}

interface Remembered extends Limits {
  version: unknown;
  allowed: Allowed;
}

/** The last limits of each file: a question is searched several times within the same ones. */
const last = new WeakMap<UserFile, Remembered>();

/** The artifacts within limits; null for all. */
export function allowedArtifacts(file: UserFile, { only, exclude }: Limits): Allowed | null {
  if (only === null && exclude === null) return null;
  // Changes when another connection has written.
  const version = file.db.prepare('PRAGMA data_version').get()?.['data_version'];
  const known = last.get(file);
  if (known?.version === version && known?.only === only && known.exclude === exclude) {
    return known.allowed;
  }
  const allowed = readAllowed(file, { only, exclude });
  last.set(file, { only, exclude, version, allowed });
  return allowed;
}

function readAllowed({ sql }: UserFile, { only, exclude }: Limits): Allowed {
  const found = only
    ? sql.get`SELECT json_group_array(number) AS artifacts, coalesce(sum(chunks), 0) AS chunks
        FROM artifacts WHERE id IN (SELECT value FROM json_each(${only}))
          AND id NOT IN (SELECT value FROM json_each(${exclude ?? '[]'}))`
    : sql.get`SELECT json_group_array(number) AS artifacts, coalesce(sum(chunks), 0) AS chunks
        FROM artifacts WHERE id NOT IN (SELECT value FROM json_each(${exclude}))`;
  return { artifacts: String(found?.['artifacts'] ?? '[]'), chunks: Number(found?.['chunks']) };
}
