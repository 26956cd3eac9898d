import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { freeBytesOf } from '../files/disk-room.ts';
import { readBody } from '../http/bounded-fetch.ts';
import { createGuardedFetch } from '../http/guarded-fetch.ts';
import { parseJson } from '../parse-json.ts';
import { withoutTrailingSlash } from './openai-server.ts';

/** A model could not be fetched; `message` is a sentence for the user. */
export class HubError extends Error {
  override readonly name = 'HubError';
}

export interface HubSettings {
  modelHub: string;
  fetchAllow: readonly string[];
  modelsDir: string;
}

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

/** Names the files of a folder whose files were all fetched and checked. */
const COMPLETE = 'complete.json';

const modelName = /^[A-Za-z0-9][\w.-]{0,95}\/[A-Za-z0-9][\w.-]{0,95}$/u;

export const isHubModel = (name: string): boolean =>
  modelName.test(name) && !name.includes('..') && !name.includes('--');

export const folderOf = ({ folder, model }: HubModel): string =>
  path.join(folder, model.replace('/', '--'));

async function digestOf(file: string, { size, kind }: HubFile): Promise<string> {
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

export async function fetchedBytes(folder: string, files: readonly HubFile[]): Promise<number> {
  const names = files.flatMap(({ name }) => [name, `${name}.part`]);
  const sizes = await Promise.all(names.map((name) => sizeOf(path.join(folder, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

export async function pinOf(folder: string): Promise<HubPin | null> {
  const text = await readFile(path.join(folder, COMPLETE), 'utf8').catch(() => '');
  return hubPin.safeParse(parseJson(text)).data ?? null;
}

/** The folder of the only revision of a model; null before the first fetch. */
export async function revisionOf(model: HubModel): Promise<string | null> {
  const own = folderOf(model);
  const [revision] = await readdir(own).catch(() => []);
  return revision === undefined ? null : path.join(own, revision);
}

const digestsOf = ({ revision, files }: HubPin): string =>
  [revision, ...files.map(({ name, digest }) => `${digest} ${name}`).toSorted()].join('\n');

/** The folder of a model whose files are complete; null if it has to be fetched. */
export async function fetchedModel(model: HubModel): Promise<string | null> {
  const folder = await revisionOf(model);
  const pin = folder && (await pinOf(folder));
  if (!pin || (model.pin && digestsOf(pin) !== digestsOf(model.pin))) return null;
  const sizes = await Promise.all(pin.files.map(({ name }) => sizeOf(path.join(folder, name))));
  return pin.files.every(({ size }, at) => sizes[at] === size) ? folder : null;
}

export async function removeDamaged(folder: string): Promise<void> {
  for (const file of (await pinOf(folder))?.files ?? []) {
    const name = path.join(folder, file.name);
    const digest = await digestOf(name, file).catch(() => null);
    if (digest !== file.digest) await rm(name, { force: true });
  }
}

/** The hub, and a fetch function that refuses addresses of private networks except the hub's own. */
export const hubOf = ({ modelHub, fetchAllow }: HubSettings) => ({
  hub: modelHub,
  fetch: createGuardedFetch({ allow: fetchAllow, configured: [modelHub], usesProxy: true }),
});

interface HubRequest extends HubModel, ReturnType<typeof hubOf> {
  /** Chooses the files of the hub to fetch, if there is no pin. @throws HubError if none fit */
  choose: (files: ReadonlyMap<string, HubFile>) => HubFile[];
  maxBytes: number;
  freeBytes?: (folder: string) => Promise<number>;
  clock: Clock;
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
  yieldToRequests?: ((patienceMs: number) => Promise<void>) | undefined;
}

/** A connection times out after this time without a byte, in milliseconds. */
const SILENCE_MS = 30_000;
const YIELD_MS = 200;
const MAX_LISTED = 4 * 1_048_576;
const SPARE_BYTES = 1_000_000_000;
const MAX_REDIRECTS = 5;

/** https://huggingface.co/docs/hub/api: GET /api/models/{model}/revision/{revision}?blobs=true */
const listing = z.object({
  sha: z.string().regex(/^[0-9a-f]{7,64}$/u),
  siblings: z.array(
    z.object({
      rfilename: z.string(),
      size: z.number().int().nonnegative().optional(),
      blobId: z.string().optional(),
      lfs: z.object({ sha256: z.string(), size: z.number().int().nonnegative() }).nullish(),
    }),
  ),
});

async function withTimeout<T>(
  { clock, signal }: HubRequest,
  task: (signal: AbortSignal, onProgress: () => void) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  let timer: unknown;
  const restart = (): void => {
    clock.clearTimeout(timer);
    timer = clock.setTimeout(
      () => late.abort(new HubError('The hub stopped answering.')),
      SILENCE_MS,
    );
  };
  restart();
  try {
    return await task(AbortSignal.any([signal, late.signal]), restart);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof HubError) throw error;
    const isOfDisk = error instanceof Error && 'syscall' in error && error.syscall === 'write';
    const message = isOfDisk
      ? 'What the hub sent could not be written.'
      : 'The connection to the hub broke off.';
    throw new HubError(message, { cause: error });
  } finally {
    clock.clearTimeout(timer);
  }
}

/** Fetches, and follows the hub's redirects: to itself, or to https addresses. */
async function follow(request: HubRequest, rest: string, init: RequestInit): Promise<Response> {
  let target = new URL(`${withoutTrailingSlash(request.hub)}/${rest}`);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await request.fetch(target.href, { ...init, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel();
    if (!URL.canParse(location, target.href)) break;
    target = new URL(location, target.href);
    if (target.protocol !== 'https:' && target.origin !== new URL(request.hub).origin) break;
  }
  throw new HubError('The hub sends to where nothing is fetched from.');
}

async function ask(request: HubRequest, rest: string, init: RequestInit): Promise<Response> {
  const response = await follow(request, rest, init).catch((error: unknown) => {
    request.signal.throwIfAborted();
    if (error instanceof HubError) throw error;
    const { host } = new URL(request.hub);
    throw new HubError(`The hub at ${host} cannot be reached.`, { cause: error });
  });
  const { ok, status } = response;
  if (ok || status === 416) return response;
  await response.body?.cancel();
  if (status !== 401 && status !== 403 && status !== 404) {
    throw new HubError(`The hub answered with status ${status}.`);
  }
  throw new HubError(
    rest.startsWith(`${request.model}/resolve/`)
      ? `The hub has no longer the files that are taken for ${request.model}, and no others are taken in their place.`
      : `The hub has no model ${request.model} that everybody may read.`,
  );
}

async function listFiles(request: HubRequest): Promise<HubPin> {
  const text = await withTimeout(request, async (signal) => {
    const rest = `api/models/${request.model}/revision/main?blobs=true`;
    const response = await ask(request, rest, { signal });
    const tooLong = () => new HubError('The hub sent too long a list of files.');
    return (await readBody(response, MAX_LISTED, tooLong)).toString();
  });
  const parsed = listing.safeParse(parseJson(text));
  if (!parsed.success) throw new HubError('The hub sent a list of files that is not understood.');
  const files = new Map<string, HubFile>();
  for (const { rfilename: name, size, blobId, lfs } of parsed.data.siblings) {
    if (lfs) files.set(name, { name, size: lfs.size, digest: lfs.sha256, kind: 'sha256' });
    else if (size !== undefined && blobId) {
      files.set(name, { name, size, digest: blobId, kind: 'git' });
    }
  }
  return { revision: parsed.data.sha, files: request.choose(files) };
}

async function fetchRest(
  request: HubRequest,
  source: string,
  file: HubFile,
  part: string,
  onBytes: (done: number) => void,
): Promise<void> {
  const before = await sizeOf(part);
  if (before >= file.size && before > 0) return;
  await withTimeout(request, async (signal, onProgress) => {
    const headers: Record<string, string> = before > 0 ? { range: `bytes=${before}-` } : {};
    const response = await ask(request, source, { signal, headers });
    const resumed = response.status === 206;
    const handle = await open(part, resumed ? 'a' : 'w');
    try {
      let length = resumed ? before : 0;
      for await (const bytes of response.body ?? []) {
        onProgress();
        length += bytes.length;
        if (length > file.size) throw new HubError(`The hub sent too much for ${file.name}.`);
        await handle.write(bytes);
        onBytes(length);
        await request.yieldToRequests?.(YIELD_MS);
        onProgress();
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
}

async function fetchFile(
  request: HubRequest,
  source: string,
  file: HubFile,
  target: string,
  onBytes: (done: number) => void,
): Promise<void> {
  const isComplete = (await sizeOf(target)) === file.size;
  if (isComplete && (await digestOf(target, file)) === file.digest) return;
  const part = `${target}.part`;
  await mkdir(path.dirname(target), { recursive: true });
  await fetchRest(request, source, file, part, onBytes);
  const size = await sizeOf(part);
  if (size < file.size) throw new HubError('The connection to the hub broke off.');
  if (size > file.size || (await digestOf(part, file)) !== file.digest) {
    await rm(part, { force: true });
    throw new HubError(
      `What the hub sent for ${file.name} is not ${request.pin ? 'what this version of Engram takes' : 'what it announced'}. It was thrown away.`,
    );
  }
  await rename(part, target);
}

/**
 * Fetches a model from the hub, and returns its folder. A fetch that was interrupted is resumed. Each
 * file is checked by its size and its digest, and a model stays at the revision that was fetched first.
 * @throws HubError; what was fetched by then stays for the next attempt
 */
export async function fetchModel(request: HubRequest): Promise<string> {
  const earlier = await revisionOf(request);
  const fetched = earlier === null ? null : await pinOf(earlier);
  const { revision, files } = request.pin ?? fetched ?? (await listFiles(request));
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (total > request.maxBytes) {
    const megabytes = (bytes: number) => Math.ceil(bytes / 1_000_000);
    throw new HubError(
      `${request.model} takes ${megabytes(total)} MB, and at most ${megabytes(request.maxBytes)} MB are fetched.`,
    );
  }
  const own = folderOf(request);
  const folder = path.join(own, revision);
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(own)) {
    if (name !== revision) await rm(path.join(own, name), { recursive: true, force: true });
  }
  const missing = total - (await fetchedBytes(folder, files));
  const { freeBytes = freeBytesOf } = request;
  if ((await freeBytes(folder)) < missing + SPARE_BYTES) {
    await rm(folder, { recursive: true, force: true });
    throw new HubError(`The disk has too little room left for ${request.model}.`);
  }
  let done = 0;
  for (const file of files) {
    const before = done;
    const report = (bytes: number) => request.onProgress(before + bytes, total);
    report(0);
    const source = `${request.model}/resolve/${revision}/${file.name}`;
    await fetchFile(request, source, file, path.join(folder, file.name), report);
    done += file.size;
  }
  await writeFile(path.join(folder, COMPLETE), JSON.stringify({ revision, files }));
  request.onProgress(total, total);
  return folder;
}
