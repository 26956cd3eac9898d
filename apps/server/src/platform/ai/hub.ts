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

/** A model could not be fetched. The message is shown to the user. */
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
  /** The only accepted files. Default: those that were fetched first. */
  pin?: HubPin | undefined;
}

const hubFile = z.object({
  name: z.string(),
  size: z.number(),
  /** The SHA-256 of a large file, or Git's SHA-1 of a small one. */
  digest: z.string(),
  kind: z.enum(['sha256', 'git']),
});

const hubPin = z.object({
  revision: z.string(),
  files: z.array(hubFile).readonly(),
});

export type HubFile = z.output<typeof hubFile>;
export type HubPin = z.output<typeof hubPin>;

/** Lists the files of a folder once all were fetched and checked. */
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

/** The folder of a model's only revision; null before the first fetch. */
export async function revisionOf(model: HubModel): Promise<string | null> {
  const modelFolder = folderOf(model);
  const [revision] = await readdir(modelFolder).catch(() => []);
  return revision === undefined ? null : path.join(modelFolder, revision);
}

const digestsOf = ({ revision, files }: HubPin): string =>
  [revision, ...files.map(({ name, digest }) => `${digest} ${name}`).toSorted()].join('\n');

/** The folder of a complete model; null if it must be fetched. */
export async function fetchedModel(model: HubModel): Promise<string | null> {
  const folder = await revisionOf(model);
  const pin = folder && (await pinOf(folder));
  if (!pin || (model.pin && digestsOf(pin) !== digestsOf(model.pin))) return null;
  const sizes = await Promise.all(pin.files.map(({ name }) => sizeOf(path.join(folder, name))));
  return pin.files.every(({ size }, index) => sizes[index] === size) ? folder : null;
}

export async function removeDamaged(folder: string): Promise<void> {
  for (const file of (await pinOf(folder))?.files ?? []) {
    const name = path.join(folder, file.name);
    const digest = await digestOf(name, file).catch(() => null);
    if (digest !== file.digest) await rm(name, { force: true });
  }
}

/** The hub, and a fetch function that blocks private networks, except the hub's own address. */
export const hubOf = ({ modelHub, fetchAllow }: HubSettings) => ({
  hub: modelHub,
  fetch: createGuardedFetch({ allow: fetchAllow, configured: [modelHub], usesProxy: true }),
});

interface HubRequest extends HubModel, ReturnType<typeof hubOf> {
  /** Chooses the files to fetch, if there is no pin. @throws HubError if none fit */
  choose: (files: ReadonlyMap<string, HubFile>) => HubFile[];
  maxBytes: number;
  freeBytes?: (folder: string) => Promise<number>;
  clock: Clock;
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
  yieldToRequests?: ((patienceMs: number) => Promise<void>) | undefined;
}

/** How long a connection may be idle, in milliseconds. */
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
    const isDiskError = error instanceof Error && 'syscall' in error && error.syscall === 'write';
    const message = isDiskError
      ? 'The downloaded file could not be written.'
      : 'The connection to the hub was lost.';
    throw new HubError(message, { cause: error });
  } finally {
    clock.clearTimeout(timer);
  }
}

/** Follows the hub's redirects to itself or to https addresses. */
async function fetchFollowing(
  request: HubRequest,
  urlPath: string,
  init: RequestInit,
): Promise<Response> {
  let target = new URL(`${withoutTrailingSlash(request.hub)}/${urlPath}`);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await request.fetch(target.href, { ...init, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel();
    if (!URL.canParse(location, target.href)) break;
    target = new URL(location, target.href);
    if (target.protocol !== 'https:' && target.origin !== new URL(request.hub).origin) break;
  }
  throw new HubError('The hub redirects to an address that is not allowed.');
}

async function requestHub(
  request: HubRequest,
  urlPath: string,
  init: RequestInit,
): Promise<Response> {
  const response = await fetchFollowing(request, urlPath, init).catch((error: unknown) => {
    request.signal.throwIfAborted();
    if (error instanceof HubError) throw error;
    const { host } = new URL(request.hub);
    throw new HubError(`The hub at ${host} cannot be reached.`, { cause: error });
  });
  const { ok, status } = response;
  if (ok || status === 416) return response;
  await response.body?.cancel();
  if (status !== 401 && status !== 403 && status !== 404) {
    throw new HubError(`The hub responded with status ${status}.`);
  }
  throw new HubError(
    urlPath.startsWith(`${request.model}/resolve/`)
      ? `The hub no longer has the files of ${request.model} that Engram accepts.`
      : `The hub has no public model ${request.model}.`,
  );
}

async function listFiles(request: HubRequest): Promise<HubPin> {
  const text = await withTimeout(request, async (signal) => {
    const urlPath = `api/models/${request.model}/revision/main?blobs=true`;
    const response = await requestHub(request, urlPath, { signal });
    const tooLong = () => new HubError('The hub sent a list of files that is too long.');
    return (await readBody(response, MAX_LISTED, tooLong)).toString();
  });
  const parsed = listing.safeParse(parseJson(text));
  if (!parsed.success) throw new HubError('The hub sent an invalid list of files.');
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
    const response = await requestHub(request, source, { signal, headers });
    const resumed = response.status === 206;
    const handle = await open(part, resumed ? 'a' : 'w');
    try {
      let length = resumed ? before : 0;
      for await (const bytes of response.body ?? []) {
        onProgress();
        length += bytes.length;
        if (length > file.size) throw new HubError(`The hub sent too many bytes for ${file.name}.`);
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
  if (size < file.size) throw new HubError('The connection to the hub was lost.');
  if (size > file.size || (await digestOf(part, file)) !== file.digest) {
    await rm(part, { force: true });
    throw new HubError(
      `The hub sent ${file.name} with ${request.pin ? 'a checksum that this version of Engram does not accept' : 'another checksum than announced'}. The file was deleted.`,
    );
  }
  await rename(part, target);
}

/**
 * Fetches a model from the hub, or resumes an interrupted fetch, and returns its folder. The size and
 * digest of each file are checked. A model stays at the revision that was fetched first.
 * @throws HubError. Fetched bytes stay for the next attempt.
 */
export async function fetchModel(request: HubRequest): Promise<string> {
  const earlier = await revisionOf(request);
  const fetched = earlier === null ? null : await pinOf(earlier);
  const { revision, files } = request.pin ?? fetched ?? (await listFiles(request));
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (total > request.maxBytes) {
    const megabytes = (bytes: number) => Math.ceil(bytes / 1_000_000);
    throw new HubError(
      `${request.model} has ${megabytes(total)} MB, and the limit is ${megabytes(request.maxBytes)} MB.`,
    );
  }
  const modelFolder = folderOf(request);
  const folder = path.join(modelFolder, revision);
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(modelFolder)) {
    if (name !== revision) await rm(path.join(modelFolder, name), { recursive: true, force: true });
  }
  const missing = total - (await fetchedBytes(folder, files));
  const { freeBytes = freeBytesOf } = request;
  if ((await freeBytes(folder)) < missing + SPARE_BYTES) {
    await rm(folder, { recursive: true, force: true });
    throw new HubError(`The disk has too little space for ${request.model}.`);
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
