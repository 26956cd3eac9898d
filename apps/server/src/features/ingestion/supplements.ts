import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Supplements, TranscriptPart, SupplementRequest } from '@engram/extraction';
import type { FileStore } from '../../platform/files/files.ts';
import { supplementsPrefix } from '../../platform/files/keys.ts';

type ItemOf<Key extends keyof Supplements> = NonNullable<Supplements[Key]>[number];

/** The result of one request, or the reason why it is missing. */
export type Supplement =
  | { kind: 'page'; value: ItemOf<'pages'> }
  | { kind: 'transcript'; value: ItemOf<'transcripts'> }
  | { kind: 'caption'; value: ItemOf<'captions'> };

const keyOf = (
  kind: SupplementRequest['kind'],
  path: string | undefined,
  page: number | undefined,
): string => JSON.stringify([kind, path ?? null, page ?? null]);

export const requestKey = (request: SupplementRequest): string =>
  keyOf(request.kind, request.path, request.kind === 'page' ? request.page : undefined);

export const supplementKey = ({ kind, value }: Supplement): string =>
  keyOf(kind, value.path, kind === 'page' ? value.page : undefined);

/** A file name for a request: a hash, because paths of archive members are untrusted. */
const requestFileName = (request: SupplementRequest): string =>
  createHash('sha256').update(requestKey(request)).digest('hex').slice(0, 32);

export function missingSupplement(request: SupplementRequest, missing: string): Supplement {
  const pathField = request.path === undefined ? {} : { path: request.path };
  return request.kind === 'page'
    ? { kind: 'page', value: { page: request.page, ...pathField, missing } }
    : { kind: request.kind, value: { ...pathField, missing } };
}

export function combine(supplements: readonly Supplement[]): Required<Supplements> {
  const pages: ItemOf<'pages'>[] = [];
  const transcripts: ItemOf<'transcripts'>[] = [];
  const captions: ItemOf<'captions'>[] = [];
  for (const { kind, value } of supplements) {
    if (kind === 'page') pages.push(value);
    else if (kind === 'transcript') transcripts.push(value);
    else captions.push(value);
  }
  return { pages, transcripts, captions };
}

/** Loads supplements from files that this server wrote. */
export async function loadSupplements(paths: readonly string[]): Promise<Supplement[]> {
  const supplements: Supplement[] = [];
  for (const path of paths)
    supplements.push(JSON.parse(await readFile(path, 'utf8')) as Supplement);
  return supplements;
}

/** The open requests of an extraction, and the duration if the file is a recording. */
export interface OpenRequests {
  requests: SupplementRequest[];
  /** In milliseconds. */
  durationMs: number | null;
}

export interface StoredPiece {
  startMs: number;
  endMs: number;
  parts: TranscriptPart[];
  /** ISO 639-1, if the provider detects it. */
  language: string | null;
}

const REQUESTS_NAME = 'requests';
const SUPPLEMENT_NAME = /^[0-9a-f]{32}$/u;

/** The supplements of one file so far, stored with it so that processing resumes after a restart. */
export async function openStoredSupplements(
  files: FileStore,
  { userId, id }: { userId: string; id: string },
) {
  const prefix = supplementsPrefix(userId, id);
  const keyOfName = (name: string): string => `${prefix}/${name}`;
  const keys = await files.list(prefix);
  const names = new Set(keys.map((key) => key.slice(prefix.length + 1)));

  const write = async (name: string, value: object): Promise<void> => {
    await files.write(keyOfName(name), Readable.from([JSON.stringify(value)]));
    names.add(name);
  };
  const read = async (name: string): Promise<unknown> =>
    JSON.parse(await text(await files.read(keyOfName(name))));

  return {
    has: (request: SupplementRequest): boolean => names.has(requestFileName(request)),
    save: (request: SupplementRequest, supplement: Supplement): Promise<void> =>
      write(requestFileName(request), supplement),
    /** Keys in the file store. */
    keys: (): string[] => [...names].filter((name) => SUPPLEMENT_NAME.test(name)).map(keyOfName),
    /** The requests of the last extraction; null before the first. */
    requests: async (): Promise<OpenRequests | null> =>
      names.has(REQUESTS_NAME) ? ((await read(REQUESTS_NAME)) as OpenRequests) : null,
    saveRequests: (requests: OpenRequests): Promise<void> => write(REQUESTS_NAME, requests),
    /** The transcribed pieces of a recording, from the first. */
    async pieces(request: SupplementRequest): Promise<StoredPiece[]> {
      const pieces: StoredPiece[] = [];
      const name = (): string => `${requestFileName(request)}.${pieces.length}`;
      while (names.has(name())) pieces.push((await read(name())) as StoredPiece);
      return pieces;
    },
    savePiece: (request: SupplementRequest, index: number, piece: StoredPiece): Promise<void> =>
      write(`${requestFileName(request)}.${index}`, piece),
  };
}

export type StoredSupplements = Awaited<ReturnType<typeof openStoredSupplements>>;
