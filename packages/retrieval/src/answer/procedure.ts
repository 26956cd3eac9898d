import { isInstruction } from '../question/instructions-in-text.ts';
import { asksForProcedure } from '../question/wants.ts';
import type { SourceSegment } from '../types.ts';
import { layOutSegments } from './lay-out.ts';
import type { Answerer, Material, Proposal } from './material.ts';
import { countWords } from './quote.ts';
import { matchBlocks } from './block-match.ts';
import type { MatchedBlock } from './block-match.ts';
import type { Block, Section } from './sections.ts';

/** Words of an answer, at most; a section of so many is given whole. */
const MOST_WORDS = 380;
const SHORT_SECTION = 220;
const LONGEST = 4000;
/** The share of a question from which on a heading says what is asked. */
const SAYS_ALL = 0.9;

/** How much a kind of block is what somebody wants who asks how to do something. */
const WORTH: Readonly<Record<Block['kind'], number>> = {
  steps: 1,
  code: 0.95,
  definition: 0.85,
  list: 0.8,
  prose: 0.75,
  table: 0.55,
};

/**
 * Answers how something is done by the whole block that says it: the steps, the command with what
 * explains it, the option with its meaning, where most of what is asked is spoken of.
 */
export const answerProcedure: Answerer = (material) => {
  const plainly = asksForProcedure(material.question);
  if (plainly === 0) return null;
  let best: MatchedBlock | null = null;
  let most = 0;
  for (const match of matchBlocks(material)) {
    const kind = kindOf(match);
    // What does not ask for a procedure in so many words is answered by one that is no mere text.
    if (plainly < 1 && kind !== 'steps' && kind !== 'code') continue;
    const score = match.score * WORTH[kind];
    if (score > most) [best, most] = [match, score];
  }
  return best === null ? null : propose(material, best, plainly);
};

const kindOf = ({ blocks, position }: MatchedBlock): Block['kind'] =>
  blocks[position]?.kind ?? 'prose';

const textOf = ({ document }: MatchedBlock, segments: readonly SourceSegment[]): string =>
  document.text.slice(segments[0]?.start ?? 0, segments.at(-1)?.end ?? 0);

const wordsIn = (match: MatchedBlock, segments: readonly SourceSegment[]): number =>
  segments.reduce(
    (sum, { start, end }) => sum + countWords(match.document.text.slice(start, end)),
    0,
  );

/** What is shown: all of a short section, or the best block with as much around it as fits. */
function chosenSegments(match: MatchedBlock): SourceSegment[] {
  const fits = (segments: readonly SourceSegment[], words: number): boolean =>
    wordsIn(match, segments) <= words && textOf(match, segments).length <= LONGEST;
  const whole = wholeOf(match, fits);
  if (whole !== null) return whole;
  const { blocks, position: at } = match;
  let chosen = [...(blocks[at]?.segments ?? [])];
  // What follows explains; what stands before has led there.
  for (const next of [...blocks.slice(at + 1, at + 4), ...blocks.slice(0, at).toReversed()]) {
    const grown = [...chosen, ...next.segments].sort((a, b) => a.start - b.start);
    if (!fits(grown, SHORT_SECTION)) break;
    chosen = grown;
  }
  return cutTo(match, chosen);
}

/**
 * The section, with its neighbours below the same heading where all of that is short; alone where its
 * own heading says what is asked.
 */
function wholeOf(
  { sections, at, headed }: MatchedBlock,
  fits: (segments: readonly SourceSegment[], words: number) => boolean,
): SourceSegment[] | null {
  const own = sections[at];
  if (own === undefined || !fits(own.segments, SHORT_SECTION)) return null;
  const above = own.headings.slice(0, -1);
  if (above.length < 1 || headed >= SAYS_ALL) return [...own.segments];
  const under = ({ headings }: Section): boolean => above.every((one, i) => headings[i] === one);
  let first = at;
  let last = at;
  while (first > 0 && under(sections[first - 1] ?? { headings: [], segments: [] })) first -= 1;
  while (under(sections[last + 1] ?? { headings: [], segments: [] })) last += 1;
  const family = sections.slice(first, last + 1).flatMap(({ segments }) => segments);
  return fits(family, SHORT_SECTION) ? family : [...own.segments];
}

function cutTo(match: MatchedBlock, segments: readonly SourceSegment[]): SourceSegment[] {
  const kept: SourceSegment[] = [];
  let words = 0;
  for (const segment of segments) {
    words += wordsIn(match, [segment]);
    if (kept.length > 0 && words > MOST_WORDS) break;
    kept.push(segment);
  }
  return kept;
}

/** The command first: the code that speaks most of what is asked stands before all else. */
function propose(material: Material, best: MatchedBlock, plainly: number): Proposal | null {
  const { document } = best;
  const { text: question } = material.question;
  const segments = chosenSegments(best).filter(
    ({ start, end }) => !isInstruction(document.text, { start, end }, question),
  );
  if (segments.length === 0) return null;
  const { markdown, citations } = layOutSegments(document, segments, 1);
  // What did not ask in so many words must be what the section is headed with.
  const meant = plainly < 1 ? best.headed : 1;
  return { markdown, citations, confidence: meant * best.coverage * WORTH[kindOf(best)] };
}
