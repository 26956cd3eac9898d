import { findDates } from '../scope/dates.ts';
import type { LibraryDocument, LibraryFile } from '../documents/document.ts';
import { isoOf } from '../documents/day.ts';
import { createRelations } from '../documents/relations.ts';
import type { Relation } from '../documents/relations.ts';
import { wordPattern } from '../documents/words/paper-words.ts';
import type { RankedPassage, RankedSentence } from '../ranking/rank.ts';
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

/** The candidates that are looked at, and how much worse than the best one they may be. */
const CANDIDATES = { passages: 10, most: 14, margin: 9 } as const;
/** Documents that are read beside the best ones. */
const RELATED = 4;
const READ = 6;
const HEAD = 700;

const PAIR = {
  overlap: 0.5,
  asked: 0.5,
  namesOld: 0.45,
  changing: 0.15,
  least: 0.5,
} as const;

interface Candidate {
  passage: RankedPassage;
  sentence: RankedSentence;
}

/** The sentences of the best passages, best first. */
const candidatesOf = (ranked: readonly RankedPassage[]): Candidate[] =>
  ranked
    .slice(0, CANDIDATES.passages)
    .flatMap((passage) => passage.sentences.map((sentence) => ({ passage, sentence })))
    .sort((a, b) => b.sentence.score - a.sentence.score);

/** The sentences of the best passages that come near the best one. */
function closeTo(ranked: readonly RankedPassage[]): Candidate[] {
  const candidates = candidatesOf(ranked).slice(0, CANDIDATES.most);
  const least = (candidates[0]?.sentence.score ?? 0) - CANDIDATES.margin;
  return candidates.filter(({ sentence }) => sentence.score >= least);
}

/**
 * What one value took the place of, near what was asked: as one statement tells of both, or as two
 * papers do of which one amends the other or is a later version of it.
 */
export function changesOf(material: Material): Change[] {
  const candidates = closeTo(material.ranked);
  const { documents, files, question } = material;
  const relationsOf = createRelations(files);
  const best = [...new Set(candidates.map(({ passage }) => passage.artifactId))].slice(0, READ);
  const languages = [...new Set([...question.languages, 'en'])];
  const read = new Map<string, Statement[]>();
  const statementsIn = (id: string): Statement[] => {
    const known = read.get(id);
    if (known !== undefined) return known;
    const document = documents.get(id);
    const statements = document === undefined ? [] : statementsOf(document, languages);
    read.set(id, statements);
    return statements;
  };
  const coverageOf = createCoverage(question, material.ranked);
  const changes: Change[] = [];
  for (const id of best) {
    const own = candidates.filter(({ passage }) => passage.artifactId === id);
    const top = own[0];
    const file = files.find(({ artifactId }) => artifactId === id);
    if (top === undefined || file === undefined) continue;
    const relations = relationsOf(id)
      .filter(({ file: other, later }) => later !== null && documents.has(other.artifactId))
      .slice(0, RELATED);
    const context = { material, languages, coverageOf, file };
    for (const statement of statementsIn(id)) {
      const candidate = own.find(
        ({ passage, sentence }) =>
          passage.start + sentence.start < statement.end &&
          statement.start < passage.start + sentence.end,
      );
      const worth = candidate?.sentence.score ?? top.sentence.score - CANDIDATES.margin;
      const asked = coverageOf([statement.text, ...statement.columns.slice(0, 1)]);
      const within = changeWithin(statement, context);
      if (within !== null)
        changes.push({ ...within, score: worth / 4 + 6 * asked + within.pairing });
      if (candidate === undefined) continue;
      for (const relation of relations) {
        const other = counterpart(
          statement,
          statementsIn(relation.file.artifactId),
          relation,
          context,
        );
        if (other !== null)
          changes.push({ ...other, score: worth / 4 + 6 * asked + 2 * other.pairing });
      }
    }
  }
  return changes;
}

interface Context {
  material: Material;
  languages: readonly string[];
  coverageOf: (texts: readonly string[]) => number;
  /** The file of the statement. */
  file: LibraryFile;
}

/** A change that one statement tells of: a row under 'Before' and 'From', or '30 instead of 20'. */
function changeWithin(statement: Statement, context: Context): Change | null {
  const pair = columnsOf(statement, context) ?? wordsOfChange(statement, context);
  if (pair === null) return null;
  const { documents } = context.material;
  const document = documents.get(statement.artifactId);
  return {
    ...pair,
    score: 0,
    around: [
      statement.text,
      ...statement.columns,
      ...headOf(document, context.file),
      ...above(statement, document),
    ],
  };
}

type Pair = Pick<Change, 'old' | 'new' | 'since' | 'pairing'>;

function columnsOf(statement: Statement, { languages, file }: Context): Pair | null {
  const { cells, columns, values } = statement;
  if (columns.length < 3 || columns.length !== cells.length) return null;
  const until = new RegExp(`^${wordPattern(languages, 'until').source}`, 'iu');
  const before = new RegExp(`^${wordPattern(languages, 'before').source}`, 'iu');
  const from = wordPattern(languages, 'from');
  const now = wordPattern(languages, 'now');
  const oldAt = columns.findIndex((name) => until.test(name) || before.test(name));
  const newAt = columns.findIndex((name, i) => i !== oldAt && (from.test(name) || now.test(name)));
  if (oldAt < 1 || newAt < 1) return null;
  const valueIn = (at: number): Value | undefined => {
    const cell = cells[at];
    return values.find(
      ({ start, end }) => cell !== undefined && start >= cell.start && end <= cell.end,
    );
  };
  const [old, fresh] = [valueIn(oldAt), valueIn(newAt)];
  if (old === undefined || fresh === undefined || old.key === fresh.key) return null;
  const since = dayIn(columns[newAt] ?? '', languages) ?? file.date?.value ?? null;
  return { old: { statement, value: old }, new: { statement, value: fresh }, since, pairing: 1 };
}

/** 'from 20 to 30', '30 (until now 20)', '30 instead of 20', '20, 30 from 1 May'. */
function wordsOfChange(statement: Statement, { languages, file }: Context): Pair | null {
  const { text, values } = statement;
  const endsWith = (name: 'until' | 'from' | 'changes'): RegExp =>
    new RegExp(String.raw`${wordPattern(languages, name).source}[^\p{L}\p{N}]{0,3}$`, 'iu');
  const change = wordPattern(languages, 'changes');
  for (const [i, first] of values.entries()) {
    const second = values.slice(i + 1).find(({ unit }) => unit === first.unit);
    if (second === undefined || second.key === first.key || first.unit === '') continue;
    const lead = text.slice(Math.max(0, first.start - 25), first.start);
    const between = text.slice(first.end, second.start);
    if (between.length > 45) continue;
    const behind = text.slice(second.end, second.end + 30);
    const pair = (old: Value, fresh: Value): Pair => ({
      old: { statement, value: old },
      new: { statement, value: fresh },
      since: effectiveDay(statement, languages) ?? file.date?.value ?? null,
      pairing: 0.9,
    });
    const onlyTo = /^[^\p{L}]*(?:to|auf|à|a|para|naar)[^\p{L}\p{N}]*$/iu.test(between);
    if (onlyTo && change.test(text) && first.unit !== 'date' && first.unit !== 'time')
      return pair(first, second);
    if (endsWith('until').test(between) && !endsWith('from').test(lead)) return pair(second, first);
    const holds = values.find(({ unit, start }) => unit === 'date' && start >= second.end);
    const begins =
      holds !== undefined && endsWith('from').test(text.slice(second.end, holds.start));
    if (/^[^,;.:\d]{0,16}[,;]\s?$/u.test(between) && begins && behind.length > 0)
      return pair(first, second);
  }
  return null;
}

/** The statement of a related paper that says otherwise of the same thing. */
function counterpart(
  statement: Statement,
  others: readonly Statement[],
  { file: otherFile, strength, later }: Relation,
  { languages, coverageOf, file, material }: Context,
): Change | null {
  const change = wordPattern(languages, 'changes');
  let best: { pair: Pair; fit: number; other: Statement } | null = null;
  for (const other of others) {
    const [older, newer] = later === true ? [statement, other] : [other, statement];
    const values = differing(older, newer);
    if (values === null) continue;
    const overlap = overlapOf(older.words, newer.words);
    const around = `${newer.before} ${newer.text} ${newer.after}`;
    const namesOld =
      change.test(around) && names(`${newer.before} ${newer.after}`, older, values.old);
    const isChanging = change.test(`${newer.before} ${newer.text}`);
    const fit =
      PAIR.overlap * overlap +
      PAIR.asked * coverageOf([other.text]) +
      (namesOld ? PAIR.namesOld : 0) +
      (isChanging ? PAIR.changing : 0);
    if (fit < PAIR.least || (best !== null && fit <= best.fit)) continue;
    const since =
      effectiveDay(newer, languages) ?? (later === true ? otherFile : file).date?.value ?? null;
    const pair = {
      old: { statement: older, value: values.old },
      new: { statement: newer, value: values.fresh },
      since,
      pairing: Math.min(1, fit) * Math.min(1, strength + 0.3),
    };
    best = { pair, fit, other };
  }
  if (best === null) return null;
  const documents = [
    material.documents.get(file.artifactId),
    material.documents.get(otherFile.artifactId),
  ];
  return {
    ...best.pair,
    score: 0,
    around: [
      statement.text,
      best.other.text,
      ...headOf(documents[0], file),
      ...headOf(documents[1], otherFile),
      ...above(statement, documents[0]),
    ],
  };
}

/** The first values of one unit that differ between two statements. */
function differing(older: Statement, newer: Statement): { old: Value; fresh: Value } | null {
  for (const old of older.values) {
    const same = newer.values.filter(({ unit }) => unit === old.unit);
    if (old.unit === '' || same.some(({ key }) => key === old.key)) continue;
    const [fresh] = same;
    if (fresh !== undefined) return { old, fresh };
  }
  return null;
}

const names = (text: string, { text: own }: Statement, { start, end }: Value): boolean =>
  text.includes(own.slice(start, end));

/** The share of the words of the shorter of two statements that the other one has. */
function overlapOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return a.intersection(b).size / Math.max(2, Math.min(a.size, b.size));
}

/** The day that stands behind 'from' in a statement, or in the one before, which opens its list. */
function effectiveDay({ text, before }: Statement, languages: readonly string[]): string | null {
  return (
    dayFrom(text, languages) ??
    (/:\s*$/u.test(before) || before.length > 0 ? dayFrom(before, languages) : null)
  );
}

function dayFrom(text: string, languages: readonly string[]): string | null {
  const from = new RegExp(
    String.raw`${wordPattern(languages, 'from').source}[^\p{L}\p{N}]{0,3}$`,
    'iu',
  );
  if (!/\d/u.test(text)) return null;
  for (const mention of findDates(text.slice(0, 600), languages)) {
    if (
      mention.day !== null &&
      from.test(text.slice(Math.max(0, mention.start - 30), mention.start))
    )
      return isoOf(mention);
  }
  return null;
}

function dayIn(text: string, languages: readonly string[]): string | null {
  const mention = findDates(text, languages).find(({ day }) => day !== null);
  return mention === undefined ? null : isoOf(mention);
}

/** What a document says of itself: its name, its head, who is named in it. */
function headOf(document: LibraryDocument | undefined, file: LibraryFile): string[] {
  return [file.fileName, file.title ?? '', document?.text.slice(0, HEAD) ?? ''];
}

/** The headings above a statement. */
function above({ start }: Statement, document: LibraryDocument | undefined): readonly string[] {
  return document?.segments.findLast((segment) => segment.start <= start)?.headings ?? [];
}
