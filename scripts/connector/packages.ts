import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { Package } from './platforms.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');

/** Where archives are kept: they are large, and the same for every build. */
const CACHE = path.join(root, 'node_modules/.cache/engram/node');

const archiveOf = ({ name, version }: Package, cache: string): string =>
  path.join(cache, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);

/** Whether an archive is in the cache, so that nothing has to be downloaded. */
export const isCached = (wanted: Package, cache = CACHE): boolean =>
  existsSync(archiveOf(wanted, cache));

/** The registry's own client finds the package, and which registry that is is its setting. */
async function download({ name, version }: Package, cache: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  await run(npm, ['pack', `${name}@${version}`, '--pack-destination', cache], {
    cwd: root,
    shell: process.platform === 'win32',
  });
}

/** The archive of a package, as it was when its hash was written down. */
async function readArchive(wanted: Package, cache: string): Promise<Buffer> {
  if (!isCached(wanted, cache)) await download(wanted, cache);
  const archive = readFileSync(archiveOf(wanted, cache));
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  if (integrity === wanted.integrity) return archive;
  rmSync(archiveOf(wanted, cache));
  throw new Error(`${wanted.name} ${wanted.version} is not what it was: ${integrity}.`);
}

const BLOCK = 512;

/** A text of a tar header, up to its first zero. */
const textAt = (header: Buffer, from: number, length: number): string =>
  header.toString('latin1', from, from + length).split('\0')[0] ?? '';

/** A file of a tar archive; packages of npm have short names and small sizes, in octal. */
function fileOf(tar: Buffer, name: string): Buffer {
  for (let at = 0; at + BLOCK <= tar.length;) {
    const size = Number.parseInt(textAt(tar, at + 124, 12), 8) || 0;
    const start = at + BLOCK;
    if (textAt(tar, at, 100) === name) return tar.subarray(start, start + size);
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  throw new Error(`There is no ${name} in the archive.`);
}

/** A file of a package, which is downloaded where it is not in the cache. */
export async function readFileOf(wanted: Package, file: string, cache = CACHE): Promise<Buffer> {
  return fileOf(gunzipSync(await readArchive(wanted, cache)), file);
}

/** A file of a package on the disk, taken out of its archive once. */
export async function extractFileOf(wanted: Package, file: string): Promise<string> {
  const hash = createHash('sha256').update(wanted.integrity).digest('hex').slice(0, 12);
  const target = path.join(CACHE, `${hash}-${path.basename(file)}`);
  if (existsSync(target)) return target;
  const content = await readFileOf(wanted, file);
  // A build that is ended in between leaves no half of it.
  writeFileSync(`${target}.part`, content, { mode: 0o755 });
  renameSync(`${target}.part`, target);
  return target;
}
