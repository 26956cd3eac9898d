import { stopWords } from '../analysis/languages.ts';
import { wordsOf } from '../analysis/words.ts';
import type { DocumentKind } from '../documents/document.ts';
import { kindNamedIn } from '../documents/kind.ts';
import { wordPattern } from '../documents/words/paper-words.ts';
import { allWords } from '../languages/index.ts';
import type { Question } from '../question/question.ts';

/** Which files a question asks every one of. */
export interface ListAsked {
  /** The kind of papers; null where the noun names none. */
  kind: DocumentKind | null;
  /** Papers of whatever kind: 'what papers do I have about …'. */
  anyPaper: boolean;
  /** The question's terms, as positions, that name what is listed: 'warranties'. */
  noun: readonly number[];
  /** The terms that each of it has to say. */
  about: readonly number[];
}

/** Kinds whose plural means what stands in them: 'which rules are there about dogs'. */
const CONTENTS: ReadonlySet<DocumentKind> = new Set(['list', 'rules']);

const LEADING = allWords(({ small, question }) => [
  small?.determiners,
  small?.possessives,
  small?.each,
  question?.auxiliaries,
]);
const EACH = allWords(({ small }) => small?.each);
/** Words of the noun phrase, and openings of a list that are tried. */
const MOST_WORDS = 4;
const MOST_OPENINGS = 4;
const LONGEST = 300;
/** What a term weighs at least that must be said. */
const LEAST_WEIGHT = 0.9;

/** Reads what all of is asked for: the noun in the plural that follows 'all', 'which', 'list my'; null for other questions. */
export function readListAsked(question: Question): ListAsked | null {
  const { text, type, language } = question;
  if (text.length > LONGEST || ['reason', 'manner', 'time'].includes(type)) return null;
  const openings = new RegExp(wordPattern([language], 'everything').source, 'giu');
  const found = [...text.matchAll(openings)].slice(0, MOST_OPENINGS);
  if (type === 'yesNo' && (found[0]?.index ?? 0) > 2) return null;
  for (const { index, 0: opening } of found) {
    // 'Every' stands before a singular.
    const one = EACH.has(/(?<!\S)\S+$/u.exec(opening)?.[0].toLowerCase() ?? '');
    const asked = nounAt(question, text.slice(index + opening.length), one);
    if (asked !== null) return asked;
  }
  return null;
}

/** The noun that a stretch begins with, in the plural unless it may be but one, and what is said beside it. */
function nounAt(question: Question, rest: string, one: boolean): ListAsked | null {
  const languages = [question.language];
  const words = phraseAt(rest, question.language);
  const isAll = (word: string, field: 'plural' | 'anyPaper'): boolean =>
    wordPattern(languages, field).exec(word)?.[0].length === word.length;
  const last = words.findLastIndex(
    (word) => one || isAll(word, 'plural') || isAll(word, 'anyPaper'),
  );
  const noun = words.slice(0, last + 1);
  if (noun.length === 0) return null;
  const anyPaper = isAll(noun.at(-1) ?? '', 'anyPaper');
  const named = kindNamedIn(noun.join(' '), languages);
  const kind = anyPaper || (named !== null && CONTENTS.has(named)) ? null : named;
  const own = noun.filter((word) => kind === null || kindNamedIn(word, languages) === kind);
  const positions = (surfaces: readonly string[]): number[] =>
    question.terms.flatMap(({ surface }, at) => (surfaces.includes(surface) ? [at] : []));
  const positionsOfNoun = positions(anyPaper ? noun.slice(-1) : own);
  return { kind, anyPaper, noun: positionsOfNoun, about: aboutOf(question, positionsOfNoun) };
}

/** The words of a noun phrase, without what leads it. */
function phraseAt(rest: string, language: string): string[] {
  const stops = stopWords(language);
  const { words, starts, ends } = wordsOf(rest);
  const first = words.findIndex(({ lower }) => !LEADING.has(lower));
  if (first === -1) return [];
  const found = words.slice(first, first + MOST_WORDS);
  const end = found.findIndex(({ lower, surface }, i) => {
    const gap = i === 0 ? '' : rest.slice(ends[first + i - 1], starts[first + i]);
    return stops.has(lower) || /[,;:.?!]/u.test(gap) || /^\p{N}+$/u.test(surface);
  });
  return found.slice(0, end === -1 ? MOST_WORDS : end).map(({ surface }) => surface);
}

/** All terms but the noun, the dates and what only holds the question together. */
function aboutOf(question: Question, noun: readonly number[]): number[] {
  const filler = wordPattern([question.language], 'filler');
  const dated = new Set(question.dates.flatMap(({ terms }) => terms));
  return question.terms.flatMap(({ surface, weight }, at) =>
    weight < LEAST_WEIGHT || noun.includes(at) || dated.has(at) || filler.test(surface) ? [] : [at],
  );
}
