import { composeAnswer, NO_ANSWER } from './answer.ts';
import type { AnswerOptions } from './answer.ts';
import { detectLanguage } from '../analysis/languages.ts';
import { escapeMarkdown } from './markdown.ts';
import type { Question } from '../question/question.ts';
import { countWords } from './quote.ts';
import type { RankedPassage } from '../ranking/rank.ts';
import type { Answer, Citation } from '../types.ts';
import { ANSWER } from '../ranking/weights.ts';
import { termsOf, wordsOf } from '../analysis/words.ts';

/** A part of a question, analysed, with what was found for it. */
export interface PartOfQuestion {
  /** As it was asked: how the answer speaks of it. */
  asked: string;
  question: Question;
  passages: readonly RankedPassage[];
}

/** A stretch of an answer's Markdown that ends with its citations. */
interface Stretch {
  text: string;
  citations: Citation[];
}

const REFERENCE = /(?<!\\)\[(\d+)\]/gu;
/** Sentences beside the direct ones of all parts. */
const SUPPORTING = 2;

/** What is said of parts that the files do not answer. */
export const unanswered = (asked: readonly string[]): string =>
  `${NO_ANSWER.replace(/\.$/u, '')}: ${asked.map((part) => `${escapeMarkdown(part)}?`).join(' ')}`;

/** An answer cut after each of its sentences; a table stays whole. */
function stretchesOf({ markdown, citations }: Answer): Stretch[] {
  if (markdown.startsWith('|')) return [{ text: markdown, citations: [...citations] }];
  const stretches: Stretch[] = [];
  let from = 0;
  for (const match of markdown.matchAll(REFERENCE)) {
    const end = match.index + match[0].length;
    const cited = citations.filter(({ n }) => n === Number(match[1]));
    stretches.push({ text: markdown.slice(from, end).trim(), citations: cited });
    from = end;
  }
  return stretches;
}

const sameQuote = (a: Citation, b: Citation): boolean =>
  a.artifactId === b.artifactId && a.start < b.end && b.start < a.end;

/**
 * Answers a question of several parts in one: first the direct sentence of each part, then what
 * supports them while there is room, and at the end, plainly, the parts that the files do not answer.
 */
export function composeParts(
  parts: readonly PartOfQuestion[],
  options: AnswerOptions = {},
): Answer {
  const answers = parts.map(({ question, passages }) => composeAnswer(question, passages, options));
  const missing = parts.filter((_, i) => answers[i]?.grounded !== true).map(({ asked }) => asked);
  if (missing.length === parts.length) {
    return { markdown: NO_ANSWER, citations: [], grounded: false };
  }
  const rest = missing.length === 0 ? '' : unanswered(missing);
  const found = answers.filter(({ grounded }) => grounded).map(stretchesOf);
  const leads = found.flatMap(([lead]) => (lead === undefined ? [] : [lead]));
  const support = found.flatMap(([, ...others]) => others).slice(0, SUPPORTING);
  const { blocks, citations } = withinLimits([...leads, ...support], countWords(rest));
  if (rest !== '') blocks.push(rest);
  return { markdown: blocks.join('\n\n'), citations, grounded: true };
}

/** As many stretches as there is room for, each thing said once, their citations counted anew. */
function withinLimits(stretches: readonly Stretch[], reserved: number) {
  const blocks: string[] = [];
  const citations: Citation[] = [];
  let words = reserved;
  for (const { text, citations: own } of stretches) {
    const count = countWords(text);
    const isNew = own.some((one) => !citations.some((old) => sameQuote(one, old)));
    if (!isNew || words + count > ANSWER.maxWords) continue;
    words += count;
    const from = citations.length + 1;
    const numberOf = (n: number): number => from + own.findIndex((one) => one.n === n);
    blocks.push(text.replace(REFERENCE, (_, n) => `[${numberOf(Number(n))}]`));
    citations.push(...own.map((one, i) => ({ ...one, n: from + i })));
  }
  return { blocks, citations };
}

/** Passages of several searches, the best of each first, each passage once. */
export function mergePassages<T extends { artifactId: string; start: number }>(
  lists: readonly (readonly T[])[],
): T[] {
  const merged = new Map<string, T>();
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let i = 0; i < longest; i += 1) {
    for (const list of lists) {
      const passage = list[i];
      if (passage === undefined) continue;
      const key = `${passage.artifactId}:${passage.start}`;
      if (!merged.has(key)) merged.set(key, passage);
    }
  }
  return [...merged.values()];
}

/**
 * The parts that an answer surely leaves out: it holds none of the words that only this part has, and
 * either one of them is a name or a number, or the answer has fewer sentences than there are parts.
 */
export function uncoveredParts(
  parts: readonly PartOfQuestion[],
  { markdown, citations }: Pick<Answer, 'markdown' | 'citations'>,
): PartOfQuestion[] {
  const text = [markdown, ...citations.map(({ quote }) => quote)].join('\n');
  const own = detectLanguage(text);
  const held = new Set(
    wordsOf(text).words.flatMap((word) =>
      [own, ...(parts[0]?.question.languages ?? [])].flatMap((language) => termsOf(word, language)),
    ),
  );
  const said = markdown.match(/(?<!\\)\[\d+\](?!\[)/gu)?.length ?? 0;
  return parts.filter((part) => {
    const others = new Set(
      parts.filter((other) => other !== part).flatMap(({ question }) => question.query.split(' ')),
    );
    const fresh = part.question.terms.filter(
      ({ variants }) => !variants.some((variant) => others.has(variant)),
    );
    const telling = fresh.length > 0 ? fresh : part.question.terms;
    if (telling.some(({ variants }) => variants.some((variant) => held.has(variant)))) return false;
    return fresh.some(({ name }) => name) || said < parts.length;
  });
}
