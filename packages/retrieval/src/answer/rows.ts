import {
  type RowOperation,
  readRowsAsked,
  rowSayings,
  type RowsAsked,
} from '../question/rows-asked.ts';
import { escapeMarkdown } from './markdown.ts';
import type { Answerer, Material, Proposal } from './material.ts';
import { countWords } from './quote.ts';
import { type GroupRow, groupTables, type RowGroup } from './row-groups.ts';
import { conditionsSaid, figureSaid, layOutRows, monthSaid } from './row-layout.ts';
import { createTermFinder, matchRows, type RowMatch } from './row-match.ts';
import { isMixed, type Measure, measureOf, valuesOf } from './row-measure.ts';

/** Groups of rows that are tried, best first. */
const MOST_TRIED = 4;
/** Rows and groups that are shown: below a figure, and where rows are asked for. */
const MOST_SHOWN = 8;
const MOST_LISTED = 60;
const MOST_WORDS = 390;
/** Terms of a question that names a column and has no word for what is to be done. */
const SHORT_QUESTION = 8;

/** What speaks for a group of rows beside the words it explains. */
const WORTH = { found: 0.1, foundFiles: 5, perCell: 0.03, perColumn: 0.02 } as const;

/** How sure an answer is when all of the question is explained, and how fast that falls. */
const SURE = 0.95;
const STEEPNESS = 2.5;
/** … where it is said what is to be done, and rows of no other file explain nearly as much. */
const STEEPNESS_ALONE = 1.5;
const ALONE_BY = 0.2;
/** A word for what is to be done was said, or a column named; else it is less likely meant. */
const UNSAID = 0.75;
/** Proposals that are so close to one another in confidence are equally likely. */
const AS_SURE = 0.96;

/**
 * The rows that fulfil what a question says, or a figure over them: their sum, number, average,
 * largest or smallest, each with its place. Sure only as far as the question's words are explained by
 * columns, cells, days and names of files, and silent where rows of several kinds may be meant.
 */
export const answerRows: Answerer = (material) => {
  const { question, tables } = material;
  const asked = readRowsAsked(question.text);
  const { operation, howMuch, list, status, bounds } = asked;
  const asks = operation !== null || howMuch || list || status !== null || bounds.length > 0;
  if (tables.length === 0 || asked.unclear || (!asks && question.terms.length > SHORT_QUESTION))
    return null;
  const context = { question, asked, find: createTermFinder(question) };
  const matches = groupTables(tables, question.files.named)
    // Labels with their values, as a form has them, are no rows of one kind.
    .filter(({ columns }) => columns.some(({ name }) => name !== ''))
    .flatMap((group) => matchRows(group, context) ?? [])
    .map((match) => ({ match, worth: worthOf(match, material) }))
    .sort((a, b) => b.worth - a.worth)
    .slice(0, MOST_TRIED);
  const explainedElsewhere = ({ group }: RowMatch): number =>
    Math.max(
      0,
      ...matches
        .filter(({ match }) => isOtherFiles(match.group, group))
        .map(({ match }) => match.explained),
    );
  return toldApart(
    matches.flatMap(
      ({ match }) => propose(material, match, asked, explainedElsewhere(match)) ?? [],
    ),
  );
};

const isOtherFiles = (one: RowGroup, other: RowGroup): boolean =>
  one.tables.every(({ artifactId }) =>
    other.tables.every((table) => table.artifactId !== artifactId),
  );

function worthOf({ group, explained, inCells, columns }: RowMatch, { ranked }: Material): number {
  const files = [...new Set(ranked.map(({ artifactId }) => artifactId))];
  const place = files.findIndex((id) => group.tables.some(({ artifactId }) => artifactId === id));
  const found = place === -1 ? 0 : Math.max(0, 1 - place / WORTH.foundFiles);
  return (
    explained + WORTH.found * found + WORTH.perCell * inCells + WORTH.perColumn * columns.length
  );
}

/** The surest proposal; null where another one is as sure and says something else. */
function toldApart(proposals: readonly Proposal[]): Proposal | null {
  const [best, ...others] = proposals.toSorted((a, b) => b.confidence - a.confidence);
  const isDoubted = others.some(
    ({ confidence, computed }) =>
      confidence >= AS_SURE * (best?.confidence ?? 0) && computed?.value !== best?.computed?.value,
  );
  return best === undefined || isDoubted ? null : best;
}

function propose(
  material: Material,
  match: RowMatch,
  asked: RowsAsked,
  elsewhere: number,
): Proposal | null {
  const { group, rows, filters, day, columns, explained, inCells } = match;
  const { language, dates } = material.question;
  const measure = measureOf(group, rows, columns, asked);
  const operation = operationOf(asked, match, measure, dates.length);
  const figure = operation === null ? null : compute(operation, match, measure, asked, language);
  if (operation === null || figure === null) return null;
  const isList = operation === 'list';
  const named = filters.map(({ column }) => group.columns.findIndex(({ name }) => name === column));
  const measured = isList || operation === 'count' || measure === null ? -1 : measure.at;
  const wanted = [day, ...named, measured, ...(isList ? columns : [])];
  const what = isList
    ? ''
    : rowSayings(language)[operation].replace('{}', escapeMarkdown(measure?.column.name ?? ''));
  const conditions = [what, ...conditionsSaid(material, match, asked)].filter(Boolean).join('; ');
  const others = figure.others.slice(0, MOST_SHOWN - 1).join(' · ');
  const head = [`**${figure.said}**${conditions === '' ? '' : ` (${conditions})`}`, others];
  const layOut = (most: number) => {
    const { markdown, citations } = layOutRows(group, figure.rows, { wanted, most, language });
    return { markdown: [...head, markdown].filter(Boolean).join('\n\n'), citations };
  };
  let most = Math.min(figure.rows.length, isList ? MOST_LISTED : MOST_SHOWN);
  let laid = layOut(most);
  while (most > 1 && countWords(laid.markdown) > MOST_WORDS) {
    most = Math.ceil(most * 0.8) - 1;
    laid = layOut(most);
  }
  const isSaid = isList || asked.operation !== null || columns.length > 0;
  const isMeant = inCells > 0 || columns.includes(measure?.at ?? -1);
  const isAlone = asked.operation !== null && isMeant && explained - elsewhere >= ALONE_BY;
  return {
    ...laid,
    computed: {
      operation: isList ? 'count' : operation,
      value: rounded(figure.value),
      rows: rows.length,
    },
    confidence: (isSaid ? 1 : UNSAID) * SURE * explained ** (isAlone ? STEEPNESS_ALONE : STEEPNESS),
  };
}

/** What is to be done: as the question says, or as a column that it names suggests. */
function operationOf(
  asked: RowsAsked,
  match: RowMatch,
  measure: Measure | null,
  days: number,
): RowOperation | 'list' | null {
  const { rows, filters, day, columns, counted, inCells } = match;
  const { operation, howMuch, list, status, bounds } = asked;
  const names = measure !== null && columns.includes(measure.at);
  // 'How many kilos', 'how many cups': what is counted is what the column measures.
  if (operation === 'count' && names && measure.column.type === 'number')
    return measure.column.unit !== null || counted === measure.at ? 'sum' : 'count';
  if (operation !== null) return operation;
  const isMoved = asked.spent || asked.received;
  const isChosen = inCells > 0 || filters.length > 0;
  const isRows = list || status !== null || bounds.length > 0;
  // Two years side by side are not their sum.
  if (isChosen && days <= 1 && !isRows) {
    const isUnit = names && measure.column.unit !== null;
    if (isUnit || isMoved || (howMuch && names)) return 'sum';
  }
  // 'Who is our landlord?' asks for no row; and what stands in one is better said by its sentence.
  const isDated = day !== -1 && (days > 0 || asked.days !== null);
  const isSure = status !== null || bounds.length > 0 || rows.length > 1;
  const isList = !howMuch && isRows && isSure;
  return isList && (filters.length > 0 || isDated) ? 'list' : null;
}

interface Figure {
  value: number;
  said: string;
  /** The rows that are shown. */
  rows: readonly GroupRow[];
  /** The groups of rows beside the one that was asked for, with their figures. */
  others: string[];
}

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

function compute(
  operation: RowOperation | 'list',
  match: RowMatch,
  measure: Measure | null,
  asked: RowsAsked,
  language: string,
): Figure | null {
  const { rows } = match;
  const say = rowSayings(language);
  if (operation === 'list') {
    const said = rows.length === 1 ? say.match : say.matches.replace('{}', String(rows.length));
    return { value: rows.length, said, rows, others: [] };
  }
  if (operation === 'count') {
    const value = countOf(match);
    return { value, said: String(value), rows, others: [] };
  }
  if (measure === null || isMixed(match.group, rows, measure)) return null;
  const { at, column, flip } = measure;
  const filled = rows.filter(({ cells }) => typeof cells[at] === 'number');
  if (filled.length === 0) return null;
  const total = (own: readonly GroupRow[]): number =>
    rounded(valuesOf(own, at).reduce((sum, value) => sum + value, 0) * (flip ? -1 : 1));
  const told = (value: number): string => figureSaid(value, column, language);
  const parts = partsOf({ ...match, rows: filled }, asked, language);
  if (operation === 'sum' || operation === 'average') {
    const count = asked.byMonth && parts !== null ? parts.length : filled.length;
    const value = operation === 'sum' ? total(filled) : total(filled) / count;
    return { value, said: told(value), rows: filled, others: [] };
  }
  const sign = operation === 'largest' ? -1 : 1;
  const figures = (parts ?? filled.map((row) => ({ name: '', rows: [row] })))
    .map((part) => ({ ...part, value: total(part.rows) }))
    .sort((a, b) => sign * (a.value - b.value));
  const [best, ...rest] = figures;
  if (best === undefined) return null;
  const named = (part: { name: string; value: number }): string =>
    part.name === '' ? told(part.value) : `${escapeMarkdown(part.name)}: ${told(part.value)}`;
  return parts === null
    ? {
        value: best.value,
        said: named(best),
        rows: figures.slice(0, 3).flatMap((f) => f.rows),
        others: [],
      }
    : { value: best.value, said: named(best), rows: best.rows, others: rest.map(named) };
}

/** How many there are: of rows, or of the values of the column that is counted ('how many suppliers'). */
function countOf({ rows, group, counted }: RowMatch): number {
  if (group.columns[counted]?.type !== 'text') return rows.length;
  const values = rows.flatMap(({ cells }) => cells[counted] ?? []);
  return new Set(values.map((value) => String(value).toLowerCase().trim())).size;
}

/** The rows by month, or by the column of text that the question names; null for neither. */
function partsOf(
  { rows, day, group, columns, filters }: RowMatch,
  asked: RowsAsked,
  language: string,
): { name: string; rows: GroupRow[] }[] | null {
  const isMonth = asked.byMonth && day !== -1;
  const at = isMonth
    ? day
    : columns.find(
        (i) =>
          group.columns[i]?.type === 'text' &&
          !filters.some(({ column }) => column === group.columns[i]?.name),
      );
  if (at === undefined) return null;
  const filled = rows.filter(({ cells }) => typeof cells[at] === 'string');
  const parts = Map.groupBy(filled, ({ cells }) =>
    isMonth ? String(cells[at]).slice(0, 7) : String(cells[at]).toLowerCase(),
  );
  if (!isMonth && parts.size < 2) return null;
  return [...parts].map(([key, own]) => ({
    name: isMonth ? monthSaid(key, language) : String(own[0]?.cells[at]),
    rows: own,
  }));
}
