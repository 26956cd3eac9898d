import { stopWords } from '../analysis/languages.ts';
import { wordsOf } from '../analysis/words.ts';
import type { DocumentKind } from '../documents/document.ts';
import { kindNamedIn } from '../documents/kind.ts';
import { wordPattern } from '../documents/words/paper-words.ts';
import { allWords } from '../languages/index.ts';
import type { Question } from '../question/question.ts';

/** What a question asks every one of. */
export interface ListAsked {
  /** The kind of papers; null where the noun names none. */
  kind: DocumentKind | null;
  /** Papers of whatever kind: 'what papers do I have about …'. */
  anyPaper: boolean;
  /** The question's terms, as positions, that name what is listed: 'error codes'. */
  noun: readonly number[];
  /** The terms that each of it has to say, or the place where it stands. */
  about: readonly number[];
}

/** Kinds whose plural means what stands in them: 'which rules are there about dogs'. */
const CONTENTS: ReadonlySet<DocumentKind> = new Set(['agenda', 'calendar', 'list', 'rules']);

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
  if (text.length > LONGEST || type === 'reason' || type === 'manner' || type === 'time')
    return null;
  const languages = [language];
  const openings = new RegExp(wordPattern(languages, 'everything').source, 'giu');
  let tries = 0;
  for (const { index, 0: opening } of text.matchAll(openings)) {
    tries += 1;
    if (tries > MOST_OPENINGS || (type === 'yesNo' && tries === 1 && index > 2)) return null;
    const one = EACH.has(lastWord(opening).toLowerCase());
    const asked = nounAt(question, text.slice(index + opening.length), one);
    if (asked !== null) return asked;
  }
  return null;
}

/**
 * The plural noun that a stretch begins with, and what the question says beside it.
 *
 * @param one whether 'every' stands before it, and it is in the singular
 */
function nounAt(question: Question, rest: string, one: boolean): ListAsked | null {
  const { language } = question;
  const languages = [language];
  const stops = stopWords(language);
  const { words, starts, ends } = wordsOf(rest);
  let first = 0;
  while (LEADING.has(words[first]?.lower ?? '')) first += 1;
  let end = first;
  for (; end < words.length && end - first < MOST_WORDS; end += 1) {
    const word = words[end];
    const gap = end === first ? '' : rest.slice(ends[end - 1], starts[end]);
    if (word === undefined || stops.has(word.lower) || /[,;:.?!]/u.test(gap)) break;
    if (/^\p{N}+$/u.test(word.surface)) break;
  }
  if (end === first) return null;
  const phrase = rest.slice(starts[first] ?? 0, ends[end - 1]);
  const plural = wordPattern(languages, 'plural');
  const isPlural = (text: string): boolean => one || plural.exec(text)?.[0].length === text.length;
  const anyPaper = wordPattern(languages, 'anyPaper');
  const own = words.slice(first, end).map(({ surface }) => surface);
  const papers = own.findIndex((surface) => anyPaper.exec(surface)?.[0].length === surface.length);
  const named = kindNamedIn(phrase, languages);
  const lastOfKind = named === null ? '' : lastWord(phrase.slice(0, named.index + named.length));
  const isKind = named !== null && isPlural(lastOfKind) && !CONTENTS.has(named.kind);
  const at = isKind
    ? own.indexOf(lastOfKind)
    : papers !== -1
      ? papers
      : own.findLastIndex((surface) => isPlural(surface));
  if (at === -1) return null;
  const byKind = isKind
    ? own.slice(0, at + 1).filter((word) => kindNamedIn(word, languages)?.kind === named.kind)
    : [];
  const noun = isKind ? byKind : papers === at ? [own[at] ?? ''] : own.slice(0, at + 1);
  return {
    kind: isKind ? named.kind : null,
    anyPaper: !isKind && papers === at,
    noun: positionsOf(question, noun),
    about: aboutOf(question, positionsOf(question, noun)),
  };
}

const lastWord = (text: string): string =>
  /(?<![\p{L}\p{N}'’-])[\p{L}\p{N}'’-]+$/u.exec(text)?.[0] ?? '';

const positionsOf = ({ terms }: Question, surfaces: readonly string[]): number[] =>
  terms.flatMap(({ surface }, at) => (surfaces.includes(surface) ? [at] : []));

/** All terms but the noun, the dates and what only holds the question together. */
function aboutOf(question: Question, noun: readonly number[]): number[] {
  const filler = wordPattern([question.language], 'filler');
  const dated = new Set(question.dates.flatMap(({ terms }) => terms));
  return question.terms.flatMap(({ surface, weight }, at) =>
    weight < LEAST_WEIGHT || noun.includes(at) || dated.has(at) || filler.test(surface) ? [] : [at],
  );
}
