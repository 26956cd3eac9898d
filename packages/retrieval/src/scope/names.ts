import type { Span } from '../types.ts';
import { fold } from '../languages/fold.ts';
import { alternatives, UNSPACED } from '../languages/index.ts';
import type { FileWords } from '../languages/language.ts';

export interface NameIndex {
  size: number;
  byName: ReadonlyMap<string, readonly string[]>;
  /** File IDs of each folder, by normalized path: '/papers/tax/'. */
  byFolder: ReadonlyMap<string, readonly string[]>;
}

const EXTENSION = /\.[\p{L}\p{N}]{1,5}$/u;

/** Key to compare names: letters and digits without accents and case. */
const keyOf = (text: string): string =>
  fold(text.normalize('NFKC').toLowerCase()).replace(/[^\p{L}\p{M}\p{N}]+/gu, '');

const pathKeys = (path: string): string[] =>
  path
    .replace(/^\/|\/$/gu, '')
    .split('/')
    .map(keyOf);

export function createNameIndex(
  files: readonly { id: string; fileName: string; path?: string | null }[],
): NameIndex {
  const byName = new Map<string, string[]>();
  const byPath = new Map<string, string[]>();
  const add = (into: Map<string, string[]>, key: string, id: string): void => {
    const ids = into.get(key);
    if (ids === undefined) into.set(key, [id]);
    else ids.push(id);
  };
  for (const { id, fileName, path } of files) {
    for (const key of new Set([fileName.replace(EXTENSION, ''), fileName].map(keyOf)))
      if (key !== '') add(byName, key, id);
    if (path?.includes('/')) add(byPath, path.slice(0, path.lastIndexOf('/')), id);
  }
  const byFolder = new Map<string, string[]>();
  for (const [path, ids] of byPath)
    for (const id of ids) add(byFolder, `/${pathKeys(path).join('/')}/`, id);
  return { size: files.length, byName, byFolder };
}

/** IDs of the files below folders with this path. */
export function filesBelow({ byFolder }: NameIndex, path: string): string[] {
  const keys = pathKeys(path);
  if (keys.includes('')) return [];
  const part = `/${keys.join('/')}/`;
  return [...byFolder].flatMap(([folder, ids]) => (folder.includes(part) ? ids : []));
}

/** The names of a file's folders as words, or ''. */
export const foldersOf = (path: string | null | undefined): string =>
  (path ?? '').split('/').slice(0, -1).join(' ');

const words = (field: keyof FileWords): string =>
  String.raw`(?<![\p{L}\p{N}])(?:${alternatives(({ files }) => files?.[field])})(?![\p{L}\p{N}])`;
const OPENING = '["“„«「『]';
const CLOSING = '["”“»」』]';
/** Words before a name: 'the file', 'my', 'le document'. */
const ARTICLES = String.raw`[\s:]{0,3}(?: ?${words('article')}){0,2}\s?`;
const [FILE, SOURCE, FOLDER] = [words('named'), words('according'), words('folder')];

/** Whether a question may name files or folders. Most do not. */
const HINT = new RegExp(
  String.raw`\.\p{L}[\p{L}\p{N}]|${OPENING}|_|\p{L}-\d|\/|${FOLDER}|${FILE}|${SOURCE}`,
  'iu',
);
/** Words before a file name, and words also used before people and laws: 'according to'. */
const AFTER_FILE = new RegExp(`${FILE}${ARTICLES}$`, 'iu');
const AFTER_SOURCE = new RegExp(`${SOURCE}${ARTICLES}$`, 'iu');
/** Before a single word that is a name if quoted or hyphenated. */
const BEFORE_NAME = new RegExp(`${words('beforeQuoted')}${ARTICLES}${OPENING}?$`, 'iu');
const OPENED = new RegExp(String.raw`${OPENING}\s?$`, 'u');
const CLOSED = new RegExp(String.raw`^\s?${CLOSING}`, 'u');
/** The word for a folder before or after its name. */
const AFTER_FOLDER = new RegExp(String.raw`${FOLDER}[\s:]{0,3}${OPENING}?\s?$`, 'iu');
const BEFORE_FOLDER = new RegExp(String.raw`^${CLOSING}?\s${FOLDER}`, 'iu');

export const mayNameFiles = (text: string): boolean => HINT.test(text.normalize('NFC'));

const MAX_WORDS = 12;
const MAX_NAMES = 8;

/**
 * Finds names of files and folders, the longest first. A file name has its extension, is quoted or
 * written together, or follows a word for a file. A folder is a path or beside a word for a folder.
 */
export function findNames(index: NameIndex, text: string) {
  const tokens = [...text.matchAll(/[^\s,;?!"“”„«»「」『』()]+/gu)];
  const named = new Set<string>();
  const inFolder = new Set<string>();
  const [files, folders]: [Span[], Span[]] = [[], []];
  for (let i = 0; i < tokens.length && files.length + folders.length < MAX_NAMES; i += 1) {
    for (let count = Math.min(MAX_WORDS, tokens.length - i); count > 0; count -= 1) {
      const [start, last] = [tokens[i]?.index ?? 0, tokens[i + count - 1]];
      const run = { text, start, end: (last?.index ?? 0) + (last?.[0].length ?? 0) };
      const file = fileNamed(index, run);
      const match = file ?? folderNamed(index, run);
      if (match === null) continue;
      for (const id of match.ids) (file ? named : inFolder).add(id);
      (file ? files : folders).push({ start: match.start, end: match.end });
      i += count - 1;
      break;
    }
  }
  // A named file is in the named folder. Otherwise one of them is meant.
  const common = named.intersection(inFolder);
  const chosen = common.size > 0 ? common : named.size > 0 ? named : inFolder;
  return { named: [...chosen], files, folders };
}

interface Run extends Span {
  text: string;
}

interface Match extends Span {
  ids: readonly string[];
}

function fileNamed(index: NameIndex, { text, start, end }: Run): Match | null {
  const phrase = text.slice(start, end);
  const slash = phrase.lastIndexOf('/') + 1;
  const name = phrase.slice(slash);
  const hasExtension = EXTENSION.test(name);
  // Other extensions match too: .xls for .xlsx.
  const ids =
    index.byName.get(keyOf(name)) ??
    (hasExtension ? index.byName.get(keyOf(name.replace(EXTENSION, ''))) : null);
  if (!ids) return null;
  if (slash > 0) {
    // 'tax/2025/notice.pdf'
    const inside = new Set(hasExtension ? filesBelow(index, phrase.slice(0, slash)) : []);
    const placed = ids.filter((id) => inside.has(id));
    return placed.length === 0 ? null : { start: start + slash, end, ids: placed };
  }
  const before = text.slice(0, start);
  const isTogether = !/\s/u.test(name) && /_|\p{L}-\d/u.test(name);
  const isQuoted = OPENED.test(before) && CLOSED.test(text.slice(end));
  // A single word is usually not a file: 'according to the law', 'the word “budget”'.
  const isLong =
    /[\p{L}\p{M}\p{N}][^\p{L}\p{M}\p{N}]+[\p{L}\p{N}]/u.test(name) || UNSPACED.test(name);
  const isNamed =
    (hasExtension && /\.\p{L}/u.test(name)) ||
    AFTER_FILE.test(before) ||
    (isLong && (isQuoted || AFTER_SOURCE.test(before))) ||
    ((isQuoted || isTogether) && BEFORE_NAME.test(before));
  return isNamed ? { start, end, ids } : null;
}

function folderNamed(index: NameIndex, { text, start, end }: Run): Match | null {
  const phrase = text.slice(start, end);
  const ahead = AFTER_FOLDER.exec(text.slice(0, start))?.[0].length ?? 0;
  const after = BEFORE_FOLDER.exec(text.slice(end))?.[0].length ?? 0;
  // '24/7' and '2025/03' are rarely folders.
  const isPath = /[^\s/]\/[^\s]*/u.test(phrase) && /\p{L}/u.test(phrase);
  if (!isPath && ahead + after === 0) return null;
  const ids = filesBelow(index, phrase);
  return ids.length === 0 ? null : { start: start - ahead, end: end + after, ids };
}
