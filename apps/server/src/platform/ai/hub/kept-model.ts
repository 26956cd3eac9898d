import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../parse-json.ts';

/** A model, and where models are kept. */
export interface KeptModel {
  /** As the hub names it: owner/name. */
  model: string;
  folder: string;
  /** The only files that are taken for the model; without it those that were fetched first. */
  pin?: HubPin | undefined;
}

/** A model as it was at one commit. */
export interface HubPin {
  /** The commit's id. */
  revision: string;
  files: readonly HubFile[];
}

export interface HubFile {
  name: string;
  size: number;
  /** Of a large file the SHA-256 of its bytes; of a small one the SHA-1 that Git names it by. */
  digest: string;
  kind: 'sha256' | 'git';
}

/** Says that all files of a folder are there and were checked. */
export const COMPLETE = 'complete.json';
export const folderOf = ({ folder, model }: KeptModel): string =>
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

/** How many bytes of files are there, whole or in part. */
export async function bytesThere(folder: string, files: readonly HubFile[]): Promise<number> {
  const names = files.flatMap(({ name }) => [name, `${name}.part`]);
  const sizes = await Promise.all(names.map((name) => sizeOf(path.join(folder, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

const completeFiles = z.object({
  revision: z.string(),
  files: z.array(
    z.object({
      name: z.string(),
      size: z.number(),
      digest: z.string(),
      kind: z.enum(['sha256', 'git']),
    }),
  ),
});

/** What a folder was fetched as; null of another one. */
export async function pinOf(folder: string): Promise<HubPin | null> {
  const text = await readFile(path.join(folder, COMPLETE), 'utf8').catch(() => '');
  return completeFiles.safeParse(parseJson(text)).data ?? null;
}

/** The folders of a model, of which there is one at most unless somebody put another there. */
export async function revisionsOf(request: KeptModel): Promise<string[]> {
  const own = folderOf(request);
  return (await readdir(own).catch(() => [])).map((name) => path.join(own, name));
}

/** Whether a folder that was fetched is still as it was: names and sizes. */
async function isWhole(folder: string, { files }: HubPin): Promise<boolean> {
  for (const { name, size } of files) {
    if ((await sizeOf(path.join(folder, name))) !== size) return false;
  }
  return true;
}

const isSame = (one: HubPin, other: HubPin): boolean =>
  one.revision === other.revision &&
  one.files.length === other.files.length &&
  one.files.every(({ name, digest }) =>
    other.files.some((file) => file.name === name && file.digest === digest),
  );

/** Removes files of a fetched model whose bytes are not those that were fetched. No network. */
export async function removeDamaged(folder: string): Promise<void> {
  for (const file of (await pinOf(folder))?.files ?? []) {
    const name = path.join(folder, file.name);
    const digest = await digestOf(name, file).catch(() => null);
    if (digest !== file.digest) await rm(name, { force: true });
  }
}

/** The folder of a model that was fetched as a whole; null where there is none. No network. */
export async function fetchedModel(request: KeptModel): Promise<string | null> {
  for (const folder of await revisionsOf(request)) {
    const there = await pinOf(folder);
    if (!there || (request.pin && !isSame(there, request.pin))) continue;
    if (await isWhole(folder, there)) return folder;
  }
  return null;
}
