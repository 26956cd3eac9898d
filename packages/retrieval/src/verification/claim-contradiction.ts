import {
  isRival,
  isSame,
  type Value,
  valuesOf,
  UNIT_OF,
  MONTHS,
  SPELLED,
  WEEKDAYS,
} from '../analysis/amounts.ts';
import { stopWords } from '../analysis/languages.ts';
import { DIGIT, termsOf, type Word, wordsOf } from '../analysis/words.ts';
import { alternatives, packOf, wholeWords } from '../languages/index.ts';

/** A clause taken apart once. */
export interface Clause {
  /** Its words but for those of its values, and the years it names. */
  terms: Set<string>;
  negative: boolean;
  /** Which side of which opposites it takes, such as '2+' and '2-'. */
  sides: Set<string>;
  /** Values that tell roles, and all that it names. */
  values: Value[];
  all: Value[];
}

/** Between stretches that say something of their own. */
const CLAUSE_END = new RegExp(
  String.raw`(?<=[.!?])\s+|(?<=[。！？；、])|[;:—–]\s|,\s+|(?<!\s)\s+(?=(?:${alternatives(({ claims }) => claims?.contrasts)})\s)|\n|\t|\s·\s|\|`,
  'giu',
);

/** The clauses of one sentence. */
export const clausesOf = (sentence: string): string[] =>
  sentence.split(CLAUSE_END).filter((piece) => /\p{L}/u.test(piece));

const CAPITALS = String.raw`\p{Lu}[\p{L}'’-]{1,40}`;
const A_NUMBER = String.raw`(?=\s(?:the\s)?[€$£]?(?:\d|(?:${[...SPELLED.keys()].join('|')})(?!\p{L})))`;

/** What turns a clause round in a language, and what stands before names. */
function makeTurns(language: string) {
  const { claims, rows, time } = packOf(language);
  const pattern = (source = '(?!)', behind = ''): RegExp =>
    new RegExp(wholeWords(source) + behind, 'giu');
  const sidesOf = (pair: string, at: number): [word: string, side: string][] =>
    pair
      .split('/')
      .flatMap((words, i) =>
        words.split(/\s+/u).map((word): [string, string] => [word, `${at}${i === 0 ? '+' : '-'}`]),
      );
  return {
    negation: pattern(claims?.not),
    harmless: pattern(claims?.harmless),
    beforeName: new RegExp(
      String.raw`(?<!\p{L})(?<lead>${claims?.beforeName ?? '(?!)'})\s(?<name>${CAPITALS})`,
      'gu',
    ),
    sideOf: new Map((claims?.opposites ?? []).flatMap(sidesOf)),
    // 'No more than' before 'more than'.
    bounds: [
      ['most-', pattern(rows?.atMost, A_NUMBER)],
      ['most+', pattern(rows?.atLeast, A_NUMBER)],
      ['most+', pattern(rows?.over, A_NUMBER)],
      ['most-', pattern(rows?.under, A_NUMBER)],
      ['since-', pattern(time?.before, A_NUMBER)],
      ['since+', pattern(time?.after, A_NUMBER)],
    ] as const,
  };
}

const turns = new Map<string, ReturnType<typeof makeTurns>>();

function turnsOf(language: string): ReturnType<typeof makeTurns> {
  const known = turns.get(language) ?? makeTurns(language);
  turns.set(language, known);
  return known;
}

const YEAR = /(?<![\p{N}.,])(?:19|20)\d{2}(?![\p{N}]|[.,]\d)/gu;

/** Takes a clause apart. */
function clauseOf(text: string, language: string): Clause {
  const { words } = wordsOf(text);
  const { negation, harmless, sideOf, bounds } = turnsOf(language);
  let plain = text.toLowerCase().replace(/n['’]t(?!\p{L})/gu, ' not');
  const sides = new Set<string>();
  for (const [side, before] of bounds) {
    plain = plain.replace(before, () => {
      sides.add(side);
      return '';
    });
  }
  plain = plain.replace(harmless, ' ');
  const turned = new Set(plain.match(negation));
  const stop = stopWords(language);
  const names = namesIn(text, language);
  const terms = new Set(text.match(YEAR));
  for (const word of words) {
    const side = sideOf.get(word.lower);
    if (side !== undefined) {
      // Opposites stand for each other, and some of them are negations as well.
      terms.add(`opposite ${side.slice(0, -1)}`);
      if (!turned.has(word.lower)) sides.add(side);
    } else if (isContent(word, stop) && !turned.has(word.lower)) {
      terms.add(termsOf(word, language)[0] ?? word.lower);
    }
  }
  return {
    terms,
    negative: (plain.match(negation)?.length ?? 0) % 2 === 1,
    sides,
    values: [...roleValues(text), ...names],
    all: [...valuesOf(text), ...names],
  };
}

/** Two words with a capital, or one that does not open the clause. */
const NAME = new RegExp(
  String.raw`(?<![\p{L}\p{N}])${CAPITALS}(?:\s{1,4}${CAPITALS})+|(?<=[\p{L}\p{N}],?\s{1,4})${CAPITALS}`,
  'gu',
);
const CODE = /(?<![\p{L}\p{N}])(?<lead>\p{L}{1,8}-?)(?<name>\d+)(?![\p{L}\p{N}])/gu;

/** Names of a clause, and codes such as X200, which others like them may stand in the place of. */
function namesIn(text: string, language: string): Value[] {
  const led = [CODE, turnsOf(language).beforeName].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ groups }) => ({
      family: `name ${groups?.['lead']}`,
      keys: [groups?.['name'] ?? ''],
      figures: [],
    })),
  );
  if (packOf(language).capitalNouns) return led;
  const stop = stopWords(language);
  const names = [...text.matchAll(NAME)].map(([name]) => {
    const words = wordsOf(name).words.filter((word) => isContent(word, stop));
    const keys = words.flatMap((word) => termsOf(word, language).slice(0, 1));
    return { family: 'name', keys, figures: [] };
  });
  return [...led, ...names.filter(({ keys }) => keys.length > 0)];
}

const isContent = ({ lower, shape }: Word, stop: ReadonlySet<string>): boolean =>
  !stop.has(lower) &&
  (shape & DIGIT) === 0 &&
  // Two letters of Japanese with a hiragana among them are mostly grammar.
  !/\p{Script=Hiragana}/u.test(lower) &&
  ![UNIT_OF, SPELLED, MONTHS, WEEKDAYS].some((names) => names.has(lower)) &&
  /\p{L}/u.test(lower);

/** Years are terms; where some values have units, bare numbers beside them tell nothing. */
function roleValues(text: string): Value[] {
  const values = valuesOf(text).filter(
    ({ family, keys }) => family !== null || !/^(?:19|20)\d{2}$/u.test(keys[0] ?? ''),
  );
  const measured = values.some(({ family }) => typeof family === 'number');
  return values.filter(({ family }) => family !== null || !measured);
}

/** The clauses of a text, prepared for comparing. */
export interface Statements {
  language: string;
  /** Whole sentences, then the clauses they consist of. */
  sentences: Clause[];
  clauses: Clause[];
}

/** Takes a text apart into what it states. @param sentences its sentences */
export function statementsOf(language: string, sentences: readonly string[]): Statements {
  // The cells of a row say something together.
  const rows = sentences.filter((sentence) => sentence.includes('\t'));
  const pieces = [...sentences.flatMap(clausesOf), ...rows];
  return {
    language,
    sentences: sentences.map((sentence) => clauseOf(sentence, language)),
    clauses: pieces.map((piece) => clauseOf(piece, language)),
  };
}

/** 'No, …', which denies the question and not what follows. */
const ANSWERED = /^\p{L}{2,4},\s+/u;

/** Least share of a clause's words that a clause of a source must have to be about the same. */
const SAME_SUBJECT = 0.6;
/** … where names are compared: many a name has a role of its own. */
const SAME_WORDS = 0.8;

/**
 * Whether a claim says other than its sources, read together, although it has their words: it turns
 * round the clause of a source that is closest to it, or gives a value that its sources have in another
 * role. It stays silent where no clause of a source is about the same.
 */
export function contradicts(claim: string, sources: readonly Statements[]): boolean {
  if (misquotes(claim, sources)) return true;
  const sentences = sources.flatMap((source) => source.sentences);
  const clauses = sources.flatMap((source) => source.clauses);
  return saidIn(claim, sources).clauses.some(
    (clause) =>
      isTurned(clause, clauses) ||
      clause.values.some(
        (value) => isOutdone(clause, value, sentences) || isOutdone(clause, value, clauses),
      ),
  );
}

const overlap = (terms: ReadonlySet<string>, other: Pick<Clause, 'terms'>): number =>
  terms.intersection(other.terms).size;

/** A claim in the language of its sources: a short one may be taken for another. */
const saidIn = (claim: string, sources: readonly Statements[]): Statements =>
  statementsOf(sources[0]?.language ?? 'en', [claim.replace(ANSWERED, '')]);

/** Whether a claim has the words of a sentence of its sources, and says other than that. */
export function misquotes(claim: string, sources: readonly Statements[]): boolean {
  const sentences = sources.flatMap((source) => source.sentences);
  return saidIn(claim, sources).sentences.some((sentence) => isMisquoted(sentence, sentences));
}

/** Least share of the words of two sentences that both have where they say the same. */
const SAME_SENTENCE = 0.8;
/** Fewer words are in common by chance. */
const LEAST_WORDS = 3;

/** Whether it has the words of a sentence, but not its values and names, or the contrary of it. */
function isMisquoted(said: Clause, sentences: readonly Clause[]): boolean {
  if (said.terms.size < LEAST_WORDS) return false;
  const alike = sentences.filter(
    ({ terms }) => overlap(said.terms, { terms }) >= said.terms.union(terms).size * SAME_SENTENCE,
  );
  const says = (other: Clause): boolean =>
    (said.negative === other.negative) !== isOpposed(said, other) &&
    said.all.every(
      (value) =>
        other.all.some((own) => isSame(value, own)) ||
        (value.family === 'name' && value.keys.every((key) => other.terms.has(key))),
    );
  return alike.length > 0 && !alike.some(says);
}

/** 'Pets are allowed' where it says 'Pets are not allowed'; 'Sales rose' where it says 'Sales fell'. */
function isTurned(clause: Clause, others: readonly Clause[]): boolean {
  if (clause.terms.size < 2) return false;
  const most = Math.max(...others.map((other) => overlap(clause.terms, other)));
  if (most < clause.terms.size * SAME_SUBJECT) return false;
  const closest = others.filter((other) => overlap(clause.terms, other) === most);
  return closest.every(
    (other) => (clause.negative !== other.negative) !== isOpposed(clause, other),
  );
}

/** What names both sides compares them. */
const isOpposed = (clause: Clause, other: Clause): boolean =>
  [...clause.sides].some((side) => {
    const against = side.slice(0, -1) + (side.endsWith('+') ? '-' : '+');
    const plain = !clause.sides.has(against) && !other.sides.has(side);
    return plain && other.sides.has(against);
  });

/**
 * Whether another value stands with more of a clause's words than its own does: '30 days' where it says
 * '30 months', 'The rent is 1,800' where that is the deposit, '2023: 50' where 50 stands beside 2024.
 */
function isOutdone(clause: Clause, value: Value, others: readonly Clause[]): boolean {
  const terms = clause.terms.difference(new Set(value.keys));
  const least = terms.size * (value.family === 'name' ? SAME_WORDS : SAME_SUBJECT);
  if (!others.some((other) => overlap(terms, other) >= least)) return false;
  const has = ({ values }: Clause): boolean => values.some((own) => isSame(value, own));
  // A row may give the number alone, whose rivals are other numbers alone.
  const known = others.flatMap(({ values }) => values.filter((own) => isSame(value, own)));
  const rivals = ({ values }: Clause): boolean =>
    values.some((own) => [value, ...known].some((form) => isRival(form, own)));
  // It may stand there without being told for what it is.
  if (known.length === 0 && (value.family === null || value.family === 'name')) return false;
  // Several of one kind in one clause tell no roles.
  if (rivals(clause)) return false;
  const own = Math.max(-1, ...others.filter(has).map((other) => overlap(terms, other)));
  return others.some((other) => {
    const shared = overlap(terms, other);
    return shared > own && shared >= least && !has(other) && rivals(other);
  });
}
