import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Package } from './platforms.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');

/** The archives are large and the same for every build. */
const CACHE = path.join(root, 'node_modules/.cache/engram/node');

const archiveOf = ({ name, version }: Package, cache: string): string =>
  path.join(cache, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);

/** Whether the archive of a package is in the cache. */
export const isCached = (source: Package): boolean => existsSync(archiveOf(source, CACHE));

/** Downloads a package with npm, which uses the configured registry. */
async function download({ name, version }: Package, cache: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  await run(npm, ['pack', `${name}@${version}`, '--pack-destination', cache], {
    cwd: root,
    shell: process.platform === 'win32',
  });
}

/**
 * Extracts the file of a package, downloading the package if it is not cached. Returns the path of
 * the file. Throws if the hash of the package is wrong.
 */
export async function extractFile(source: Package, cache = CACHE): Promise<string> {
  const archive = archiveOf(source, cache);
  if (!existsSync(archive)) await download(source, cache);
  const hash = createHash('sha512').update(readFileSync(archive)).digest('base64');
  if (`sha512-${hash}` !== source.integrity) {
    rmSync(archive);
    throw new Error(`${source.name} ${source.version} has an unexpected hash: sha512-${hash}.`);
  }
  const folder = archive.replace(/\.tgz$/u, '');
  mkdirSync(folder, { recursive: true });
  await run('tar', ['-xzf', archive, '-C', folder, source.file]);
  return path.join(folder, source.file);
}
