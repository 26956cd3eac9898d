import { stopWords } from '../analysis/languages.ts';
import { comparativePattern, wordPattern } from '../documents/words/paper-words.ts';
import type { Comparative } from '../documents/words/paper-words.ts';
import { allWords, askWords, packOf } from '../languages/index.ts';
import type { Question } from '../question/question.ts';
import { FRAME, tokensOf } from '../question/topic.ts';
import type { Token } from '../question/topic.ts';

/** One of the two things that are compared. */
export interface Side {
  /** Its terms in the question, as positions. */
  terms: readonly number[];
  /** 'The old', 'the new': told by time, not by name. */
  time: 'older' | 'newer' | null;
}

/** The two things, and the terms that say in which respect. */
export interface Sides {
  left: Side;
  right: Side;
  focus: readonly number[];
}

export interface ComparisonAsked {
  /** What decides between them; null where all differences are wanted. */
  by: Comparative | null;
  /** How the question may be cut into two sides, likeliest first. */
  readings: readonly Sides[];
}

const COMPARATIVES: readonly Comparative[] = [
  'cheaper',
  'dearer',
  'longer',
  'shorter',
  'heavier',
  'lighter',
  'newer',
  'older',
  'more',
  'less',
];

const LONGEST = 300;
/** Words of a side, and words between sides that are tried. */
const MOST_WORDS = 8;
const MOST_SPLITS = 4;
const PREPOSITIONS = allWords(({ small }) => small?.prepositions);

/** Words of a language that end a side: question words, 'is', 'does'. */
function endsOf(language: string): ReadonlySet<string> {
  const packs = [packOf(language)];
  const asking = askWords(undefined, packs)
    .split('|')
    .filter((words) => !words.includes(' '));
  return new Set([...asking, ...allWords(({ question }) => question?.auxiliaries, packs)]);
}

/** Reads which two things a question compares; null where it compares none. */
export function readComparison(question: Question): ComparisonAsked | null {
  const { text, language, type } = question;
  if (text.length > LONGEST || type === 'reason') return null;
  const languages = [language];
  const by = COMPARATIVES.find((each) => comparativePattern(languages, each).test(text)) ?? null;
  const cues = [
    wordPattern(languages, 'compares'),
    ...(by ? [comparativePattern(languages, by)] : []),
  ];
  const spans = cues.flatMap((cue) =>
    [...text.matchAll(new RegExp(cue.source, 'giu'))].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
    })),
  );
  if (spans.length === 0) return null;
  const tokens = tokensOf(text);
  const versus = wordPattern(languages, 'versus');
  const ending = endsOf(language);
  const isCue = ({ start }: Token): boolean =>
    spans.some((span) => start >= span.start && start < span.end);
  // 'Old and new' is a cue that holds both sides.
  const splits = tokens.flatMap((token, at) =>
    versus.exec(token.word.lower)?.[0].length === token.word.lower.length ? [at] : [],
  );
  const readings = splits.slice(0, MOST_SPLITS).flatMap((at) => {
    const ends = (token: Token): boolean =>
      ending.has(token.word.lower) || (isCue(token) && !isTime(token, languages));
    return readingsAt({ question, text, tokens, isCue, ends }, at);
  });
  return readings.length === 0 ? null : { by, readings };
}

interface Cut {
  question: Question;
  text: string;
  tokens: readonly Token[];
  isCue: (token: Token) => boolean;
  ends: (token: Token) => boolean;
}

const isTime = ({ word }: Token, languages: readonly string[]): boolean =>
  (['before', 'now'] as const).some((name) => wordPattern(languages, name).test(word.lower));

/** The sides around a word such as 'and': up to the next mark or question word, or the next preposition. */
function readingsAt(cut: Cut, at: number): Sides[] {
  const before = runOf(cut, at, -1).toReversed();
  const after = runOf(cut, at, 1);
  const isLink = ({ word }: Token): boolean => PREPOSITIONS.has(word.lower);
  const lastLink = before.findLastIndex(isLink);
  const firstLink = after.findIndex(isLink);
  const lefts = [before, ...(lastLink === -1 ? [] : [before.slice(lastLink + 1)])];
  const rights = [after, ...(firstLink < 1 ? [] : [after.slice(0, firstLink)])];
  return rights
    .flatMap((right) => lefts.map((left) => sidesOf(cut, left, right)))
    .filter(({ left, right }) => [left, right].every((side) => side.terms.length > 0 || side.time));
}

/** The words from one on, in either direction, that belong to one side. */
function runOf({ text, tokens, ends }: Cut, at: number, step: 1 | -1): Token[] {
  const run: Token[] = [];
  for (let i = at + step; run.length < MOST_WORDS; i += step) {
    const [token, beside] = [tokens[i], tokens[i - step]];
    if (token === undefined || beside === undefined || ends(token)) break;
    const gap =
      step === 1 ? text.slice(beside.end, token.start) : text.slice(token.end, beside.start);
    if (/[,;:.?!()\n]/u.test(gap)) break;
    run.push(token);
  }
  return run;
}

function sidesOf(
  { question, tokens, isCue }: Cut,
  left: readonly Token[],
  right: readonly Token[],
): Sides {
  const { language, terms } = question;
  const before = wordPattern([language], 'before');
  const now = wordPattern([language], 'now');
  const filler = wordPattern([language], 'filler');
  const stops = stopWords(language);
  const positions = (run: readonly Token[]): number[] => [
    ...new Set(
      run.flatMap(({ word }) => {
        const at = terms.findIndex(({ surface }) => surface.toLowerCase() === word.lower);
        return at === -1 || stops.has(word.lower) ? [] : [at];
      }),
    ),
  ];
  const sideOf = (run: readonly Token[]): Side => {
    const times = run.filter(({ word }) => before.test(word.lower) || now.test(word.lower));
    const [first] = times;
    const time = first === undefined ? null : before.test(first.word.lower) ? 'older' : 'newer';
    return { terms: positions(run.filter((token) => !times.includes(token))), time };
  };
  const sides = { left: sideOf(left), right: sideOf(right) };
  const used = new Set([...sides.left.terms, ...sides.right.terms]);
  const rest = tokens.filter(
    (token) =>
      !isCue(token) &&
      !FRAME.has(token.word.lower) &&
      !filler.test(token.word.lower) &&
      !left.includes(token) &&
      !right.includes(token),
  );
  return { ...sides, focus: positions(rest).filter((at) => !used.has(at)) };
}
