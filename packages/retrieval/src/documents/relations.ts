import { findDates } from '../scope/dates.ts';
import type { DateMention } from '../scope/dates.ts';
import { wordsOf } from '../analysis/words.ts';
import type { Fact, LibraryFile } from './document.ts';
import { wordsOfFileName } from './lines.ts';

/** How two files belong together. */
export interface Relation {
  file: LibraryFile;
  /** Between 0 and 1. */
  strength: number;
  /** Whether it is the later one of the two; null where neither says its day or version. */
  later: boolean | null;
}

const STRENGTH = {
  /** Both name the number of one policy, contract or account. */
  code: 0.9,
  /** One names the day of the other as that of what it replaces. */
  day: 0.9,
  /** Their names alone, from which on they may be versions of one paper. */
  leastNames: 0.45,
  /** … where one of them says that it changes something. */
  leastChanging: 0.3,
} as const;

/** What the names of a file must say at least to be compared: two rare words. */
const FEWEST_WORDS = 8;

/** The words that a file is called by, and how rare each is among the files. */
interface Names {
  words: ReadonlyMap<string, ReadonlySet<string>>;
  rarity: (word: string) => number;
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
    names ??= namesOf(files);
    const known = names;
    return files
      .flatMap((file): Relation[] => {
        if (file === own) return [];
        const strength = strengthOf(own, file, known);
        return strength === 0 ? [] : [{ file, strength, later: isLater(file, own) }];
      })
      .sort((a, b) => b.strength - a.strength);
  };
}

/**
 * Files to load beside the ones found, best first: what is in force may stand in a paper that has few
 * of the question's words.
 */
export function relatedFiles(
  files: readonly LibraryFile[],
  artifactIds: readonly string[],
  most: number,
): string[] {
  const relationsOf = createRelations(files);
  const best = new Map<string, number>();
  for (const id of artifactIds) {
    for (const { file, strength } of relationsOf(id)) {
      if (artifactIds.includes(file.artifactId)) continue;
      best.set(file.artifactId, Math.max(best.get(file.artifactId) ?? 0, strength));
    }
  }
  const ranked = [...best].sort(([, a], [, b]) => b - a);
  return ranked.slice(0, most).map(([id]) => id);
}

function strengthOf(a: LibraryFile, b: LibraryFile, names: Names): number {
  if (a.codes.some((code) => b.codes.includes(code))) return STRENGTH.code;
  const share = sharedNames(a, b, names);
  if (share > 0 && (namesDayOf(a, b) || namesDayOf(b, a))) return STRENGTH.day;
  const changing = a.replaces !== null || b.replaces !== null;
  return share >= (changing ? STRENGTH.leastChanging : STRENGTH.leastNames) ? share : 0;
}

/** Whether what a file replaces is told by the day of the other, the year said or not. */
function namesDayOf({ replaces, date }: LibraryFile, other: LibraryFile): boolean {
  if (replaces === null || other.date === null || date?.value === other.date.value) return false;
  const [year, month, day] = other.date.value.split('-').map(Number);
  return daysIn(replaces).some(
    (mention) =>
      mention.day === day &&
      mention.months?.[0] === month &&
      (mention.year === null || mention.year === year),
  );
}

const DAYS_OF = new WeakMap<Fact<string>, DateMention[]>();

/** The days that what a file replaces is told by, found once. */
function daysIn(replaced: Fact<string>): DateMention[] {
  let days = DAYS_OF.get(replaced);
  if (days === undefined) {
    days = findDates(replaced.value.slice(0, 500), ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl']);
    DAYS_OF.set(replaced, days);
  }
  return days;
}

/** The share of the rarer words in their names, titles and parties that two files have in common. */
function sharedNames(a: LibraryFile, b: LibraryFile, { words, rarity }: Names): number {
  const [one, other] = [words.get(a.artifactId), words.get(b.artifactId)];
  if (one === undefined || other === undefined) return 0;
  const weigh = (set: Iterable<string>): number => {
    let sum = 0;
    for (const word of set) sum += rarity(word);
    return sum;
  };
  const shared = weigh(one.intersection(other));
  return shared / Math.max(FEWEST_WORDS, Math.min(weigh(one), weigh(other)));
}

function namesOf(files: readonly LibraryFile[]): Names {
  const words = new Map(files.map((file) => [file.artifactId, wordsOfNames(file)]));
  const counts = new Map<string, number>();
  for (const own of words.values()) {
    for (const word of own) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  // A word of one file alone tells nothing of others, and the owner's name is on every paper.
  const rarity = (word: string): number =>
    Math.max(0, Math.log((files.length + 1) / (counts.get(word) ?? 1)) - 1);
  return { words, rarity };
}

function wordsOfNames({ fileName, title, parties }: LibraryFile): ReadonlySet<string> {
  const lines = [
    wordsOfFileName(fileName),
    title ?? '',
    ...parties.slice(0, 4).map((p) => p.value),
  ];
  // Numbers are what versions of one paper differ by.
  const words = lines.flatMap((line) =>
    wordsOf(line.slice(0, 200)).words.map(({ lower }) => lower),
  );
  return new Set(words.filter((word) => word.length > 2 && !/^\P{L}*$/u.test(word)));
}

/** Whether a file is later than another: by its day, its version, or as the only one that changes. */
export function isLater(file: LibraryFile, other: LibraryFile): boolean | null {
  if (file.date !== null && other.date !== null && file.date.value !== other.date.value) {
    return file.date.value > other.date.value;
  }
  const [own, its] = [numberOf(file), numberOf(other)];
  if (own !== null && its !== null && own !== its) return own > its;
  const changes = [file.replaces, other.replaces].map((fact) => fact !== null);
  return changes[0] === changes[1] ? null : (changes[0] ?? null);
}

const numberOf = ({ version }: LibraryFile): number | null => {
  const digits = /\d+(?:\.\d+)?/u.exec(version ?? '')?.[0];
  return digits === undefined ? null : Number(digits);
};
