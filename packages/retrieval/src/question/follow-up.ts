import { detectLanguage, stopWords } from '../analysis/languages.ts';
import type { RankedPassage, RankedSentence } from '../ranking/rank.ts';
import { splitSentences } from '../analysis/sentences.ts';
import {
  clean,
  DETERMINER,
  FRAME,
  isCapital,
  type Language,
  languageOf,
  lowerAt,
  type Token,
  tokensOf,
  topicOf,
} from './topic.ts';
import type { Citation } from '../types.ts';
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

/** What a language refers back with. */
interface References {
  /** Words that stand for a thing or a person. */
  pronouns: RegExp;
  /** Words that say whose something is. */
  possessives: RegExp;
  /** How a question without a verb of its own begins: 'and', 'what about'. */
  opening: RegExp;
}

const word = (list: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}'’-])(?:${list})(?![\\p{L}\\p{N}'’-])`, 'iu');

const REFERENCES: Readonly<Record<Language, References>> = {
  en: {
    pronouns: word(
      String.raw`it|they|them|he|she|him|(?<=(?:about|for|with|from|to|of|on|in|by|does|did|is|was|do|like)\s)(?:her|this|that|these|those|there)(?=\s*(?:$|[?,.]|cost|happen|mean|work|end|start|begin|take|last|apply))|(?:this|that|these|those)(?=\s+(?:is|was|are|were|cost|happen))|the (?:same|former|latter)`,
    ),
    possessives: word('its|their|his|her'),
    opening: /^(?:(?:and|but|so|or|also|ok(?:ay)?)[\s,]+)*(?:(?:what|how) about\s+|and\s+)?/iu,
  },
  de: {
    pronouns: word(
      String.raw`er|sie|ihn|ihm|ihnen|(?<!gibt )es(?!\s+(?:ein|k?eine?n?r?)(?!\p{L}))|davon|dafür|damit|darin|dazu|daran|darüber|dort|dies(?:er|es|em|en)?(?=\s*(?:$|[?,.]))`,
    ),
    possessives: word('seine?[rnms]?|ihre?[rnms]?|deren|dessen'),
    opening:
      /^(?:(?:und|aber|oder|also|auch)[\s,]+)*(?:was ist mit\s+|wie (?:sieht es|steht es|ist es) (?:mit|bei)\s+)?(?:de[mnr]\s+(?=\p{Lu}))?/iu,
  },
  fr: {
    pronouns: new RegExp(
      `(?<!faut|y a|a-t)(?<=\\p{L})-(?:t-)?(?:ils?|elles?)(?!\\p{L})|${word('ils?|elles?|lui|ça|cela|celui-ci|celle-ci').source}`,
      'iu',
    ),
    possessives: word('son|sa|ses|leurs?'),
    opening: /^(?:(?:et|mais|ou)[\s,]+)*(?:qu['’]en est-il (?:de |du |des )?|pour\s+)?/iu,
  },
  es: {
    pronouns: word('él|ella|ellos|ellas|eso|esto|lo|allí|ahí'),
    possessives: word('su|sus'),
    opening: /^¿?(?:(?:y|pero|o)[\s,]+)*(?:qué (?:hay|pasa) (?:de|con)\s+)?/iu,
  },
  it: {
    pronouns: word('esso|essa|essi|lui|lei|loro|questo|quello|lì'),
    possessives: word('suo|sua|suoi|sue|loro'),
    opening: /^(?:(?:e|ma|o)[\s,]+)*(?:che (?:ne è|dire) (?:di|del|della)\s+)?/iu,
  },
};

const PLACE_OR_TIME =
  /^(?:in|on|at|for|from|with|by|under|during|since|after|before|of|per|im|am|bei|beim|für|von|vom|mit|seit|nach|vor|ab|aus|zum|zur|en|à|au|aux|pour|de|du|des|dans|avec|para|con|del|di|da|per|nel|nella)\s/iu;
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
  const german = detectLanguage(said) === 'de';
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

const ASKS_PERSON = word('who|whom|whose|wer|wen|wem|qui|quién|chi|кто');
const ASKS_NAME = word('who|whom|where|wer|wo|qui|où|quién|dónde|chi|dove');
const ASKS_WHICH =
  /(?<!\p{L})(?:which|what|welche[rsmn]?|quell?e?s?|qué|quale)\s+(\p{L}[\p{L}-]+)\s/iu;

const ASKED_OBJECT =
  /^(?:in |on |at |by |under )?(?:what|which)\s+((?:[\p{L}\p{N}'’-]+\s+){0,3}[\p{L}\p{N}'’-]+)\s+(?:did|does|do)\s/iu;

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

const PERSON =
  /^(?:he|she|him|her|his|er|ihn|ihm|seine?[rnms]?|il|elle|lui|son|sa|ses|él|ella|su|sus|suo|sua)$/iu;

const contentWords = (text: string, language: Language): Word[] =>
  wordsOf(text).words.filter(
    ({ lower }) =>
      !stopWords(language).has(lower) && !stopWords('en').has(lower) && !FRAME.has(lower),
  );

/** 'And in 2024?', 'What about Berlin?': the earlier question with this in its place. */
function substituted(fragment: string, earlier: string): string {
  const base = clean(earlier);
  const year = YEAR.exec(fragment)?.[0];
  if (year !== undefined && YEAR.test(base)) return base.replace(YEAR, year);
  const lead = PLACE_OR_TIME.exec(fragment)?.[0];
  const thing = lead === undefined ? fragment : fragment.slice(lead.length);
  const same = sameKind(thing, base);
  if (same !== null) return base.slice(0, same.start) + thing + base.slice(same.end);
  if (lead !== undefined) return `${withoutTail(base, lead, thing)} ${fragment}`;
  if (/^\p{Lu}|^\d/u.test(thing)) return `${base} ${fragment}`;
  const topic = topicOf(base);
  const end = topic.search(
    /\s(?:of|for|in|at|on|from|with|von|vom|für|im|in|der|des|bei|mit|de|du|des|del|en|para|di|per)\s/iu,
  );
  const head = end === -1 ? topic : topic.slice(0, end);
  return head === '' ? `${base} ${fragment}` : base.replace(head, () => thing);
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
      if (
        /^(?:the|my|our|der|die|das|den|dem|le|la|el|il|a|an)$/u.test(
          tokens[from]?.word.lower ?? '',
        )
      )
        break;
      if (PLACE_OR_TIME.test(`${tokens[from]?.word.lower ?? ''} `)) {
        from += 1;
        break;
      }
    }
    return { start: tokens[from]?.start ?? 0, end: tokens[alike]?.end ?? base.length };
  }
  if (!own.some(isCapital) || languageOf(base) === 'de') return germanPlace(thing, base);
  const end = tokens.findLastIndex((token, i) => i > 0 && isCapital(token));
  if (end === -1) return null;
  let start = end;
  while (start > 1 && tokens[start - 1] !== undefined && isCapital(tokens[start - 1] as Token))
    start -= 1;
  return { start: tokens[start]?.start ?? 0, end: tokens[end]?.end ?? base.length };
}

/** In German every noun has a capital: only what follows 'in' or 'für' is taken for a name. */
function germanPlace(thing: string, base: string): { start: number; end: number } | null {
  if (!/^\p{Lu}[\p{L}-]+$/u.test(thing)) return null;
  const match = /(?<=\s(?:in|für|bei|von|aus|nach)\s)\p{Lu}[\p{L}-]+$/u.exec(base);
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

function completed(text: string, earlier: EarlierTurn): string {
  const language = languageOf(text);
  const { pronouns, possessives, opening } = REFERENCES[language];
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
const STANDS_FOR_NOTHING =
  /(?<!\p{L})(?:how (?:far|late|long ago|much) is it (?:from|to|until)|what (?:time|day|date) is it (?:in|now|today)|(?:is|was) it (?:raining|snowing|true|possible|allowed|necessary|required|important|worth|ok(?:ay)?|safe|legal)|it takes to|(?:geht|regnet|handelt|schneit) es|(?:wie spät|wie weit|möglich|erlaubt|wahr) ist es|ist es (?:möglich|erlaubt|wahr|nötig))(?!\p{L})/iu;
const NEXT_CLAUSE =
  /(?<!\p{L})(?:and|or|if|because|und|oder|wenn|falls|weil|et|ou|si|y|o|e|se|и)(?!\p{L})/iu;
/** After these, what is asked for follows: 'Which employees …', 'How many guests …'. */
const ASKED_THING = /^(?:which|what|many|much|welche[rsmn]?|viele?|quell?e?s?|qué|quale|quali)$/u;

/**
 * Whether a question says itself what its 'it' or 'their' stands for: 'Why did the firm change its
 * name?', 'Who painted the Mona Lisa and when did he die?'. The object of a clause is never its own
 * subject, so that for a pronoun the thing must stand in an earlier clause.
 */
function refersInside(
  question: string,
  reference: RegExpExecArray,
  possessives: RegExp,
  language: Language,
): boolean {
  const [said] = reference;
  // 'IT' is a trade, and 'Sie' within a German question is whoever is asked.
  if (said === 'IT' || STANDS_FOR_NOTHING.test(question)) return true;
  if (language === 'de' && reference.index > 0 && /^\p{Lu}/u.test(said)) return true;
  const before = question.slice(0, reference.index);
  const tokens = tokensOf(before);
  const noun = tokens.find((token, i) => {
    if (FRAME.has(token.word.lower) || DETERMINER.test(token.word.lower)) return false;
    const last = lowerAt(tokens, i - 1);
    const content = !stopWords(language).has(token.word.lower);
    return (i > 0 && isCapital(token)) || (content && isNounAfter(last));
  });
  if (noun === undefined) return false;
  const owns = possessives.test(said) && !REFERENCES[language].pronouns.test(said);
  // 'La société a-t-elle …': the French pronoun repeats its noun.
  return owns || said.startsWith('-') || NEXT_CLAUSE.test(before.slice(noun.end));
}

const isNounAfter = (word: string): boolean => DETERMINER.test(word) || ASKED_THING.test(word);

function replaced(
  rest: string,
  reference: RegExpExecArray,
  possessives: RegExp,
  earlier: EarlierTurn,
  language: Language,
): string {
  const referent = referentOf(earlier, PERSON.test(reference[0]));
  const before = rest.slice(0, reference.index).trimEnd();
  const after = rest.slice(reference.index + reference[0].length).trimStart();
  if (possessives.exec(reference[0]) === null || REFERENCES[language].pronouns.test(reference[0])) {
    return `${[before, referent, after].filter(Boolean).join(' ')}?`.replace(/ ([,;])/gu, '$1');
  }
  return language === 'en' ? `${before} ${referent}’s ${after}?`.trim() : `${rest}: ${referent}?`;
}

/** 'Why?' and 'Since when?': the earlier question with another question word. */
function askedAnew(rest: string, earlier: EarlierTurn): string {
  const base = clean(earlier.question);
  const simple =
    /^(?:when|where|why|who|how|wann|wo|warum|wer|wie|quand|où|cuándo|dónde|quando|dove)\s+(?=(?:is|are|was|were|do|does|did|can|will|has|have)\s|[\p{Ll}]+(?:t|te|en)\s)/iu;
  return simple.test(base)
    ? base.replace(simple, () => `${rest} `)
    : `${rest} ${referentOf(earlier, false)}`;
}

/** What a passage of a file that the earlier answer cites counts more. */
const FAVOUR = 1.1;
/** What the sentence counts that answered before: a follow-up asks for something new. */
const KNOWN = 0.9;

/**
 * Orders passages for a question that follows up on an answer: those of the files it cites come a
 * little higher, and the sentence it quotes first a little lower.
 */
export function rankFollowUp(
  ranked: readonly RankedPassage[],
  cited: readonly Pick<Citation, 'artifactId' | 'start' | 'end'>[],
): RankedPassage[] {
  return ranked
    .map((passage) => {
      const quotes = cited.filter(({ artifactId }) => artifactId === passage.artifactId);
      if (quotes.length === 0) return passage;
      const direct = quotes.find((quote) => quote === cited[0]);
      const isKnown = ({ start, end }: RankedSentence): boolean =>
        direct !== undefined &&
        direct.start < passage.start + end &&
        passage.start + start < direct.end;
      const sentences = passage.sentences
        .map((each) => ({ ...each, score: each.score * FAVOUR * (isKnown(each) ? KNOWN : 1) }))
        .sort((a, b) => b.score - a.score);
      return { ...passage, score: passage.score * FAVOUR, sentences };
    })
    .sort((a, b) => b.score - a.score);
}
