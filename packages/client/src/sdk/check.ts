import { isPlainPath, PATH_LIMIT, QUESTION_LIMIT, refuseKeyword } from '@engram/contract/browser';
import { ArgumentError } from '../errors.ts';

/** Keywords that a file may have. */
export const FILE_KEYWORDS = 50;
/** Keywords that may narrow a question. */
export const QUESTION_KEYWORDS = 100;
/** Files that a question may be asked of. */
export const CHOSEN_FILES = 100;

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

/** Refuses an argument before anything is sent. */
export function refuse(message: string, code: string): never {
  throw new ArgumentError(message, { code });
}

/** Throws a TypeError for an option that a call does not know, as the compiler does. */
export function noOthers(options: object): void {
  const [unknown] = Object.keys(options);
  if (unknown !== undefined) throw new TypeError(`There is no option '${unknown}'.`);
}

/** A question without spaces around it. */
export function question(text: unknown): string {
  if (typeof text !== 'string') return refuse('A question is a text.', 'not_a_text');
  const trimmed = text.trim();
  if (trimmed === '') return refuse('Please enter a question.', 'empty_question');
  // A character outside of the basic plane counts as one, as it does on the server.
  if ([...trimmed].length > QUESTION_LIMIT) {
    return refuse(`A question can have at most ${QUESTION_LIMIT} characters.`, 'long_question');
  }
  return trimmed;
}

/** An id as the server makes them, of a thing or as it is; it becomes part of an address. */
export function identifier(value: unknown): string {
  const id: unknown = typeof value === 'object' && value ? (value as { id?: unknown }).id : value;
  return typeof id === 'string' && ID.test(id)
    ? id
    : refuse(`${JSON.stringify(id) ?? String(id)} is not a valid id.`, 'invalid_id');
}

/** The ids of the files that a question is asked of. */
export function chosen(files: Iterable<unknown>): string[] {
  const ids = [...files].map(identifier);
  return ids.length > CHOSEN_FILES
    ? refuse(`At most ${CHOSEN_FILES} files can be chosen.`, 'files')
    : ids;
}

/** A keyword without spaces around it. */
export function keyword(word: unknown): string {
  if (typeof word !== 'string') return refuse('A keyword is a text.', 'not_a_text');
  const refused = refuseKeyword(word);
  return refused === null ? word.trim() : refuse(refused, 'keyword');
}

/** Several keywords; one alone is most likely a slip. */
export function keywords(words: Iterable<string>, most: number): string[] {
  if (typeof words === 'string') {
    return refuse("Keywords come as a list, such as ['Home'].", 'keyword');
  }
  const checked = Array.from(words, keyword);
  return checked.length <= most
    ? checked
    : refuse(`There can be at most ${most} keywords.`, 'keyword');
}

/** Several things; one alone is most likely a slip. */
export function several<T>(values: Iterable<T>, alone: string): T[] {
  const isList =
    typeof values === 'object' && Symbol.iterator in values && !ArrayBuffer.isView(values);
  return isList
    ? [...values]
    : refuse(`Several come as a list; for one there is ${alone}.`, 'not_a_list');
}

/** Whether to wait, and for how many milliseconds. */
export function wait(value: unknown): void {
  if (typeof value === 'boolean' || (typeof value === 'number' && value >= 0)) return;
  refuse('wait is true, false or a number of milliseconds.', 'wait');
}

/** One of some words. */
export const oneOf = <const T extends string>(
  value: string,
  words: readonly T[],
  name: string,
): T =>
  words.find((word) => word === value) ?? refuse(`${name} is one of ${words.join(', ')}.`, name);

/** A whole number within bounds. */
export function within(value: number, least: number, most: number, name: string): number {
  return Number.isInteger(value) && value >= least && value <= most
    ? value
    : refuse(`${name} is a whole number from ${least} to ${most}.`, name);
}

/** The address of a server without a slash at its end, and without /v1. */
export function baseUrl(address: string): string {
  const parts = URL.canParse(address) ? new URL(address) : null;
  if (!parts || !/^https?:$/u.test(parts.protocol) || parts.search || parts.hash) {
    return refuse(
      `${JSON.stringify(address)} is not the address of a server, such as http://localhost:3000.`,
      'baseUrl',
    );
  }
  const bare = parts.pathname.split('/').filter(Boolean);
  if (bare.at(-1) === 'v1') bare.pop();
  return [parts.origin, ...bare].join('/');
}

/** A key or a token, which becomes part of a header. */
export function credential(value: unknown, what: 'API key' | 'token'): string {
  const code = what === 'token' ? 'token' : 'apiKey';
  if (value === '') return refuse(`The ${what} is empty.`, code);
  return typeof value === 'string' && /^[!-~]+$/u.test(value)
    ? value
    : refuse(`This is not a valid ${what}: it is one word of ASCII.`, code);
}

/** A path in a folder, such as Papers/tax/2025/notice.pdf. */
export function folderPath(path: unknown): string {
  if (typeof path !== 'string' || !isPlainPath(path)) {
    return refuse('A path is names joined by /, such as Papers/tax/2025/notice.pdf.', 'path');
  }
  return path.length <= PATH_LIMIT
    ? path
    : refuse(`A path has at most ${PATH_LIMIT} letters.`, 'path');
}

/** A moment as it is sent; it lies in the years 1 to 9999. */
export function moment(at: unknown, name: string): string {
  const year = at instanceof Date ? at.getUTCFullYear() : Number.NaN;
  return at instanceof Date && year >= 1 && year <= 9999
    ? at.toISOString()
    : refuse(`${name} is a Date in the years 1 to 9999.`, name);
}

/** A SHA-256 in hexadecimal. */
export const sha256 = (digest: unknown): string =>
  typeof digest === 'string' && /^[0-9a-f]{64}$/iu.test(digest)
    ? digest
    : refuse('This is not a SHA-256 in hexadecimal.', 'sha256');

/** A line of some letters. */
export function line(value: unknown, name: string, most = 200): string {
  const trimmed = typeof value === 'string' ? value.trim() : '';
  return trimmed !== '' && trimmed.length <= most
    ? trimmed
    : refuse(`${name} is a text of 1 to ${most} letters.`, name);
}
