import { analyzePassage } from '../analysis/passage-analysis.ts';
import { splitSentences } from '../analysis/sentences.ts';
import type { Span } from '../analysis/sentences.ts';
import { withoutInstructions } from '../question/instructions-in-text.ts';
import type { Question } from '../question/question.ts';
import { rowWords } from '../question/rows-asked.ts';
import { createMatcher } from '../ranking/matching.ts';
import { plainText, questionMass } from '../ranking/rank.ts';
import type { RankedPassage } from '../ranking/rank.ts';
import type { Citation } from '../types.ts';
import { citationAt } from './citation.ts';
import { boldIn, escapeMarkdown } from './markdown.ts';
import type { Answerer, Material } from './material.ts';
import { countWords, isLong, quoteOf, readableRow } from './quote.ts';
import { lacksKind, namesIn, valuesIn, wantedKinds } from './value-kind.ts';
import { CHOICE, GATE, LENIENCE } from './weights.ts';
import { type AnswerWindow, hasFields, windowsOf } from './windows.ts';

/** A window with its worth beside the others. */
export interface Candidate {
  window: AnswerWindow;
  score: number;
}

const CHOICE_WEIGHTS = Object.entries(CHOICE) as [keyof typeof CHOICE, number][];

/** A window with a value of the asked kind goes before those without that score so much more. */
const MOST_PASSED = 2;
const MOST_LOOKED_AT = 10;

/** What may answer, best first; nothing that gives orders to a model. */
function candidatesOf(
  question: Question,
  ranked: readonly RankedPassage[],
  librarySize: number,
): Candidate[] {
  const stated = new Map<RankedPassage, string>();
  const isOrder = (passage: RankedPassage, { start, end }: Span): boolean => {
    const { text } = passage;
    const known = stated.get(passage);
    const said = known ?? withoutInstructions(text, splitSentences(text), question.text);
    if (known === undefined) stated.set(passage, said);
    return said.slice(start, end) !== text.slice(start, end);
  };
  const sorted = windowsOf(question, ranked, librarySize)
    .flatMap((window): Candidate[] => {
      const { passage } = window;
      const orders = window.parts.findIndex((part) => isOrder(passage, part));
      if (orders === 0) return [];
      const parts = orders === -1 ? window.parts : window.parts.slice(0, orders);
      const score = CHOICE_WEIGHTS.reduce(
        (sum, [name, weight]) => sum + weight * window.features[name],
        0,
      );
      return [{ window: { ...window, parts }, score }];
    })
    .sort((a, b) => b.score - a.score);
  const least = (sorted[0]?.score ?? 0) - MOST_PASSED;
  const fitting = sorted
    .slice(0, MOST_LOOKED_AT)
    .findIndex(({ window, score }) => score >= least && !lacksKind(question, textOf(window)));
  return fitting < 1 ? sorted : [...sorted.splice(fitting, 1), ...sorted];
}

/** What the gate weighs of the best candidate; see WindowFeatures for those of the same names. */
export type GateFeatures = Record<keyof typeof GATE, number>;

const MOST_MARGIN = 3;

const textOf = ({ passage, parts }: AnswerWindow): string =>
  parts.map(({ start, end }) => passage.text.slice(start, end)).join('\n');

/** What a window answers, as far as that can be told: its value, or else all of it. */
function saidIn(question: Question, window: AnswerWindow): string {
  const value = valueIn(question, window);
  return value === null ? textOf(window) : window.passage.text.slice(value.start, value.end);
}

/** A second file that says the same does not make an answer less likely. */
const saysThat = (window: AnswerWindow, said: string): boolean =>
  ` ${plainText(textOf(window))} `.includes(` ${plainText(said)} `);

/** What the gate weighs, of candidates that are sorted; null where there is none. */
export function gateFeatures(
  question: Question,
  candidates: readonly Candidate[],
): GateFeatures | null {
  const [best] = candidates;
  if (best === undefined) return null;
  const { passage, features } = best.window;
  const said = saidIn(question, best.window);
  const other = candidates.find(
    ({ window }) =>
      window.passage.artifactId !== passage.artifactId &&
      (window.features.typed > 0 || features.typed === 0) &&
      !saysThat(window, said),
  );
  const margin = Math.min(
    MOST_MARGIN,
    other === undefined ? MOST_MARGIN : best.score - other.score,
  );
  const { cover, own, lack, absent, nameless } = features;
  const mass = Math.log(1 + questionMass(question));
  return {
    bias: 1,
    cover,
    own,
    lack,
    absent,
    nameless,
    typed: Number(features.typed === 1),
    untyped: Number(features.typed === 0),
    rarity: Math.min(2, features.rarity),
    // How much better it is than the best of another file that says something else of the kind.
    margin: margin / MOST_MARGIN,
    mass,
    coveredMass: cover * mass,
  };
}

const GATE_WEIGHTS = Object.entries(GATE) as [keyof GateFeatures, number][];

/** What says that several figures are added up. */
const ADDED_UP = new RegExp(rowWords('sum'), 'iu');

/** What is taken off where several figures are to be added up, and one alone is given. */
const PARTIAL = 2;

/** What a number or code costs that was asked about and stands nowhere in the file. */
const NUMBERLESS = 3;

/** What is added where little of what was asked is absent from the file. */
const leniencyOf = (absent: number): number =>
  LENIENCE.said *
  Math.min(1, Math.max(0, (LENIENCE.none - absent) / (LENIENCE.none - LENIENCE.all)));

/** What is taken off for what a library of so many chunks holds by chance. */
const byChance = (chunks: number): number =>
  Math.min(LENIENCE.most, LENIENCE.fall * Math.max(0, Math.log(chunks / LENIENCE.large))) -
  LENIENCE.rise * Math.max(0, Math.log(LENIENCE.tiny / Math.max(1, chunks)));

function confidenceOf(
  question: Question,
  candidates: readonly Candidate[],
  librarySize: number,
): number {
  const features = gateFeatures(question, candidates);
  const [best] = candidates;
  if (features === null || best === undefined) return 0;
  const said = textOf(best.window);
  if (lacksKind(question, said)) return 0;
  const isPartial = ADDED_UP.test(question.text) && !ADDED_UP.test(said);
  const z = GATE_WEIGHTS.reduce(
    (sum, [name, weight]) => sum + weight * features[name],
    leniencyOf(features.absent) -
      byChance(librarySize) -
      NUMBERLESS * best.window.features.numberless -
      PARTIAL * Number(isPartial),
  );
  return 1 / (1 + Math.exp(-z));
}

/**
 * How likely it is that a value asked for stands in the best window, between 0 and 1: a logistic
 * model (see GATE) over how the window fits the question.
 *
 * @param librarySize chunks in the library: in a large one more is found by chance
 */
export function answerConfidence(
  question: Question,
  ranked: readonly RankedPassage[],
  librarySize: number,
): number {
  return confidenceOf(question, candidatesOf(question, ranked, librarySize), librarySize);
}

/** The places nearest to an answer, shown where none is sure enough. */
const NEAREST = 3;

const coreOf = ({ passage, parts: [core] }: AnswerWindow): string =>
  core === undefined ? '' : passage.text.slice(core.start, core.end);

/** How much less a second statement may score that stands beside the best one. */
const SECOND = 2;

/** The best window and, where it is about as good, a second one. */
function withSecond(candidates: readonly Candidate[], best: Candidate): AnswerWindow[] {
  const { passage, parts } = best.window;
  const second = candidates.find(
    ({ window }) =>
      window.features.heading === 0 &&
      !saysThat(best.window, coreOf(window)) &&
      (window.passage !== passage ||
        window.parts.every(({ start }) => parts.every((part) => part.start !== start))),
  );
  const [part] = second?.window.parts ?? [];
  if (second === undefined || part === undefined || second.score < best.score - SECOND)
    return [best.window];
  const { window } = second;
  if (hasFields(window.passage.text, part)) return [best.window];
  return [best.window, { ...window, parts: [part] }];
}

/** A value: what says it, quoted from one place, with the value in bold. */
export const answerValue: Answerer = ({ question, ranked, librarySize }) => {
  const candidates = candidatesOf(question, ranked, librarySize);
  const [best] = candidates;
  if (best === undefined) return null;
  const { markdown, citations } = layOut(question, withSecond(candidates, best));
  const confidence = confidenceOf(question, candidates, librarySize);
  return { markdown, citations, confidence };
};

/** The places that come nearest to answering, best first, one of each passage. */
export function nearestPlaces({ question, ranked, librarySize }: Material): Citation[] {
  return candidatesOf(question, ranked, librarySize)
    .slice(0, NEAREST)
    .flatMap(({ window: { passage, parts } }, i) => {
      const [first] = parts;
      const last = parts.at(-1);
      if (first === undefined || last === undefined) return [];
      const whole = { start: first.start, end: last.end };
      const span = quoteOf(question, passage.text, whole);
      return [citationAt(passage, span, i + 1)];
    });
}

/** Characters of one block, which is cited once. */
const MOST_TOGETHER = 280;
/** Words of a value's answer at most. */
const MOST_WORDS = 110;

/** A block for each window: its sentences as far as they are easily read; fields one under the other. */
function layOut(
  question: Question,
  windows: readonly AnswerWindow[],
): { markdown: string; citations: Citation[] } {
  const citations: Citation[] = [];
  const blocks: string[] = [];
  let left = MOST_WORDS;
  for (const window of windows) {
    const { text } = window.passage;
    const [first] = window.parts;
    const parts = window.parts.filter(
      ({ end }, i) =>
        i === 0 || escapeMarkdown(text.slice(first?.start, end)).length <= MOST_TOGETHER,
    );
    const bold = valueIn(question, { ...window, parts });
    const { span, markdown } = written(question, text, parts, bold);
    left -= countWords(markdown);
    if (left < 0 && blocks.length > 0) break;
    const n = citations.length + 1;
    citations.push(citationAt(window.passage, span, n));
    blocks.push(`${markdown} [${n}]`);
  }
  return { markdown: blocks.join('\n\n'), citations };
}

/** Parts as Markdown, and the stretch of the text that is shown. */
function written(
  question: Question,
  text: string,
  parts: readonly Span[],
  bold: Span | null,
): { span: Span; markdown: string } {
  const span = { start: parts[0]?.start ?? 0, end: parts.at(-1)?.end ?? 0 };
  const said = parts.map((part) => readableRow(text, part) ?? boldIn(text, part, bold));
  const whole = said.join(' ');
  if (isLong(whole)) {
    const { markdown, ...part } = quoteOf(question, text, span);
    return { span: part, markdown };
  }
  const areLines = parts.length > 1 && parts.every((part) => hasFields(text, part));
  return { span, markdown: areLines ? said.map((line) => `- ${line}`).join('\n') : whole };
}

/** The value in a window that stands nearest to a word of the question; null where the kind is open. */
function valueIn(question: Question, { passage: { text }, parts }: AnswerWindow): Span | null {
  const kinds = wantedKinds(question);
  const spans = parts.flatMap(({ start, end }) => {
    const said = text.slice(start, end);
    const found =
      kinds.length > 0
        ? valuesIn(said, kinds, question)
        : question.type === 'person'
          ? namesIn(said, question)
          : [];
    return found.map((span) => ({ start: start + span.start, end: start + span.end }));
  });
  if (spans.length < 2) return spans[0] ?? null;
  const matcher = createMatcher(question);
  const { tokens } = analyzePassage(text);
  const words = tokens.words.flatMap((word, i) => {
    const at = tokens.starts[i] ?? 0;
    const within = parts.some(({ start, end }) => at >= start && at < end);
    return within && matcher.match(word) !== null ? [at] : [];
  });
  const distance = ({ start, end }: Span): number =>
    Math.min(...words.map((at) => (at < start ? start - at : at >= end ? at - end : 0)));
  return spans.reduce((best, span) => (distance(span) < distance(best) ? span : best));
}
