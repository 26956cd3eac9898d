import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Package } from './platforms.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');

/** The archives are large, and the same for every build. */
const CACHE = path.join(root, 'node_modules/.cache/engram/node');

const archiveOf = ({ name, version }: Package, cache: string): string =>
  path.join(cache, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);

/** Whether the archive of a package is in the cache. */
export const isCached = (wanted: Package): boolean => existsSync(archiveOf(wanted, CACHE));

/** Downloads a package with npm, which knows the registry to use. */
async function download({ name, version }: Package, cache: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  await run(npm, ['pack', `${name}@${version}`, '--pack-destination', cache], {
    cwd: root,
    shell: process.platform === 'win32',
  });
}

/**
 * Extracts the file of a package, which is downloaded if it is not in the cache. Returns the path of
 * the file. Throws if the package has another hash than it should.
 */
export async function extractFile(wanted: Package, cache = CACHE): Promise<string> {
  const archive = archiveOf(wanted, cache);
  if (!existsSync(archive)) await download(wanted, cache);
  const hash = createHash('sha512').update(readFileSync(archive)).digest('base64');
  if (`sha512-${hash}` !== wanted.integrity) {
    rmSync(archive);
    throw new Error(`${wanted.name} ${wanted.version} has an unexpected hash: sha512-${hash}.`);
  }
  const folder = archive.replace(/\.tgz$/u, '');
  mkdirSync(folder, { recursive: true });
  await run('tar', ['-xzf', archive, '-C', folder, wanted.file]);
  return path.join(folder, wanted.file);
}
