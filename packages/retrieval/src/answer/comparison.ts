import { wordsOf } from '../analysis/words.ts';
import type { LibraryDocument, LibraryFile } from '../documents/document.ts';
import { kindNamedIn } from '../documents/kind.ts';
import { wordsOfFileName } from '../documents/lines.ts';
import { isLater } from '../documents/relations.ts';
import type { Comparative } from '../documents/words/paper-words.ts';
import { unitNames } from '../languages/calendar.ts';
import { packOf } from '../languages/index.ts';
import { readComparison } from './comparison-asked.ts';
import type { ComparisonAsked, Sides } from './comparison-asked.ts';
import type { Question } from '../question/question.ts';
import { createVocabulary } from '../ranking/vocabulary.ts';
import type { Citation } from '../types.ts';
import { pairWithin } from './comparison-places.ts';
import type { Place, Says } from './comparison-places.ts';
import { differences, pointsOf } from './comparison-points.ts';
import type { Pair, Point } from './comparison-points.ts';
import { escapeMarkdown } from './markdown.ts';
import type { Answerer, Material, Proposal } from './material.ts';
import { countWords } from './quote.ts';
import type { Value } from './values.ts';

/** Two things that were found, with what is said of each. */
interface Found {
  left: Place;
  right: Place;
  /** What both are called, and the place where they stand. */
  names: readonly string[];
  pairs: Pair[];
}

const FILES = 6;
const MOST_WORDS = 360;
const MOST_ROWS = 12;
const SAID = 0.7;
const SURE = { decided: 0.9, focused: 0.85, open: 0.75 } as const;

/**
 * Two files, sections, rows or items side by side, in the points in which they differ; where it is
 * asked which one is more of something, that one first. Null unless both are found.
 */
export const answerComparison: Answerer = (material) => {
  const asked = readComparison(material.question);
  if (asked === null) return null;
  const says = sayer(material);
  for (const sides of asked.readings) {
    for (const found of [pairOfFiles(material, sides, says), pairWithin(material, sides, says)]) {
      const proposal = found === null ? null : propose(material, asked, sides, found, says);
      if (proposal !== null) return proposal;
    }
  }
  return null;
};

function sayer({ question, ranked }: Material): Says {
  const { mark, none } = createVocabulary(question, ranked);
  return (texts, terms) => {
    const said = none();
    for (const text of texts) for (const word of wordsOf(text).words) mark(said, word);
    return terms.every((at) => (said[at] ?? 0) >= SAID);
  };
}

/** Two files that the sides name by their names, titles, kinds, years and parties. */
function pairOfFiles(material: Material, { left, right }: Sides, says: Says): Found | null {
  const { question, ranked, documents, files } = material;
  const ids = [...new Set(ranked.map(({ artifactId }) => artifactId))].slice(0, FILES);
  const known = ids.flatMap((id) => files.find(({ artifactId }) => artifactId === id) ?? []);
  const all = [...new Set([...left.terms, ...right.terms])];
  const namedBy = new Map(
    known.map((file) => [file, new Set(all.filter((at) => isNamed(question, file, at, says)))]),
  );
  const named = (file: LibraryFile, terms: readonly number[]): number[] =>
    terms.filter((at) => namedBy.get(file)?.has(at) === true);
  const timed = left.time !== null || right.time !== null;
  let best: { one: LibraryFile; other: LibraryFile; score: number } | null = null;
  for (const [i, one] of known.entries()) {
    for (const [j, other] of known.entries()) {
      if (one === other) continue;
      const own = [named(one, left.terms), named(other, right.terms)];
      const swapped = [named(other, left.terms), named(one, right.terms)];
      const isAll = (terms: readonly number[][]): boolean =>
        terms[0]?.length === left.terms.length && terms[1]?.length === right.terms.length;
      const shared = (named(one, all).length + named(other, all).length) / (2 * all.length || 1);
      if (timed) {
        // 'The old and the new by-laws': one kind of paper, told apart by time alone.
        const order =
          left.time === 'older' || right.time === 'newer'
            ? isLater(other, one)
            : isLater(one, other);
        if (order !== true || one.kind !== other.kind || all.length === 0) continue;
        if (named(one, all).length < all.length || named(other, all).length < all.length) continue;
      } else if (!isAll(own) || isAll(swapped)) continue;
      const score = shared + Number(one.kind === other.kind) - 0.02 * (i + j);
      if (best === null || score > best.score) best = { one, other, score };
    }
  }
  if (best === null) return null;
  const { one, other } = best;
  const placeOf = (file: LibraryFile): Place | null => {
    const document = documents.get(file.artifactId);
    if (document === undefined) return null;
    const titled = file.title !== null && one.title !== other.title && file.title.length <= 60;
    return {
      label: titled ? (file.title ?? '') : file.fileName,
      points: [
        ...dayOf(file, document),
        ...pointsOf(document, document.segments, question.language),
      ],
    };
  };
  const [a, b] = [placeOf(one), placeOf(other)];
  if (a === null || b === null) return null;
  const names = [one, other].flatMap(({ fileName, title }) => [
    wordsOfFileName(fileName),
    title ?? '',
  ]);
  return { left: a, right: b, names, pairs: differences(a.points, b.points) };
}

/** The day that a file is of, as a point that 'newer' is decided by. */
function dayOf({ date }: LibraryFile, document: LibraryDocument): Point[] {
  if (date === null || date.end <= date.start) return [];
  const { artifactId, fileName, text, segments } = document;
  const quote = text.slice(date.start, date.end);
  const location = segments.findLast(({ start }) => start <= date.start)?.location ?? { line: 1 };
  const source = { artifactId, fileName, location, quote, start: date.start, end: date.end };
  const value = { start: 0, end: quote.length, unit: 'date', key: date.value };
  return [
    {
      key: '',
      text: quote,
      words: new Set(['date']),
      subject: new Set(),
      values: [value],
      headings: [],
      source,
    },
  ];
}

function isNamed(question: Question, file: LibraryFile, at: number, says: Says): boolean {
  const { fileName, title, codes, version, date, parties, kind } = file;
  const year = date?.value.slice(0, 4) ?? '';
  const names = [wordsOfFileName(fileName), title ?? '', ...codes, version ?? '', year];
  if (says([...names, ...parties.map(({ value }) => value)], [at])) return true;
  const surface = question.terms[at]?.surface ?? '';
  return kind !== null && kindNamedIn(surface, question.languages) === kind;
}

/** The winner first, where one is asked for, then the points that were asked for, or all. */
function propose(
  { question }: Material,
  { by }: ComparisonAsked,
  { focus }: Sides,
  { left, right, names, pairs }: Found,
  says: Says,
): Proposal | null {
  const own = focus.filter((at) => !says(names, [at]));
  const saysOf = ({ key, left: a, right: b }: Pair, at: number): boolean =>
    says([key, b.key, a.text, b.text], [at]);
  const focused = pairs.filter((pair) => own.some((at) => saysOf(pair, at)));
  // What the question says beside the two has to be said of them.
  const told = own.filter((at) => focused.some((pair) => saysOf(pair, at)));
  const share = own.length === 0 ? 1 : told.length / own.length;
  const meant = focused.length > 0 ? focused : pairs;
  const decided = by === null ? null : decide(question, by, meant);
  if ((by !== null && decided === null) || share === 0) return null;
  const first = decided === null ? [] : [decided.pair];
  const rows = within([...first, ...meant.filter((pair) => !first.includes(pair))]);
  if (rows.length === 0) return null;
  const { table, citations } = tableOf(left.label, right.label, rows);
  const lead =
    decided === null
      ? ''
      : `**${escapeMarkdown(decided.left ? left.label : right.label)}** (${decided.said})\n\n`;
  const sure = decided !== null ? SURE.decided : own.length > 0 ? SURE.focused : SURE.open;
  return { markdown: `${lead}${table}`, citations, confidence: sure * share };
}

/** As many rows as an answer has room for. */
function within(pairs: readonly Pair[]): Pair[] {
  const rows: Pair[] = [];
  let words = 10;
  for (const pair of pairs.slice(0, MOST_ROWS)) {
    words += countWords(pair.key) + countWords(pair.left.text) + countWords(pair.right.text) + 6;
    if (words > MOST_WORDS) break;
    rows.push(pair);
  }
  return rows;
}

function tableOf(
  left: string,
  right: string,
  pairs: readonly Pair[],
): { table: string; citations: Citation[] } {
  const citations: Citation[] = [];
  const cell = ({ text, source }: Point): string => {
    const known = citations.find(
      ({ artifactId, start, end }) =>
        artifactId === source.artifactId && start === source.start && end === source.end,
    );
    const n = known?.n ?? citations.length + 1;
    if (known === undefined) citations.push({ n, ...source });
    return `${escapeMarkdown(text)} [${n}]`;
  };
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rows = pairs.map((pair) =>
    line([escapeMarkdown(pair.key), cell(pair.left), cell(pair.right)]),
  );
  const head = [
    line(['', escapeMarkdown(left), escapeMarkdown(right)]),
    line(['---', '---', '---']),
  ];
  return { table: [...head, ...rows].join('\n'), citations };
}

const MONEY = new Set(['eur', 'gbp', 'usd', 'chf', 'jpy']);
const LENGTH = /^(?:[mck]?m|met(?:er|re)|kilomet(?:er|re)|ft|feet|foot|inche?|mile|page|seite)$/u;
const WEIGHT = /^(?:k?g|mg|t|lb|oz|kilo|gramm?|gramme|kilogramm?|tonne|pound|ounce)$/u;
const TIMES = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const;
const LEAST: ReadonlySet<Comparative> = new Set(['cheaper', 'shorter', 'lighter', 'older', 'less']);

/** The units of the values that decide. */
function unitsOf(by: Comparative, language: string): (value: Value) => boolean {
  if (by === 'cheaper' || by === 'dearer') return ({ unit }) => MONEY.has(unit);
  if (by === 'newer' || by === 'older') return ({ unit }) => unit === 'date';
  if (by === 'heavier' || by === 'lighter') return ({ unit }) => WEIGHT.test(unit);
  if (by === 'more' || by === 'less') return ({ unit }) => unit !== 'date' && unit !== 'time';
  const names = [language, 'en'].flatMap((code) => TIMES.map((unit) => unitNames(code, unit)));
  const duration = new RegExp(`^(?:${names.join('|')})$`, 'u');
  return ({ unit }) => LENGTH.test(unit) || duration.test(unit);
}

interface Decided {
  pair: Pair;
  /** Whether it is the left one. */
  left: boolean;
  said: string;
}

/** Which of the two is more of what is asked; null where no value of both tells, or several disagree. */
function decide({ language }: Question, by: Comparative, pairs: readonly Pair[]): Decided | null {
  const fits = unitsOf(by, language);
  const cost = new Set((packOf(language).concepts?.['cost'] ?? '').split(/\s+/u));
  const found = pairs.flatMap((pair): (Decided & { main: boolean })[] => {
    const a = pair.left.values.find(fits);
    const b = pair.right.values.find(({ unit }) => a !== undefined && unit === a.unit);
    if (a === undefined || b === undefined || a.key === b.key) return [];
    const [one, other] = [orderOf(a), orderOf(b)];
    if (one === null || other === null) return [];
    const left = one < other === LEAST.has(by);
    const words = pair.key.toLowerCase().split(/[^\p{L}]+/u);
    const main = words.some(
      (word) => cost.has(word) || /^(?:total|gesamt|summe|preis)/u.test(word),
    );
    const [value, point] = left ? [a, pair.left] : [b, pair.right];
    const said = escapeMarkdown(point.text.slice(value.start, value.end));
    return [{ pair, left, said, main }];
  });
  const main = found.filter((one) => one.main);
  const choice = main.length > 0 ? main : found;
  const [first] = choice;
  return first !== undefined && choice.every(({ left }) => left === first.left) ? first : null;
}

/** What values of one unit are ordered by: a number, or a day of a known year. */
function orderOf({ unit, key }: Value): number | null {
  if (unit !== 'date') return Number.isFinite(Number(key)) ? Number(key) : null;
  const parts = key.split('-').map(Number);
  const [year, month, day] =
    key.length === 10 && /^\d{4}/u.test(key) ? parts : [parts[2], parts[0], parts[1]];
  if (year === undefined || month === undefined || day === undefined) return null;
  return year * 10_000 + month * 100 + day;
}
