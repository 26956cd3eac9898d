import { UNIT_OF } from '../analysis/amounts.ts';
import { type RowOperation, rowSayings, type RowsAsked } from '../question/rows-asked.ts';
import { escapeMarkdown } from './markdown.ts';
import type { Answerer, Material, Proposal } from './material.ts';
import { rowCandidates, sureness, toldApart } from './row-candidates.ts';
import type { GroupRow } from './row-groups.ts';
import { conditionsSaid, figureSaid, layOutRows, monthSaid } from './row-layout.ts';
import type { RowMatch } from './row-match.ts';
import { isMixed, type Measure, measureOf, valuesOf } from './row-measure.ts';

/** Rows and groups that are shown. */
const MOST_SHOWN = 8;
/** Groups of rows that are tried, best first. */
const MOST_TRIED = 4;
/** A word for what is to be done was said, or a column named; else it is less likely meant. */
const UNSAID = 0.75;

const sum = (values: readonly number[]): number =>
  Math.round(values.reduce((total, value) => total + value, 0) * 1e6) / 1e6;

/** The column that is named by what is counted; -1 for none. */
const countedColumn = ({ counted }: RowsAsked, { named }: RowMatch): number =>
  (counted === null ? undefined : named.get(counted)?.[0]) ?? -1;

/** How many there are: of rows, or of the values of the column that is counted ('how many suppliers'). */
function countOf(match: RowMatch, asked: RowsAsked): number {
  const { rows, group } = match;
  const at = countedColumn(asked, match);
  const type = group.columns[at]?.type;
  const day = UNIT_OF.get('day');
  const isValue = type === 'text' || (type === 'date' && UNIT_OF.get(asked.counted ?? '') === day);
  if (!isValue) return rows.length;
  const values = rows.flatMap(({ cells }) => (cells[at] === null ? [] : String(cells[at])));
  return new Set(values.map((value) => value.toLowerCase().trim())).size;
}

/** What is to be done: as the question says, or as a column that it names suggests. */
function operationOf(
  asked: RowsAsked,
  match: RowMatch,
  measure: Measure | null,
  days: number,
): RowOperation | null {
  const names = measure !== null && match.columns.includes(measure.at);
  // 'How many kilos', 'how many cups': what is counted is what the column measures.
  if (asked.operation === 'count') {
    const counts =
      names &&
      measure.column.type === 'number' &&
      (measure.column.unit !== null || countedColumn(asked, match) === measure.at);
    return counts ? 'sum' : 'count';
  }
  if (asked.operation !== null) return asked.operation;
  // Two years side by side are not their sum.
  if (days > 1) return null;
  const chosen = match.inCells > 0 || match.filters.length > 0;
  if (asked.howMuch && (asked.spent || asked.received || names) && chosen) return 'sum';
  return names && chosen && !asked.list && measure.column.unit !== null ? 'sum' : null;
}

interface Part {
  name: string;
  rows: GroupRow[];
}

/** The rows by month, or by the column of text that the question names. */
function partsOf(
  { rows, day, group, columns, filters }: RowMatch,
  asked: RowsAsked,
  language: string,
): { parts: Part[]; by: string } | null {
  if (asked.byMonth && day !== -1) {
    const dated = rows.filter(({ cells }) => typeof cells[day] === 'string');
    const parts = [...Map.groupBy(dated, ({ cells }) => String(cells[day]).slice(0, 7))];
    return {
      parts: parts.map(([month, own]) => ({ name: monthSaid(month, language), rows: own })),
      by: group.columns[day]?.name ?? '',
    };
  }
  const filtered = new Set(filters.map(({ column }) => column));
  const at = columns.find(
    (i) => group.columns[i]?.type === 'text' && !filtered.has(group.columns[i].name),
  );
  if (at === undefined) return null;
  const named = rows.filter(({ cells }) => typeof cells[at] === 'string');
  const parts = [...Map.groupBy(named, ({ cells }) => String(cells[at]).toLowerCase())];
  if (parts.length < 2) return null;
  return {
    parts: parts.map(([, own]) => ({ name: String(own[0]?.cells[at]), rows: own })),
    by: group.columns[at]?.name ?? '',
  };
}

interface Result {
  value: number;
  /** What the figure is of: a month, a category; null for all rows. */
  of: string | null;
  said: string;
  rows: GroupRow[];
  parts: { name: string; said: string }[];
}

function compute(
  operation: RowOperation,
  match: RowMatch,
  measure: Measure | null,
  asked: RowsAsked,
  language: string,
): Result | null {
  const { rows } = match;
  if (operation === 'count') {
    const count = countOf(match, asked);
    return { value: count, of: null, said: String(count), rows, parts: [] };
  }
  if (measure === null) return null;
  const { at, column, flip } = measure;
  const value = (own: readonly GroupRow[]): number => (flip ? -1 : 1) * sum(valuesOf(own, at));
  const say = (figure: number): string => figureSaid(figure, column, language);
  const filled = rows.filter(({ cells }) => typeof cells[at] === 'number');
  if (filled.length === 0 || isMixed(match.group, rows, measure)) return null;
  if (operation === 'sum') {
    return { value: value(filled), of: null, said: say(value(filled)), rows: filled, parts: [] };
  }
  const grouped = partsOf({ ...match, rows: filled }, asked, language);
  if (operation === 'average') {
    const mean =
      value(filled) / (asked.byMonth && grouped !== null ? grouped.parts.length : filled.length);
    return { value: mean, of: null, said: say(mean), rows: filled, parts: [] };
  }
  const sign = operation === 'largest' ? -1 : 1;
  if (grouped !== null) {
    const figures = grouped.parts
      .map((part) => ({ ...part, value: value(part.rows) }))
      .sort((a, b) => sign * (a.value - b.value));
    const [best] = figures;
    if (best === undefined) return null;
    const parts = figures.map(({ name, value }) => ({ name, said: say(value) }));
    return { value: best.value, of: best.name, said: say(best.value), rows: best.rows, parts };
  }
  const sorted = filled.toSorted(
    (a, b) => sign * (flip ? -1 : 1) * (Number(a.cells[at]) - Number(b.cells[at])),
  );
  const [first] = sorted;
  if (first === undefined) return null;
  const best = (flip ? -1 : 1) * Number(first.cells[at]);
  return { value: best, of: null, said: say(best), rows: sorted, parts: [] };
}

/** What the figure is of: the column, the days, the conditions, the files. */
function headline(
  material: Material,
  match: RowMatch,
  asked: RowsAsked,
  {
    operation,
    measure,
    result,
  }: { operation: RowOperation; measure: Measure | null; result: Result },
): string {
  const { of, said } = result;
  const say = rowSayings(material.question.language);
  const what = say[operation].replace('{}', escapeMarkdown(measure?.column.name ?? ''));
  const value = of === null ? `**${said}**` : `**${escapeMarkdown(of)}: ${said}**`;
  return `${value} (${[what, conditionsSaid(material, match, asked)].filter(Boolean).join('; ')})`;
}

function propose(material: Material, match: RowMatch, asked: RowsAsked): Proposal | null {
  const { language } = material.question;
  const measure = measureOf(match.group, match.rows, match.columns, asked);
  const operation = operationOf(asked, match, measure, material.question.dates.length);
  if (operation === null) return null;
  const result = compute(operation, match, measure, asked, language);
  if (result === null) return null;
  const wanted = [
    match.day,
    ...match.filters.map(({ column }) =>
      match.group.columns.findIndex(({ name }) => name === column),
    ),
    ...(measure === null || operation === 'count' ? [] : [measure.at]),
  ];
  const shown =
    operation === 'largest' || operation === 'smallest'
      ? result.of === null
        ? result.rows.slice(0, 3)
        : result.rows
      : result.rows;
  const laid = layOutRows(match.group, shown, { wanted, most: MOST_SHOWN, language });
  const parts = result.parts
    .slice(1, MOST_SHOWN)
    .map(({ name, said }) => `${escapeMarkdown(name)}: ${said}`);
  const others = parts.length > 0 ? `\n\n${parts.join(' · ')}` : '';
  const said = asked.operation !== null || match.columns.length > 0 ? 1 : UNSAID;
  return {
    markdown: `${headline(material, match, asked, { operation, measure, result })}${others}\n\n${laid.markdown}`,
    citations: laid.citations,
    computed: { operation, value: Math.round(result.value * 1e6) / 1e6, rows: match.rows.length },
    confidence: said * sureness(match),
  };
}

/**
 * A figure over rows: their sum, number, average, largest or smallest, with the rows it rests on.
 * Sure only as far as the question's words are explained by columns, cells, days and names of files.
 */
export const answerFigure: Answerer = (material) => {
  const { asked, matches } = rowCandidates(material);
  return toldApart(
    matches.slice(0, MOST_TRIED).flatMap((match) => propose(material, match, asked) ?? []),
  );
};
