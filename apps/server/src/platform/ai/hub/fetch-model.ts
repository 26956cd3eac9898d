import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { readBody } from '../../http/bounded-fetch.ts';
import { parseJson } from '../../parse-json.ts';
import {
  bytesThere,
  COMPLETE,
  digestOf,
  folderOf,
  type HubFile,
  type HubPin,
  type KeptModel,
  pinOf,
  revisionsOf,
  sizeOf,
} from './kept-model.ts';

/** A model could not be fetched; `message` is a sentence for a person. */
export class HubError extends Error {
  override readonly name = 'HubError';
}

export interface HubRequest extends KeptModel {
  /** Address of a hub that speaks the protocol of the Hugging Face hub. */
  hub: string;
  /**
   * The files to take of those that the hub has, by name; asked only where no pin names them.
   * @throws HubError with a sentence where they are no model of the kind that is wanted
   */
  choose: (files: ReadonlyMap<string, HubFile>) => HubFile[];
  /** Most bytes of all its files together. */
  mostBytes: number;
  /** Bytes that the disk of a folder has left. */
  freeBytes: (folder: string) => Promise<number>;
  /** Refuses addresses of private networks, but for the hub's own. */
  fetch: typeof globalThis.fetch;
  clock: Clock;
  signal: AbortSignal;
  /** Bytes that are there, and bytes of the whole. */
  onProgress: (done: number, total: number) => void;
  /** Waits, for so many milliseconds at most, while somebody waits for an answer. */
  yieldToRequests: (patienceMs: number) => Promise<void>;
}

/** Without a byte for so long a connection counts as dead, in milliseconds. */
const SILENCE_MS = 30_000;
/** How long a piece of what arrives waits for people, in milliseconds. */
const PATIENCE_MS = 200;
/** More than any list of a model's files. */
const MOST_LISTED = 4 * 1_048_576;
/** What a fetch leaves on the disk for people's files, in bytes. */
const SPARE_BYTES = 1_000_000_000;
/** The hub itself sends to where its large files lie, and that place seldom further. */
const MOST_REDIRECTS = 5;

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

const modelName = /^[A-Za-z0-9][\w.-]{0,95}\/[A-Za-z0-9][\w.-]{0,95}$/u;

/** Whether this is how a hub names its models. */
export const isHubModel = (name: string): boolean =>
  modelName.test(name) && !name.includes('..') && !name.includes('--');

/** Aborts what takes no step for a while. */
function watch(clock: Clock, outer: AbortSignal) {
  const late = new AbortController();
  const expire = () => late.abort(new HubError('The hub stopped answering.'));
  let timer = clock.setTimeout(expire, SILENCE_MS);
  return {
    signal: AbortSignal.any([outer, late.signal]),
    step(): void {
      clock.clearTimeout(timer);
      timer = clock.setTimeout(expire, SILENCE_MS);
    },
    end: (): void => clock.clearTimeout(timer),
  };
}

const addressOf = ({ hub }: HubRequest, rest: string): string =>
  `${hub.replace(/(?<!\/)\/+$/u, '')}/${rest}`;

/** Fetches, and follows the hub's redirects: back to itself, or to https addresses. */
async function follow(request: HubRequest, address: string, init: RequestInit): Promise<Response> {
  let target = new URL(address);
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
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

async function ask(
  request: HubRequest,
  rest: string,
  signal: AbortSignal,
  headers: Record<string, string> = {},
): Promise<Response> {
  let response: Response;
  try {
    response = await follow(request, addressOf(request, rest), { signal, headers });
  } catch (error) {
    request.signal.throwIfAborted();
    const host = new URL(request.hub).host;
    throw error instanceof HubError
      ? error
      : new HubError(`The hub at ${host} cannot be reached.`, { cause: error });
  }
  if (response.ok || response.status === 416) return response;
  await response.body?.cancel();
  const { status } = response;
  const isGone = status === 401 || status === 403 || status === 404;
  if (isGone && rest.startsWith(`${request.model}/resolve/`)) {
    throw new HubError(
      `The hub has no longer the files that are taken for ${request.model}, and no others are taken in their place.`,
    );
  }
  if (isGone) {
    throw new HubError(`The hub has no model ${request.model} that everybody may read.`);
  }
  throw new HubError(`The hub answered with status ${status}.`);
}

/** What went wrong with an answer of the hub, as a sentence. */
function asHubError(error: unknown, request: HubRequest): HubError {
  request.signal.throwIfAborted();
  if (error instanceof HubError) return error;
  const isOfDisk = error instanceof Error && 'syscall' in error && error.syscall === 'write';
  return isOfDisk
    ? new HubError('What the hub sent could not be written.', { cause: error })
    : new HubError('The connection to the hub broke off.', { cause: error });
}

/** An answer that is longer than a list of files can be. */
const tooLong = (): HubError => new HubError('The hub sent too long a list of files.');

async function listFiles(request: HubRequest): Promise<HubPin> {
  const watched = watch(request.clock, request.signal);
  let text: string;
  try {
    const rest = `api/models/${request.model}/revision/main?blobs=true`;
    const response = await ask(request, rest, watched.signal);
    text = (await readBody(response, MOST_LISTED, tooLong)).toString();
  } catch (error) {
    throw asHubError(error, request);
  } finally {
    watched.end();
  }
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

/** Fetches what is missing of a file behind what is there already. */
async function fetchRest(
  request: HubRequest,
  source: string,
  { file, part }: { file: HubFile; part: string },
  onBytes: (there: number) => void,
): Promise<void> {
  const there = await sizeOf(part);
  if (there >= file.size && there > 0) return;
  const watched = watch(request.clock, request.signal);
  try {
    const range = there > 0 ? { range: `bytes=${there}-` } : undefined;
    const response = await ask(request, source, watched.signal, range);
    const resumed = response.status === 206;
    const handle = await open(part, resumed ? 'a' : 'w');
    try {
      let length = resumed ? there : 0;
      for await (const bytes of response.body ?? []) {
        watched.step();
        length += bytes.length;
        if (length > file.size) throw new HubError(`The hub sent too much for ${file.name}.`);
        await handle.write(bytes);
        onBytes(length);
        await request.yieldToRequests(PATIENCE_MS);
        watched.step();
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw asHubError(error, request);
  } finally {
    watched.end();
  }
}

/** Fetches one file; it has its name only once all its bytes were checked. */
async function fetchFile(
  request: HubRequest,
  source: string,
  { file, target }: { file: HubFile; target: string },
  onBytes: (there: number) => void,
): Promise<void> {
  if ((await sizeOf(target)) === file.size && (await digestOf(target, file)) === file.digest)
    return;
  const part = `${target}.part`;
  await mkdir(path.dirname(target), { recursive: true });
  await fetchRest(request, source, { file, part }, onBytes);
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

/** Makes the folder of a revision, and removes what was fetched of others. */
async function makeRoom(request: HubRequest, revision: string): Promise<void> {
  const own = folderOf(request);
  await mkdir(path.join(own, revision), { recursive: true });
  for (const name of await readdir(own)) {
    if (name !== revision) await rm(path.join(own, name), { recursive: true, force: true });
  }
}

/**
 * What is to be fetched: the files that a pin names, those that were fetched the first time, or what
 * the hub has now.
 */
async function wantedOf(request: HubRequest): Promise<HubPin> {
  if (request.pin) return request.pin;
  for (const folder of await revisionsOf(request)) {
    const there = await pinOf(folder);
    if (there) return there;
  }
  return listFiles(request);
}

/**
 * Brings a model from the hub to this machine and answers its folder. What was fetched before is not
 * fetched again: a fetch that was cut short goes on where it ended. Each file is checked by its
 * size and its digest, and a model stays at the revision that was fetched first.
 * @throws HubError with a sentence; what is there by then stays for the next try
 */
export async function fetchModel(request: HubRequest): Promise<string> {
  const { revision, files } = await wantedOf(request);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (total > request.mostBytes) {
    const megabytes = (bytes: number) => Math.ceil(bytes / 1_000_000);
    throw new HubError(
      `${request.model} takes ${megabytes(total)} MB, and at most ${megabytes(request.mostBytes)} MB are fetched.`,
    );
  }
  const folder = path.join(folderOf(request), revision);
  await makeRoom(request, revision);
  const there = await bytesThere(folder, files);
  if ((await request.freeBytes(folder)) < total - there + SPARE_BYTES) {
    await rm(folder, { recursive: true, force: true });
    throw new HubError(`The disk has too little room left for ${request.model}.`);
  }
  let done = 0;
  for (const file of files) {
    const before = done;
    const report = (there: number) => request.onProgress(before + there, total);
    report(0);
    const source = `${request.model}/resolve/${revision}/${file.name}`;
    await fetchFile(request, source, { file, target: path.join(folder, file.name) }, report);
    done += file.size;
  }
  await writeFile(path.join(folder, COMPLETE), JSON.stringify({ revision, files }));
  request.onProgress(total, total);
  return folder;
}
