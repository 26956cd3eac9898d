import { anyWord, UNSPACED } from '../languages/index.ts';
import { decimalMark, plainDigits } from '../records/cells.ts';
import { findDates } from '../scope/dates.ts';
import { CODES, MEASURED, SPELLED, UNIT_OF } from '../text/measures.ts';

export interface Value {
  /** A family of units or another kind, or null for a bare number. A rate has the unit of 'a month'. */
  family: number | string | null;
  /** Possible meanings: 1200000 for 1.2 million, 3-5 and 5-3 for 03/05/2024, 2:30 and 14:30 for half past two. */
  keys: string[];
  /** Possible values without the scale, because a table may name 'millions' in its header only. */
  figures: string[];
}

const SCALES = ['thousand', 'million', 'billion', 'trillion'].map((name) => UNIT_OF.get(name));
const isScale = ({ family }: Value): boolean =>
  typeof family === 'number' && SCALES.includes(family);
const SHORT_SUMS: Readonly<Record<string, string>> = { m: 'million', b: 'billion', t: 'trillion' };

const isNumber = ({ family }: Value): boolean => typeof family !== 'string';

const share = (a: readonly string[], b: readonly string[]): boolean =>
  a.some((key) => b.includes(key));

/** Whether two values are equal. A bare number may have any unit, because a row names its unit elsewhere. */
export function isSame(a: Value, b: Value): boolean {
  if (a.family === b.family) return share(a.keys, b.keys);
  if (!isNumber(a) || !isNumber(b)) return false;
  if (a.family !== null && b.family !== null)
    return (isScale(a) || isScale(b)) && share(a.keys, b.keys);
  return share([...a.keys, ...a.figures], [...b.keys, ...b.figures]);
}

/** Whether one value contradicts the other. */
export function isRival(a: Value, b: Value): boolean {
  if (isSame(a, b)) return false;
  if (a.family === b.family || (isScale(a) && isScale(b))) return true;
  return isNumber(a) && isNumber(b) && share(a.figures, b.figures);
}

const UNIT_NAMES = [...UNIT_OF.keys()]
  .filter((name) => UNSPACED.test(name))
  .sort((a, b) => b.length - a.length);
const AMOUNT = new RegExp(
  String.raw`(?<sign>[€$£¥])?\s?(?<![\p{L}\p{N}.,]|\p{L}-)(?<number>\d+(?:[.,'’\u00a0\u202f]\d+)*|(?:${[...SPELLED.keys()].join('|')})(?!\p{L}))(?=(?:[\s\u00a0-]{0,2}(?<unit>%|°[CF]|[€$£¥]|${UNIT_NAMES.join('|')}|\p{L}+\.?))?)`,
  'giu',
);

function amountOf(groups: Readonly<Record<string, string | undefined>>): Value | null {
  const { sign = '', number = '', unit = '' } = groups;
  const after = unit.replace(/\.$/u, '').toLowerCase();
  // '$5m' are millions, '5 m' meters.
  const named = UNIT_OF.get(sign === '' ? after : (SHORT_SUMS[after] ?? after));
  const spelled = SPELLED.get(number.toLowerCase());
  const family = named ?? UNIT_OF.get(sign) ?? null;
  // 'One' is usually not a number.
  if (spelled !== undefined && Number(spelled) < 2 && family === null) return null;
  const figures = numberValues(spelled ?? number);
  const scale = named === undefined ? -1 : SCALES.indexOf(named);
  const scaled = Math.round(Number(figures[0]) * 1000 ** (scale + 1));
  return { family, keys: scale < 0 ? figures : [String(scaled)], figures };
}

const EACH = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?:${anyWord(({ each }) => each)})[\s\u00a0]|\/\s?)(?<unit>\p{L}+)`,
  'giu',
);
const PERIODS = new Map(MEASURED.flatMap(({ periods }) => Object.entries(periods ?? {})));

const TIME =
  /(?<![\d.:,])(?<hour>\d{1,2})(?:(?::|h(?=\d)|\.(?=\d{2}\s?(?:uhr|h|a\.?m|p\.?m)(?!\p{L})))(?<past>\d{2})(?![\d:])\s?(?<half>a\.?m|p\.?m)?|\s?(?<mark>a\.?m|p\.?m|uhr|h))(?![\p{L}\d])/giu;

/** Possible times of day. None for a duration. */
function timeKeys(groups: Readonly<Record<string, string | undefined>>): string[] {
  const { hour = '', past = '', half, mark = '' } = groups;
  const unit = (half ?? mark).toLowerCase();
  if (Number(hour) > 24 || Number(past) > 59 || (past === '' && unit === 'h')) return [];
  const early = Number(hour) % 12;
  const late = [`${early + 12}:${Number(past)}`];
  if (unit.startsWith('p')) return late;
  if (unit.startsWith('a')) return [`${early}:${Number(past)}`];
  // '2:30' may be in the afternoon. '02:30' and '14:30' are exact.
  const sure = Number(hour) > 12 || hour.startsWith('0') || unit !== '';
  return sure ? [`${Number(hour) % 24}:${Number(past)}`] : [`${early}:${Number(past)}`, ...late];
}

export function valuesOf(text: string): Value[] {
  const values: Value[] = [];
  const add = (family: Value['family'], keys: string[]): void =>
    void values.push({ family, keys, figures: [] });
  let rest = text.replace(GROUPED, (raw) => raw.replace(/\s/gu, ''));
  const dates = /\d/u.test(rest) ? findDates(rest, CODES) : [];
  for (const { start, end, year, months, day, swapped } of dates.toReversed()) {
    if (months === null || day === null) continue;
    const keys = [`${day}-${months[0]}`, ...(swapped ? [`${swapped.day}-${swapped.month}`] : [])];
    add('date', keys);
    rest = `${rest.slice(0, start)} ${year ?? ''} ${rest.slice(end)}`;
  }
  rest = rest.replace(TIME, (match: string, ...args) => {
    const keys = timeKeys(args.at(-1));
    if (keys.length > 0) add('time', keys);
    return keys.length > 0 ? ' ' : match;
  });
  for (const { groups = {} } of rest.matchAll(AMOUNT)) {
    const amount = amountOf(groups);
    if (amount !== null) values.push(amount);
  }
  const rates = [...rest.matchAll(EACH)].map(({ groups }) => groups?.['unit'] ?? '');
  const periods = (rest.toLowerCase().match(/\p{L}+/gu) ?? []).map(
    (word) => PERIODS.get(word) ?? '',
  );
  for (const name of [...rates, ...periods]) {
    const unit = UNIT_OF.get(name.toLowerCase());
    if (unit !== undefined) add('rate', [String(unit)]);
  }
  return values;
}

/** Possible values of a number. Two if its point may group or be decimal. */
function numberValues(raw: string): string[] {
  const decimal = decimalMark(raw);
  const values = (decimal === null ? (['.', ','] as const) : [decimal]).map((mark) => {
    const [integer = '', part = ''] = plainDigits(raw, mark).split('.');
    return [integer.replace(/^0+(?=\d)/u, ''), part.replace(/(?<!0)0+$/u, '')];
  });
  return [...new Set(values.map((parts) => parts.filter(Boolean).join('.')))];
}

const GROUPED = /(?<!\d)\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)/gu;
