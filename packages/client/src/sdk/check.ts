import { isPlainPath, PATH_LIMIT } from '@engram/contract/browser';
import { ArgumentError } from '../errors.ts';

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

/** Refuses an argument before anything is sent. */
export function refuse(message: string, code: string): never {
  throw new ArgumentError(message, { code });
}

/** @throws TypeError for an unknown option */
export function rejectUnknown(options: object): void {
  const [unknown] = Object.keys(options);
  if (unknown !== undefined) throw new TypeError(`There is no option '${unknown}'.`);
}

/** The ID of an object, or the ID itself. */
export function identifier(value: unknown, name = 'id'): string {
  const ids = (typeof value === 'object' && value ? value : {}) as Record<string, unknown>;
  const id = typeof value === 'string' ? value : (ids['fileId'] ?? ids['artifactId'] ?? ids['id']);
  return typeof id === 'string' && ID.test(id)
    ? id
    : refuse(`${JSON.stringify(id) ?? String(id)} is not a valid id.`, name);
}

/** Rejects single values, such as a string, which are likely mistakes. */
export function list<T>(values: Iterable<T>, name: string): T[] {
  const isList =
    typeof values === 'object' && Symbol.iterator in values && !ArrayBuffer.isView(values);
  return isList ? [...values] : refuse(`${name} must be a list.`, 'not_a_list');
}

export function wait(value: unknown): void {
  if (typeof value === 'boolean' || (typeof value === 'number' && value >= 0)) return;
  refuse('wait is true, false or a number of milliseconds.', 'wait');
}

/** The address of a server without a trailing slash or /v1. */
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
export function credential(value: unknown, kind: 'API key' | 'token'): string {
  const code = kind === 'token' ? 'token' : 'apiKey';
  if (value === '') return refuse(`The ${kind} is empty.`, code);
  return typeof value === 'string' && /^[!-~]+$/u.test(value)
    ? value
    : refuse(`This is not a valid ${kind}: it is one word of ASCII.`, code);
}

/** A path in a folder, such as Papers/tax/2025/notice.pdf. */
export function folderPath(path: unknown): string {
  if (typeof path !== 'string' || !isPlainPath(path)) {
    return refuse('A path is names joined by /, such as Papers/tax/2025/notice.pdf.', 'path');
  }
  return path.length <= PATH_LIMIT
    ? path
    : refuse(`A path has up to ${PATH_LIMIT} characters.`, 'path');
}

/** A time in ISO 8601, in the years 1 to 9999. */
export function moment(time: unknown, name: string): string {
  const year = time instanceof Date ? time.getUTCFullYear() : Number.NaN;
  return time instanceof Date && year >= 1 && year <= 9999
    ? time.toISOString()
    : refuse(`${name} is a Date in the years 1 to 9999.`, name);
}

export const sha256 = (digest: unknown): string =>
  typeof digest === 'string' && /^[0-9a-f]{64}$/iu.test(digest)
    ? digest
    : refuse('This is not a hexadecimal SHA-256.', 'sha256');
