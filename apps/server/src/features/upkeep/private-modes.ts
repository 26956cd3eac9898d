import { chmod, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { createTallies, type Tally } from './findings.ts';

/** What a file's group and everybody else may do with it. */
const OTHERS = 0o077;

/** All that stands in a folder, and the folder itself; what a link leads to is not among it. */
async function* entriesOf(folder: string): AsyncGenerator<string> {
  yield folder;
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* entriesOf(full);
    else if (entry.isFile()) yield full;
  }
}

/** Answers whether it could be done: it may be another user's. */
const close = (entry: string, mode: number): Promise<boolean> =>
  chmod(entry, mode & ~OTHERS & 0o7777).then(
    () => true,
    () => false,
  );

/**
 * Looks for files and folders of a data folder that other users of the machine may open, and closes
 * them where asked to. Finds nothing on Windows, where a folder's list of users says who may.
 */
export async function checkModes(dataDir: string, fix: boolean): Promise<Tally[]> {
  const tallies = createTallies();
  if (process.platform === 'win32') return tallies.list();
  for await (const entry of entriesOf(dataDir)) {
    // It may have gone since it was listed.
    const mode = await stat(entry).then(
      ({ mode: known }) => known,
      () => 0,
    );
    if ((mode & OTHERS) === 0) continue;
    const closed = fix && (await close(entry, mode));
    tallies.count('open-to-others', path.relative(dataDir, entry) || '.', closed);
  }
  return tallies.list();
}
