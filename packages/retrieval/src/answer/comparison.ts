import { stopWords } from '../analysis/languages.ts';
import { wordsOf } from '../analysis/words.ts';
import type { LibraryFile } from '../documents/document.ts';
import { kindNamedIn } from '../documents/kind.ts';
import { isLater } from '../documents/relations.ts';
import { wordPattern } from '../documents/words/paper-words.ts';
import { FRAME } from '../question/topic.ts';
import type { Question } from '../question/question.ts';
import { createVocabulary } from '../ranking/vocabulary.ts';
import type { Citation } from '../types.ts';
import { differences, thingsOf } from './comparison-things.ts';
import type { Pair, Point, Thing } from './comparison-things.ts';
import { escapeMarkdown } from './markdown.ts';
import type { Answerer, Proposal } from './material.ts';

/** The terms of a question that some texts say. */
type Said = (texts: readonly string[]) => Set<number>;

/** What stands on one side of an 'and', an 'or', a 'versus'. */
interface Side {
  terms: ReadonlySet<number>;
  /** 'The old', 'the new': told by time, not by name. */
  time: 'older' | 'newer' | null;
}

interface Asked {
  /** How the question may be cut into two sides. */
  cuts: readonly (readonly [Side, Side])[];
  /** Its words that are no frame of the question. */
  terms: ReadonlySet<number>;
}

const LONGEST = 300;
const MOST_CUTS = 4;
const MOST_ROWS = 8;
const SAID = 0.7;
const SURE = { focused: 0.85, open: 0.75 } as const;

/** Two files side by side, in the points in which they differ. Null unless both are found. */
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
  const things = thingsOf(material);
  for (const cut of asked.cuts) {
    const both = named(question, things, cut, said);
    const proposal = both === null ? null : propose(asked, both, said);
    if (proposal !== null) return proposal;
  }
  return null;
};

/** Reads which two things a question compares; null where it compares none. */
function readComparison(question: Question, said: Said): Asked | null {
  const { text, language, terms } = question;
  const pattern = (name: 'before' | 'compares' | 'filler' | 'now' | 'versus'): RegExp =>
    wordPattern([language], name);
  if (!pattern('compares').test(text)) return null;
  const isContent = (surface: string): boolean =>
    !stopWords(language).has(surface) &&
    !FRAME.has(surface) &&
    (['compares', 'filler', 'before', 'now'] as const).every(
      (words) => !pattern(words).test(surface),
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
  return cuts.length === 0 ? null : { cuts, terms: content };
}

/** A side ends there. */
const MARK = /[,;:?!()\n]|\.(?=\s+\p{Lu}|\s*$)/u;

/** The two files that the sides name: each side has a word, or a time, for its own one alone. */
function named(
  question: Question,
  things: readonly Thing[],
  [left, right]: readonly [Side, Side],
  said: Said,
): { left: Thing; right: Thing } | null {
  const known = things.map((thing): Named => {
    const { kind } = thing.file;
    const terms = said(thing.names);
    question.terms.forEach(({ surface }, at) => {
      if (kind !== null && kind === kindNamedIn(surface, question.languages)) terms.add(at);
    });
    return { thing, terms };
  });
  const timed = left.time !== null || right.time !== null;
  const rising = left.time === 'older' || right.time === 'newer';
  const shareOf = (one: Named, side: Side): number =>
    one.terms.intersection(side.terms).size / Math.max(1, side.terms.size);
  const isOf = (one: Named, side: Side): boolean => side.terms.size === 0 || shareOf(one, side) > 0;
  let best: { left: Thing; right: Thing; score: number } | null = null;
  for (const one of known.filter((each) => isOf(each, left))) {
    for (const other of known.filter((each) => isOf(each, right))) {
      const apart = timed
        ? isInOrder(one.thing.file, other.thing.file, rising)
        : isApart(one, other, left) && isApart(other, one, right);
      if (!apart) continue;
      const alike = Number(one.thing.file.kind === other.thing.file.kind);
      const score = shareOf(one, left) + shareOf(other, right) + alike;
      if (best === null || score > best.score)
        best = { left: one.thing, right: other.thing, score };
    }
  }
  return best;
}

/** A file with the terms of the question that name it. */
interface Named {
  thing: Thing;
  terms: ReadonlySet<number>;
}

const isApart = (one: Named, other: Named, side: Side): boolean =>
  [...side.terms].some((at) => one.terms.has(at) && !other.terms.has(at));

/** Whether two files are of one kind and the first is the older one, or, falling, the newer one. */
const isInOrder = (one: LibraryFile, other: LibraryFile, rising: boolean): boolean =>
  one.kind === other.kind && isLater(other, one) === rising;

/** The points that were asked for, or all. */
function propose(
  { terms }: Asked,
  { left, right }: { left: Thing; right: Thing },
  said: Said,
): Proposal | null {
  const pairs = differences(left.points(), right.points());
  const rest = [...terms.difference(said([...left.names, ...right.names]))];
  const told = pairs.map((pair) =>
    said([pair.left, pair.right].flatMap(({ key, text }) => [key, text])),
  );
  const focused = pairs.filter((_, i) => rest.some((at) => told[i]?.has(at) === true));
  const share = rest.filter((at) => told.some((own) => own.has(at))).length / (rest.length || 1);
  const rows = (rest.length > 0 ? focused : pairs).slice(0, MOST_ROWS);
  if (rows.length === 0) return null;
  const { markdown, citations } = tableOf(left.file.fileName, right.file.fileName, rows);
  return { markdown, citations, confidence: rest.length > 0 ? SURE.focused * share : SURE.open };
}

function tableOf(
  left: string,
  right: string,
  pairs: readonly Pair[],
): Pick<Proposal, 'markdown' | 'citations'> {
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
  return { markdown: lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n'), citations };
}
