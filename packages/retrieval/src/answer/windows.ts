import { fieldsAt } from '../analysis/fields.ts';
import type { Sentence } from '../analysis/passage-analysis.ts';
import type { Span } from '../analysis/sentences.ts';
import { askedOf, wordsOfName } from '../question/asked.ts';
import type { Question } from '../question/question.ts';
import { hasAnswerOfType } from '../ranking/answer-types.ts';
import { matchPassages, termWeights } from '../ranking/hits.ts';
import type { Hits } from '../ranking/hits.ts';
import type { Matcher } from '../ranking/matching.ts';
import { questionMass } from '../ranking/rank.ts';
import type { RankedPassage } from '../ranking/rank.ts';
import { withOtherWords } from './other-words.ts';
import { kindFit, wantedKinds } from './value-kind.ts';
import type { ValueKind } from './value-kind.ts';

/** A sentence, row or field that may answer, with what it needs to be read. */
export interface AnswerWindow {
  passage: RankedPassage;
  /** The sentence and what goes on with it, in their order, as offsets in the passage's text. */
  parts: Span[];
  features: WindowFeatures;
}

/** What speaks for a window as the answer; all but `rarity` and `sentence` are between 0 and 1. */
export interface WindowFeatures {
  /** Share of what was asked, by rarity, that stands in it or, counting less, near or above it. */
  cover: number;
  /** … in the sentence itself. */
  own: number;
  /** Share of what is wanted of the thing asked about ('price' of 'the price of the car') in it. */
  focus: number;
  /** … in the name of a field of it. */
  label: number;
  /** The rarest thing asked that stands neither in it nor near it, as a share of all. */
  lack: number;
  /** Share of what was asked that stands nowhere in what was found of the file. */
  absent: number;
  /** Share of the names, codes and numbers asked about that stand neither in it nor near it. */
  nameless: number;
  /** Share of the numbers and codes asked about that stand nowhere in what was found of the file. */
  numberless: number;
  /** 1 with something of the asked kind in it, 0 without, 0.5 where the kind is open. */
  typed: number;
  /** 1 for a heading or a line that announces what follows. */
  heading: number;
  /** How much less its sentence scores than the best of all, by what ranks them; at most 0. */
  sentence: number;
  /** The passage's score as a share of the best one's. */
  standing: number;
  /** The index's score for each word asked, over ln(1 + chunks): the worth of the rarest word. */
  rarity: number;
}

/** Passages looked at. */
const PASSAGES = 10;

/** What a word counts that stands not in a sentence but beside it, above it, or elsewhere. */
const BESIDE = 0.8;
const ABOVE = 0.7;
const CONTEXT = 0.8;
const ELSEWHERE = 0.4;

/** Prose shorter than this takes in what follows, up to the most. */
const LEAST_WORDS = 12;
const MOST_WORDS = 60;
/** Words that a sentence must say beyond the question's. */
const LEAST_FRESH = 2;
/** Words of a heading at most. */
const HEADING_WORDS = 12;

/** The question's words as they are weighed: by rarity among what was found, and by what is asked. */
interface Weighing {
  question: Question;
  matcher: Matcher;
  weights: Float64Array;
  total: number;
  names: number;
  focus: Float64Array;
  /** Those of numbers and codes; null without any. */
  numbers: Float64Array | null;
  kinds: readonly ValueKind[];
}

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);

/** Whether a term is a name, a code or a number; '5 May' is said in other ways, too. */
const isName = ({ terms, dates }: Question, term: number): boolean =>
  terms[term]?.name === true &&
  !dates.some(({ range, terms: said }) => range.openYear && said.includes(term));

function weigh(question: Question, matcher: Matcher, hits: readonly Hits[]): Weighing {
  const { demands, focus } = askedOf(question);
  const weights = termWeights(question, hits).map((weight, term) => weight * (demands[term] ?? 0));
  const numbers = weights.map((weight, term) => {
    const surface = question.terms[term]?.surface ?? '';
    return isName(question, term) && /\p{N}/u.test(surface) ? weight : 0;
  });
  return {
    question,
    matcher,
    numbers: numbers.some((weight) => weight > 0) ? numbers : null,
    weights,
    total: sum(weights) || 1,
    names: sum(weights.map((weight, term) => (isName(question, term) ? weight : 0))),
    focus: weights.map((weight, term) => weight * (focus[term] ?? 0)),
    kinds: wantedKinds(question),
  };
}

const shareOf = (weights: Float64Array, strengths: Float64Array): number => {
  const total = sum(weights);
  if (total === 0) return 0;
  return weights.reduce((said, weight, term) => said + weight * (strengths[term] ?? 0), 0) / total;
};

/**
 * The sentences of the best passages that may answer.
 *
 * @param librarySize chunks in the library
 */
export function windowsOf(
  question: Question,
  ranked: readonly RankedPassage[],
  librarySize: number,
): AnswerWindow[] {
  const { matcher, hits: found } = matchPassages(question, ranked);
  const hits = withOtherWords(question, ranked, found);
  const weighing = weigh(question, matcher, hits);
  const files = saidInFiles(ranked, hits);
  const best = ranked[0]?.score ?? 1;
  const top = Math.max(...ranked.map(({ sentences }) => sentences[0]?.score ?? -Infinity));
  const worthOfWord = questionMass(question) * Math.log(1 + Math.max(1, librarySize));
  return ranked.slice(0, PASSAGES).flatMap((passage, i): AnswerWindow[] => {
    const hit = hits[i];
    const file = files.get(passage.artifactId);
    if (hit === undefined || file === undefined) return [];
    const shared = {
      absent: 1 - shareOf(weighing.weights, file),
      numberless: weighing.numbers === null ? 0 : 1 - shareOf(weighing.numbers, file),
      standing: best > 0 ? passage.score / best : 0,
      rarity: (passage.scores['index'] ?? 0) / worthOfWord,
    };
    return judged(weighing, passage, hit).map(({ at, ...features }): AnswerWindow => ({
      passage,
      parts: partsFrom(weighing, passage.text, hit, at),
      features: {
        ...features,
        ...shared,
        sentence: (scoreAt(passage, hit.analysis.sentences[at]) - top) / SENTENCE_SCALE,
      },
    }));
  });
}

/** About the distance between the best sentence of a question and an ordinary one. */
const SENTENCE_SCALE = 10;

/** A sentence's score; those that were not kept are no better than the last that was. */
function scoreAt({ sentences }: RankedPassage, sentence: Sentence | undefined): number {
  const known = sentences.find(({ start }) => start === sentence?.start) ?? sentences.at(-1);
  return known?.score ?? -SENTENCE_SCALE;
}

/** How strongly each term stands anywhere in the passages found of each file. */
function saidInFiles(
  ranked: readonly RankedPassage[],
  hits: readonly Hits[],
): Map<string, Float64Array> {
  const files = new Map<string, Float64Array>();
  ranked.forEach(({ artifactId }, i) => {
    const whole = hits[i]?.whole ?? new Float64Array();
    const known = files.get(artifactId);
    files.set(artifactId, known?.map((said, term) => Math.max(said, whole[term] ?? 0)) ?? whole);
  });
  return files;
}

/** The sentences of a passage that have to do with what is asked, by what they say. */
function judged(weighing: Weighing, { text }: RankedPassage, hits: Hits) {
  const { question, weights, total, names, focus } = weighing;
  const count = weights.length;
  const { sentences } = hits.analysis;
  const none = new Float64Array(count);
  const ownAt = (at: number): Float64Array => hits.cover.subarray(at * count, (at + 1) * count);
  const headings = sentences.map((sentence) => isHeading(text, sentence));
  const title = ownAt(0);
  let above: Float64Array = Float64Array.from(title);
  return sentences.flatMap((sentence, at) => {
    const label = labelIn(weighing, text, sentence);
    const own = ownAt(at).map((said, term) => Math.max(said, label?.said[term] ?? 0));
    const before = at === 0 ? none : ownAt(at - 1);
    const after = at + 1 === sentences.length || headings[at + 1] === true ? none : ownAt(at + 1);
    if (headings[at] === true) {
      // What stands under another heading tells of another thing.
      above = Float64Array.from(title);
    }
    const near = own.map((said, term) =>
      Math.max(
        said,
        BESIDE * Math.max(headings[at] === true ? 0 : (before[term] ?? 0), after[term] ?? 0),
        ABOVE * (above[term] ?? 0),
        CONTEXT * (hits.context[term] ?? 0),
        ELSEWHERE * (hits.whole[term] ?? 0),
      ),
    );
    raise(above, own);
    const cover = shareOf(weights, near);
    const says = freshIn(weighing, hits, sentence) > 0;
    const wordless = sentence.firstWord === sentence.endWord;
    if (wordless || cover === 0 || (!says && isRecord(text, sentence))) return [];
    let lack = 0;
    let nameless = 0;
    weights.forEach((weight, term) => {
      const missing = weight * (1 - (near[term] ?? 0));
      lack = Math.max(lack, missing);
      if (isName(question, term)) nameless += missing;
    });
    return [
      {
        at,
        cover,
        own: shareOf(weights, own),
        focus: shareOf(focus, own),
        label: label?.fit ?? 0,
        lack: lack / total,
        nameless: names === 0 ? 0 : nameless / names,
        typed: fitOf(weighing, text, hits, sentence),
        heading: Number(headings[at] === true),
      },
    ];
  });
}

function raise(into: Float64Array, own: Float64Array): void {
  own.forEach((said, term) => {
    if (said > (into[term] ?? 0)) into[term] = said;
  });
}

/** What the name of a field says of the question's words, and how well that fits. */
interface Label {
  said: Float64Array;
  /** Share of what is wanted that it says; no less than WHOLE where each of its words is asked. */
  fit: number;
}

const WHOLE = 0.6;

/** The field of a sentence whose name fits best; null without any. */
function labelIn({ focus, matcher }: Weighing, text: string, { start, end }: Span): Label | null {
  if (!/[:：\t|·]/u.test(text.slice(start, end))) return null;
  let best: Label | null = null;
  for (const { name, value } of fieldsAt(text, start, end)) {
    if (name === '' || value === '') continue;
    const said = new Float64Array(focus.length);
    const words = wordsOfName(name);
    const asked = words.filter((word) => {
      const match = matcher.match(word);
      const terms = [...(match?.exact ?? []), ...(match?.lowered ?? [])];
      for (const term of terms) said[term] = 1;
      return terms.length > 0;
    });
    const whole = words.length > 0 && asked.length === words.length ? WHOLE : 0;
    const fit = Math.max(shareOf(focus, said), whole);
    if (best === null || fit > best.fit) best = { said, fit };
  }
  return best;
}

/** A line without a value of its own that stands over what it names. */
function isHeading(text: string, { start, end, firstWord, endWord }: Sentence): boolean {
  const line = text.slice(start, end);
  if (/^#{1,6}\s/u.test(line) || /[:：]$/u.test(line)) return true;
  const alone = /^\s*\n/u.test(text.slice(end, end + 80)) && endWord - firstWord <= HEADING_WORDS;
  return alone && !/[.!?。！？:：\t|·,;]/u.test(line) && !/\d/u.test(line);
}

/** How many words of a sentence are not words of the question. A code is one word, with its parts. */
function freshIn(
  { matcher }: Weighing,
  { analysis }: Hits,
  { firstWord, endWord }: Sentence,
): number {
  const { words } = analysis.tokens;
  return words.slice(firstWord, endWord).filter((word) => matcher.match(word) === null).length;
}

/** 1 for a sentence with something of the asked kind in it, 0 for others, 0.5 where the kind is open. */
function fitOf(
  { question, matcher, kinds }: Weighing,
  text: string,
  { analysis }: Hits,
  sentence: Sentence,
): number {
  if (kinds.length > 0) return kindFit(text.slice(sentence.start, sentence.end), kinds, question);
  const fits = hasAnswerOfType(question.type, analysis, sentence, matcher);
  return fits === null ? 0.5 : Number(fits);
}

const wordsIn = ({ firstWord, endWord }: Sentence): number => endWord - firstWord;

/** Whether a sentence is a row or a field, which says something by itself. */
const isRecord = (text: string, sentence: Sentence): boolean =>
  sentence.kind === 'row' || hasFields(text, sentence);

/** Whether a stretch of a text names the value that it gives. */
export const hasFields = (text: string, { start, end }: Span): boolean =>
  fieldsAt(text, start, end).length > 0;

/** A sentence with what goes on with it: the rest of its line, and prose behind what is short. */
function partsFrom(weighing: Weighing, text: string, hits: Hits, at: number): Span[] {
  const { sentences } = hits.analysis;
  const first = sentences[at];
  if (first === undefined) return [];
  const chosen = [first];
  let words = wordsIn(first);
  const opens = isHeading(text, first) || freshIn(weighing, hits, first) < LEAST_FRESH;
  for (let i = at + 1; i < sentences.length; i += 1) {
    const next = sentences[i];
    const last = chosen.at(-1);
    if (next === undefined || last === undefined || words + wordsIn(next) > MOST_WORDS) break;
    const sameLine = !text.slice(last.end, next.start).includes('\n');
    const wanted = words < LEAST_WORDS || (sameLine && first.kind === 'item');
    const follows =
      sameLine ||
      (opens && chosen.length === 1) ||
      (next.kind === 'prose' && !isRecord(text, last));
    if (!wanted || !follows || isHeading(text, next)) break;
    chosen.push(next);
    words += wordsIn(next);
  }
  return chosen.map(({ start, end }) => ({ start, end }));
}
