import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Supplements, Want } from '@engram/extraction';

type Each<Key extends keyof Supplements> = NonNullable<Supplements[Key]>[number];

/** The answer to one want, or why there is none. */
export type Answer =
  | { kind: 'page'; value: Each<'pages'> }
  | { kind: 'transcript'; value: Each<'transcripts'> }
  | { kind: 'caption'; value: Each<'captions'> };

const keyOf = (kind: Want['kind'], path: string | undefined, page: number | undefined): string =>
  JSON.stringify([kind, path ?? null, page ?? null]);

/** Identifies a want of a file. */
export const wantKey = (want: Want): string =>
  keyOf(want.kind, want.path, want.kind === 'page' ? want.page : undefined);

/** The want that an answer is for. */
export const answerKey = ({ kind, value }: Answer): string =>
  keyOf(kind, value.path, kind === 'page' ? value.page : undefined);

/** A file name for a want: a hash, because paths of archive members are untrusted. */
export const wantName = (want: Want): string =>
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
