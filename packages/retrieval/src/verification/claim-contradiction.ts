import { MONTHS, ratesOf, SPELLED, UNIT_OF, WEEKDAYS } from '../analysis/amounts.ts';
import { stopWords } from '../analysis/languages.ts';
import { packOf } from '../languages/index.ts';
import { CAPITAL, DIGIT, termsOf, type Word, wordsOf } from '../analysis/words.ts';
import { isDated, isRival, isSame, type Value, valuesOf } from './values.ts';

/**
 * Whether a sentence says other than its source although it has the source's words: a value in
 * another role (an amount, count or day of another thing, with another unit), a negation put in or left
 * out, two names that changed places. Each rule compares a clause with the source's own clause that has
 * most of its words, and stays silent where no clause of the source is about the same.
 */

/** Words that turn a clause round, by language. */
const NEGATORS: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    en: `not no never none neither nor nobody nothing nowhere without cannot prohibited prohibits forbidden
      forbids banned bans excluded excludes excluding unable fails failed lacks lack impossible invalid`,
    de: `nicht kein keine keinen keinem keiner keines nie niemals niemand nichts ohne verboten untersagt
      ausgeschlossen unmöglich ungültig unzulässig`,
    fr: 'pas jamais aucun aucune sans rien interdit interdite interdits interdites exclu exclue',
    es: 'no nunca ningún ninguno ninguna sin nada prohibido prohibida prohibidos jamás',
    it: 'non mai senza nessun nessuno nessuna vietato vietata vietati',
    nl: 'niet geen nooit zonder verboden',
    pt: 'não nunca nenhum nenhuma sem proibido proibida',
    ru: 'не нет никогда без нельзя запрещено запрещён запрещена запрещены',
    ar: 'لا ليس لم لن ممنوع',
  }).map(([language, list]) => [language, new Set(list.split(/\s+/u))]),
);
/** Words for what one may do, which stand for each other. */
const PERMITTED: ReadonlySet<string> = new Set(
  `allow allows allowed permit permits permitted prohibited prohibits forbidden forbids banned bans erlaubt
  gestattet zulässig verboten untersagt autorisé autorisés permis interdit interdite interdits permitido
  permitida permitidos prohibido prohibida proibido proibida`.split(/\s+/u),
);
const PERMISSION = 'allow';
const NONE: ReadonlySet<string> = new Set();
const negatorsOf = (language: string): ReadonlySet<string> =>
  (Object.hasOwn(NEGATORS, language) ? NEGATORS[language] : undefined) ?? NONE;

/** Phrases with a negator that negate nothing. */
const NO_NEGATION =
  /\b(?:no|not) (?:more|less|fewer|later|earlier|longer than|only|least)(?: than)?\b|\b(?:must|may|shall|should|can|does|do|will) not (?:exceed|be (?:more|less|later|longer) than)\b|\bnot exceed(?:ing)?\b|\bno\.? ?\d|\bnicht (?:mehr|weniger|später|früher|länger|nur|höher) als\b|\bnicht nur\b|\bspätestens\b|\bne [^,.;]{0,30} que\b|\bpas (?:plus|moins|seulement)\b|\bno (?:más|menos|solo|sólo)\b|\bwithout (?:notice|delay|limit)\b|\bnon solo\b/giu;
const JAPANESE_NEGATION = /(?:ない|ません|なかった|ず(?:に|、|。|$)|禁止)/gu;
const CHINESE_NEGATION = /(?:不(?!同|断|仅|但|久|错)|没有|没|禁止|无法|未(?!来))/gu;

const YEAR = /(?<![\p{N}.,])(?:19|20)\d{2}(?![\p{N}]|[.,]\d)/gu;

/** A clause taken apart once. */
export interface Clause {
  /** Its words but for names of units, and the years it names. */
  terms: Set<string>;
  /** Whether it names nothing that a value is of, but months and years: 'On 12 September 2024'. */
  bare: boolean;
  negative: boolean;
  /** Which side of which opposites it takes, such as '2+' and '2-'. */
  sides: Set<string>;
  values: Value[];
  /** Units of which it says something for each: 'a month'. */
  rates: Set<number>;
  /** Terms of names, in order. */
  names: string[];
  /** Names such as X200. */
  codes: string[];
  /** In German, what 'in', 'aus', 'Firma' or 'Frau' stands before: 'in Kassel'. */
  named: Map<string, string>;
  passive: boolean;
}

/** Stretches between commas and words that set one thing against another. */
const CLAUSE_END =
  /(?<=[.!?])\s+|(?<=[。！？；、])|[;:—–]\s|,\s+|(?<!\s)\s+(?=(?:but|however|whereas|while|although|except|and|aber|sondern|jedoch|während|und|mais|et|pero|y|ma|e)\s)|\n|\t|\s·\s|\|/gu;
/** 'In first class, pets are not allowed': where or when, which is no clause of its own. */
const OPENING =
  /^((?:in|on|at|for|from|during|after|before|by|im|am|bei|nach|vor|für|ab|en|dans|à|après|avant|pour|por|para|con|nel|nella|dopo)\s[^\s,]+(?:\s[^\s,]+){0,3}\s?),\s/iu;

/** The clauses of one sentence. */
export const clausesOf = (sentence: string): string[] =>
  sentence
    .trim()
    .replace(OPENING, '$1 ')
    .split(CLAUSE_END)
    .filter((piece) => /\p{L}/u.test(piece));

/** Words that say the contrary of each other, in several languages. */
const OPPOSITES: readonly (readonly [string, string])[] = [
  ['more mehr plus más più больше', 'less fewer weniger moins menos meno меньше'],
  [
    `rise rises rose risen increase increases increased increasing grew grow grows grown growth climbed gained
    stieg stiegen steigt gestiegen wuchs gewachsen erhöht zunahm augmenté aumentó aumentato выросла вырос`,
    `fall falls fell fallen decrease decreases decreased decreasing decline declines declined drop dropped
    shrank sank sanken sinkt gesunken fiel fielen gefallen verringert abnahm baissé diminué bajó disminuyó
    diminuito calato упала упал`,
  ],
  [
    'higher larger greater longer höher größer länger',
    'lower smaller shorter niedriger kleiner kürzer',
  ],
  ['earlier früher', 'later später'],
  ['first erste ersten erster', 'last letzte letzten letzter'],
  ['minimum mindestens mínimo minimo', 'maximum höchstens máximo massimo'],
  ['dafür', 'dagegen'],
  ['profit gewinn', 'loss losses verlust'],
  ['income revenue einnahmen', 'expense expenses ausgaben'],
  [
    'buy buys bought buyer kauft kaufte käufer',
    'sell sells sold seller verkauft verkaufte verkäufer',
  ],
  ['accepted approved genehmigt angenommen', 'rejected refused abgelehnt'],
  ['won gewann', 'lost verlor'],
  ['arrives arrived ankunft', 'departs departed leaves left abfahrt'],
  ['included includes inbegriffen eingeschlossen enthalten', 'excluded excludes ausgeschlossen'],
];
const SIDE_OF = new Map(
  OPPOSITES.flatMap(([one, other], n) =>
    [one, other].flatMap((list, i) =>
      list.split(/\s+/u).map((name) => [name, `${n}${i === 0 ? '+' : '-'}`] as const),
    ),
  ),
);
/** Of these it counts only what they say of a number: 'cool before icing' is 'ice after cooling'. */
const BEFORE_NUMBER = /(?<!\p{L})(?<word>\p{L}+)\s+(?:the\s+|dem\s+|le\s+|el\s+)?[€$£]?\d/giu;
const NUMBER_SIDES = new Map(
  [
    ['before vor avant antes до', 'before+'],
    ['after nach après después после', 'before-'],
    ['above over über', 'above+'],
    ['below under unter', 'above-'],
  ].flatMap(([list = '', side = '']) => list.split(' ').map((name) => [name, side] as const)),
);

const sidesOf = (words: readonly Word[], text: string): Set<string> =>
  new Set([
    ...words.flatMap(({ lower }) => SIDE_OF.get(lower) ?? []),
    ...[...text.matchAll(BEFORE_NUMBER)].flatMap(
      ({ groups }) => NUMBER_SIDES.get(groups?.['word']?.toLowerCase() ?? '') ?? [],
    ),
  ]);

const opposite = (side: string): string => side.slice(0, -1) + (side.endsWith('+') ? '-' : '+');

function clauseOf(text: string, language: string): Clause {
  const { words } = wordsOf(text);
  const stop = stopWords(language);
  const plain = text.toLowerCase().replace(/[’]/gu, "'").replace(NO_NEGATION, ' ');
  const negators = negatorsOf(language);
  const count =
    (plain.match(/[\p{L}\p{M}]+/gu) ?? []).filter((token) => negators.has(token)).length +
    (plain.match(/\p{L}n't(?!\p{L})/gu)?.length ?? 0) +
    (language === 'ja' ? (text.match(JAPANESE_NEGATION)?.length ?? 0) : 0) +
    (language === 'zh' ? (text.match(CHINESE_NEGATION)?.length ?? 0) : 0);
  const content = words.filter((each) => isContent(each, stop, negators));
  return {
    terms: new Set([
      ...content.flatMap((each) => termsOf(each, language).slice(0, 1)),
      ...(words.some(({ lower }) => PERMITTED.has(lower)) ? [PERMISSION] : []),
      ...(text.match(YEAR) ?? []),
    ]),
    bare: content.every(isCalendar),
    negative: count % 2 === 1,
    sides: sidesOf(words, text),
    values: valuesOf(text),
    rates: ratesOf(text),
    names: namesOf(words, stop, language),
    codes: words.flatMap(({ lower }) => (/^\p{L}+-?\d+$/u.test(lower) ? lower : [])),
    named: packOf(language).capitalNouns ? germanNames(text) : new Map(),
    passive: /(?<!\p{L})(?:by|von|vom|durch|par|por|da)(?!\p{L})/iu.test(text),
  };
}

/** Terms of names: a word that opens a clause may have its capital from that. */
function namesOf(words: readonly Word[], stop: ReadonlySet<string>, language: string): string[] {
  if (packOf(language).capitalNouns) return [];
  const capital = (each: Word | undefined): boolean =>
    each !== undefined &&
    (each.shape & CAPITAL) !== 0 &&
    !stop.has(each.lower) &&
    !isCalendar(each);
  return words
    .filter((each, i) => capital(each) && (i > 0 || capital(words[1])))
    .map((each) => termsOf(each, language)[0] ?? each.lower);
}

const germanNames = (text: string): Map<string, string> =>
  new Map(
    [...text.matchAll(/(?<!\p{L})(in|aus|nach|Firma|Frau|Herrn?)\s+(\p{Lu}\p{Ll}+)/gu)].map(
      ([, before = '', name = '']) => [before, name],
    ),
  );

const isCalendar = ({ lower }: Word): boolean => MONTHS.has(lower) || WEEKDAYS.has(lower);

function isContent(each: Word, stop: ReadonlySet<string>, negators: ReadonlySet<string>): boolean {
  if (stop.has(each.lower) || negators.has(each.lower) || (each.shape & DIGIT) !== 0) return false;
  if (PERMITTED.has(each.lower)) return false;
  // Two letters of Japanese with a hiragana among them are mostly grammar.
  if (/\p{Script=Hiragana}/u.test(each.lower)) return false;
  return !UNIT_OF.has(each.lower) && !SPELLED.has(each.lower) && /\p{L}/u.test(each.lower);
}

/** The clauses of a text, prepared for comparing. */
export interface Statements {
  language: string;
  text: string;
  /** Whole sentences, then the clauses they consist of. */
  sentences: Clause[];
  clauses: Clause[];
}

/** Takes a text apart into what it states. @param sentences its sentences, where they are known */
export function statementsOf(
  text: string,
  language: string,
  sentences: readonly string[],
): Statements {
  const whole = sentences.map((sentence) => clauseOf(sentence, language));
  // The cells of a row say something together.
  const rows = sentences.filter((sentence) => sentence.includes('\t'));
  const clauses = [...sentences.flatMap(clausesOf), ...rows].map((piece) =>
    clauseOf(piece, language),
  );
  return { language, text, sentences: whole, clauses };
}

export const overlap = (a: Clause, b: Clause): number => a.terms.intersection(b.terms).size;

/** A claim taken apart in the language of its sources: a short one may be taken for another language. */
export const claimed = (claim: string, sources: readonly Statements[]): Statements =>
  statementsOf(claim, sources[0]?.language ?? 'en', [claim]);

/** Whether a claim says other than its sources, read together. */
export function contradicts(claim: string, sources: readonly Statements[]): boolean {
  const said = claimed(claim, sources);
  return [inAnotherRole, turnedRound, ofAnotherName, changedPlaces].some((test) =>
    test(said, sources),
  );
}

/** Whether a claim names an amount with its unit that a source has, too, in whatever language. */
export const sharesAmount = (claim: string, source: Statements): boolean =>
  valuesOf(claim).some(
    (value) =>
      value.family !== null &&
      source.sentences.some(({ values }) => values.some((own) => isSame(value, own))),
  );

/** Least share of a clause's words that a clause of a source must have to be about the same. */
const SAME_SUBJECT = 0.6;

function closest(clause: Clause, sources: readonly Statements[], whole: boolean): Clause[] {
  let most = Math.max(1, clause.terms.size * SAME_SUBJECT);
  let best: Clause[] = [];
  for (const source of sources) {
    for (const other of whole ? source.sentences : source.clauses) {
      const shared = overlap(clause, other);
      if (shared > most || (shared === most && best.length === 0)) {
        most = shared;
        best = [other];
      } else if (shared === most) best.push(other);
    }
  }
  return best;
}

/** 'Pets are allowed' where it says 'Pets are not allowed'. */
function turnedRound({ clauses }: Statements, sources: readonly Statements[]): boolean {
  return clauses.some((clause) => {
    if (clause.terms.size < 2 || clause.bare) return false;
    const others = closest(clause, sources, false);
    return (
      others.length > 0 &&
      others.every(
        (other) =>
          other.negative !== clause.negative || isOpposed(clause, other) || isOther(clause, other),
      )
    );
  });
}

/** '18 EUR a year' where it says '18 EUR a month'. */
const isOther = ({ rates }: Clause, other: Clause): boolean =>
  rates.size > 0 && other.rates.size > 0 && rates.isDisjointFrom(other.rates);

/** 'Sales rose' where it says 'Sales fell'; what names both sides compares them. */
const isOpposed = (clause: Clause, other: Clause): boolean =>
  [...clause.sides].some((side) => {
    const against = opposite(side);
    const plain = !clause.sides.has(against) && !other.sides.has(side);
    return plain && other.sides.has(against);
  });

/**
 * A value that its sources have in another role only: '30 days' where 30 counts months, '3 June' where
 * there are other days alone, 'The rent is 1,800' where 1,800 is the deposit and the rent has a number
 * of its own, '2023: 50' where 50 stands beside 2024.
 */
function inAnotherRole({ clauses }: Statements, sources: readonly Statements[]): boolean {
  const sentences = sources.flatMap((source) => source.sentences);
  const known = sentences.flatMap(({ values }) => values);
  const parts = sources.flatMap((source) => source.clauses);
  return clauses.some((clause) =>
    clause.values.some((value) => {
      const has = ({ values }: Clause): boolean => values.some((own) => isSame(value, own));
      const same = known.filter((own) => isSame(value, own));
      if (same.length === 0) {
        return known.some((own) =>
          isDated(value)
            ? own.family === value.family
            : value.family !== null && sharesDigits(value, own),
        );
      }
      // A row may give the number alone, whose rivals are other numbers alone.
      const rival = ({ values }: Clause): boolean =>
        values.some((own) => [value, ...same].some((each) => isRival(each, own)));
      // What stands beside a name of its own, such as several amounts of one clause, tells no roles.
      if (clause.bare || clause.values.some((own) => isRival(value, own))) return false;
      if (outdone(clause, sentences, has, rival)) return true;
      return (
        (isDated(value) || sentences.some((each) => has(each) && rival(each))) &&
        outdone(clause, parts, has, rival)
      );
    }),
  );
}

const sharesDigits = (one: Value, other: Value): boolean =>
  other.keys.some((key) => one.keys.includes(key));

/** 'X300 weighs 310 g' where X200 does; 'in Fulda' where it says 'in Kassel'. */
function ofAnotherName({ clauses }: Statements, sources: readonly Statements[]): boolean {
  const all = sources.flatMap((source) => source.clauses);
  return clauses.some((clause) => {
    const [code, another] = clause.codes;
    const holders = all.filter(({ values }) =>
      values.some((own) => clause.values.some((value) => isSame(value, own))),
    );
    const like = (other: string): boolean =>
      other.replace(/\d/gu, '') === code?.replace(/\d/gu, '');
    if (code !== undefined && another === undefined && holders.length > 0) {
      const others = holders.every(({ codes }) => codes.some(like) && !codes.includes(code));
      if (others) return true;
    }
    return [...clause.named].some(([before, name]) => {
      if (sources.some(({ text }) => text.includes(name))) return false;
      const near = closest(clause, sources, false);
      return near.length > 0 && near.every(({ named }) => named.has(before));
    });
  });
}

/**
 * Whether what holds the claim's own number or name has fewer of its words than what holds another, and
 * that is about the same.
 */
function outdone(
  clause: Clause,
  others: readonly Clause[],
  has: (other: Clause) => boolean,
  rival: (other: Clause) => boolean,
): boolean {
  const most = (list: readonly Clause[]): number =>
    Math.max(-1, ...list.map((other) => overlap(clause, other)));
  const own = most(others.filter(has));
  const other = most(others.filter((each) => !has(each) && rival(each)));
  return own >= 0 && other > own && other >= clause.terms.size * SAME_SUBJECT;
}

/** 'Bob pays Anna' where it says 'Anna pays Bob'; 'Bob is the tenant' where Anna is. */
function changedPlaces({ clauses }: Statements, sources: readonly Statements[]): boolean {
  return clauses.some((clause) => {
    const [one, two] = clause.names;
    if (one === undefined) return false;
    const all = sources.flatMap((source) => source.clauses);
    if (two !== undefined && one !== two && !isOneName(one, two, all)) {
      const both = all.filter(({ names }) => names.includes(one) && names.includes(two));
      const verb = clause.terms.size - 2;
      const swapped = both.filter(
        (other) =>
          other.names.indexOf(one) > other.names.indexOf(two) &&
          other.passive === clause.passive &&
          overlap(clause, other) >= 2 + Math.ceil(verb * SAME_SUBJECT),
      );
      return (
        verb > 0 && !isOneName(one, two, all) && both.length > 0 && swapped.length === both.length
      );
    }
    const has = ({ terms }: Clause): boolean => terms.has(one);
    const rival = ({ names }: Clause): boolean => names.length > 0;
    const terms = clause.terms.difference(new Set(clause.names));
    return terms.size > 0 && terms.size <= 2 && outdone({ ...clause, terms }, all, has, rival);
  });
}

/** Whether two words stand side by side as parts of one name. */
const isOneName = (one: string, two: string, clauses: readonly Clause[]): boolean =>
  clauses.some(({ names }) => names.some((name, i) => name === one && names[i + 1] === two));
