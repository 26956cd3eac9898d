import { stopWords } from '../analysis/languages.ts';
import { wordsOf } from '../analysis/words.ts';
import { kindNamedIn } from '../documents/kind.ts';
import { isLater } from '../documents/relations.ts';
import { comparativePattern, wordPattern } from '../documents/words/paper-words.ts';
import type { Comparative } from '../documents/words/paper-words.ts';
import { unitNames } from '../languages/calendar.ts';
import { packOf } from '../languages/index.ts';
import { FRAME } from '../question/topic.ts';
import type { Question } from '../question/question.ts';
import { createVocabulary } from '../ranking/vocabulary.ts';
import type { Citation } from '../types.ts';
import { differences, thingsOf } from './comparison-things.ts';
import type { Pair, Point, Thing } from './comparison-things.ts';
import { escapeMarkdown } from './markdown.ts';
import type { Answerer, Proposal } from './material.ts';
import type { Value } from './values.ts';

/** The terms of a question that some texts say. */
type Said = (texts: readonly string[]) => Set<number>;

/** What stands on one side of an 'and', an 'or', a 'versus'. */
interface Side {
  terms: ReadonlySet<number>;
  /** 'The old', 'the new': told by time, not by name. */
  time: 'older' | 'newer' | null;
}

interface Asked {
  /** What decides between them; null where all differences are wanted. */
  by: Comparative | null;
  /** How the question may be cut into two sides. */
  cuts: readonly (readonly [Side, Side])[];
  /** Its words that are no frame of the question. */
  terms: ReadonlySet<number>;
}

const LONGEST = 300;
const MOST_CUTS = 4;
const MOST = { rows: 8, named: 12 } as const;
const SAID = 0.7;
const SURE = { decided: 0.9, focused: 0.85, open: 0.75 } as const;

/**
 * Two files, rows, columns, sections or items side by side, in the points in which they differ;
 * where it is asked which one is more of something, that one first. Null unless both are found.
 */
export const answerComparison: Answerer = (material) => {
  const { question } = material;
  if (question.text.length > LONGEST || question.type === 'reason') return null;
  const { mark, none } = createVocabulary(question);
  const said: Said = (texts) => {
    const strengths = none();
    for (const text of texts) for (const word of wordsOf(text).words) mark(strengths, word);
    return new Set([...strengths.keys()].filter((at) => (strengths[at] ?? 0) >= SAID));
  };
  const asked = readComparison(question, said);
  if (asked === null) return null;
  const groups = [...thingsOf(material)];
  for (const cut of asked.cuts) {
    for (const things of groups) {
      const both = named(question, things, cut, said);
      const proposal = both === null ? null : propose(question, asked, both, said);
      if (proposal !== null) return proposal;
    }
  }
  return null;
};

/** Reads which two things a question compares; null where it compares none. */
function readComparison(question: Question, said: Said): Asked | null {
  const { text, language, terms } = question;
  const pattern = (name: 'before' | 'compares' | 'filler' | 'now' | 'versus'): RegExp =>
    wordPattern([language], name);
  const by =
    SCALES.flatMap(({ less, more }) => [less, more]).find((each) =>
      comparativePattern([language], each).test(text),
    ) ?? null;
  if (by === null && !pattern('compares').test(text)) return null;
  const cue = by === null ? pattern('compares') : comparativePattern([language], by);
  const isContent = (surface: string): boolean =>
    !stopWords(language).has(surface) &&
    !FRAME.has(surface) &&
    [cue, pattern('compares'), pattern('filler'), pattern('before'), pattern('now')].every(
      (words) => !words.test(surface),
    );
  const content = new Set(
    terms.flatMap(({ surface }, at) => (isContent(surface.toLowerCase()) ? [at] : [])),
  );
  const sideOf = (side: string): Side => {
    const time = pattern('before').test(side)
      ? 'older'
      : pattern('now').test(side)
        ? 'newer'
        : null;
    return { terms: said([side]).intersection(content), time };
  };
  const splits = [...text.matchAll(new RegExp(pattern('versus').source, 'giu'))];
  const cuts = splits.slice(0, MOST_CUTS).flatMap(({ index, 0: word }): [Side, Side][] => {
    const before = sideOf(text.slice(0, index).split(MARK).at(-1) ?? '');
    const after = sideOf(text.slice(index + word.length).split(MARK)[0] ?? '');
    const isSide = ({ terms: own, time }: Side): boolean => own.size > 0 || time !== null;
    return isSide(before) && isSide(after) ? [[before, after]] : [];
  });
  return cuts.length === 0 ? null : { by, cuts, terms: content };
}

/** A side ends there. */
const MARK = /[,;:.?!()\n]/u;

/** The two things that the sides name: each side has a word, or a time, for its own one alone. */
function named(
  question: Question,
  things: readonly Thing[],
  [left, right]: readonly [Side, Side],
  said: Said,
): { left: Thing; right: Thing } | null {
  const known = things.map((thing): Named => {
    const { file, name, around } = thing;
    const all = said([name, ...around]);
    if (file === undefined) return { thing, own: said([name]), all };
    question.terms.forEach(({ surface }, at) => {
      if (file.kind !== null && file.kind === kindNamedIn(surface, question.languages)) all.add(at);
    });
    return { thing, own: all, all };
  });
  const ofSide = ({ terms }: Side): Named[] =>
    known
      .filter(({ own }) => terms.size === 0 || !own.isDisjointFrom(terms))
      .sort((a, b) => b.all.intersection(terms).size - a.all.intersection(terms).size)
      .slice(0, MOST.named);
  const shareOf = ({ all }: Named, { terms }: Side): number =>
    all.intersection(terms).size / Math.max(1, terms.size);
  const timed = left.time !== null || right.time !== null;
  const rising = left.time === 'older' || right.time === 'newer';
  let best: { left: Thing; right: Thing; score: number } | null = null;
  for (const one of ofSide(left)) {
    for (const other of ofSide(right)) {
      const apart = timed
        ? isInOrder(one.thing.file, other.thing.file, rising)
        : isApart(one, other, left) && isApart(other, one, right);
      if (!apart) continue;
      const alike = Number(one.thing.file?.kind === other.thing.file?.kind);
      const names = one.thing.name.length + other.thing.name.length;
      const score = shareOf(one, left) + shareOf(other, right) + alike - names / 1000;
      if (best === null || score > best.score)
        best = { left: one.thing, right: other.thing, score };
    }
  }
  return best;
}

interface Named {
  thing: Thing;
  /** The terms that name it … */
  own: ReadonlySet<number>;
  /** … and those that name the place where it stands, too. */
  all: ReadonlySet<number>;
}

const isApart = (one: Named, other: Named, { terms }: Side): boolean =>
  [...terms].some((at) => one.own.has(at) && !other.all.has(at));

/** Whether two files are of one kind and the first is the older one, or, falling, the newer one. */
const isInOrder = (one: Thing['file'], other: Thing['file'], rising: boolean): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.kind === other.kind &&
  isLater(other, one) === rising;

/** The winner first, where one is asked for, then the points that were asked for, or all. */
function propose(
  question: Question,
  { by, terms }: Asked,
  { left, right }: { left: Thing; right: Thing },
  said: Said,
): Proposal | null {
  const [one, other] = [left.points(), right.points()];
  let pairs = differences(one, other);
  const [a, b] = [one[0], other[0]];
  // Sections and items are told apart by what is said first of them.
  if (pairs.length === 0 && left.file === undefined && a !== undefined && b !== undefined)
    pairs = [{ left: a, right: b }];
  const rest = [...terms.difference(said([left, right].flatMap(textsOf)))];
  const told = pairs.map((pair) =>
    said([pair.left, pair.right].flatMap(({ key, text }) => [key, text])),
  );
  const focused = pairs.filter((_, i) => rest.some((at) => told[i]?.has(at) === true));
  const share = rest.filter((at) => told.some((own) => own.has(at))).length / (rest.length || 1);
  if (rest.length > 0 && share === 0) return null;
  const meant = focused.length > 0 ? focused : pairs;
  const decided = by === null ? null : decide(question, by, meant);
  if (by !== null && decided === null) return null;
  const first = decided === null ? [] : [decided.pair];
  const rows = [...new Set([...first, ...meant])].slice(0, MOST.rows);
  if (rows.length === 0) return null;
  const { table, citations } = tableOf(left.name, right.name, rows);
  const winner = decided?.left === true ? left.name : right.name;
  const lead = decided === null ? '' : `**${escapeMarkdown(winner)}** (${decided.said})\n\n`;
  const sure = decided !== null ? SURE.decided : rest.length > 0 ? SURE.focused : SURE.open;
  const confidence = rest.length > 0 ? sure * share : sure;
  return { markdown: `${lead}${table}`, citations, confidence };
}

const textsOf = ({ name, around }: Thing): string[] => [name, ...around];

function tableOf(
  left: string,
  right: string,
  pairs: readonly Pair[],
): { table: string; citations: Citation[] } {
  const citations: Citation[] = [];
  const cell = ({ text, source }: Point): string => {
    citations.push({ ...source, n: citations.length + 1 });
    return `${escapeMarkdown(text)} [${citations.length}]`;
  };
  const lines = [
    ['', escapeMarkdown(left), escapeMarkdown(right)],
    ['---', '---', '---'],
    ...pairs.map((pair) => [escapeMarkdown(pair.left.key), cell(pair.left), cell(pair.right)]),
  ];
  return { table: lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n'), citations };
}

/** What decides, from less to more, by the units of the values that count. */
const SCALES: readonly { less: Comparative; more: Comparative; units: RegExp }[] = [
  { less: 'cheaper', more: 'dearer', units: /^(?:eur|gbp|usd|chf|jpy)$/u },
  { less: 'shorter', more: 'longer', units: /^(?:[cmk]?m|ft|inche?|mile|page)$/u },
  { less: 'lighter', more: 'heavier', units: /^(?:[mk]?g|t|lb|oz)$/u },
  { less: 'older', more: 'newer', units: /^date$/u },
  { less: 'less', more: 'more', units: /^(?!date$|time$)/u },
];
const TIMES = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const;

interface Decided {
  pair: Pair;
  /** Whether it is the left one. */
  left: boolean;
  said: string;
}

/** Which of the two is more of what is asked; null where no value of both tells, or several disagree. */
function decide({ language }: Question, by: Comparative, pairs: readonly Pair[]): Decided | null {
  const scale = SCALES.find(({ less, more }) => less === by || more === by);
  const times = [language, 'en'].flatMap((code) => TIMES.map((unit) => unitNames(code, unit)));
  const duration = new RegExp(`^(?:${times.join('|')})$`, 'u');
  const fits = ({ unit }: Value): boolean =>
    scale?.units.test(unit) === true || (scale?.more === 'longer' && duration.test(unit));
  const found = pairs.flatMap((pair): Decided[] => {
    const a = pair.left.values.find(fits);
    const b = pair.right.values.find(({ unit }) => unit === a?.unit);
    if (a === undefined || b === undefined || a.key === b.key) return [];
    const [one, other] = [orderOf(a), orderOf(b)];
    if (Number.isNaN(one) || Number.isNaN(other)) return [];
    const left = one < other === (scale?.less === by);
    const [value, point] = left ? [a, pair.left] : [b, pair.right];
    return [{ pair, left, said: escapeMarkdown(point.text.slice(value.start, value.end)) }];
  });
  // Of several amounts the one that is called a price decides.
  const cost = new Set((packOf(language).concepts?.['cost'] ?? '').split(/\s+/u));
  const main = found.filter(({ pair: { left } }) =>
    wordsOf(left.key).words.some(({ lower }) => cost.has(lower)),
  );
  const choice = main.length > 0 ? main : found;
  const [first] = choice;
  return first !== undefined && choice.every(({ left }) => left === first.left) ? first : null;
}

/** What values of one unit are ordered by: a number, or a day of a known year; else not a number. */
const orderOf = ({ unit, key }: Value): number =>
  unit === 'date' ? Date.parse(key.length === 10 ? key : '') : Number(key);
