import { type RowsAsked, readRowsAsked } from '../question/rows-asked.ts';
import type { Material, Proposal } from './material.ts';
import { groupTables } from './row-groups.ts';
import { createTermFinder, matchRows, type RowMatch } from './row-match.ts';

/** What speaks for a group of rows beside the words it explains. */
const WORTH = {
  /** … no more than so many files down the list of those found. */
  found: 0.1,
  foundFiles: 5,
  perCell: 0.03,
  perColumn: 0.02,
} as const;

const asks = ({ operation, howMuch, list, status, bounds }: RowsAsked): boolean =>
  operation !== null || howMuch || list || status !== null || bounds.length > 0;

export interface RowCandidates {
  asked: RowsAsked;
  matches: RowMatch[];
}

/** The groups of rows that a question may mean, best first. */
export function rowCandidates({ question, ranked, tables, today }: Material): RowCandidates {
  const asked = readRowsAsked(question.text);
  // A short question that names a column needs no word for what is to be done.
  if (tables.length === 0 || asked.unclear || (!asks(asked) && question.terms.length > 8))
    return { asked, matches: [] };
  const context = { question, asked, find: createTermFinder(question), tables, today };
  const files = [...new Set(ranked.map(({ artifactId }) => artifactId))].slice(0, WORTH.foundFiles);
  const worth = ({ group, explained, inCells, columns }: RowMatch): number => {
    const place = Math.min(
      ...group.tables
        .map(({ artifactId }) => files.indexOf(artifactId))
        .map((at) => (at === -1 ? Infinity : at)),
    );
    const found = Number.isFinite(place) ? WORTH.found * (1 - place / WORTH.foundFiles) : 0;
    return explained + found + WORTH.perCell * inCells + WORTH.perColumn * columns.length;
  };
  const matches = groupTables(tables, question.files.named)
    .flatMap((group) => matchRows(group, context) ?? [])
    .map((match) => ({ match, worth: worth(match) }))
    .sort((a, b) => b.worth - a.worth)
    .map(({ match }) => match);
  return { asked, matches };
}

/** How sure an answer is when all of the question is explained, and how fast that falls. */
const SURE = 0.95;
const STEEPNESS = 2.5;

/** How likely rows are meant that explain so much of a question: a fifth of it may be about something else. */
export const sureness = ({ explained }: RowMatch): number => SURE * explained ** STEEPNESS;

/** Proposals that are so close to one another in confidence are equally likely. */
const AS_SURE = 0.96;

/** The surest proposal; null where another one is as sure and says something else. */
export function toldApart(proposals: readonly Proposal[]): Proposal | null {
  const [best, ...others] = proposals.toSorted((a, b) => b.confidence - a.confidence);
  if (best === undefined) return null;
  const isDoubted = others.some(
    ({ confidence, computed }) =>
      confidence >= AS_SURE * best.confidence && computed?.value !== best.computed?.value,
  );
  return isDoubted ? null : best;
}
