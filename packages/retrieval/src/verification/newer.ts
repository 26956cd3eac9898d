import { isRival, isSame, MONTHS, type Value, valuesOf } from '../analysis/amounts.ts';
import type { Cited } from './check-sentence.ts';
import { type Clause, claimed } from './claim-contradiction.ts';
import type { Source } from './claim-support.ts';
import { quoteAt } from './quotes.ts';

/** Newer files pointed at for one answer. */
const MOST_POINTED_AT = 2;
/** Least share of a clause's words that a newer sentence must have to be about the same. */
const SAME_SUBJECT = 0.75;
const LEAST_SHARED = 2;
/** Of these each is of its own time: the next one replaces none. */
const SERIES: ReadonlySet<string> = new Set([
  'agenda',
  'invoice',
  'journal',
  'minutes',
  'payslip',
  'receipt',
  'statement',
]);

const YEAR = /(?<!\d)(?:19|20)\d{2}(?!\d)/u;

/** Whether a question asks of a time that it names: what came later is no news for it. */
export const namesTime = (question: string): boolean =>
  YEAR.test(question) ||
  valuesOf(question).some(({ family }) => family === 'date') ||
  (question.toLowerCase().match(/\p{L}+/gu) ?? []).some((word) => MONTHS.has(word));

const newestOf = (sources: readonly (Source | undefined)[]): string =>
  sources
    .map((source) => source?.passage.date ?? '')
    .sort()
    .at(-1) ?? '';

const isFigure = ({ family }: Value): boolean =>
  typeof family !== 'string' || family === 'date' || family === 'time';

/** Whether a newer sentence says of the same thing another value than the clause does. */
function differs(clause: Clause, other: Clause): boolean {
  const shared = clause.terms.intersection(other.terms).size;
  if (shared < Math.max(LEAST_SHARED, clause.terms.size * SAME_SUBJECT)) return false;
  const [said, own] = [clause, other].map(({ values }) => values.filter(isFigure));
  const any = (test: typeof isSame): boolean =>
    said?.some((value) => own?.some((each) => test(value, each))) === true;
  return !any(isSame) && any(isRival);
}

/**
 * Sentences of files that are newer than those an answer cites, and that give another value for the same
 * thing; none whose value the answer names itself. By words alone: what is put otherwise goes unnoticed.
 * @param stated the verified sentences of the answer
 */
export function newerRivals(
  stated: readonly { plain: string; cited: readonly Cited[] }[],
  sources: readonly Source[],
  markdown: string,
): Cited[] {
  const found: Cited[] = [];
  for (const { plain, cited } of stated) {
    const known = cited.map(({ index }) => sources[index]);
    const date = newestOf(known);
    if (date === '') continue;
    const { clauses } = claimed(
      plain,
      known.flatMap((source) => source?.statements ?? []),
    );
    const kinds = new Set(known.map((source) => source?.passage.kind));
    for (const [index, source] of sources.entries()) {
      const { kind } = source.passage;
      if (kinds.has(kind) && SERIES.has(kind ?? '')) continue;
      if ((source.passage.date ?? '') <= date || source.passage.figure !== undefined) continue;
      const at = source.statements.sentences.findIndex(
        (other) =>
          clauses.some((clause) => differs(clause, other)) &&
          !other.values.some(({ keys }) => keys.some((key) => namesValue(markdown, key))),
      );
      const sentence = source.sentences[at];
      if (sentence !== undefined) found.push({ index, quote: quoteAt(source, sentence) });
    }
  }
  return found.slice(0, MOST_POINTED_AT);
}

/** Whether a text has a number with these digits, however they are grouped. */
const namesValue = (text: string, digits: string): boolean =>
  (text.replace(/\[\d+\]/gu, '').match(/\d+(?:[.,'’]\d+)*/gu) ?? []).some(
    (number) => number.replace(/[.,]0{1,2}$/u, '').replace(/\D/gu, '') === digits,
  );
