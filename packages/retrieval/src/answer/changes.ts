import { findDates } from '../scope/dates.ts';
import type { LibraryDocument, LibraryFile } from '../documents/document.ts';
import { isoOf } from '../documents/day.ts';
import { createRelations } from '../documents/relations.ts';
import type { Relation } from '../documents/relations.ts';
import { wordPattern } from '../documents/words/paper-words.ts';
import type { Material } from './material.ts';
import { createCoverage, statementsOf } from './statements.ts';
import type { Statement } from './statements.ts';
import type { Value } from './values.ts';

/** One value and the one that took its place, each where a statement names it. */
export interface Change {
  old: Said;
  new: Said;
  /** The day from which on the new one holds, as YYYY-MM-DD; null where nothing says it. */
  since: string | null;
  /** How sure it is that both are values of one thing, between 0 and 1. */
  pairing: number;
  /** How well it fits the question: greater is better. */
  score: number;
  /** What may say of what they are. */
  around: string[];
}

export interface Said {
  statement: Statement;
  value: Value;
}

/** The sentences that are looked at, in all and of a file, and how much worse than the best one they may be. */
const CANDIDATES = { passages: 10, most: 14, ofFile: 4, margin: 9 } as const;
/** Papers that are read beside the one of a sentence. */
const RELATED = 4;
/** What a paper says of itself stands in so much of it. */
const HEAD = 700;
/** What counts for two statements as of one thing, and the least sum. */
const PAIR = { overlap: 0.5, asked: 0.5, namesOld: 0.45, changing: 0.15, least: 0.5 } as const;

/**
 * What one value took the place of, near what was asked: as one row tells of both, or as two papers
 * do of which one amends the other or is a later version of it.
 */
export function changesOf(material: Material): Change[] {
  const { documents, files, question, ranked } = material;
  const found = ranked
    .slice(0, CANDIDATES.passages)
    .flatMap(({ artifactId, start, sentences: own }) =>
      own.map((one) => ({ artifactId, at: start + one.start, score: one.score })),
    )
    .sort((a, b) => b.score - a.score);
  const sentences = Map.groupBy(found, ({ artifactId }) => artifactId)
    .values()
    .flatMap((own) => own.slice(0, CANDIDATES.ofFile))
    .toArray()
    .sort((a, b) => b.score - a.score)
    .slice(0, CANDIDATES.most);
  const least = (sentences[0]?.score ?? 0) - CANDIDATES.margin;
  const languages = [...new Set([...question.languages, 'en'])];
  const read = new Map<string, Statement[]>();
  const statementsIn = (id: string): Statement[] => {
    const document = documents.get(id);
    const known = read.get(id) ?? (document ? statementsOf(document, languages) : []);
    read.set(id, known);
    return known;
  };
  const relationsOf = createRelations(files);
  const context = { documents, languages, coverageOf: createCoverage(question) };
  return sentences.flatMap(({ artifactId, at, score }): Change[] => {
    const file = files.find((one) => one.artifactId === artifactId);
    const statement = statementsIn(artifactId).find(({ start, end }) => start <= at && at < end);
    if (file === undefined || statement === undefined || score < least) return [];
    const relations = relationsOf(artifactId).filter(
      ({ file: other, later }) => later !== null && documents.has(other.artifactId),
    );
    const changes = relations.slice(0, RELATED).flatMap((relation): Change[] => {
      const others = statementsIn(relation.file.artifactId);
      const change = counterpart({ statement, file }, others, relation, context);
      return change === null ? [] : [change];
    });
    const within = changeInRow({ statement, file }, context);
    if (within !== null) changes.push(within);
    const asked = context.coverageOf([statement.text, ...statement.columns.slice(0, 1)]);
    return changes.map((change) => ({
      ...change,
      score: score / 4 + 6 * asked + 2 * change.pairing,
    }));
  });
}

interface Context {
  documents: Material['documents'];
  languages: readonly string[];
  coverageOf: (texts: readonly string[]) => number;
}

interface Told {
  statement: Statement;
  file: LibraryFile;
}

/** A change that one row tells of, under 'Before' and 'From'. */
function changeInRow({ statement, file }: Told, { documents, languages }: Context): Change | null {
  const { cells, columns, values, text } = statement;
  if (columns.length < 3 || columns.length !== cells.length) return null;
  const columnOf = (...names: ('until' | 'before' | 'from' | 'now')[]): number =>
    columns.findIndex((column) => names.some((name) => wordPattern(languages, name).test(column)));
  const valueIn = (at: number): Value | undefined => {
    const cell = cells[at];
    return values.find(
      ({ start, end }) => cell !== undefined && start >= cell.start && end <= cell.end,
    );
  };
  const newAt = columnOf('from', 'now');
  const [old, fresh] = [valueIn(columnOf('until', 'before')), valueIn(newAt)];
  if (old === undefined || fresh === undefined || old.key === fresh.key) return null;
  return {
    old: { statement, value: old },
    new: { statement, value: fresh },
    since: dayFrom(columns[newAt] ?? '', languages) ?? file.date?.value ?? null,
    pairing: 1,
    score: 0,
    around: [text, ...columns, ...around({ statement, file }, documents)],
  };
}

/** The change between a statement and the one of a related paper that says otherwise of the same. */
function counterpart(
  told: Told,
  others: readonly Statement[],
  { file, strength, later }: Relation,
  { documents, languages, coverageOf }: Context,
): Change | null {
  const change = wordPattern(languages, 'changes');
  let best: { older: Told; newer: Told; old: Value; fresh: Value; fit: number } | null = null;
  for (const statement of others) {
    const other = { statement, file };
    const [older, newer] = later === true ? [told, other] : [other, told];
    const values = differing(older.statement, newer.statement);
    if (values === null) continue;
    const { before, text, words } = newer.statement;
    const shared = words.intersection(older.statement.words).size;
    const changes = change.test(`${before} ${text}`);
    // What the sentences beside it name may be of another thing.
    if (values.namesOld && !changes) continue;
    const fit =
      PAIR.overlap * (shared / Math.max(2, Math.min(words.size, older.statement.words.size))) +
      PAIR.asked * coverageOf([statement.text]) +
      PAIR.namesOld * Number(values.namesOld) +
      PAIR.changing * Number(changes);
    if (fit >= PAIR.least && fit > (best?.fit ?? 0)) best = { older, newer, ...values, fit };
  }
  if (best === null) return null;
  const { older, newer, old, fresh, fit } = best;
  const { text, before } = newer.statement;
  const day = dayFrom(text, languages) ?? dayFrom(before, languages);
  return {
    old: { statement: older.statement, value: old },
    new: { statement: newer.statement, value: fresh },
    since: day ?? newer.file.date?.value ?? null,
    pairing: Math.min(1, fit) * Math.min(1, strength + 0.3),
    score: 0,
    around: [older, newer].flatMap((each) => [each.statement.text, ...around(each, documents)]),
  };
}

/** The first values of one unit that differ between two statements; the newer may name both. */
function differing(
  older: Statement,
  newer: Statement,
): { old: Value; fresh: Value; namesOld: boolean } | null {
  for (const old of older.values) {
    const same = newer.values.filter(({ unit }) => unit === old.unit);
    const fresh = same.find(({ key }) => key !== old.key);
    if (old.unit === '' || fresh === undefined) continue;
    return { old, fresh, namesOld: same.some(({ key }) => key === old.key) };
  }
  return null;
}

/** The day that stands behind 'from' in a text. */
function dayFrom(text: string, languages: readonly string[]): string | null {
  const from = new RegExp(
    String.raw`${wordPattern(languages, 'from').source}[^\p{L}\p{N}]{0,3}$`,
    'iu',
  );
  const stretch = text.slice(0, 600);
  const mention = findDates(stretch, languages).find(
    ({ day, start }) => day !== null && from.test(stretch.slice(Math.max(0, start - 30), start)),
  );
  return mention === undefined ? null : isoOf(mention);
}

/** What a paper says of itself, and the headings above a statement of it. */
function around({ statement, file }: Told, documents: Context['documents']): string[] {
  const document: LibraryDocument | undefined = documents.get(file.artifactId);
  const headings = document?.segments.findLast(({ start }) => start <= statement.start)?.headings;
  const head = document?.text.slice(0, HEAD) ?? '';
  return [file.fileName, file.title ?? '', head, ...(headings ?? [])];
}
