import { type RowsAsked, rowSayings } from '../question/rows-asked.ts';
import type { Answerer, Material, Proposal } from './material.ts';
import { countWords } from './quote.ts';
import { rowCandidates, sureness, toldApart } from './row-candidates.ts';
import { conditionsSaid, figureSaid, layOutRows } from './row-layout.ts';
import type { RowMatch } from './row-match.ts';
import { isMixed, measureOf, valuesOf } from './row-measure.ts';

/** Rows that one answer shows, and its words. */
const MOST = { rows: 60, words: 390 } as const;
/** Groups of rows that are tried, best first. */
const MOST_TRIED = 4;

/** Whether the question asks for rows themselves, not for a figure over them. */
const asksForRows = ({ operation, howMuch, list, status, bounds, spent, received }: RowsAsked) =>
  operation === null &&
  !howMuch &&
  (list || status !== null || bounds.length > 0 || spent || received);

/** What was spent or came in with the rows, where it can be told; null where that is not asked. */
function totalOf({ group, rows, columns }: RowMatch, asked: RowsAsked) {
  if (asked.list || asked.status !== null || !(asked.spent || asked.received)) return null;
  const measure = measureOf(group, rows, columns, asked);
  if (measure === null || isMixed(group, rows, measure)) return null;
  const { column, flip } = measure;
  const sum = valuesOf(rows, measure.at).reduce((total, value) => total + value, 0);
  return { column, value: Math.round((flip ? -sum : sum) * 1e6) / 1e6 };
}

function propose(material: Material, match: RowMatch, asked: RowsAsked): Proposal | null {
  const { group, rows, filters, day } = match;
  const { language, dates } = material.question;
  const isChosen = filters.length > 0 || (day !== -1 && (dates.length > 0 || asked.days !== null));
  // 'Who is our landlord?' asks for no row; and what stands in one is better said by its sentence.
  const isSure = asked.status !== null || asked.bounds.length > 0;
  if (!isChosen || (rows.length === 1 && !isSure)) return null;
  const say = rowSayings(language);
  const wanted = [
    day,
    ...match.columns,
    ...filters.map(({ column }) => group.columns.findIndex(({ name }) => name === column)),
  ];
  const count = rows.length === 1 ? say.match : say.matches.replace('{}', String(rows.length));
  const said = conditionsSaid(material, match, asked);
  const total = totalOf(match, asked);
  const sum = total === null ? '' : `, ${figureSaid(total.value, total.column, language)}`;
  const head = `**${count}${sum}**${said === '' ? '' : ` (${said})`}`;
  let laid = layOutRows(group, rows, { wanted, most: MOST.rows, language });
  for (
    let most = Math.min(MOST.rows, rows.length);
    most > 1 && countWords(`${head} ${laid.markdown}`) > MOST.words;
  ) {
    most = Math.ceil(most * 0.8) - 1;
    laid = layOutRows(group, rows, { wanted, most, language });
  }
  return {
    markdown: `${head}\n\n${laid.markdown}`,
    citations: laid.citations,
    computed:
      total === null
        ? { operation: 'count', value: rows.length, rows: rows.length }
        : { operation: 'sum', value: total.value, rows: rows.length },
    confidence: sureness(match),
  };
}

/**
 * The rows that fulfil what a question says, how many there are, and each with its place. Silent where
 * nothing is said of them, and where rows of several kinds may be meant.
 */
export const answerRows: Answerer = (material) => {
  const { asked, matches } = rowCandidates(material);
  if (!asksForRows(asked)) return null;
  return toldApart(
    matches.slice(0, MOST_TRIED).flatMap((match) => propose(material, match, asked) ?? []),
  );
};
