import { alternatives } from '../languages/index.ts';
import type { FileWords } from '../languages/language.ts';
import { createFolderIndex, filesBelow, type FolderIndex } from './folders.ts';
import { keyOf } from './name-key.ts';
import type { Span } from '../analysis/sentences.ts';

/** The files that a question names, or the folders of. */
export interface NamedFiles {
  /** Ids of the files. The question is about them alone. */
  named: string[];
  /** Where it names files. */
  spans: Span[];
  /** Where it names folders. */
  folders: Span[];
}

/** The names of a user's files and folders, looked up by what a question says. */
export interface NameIndex {
  /** The number of files. */
  size: number;
  /** Ids by the name with and without its extension, letters and digits alone. */
  byKey: ReadonlyMap<string, readonly string[]>;
  folders: FolderIndex;
}

const EXTENSION = /\.[\p{L}\p{N}]{1,5}$/u;

/** Makes the index of the names of files and of the folders that they are in. */
export function createNameIndex(
  files: readonly { id: string; fileName: string; path?: string | null }[],
): NameIndex {
  const byKey = new Map<string, string[]>();
  for (const { id, fileName } of files) {
    for (const key of new Set([fileName.replace(EXTENSION, ''), fileName].map(keyOf))) {
      const ids = byKey.get(key);
      if (ids !== undefined) ids.push(id);
      else if (key !== '') byKey.set(key, [id]);
    }
  }
  return { size: files.length, byKey, folders: createFolderIndex(files) };
}

const words = (field: keyof FileWords): string => alternatives(({ files }) => files?.[field]);
const cue = (field: keyof FileWords): string =>
  String.raw`(?<![\p{L}\p{N}])(?:${words(field)})(?![\p{L}\p{N}])`;
const OPENING = '["“„«「『]';
/** 'the file', 'my', 'le document', before a name. */
const ARTICLES = String.raw`(?: (?:${words('article')})){0,2}`;

/** Whether a question may name files or folders, which most do not. */
const HINT = new RegExp(
  String.raw`\.\p{L}[\p{L}\p{N}]|${OPENING}|_|\p{L}-\d|\/|${cue('folder')}|${cue('named')}|${cue('according')}`,
  'iu',
);
/** Before the name of a file or a folder that is not to answer. */
const EXCEPT = new RegExp(
  String.raw`(?<!\p{L})(?:${words('except')})${ARTICLES} ?${OPENING}?$`,
  'iu',
);
/** Before a name, and before one that may as well be a person, a law, a study: 'according to'. */
const AFTER_FILE = new RegExp(String.raw`${cue('named')}[\s:]{0,3}${ARTICLES}\s?$`, 'iu');
const AFTER_SOURCE = new RegExp(String.raw`${cue('according')}[\s:]?${ARTICLES}\s?$`, 'iu');
/** What makes a name of words in quotation marks, before and behind them. */
const BEFORE_QUOTED = new RegExp(
  String.raw`(?<!\p{L})(?:${words('beforeQuoted')})${ARTICLES} ?.$`,
  'iu',
);
const BEHIND_QUOTED = new RegExp(String.raw`^.\s?(?:${words('behindQuoted')})`, 'iu');
const OPENED = new RegExp(`${OPENING}$`, 'u');
const CLOSED = /^["”“»」』]/u;
/** The word for a folder before or behind its name. */
const AFTER_FOLDER = new RegExp(String.raw`${cue('folder')}[\s:]{0,3}${OPENING}?\s?$`, 'iu');
const BEFORE_FOLDER = new RegExp(String.raw`^["”“»」』]?\s${cue('folder')}`, 'iu');

/** Whether a question is to be read with the names of the user's files and folders. */
export const mayNameFiles = (text: string): boolean => HINT.test(text.normalize('NFC'));

/** Words that one name may have, and names that one question is searched for. */
const MAX_WORDS = 12;
const MAX_NAMES = 8;

/**
 * The files and folders that a question names: runs of its words that are such a name, the longest
 * first. A name of a file has its extension, is in quotation marks or written together where a file is
 * spoken of, or follows a word for a file. A name of a folder is a path, or beside a word for a folder.
 */
export function findNames(index: NameIndex, text: string): NamedFiles {
  const tokens = [...text.matchAll(/[^\s,;?!"“”„«»「」『』()]+/gu)];
  const named = new Set<string>();
  const below = new Set<string>();
  const spans: NamedFiles['spans'] = [];
  const folders: Span[] = [];
  for (let at = 0; at < tokens.length && spans.length + folders.length < MAX_NAMES; at += 1) {
    for (let count = Math.min(MAX_WORDS, tokens.length - at); count > 0; count -= 1) {
      const last = tokens[at + count - 1];
      const start = tokens[at]?.index ?? 0;
      const run = { text, start, end: (last?.index ?? 0) + (last?.[0].length ?? 0), count };
      const file = fileNamed(index, run);
      const folder = file === null ? folderNamed(index, run) : null;
      if (file === null && folder === null) continue;
      if (file !== null) {
        for (const id of file.ids) named.add(id);
        spans.push({ start: file.start, end: file.end });
      } else if (folder !== null) {
        for (const id of folder.ids) below.add(id);
        folders.push({ start: folder.start, end: folder.end });
      }
      at += count - 1;
      break;
    }
  }
  // A file that is named with a folder is in it. Otherwise either alone is meant.
  const both = named.intersection(below);
  const meant = both.size > 0 ? both : named.size > 0 ? named : below;
  return { named: [...meant], spans, folders };
}

/** A run of words of a question. */
interface Run extends Span {
  text: string;
  count: number;
}

interface Match extends Span {
  ids: readonly string[];
}

/** The files whose name a run of words is. */
function fileNamed({ byKey, folders }: NameIndex, { text, start, end, count }: Run): Match | null {
  const said = text.slice(start, end);
  const slash = said.lastIndexOf('/') + 1;
  const name = said.slice(slash);
  const hasExtension = EXTENSION.test(name);
  // Another extension of the same name counts: .xls for .xlsx.
  const ids =
    byKey.get(keyOf(name)) ?? (hasExtension ? byKey.get(keyOf(name.replace(EXTENSION, ''))) : null);
  if (!ids || EXCEPT.test(text.slice(0, start))) return null;
  if (slash > 0) {
    // 'tax/2025/notice.pdf'
    const inside = new Set(hasExtension ? filesBelow(folders, said.slice(0, slash)) : null);
    const placed = ids.filter((id) => inside.has(id));
    return placed.length === 0 ? null : { start: start + slash, end, ids: placed };
  }
  const before = text.slice(0, start);
  const isTogether = count === 1 && /_|\p{L}-\d/u.test(name) && BEFORE_QUOTED.test(before);
  // A single word is more often a thing than a file: 'according to the law'.
  const isSource =
    AFTER_SOURCE.test(before) && /[\p{L}\p{M}\p{N}][^\p{L}\p{M}\p{N}]+[\p{L}\p{N}]/u.test(name);
  const isNamed =
    (hasExtension && /\.\p{L}/u.test(name)) ||
    isTogether ||
    isSource ||
    AFTER_FILE.test(before) ||
    isQuoted(before.trimEnd(), text.slice(end).trimStart());
  return isNamed ? { start, end, ids } : null;
}

/** Whether what is between two parts of a question is in quotation marks, as the name of a file. */
const isQuoted = (before: string, behind: string): boolean =>
  OPENED.test(before) &&
  CLOSED.test(behind) &&
  (BEFORE_QUOTED.test(before) || BEHIND_QUOTED.test(behind));

/** The files below the folder whose name or path a run of words is. */
function folderNamed({ folders }: NameIndex, { text, start, end }: Run): Match | null {
  if (folders.names.size === 0) return null;
  const said = text.slice(start, end);
  const [before, behind] = [text.slice(0, start), text.slice(end)];
  const ahead = AFTER_FOLDER.exec(before)?.[0].length ?? 0;
  const after = BEFORE_FOLDER.exec(behind)?.[0].length ?? 0;
  // '24/7' and '2025/03' are seldom folders.
  const isPath = /[^\s/]\/[^\s]*/u.test(said) && /\p{L}/u.test(said);
  if (!isPath && ahead + after === 0) return null;
  const ids = filesBelow(folders, said);
  if (ids === null || EXCEPT.test(before)) return null;
  return { start: start - ahead, end: end + after, ids };
}
