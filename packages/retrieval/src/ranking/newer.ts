import { wordsOf } from '../text/words.ts';
import type { LibraryFile } from '../documents/document.ts';
import { wordsOfFileName } from '../documents/lines.ts';
import type { RankedPassage } from './rank.ts';

/** Kinds of documents that do not replace earlier ones. */
const NEVER_REPLACED = new Set(
  'calendar invoice journal list mail manual minutes payslip receipt statement'.split(' '),
);

/** The share of rare words that two names of one document have in common. */
const MIN_SHARED = 0.45;
const MIN_RARITY = 8;
/** In a small library every word is common, but an amendment still names its contract. */
const MIN_FILES = 50;

const MAX_CHECKED = 8;
const MARGIN = 4;

/** Finds documents that amend or replace a file, by their facts. */
type FindNewer = (artifactId: string) => readonly LibraryFile[];

const cached = new WeakMap<readonly LibraryFile[], FindNewer>();

export function createFindNewer(files: readonly LibraryFile[]): FindNewer {
  const findNewer = cached.get(files) ?? makeFindNewer(files);
  cached.set(files, findNewer);
  return findNewer;
}

function makeFindNewer(files: readonly LibraryFile[]): FindNewer {
  const byId = new Map(files.map((file) => [file.artifactId, file]));
  const isReplaceable = ({ kind }: LibraryFile): boolean => !NEVER_REPLACED.has(kind ?? '');
  let isRelated: IsRelated | null = null;
  return (artifactId) => {
    const old = byId.get(artifactId);
    if (old === undefined || !isReplaceable(old)) return [];
    const related = (isRelated ??= createIsRelated(files));
    return files.filter((file) => isReplaceable(file) && isLater(file, old) && related(old, file));
  };
}

type IsRelated = (a: LibraryFile, b: LibraryFile) => boolean;

/** Whether two files share a contract number or most rare words of their names. */
function createIsRelated(files: readonly LibraryFile[]): IsRelated {
  const words = new Map(files.map((file) => [file.artifactId, wordsOfNames(file)]));
  const counts = new Map<string, number>();
  for (const word of [...words.values()].flatMap((names) => [...names]))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  // Words of only one file and the owner's name are not evidence.
  const rarity = (word: string, minFiles: number): number =>
    Math.max(0, Math.log((Math.max(files.length, minFiles) + 1) / (counts.get(word) ?? 1)) - 1);
  return (a, b) => {
    if (a.codes.some((code) => b.codes.includes(code))) return true;
    const [one, two] = [a, b].map(({ artifactId }) => words.get(artifactId) ?? new Set<string>());
    if (one === undefined || two === undefined) return false;
    const minFiles = (a.kind === 'amendment') === (b.kind === 'amendment') ? 0 : MIN_FILES;
    const weigh = (set: ReadonlySet<string>): number =>
      [...set].reduce((sum, word) => sum + rarity(word, minFiles), 0);
    const smaller = Math.max(MIN_RARITY, Math.min(weigh(one), weigh(two)));
    return weigh(one.intersection(two)) >= MIN_SHARED * smaller;
  };
}

function wordsOfNames({ fileName, title }: LibraryFile): ReadonlySet<string> {
  const words = [wordsOfFileName(fileName), title ?? ''].flatMap((line) =>
    wordsOf(line.slice(0, 200)).words.map(({ lower }) => lower),
  );
  // Versions of a document differ by numbers.
  return new Set(words.filter((word) => word.length > 2 && /\p{L}/u.test(word)));
}

/** Whether a file is later: amendments after contracts, else by date or version. */
function isLater(file: LibraryFile, other: LibraryFile): boolean {
  const amends = file.kind === 'amendment';
  if (amends !== (other.kind === 'amendment')) return amends;
  const byVersion = isLaterVersion(file, other);
  if (amends && byVersion !== null) return byVersion;
  if (file.date !== null && other.date !== null && file.date !== other.date)
    return file.date > other.date;
  return byVersion ?? false;
}

function isLaterVersion(file: LibraryFile, other: LibraryFile): boolean | null {
  const [a = Number.NaN, b = Number.NaN] = [file, other].map(({ version }) =>
    Number.parseFloat(/\d.*/u.exec(version ?? '')?.[0] ?? ''),
  );
  return a === b || Number.isNaN(a) || Number.isNaN(b) ? null : a > b;
}

/** Ranks a passage of a newer document above the one it amends or replaces. */
export function preferNewer(
  ranked: readonly RankedPassage[],
  findNewer: FindNewer,
): RankedPassage[] {
  const passages = [...ranked];
  for (let i = 0; i < Math.min(MAX_CHECKED, passages.length); i += 1) {
    const older = passages[i] as RankedPassage;
    const newer = new Set(findNewer(older.artifactId).map(({ artifactId }) => artifactId));
    const index = passages.findIndex(
      ({ artifactId, score }, j) => j > i && newer.has(artifactId) && score >= older.score - MARGIN,
    );
    if (index === -1) continue;
    const [moved] = passages.splice(index, 1);
    if (moved !== undefined) passages.splice(i, 0, { ...moved, score: older.score });
  }
  return passages;
}
