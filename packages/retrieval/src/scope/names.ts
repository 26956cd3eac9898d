import { fold } from '../languages/fold.ts';
import { alternatives } from '../languages/index.ts';
import type { FileWords } from '../languages/language.ts';
import type { Span } from './uploads.ts';
import { termsOf, wordOf } from '../analysis/words.ts';

/** A stretch of a question where a file's name may stand. */
export interface NamePhrase extends Span {
  /**
   * - `certain`: written with an extension, or quoted where a file is spoken of: all of it is the name.
   * - `quoted`: in quotation marks, which are put around much that is no name of a file.
   * - `file`: after a word for a file; the name begins here and may end before the stretch does.
   * - `after`: as `file`, but what follows may be a person, a law, a study: 'according to'.
   * - `closed`: as `after`, and the name fills the stretch: 'what does … say'.
   * - `hinted`: as `after`, but the words before say little: 'in budget_2027'.
   * - `before`: the name may stand anywhere here, in a script without spaces.
   * - `inside`: as `before`, but what follows says little: 'の中で'.
   */
  by: 'certain' | 'quoted' | 'file' | 'after' | 'closed' | 'hinted' | 'before' | 'inside';
}

/** The files a question names. */
export interface NamedFiles {
  /** Ids of files that it surely names: it is about them alone. */
  named: string[];
  /** Ids of files that it may name. */
  hinted: string[];
  /** Where the sure names stand in the question, with the names as the files have them. */
  spans: (Span & { fileNames: string[] })[];
}

/** The names of somebody's files, to be looked up by what a question says. */
export interface NameIndex {
  /** The names by id. */
  names: ReadonlyMap<string, string>;
  /** Ids by the name with and without its extension, letters and digits alone. */
  byKey: ReadonlyMap<string, readonly string[]>;
  /** Ids by each word of the name. */
  byWord: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names with signs of scripts without spaces, longest first. */
  joined: readonly { key: string; id: string }[];
}

const EXTENSION = /\.[\p{L}\p{N}]{1,5}$/u;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const WORDS = /[\p{L}\p{M}]+|\p{N}+/gu;

const keyOf = (text: string): string =>
  fold(text.normalize('NFKC').toLowerCase()).replace(/[^\p{L}\p{M}\p{N}]+/gu, '');

/** The words of a name, stemmed as far as their script allows. */
const nameWords = (text: string): string[] =>
  (text.normalize('NFKC').match(WORDS) ?? []).map((word) => {
    const [term = ''] = termsOf(wordOf(word), 'en');
    return term;
  });

/** What a name is looked up by. */
interface NameParts {
  stem: string;
  keys: readonly string[];
  words: readonly string[];
}

/** Names kept at once: an index is made anew whenever one file changes. */
const MAX_KEPT = 50_000;
const kept = new Map<string, NameParts>();

function partsOf(fileName: string): NameParts {
  const known = kept.get(fileName);
  if (known !== undefined) return known;
  const bare = fileName.replace(EXTENSION, '');
  const stem = keyOf(bare);
  const keys = [...new Set([stem, keyOf(fileName)])].filter((key) => key !== '');
  const parts = { stem, keys, words: [...new Set(nameWords(bare))] };
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(fileName, parts);
  return parts;
}

/** Makes the index of somebody's file names. */
export function createNameIndex(files: readonly { id: string; fileName: string }[]): NameIndex {
  const names = new Map<string, string>();
  const byKey = new Map<string, string[]>();
  const byWord = new Map<string, Set<string>>();
  const joined: { key: string; id: string }[] = [];
  for (const { id, fileName } of files) {
    const { stem, keys, words } = partsOf(fileName);
    names.set(id, fileName);
    for (const key of keys) {
      const ids = byKey.get(key);
      if (ids) ids.push(id);
      else byKey.set(key, [id]);
    }
    for (const word of words) {
      const ids = byWord.get(word);
      if (ids) ids.add(id);
      else byWord.set(word, new Set([id]));
    }
    if (UNSPACED.test(stem) && stem.length > 1) joined.push({ key: stem, id });
  }
  joined.sort((a, b) => b.key.length - a.key.length);
  return { names, byKey, byWord, joined };
}

/** Ends of the names of files that Engram takes, and of some that people name all the same. */
export const NAME_ENDINGS = [
  'pdf',
  'docx',
  'doc',
  'xlsx',
  'xls',
  'pptx',
  'ppt',
  'odt',
  'ods',
  'odp',
  'rtf',
  'epub',
  'eml',
  'mbox',
  'ics',
  'vcf',
  'txt',
  'md',
  'markdown',
  'csv',
  'tsv',
  'html',
  'htm',
  'xhtml',
  'json',
  'jsonl',
  'ndjson',
  'zip',
  'jpg',
  'jpeg',
  'png',
  'gif',
  'bmp',
  'webp',
  'tif',
  'tiff',
  'mp3',
  'mpeg',
  'wav',
  'mp4',
  'avi',
  'mov',
  'mkv',
  'xml',
  'log',
  'svg',
  'm4a',
  'yaml',
  'yml',
  'ini',
  'tex',
] as const;
const WITH_EXTENSION = new RegExp(
  String.raw`(?<![^\s"“”„«»「」?!,;])[^\s"“”„«»「」?!,;]+\.(?:${NAME_ENDINGS.join('|')})(?![\p{L}\p{N}])`,
  'giu',
);
const QUOTED = /["“„«「『]([^"“”„«»「」『』]{2,100})["”“»」』]/gu;
const words = (field: keyof FileWords): string => alternatives(({ files }) => files?.[field]);
const cue = (field: 'named' | 'according'): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words(field)})(?![\p{L}\p{N}])[\s:]*`, 'giu');

/** Words after which a name of a file stands, and such as it may stand after. */
const FILE_CUE = cue('named');
const CUE = cue('according');
/** 'the file', 'my', 'le document', before a name. */
const ARTICLES = String.raw`(?: (?:${words('article')})){0,2}`;
/** What makes a name of a file of words in quotation marks, before and behind them. */
const BEFORE_QUOTED = new RegExp(
  String.raw`(?<!\p{L})(?:${words('beforeQuoted')})${ARTICLES} ?.$`,
  'iu',
);
const BEHIND_QUOTED = new RegExp(String.raw`^.\s?(?:${words('behindQuoted')})`, 'iu');
/** Before the name of a file that is not to answer. */
const EXCEPT = new RegExp(String.raw`(?<!\p{L})(?:${words('except')})${ARTICLES} ?["“„«]?$`, 'iu');
/** What asks for the words of one document: 'what does the Meyer contract say'. */
const SAYS = new RegExp(
  String.raw`(?:^|\s)(?:${words('saysBefore')}) ([^?]{2,60}?) (${words('saysBehind')})(?!\p{L})`,
  'giu',
);
/** Weaker: what follows may be anything, and is only looked at when it is written like a file's name. */
const WEAK_CUE = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${words('within')})\s+(?:(?:${words('article')})\s+)?(?=[^\s?!,;]*(?:_|\p{L}-\d)|[^\s?!,;]*\p{L}-\p{L}+-|\p{L}+ \d|\p{L}+ \p{L}+ \d)`,
  'giu',
);
/** What stands behind a file's name in scripts without spaces, and behind much else. */
const JOINED_CUE = new RegExp(words('joined'), 'u');
const WEAK_JOINED_CUE = new RegExp(words('joinedWeak'), 'u');

const MAX_WORDS = 8;
/** Names that one question is looked through for. */
const MAX_PHRASES = 8;

/** Where a question may name files; empty for most, at little cost. */
export function readNames(text: string): NamePhrase[] {
  const phrases: NamePhrase[] = [];
  for (const { 0: name, index } of text.matchAll(WITH_EXTENSION)) {
    phrases.push({ start: index, end: index + name.length, by: 'certain' });
  }
  for (const { 0: quoted, index } of text.matchAll(QUOTED)) {
    const [start, end] = [index + 1, index + quoted.length - 1];
    const sure =
      EXTENSION.test(text.slice(start, end)) ||
      BEFORE_QUOTED.test(text.slice(0, start)) ||
      BEHIND_QUOTED.test(text.slice(end));
    phrases.push({ start, end, by: sure ? 'certain' : 'quoted' });
  }
  const after = (pattern: RegExp, by: NamePhrase['by']): void => {
    for (const { 0: cue, index } of text.matchAll(pattern)) {
      phrases.push({ start: index + cue.length, end: text.length, by });
    }
  };
  after(FILE_CUE, 'file');
  after(CUE, 'after');
  for (const { 0: whole, 1: name = '', 2: verb = '', index } of text.matchAll(SAYS)) {
    // 'the United States' says nothing.
    if (/^\p{Lu}/u.test(verb)) continue;
    const end = index + whole.length - verb.length - 1;
    phrases.push({ start: end - name.length, end, by: 'closed' });
  }
  after(WEAK_CUE, 'hinted');
  const before = (cue: RegExp, by: NamePhrase['by']): void => {
    const end = text.search(cue);
    if (end > 0) phrases.push({ start: 0, end, by });
  };
  before(JOINED_CUE, 'before');
  before(WEAK_JOINED_CUE, 'inside');
  return phrases.filter(({ start }) => !EXCEPT.test(text.slice(0, start))).slice(0, MAX_PHRASES);
}

const ARTICLE = new RegExp(`^(?:${words('article')})$`, 'iu');

interface Placed extends Span {
  text: string;
  /** Whether no mark parts it from the word before. */
  joined: boolean;
}

function placedWords(text: string, from: number, to: number): Placed[] {
  const stretch = text.slice(from, to);
  let before = 0;
  return [...stretch.matchAll(/[^\s,;?!"“”„«»]+/gu)].map(({ 0: word, index }) => {
    const joined = !/\S/u.test(stretch.slice(before, index));
    before = index + word.length;
    return { text: word, start: from + index, end: from + before, joined };
  });
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
  const hinted = new Set<string>();
  const spans: NamedFiles['spans'] = [];
  const add: Add = (ids, { start, end }, sure) => {
    const set = sure ? named : hinted;
    for (const id of ids) set.add(id);
    if (!sure) return;
    const spelled = [...ids].slice(0, MOST_SPELLINGS);
    const fileNames = [...new Set(spelled.flatMap((id) => index.names.get(id) ?? []))];
    spans.push({ start, end, fileNames });
  };
  for (const phrase of phrases) {
    if (phrase.by === 'certain' || phrase.by === 'quoted') matchWhole(index, text, phrase, add);
    else if (phrase.by === 'before' || phrase.by === 'inside')
      matchJoined(index, text, phrase, add);
    else matchFollowing(index, text, phrase, add);
  }
  return { named: [...named], hinted: [...hinted], spans };
}

type Add = (ids: ReadonlySet<string> | readonly string[], span: Span, sure: boolean) => void;

/** A name with an extension may have spaces: the longest run of words that is one. */
function matchWhole({ byKey }: NameIndex, text: string, phrase: NamePhrase, add: Add): void {
  const before = placedWords(text, 0, phrase.start).slice(-MAX_WORDS);
  const starts = [...before.map(({ start }) => start), phrase.start];
  const spaced = EXTENSION.test(text.slice(phrase.start, phrase.end));
  for (const start of spaced ? starts : [phrase.start]) {
    const name = text.slice(start, phrase.end);
    // Another extension of the same name will do: .xls for .xlsx.
    const ids = byKey.get(keyOf(name)) ?? byKey.get(keyOf(name.replace(EXTENSION, '')));
    if (ids === undefined) continue;
    add(ids, { start, end: phrase.end }, phrase.by === 'certain');
    return;
  }
}

function matchJoined(
  { joined, byKey }: NameIndex,
  text: string,
  phrase: NamePhrase,
  add: Add,
): void {
  const said = keyOf(text.slice(phrase.start, phrase.end));
  const best = joined.find(({ key }) => said.includes(key));
  if (best === undefined) return;
  add(byKey.get(best.key) ?? [best.id], phrase, phrase.by === 'before');
}

/** Files with all words of a phrase in their names, at most so many to be meant. */
const MOST_MEANT = 5;

/**
 * Whether the first words of a phrase are a name of their own: 'the Doctor Who' in 'the Doctor Who
 * 40th Anniversary show' is not.
 */
function isWholeName(words: readonly Placed[], count: number, by: NamePhrase['by']): boolean {
  if (by === 'closed') return count === words.length;
  const next = words[count];
  return by !== 'after' || !next?.joined || !/^\p{Lu}/u.test(next.text);
}

function matchFollowing(index: NameIndex, text: string, phrase: NamePhrase, add: Add): void {
  const words = placedWords(text, phrase.start, phrase.end);
  while (words[0] !== undefined && ARTICLE.test(words[0].text)) words.shift();
  const [first] = words;
  if (first === undefined) return;
  for (let count = Math.min(words.length, MAX_WORDS); count > 0; count -= 1) {
    const end = words[count - 1]?.end ?? first.end;
    const name = text.slice(first.start, end);
    const ids = index.byKey.get(keyOf(name));
    if (ids === undefined) continue;
    // A single word is more often a thing than a file: 'according to the law'.
    const sure = phrase.by === 'file' || nameWords(name).length > 1;
    add(ids, { start: first.start, end }, sure && isWholeName(words, count, phrase.by));
    return;
  }
  if (phrase.by !== 'hinted') matchWords(index, words, phrase.by, add);
}

/** As many of the phrase's first words as one file or a few have in their names. */
function matchWords(
  { byWord }: NameIndex,
  words: readonly Placed[],
  by: NamePhrase['by'],
  add: Add,
): void {
  const [first] = words;
  let ids: ReadonlySet<string> | null = null;
  let [count, taken] = [0, 0];
  let end = first?.end ?? 0;
  for (const word of words.slice(0, MAX_WORDS)) {
    if (ids !== null && !word.joined) break;
    const parts = nameWords(word.text);
    const own = parts.map((part) => byWord.get(part) ?? new Set<string>());
    const next: ReadonlySet<string> = own.reduce<ReadonlySet<string>>(
      (kept, each) => kept.intersection(each),
      ids ?? own[0] ?? new Set(),
    );
    if (next.size === 0) break;
    ids = next;
    count += parts.length;
    taken += 1;
    ({ end } = word);
  }
  if (ids === null || first === undefined) return;
  const sure = count > 1 && ids.size <= MOST_MEANT && isWholeName(words, taken, by);
  add(ids, { start: first.start, end }, sure);
}
