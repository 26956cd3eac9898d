import { fold } from '../languages/fold.ts';
import { foldersOf } from '../scope/folders.ts';
import type { Question } from '../question/question.ts';
import { TERM_WEIGHTS } from '../question/question-term.ts';
import { distance, isTypo } from './matching.ts';
import { MATCHING } from './weights.ts';
import type { Passage } from '../types.ts';

/** Letters at a word's head by which a text is searched for it: endings change. */
const HEAD = 5;

/**
 * The index terms of a question's words that no passage found has, and that may be misspelt: names
 * and plain words of some length. Hardly any question has such, which is told at little cost.
 */
export function unfoundTerms(
  { terms }: Question,
  passages: readonly Pick<Passage, 'text' | 'fileName' | 'path' | 'headings'>[],
): string[] {
  const wanted = terms.filter(
    ({ surface, weight }) =>
      weight > TERM_WEIGHTS.answerKind &&
      surface.length >= MATCHING.typoLength &&
      /^\p{L}+$/u.test(surface),
  );
  if (wanted.length === 0) return [];
  const texts = passages.map(({ text, fileName, path, headings }) =>
    [fileName, foldersOf(path), ...headings, text].join('\n').toLowerCase(),
  );
  return wanted.flatMap(({ surface, variants }) => {
    const heads = [surface.toLowerCase(), fold(surface.toLowerCase()), ...variants].map((form) =>
      form.slice(0, Math.max(HEAD, form.length - 2)),
    );
    const found = texts.some((text) => heads.some((head) => text.includes(head)));
    return found ? [] : variants.filter((variant) => variant.length >= MATCHING.typoLength);
  });
}

/**
 * A question whose unfound terms (see unfoundTerms) are also those that they may be misspellings of:
 * of these the nearest count as the word itself.
 *
 * @param similar index terms that are like some of the unfound ones
 */
export function mendQuestion(
  question: Question,
  unfound: readonly string[],
  similar: readonly string[],
): Question {
  const terms = question.terms.map((term) => {
    const wrong = term.variants.filter((variant) => unfound.includes(variant));
    const meant = wrong.flatMap((variant) => nearest(variant, similar));
    return meant.length === 0
      ? term
      : { ...term, variants: [...new Set([...term.variants, ...meant])] };
  });
  const query = [...new Set(terms.flatMap(({ variants }) => variants))].join(' ');
  return { ...question, terms, query };
}

function nearest(wrong: string, similar: readonly string[]): string[] {
  const like = similar
    .filter((term) => isTypo(wrong, term))
    .map((term) => ({ term, apart: distance(wrong, term) }));
  const least = Math.min(...like.map(({ apart }) => apart));
  return like.flatMap(({ term, apart }) => (apart === least ? [term] : []));
}
