import { alternatives } from '../languages/index.ts';
import type { FileWords } from '../languages/language.ts';
import { createFolderIndex, filesBelow, type FolderIndex } from './folders.ts';
import { keyOf } from './name-key.ts';
import type { Span } from './uploads.ts';

/** A stretch of a question where the name of a file or a folder may stand. */
export interface NamePhrase extends Span {
  /**
   * - `whole`: written with an extension, or quoted where a file is spoken of: all of it is the name.
   * - `file`: after a word for a file; the name begins here and may end before the stretch does.
   * - `after`: as `file`, but what follows may be a person, a law, a study: 'according to'.
   * - `path`: written with a slash; its first and its last name may have more words around it.
   * - `folder`: the word for a folder, before or behind which its name or path stands.
   */
  by: 'whole' | 'file' | 'after' | 'path' | 'folder';
}

/** The files a question names, or the folders of. */
export interface NamedFiles {
  /** Their ids: it is about them alone. */
  named: string[];
  /** Where the names stand in the question, with the names as the files have them. */
  spans: (Span & { fileNames: string[] })[];
  /** Where it names folders: words that only say which files are meant. */
  folders: Span[];
}

/** The names of somebody's files and folders, to be looked up by what a question says. */
export interface NameIndex {
  /** The names by id. */
  names: ReadonlyMap<string, string>;
  /** Ids by the name with and without its extension, letters and digits alone. */
  byKey: ReadonlyMap<string, readonly string[]>;
  folders: FolderIndex;
}

const EXTENSION = /\.[\p{L}\p{N}]{1,5}$/u;
const WORDS = /[\p{L}\p{M}]+|\p{N}+/gu;

/** Names kept at once: an index is made anew whenever one file changes. */
const MAX_KEPT = 50_000;
const kept = new Map<string, readonly string[]>();

/** What a name is looked up by. */
function keysOf(fileName: string): readonly string[] {
  const known = kept.get(fileName);
  if (known !== undefined) return known;
  const bare = fileName.replace(EXTENSION, '');
  const keys = [...new Set([keyOf(bare), keyOf(fileName)])].filter((key) => key !== '');
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(fileName, keys);
  return keys;
}

/** Makes the index of somebody's file names, and of the folders that the files stand in. */
export function createNameIndex(
  files: readonly { id: string; fileName: string; path?: string | null }[],
): NameIndex {
  const names = new Map<string, string>();
  const byKey = new Map<string, string[]>();
  for (const { id, fileName } of files) {
    names.set(id, fileName);
    for (const key of keysOf(fileName))
      byKey
        .set(key, byKey.get(key) ?? [])
        .get(key)
        ?.push(id);
  }
  return { names, byKey, folders: createFolderIndex(files) };
}

/** What is written like a file's name; whether there is such a file is looked up. */
const WITH_EXTENSION =
  /(?<![^\s"“”„«»「」?!,;])[^\s"“”„«»「」?!,;]+\.\p{L}[\p{L}\p{N}]{1,7}(?![\p{L}\p{N}])/gu;
/** … without its extension: 'in budget_2027'. */
const WRITTEN_TOGETHER =
  /(?<![^\s"“”„«»「」?!,;])[^\s"“”„«»「」?!,;]*(?:_|\p{L}-\d)[^\s"“”„«»「」?!,;]*/gu;
/** … and what like a path: whether there are such folders is looked up, too. */
const WITH_SLASH = /(?<![^\s"“”„«»「」?!,;(])\/?[^\s"“”„«»「」?!,;()/]+\/[^\s"“”„«»「」?!,;()]*/gu;
const QUOTED = /["“„«「『]([^"“”„«»「」『』]{2,100})["”“»」』]/gu;
const words = (field: keyof FileWords): string => alternatives(({ files }) => files?.[field]);
const cue = (field: 'named' | 'according' | 'folder'): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words(field)})(?![\p{L}\p{N}])[\s:]*`, 'giu');

/** Words after which a name of a file stands, and such as it may stand after. */
const FILE_CUE = cue('named');
const CUE = cue('according');
const FOLDER_CUE = cue('folder');
/** 'the file', 'my', 'le document', before a name. */
const ARTICLES = String.raw`(?: (?:${words('article')})){0,2}`;
/** What makes a name of a file of words in quotation marks, before and behind them. */
const BEFORE_QUOTED = new RegExp(
  String.raw`(?<!\p{L})(?:${words('beforeQuoted')})${ARTICLES} ?.$`,
  'iu',
);
const BEHIND_QUOTED = new RegExp(String.raw`^.\s?(?:${words('behindQuoted')})`, 'iu');
/** Before the name of a file or a folder that is not to answer. */
const EXCEPT = new RegExp(String.raw`(?<!\p{L})(?:${words('except')})${ARTICLES} ?["“„«]?$`, 'iu');

const MAX_WORDS = 8;
/** Names that one question is looked through for. */
const MAX_PHRASES = 8;

/** Where a question may name files or folders; empty for most, at little cost. */
export function readNames(text: string): NamePhrase[] {
  const phrases: NamePhrase[] = [];
  const add = (start: number, end: number, by: NamePhrase['by']): void => {
    if (!EXCEPT.test(text.slice(0, start))) phrases.push({ start, end, by });
  };
  for (const { 0: name, index } of text.matchAll(WITH_EXTENSION)) {
    add(index, index + name.length, 'whole');
  }
  for (const { 0: name, index } of text.matchAll(WRITTEN_TOGETHER)) {
    if (BEFORE_QUOTED.test(text.slice(0, index))) add(index, index + name.length, 'whole');
  }
  for (const { 0: quoted, index } of text.matchAll(QUOTED)) {
    const [start, end] = [index + 1, index + quoted.length - 1];
    const sure =
      EXTENSION.test(text.slice(start, end)) ||
      BEFORE_QUOTED.test(text.slice(0, start)) ||
      BEHIND_QUOTED.test(text.slice(end));
    if (sure) add(start, end, 'whole');
  }
  for (const { 0: path, index } of text.matchAll(WITH_SLASH)) {
    // '24/7' and '2025/03' are seldom folders.
    if (/\p{L}/u.test(path)) add(index, index + path.length, 'path');
  }
  for (const { 0: said, index } of text.matchAll(FOLDER_CUE)) {
    add(index, index + said.length, 'folder');
  }
  for (const [pattern, by] of [
    [FILE_CUE, 'file'],
    [CUE, 'after'],
  ] as const) {
    for (const { 0: cue, index } of text.matchAll(pattern)) {
      add(index + cue.length, text.length, by);
    }
  }
  return phrases.slice(0, MAX_PHRASES);
}

const ARTICLE = new RegExp(`^(?:${words('article')})$`, 'iu');

interface Placed extends Span {
  text: string;
}

function placedWords(text: string, from: number, to: number): Placed[] {
  const stretch = text.slice(from, to);
  return [...stretch.matchAll(/[^\s,;?!"“”„«»]+/gu)].map(({ 0: word, index }) => ({
    text: word,
    start: from + index,
    end: from + index + word.length,
  }));
}

/** Spellings of one name that are made known to the search. */
const MOST_SPELLINGS = 20;

/** The files that a question names, by the phrases that {@link readNames} read. */
export function matchNames(
  index: NameIndex,
  text: string,
  phrases: readonly NamePhrase[],
): NamedFiles {
  const named = new Set<string>();
  const below = new Set<string>();
  const spans: NamedFiles['spans'] = [];
  const folders: Span[] = [];
  for (const phrase of phrases) {
    const match = matchPhrase(index, text, phrase);
    if (match === null) continue;
    const { ids, start, end } = match;
    if (phrase.by === 'path' || phrase.by === 'folder') {
      for (const id of ids) below.add(id);
      folders.push({ start, end });
      continue;
    }
    for (const id of ids) named.add(id);
    const spelled = [...ids].slice(0, MOST_SPELLINGS);
    const fileNames = [...new Set(spelled.flatMap((id) => index.names.get(id) ?? []))];
    spans.push({ start, end, fileNames });
  }
  return { named: [...bothOf(named, below)], spans, folders };
}

/** A file that is named with a folder stands in it; else either alone is meant. */
function bothOf(named: ReadonlySet<string>, below: ReadonlySet<string>): ReadonlySet<string> {
  if (named.size === 0) return below;
  const both = named.intersection(below);
  return both.size === 0 ? named : both;
}

interface NameMatch extends Span {
  ids: Iterable<string>;
}

function matchPhrase(index: NameIndex, text: string, phrase: NamePhrase): NameMatch | null {
  if (phrase.by === 'whole') return matchWhole(index, text, phrase);
  if (phrase.by === 'file' || phrase.by === 'after') return matchFollowing(index, text, phrase);
  if (index.folders.size === 0) return null;
  return phrase.by === 'path'
    ? matchPath(index, text, phrase)
    : matchBesideFolder(index, text, phrase);
}

/** Words before and behind a slash that may belong to the names of its folders. */
const MAX_AROUND = 4;

/** The longest path that a word with a slash is in: folders' names may have spaces. */
function matchPath({ folders }: NameIndex, text: string, phrase: NamePhrase): NameMatch | null {
  const before = placedWords(text, 0, phrase.start).slice(-MAX_AROUND);
  const behind = placedWords(text, phrase.end, text.length).slice(0, MAX_AROUND).toReversed();
  for (const { end } of [...behind, phrase]) {
    for (const { start } of [...before, phrase]) {
      const ids = filesBelow(folders, text.slice(start, end));
      if (ids !== null) return { start, end, ids };
    }
  }
  return null;
}

/** The longest folder's name or path behind the word for a folder, or before it: 'my tax folder'. */
function matchBesideFolder(
  { folders }: NameIndex,
  text: string,
  { start, end }: NamePhrase,
): NameMatch | null {
  const behind = placedWords(text, end, text.length).slice(0, MAX_WORDS);
  const [first] = behind;
  for (const last of behind.toReversed()) {
    const ids = first && filesBelow(folders, text.slice(first.start, last.end));
    if (ids) return { start, end: last.end, ids };
  }
  for (const word of placedWords(text, 0, start).slice(-MAX_WORDS)) {
    const ids = filesBelow(folders, text.slice(word.start, start));
    if (ids !== null) {
      return EXCEPT.test(text.slice(0, word.start)) ? null : { start: word.start, end, ids };
    }
  }
  return null;
}

/** A name with an extension may have spaces: the longest run of words that is one. */
function matchWhole(index: NameIndex, text: string, phrase: NamePhrase): NameMatch | null {
  const { byKey } = index;
  const { end } = phrase;
  const slash = text.slice(phrase.start, end).lastIndexOf('/');
  if (slash >= 0) return matchPlaced(index, text, { ...phrase, slash });
  const before = placedWords(text, 0, phrase.start).slice(-MAX_WORDS);
  const spaced = EXTENSION.test(text.slice(phrase.start, end));
  for (const { start } of [...(spaced ? before : []), phrase]) {
    const name = text.slice(start, end);
    // Another extension of the same name will do: .xls for .xlsx.
    const ids = byKey.get(keyOf(name)) ?? byKey.get(keyOf(name.replace(EXTENSION, '')));
    if (ids !== undefined) return { start, end, ids };
  }
  return null;
}

/** A file that is named with its folders: 'tax/2025/notice.pdf'. */
function matchPlaced(
  index: NameIndex,
  text: string,
  { start, end, slash }: Span & { slash: number },
): NameMatch | null {
  const at = start + slash + 1;
  const match = matchWhole(index, text, { start: at, end, by: 'whole' });
  const below = match && filesBelow(index.folders, text.slice(start, at));
  if (!below) return null;
  const ids = new Set(match.ids).intersection(new Set(below));
  return ids.size === 0 ? null : { ...match, ids };
}

/** The longest name that the words after 'according to' or 'in the file' begin with. */
function matchFollowing(index: NameIndex, text: string, phrase: NamePhrase): NameMatch | null {
  const words = placedWords(text, phrase.start, phrase.end);
  while (words[0] !== undefined && ARTICLE.test(words[0].text)) words.shift();
  for (let count = Math.min(words.length, MAX_WORDS); count > 0; count -= 1) {
    const [first, last] = [words[0], words[count - 1]];
    if (first === undefined || last === undefined) break;
    const [start, end] = [first.start, last.end];
    const ids = index.byKey.get(keyOf(text.slice(start, end)));
    if (ids === undefined) continue;
    // A single word is more often a thing than a file: 'according to the law'.
    const sure = phrase.by === 'file' || (text.slice(start, end).match(WORDS) ?? []).length > 1;
    return sure ? { start, end, ids } : null;
  }
  return null;
}
