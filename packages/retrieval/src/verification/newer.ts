import { isRival, isSame, numbersOf, type Value, valuesOf } from './values.ts';
import { MONTHS } from '../text/measures.ts';
import type { Cited } from './check-sentence.ts';
import type { Source } from './source.ts';
import { type Statement, statementsOf } from './statement.ts';

/** Newer files pointed at for one answer. */
const MOST_POINTED_AT = 2;
/** Least share of a clause's words that a newer sentence must have to be about the same. */
const SAME_SUBJECT = 0.75;
const LEAST_SHARED = 2;
/** Of these each is of its own time: the next one replaces none. */
const SERIES: ReadonlySet<string> = new Set([
  'invoice',
  'journal',
  'minutes',
  'payslip',
  'receipt',
  'statement',
]);

/** Whether a question asks of a time that it names: what came later is no news for it. */
export const namesTime = (question: string): boolean =>
  /(?<!\d)(?:19|20)\d{2}(?!\d)/u.test(question) ||
  valuesOf(question).some(({ family }) => family === 'date') ||
  (question.toLowerCase().match(/\p{L}+/gu) ?? []).some((word) => MONTHS.has(word));

const isFigure = ({ family }: Value): boolean =>
  typeof family !== 'string' || family === 'date' || family === 'time';

/** Whether a newer sentence says of the same thing another value than the clause does. */
function differs(clause: Statement, other: Statement): boolean {
  const shared = clause.terms.intersection(other.terms).size;
  if (shared < Math.max(LEAST_SHARED, clause.terms.size * SAME_SUBJECT)) return false;
  const [said, own] = [clause, other].map(({ roles }) => roles.filter(isFigure));
  const any = (test: typeof isSame): boolean =>
    said?.some((value) => own?.some((each) => test(value, each))) === true;
  return !any(isSame) && any(isRival);
}

/**
 * Sentences of files that are newer than those an answer cites, and that give another value for the same
 * thing; none whose value the answer names itself. By words alone: what is put otherwise goes unnoticed.
 *
 * @param stated the verified sentences of the answer
 */
export function newerRivals(
  stated: readonly { plain: string; cited: readonly Cited[] }[],
  sources: readonly Source[],
  markdown: string,
): Cited[] {
  const said = numbersOf(markdown.replace(/\[\d+\]/gu, ''));
  const found = stated.flatMap(({ plain, cited }): Cited[] => {
    const known = cited.map(({ source }) => source);
    const date =
      known
        .map(({ passage }) => passage.date ?? '')
        .sort()
        .at(-1) ?? '';
    if (date === '') return [];
    const language = known[0]?.whole.language ?? 'en';
    const { clauses } = statementsOf([plain], language);
    const kinds = new Set(known.map(({ passage }) => passage.kind));
    return sources.flatMap((source): Cited[] => {
      const { kind, date: own, figure } = source.passage;
      const isNext = kinds.has(kind) && SERIES.has(kind ?? '');
      if (isNext || (own ?? '') <= date || figure !== undefined) return [];
      const at = source.sentences.findIndex(
        (sentence) =>
          clauses.some((clause) => differs(clause, sentence)) &&
          !sentence.roles.some(({ figures }) => figures.some((figure) => said.has(figure))),
      );
      const quote = source.spans[at];
      return quote === undefined ? [] : [{ source, quote }];
    });
  });
  return found.slice(0, MOST_POINTED_AT);
}
