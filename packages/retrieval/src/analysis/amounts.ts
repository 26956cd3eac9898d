/** What counts as one unit when two numbers are compared. */
const UNITS: readonly (readonly string[])[] = [
  ['second', 'seconds', 'sec', 's', 'sekunde', 'sekunden', 'secondes'],
  ['minute', 'minutes', 'min', 'mins', 'minuten', 'minutos', 'minuti', '分钟'],
  [
    'hour',
    'hours',
    'h',
    'hr',
    'hrs',
    'stunde',
    'stunden',
    'std',
    'heure',
    'heures',
    'hora',
    'horas',
    'ore',
    '小时',
    '時間',
  ],
  [
    'day',
    'days',
    'tag',
    'tage',
    'tagen',
    'jour',
    'jours',
    'día',
    'días',
    'giorni',
    'giorno',
    '天',
    '日',
  ],
  [
    'week',
    'weeks',
    'woche',
    'wochen',
    'semaine',
    'semaines',
    'semana',
    'semanas',
    'settimane',
    '周',
    '週間',
  ],
  [
    'month',
    'months',
    'monat',
    'monate',
    'monaten',
    'mois',
    'mes',
    'meses',
    'mesi',
    'mese',
    '个月',
    'ヶ月',
    'か月',
  ],
  ['quarter', 'quarters', 'quartal', 'quartale'],
  [
    'year',
    'years',
    'jahr',
    'jahre',
    'jahren',
    'ans',
    'année',
    'années',
    'año',
    'años',
    'anni',
    '年',
  ],
  ['thousand', 'tausend', 'mille', 'mil', 'k'],
  ['million', 'millions', 'mio', 'millionen', 'mn', 'millones', 'milioni'],
  ['billion', 'billions', 'bn', 'mrd', 'milliarde', 'milliarden', 'milliards', 'miliardi'],
  ['trillion', 'trillions', 'billionen'],
  ['percent', '%', 'prozent', 'pourcent', 'pct', 'per cent'],
  ['mm', 'millimetre', 'millimetres', 'millimeter', 'millimeters'],
  ['cm', 'centimetre', 'centimetres', 'centimeter', 'centimeters', 'zentimeter'],
  ['m', 'metre', 'metres', 'meter', 'meters', 'mètres'],
  ['km', 'kilometre', 'kilometres', 'kilometer', 'kilometers', 'kilomètres', '公里'],
  ['mile', 'miles', 'mi', 'meilen'],
  ['foot', 'feet', 'ft'],
  ['inch', 'inches'],
  ['mg', 'milligram', 'milligrams'],
  ['g', 'gram', 'grams', 'gramm', 'grammes'],
  ['kg', 'kilo', 'kilos', 'kilogram', 'kilograms', 'kilogramm', '公斤'],
  ['t', 'ton', 'tons', 'tonne', 'tonnes', 'tonnen'],
  ['lb', 'lbs'],
  ['ml', 'millilitre', 'millilitres', 'milliliter'],
  ['l', 'litre', 'litres', 'liter', 'liters', 'litros', 'litri'],
  ['kb'],
  ['mb', 'megabyte', 'megabytes'],
  ['gb', 'gigabyte', 'gigabytes'],
  ['tb', 'terabyte', 'terabytes'],
  ['w', 'watt', 'watts'],
  ['kw', 'kilowatt', 'kilowatts'],
  ['kwh'],
  ['v', 'volt', 'volts'],
  ['°c', 'celsius'],
  ['°f', 'fahrenheit'],
  ['eur', '€', 'euro', 'euros'],
  ['usd', '$', 'dollar', 'dollars', 'dólares', 'dollari'],
  ['gbp', '£', 'pound', 'pounds'],
  ['chf', 'franken', 'francs'],
  ['cny', '元', 'yuan', 'rmb'],
  ['jpy', '¥', 'yen', '円'],
];
const SCALES: ReadonlySet<string> = new Set(['thousand', 'million', 'billion', 'trillion']);
const isScale = (unit: number | null): boolean =>
  unit !== null && SCALES.has(UNITS[unit]?.[0] ?? '');

/** Whether two amounts may stand in each other's place: months and months, millions and billions. */
export const isSameKind = (one: Amount, other: Amount): boolean =>
  one.unit === other.unit || (isScale(one.unit) && isScale(other.unit));

export const UNIT_OF = new Map(
  UNITS.flatMap((names, unit) => names.map((name) => [name, unit] as const)),
);

/** Months by their names in six languages, from 1. */
export const MONTHS = new Map(
  [
    'january jan januar jänner janvier enero gennaio',
    'february feb februar février febrero febbraio',
    'march mar märz mars marzo',
    'april apr avril abril aprile',
    'may mai mayo maggio',
    'june jun juni juin junio giugno',
    'july jul juli juillet julio luglio',
    'august aug août agosto',
    'september sept sep septembre septiembre settembre',
    'october oct oktober okt octobre octubre ottobre',
    'november nov novembre noviembre',
    'december dec dezember dez décembre diciembre dicembre',
  ].flatMap((names, month) => names.split(' ').map((name) => [name, month + 1] as const)),
);

const AMOUNT =
  /(?<sign>[€$£¥])?\s?(?<![\p{L}\p{N}.,-])(?<number>\d+(?:[.,'’\u00a0\u202f]\d+)*)(?:[\s\u00a0-]{0,2}(?<unit>%|°[CF]|[€$£¥円元年天日周]|个月|ヶ月|か月|小时|時間|分钟|公里|公斤|週間|\p{L}+\.?))?/gu;
/** Numbers in words, without those that are common words of another language ('due', 'once', 'sei'). */
export const SPELLED = new Map(
  [
    `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty`,
    'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf',
    '- - deux trois quatre cinq six - huit neuf dix onze douze',
    '- - dos tres cuatro cinco seis siete ocho nueve diez - doce',
    '- - - tre quattro cinque - sette otto nove dieci undici dodici',
    'ноль один два три четыре пять шесть семь восемь девять десять',
  ].flatMap((names) =>
    names
      .split(/\s+/u)
      .map((name, value) => [name, String(value)] as const)
      .filter(([name]) => name !== '-'),
  ),
);

const SHORT_SUMS: Readonly<Record<string, string>> = { m: 'million', b: 'billion', t: 'trillion' };

export interface Amount {
  /** Digits alone, without what groups or divides them. */
  digits: string;
  /** Its family of units; null where none is known. */
  unit: number | null;
}

const digitsOf = (number: string): string =>
  number
    .replace(/[.,]0{1,2}$/u, '')
    .replace(/\D/gu, '')
    .replace(/^0+(?=\d)/u, '');

export function amountsOf(text: string): Amount[] {
  const plain = text.replace(/\p{L}+/gu, (name) => SPELLED.get(name.toLowerCase()) ?? name);
  return [...plain.matchAll(AMOUNT)].map(({ groups }) => {
    const after = (groups?.['unit'] ?? '').replace(/\.$/u, '').toLowerCase();
    const sign = groups?.['sign'];
    // '$5m' are millions, '5 m' metres.
    const name = sign === undefined ? after : (SHORT_SUMS[after] ?? after);
    const unit = UNIT_OF.get(name) ?? UNIT_OF.get(sign ?? '') ?? null;
    return { digits: digitsOf(groups?.['number'] ?? ''), unit };
  });
}

const EACH =
  /(?<![\p{L}\p{N}])(?:(?:per|a|an|each|every|pro|je|jede[nrs]?|im|par|por|al|alla)[\s\u00a0]|\/\s?)(?<unit>\p{L}+)/giu;
const PERIODS = new Map(
  Object.entries({
    hourly: 'hour',
    daily: 'day',
    weekly: 'week',
    monthly: 'month',
    quarterly: 'quarter',
    yearly: 'year',
    annual: 'year',
    annually: 'year',
    täglich: 'tag',
    wöchentlich: 'woche',
    monatlich: 'monat',
    jährlich: 'jahr',
  }),
);

/** The families of units of which something is said for each: of the week in '20 cents a week'. */
export function ratesOf(text: string): Set<number> {
  const names = [
    ...[...text.matchAll(EACH)].map(({ groups }) => groups?.['unit'] ?? ''),
    ...(text.match(/\p{L}+/gu) ?? []).map((name) => PERIODS.get(name.toLowerCase()) ?? ''),
  ];
  return new Set(names.flatMap((name) => UNIT_OF.get(name.toLowerCase()) ?? []));
}

const MONTH_NAMES = [...MONTHS.keys()].join('|');
const DAY_FIRST = new RegExp(
  String.raw`(?<!\p{N})(\d{1,2})(?:st|nd|rd|th|er|º)?\.?\s+(?:of |de |di )?(${MONTH_NAMES})(?!\p{L})`,
  'giu',
);
const MONTH_FIRST = new RegExp(
  String.raw`(?<!\p{L})(${MONTH_NAMES})\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?![\p{N}])`,
  'giu',
);

/** Days of months, such as '3-5' for 3 May, under each reading of a date in figures. */
export function daysOf(text: string): Set<string> {
  const days = new Set<string>();
  const add = (day: string, month: number): void => void days.add(`${Number(day)}-${month}`);
  for (const [, day = '', name = ''] of text.matchAll(DAY_FIRST))
    add(day, MONTHS.get(name.toLowerCase()) ?? 0);
  for (const [, name = '', day = ''] of text.matchAll(MONTH_FIRST))
    add(day, MONTHS.get(name.toLowerCase()) ?? 0);
  for (const [, month = '', day = ''] of text.matchAll(/(?<!\d)\d{4}-(\d{2})-(\d{2})(?!\d)/gu))
    add(day, Number(month));
  for (const [, one = '', two = ''] of text.matchAll(
    /(?<![\d.,/])(\d{1,2})[./](\d{1,2})[./](?:\d{4}|\d{2})(?!\d)/gu,
  )) {
    add(one, Number(two));
    add(two, Number(one));
  }
  // '12.03.' without a year is written so in German.
  for (const [, day = '', month = ''] of text.matchAll(
    /(?<![\d.])(\d{1,2})\.\s?(0?[1-9]|1[0-2])\.(?!\s?\d)/gu,
  ))
    add(day, Number(month));
  for (const [, month = '', day = ''] of text.matchAll(/(\d{1,2})月(\d{1,2})日/gu))
    add(day, Number(month));
  return days;
}

/** The spellings under which a number is looked up; both where a point may group or divide. */
export function numberValues(raw: string): string[] {
  const values: string[] = [];
  if (/^\d{1,3}(?:[,'’ \u00a0\u202f]\d{3})+(?:\.\d+)?$/u.test(raw)) {
    values.push(raw.replace(/[^\d.]/gu, ''));
  }
  if (/^\d{1,3}(?:[. \u00a0\u202f]\d{3})+(?:,\d+)?$/u.test(raw)) {
    values.push(raw.replace(/[^\d,]/gu, '').replace(',', '.'));
  }
  if (/^\d+(?:[.,]\d+)?$/u.test(raw)) values.push(raw.replace(',', '.'));
  if (values.length === 0) values.push(raw);
  return values.map((value) => {
    const plain = /^\d+\.\d+$/u.test(value) ? value.replace(/\.0+$|(?<!0)0+$/u, '') : value;
    return plain.replace(/^0+(?=\d)/u, '');
  });
}

export const NUMBER = /\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?![\d])|\d+(?:[.,'’]\d+)*/gu;

/** A month is no amount: 'August' does not hold eight hours, but does hold 2024-08. */
export const monthValue = (month: number): string => `month ${month}`;

const TIME =
  /(?<![\d.:])(\d{1,2})(?::|\.(?=\d{2}\s?(?:uhr|h|a\.?m|p\.?m)(?!\p{L})))(\d{2})(?![\d:])/giu;

/** All numbers of a text, each in its spellings. */
export function numbersOf(text: string): Set<string> {
  const numbers = new Set<string>();
  for (const [raw] of text.matchAll(NUMBER)) {
    for (const value of numberValues(raw)) numbers.add(value);
    // 01.05.2024 and 1.2.3 are found by their parts, 1,800 only as a whole.
    if (/[.,]\d+[.,]/u.test(raw) && !/[.,]\d{3}[.,]/u.test(raw)) {
      for (const part of raw.match(/\d+/gu) ?? []) numbers.add(part.replace(/^0+(?=\d)/u, ''));
    }
  }
  // A day may be written '12.03.' as well as '12 March', an hour '9.30 Uhr' as well as '9:30'.
  for (const [day = '', month = ''] of [...daysOf(text)].map((date) => date.split('-'))) {
    for (const value of [`${day}.${month}`, `${day}.${month.padStart(2, '0')}`]) numbers.add(value);
    for (const value of [day, monthValue(Number(month))]) numbers.add(value);
  }
  for (const [, hour = '', minute = ''] of text.matchAll(TIME)) {
    const values = [...numberValues(`${hour}.${minute}`), ...numberValues(hour)];
    for (const value of [...values, ...numberValues(minute)]) numbers.add(value);
  }
  return numbers;
}
