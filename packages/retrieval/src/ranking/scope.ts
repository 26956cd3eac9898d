import type { Question } from '../question/question.ts';
import type { RankedPassage, RankedSentence } from './rank.ts';
import { fitOf } from '../scope/calendar.ts';
import { findDates } from '../scope/dates.ts';
import type { DateMention, DateRange } from '../scope/dates.ts';
import { SCOPE } from '../scope/weights.ts';

/** Weight of the bonus for dates in a passage's score, fitted with the weights of the ranking. */
const DATES = 0.21;

const MAX_KEPT = 2000;
const kept = new Map<string, DateMention[]>();
let keptLanguages = '';

/** The dates of a text, remembered. */
function datesIn(text: string, languages: readonly string[]): DateMention[] {
  const key = languages.join(' ');
  if (key !== keptLanguages || kept.size >= MAX_KEPT) {
    kept.clear();
    keptLanguages = key;
  }
  let mentions = kept.get(text);
  if (mentions === undefined) {
    mentions = findDates(text, languages);
    kept.set(text, mentions);
  }
  return mentions;
}

/** The best fit of some dates: 0 where there are none. */
function bestFit(mentions: readonly DateMention[], ranges: readonly DateRange[]): number {
  let sum = 0;
  for (const range of ranges) {
    let best: number | null = null;
    for (const mention of mentions) {
      const fit = fitOf(mention, range);
      if (best === null || fit > best) best = fit;
    }
    sum += best ?? 0;
  }
  return ranges.length === 0 ? 0 : sum / ranges.length;
}

/** How well a file is of the dates asked for, as far as its name, headings and first date tell. */
function fileFit(
  { fileName, headings, text, ordinal }: RankedPassage,
  ranges: readonly DateRange[],
  languages: readonly string[],
): number {
  const named = [fileName, ...headings].flatMap((line) => datesIn(line, languages));
  const inText = datesIn(text, languages);
  const mentioned = bestFit(inText, ranges);
  if (named.length > 0) {
    const own = bestFit(named, ranges);
    return own >= 0
      ? Math.max(own, mentioned * SCOPE.inText)
      : own + Math.max(0, mentioned) * SCOPE.inText;
  }
  // In prose a year stands for many things.
  if (ranges.every(({ grain }) => grain === 'year'))
    return Math.max(0, mentioned) * SCOPE.yearInText;
  const first = ordinal === 0 ? bestFit(inText.slice(0, 1), ranges) : 0;
  return first > 0 ? first : mentioned > 0 ? mentioned * SCOPE.inText : mentioned;
}

/**
 * Orders passages by what the question says of their files, beside what {@link rankPassages} found:
 * passages and sentences of the dates asked for come first, those of other dates last.
 */
export function rankInScope(question: Question, ranked: readonly RankedPassage[]): RankedPassage[] {
  const ranges = question.dates.map(({ range }) => range);
  if (ranges.length === 0) return [...ranked];
  const { languages } = question;
  const fits = new Map<string, number>();
  for (const passage of ranked) {
    const fit = fileFit(passage, ranges, languages);
    const known = fits.get(passage.artifactId);
    if (known === undefined || fit > known) fits.set(passage.artifactId, fit);
  }
  return ranked
    .map((passage): RankedPassage => {
      const mentions = datesIn(passage.text, languages);
      const dated = passage.sentences.map((sentence) => byDate(sentence, mentions, ranges));
      const moved = bestScore(dated) - bestScore(passage.sentences);
      const gain = SCOPE.file * (fits.get(passage.artifactId) ?? 0);
      const sentences = dated
        .map((sentence) => ({ ...sentence, score: sentence.score + gain }))
        .sort((a, b) => b.score - a.score || a.start - b.start);
      return {
        ...passage,
        score: Math.max(0, passage.score + DATES * (gain + moved)),
        scores: { ...passage.scores, dates: DATES * (gain + moved) },
        sentences,
      };
    })
    .sort((a, b) => b.score - a.score);
}

const bestScore = (sentences: readonly RankedSentence[]): number =>
  sentences.reduce((best, { score }) => Math.max(best, score), 0);

/** In a log or a table the dates tell its lines apart. */
function byDate(
  sentence: RankedSentence,
  mentions: readonly DateMention[],
  ranges: readonly DateRange[],
): RankedSentence {
  const own = mentions.filter(({ start, end }) => start < sentence.end && sentence.start < end);
  if (own.length === 0) return sentence;
  const fit = bestFit(own, ranges);
  const differ = mentions.some((mention) => bestFit([mention], ranges) !== fit);
  // In prose a year stands for many things; whole years tell the lines of a table apart.
  const telling = sentence.kind !== 'prose' || ranges.some(({ grain }) => grain !== 'year');
  return differ && telling
    ? { ...sentence, score: sentence.score + SCOPE.sentence * fit }
    : sentence;
}
