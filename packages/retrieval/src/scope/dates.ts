import { calendarNames } from './months.ts';
import type { CalendarNames } from './months.ts';

/** A day of the calendar as one number: year · 10,000 + month · 100 + day. */
export type Day = number;

/** Days of the calendar, both ends included. */
export interface DateRange {
  from: Day;
  to: Day;
  grain: 'day' | 'month' | 'year';
  /** The year was not said: the same days of another year fit, too, but less. */
  openYear: boolean;
}

/** A date as a text writes it; what it leaves open is null. */
export interface DateMention {
  /** Offsets in the text. */
  start: number;
  end: number;
  year: number | null;
  /** The first and the last month, 1 to 12: several in a quarter or a season. */
  months: readonly [number, number] | null;
  day: number | null;
  /** How 03/04/2026 reads where the day stands first. */
  swapped?: { month: number; day: number };
}

const L = String.raw`(?<![\p{L}\p{N}])`;
const R = String.raw`(?![\p{L}\p{N}])`;
const YEAR = String.raw`(?:1[5-9]|20)\d\d`;
const BREAK = String.raw`[\s,_.-]`;
const OF = "(?:of |de |del |do |d['’]|di )?";
/** Halves and quarters of games and centuries are none of a year. */
const OF_NO_YEAR = String.raw`(?!\s(?:of|des|der|du|de|del)\s(?!${YEAR}|[^?.,]{0,20}(?:year|jahr|année|exercice|año|${YEAR})(?!\p{L}*hundert)))`;

/** Words for first to fourth before a word for a quarter; digits and I to IV stand for themselves. */
const ORDINALS: readonly RegExp[] = [
  /^(?:first|1st|erste[nsr]?|premier|1er|primer|первый|первом|первого|الأول|一|i)$/iu,
  /^(?:second|2nd|zweite[nsr]?|deuxième|2e|segundo|второй|втором|второго|الثاني|二|ii)$/iu,
  /^(?:third|3rd|dritte[nsr]?|troisième|3e|tercer|третий|третьем|третьего|الثالث|三|iii)$/iu,
  /^(?:fourth|4th|vierte[nsr]?|quatrième|4e|cuarto|четвертый|четвёртый|четвертом|четвёртом|الرابع|四|iv)$/iu,
];

const SEASONS: readonly [RegExp, readonly [number, number]][] = [
  [
    /^(?:spring|frühling|frühjahr|fruehling|printemps|primavera|весна|весной|весны|春|春天|الربيع)$/iu,
    [3, 5],
  ],
  [/^(?:summer|sommer|sommers|été|verano|лето|летом|лета|夏|夏天|الصيف)$/iu, [6, 8]],
  [/^(?:autumn|fall|herbst|automne|otoño|осень|осенью|осени|秋|秋天|الخريف)$/iu, [9, 11]],
  [/^(?:winter|winters|hiver|invierno|зима|зимой|зимы|冬|冬天|الشتاء)$/iu, [12, 2]],
];

/** English words that are mostly no month and no season: only where the words around them say so. */
const AMBIGUOUS = /^(?:may|march|fall|spring|summer|autumn|winter)$/iu;
const BEFORE_MONTH =
  /(?:^|[\s(])(?:in|of|from|since|until|till|by|this|last|next|during|for|early|late|mid|and|im|vom|von|seit|bis|letzten|en|de|le|les)(?: the)?[\s-]$/iu;
/** 'the fall of Rome', 'the Winter Palace', 'a summer school': no season. */
const BEHIND_NO_SEASON = /^ (?:of\s|\p{Lu}\p{Ll})/u;
/** Names of people, too. */
const PERSON = /^(?:April|May|June|August)$/u;
const BEFORE_PERSON =
  /(?:^|\s)(?:did|does|do|has|had|will|would|can|could|should|is|who is|with|Ms|Mrs|Miss|Mr)\.? $/iu;
const BEHIND_PERSON = /^ \p{Lu}\p{Ll}|^['’]s /u;
/** 'Theresa May'. */
const SURNAMES = /^(?:May|June)$/u;
const BEFORE_SURNAME = / \p{Lu}\p{Ll}+ $(?<=\p{L}[^.!?]* \p{Lu}\p{Ll}+ )/u;
/** Characters around a number that tell what it counts. */
const NEAR = 16;
/** What a number is no year and no day beside: an amount, a number of something. */
const BEFORE_NUMBER =
  /[$€£¥₽#№]\s?$|(?<!\p{L})(?:page|pages|p\.|code|number|no\.|nr\.|nummer|seite|room|zimmer|line|pin|version|artikel|article|abschnitt|section|kapitel|chapter|punkt|§|iso|din|route|model|approximately|exactly|nearly|almost|at least|at most) $/iu;
const BEHIND_NUMBER =
  /^(?:\s?(?:[$€£¥₽%°]|(?:[kcm]?m|km\/h|k?g|mg|kwh?|mw|gb|mb|kb|ml|hz|mhz|ghz|eur|usd|gbp|chf)(?![\p{L}\p{N}]))| (?:words|characters|euros?|dollars|pounds|francs|people|men|women|children|shares|meters|metres|feet|miles|kilomet(?:er|re)s|grams|kilograms|tons|tonnes|lit(?:er|re)s|hours|minutes|seconds|days|weeks|months|years|pages|items|copies|points|votes|troops|soldiers|employees|members|students|personen|menschen|meter|stunden|tage|jahre|stück)(?!\p{L}))/iu;

type Reader = (match: RegExpExecArray, names: CalendarNames, text: string) => Reading | null;
type Reading = Omit<DateMention, 'start' | 'end'>;

interface Pattern {
  pattern: RegExp;
  read: Reader;
}

const number = (text: string | undefined): number => Number(text ?? Number.NaN);
const isMonth = (month: number): boolean => month >= 1 && month <= 12;
/** Whether a month has such a day; without a year, in any. */
const isDay = (day: number, month: number, year: number | null): boolean =>
  day >= 1 && day <= new Date(Date.UTC(year ?? 2000, month, 0)).getUTCDate();
const yearOf = (text: string | undefined): number | null =>
  text === undefined ? null : text.length === 2 ? 2000 + Number(text) : Number(text);

function reading(year: number | null, month: number, day: number | null): Reading | null {
  if (!isMonth(month) || (day !== null && !isDay(day, month, year))) return null;
  return { year, months: [month, month], day };
}

/** 2026-03; but 2010-11 may as well be the two years from autumn to summer: all that is sure is a year. */
function readYearMonth([, year, month]: RegExpExecArray): Reading | null {
  const seasons = number(month) === (number(year) + 1) % 100;
  return seasons
    ? { year: number(year), months: null, day: null }
    : reading(number(year), number(month), null);
}

const isNumbered = (text: string, at: number): boolean =>
  BEFORE_NUMBER.test(text.slice(Math.max(0, at - NEAR), at));

function readYear(match: RegExpExecArray, _: CalendarNames, text: string): Reading | null {
  const { 0: year, index } = match;
  const amount =
    isNumbered(text, index) ||
    BEHIND_NUMBER.test(text.slice(index + year.length, index + year.length + NEAR));
  return amount ? null : { year: number(year), months: null, day: null };
}

/** 14.03.2026 begins with the day; 03/14/2026 and 14/03/2026 tell by their numbers which is which. */
function readNumeric(match: RegExpExecArray): Reading | null {
  const [, first, sign, second, year] = match;
  const [a, b] = [number(first), number(second)];
  const dayFirst = reading(yearOf(year), b, a);
  const monthFirst = reading(yearOf(year), a, b);
  if (sign === '.' || monthFirst === null) return dayFirst;
  return dayFirst === null || a === b
    ? monthFirst
    : { ...monthFirst, swapped: { month: b, day: a } };
}

const KANJI = '一二三四五六七八九十';

/** 三 and 十二 as well as 12. */
function readNumeral(text: string): number {
  if (!KANJI.includes(text.charAt(0))) return Number(text);
  if (text.length === 1) return KANJI.indexOf(text) + 1;
  return 10 + KANJI.indexOf(text.charAt(1)) + 1;
}

function readOrdinal(text: string): number {
  const digit = Number(text.replace(/[.º°]$/u, ''));
  return digit >= 1 && digit <= 4 ? digit : ORDINALS.findIndex((pattern) => pattern.test(text)) + 1;
}

function quarter(ordinal: string | undefined, year: string | undefined): Reading | null {
  const at = readOrdinal(ordinal ?? '');
  return at === 0 ? null : { year: yearOf(year), months: [at * 3 - 2, at * 3], day: null };
}

function readSeason(match: RegExpExecArray, _: CalendarNames, text: string): Reading | null {
  const [, word = '', year] = match;
  if (year === undefined && AMBIGUOUS.test(word)) {
    const behind = text.slice(match.index + match[0].length);
    if (!BEFORE_MONTH.test(text.slice(0, match.index)) || BEHIND_NO_SEASON.test(behind))
      return null;
  }
  const months = SEASONS.find(([pattern]) => pattern.test(word))?.[1];
  return months === undefined ? null : { year: yearOf(year), months, day: null };
}

function readBareMonth(match: RegExpExecArray, names: CalendarNames, text: string): Reading | null {
  const name = match[1] ?? '';
  const before = text.slice(0, match.index);
  const capital = /^\p{Lu}/u.test(name) && /\p{L},? $/u.test(before);
  if (AMBIGUOUS.test(name) && !capital && !BEFORE_MONTH.test(before)) return null;
  // The planet: French and Scandinavian months have small letters.
  if (name === 'Mars') return null;
  const behind = text.slice(match.index + match[0].length);
  if (PERSON.test(name) && (BEFORE_PERSON.test(before) || BEHIND_PERSON.test(behind))) return null;
  if (SURNAMES.test(name) && BEFORE_SURNAME.test(before)) return null;
  return reading(null, names.monthOf(name), null);
}

/** In the order in which they are tried: what one has read, the next ones leave alone. */
function makePatterns({ full, any }: CalendarNames): Pattern[] {
  const ordinals = ORDINALS.map(({ source }) => source.slice(4, -2)).join('|');
  const seasons = SEASONS.map(([{ source }]) => source.slice(4, -2)).join('|');
  const of = (source: string, read: Reader): Pattern => ({
    pattern: new RegExp(source, 'giu'),
    read,
  });
  return [
    of(
      String.raw`(?<![\d.])(\d{4})([-./_])(0?[1-9]|1[0-2])\2(0?[1-9]|[12]\d|3[01])(?!\d)`,
      ([, y, , m, d]) => reading(number(y), number(m), number(d)),
    ),
    of(String.raw`(?<![\d.])(${YEAR})[-/_](0[1-9]|1[0-2])(?![\d-])`, readYearMonth),
    of(
      String.raw`(?<!\d)((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)`,
      ([, y, m, d]) => reading(number(y), number(m), number(d)),
    ),
    of(String.raw`(?<![\d.])(\d{1,2})([./-])(\d{1,2})\2(${YEAR}|\d{2})(?!\d)`, readNumeric),
    of(String.raw`(?<![\d./-])(0?[1-9]|1[0-2])[./](${YEAR})(?!\d)`, ([, m, y]) =>
      reading(number(y), number(m), null),
    ),
    of(String.raw`(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.(?!\d)`, (match, _, text) =>
      isNumbered(text, match.index) ? null : reading(null, number(match[2]), number(match[1])),
    ),
    of(
      String.raw`(?<=(?<!\p{L})(?:on|since|from|until|by|before|after|le|du|el|del)\s(?:the\s)?)(\d{1,2})(\/)(\d{1,2})(?![\d/])`,
      readNumeric,
    ),
    of(
      String.raw`${L}(?:H([12])|(first|1st|second|2nd|erste[ns]?|zweite[ns]?|premier|deuxième|primer|segundo) (?:half|halbjahr|hälfte|semestre))${R}${OF_NO_YEAR}(?:[\s,]+${OF}(${YEAR})(?!\d))?`,
      ([, digit, word = '', y]) => {
        const second = digit === '2' || /^(?:second|2nd|zweite|deux|segundo)/iu.test(word);
        return { year: yearOf(y), months: second ? [7, 12] : [1, 6], day: null };
      },
    ),
    of(
      String.raw`(?:(\d{4})[年년]\s?)?(\d{1,2}|十[一二]?|[${KANJI}])[月월](?![曜光球])(?:\s?(\d{1,2})[日号일])?`,
      ([, y, m = '', d]) => reading(yearOf(y), readNumeral(m), d === undefined ? null : number(d)),
    ),
    of(String.raw`(\d{4})[年년]`, ([, y]) => ({ year: number(y), months: null, day: null })),
    of(
      String.raw`(?<!\d)(\d{1,2})(?:\.|st|nd|rd|th|er|º|ª|-?го)?[\s_-]*${OF}(${any})(?!\p{L})\.?(?:${BREAK}+${OF}(${YEAR})(?!\d))?`,
      ([, d, name = '', y], names) => reading(yearOf(y), names.monthOf(name), number(d)),
    ),
    of(
      String.raw`${L}(${any})(?!\p{L})\.?[\s_-]+(\d{1,2})(?:st|nd|rd|th)?(?![\p{N}:])(?:,?[\s_-]+(${YEAR})(?!\d))?`,
      ([, name = '', d, y], names) => reading(yearOf(y), names.monthOf(name), number(d)),
    ),
    of(
      String.raw`${L}(${any})(?!\p{L})\.?${BREAK}*${OF}(${YEAR})(?!\d)`,
      ([, name = '', y], names) => reading(number(y), names.monthOf(name), null),
    ),
    of(String.raw`${L}[QT]([1-4])${R}(?:[\s/_-]*(${YEAR})(?!\d))?`, ([, q, y]) => quarter(q, y)),
    of(String.raw`(?<!\d)(${YEAR})[\s/_-]*Q([1-4])${R}`, ([, y, q]) => quarter(q, y)),
    of(
      String.raw`${L}(${ordinals}|[1-4][.º]?)[\s-]+(?:quarter|quartals?|trimestre|квартал\p{L}?)${R}${OF_NO_YEAR}(?:[\s,]+${OF}(${YEAR})(?!\d))?`,
      ([, q, y]) => quarter(q, y),
    ),
    of(String.raw`第([1-4一二三四])(?:四半期|季度)|الربع (\p{L}+)`, ([, q, arabic]) =>
      quarter(q ?? arabic, undefined),
    ),
    of(String.raw`${L}(${seasons})${R}(?:\s+${OF}(${YEAR})(?!\d))?`, readSeason),
    of('([春夏秋冬])(?![菊眠至巻刊])', readSeason),
    of(String.raw`${L}(?:[وبل])?(${full})${R}`, readBareMonth),
    of(String.raw`(?<![\p{N}.,/:-])(${YEAR})(?![\p{N}/:]|[.,-]\d|['’]?s(?!\p{L}))`, readYear),
  ];
}

const patternsOf = new WeakMap<CalendarNames, Pattern[]>();

/** The dates that a text names, in its order. */
export function findDates(text: string, languages: readonly string[]): DateMention[] {
  const names = calendarNames(languages);
  let patterns = patternsOf.get(names);
  if (patterns === undefined) {
    patterns = makePatterns(names);
    patternsOf.set(names, patterns);
  }
  const found: DateMention[] = [];
  for (const { pattern, read } of patterns) {
    for (const match of text.matchAll(pattern)) {
      const start = match.index;
      const end = start + match[0].length;
      if (found.some((other) => start < other.end && other.start < end)) continue;
      const mention = read(match, names, text);
      if (mention !== null) found.push({ ...mention, start, end });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}
