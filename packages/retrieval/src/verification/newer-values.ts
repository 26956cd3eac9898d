import { findDates } from '../scope/dates.ts';
import { CODES } from '../text/measures.ts';
import type { Cited } from './check-sentence.ts';
import type { Source } from './source.ts';
import { type Statement, statementsOf } from './statement.ts';
import { isRival, isSame, type Value, valuesOf } from './values.ts';

const MAX_NAMED = 2;
const SAME_SUBJECT = 0.75;
const MIN_SHARED = 2;
/** Kinds of documents that do not replace earlier ones. */
const SERIES = new Set(['invoice', 'journal', 'minutes', 'payslip', 'receipt', 'statement']);

/** Whether a question names a time, which a later value does not answer. */
export const namesTime = (question: string): boolean => findDates(question, CODES).length > 0;

const isMeasured = ({ family }: Value): boolean =>
  typeof family === 'number' || family === 'date' || family === 'time';

function differs(clause: Statement, other: Statement): boolean {
  const shared = clause.terms.intersection(other.terms).size;
  if (shared < Math.max(MIN_SHARED, clause.terms.size * SAME_SUBJECT)) return false;
  const [a = [], b = []] = [clause, other].map(({ values }) => values.filter(isMeasured));
  const some = (test: typeof isSame): boolean =>
    a.some((value) => b.some((otherValue) => test(value, otherValue)));
  return !some(isSame) && some(isRival);
}

/** Sentences of newer files with another value for the same subject. Paraphrases are not found. */
export function newerValues(
  stated: readonly { plain: string; cited: readonly Cited[] }[],
  sources: readonly Source[],
  markdown: string,
): Cited[] {
  const answered = valuesOf(markdown.replace(/\[\d+\]/gu, ''));
  const named = new Set(answered.flatMap(({ figures }) => figures));
  const differing = stated.flatMap(({ plain, cited }): Cited[] => {
    const passages = cited.map(({ source }) => source.passage);
    const newest = passages
      .map(({ date }) => date ?? '')
      .sort()
      .at(-1);
    if (!newest) return [];
    const { clauses } = statementsOf([plain], cited[0]?.source.whole.language ?? 'en');
    const isSuccessor = ({ passage: { kind, date, figure } }: Source): boolean =>
      (date ?? '') > newest &&
      figure === undefined &&
      !(SERIES.has(kind ?? '') && passages.some((passage) => passage.kind === kind));
    return sources.filter(isSuccessor).flatMap((source): Cited[] => {
      const index = source.sentences.findIndex(
        (sentence) =>
          clauses.some((clause) => differs(clause, sentence)) &&
          !sentence.values.some(({ figures }) => figures.some((figure) => named.has(figure))),
      );
      const quote = source.spans[index];
      return quote === undefined ? [] : [{ source, quote }];
    });
  });
  return differing.slice(0, MAX_NAMED);
}
