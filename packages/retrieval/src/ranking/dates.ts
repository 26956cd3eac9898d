import type { Question } from '../question/question.ts';
import { fitOf } from '../scope/calendar.ts';
import { type DateMention, type DateRange, findDates } from '../scope/dates.ts';
import type { RankedPassage } from './rank.ts';

const WEIGHT = 1.05;
const IN_TEXT = 0.6;
/** A year in the text is ambiguous. */
const YEAR_IN_TEXT = 0.3;

function bestFit(mentions: readonly DateMention[], ranges: readonly DateRange[]): number {
  if (mentions.length === 0) return 0;
  const fits = ranges.map((range) => Math.max(...mentions.map((mention) => fitOf(mention, range))));
  return fits.reduce((sum, fit) => sum + fit, 0) / ranges.length;
}

/** How well the dates of a passage's file match, from -1 to 1. */
function fileFit(
  { fileName, headings, text }: RankedPassage,
  ranges: readonly DateRange[],
  languages: readonly string[],
): number {
  const named = [fileName, ...headings].flatMap((line) => findDates(line, languages));
  const mentioned = bestFit(findDates(text, languages), ranges);
  if (named.length > 0) {
    const fit = bestFit(named, ranges);
    return fit < 0 ? fit + IN_TEXT * Math.max(0, mentioned) : Math.max(fit, IN_TEXT * mentioned);
  }
  const isYear = ranges.every(({ grain }) => grain === 'year');
  return isYear ? YEAR_IN_TEXT * Math.max(0, mentioned) : mentioned;
}

/** Reorders passages by the dates of the question. */
export function rankByDates(question: Question, ranked: readonly RankedPassage[]): RankedPassage[] {
  const ranges = question.dates.map(({ range }) => range);
  if (ranges.length === 0) return [...ranked];
  const fits = new Map<string, number>();
  for (const passage of ranked) {
    const fit = fileFit(passage, ranges, question.languages);
    fits.set(passage.artifactId, Math.max(fit, fits.get(passage.artifactId) ?? -1));
  }
  return ranked
    .map((passage): RankedPassage => {
      const dates = WEIGHT * (fits.get(passage.artifactId) ?? 0);
      return {
        ...passage,
        score: Math.max(0, passage.score + dates),
        scores: { ...passage.scores, dates },
      };
    })
    .sort((a, b) => b.score - a.score);
}
