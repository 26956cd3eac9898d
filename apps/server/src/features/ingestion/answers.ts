import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Supplements, TranscriptPart, Want } from '@engram/extraction';
import type { FileStore } from '../../platform/files/files.ts';
import { supplementsPrefix } from '../../platform/files/keys.ts';

type Each<Key extends keyof Supplements> = NonNullable<Supplements[Key]>[number];

/** The answer to one want, or the reason for its absence. */
export type Answer =
  | { kind: 'page'; value: Each<'pages'> }
  | { kind: 'transcript'; value: Each<'transcripts'> }
  | { kind: 'caption'; value: Each<'captions'> };

const keyOf = (kind: Want['kind'], path: string | undefined, page: number | undefined): string =>
  JSON.stringify([kind, path ?? null, page ?? null]);

export const wantKey = (want: Want): string =>
  keyOf(want.kind, want.path, want.kind === 'page' ? want.page : undefined);

export const answerKey = ({ kind, value }: Answer): string =>
  keyOf(kind, value.path, kind === 'page' ? value.page : undefined);

/** A file name for a want: a hash, because paths of archive members are untrusted. */
const wantName = (want: Want): string =>
  createHash('sha256').update(wantKey(want)).digest('hex').slice(0, 32);

export function missingAnswer(want: Want, missing: string): Answer {
  const where = want.path === undefined ? {} : { path: want.path };
  return want.kind === 'page'
    ? { kind: 'page', value: { page: want.page, ...where, missing } }
    : { kind: want.kind, value: { ...where, missing } };
}

export function combine(answers: readonly Answer[]): Required<Supplements> {
  const pages: Each<'pages'>[] = [];
  const transcripts: Each<'transcripts'>[] = [];
  const captions: Each<'captions'>[] = [];
  for (const { kind, value } of answers) {
    if (kind === 'page') pages.push(value);
    else if (kind === 'transcript') transcripts.push(value);
    else captions.push(value);
  }
  return { pages, transcripts, captions };
}

/** Reads answers from files that this server has written. */
export async function loadAnswers(paths: readonly string[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const path of paths) answers.push(JSON.parse(await readFile(path, 'utf8')) as Answer);
  return answers;
}

/** The wants that an extraction found, and the length of the recording if it is one. */
export interface Wanted {
  wants: Want[];
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

const WANTED = 'wanted';
const ANSWER_NAME = /^[0-9a-f]{32}$/u;

/** The answers for one file so far, stored with it so that processing resumes after a restart. */
export async function openStoredAnswers(
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
    has: (want: Want): boolean => names.has(wantName(want)),
    save: (want: Want, answer: Answer): Promise<void> => write(wantName(want), answer),
    /** The keys of the answers in the file store. */
    keys: (): string[] => [...names].filter((name) => ANSWER_NAME.test(name)).map(keyOfName),
    /** The wants of the last extraction; null before the first. */
    wanted: async (): Promise<Wanted | null> =>
      names.has(WANTED) ? ((await read(WANTED)) as Wanted) : null,
    saveWanted: (wanted: Wanted): Promise<void> => write(WANTED, wanted),
    /** The transcribed pieces of a recording, from the first. */
    async pieces(want: Want): Promise<StoredPiece[]> {
      const pieces: StoredPiece[] = [];
      const name = (): string => `${wantName(want)}.${pieces.length}`;
      while (names.has(name())) pieces.push((await read(name())) as StoredPiece);
      return pieces;
    },
    savePiece: (want: Want, index: number, piece: StoredPiece): Promise<void> =>
      write(`${wantName(want)}.${index}`, piece),
  };
}

export type StoredAnswers = Awaited<ReturnType<typeof openStoredAnswers>>;
