import { wordsOf } from '../analysis/words.ts';
import type { LibraryFile } from '../documents/document.ts';
import { wordsOfFileName } from '../documents/lines.ts';

/** How two files belong together. */
export interface Relation {
  file: LibraryFile;
  /** Between 0 and 1. */
  strength: number;
  /** Whether it is the later one of the two; null where neither says its day or version. */
  later: boolean | null;
}

/** Both name the number of one policy or contract. */
const NAMED = 0.9;
/** What their names alone must share, from which on they may be versions of one paper. */
const LEAST_NAMES = 0.45;
/** What the names of a file must say at least to be compared: two rare words. */
const FEWEST_WORDS = 8;
/** In a library of a few files every word is common, though an amendment names its contract. */
const FEWEST_FILES = 50;

/** The words that files are called by, and how rare each is among the files. */
interface Names {
  words: ReadonlyMap<string, ReadonlySet<string>>;
  /** How rare a word is, as if there were at least so many files. */
  rarity: (word: string, least: number) => number;
}

/**
 * Finds files that belong together: an amendment and its contract, two versions, a letter and the one
 * that changes it. Told by what they say of themselves alone, in time linear in the files.
 */
export function createRelations(files: readonly LibraryFile[]): (artifactId: string) => Relation[] {
  const byId = new Map(files.map((file) => [file.artifactId, file]));
  let names: Names | null = null;
  return (artifactId) => {
    const own = byId.get(artifactId);
    if (own === undefined) return [];
    const known = (names ??= namesOf(files));
    return files
      .flatMap((file): Relation[] => {
        const strength = file === own ? 0 : strengthOf(own, file, known);
        return strength === 0 ? [] : [{ file, strength, later: isLater(file, own) }];
      })
      .sort((a, b) => b.strength - a.strength);
  };
}

function strengthOf(a: LibraryFile, b: LibraryFile, names: Names): number {
  if (a.codes.some((code) => b.codes.includes(code))) return NAMED;
  const share = sharedNames(a, b, names);
  return share >= LEAST_NAMES ? share : 0;
}

/** The share of the rarer words in their names and titles that two files have in common. */
function sharedNames(a: LibraryFile, b: LibraryFile, { words, rarity }: Names): number {
  const [one, other] = [a, b].map(({ artifactId }) => words.get(artifactId) ?? new Set<string>());
  if (one === undefined || other === undefined) return 0;
  const amends = (a.kind === 'amendment') !== (b.kind === 'amendment');
  const weigh = (set: ReadonlySet<string>): number =>
    [...set].reduce((sum, word) => sum + rarity(word, amends ? FEWEST_FILES : 0), 0);
  const shared = weigh(one.intersection(other));
  return shared / Math.max(FEWEST_WORDS, Math.min(weigh(one), weigh(other)));
}

function namesOf(files: readonly LibraryFile[]): Names {
  const words = new Map(files.map((file) => [file.artifactId, wordsOfNames(file)]));
  const counts = new Map<string, number>();
  for (const word of [...words.values()].flatMap((own) => [...own]))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  // A word of one file alone tells nothing of others, and the owner's name is on every paper.
  const rarity = (word: string, least: number): number =>
    Math.max(0, Math.log((Math.max(files.length, least) + 1) / (counts.get(word) ?? 1)) - 1);
  return { words, rarity };
}

function wordsOfNames({ fileName, title }: LibraryFile): ReadonlySet<string> {
  const words = [wordsOfFileName(fileName), title ?? ''].flatMap((line) =>
    wordsOf(line.slice(0, 200)).words.map(({ lower }) => lower),
  );
  // Numbers are what versions of one paper differ by.
  return new Set(words.filter((word) => word.length > 2 && /\p{L}/u.test(word)));
}

/**
 * Whether a file is later than another: as an amendment is than what it amends and than those numbered
 * before it, else by its day or its version.
 */
export function isLater(file: LibraryFile, other: LibraryFile): boolean | null {
  const amends = file.kind === 'amendment';
  if (amends !== (other.kind === 'amendment')) return amends;
  const byVersion = isLaterVersion(file, other);
  if (amends && byVersion !== null) return byVersion;
  if (file.date !== null && other.date !== null && file.date !== other.date)
    return file.date > other.date;
  return byVersion;
}

function isLaterVersion(file: LibraryFile, other: LibraryFile): boolean | null {
  const [own = Number.NaN, its = Number.NaN] = [file, other].map(({ version }) =>
    Number.parseFloat(/\d.*/u.exec(version ?? '')?.[0] ?? ''),
  );
  return own === its || Number.isNaN(own) || Number.isNaN(its) ? null : own > its;
}
