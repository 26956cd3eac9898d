import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../parse-json.ts';

export interface HubModel {
  model: string;
  folder: string;
  /** The only files accepted for the model. Default: those that were fetched first. */
  pin?: HubPin | undefined;
}

const hubFile = z.object({
  name: z.string(),
  size: z.number(),
  /** The SHA-256 of a large file's bytes, or the SHA-1 by which Git names a small one. */
  digest: z.string(),
  kind: z.enum(['sha256', 'git']),
});

const hubPin = z.object({
  revision: z.string(),
  files: z.array(hubFile).readonly(),
});

export type HubFile = z.output<typeof hubFile>;
export type HubPin = z.output<typeof hubPin>;

/** Names the files of a folder whose files are all there and were checked. */
export const COMPLETE = 'complete.json';

export const folderOf = ({ folder, model }: HubModel): string =>
  path.join(folder, model.replace('/', '--'));

export async function digestOf(file: string, { size, kind }: HubFile): Promise<string> {
  const hash = createHash(kind === 'git' ? 'sha1' : 'sha256');
  if (kind === 'git') hash.update(`blob ${size}\0`);
  for await (const bytes of createReadStream(file)) hash.update(bytes as Buffer);
  return hash.digest('hex');
}

export const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );

export async function bytesThere(folder: string, files: readonly HubFile[]): Promise<number> {
  const names = files.flatMap(({ name }) => [name, `${name}.part`]);
  const sizes = await Promise.all(names.map((name) => sizeOf(path.join(folder, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The pin by which a folder was fetched; null of any other folder. */
export async function pinOf(folder: string): Promise<HubPin | null> {
  const text = await readFile(path.join(folder, COMPLETE), 'utf8').catch(() => '');
  return hubPin.safeParse(parseJson(text)).data ?? null;
}

export async function revisionsOf(request: HubModel): Promise<string[]> {
  const own = folderOf(request);
  return (await readdir(own).catch(() => [])).map((name) => path.join(own, name));
}

const isSame = (one: HubPin, other: HubPin): boolean =>
  one.revision === other.revision &&
  one.files.length === other.files.length &&
  one.files.every(({ name, digest }) =>
    other.files.some((file) => file.name === name && file.digest === digest),
  );

export async function removeDamaged(folder: string): Promise<void> {
  for (const file of (await pinOf(folder))?.files ?? []) {
    const name = path.join(folder, file.name);
    const digest = await digestOf(name, file).catch(() => null);
    if (digest !== file.digest) await rm(name, { force: true });
  }
}

export async function fetchedModel(request: HubModel): Promise<string | null> {
  for (const folder of await revisionsOf(request)) {
    const pin = await pinOf(folder);
    if (!pin || (request.pin && !isSame(pin, request.pin))) continue;
    const sizes = await Promise.all(pin.files.map(({ name }) => sizeOf(path.join(folder, name))));
    if (pin.files.every(({ size }, at) => sizes[at] === size)) return folder;
  }
  return null;
}
