import { addDays, dayAfter, dayOf, rangeOf, weekdayOf } from './calendar.ts';
import { findDates } from './dates.ts';
import type { DateRange, Day } from './dates.ts';
import { calendarNames } from './months.ts';
import type { CalendarNames } from './months.ts';

/** What a question says of time, and the days it means. */
export interface DateReference {
  /** Offsets in the question. */
  start: number;
  end: number;
  range: DateRange;
  /** Told from the day it is asked on: 'last week' stands in no file. */
  relative: boolean;
  /** A stretch between two days, one of them perhaps today or any: no date that a file would name. */
  open: boolean;
  /** A day of the week: unlike 'last week' a word that stands in files. */
  weekday?: boolean;
}

type Unit = 'day' | 'week' | 'month' | 'year';
type Resolve = (today: Day, match: RegExpMatchArray) => DateRange | null;

const L = String.raw`(?<![\p{L}\p{N}])`;
const R = String.raw`(?![\p{L}\p{N}])`;

const UNITS: Readonly<Record<Unit, string>> = {
  day: 'days?|tagen?|jours?|días?|dias?|дн[яей]{1,2}|день|giorni|dagen|أيام|يوم|日|天',
  week: 'weeks?|wochen?|semaines?|semanas?|недел[юиья]|недель|settimane?|weken|أسابيع|أسبوع|週間|周|星期|个星期',
  month:
    'months?|monate?n?|mois|mes(?:es)?|месяц(?:а|ев)?|mesi|maanden|أشهر|شهور|شهر|か月|ヶ月|カ月|个月',
  year: 'years?|jahre?n?|ans?|années?|años?|год[а]?|лет|anni|jaar|سنوات|سنة|年',
};

/** The unit's last whole one, and the one it is now, in words of one piece. */
const LAST: Readonly<Record<Unit, string>> = {
  day: 'yesterday|gestern|ayer|вчера|ieri|ontem|gisteren|أمس|البارحة|昨日|きのう|昨天',
  week: '(?:last|past|previous) week|(?:letzte|vorige|vergangene)[nrs]? woche|(?:la )?semaine (?:dernière|passée|précédente)|(?:la )?semana pasada|прошл(?:ой|ую) недел[еию]|(?:la )?settimana scorsa|vorige week|الأسبوع الماضي|先週|上个?周|上个?星期|上个?礼拜',
  month:
    '(?:last|past|previous) month|(?:letzte|vorige|vergangene)[nsm]? monats?|(?:le )?mois (?:dernier|passé|précédent)|(?:el )?mes pasado|прошл(?:ом|ый|ого) месяц[еа]?|(?:il )?mese scorso|mês passado|vorige maand|الشهر الماضي|先月|上个?月',
  year: "(?:last|past|previous) year|(?:letzte|vorige|vergangene)[ns]? jahr(?:es)?|(?:l['’])?(?:année|an) (?:dernière|dernier|passée?)|(?:el )?año pasado|прошл(?:ом|ый|ого) год[уа]?|(?:l['’])?anno scorso|ano passado|vorig jaar|(?:السنة الماضية|العام الماضي)|去年|昨年",
};
const THIS: Readonly<Record<Unit, string>> = {
  day: "today|this (?:morning|afternoon|evening)|tonight|heute|aujourd['’]hui|hoy|сегодня|oggi|hoje|vandaag|اليوم|今日|今天",
  week: 'this week|diese[rn]? woche|cette semaine|esta semana|(?:на )?этой неделе|questa settimana|deze week|هذا الأسبوع|今週|这周|本周|这个星期',
  month:
    'this month|diese[nsm]? monats?|ce mois(?:-ci)?|este mes|этом месяце|questo mese|deze maand|هذا الشهر|今月|这个月|本月',
  year: "this year|diese[ns]? jahr(?:es)?|cette année|este año|этом году|quest['’]anno|dit jaar|هذا العام|هذه السنة|今年",
};
const WEEKEND =
  '(?:the )?(?:last|past) weekend|(?<=(?:over|from|of|during|since|on|at) )the weekend|(?:letzte[sn]?|vergangene[sn]?) wochenende|week-end dernier|fin de semana(?: pasado)?|прошлых выходных|先週末|上周末';
/** 'hier' is 'here' in German, and 'yesterday' in French. */
const GERMAN =
  /(?<!\p{L})(?:der|die|das|den|dem|ist|sind|was|wer|wie|wo|gibt|es|ich|wir|und)(?!\p{L})/iu;
const BEFORE_LAST_DAY =
  'the day before yesterday|day before yesterday|vorgestern|avant-hier|anteayer|antes de ayer|позавчера|أول أمس|一昨日|おととい|前天';

const NUMBERS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  ten: 10,
  einem: 1,
  einer: 1,
  zwei: 2,
  drei: 3,
  vier: 4,
  deux: 2,
  trois: 3,
  dos: 2,
  tres: 3,
  два: 2,
  две: 2,
  три: 3,
};
const NUMBER = String.raw`(?<n>\d{1,3}|${Object.keys(NUMBERS).join('|')})`;

function spanning(from: Day, to: Day): DateRange {
  return { from, to, grain: 'day', openYear: false };
}

/** The whole unit that began so many units before the one it is now. */
function unitBack(today: Day, unit: Unit, back: number): DateRange {
  const [year, month] = [Math.floor(today / 10_000), Math.floor(today / 100) % 100];
  if (unit === 'day') return spanning(addDays(today, -back), addDays(today, -back));
  if (unit === 'week') {
    const monday = addDays(today, -((weekdayOf(today) + 6) % 7) - 7 * back);
    return spanning(monday, addDays(monday, 6));
  }
  if (unit === 'year') {
    const own = year - back;
    return { from: dayOf(own, 1, 1), to: dayOf(own, 12, 31), grain: 'year', openYear: false };
  }
  const months = year * 12 + month - 1 - back;
  const [y, m] = [Math.floor(months / 12), (months % 12) + 1];
  return { from: dayOf(y, m, 1), to: dayOf(y, m, 31), grain: 'month', openYear: false };
}

/** The last Saturday and Sunday that have begun. */
function lastWeekend(today: Day): DateRange {
  const saturday = addDays(today, -((weekdayOf(today) + 1) % 7));
  return spanning(saturday, addDays(saturday, 1));
}

const DAYS: Readonly<Record<Unit, number>> = { day: 1, week: 7, month: 30, year: 365 };

const amountOf = ({ groups }: RegExpMatchArray): number =>
  Number(NUMBERS[(groups?.['n'] ?? '').toLowerCase()] ?? groups?.['n']);

function ago(unit: Unit): Resolve {
  return (today, match) => {
    const amount = amountOf(match);
    return unit === 'week'
      ? spanning(addDays(today, -7 * amount - 3), addDays(today, -7 * amount + 3))
      : unitBack(today, unit, amount);
  };
}

function lastSome(unit: Unit): Resolve {
  return (today, match) => spanning(addDays(today, -DAYS[unit] * amountOf(match)), today);
}

function makePatterns(): [RegExp, Resolve][] {
  const words = (source: string): RegExp => new RegExp(`${L}(?:${source})${R}`, 'giu');
  // Words that no space parts from what follows.
  const piece = (source: string): string =>
    source
      .split('|')
      .filter((word) => /[\p{Script=Han}\p{Script=Hiragana}]/u.test(word))
      .join('|');
  const patterns: [RegExp, Resolve][] = [
    [words(BEFORE_LAST_DAY), (today) => unitBack(today, 'day', 2)],
    [
      words('hier'),
      (today, { input }) => (GERMAN.test(input ?? '') ? null : unitBack(today, 'day', 1)),
    ],
  ];
  const add = (source: string, resolve: Resolve): void => {
    patterns.push([words(source), resolve]);
    const joined = piece(source);
    if (joined !== '') patterns.push([new RegExp(joined, 'giu'), resolve]);
  };
  add(WEEKEND, lastWeekend);
  for (const unit of ['day', 'week', 'month', 'year'] as const) {
    add(LAST[unit], (today) => unitBack(today, unit, 1));
    add(THIS[unit], (today) => unitBack(today, unit, 0));
    const some = `${NUMBER}\\s?(?:${UNITS[unit]})`;
    patterns.push(
      [words(`${some} ago|(?:vor|il y a|hace|قبل) ${some}|${some} назад`), ago(unit)],
      [new RegExp(`${NUMBER}(?:${UNITS[unit]})前`, 'giu'), ago(unit)],
      [
        words(
          `(?:the )?(?:last|past|letzten|vergangenen|últim[oa]s|последни[ехй]|آخر) ${some}|(?:les )?${NUMBER} derni(?:er|ère)s (?:${UNITS[unit]})`,
        ),
        lastSome(unit),
      ],
      [new RegExp(`(?:過去|最近)${NUMBER}(?:${UNITS[unit]})`, 'giu'), lastSome(unit)],
    );
  }
  return patterns;
}

let patterns: [RegExp, Resolve][] | undefined;

const LAST_WORD = /(?:last|letzte[nsr]?|vorige[nsr]?|vergangene[nsr]?|прошл\p{L}{1,3}|vorige)\s$/iu;

/** What is so on every one of these days: 'Is the library open on Sunday?' */
const HABIT =
  /(?<!\p{L})(?:is|are|does|do|can|may|must|should|open|closed|ist|sind|hat|kann|darf|muss|geöffnet|geschlossen)(?!\p{L})/iu;
const PAST =
  /(?<!\p{L})(?:was(?! (?:ist|sind|hat|kann|darf|muss|gibt|macht|kostet|steht)(?!\p{L}))|were|did|had|have|has|(?:i|we) \p{L}{2,}ed|war|waren|wurden?|habe|haben)(?!\p{L})/iu;

/** 'Bloody Sunday', 'Monday Night Football': a capital beside a day's makes a name of both. */
function isInName(text: string, start: number, end: number): boolean {
  return (
    /^\p{Lu}\p{Ll}+day$/u.test(text.slice(start, end)) &&
    (/^ \p{Lu}\p{Ll}/u.test(text.slice(end)) ||
      / \p{Lu}\p{Ll}+ $(?<=\p{L}[^.!?]* \p{Lu}\p{Ll}+ )/u.test(text.slice(0, start)))
  );
}

/** A day of the week is the last one; on that day itself, today. */
function findWeekdays(text: string, languages: readonly string[], today: Day): DateReference[] {
  const { weekday, weekdayOf: dayNamed } = calendarNames(languages);
  const found: DateReference[] = [];
  const habit = HABIT.test(text) && !PAST.test(text);
  for (const match of text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}])(?:${weekday})`, 'giu'))) {
    const [name] = match;
    const end = match.index + name.length;
    // Scripts with spaces have more letters after some other word.
    if (/^\p{L}/u.test(text.slice(end)) && !/\p{Script=Han}/u.test(name)) continue;
    const last = LAST_WORD.exec(text.slice(0, match.index))?.[0] ?? '';
    if (last === '' && (habit || isInName(text, match.index, end))) continue;
    const back = (weekdayOf(today) - dayNamed(name) + 7) % 7;
    const day = addDays(today, -(back === 0 && last !== '' ? 7 : back));
    found.push({
      start: match.index - last.length,
      end,
      range: spanning(day, day),
      relative: true,
      open: false,
      weekday: last === '',
    });
  }
  return found;
}

function findRelative(text: string, today: Day): DateReference[] {
  patterns ??= makePatterns();
  return patterns.flatMap(([pattern, resolve]) =>
    [...text.matchAll(pattern)].flatMap((match): DateReference[] => {
      const range = resolve(today, match);
      const start = match.index;
      const end = start + match[0].length;
      return range === null ? [] : [{ start, end, range, relative: true, open: false }];
    }),
  );
}

/** Months and seasons of a year that is named beside them: 'March last year', '去年の夏'. */
const NEAR = 6;

function withYears(references: readonly DateReference[]): DateReference[] {
  const result: DateReference[] = [];
  for (const reference of references) {
    const before = result.at(-1);
    const pair = before === undefined ? [] : [before, reference];
    const year = pair.find(({ range, relative }) => relative && range.grain === 'year')?.range;
    const months = pair.find(({ range }) => range.openYear)?.range;
    const near = before !== undefined && reference.start - before.end <= NEAR;
    if (before === undefined || year === undefined || months === undefined || !near) {
      result.push(reference);
      continue;
    }
    const shift = Math.floor(year.from / 10_000) - Math.floor(months.from / 10_000);
    const moved = { from: months.from + shift * 10_000, to: months.to + shift * 10_000 };
    const range: DateRange = { ...moved, grain: months.grain, openYear: false };
    result[result.length - 1] = { ...before, end: reference.end, range, relative: false };
  }
  return result;
}

/** A word that makes a stretch of time of what follows, and one that joins its two ends. */
const BEFORE = /(?<![\p{L}\p{N}])(?:before|prior to|vor(?: dem)?|avant(?: le)?|antes del?|до)\s$/iu;
const AFTER = /(?<![\p{L}\p{N}])(?:after|nach(?: dem)?|après(?: le)?|después del?|после)\s$/iu;
const FROM =
  /(?<![\p{L}\p{N}])(?:between|from|zwischen(?: dem)?|vom?|entre(?: le| el)?|du|del?|с|от)\s$/iu;
const TO =
  /^\s*(?:and|to|until|till|und|bis(?: zum)?|et|au|y|al?|и|по|до|[-–~〜])\s*(?:the |dem |le |el )?$/iu;
/** 'between 1 and 10 October': a day whose month stands with the other one. */
const FIRST_DAY =
  /(?<![\p{L}\p{N}])(?:between|from|zwischen(?: dem)?|vom?|entre(?: le| el)?|du|del?|с)\s(?:the )?(\d{1,2})(?:\.|st|nd|rd|th)?\s?(?:and|to|und|bis(?: zum)?|et|au|y|al?|и|по|[-–])\s(?:the |dem |le |el )?$/iu;
const EVER: Day = 19_700_101;

const stretch = (reference: DateReference, start: number, from: Day, to: Day): DateReference => ({
  ...reference,
  start,
  open: true,
  range: { from, to: Math.max(from, to), grain: 'day', openYear: false },
});

/** Joins the ends of stretches of time, and gives 'before', 'after' and 'since' their other end. */
function withStretches(
  text: string,
  references: readonly DateReference[],
  today: Day,
): DateReference[] {
  const result: DateReference[] = [];
  for (const reference of references) {
    const { range, start } = reference;
    const before = text.slice(0, start);
    const other = result.at(-1);
    const joined = other && TO.test(text.slice(other.end, start)) ? other : null;
    const head = (pattern: RegExp): number => start - (pattern.exec(before)?.[0].length ?? 0);
    const first = range.grain === 'day' ? FIRST_DAY.exec(before) : null;
    if (joined && FROM.test(text.slice(0, joined.start))) {
      const from = head(FROM);
      result[result.length - 1] = stretch(
        reference,
        Math.min(joined.start, from),
        joined.range.from,
        range.to,
      );
    } else if (first !== null) {
      const from = Math.floor(range.from / 100) * 100 + Number(first[1]);
      result.push(stretch(reference, first.index, from, range.to));
    } else if (SINCE.test(before) || SINCE_AFTER.test(text.slice(reference.end))) {
      result.push(stretch(reference, head(SINCE), range.from, today));
    } else if (BEFORE.test(before)) {
      result.push(stretch(reference, head(BEFORE), EVER, addDays(range.from, -1)));
    } else if (AFTER.test(before)) {
      result.push(stretch(reference, head(AFTER), dayAfter(range.to), today));
    } else result.push(reference);
  }
  return result;
}

const SINCE = /(?:since|seit(?: dem)?|depuis|desde(?: el)?|(?<!\p{L})со?|منذ)\s$/iu;
const SINCE_AFTER = /^(?:から|以来|以降|以来)/u;

/** What a question says of time, in its order; `today` is the day it is asked on. */
export function readDates(
  text: string,
  languages: readonly string[],
  today: () => Day,
): DateReference[] {
  if (!mayNameTime(text, languages)) return [];
  const now = today();
  const found: DateReference[] = [];
  const absolute = findDates(text, languages).map((mention): DateReference => ({
    start: mention.start,
    end: mention.end,
    range: rangeOf(mention, now),
    relative: false,
    open: false,
  }));
  const days = findWeekdays(text, languages, now);
  for (const reference of [...findRelative(text, now), ...absolute, ...days]) {
    const { start, end } = reference;
    if (!found.some((other) => start < other.end && other.start < end)) found.push(reference);
  }
  found.sort((a, b) => a.start - b.start);
  return withStretches(text, withYears(found), now);
}

const OTHER_HINTS =
  'ago|last|past|before|after|between|weekend|wochenende|zwischen|letzte|vergangene|vor |dernier|últim|hace|il y a|назад|последн|قبل|آخر|前|過去|最近|quarter|quartal|trimestre|квартал|四半期|季度|الربع|spring|summer|autumn|fall|winter|frühling|frühjahr|sommer|herbst|printemps|été|automne|hiver|primavera|verano|otoño|invierno|весн|лет[оа]|осен|зим|春|夏|秋|冬|月|الربيع|الصيف|الخريف|الشتاء';

const UNSPACED_OR_ARABIC =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}\p{Script=Arabic}][\p{L} ?]*$/u;

const hints = new WeakMap<CalendarNames, RegExp>();

/** Whether a text may say something of time; most questions do not, which is told at little cost. */
function mayNameTime(text: string, languages: readonly string[]): boolean {
  if (/\d/u.test(text)) return true;
  const names = calendarNames(languages);
  let pattern = hints.get(names);
  if (pattern === undefined) {
    const { any, weekday } = names;
    const words = [...Object.values(LAST), ...Object.values(THIS), BEFORE_LAST_DAY, 'hier'].join(
      '|',
    );
    // Only where a word begins, which is soon told; unspaced scripts and prefixes hide beginnings.
    const begun = `${any}|${weekday}|${words}|${OTHER_HINTS}`;
    const hidden = begun.split('|').filter((word) => UNSPACED_OR_ARABIC.test(word));
    pattern = new RegExp(`${L}(?:${begun})|${hidden.join('|')}`, 'iu');
    hints.set(names, pattern);
  }
  return pattern.test(text);
}
