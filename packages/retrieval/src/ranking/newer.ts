import type { LibraryFile } from '../documents/document.ts';
import type { RankedPassage } from './rank.ts';
import { createRelations, type Relation } from './related-files.ts';

/** Kinds of documents that stand beside each other: the next one does not replace the one before. */
const NEVER_REPLACED: ReadonlySet<string> = new Set([
  'calendar',
  'invoice',
  'journal',
  'list',
  'mail',
  'manual',
  'minutes',
  'payslip',
  'receipt',
  'statement',
]);

/** Passages for which a newer document is looked for. */
const LOOKED_AT = 8;
/** How much lower than the older passage the newer one may score. */
const MARGIN = 4;

/** Finds the documents that amend or replace a file, by what the files say of themselves. */
export type FindNewer = (artifactId: string) => readonly LibraryFile[];

const known = new WeakMap<readonly LibraryFile[], FindNewer>();

/** The same list of files is compared once. */
export function createFindNewer(files: readonly LibraryFile[]): FindNewer {
  const before = known.get(files);
  if (before !== undefined) return before;
  const byId = new Map(files.map((file) => [file.artifactId, file]));
  const relationsOf = createRelations(files);
  const isReplaceable = (file: LibraryFile | undefined): boolean =>
    file !== undefined && !NEVER_REPLACED.has(file.kind ?? '');
  const replaces = ({ later, file }: Relation): boolean => later === true && isReplaceable(file);
  const findNewer: FindNewer = (artifactId) =>
    isReplaceable(byId.get(artifactId))
      ? relationsOf(artifactId)
          .filter(replaces)
          .map(({ file }) => file)
      : [];
  known.set(files, findNewer);
  return findNewer;
}

/** Ranks a passage of a document that amends or replaces another one above that one's. */
export function preferNewer(
  ranked: readonly RankedPassage[],
  findNewer: FindNewer,
): RankedPassage[] {
  const passages = [...ranked];
  for (let i = 0; i < Math.min(LOOKED_AT, passages.length); i += 1) {
    const older = passages[i] as RankedPassage;
    const newer = new Set(findNewer(older.artifactId).map(({ artifactId }) => artifactId));
    const at = passages.findIndex(
      ({ artifactId, score }, j) => j > i && newer.has(artifactId) && score >= older.score - MARGIN,
    );
    if (at === -1) continue;
    const [moved] = passages.splice(at, 1);
    if (moved !== undefined) passages.splice(i, 0, { ...moved, score: older.score });
  }
  return passages;
}
