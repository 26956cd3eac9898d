import { amountsOf, daysOf, isSameKind, timesOf } from '../analysis/amounts.ts';

/** A value of a text in the role in which it stands there. */
export interface Value {
  /** What it is a number of: a family of units, days of months, times of day; null for a bare number. */
  family: number | 'day' | 'time' | null;
  /** Its digits; of a day each reading of it, such as '3-5' for 3 May; of a time its minutes. */
  keys: string[];
}

const YEAR = /^(?:19|20)\d{2}$/u;

/**
 * The values of a clause: amounts, all its days as one, and all its times. Where some have units, bare numbers beside
 * them tell nothing ('$4 billion in 2023' is one amount); years and the figures of a date are none.
 */
export function valuesOf(text: string): Value[] {
  const days = [...daysOf(text)];
  const figures = new Set(days.flatMap((day) => day.split('-')));
  const times = timesOf(text);
  const rest = times.reduceRight(
    (before, { start, end }) => `${before.slice(0, start)} ${before.slice(end)}`,
    text,
  );
  const amounts = amountsOf(rest).filter(
    ({ digits, unit }) => unit !== null || !(YEAR.test(digits) || figures.has(digits)),
  );
  const measured = amounts.filter(({ unit }) => unit !== null);
  const values = (measured.length > 0 ? measured : amounts).map(({ digits, unit }): Value => ({
    family: unit,
    keys: [digits],
  }));
  if (days.length > 0) values.push({ family: 'day', keys: days });
  const keys = times.flatMap(({ minutes }) => minutes.map(String));
  return keys.length > 0 ? [...values, { family: 'time', keys }] : values;
}

/** Whether it is a day or a time, which only another one can stand in the place of. */
export const isDated = ({ family }: Value): boolean => typeof family === 'string';

const shareKey = (one: Value, other: Value): boolean =>
  one.keys.some((key) => other.keys.includes(key));

/** Whether two say the same; a bare number goes with a unit, since a row names its unit elsewhere. */
export const isSame = (one: Value, other: Value): boolean =>
  shareKey(one, other) &&
  (one.family === other.family ||
    (!isDated(one) && !isDated(other) && (one.family === null || other.family === null)));

/** Whether one could stand in the other's place, and says something else. */
export const isRival = (one: Value, other: Value): boolean => {
  if (shareKey(one, other)) return false;
  const { family } = one;
  if (typeof family === 'string' || typeof other.family === 'string')
    return family === other.family;
  return isSameKind({ digits: '', unit: family }, { digits: '', unit: other.family });
};
