import { detectLanguage, stopWords } from '../analysis/languages.ts';
import { splitSentences } from '../analysis/sentences.ts';
import {
  alternatives,
  anyWord,
  askWords,
  DIALOGUE,
  LANGUAGES,
  packOf,
} from '../languages/index.ts';
import {
  clean,
  DETERMINERS,
  FRAME,
  isCapital,
  languageOf,
  lowerAt,
  THING_ASKERS,
  type Token,
  tokensOf,
  topicOf,
} from './topic.ts';
import type { LanguagePack } from '../languages/language.ts';
import { findDates } from '../scope/dates.ts';
import { ALL_CAPS, type Word, wordsOf } from '../analysis/words.ts';

/** A question that was asked before, with its answer. */
export interface EarlierTurn {
  question: string;
  /** Markdown; empty where there is none. */
  answer: string;
}

/** A rewritten question grows no longer than this, in UTF-16 units. */
const LENGTH_LIMIT = 400;
/** Names taken over from an earlier answer. */
const MOST_NAMES = 4;

const word = (list = '(?!)'): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}'’-])(?:${list})(?![\\p{L}\\p{N}'’-])`, 'iu');

/** What a language refers back with, compiled. */
const referencesOf = ({ references }: LanguagePack) => ({
  pronouns: new RegExp(
    `${references?.inverted ?? '(?!)'}|${word(references?.pronouns).source}`,
    'iu',
  ),
  possessives: word(references?.possessives),
  opening: references?.opening ?? /^/u,
});
const NO_REFERENCES = referencesOf({ code: '' });
const REFERENCES = new Map(DIALOGUE.map((pack) => [pack.code, referencesOf(pack)]));

const PREPOSITION = anyWord(({ small }) => small?.prepositions, DIALOGUE);
const LEAD = new RegExp(`^(?:${PREPOSITION})\\s`, 'iu');

/** The first name in an answer's first sentence that the question does not hold: who or what was found. */
function nameIn(answer: string, question: string): string {
  const text = answer.replace(/\[\d+\]|[*_\\`|\s]+/gu, ' ').trim();
  const [sentence] = splitSentences(text);
  const said = text.slice(0, sentence?.end ?? 0);
  const known = new Set([...FRAME, ...wordsOf(question).words.map(({ lower }) => lower)]);
  // Every German noun has a capital: only two in a row are likely to be somebody's name.
  const least = packOf(detectLanguage(said)).capitalNouns ? 2 : 1;
  const isName = (token: Token): boolean =>
    isCapital(token) && (token.word.shape & ALL_CAPS) === 0 && !known.has(token.word.lower);
  const tokens = tokensOf(said);
  for (const i of tokens.keys()) {
    const next = tokens.slice(i, i + MOST_NAMES);
    const other = next.findIndex((token) => !isName(token));
    const run = other === -1 ? next : next.slice(0, other);
    if (run.length >= (i === 0 ? 2 : least)) return run.map(({ word }) => word.surface).join(' ');
  }
  return '';
}

const ASKS_PERSON = word(askWords(['person'], LANGUAGES));
const ASKS_NAME = word(askWords(['person', 'place']));
/** 'What law did she sign?' */
const ASKED_OBJECT = new RegExp(
  String.raw`^(?:(?:${PREPOSITION}) )?(?:${askWords(['which', 'what'])})\s+((?:[\p{L}\p{N}'’-]+\s+){0,3}[\p{L}\p{N}'’-]+)\s+(?:${anyWord(({ question }) => question?.helpers)})\s`,
  'iu',
);

/** What 'it' or 'she' stands for after an earlier question. */
function referentOf({ question, answer }: EarlierTurn, person: boolean): string {
  const topic = topicOf(question);
  if (person) return (ASKS_PERSON.test(question) && nameIn(answer, question)) || topic;
  const object = ASKED_OBJECT.exec(clean(question))?.[1];
  if (object !== undefined) return `${object} ${topic}`;
  const name = ASKS_NAME.test(question) ? nameIn(answer, question) : '';
  return [topic, name].filter(Boolean).join(' ');
}

const PERSON = new RegExp(`^(?:${alternatives(({ references }) => references?.people)})$`, 'iu');

const contentWords = (text: string, language: string): Word[] =>
  wordsOf(text).words.filter(
    ({ lower }) =>
      !stopWords(language).has(lower) && !stopWords('en').has(lower) && !FRAME.has(lower),
  );

const BEHIND_TOPIC = new RegExp(`\\s(?:${PREPOSITION})\\s`, 'iu');

/** 'And in 2024?', 'What about Berlin?': the earlier question with this in its place. */
function substituted(fragment: string, earlier: string): string {
  const base = clean(earlier);
  const lead = LEAD.exec(fragment)?.[0] ?? '';
  const thing = fragment.slice(lead.length);
  const same = atOtherTime(thing, base) ?? sameKind(thing, base);
  if (same !== null) return base.slice(0, same.start) + same.thing + base.slice(same.end);
  if (lead !== '') return `${withoutTail(base, lead, thing)} ${fragment}`;
  const topic = topicOf(base);
  const [head = ''] = topic.split(BEHIND_TOPIC);
  if (head === '' || /^\p{Lu}|^\d/u.test(thing)) return `${base} ${fragment}`;
  return base.replace(head, () => thing);
}

interface Replacement {
  start: number;
  end: number;
  thing: string;
}

/** 'in march 2024' asked again for 'november': the day or month takes its place, the year stays. */
function atOtherTime(thing: string, base: string): Replacement | null {
  const languages = [languageOf(base), 'en'];
  const [time] = findDates(thing, languages);
  const [before] = findDates(base, languages);
  if (time === undefined || before === undefined || time.end - time.start < thing.length)
    return null;
  const year = time.year === null && before.year !== null ? ` ${before.year}` : '';
  return { ...before, thing: `${thing}${year}` };
}

/** 'the rent of the office' without 'of the office', for what comes with the same word. */
function withoutTail(base: string, lead: string, thing: string): string {
  const at = base.toLowerCase().lastIndexOf(` ${lead.trim().toLowerCase()} `);
  const tail = at === -1 ? '' : base.slice(at);
  const alike = /\p{N}/u.test(tail) === /\p{N}/u.test(thing) && tail.split(/\s+/u).length < 6;
  return tail !== '' && alike ? base.slice(0, at) : base;
}

/** Another thing of the same kind in a question: a name, or what ends with the same word. */
function sameKind(thing: string, base: string): Replacement | null {
  const tokens = tokensOf(base);
  const own = tokensOf(thing);
  const ending = own.at(-1)?.word.lower;
  const alike = tokens.findLastIndex(({ word: { lower } }) => lower === ending);
  let [start, last] = [-1, alike];
  if (alike > 0 && own.length > 1) {
    start = tokens.findLastIndex((token, i) => i < alike && DETERMINERS.has(token.word.lower));
    if (start < alike - 3) start = alike + 1 - own.length;
  } else if (own.some(isCapital) && !packOf(languageOf(base)).capitalNouns) {
    last = tokens.findLastIndex((token, i) => i > 0 && isCapital(token));
    start = tokens.findLastIndex((token, i) => i < last && (i === 0 || !isCapital(token))) + 1;
  }
  const [from, to] = [tokens[start], tokens[last]];
  return from && to && last > 0 ? { start: from.start, end: to.end, thing } : null;
}

/**
 * A question made whole with what was asked and answered before: 'and when does it end?' after 'What
 * is the rent of the flat?' is 'when does the flat end?' with the flat's rent. Pure rewriting by the
 * pronouns and openings of five languages, after Voskarides et al. (SIGIR 2020, 'Query resolution for
 * conversational search'): words of earlier turns are added where the question leaves them out.
 * A question that stands on its own comes back as it is.
 * @param earlier oldest first
 */
export function standaloneQuestion(text: string, earlier: readonly EarlierTurn[]): string {
  const last = earlier.at(-1);
  if (last === undefined) return text;
  const question = standaloneQuestion(last.question, earlier.slice(0, -1));
  const rewritten = completed(text, { ...last, question });
  return rewritten.length > LENGTH_LIMIT ? text : rewritten;
}

/** A question of so few words leaves something out that was said before. */
const FEW_WORDS = 3;

/** Whether a question needs what was said before it to be understood. */
export function leansOnTalk(text: string, earlier: readonly EarlierTurn[]): boolean {
  const last = earlier.at(-1);
  if (last === undefined) return false;
  return completed(text, last) !== text || contentWords(text, languageOf(text)).length < FEW_WORDS;
}

function completed(text: string, earlier: EarlierTurn): string {
  const language = languageOf(text);
  const { pronouns, possessives, opening } = REFERENCES.get(language) ?? NO_REFERENCES;
  const open = opening.exec(text)?.[0] ?? '';
  const rest = clean(text.slice(open.length));
  if (rest === '' || topicOf(earlier.question) === '') return text;
  const pronoun = pronouns.exec(rest);
  const reference = pronoun ?? possessives.exec(rest);
  if (reference !== null) {
    if (refersInside(rest, reference, pronoun === null, language)) return text;
    const referent = referentOf(earlier, PERSON.test(reference[0]));
    if (pronoun === null && language !== 'en') return `${rest}: ${referent}?`;
    const before = rest.slice(0, reference.index).trimEnd();
    const after = rest.slice(reference.index + reference[0].length).trimStart();
    const named = pronoun === null ? `${referent}’s` : referent;
    return `${[before, named, after].filter(Boolean).join(' ')}?`.replace(/ ([,;])/gu, '$1');
  }
  const asks = wordsOf(rest).words.some(({ lower }, i) => i < 3 && FRAME.has(lower));
  if (!asks && (open !== '' || LEAD.test(rest))) return `${substituted(rest, earlier.question)}?`;
  const content = contentWords(rest, language);
  if (content.length === 0) return `${askedAnew(rest, earlier)}?`;
  if (open !== '' && content.length === 1) return `${rest} ${referentOf(earlier, false)}?`;
  return text;
}

/** 'It' that stands for nothing: 'How far is it to Bonn?', 'what it takes to join'. */
const STANDS_FOR_NOTHING = word(alternatives(({ references }) => references?.empty));
const NEXT_CLAUSE = word(anyWord(({ small }) => small?.clauses));

/**
 * Whether a question says itself what its 'it' or 'their' stands for: 'Why did the firm change its
 * name?', 'Who painted the Mona Lisa and when did he die?'. The object of a clause is never its own
 * subject, so that for a pronoun the thing must stand in an earlier clause.
 */
function refersInside(
  question: string,
  { 0: said, index }: RegExpExecArray,
  owns: boolean,
  language: string,
): boolean {
  // 'IT' is a trade, and 'Sie' within a German question is whoever is asked.
  if (said === 'IT' || STANDS_FOR_NOTHING.test(question)) return true;
  if (packOf(language).capitalNouns && index > 0 && /^\p{Lu}/u.test(said)) return true;
  const before = question.slice(0, index);
  const tokens = tokensOf(before);
  const noun = tokens.find((token, i) => {
    const { lower } = token.word;
    if (FRAME.has(lower) || DETERMINERS.has(lower)) return false;
    const last = lowerAt(tokens, i - 1);
    const follows = DETERMINERS.has(last) || THING_ASKERS.has(last);
    return (i > 0 && isCapital(token)) || (follows && !stopWords(language).has(lower));
  });
  // 'La société a-t-elle …': the French pronoun repeats its noun.
  const repeats = owns || said.startsWith('-');
  return noun !== undefined && (repeats || NEXT_CLAUSE.test(before.slice(noun.end)));
}

const CIRCUMSTANCE = new RegExp(`^(?:${askWords(['time', 'place', 'reason', 'person'])})\\s`, 'iu');

/** 'Why?' and 'Since when?': the earlier question with another question word. */
function askedAnew(rest: string, earlier: EarlierTurn): string {
  const base = clean(earlier.question);
  return CIRCUMSTANCE.test(base)
    ? base.replace(CIRCUMSTANCE, () => `${rest} `)
    : `${rest} ${referentOf(earlier, false)}`;
}
