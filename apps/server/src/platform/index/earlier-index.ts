import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { isUuid } from './search-index.ts';

/** Removes the search data of versions before 0.2. The files are reindexed from the database. */
export async function removeEarlierIndex(dataDir: string): Promise<void> {
  const index = path.join(dataDir, 'index');
  const entries = await readdir(index, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory() && isUuid(entry.name));
  for (const { name } of folders) await rm(path.join(index, name), { recursive: true });
  await rm(path.join(dataDir, 'vectors'), { recursive: true, force: true });
}
