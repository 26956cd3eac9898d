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

const word = (list: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}'’-])(?:${list})(?![\\p{L}\\p{N}'’-])`, 'iu');

/** What a language refers back with, compiled. */
interface Referring {
  pronouns: RegExp;
  possessives: RegExp;
  opening: RegExp;
}

const REFERENCES = new Map(
  DIALOGUE.flatMap(({ code, references }): [string, Referring][] =>
    references === undefined
      ? []
      : [
          [
            code,
            {
              pronouns: new RegExp(
                `${references.inverted ?? '(?!)'}|${word(references.pronouns).source}`,
                'iu',
              ),
              possessives: word(references.possessives),
              opening: references.opening,
            },
          ],
        ],
  ),
);
const NOTHING_REFERRED: Referring = { pronouns: /(?!)/u, possessives: /(?!)/u, opening: /^/u };
const referring = (language: string): Referring => REFERENCES.get(language) ?? NOTHING_REFERRED;

const PREPOSITION = anyWord(({ small }) => small?.prepositions, DIALOGUE);
const PLACE_OR_TIME = new RegExp(`^(?:${PREPOSITION})\\s`, 'iu');
const YEAR = /(?<!\p{N})(?:1[5-9]|20)\d{2}(?!\p{N})/u;

/** The first name in an answer's first sentence that the question does not hold: who or what was found. */
function nameIn(answer: string, question: string): string {
  const text = answer
    .replace(/\[\d+\]|[*_\\`|]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  const [sentence] = splitSentences(text);
  if (sentence === undefined) return '';
  const said = text.slice(sentence.start, sentence.end);
  const known = new Set(wordsOf(question).words.map(({ lower }) => lower));
  const isName = (token: Token | undefined): boolean =>
    token !== undefined &&
    isCapital(token) &&
    (token.word.shape & ALL_CAPS) === 0 &&
    !known.has(token.word.lower) &&
    !FRAME.has(token.word.lower);
  // Every German noun has a capital: only two in a row are likely to be somebody's name.
  const german = packOf(detectLanguage(said)).capitalNouns;
  const tokens = tokensOf(said);
  for (let i = 0; i < tokens.length; i += 1) {
    const run: string[] = [];
    while (isName(tokens[i + run.length]) && run.length < MOST_NAMES) {
      run.push(tokens[i + run.length]?.word.surface ?? '');
    }
    if (run.length >= (i === 0 || german ? 2 : 1)) return run.join(' ');
  }
  return '';
}

const ASKS_PERSON = word(askWords(['person'], LANGUAGES));
const ASKS_NAME = word(askWords(['person', 'place']));
const ASKS_WHICH = new RegExp(
  String.raw`(?<!\p{L})(?:${askWords(['which', 'what'])})\s+(\p{L}[\p{L}-]+)\s`,
  'iu',
);
/** 'What law did she sign?' */
const ASKED_OBJECT = new RegExp(
  String.raw`^(?:(?:${PREPOSITION}) )?(?:${askWords(['which', 'what'])})\s+((?:[\p{L}\p{N}'’-]+\s+){0,3}[\p{L}\p{N}'’-]+)\s+(?:${anyWord(({ question }) => question?.helpers)})\s`,
  'iu',
);

/** What 'it' or 'she' stands for after an earlier question. */
function referentOf({ question, answer }: EarlierTurn, person: boolean): string {
  if (person && ASKS_PERSON.test(question)) {
    const name = nameIn(answer, question);
    if (name !== '') return name;
  }
  const thing = ASKS_WHICH.exec(question)?.[1] ?? '';
  const which = FRAME.has(thing.toLowerCase()) ? '' : namedIn(answer, thing, question);
  if (which !== '') return which;
  // 'What law did she sign?' is, for 'it', about the law.
  const object = person ? undefined : ASKED_OBJECT.exec(clean(question))?.[1];
  if (object !== undefined) return `${object} ${topicOf(question)}`;
  const name = !person && ASKS_NAME.test(question) ? nameIn(answer, question) : '';
  return [topicOf(question), name].filter(Boolean).join(' ');
}

/** 'the premium plan' of an answer to 'Which plan …?' */
function namedIn(answer: string, thing: string, question: string): string {
  if (thing === '') return '';
  const known = new Set(wordsOf(question).words.map(({ lower }) => lower));
  const tokens = tokensOf(answer);
  const at = tokens.findIndex(({ word: { lower } }) => lower === thing.toLowerCase());
  const before = lowerAt(tokens, at - 1);
  const tells = before !== '' && !known.has(before) && !stopWords(languageOf(answer)).has(before);
  return at > 0 && tells ? `${tokens[at - 1]?.word.surface ?? ''} ${thing}` : '';
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
  const year = YEAR.exec(fragment)?.[0];
  if (year !== undefined && YEAR.test(base)) return base.replace(YEAR, year);
  const lead = PLACE_OR_TIME.exec(fragment)?.[0];
  const thing = lead === undefined ? fragment : fragment.slice(lead.length);
  const then = atOtherTime(thing, base);
  if (then !== null) return then;
  const same = sameKind(thing, base);
  if (same !== null) return base.slice(0, same.start) + thing + base.slice(same.end);
  if (lead !== undefined) return `${withoutTail(base, lead, thing)} ${fragment}`;
  if (/^\p{Lu}|^\d/u.test(thing)) return `${base} ${fragment}`;
  const topic = topicOf(base);
  const end = topic.search(BEHIND_TOPIC);
  const head = end === -1 ? topic : topic.slice(0, end);
  return head === '' ? `${base} ${fragment}` : base.replace(head, () => thing);
}

/** 'in march 2024' asked again for 'november': the day or month takes its place, the year stays. */
function atOtherTime(thing: string, base: string): string | null {
  const languages = [languageOf(base), 'en'];
  const [time] = findDates(thing, languages);
  const [before] = findDates(base, languages);
  if (time === undefined || before === undefined || time.end - time.start < thing.length)
    return null;
  const year = time.year === null && before.year !== null ? ` ${before.year}` : '';
  return `${base.slice(0, before.start)}${thing}${year}${base.slice(before.end)}`;
}

/** 'the rent of the office' without 'of the office', for what comes with the same word. */
function withoutTail(base: string, lead: string, thing: string): string {
  const at = base.toLowerCase().lastIndexOf(` ${lead.trim().toLowerCase()} `);
  const tail = at === -1 ? '' : base.slice(at);
  const alike = /\p{N}/u.test(tail) === /\p{N}/u.test(thing) && tail.split(/\s+/u).length < 6;
  return tail !== '' && alike ? base.slice(0, at) : base;
}

/** The stretch of a question that names another thing of the same kind: a name, or with one word alike. */
function sameKind(thing: string, base: string): { start: number; end: number } | null {
  const tokens = tokensOf(base);
  const own = tokensOf(thing);
  const last = own.at(-1);
  if (last === undefined) return null;
  const alike = tokens.findLastIndex(({ word: { lower } }) => lower === last.word.lower);
  if (alike > 0 && own.length > 1) {
    let from = alike;
    while (from > 1 && !FRAME.has(tokens[from - 1]?.word.lower ?? '') && alike - from < 3) {
      from -= 1;
      if (DETERMINERS.has(tokens[from]?.word.lower ?? '')) break;
      if (PLACE_OR_TIME.test(`${tokens[from]?.word.lower ?? ''} `)) {
        from += 1;
        break;
      }
    }
    return { start: tokens[from]?.start ?? 0, end: tokens[alike]?.end ?? base.length };
  }
  if (!own.some(isCapital) || packOf(languageOf(base)).capitalNouns) return namedPlace(thing, base);
  const end = tokens.findLastIndex((token, i) => i > 0 && isCapital(token));
  if (end === -1) return null;
  let start = end;
  while (start > 1 && tokens[start - 1] !== undefined && isCapital(tokens[start - 1] as Token))
    start -= 1;
  return { start: tokens[start]?.start ?? 0, end: tokens[end]?.end ?? base.length };
}

const LAST_NAME = new RegExp(String.raw`(?<=\s(?:${PREPOSITION})\s)\p{Lu}[\p{L}-]+$`, 'u');

/** Where every noun has a capital, only what follows 'in' or 'für' is taken for a name. */
function namedPlace(thing: string, base: string): { start: number; end: number } | null {
  if (!/^\p{Lu}[\p{L}-]+$/u.test(thing)) return null;
  const match = LAST_NAME.exec(base);
  return match === null ? null : { start: match.index, end: match.index + match[0].length };
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
  const { pronouns, possessives, opening } = referring(language);
  const open = opening.exec(text)?.[0] ?? '';
  const rest = clean(text.slice(open.length));
  if (rest === '' || topicOf(earlier.question) === '') return text;
  const reference = pronouns.exec(rest) ?? possessives.exec(rest);
  if (reference !== null) {
    if (refersInside(rest, reference, possessives, language)) return text;
    return replaced(rest, reference, possessives, earlier, language);
  }
  const asks = wordsOf(rest).words.some(({ lower }, i) => i < 3 && FRAME.has(lower));
  if (!asks && (open !== '' || PLACE_OR_TIME.test(rest))) {
    return `${substituted(rest, earlier.question)}?`;
  }
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
  reference: RegExpExecArray,
  possessives: RegExp,
  language: string,
): boolean {
  const [said] = reference;
  // 'IT' is a trade, and 'Sie' within a German question is whoever is asked.
  if (said === 'IT' || STANDS_FOR_NOTHING.test(question)) return true;
  if (packOf(language).capitalNouns && reference.index > 0 && /^\p{Lu}/u.test(said)) return true;
  const before = question.slice(0, reference.index);
  const tokens = tokensOf(before);
  const noun = tokens.find((token, i) => {
    if (FRAME.has(token.word.lower) || DETERMINERS.has(token.word.lower)) return false;
    const last = lowerAt(tokens, i - 1);
    const content = !stopWords(language).has(token.word.lower);
    return (i > 0 && isCapital(token)) || (content && isNounAfter(last));
  });
  if (noun === undefined) return false;
  const owns = possessives.test(said) && !referring(language).pronouns.test(said);
  // 'La société a-t-elle …': the French pronoun repeats its noun.
  return owns || said.startsWith('-') || NEXT_CLAUSE.test(before.slice(noun.end));
}

const isNounAfter = (word: string): boolean => DETERMINERS.has(word) || THING_ASKERS.has(word);

function replaced(
  rest: string,
  reference: RegExpExecArray,
  possessives: RegExp,
  earlier: EarlierTurn,
  language: string,
): string {
  const referent = referentOf(earlier, PERSON.test(reference[0]));
  const before = rest.slice(0, reference.index).trimEnd();
  const after = rest.slice(reference.index + reference[0].length).trimStart();
  if (possessives.exec(reference[0]) === null || referring(language).pronouns.test(reference[0])) {
    return `${[before, referent, after].filter(Boolean).join(' ')}?`.replace(/ ([,;])/gu, '$1');
  }
  return language === 'en' ? `${before} ${referent}’s ${after}?`.trim() : `${rest}: ${referent}?`;
}

const VERB = anyWord(({ question }) => [question?.auxiliaries, question?.verbs], DIALOGUE);
const SIMPLE = new RegExp(
  String.raw`^(?:${askWords(['time', 'place', 'reason', 'person', 'manner'])})\s+(?=(?:${VERB}|\p{Ll}+(?:t|te|en))\s)`,
  'iu',
);

/** 'Why?' and 'Since when?': the earlier question with another question word. */
function askedAnew(rest: string, earlier: EarlierTurn): string {
  const base = clean(earlier.question);
  return SIMPLE.test(base)
    ? base.replace(SIMPLE, () => `${rest} `)
    : `${rest} ${referentOf(earlier, false)}`;
}
