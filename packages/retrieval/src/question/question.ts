import { stopWords } from '../analysis/languages.ts';
import { ALL_CAPS, CAPITAL, DIGIT, termsOf, wordsOf } from '../analysis/words.ts';
import type { Word } from '../analysis/words.ts';
import { ALL_FILES, applyScope, NO_DATES } from '../scope/question.ts';
import type { QuestionDate, QuestionFiles, QuestionScope, SearchHint } from '../scope/question.ts';
import { normalizeQuestion } from '../scope/scope.ts';
import { TERM_WEIGHTS } from '../ranking/weights.ts';
import type { QuestionTerm } from './question-term.ts';

/** What kind of thing answers a question. */
export type QuestionType =
  'person' | 'time' | 'place' | 'quantity' | 'reason' | 'manner' | 'definition' | 'yesNo' | 'thing';

/** A question, analysed for search and for judging what search finds. */
export interface Question {
  text: string;
  /** ISO 639-1, the one of the asker's languages the question is most likely in. */
  language: string;
  languages: string[];
  type: QuestionType;
  terms: QuestionTerm[];
  /** Pairs of terms (as positions in `terms`) that stand side by side in the question. */
  pairs: [number, number][];
  /** Phrases the asker put in quotation marks, letter for letter. */
  phrases: string[];
  /** All variants once, joined by spaces: what the index's term column is searched for. */
  query: string;
  /** The dates it asks about. */
  dates: readonly QuestionDate[];
  /** What to search for beside `query`, with weights: other ways to write its dates. */
  hints: readonly SearchHint[];
  /** What it says of the files that shall answer it. */
  files: QuestionFiles;
}

const TYPES: readonly [RegExp, QuestionType][] = [
  [
    /\b(?:how (?:many|much|long|far|old|tall|big|large|high|deep|fast|wide|heavy|often)|(?:what|which) (?:\w+ ){0,3}?(?:percentage|percent|number|amount|price|cost|fee|rate|total|population|size|length|height|weight|distance|age|salary|budget|temperature|speed))\b|\bwie ?viele?\b|\bwie (?:lange|hoch|groß|alt|weit|teuer)\b|\bcombien\b|\bcuánt|\bquant[oiae]s?\b|\bhoeveel\b|сколько|何人|何個|いくつ|いくら|どのくらい|多少|几个|얼마|몇|\bكم\b|\bכמה\b|\bhur (?:många|mycket)\b|\bhvor (?:mange|mye|meget)\b|\bile\b|\bkaç\b/iu,
    'quantity',
  ],
  [
    /^\W*(?:(?:since|until|by|from|and|in) )?when\b|[,;] when (?:did|do|does|was|were|is|are|will|has|have|had)\b|\b(?:(?:what|which) (?:\w+ )?(?:year|date|day|month|century|decade|time|era|season|period|deadline))\b|\bwann\b|\bquand\b|\bcuándo\b|\bquando\b|\bwanneer\b|когда|いつ|何時|何年|何月|什么时候|何时|哪年|언제|متى|מתי|\bnär\b|\bhvornår\b|\bnår\b|\bkiedy\b|\bne zaman\b/iu,
    'time',
  ],
  [
    /\b(?:who|whom|whose|(?:what|which) (?:person|people|man|woman|author|president|king|queen|leader|director|scientist|actor|artist|company|organization|organisation)|what (?:is|was|were|are) [^?]{0,60}\bnames?\b)\b|\bwe[rnm]\b|\bqui\b|\bquién(?:es)?\b|\bchi\b|\bquem\b|\bwie is\b|\bкто\b|\bкому\b|だれ|誰|谁|누구|누가|\bمن هو|\bמי\b|\bvem\b|\bhvem\b|\bkto\b|\bkim\b/iu,
    'person',
  ],
  [
    /\b(?:where|(?:what|which) (?:\w+ )?(?:city|country|state|town|place|location|region|continent|address|county|province|river|street))\b|\bwo(?:hin|her)?\b|\boù\b|\bdónde\b|\bdove\b|\bonde\b|\bwaar\b|\bгде\b|\bкуда\b|どこ|哪里|哪儿|어디|\bأين\b|\bאיפה\b|\bvar\b|\bhvor\b|\bgdzie\b|\bnerede\b/iu,
    'place',
  ],
  [
    /\b(?:why|what (?:is|was|were|are) the (?:reason|cause|purpose)s?|for what reason)\b|\bwarum\b|\bwieso\b|\bweshalb\b|\bpourquoi\b|\bpor qué\b|\bperché\b|\bpor que\b|\bwaarom\b|почему|зачем|なぜ|どうして|为什么|왜|\bلماذا\b|\bלמה\b|\bdlaczego\b|\bneden\b|\bvarför\b|\bhvorfor\b/iu,
    'reason',
  ],
  [
    /^\W*(?:what (?:is|are|was|were) (?:an? |the )?(?!(?:of|for|in|the|this|that|his|her|its|their)\b)(?:['’-]*[\p{L}\p{N}])+(?:['’-]* (?:['’-]+ )?(?!(?:of|for|in|the|this|that|his|her|its|their)\b)(?:['’-]*[\p{L}\p{N}])+){0,3}[^\p{L}\p{N}]*$|what does [^?]+ mean\b|define\b)/iu,
    'definition',
  ],
  [
    /\bhow\b|^\W*wie\b|\bcomment\b|\bcómo\b|\bcome\b|\bcomo\b|\bhoe\b|\bкак\b|どうやって|怎么|如何|어떻게|\bكيف\b|\bאיך\b/iu,
    'manner',
  ],
  [/^\W*(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would|should|may)\b/iu, 'yesNo'],
];

/** Words that only say what kind of answer is wanted or hold a question together. */
const FRAME_WORDS = new Set(
  `name names named call called kind type sort term word thing many much number amount percentage
percent year date day month century time person people example describe explain list mention mean
meaning happen refer consider use give take go tell say know long often first`.split(/\s+/u),
);

/** The kind of answer a question asks for, by its question words. */
export function questionType(text: string): QuestionType {
  for (const [pattern, type] of TYPES) if (pattern.test(text)) return type;
  return 'thing';
}

/** Which of the languages the question's function words speak for; the first on a tie. */
function questionLanguage(words: readonly Word[], languages: readonly string[]): string {
  let best = languages[0] ?? 'en';
  let most = 0;
  for (const language of languages) {
    const stop = stopWords(language);
    const hits = words.filter((word) => stop.has(word.lower)).length;
    if (hits > most) [best, most] = [language, hits];
  }
  return best;
}

const isCapital = (word: Word): boolean => (word.shape & CAPITAL) !== 0;

/** A pair of characters over the end of a Japanese word and the particle behind it, or before it. */
const WITH_PARTICLE =
  /^(?:[のはがをにでとへもや]\P{Script=Hiragana}|\P{Script=Hiragana}[のはがをにでとへもや])$/u;

const HIRAGANA = /^\p{Script=Hiragana}+$/u;

function isStopWord(word: Word, language: string, shouting: boolean): boolean {
  if ((word.shape & ALL_CAPS) !== 0 && !shouting) return false;
  return stopWords(language).has(word.lower) || HIRAGANA.test(word.surface);
}

const QUOTED = /["“„«「『]([^"“”„«»「」『』]{2,100})["”“»」』]/gu;

/**
 * Analyses a question for a library in the given languages (ISO 639-1, most used first). Stop words
 * go, but never all words; codes and numbers count whole and, less, in parts.
 *
 * @param scope what it says of files: its dates are then known in other spellings, too, and words
 *   that only say which files are meant count less
 */
export function analyzeQuestion(
  question: string,
  languages: readonly string[],
  scope?: QuestionScope,
): Question {
  const text = normalizeQuestion(question);
  const spoken = languages.length === 0 ? ['en'] : [...new Set(languages)];
  const { words, starts, ends } = wordsOf(text);
  const language = questionLanguage(words, spoken);
  // Capitals that stand everywhere say nothing about names.
  const shouting =
    words.length > 2 &&
    words.every((word, i) => i === 0 || word.lower.length < 4 || isCapital(word));
  const content = words.filter((word) => !isStopWord(word, language, shouting));
  const kept = content.length > 0 ? content : words;
  const terms: QuestionTerm[] = [];
  const position = new Map<string, number>();
  const pairs: [number, number][] = [];
  const places: { start: number; end: number; term: number }[] = [];
  let before = -1;
  for (const [i, word] of words.entries()) {
    if (!kept.includes(word)) continue;
    const at = addTerms(word, word === words[0] || shouting, spoken, terms, position);
    places.push({ start: starts[i] ?? 0, end: ends[i] ?? 0, term: at });
    if (before !== -1 && at !== before) pairs.push([before, at]);
    before = at;
  }
  const query = [...new Set(terms.flatMap((term) => term.variants))].join(' ');
  const { dates, hints } = scope ? applyScope(scope, terms, places, spoken) : NO_DATES;
  const phrases = [...text.matchAll(QUOTED)].map((match) => (match[1] ?? '').trim());
  return {
    text,
    language,
    languages: spoken,
    type: questionType(text),
    terms,
    pairs,
    phrases: phrases.filter((phrase) => phrase !== ''),
    query,
    dates,
    hints,
    files: scope?.files ?? ALL_FILES,
  };
}

/** Adds a word's term, and less weighty ones for a code's parts; answers the term's position. */
function addTerms(
  word: Word,
  first: boolean,
  languages: readonly string[],
  terms: QuestionTerm[],
  position: Map<string, number>,
): number {
  const byLanguage = languages.map((language) => termsOf(word, language));
  const wholes = [...new Set(byLanguage.flatMap((list) => list.slice(0, 1)))];
  const key = wholes.join(' ');
  const known = position.get(key);
  if (known !== undefined) return known;
  const capital = isCapital(word) && !first;
  const name = capital || (word.shape & DIGIT) !== 0;
  let weight = 1;
  if (name) weight = TERM_WEIGHTS.name;
  else if (WITH_PARTICLE.test(word.lower)) weight = TERM_WEIGHTS.part;
  else if (FRAME_WORDS.has(word.lower)) weight = TERM_WEIGHTS.frame;
  const at = terms.length;
  position.set(key, at);
  terms.push({ surface: word.surface, variants: wholes, weight, name, capital });
  const parts = new Set(byLanguage.flatMap((list) => list.slice(1)));
  for (const part of parts) {
    if (wholes.includes(part) || position.has(part)) continue;
    position.set(part, terms.length);
    terms.push({
      surface: part,
      variants: [part],
      weight: TERM_WEIGHTS.part,
      name: false,
      capital: false,
    });
  }
  return at;
}
