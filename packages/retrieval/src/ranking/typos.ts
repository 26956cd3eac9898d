import { fold } from '../languages/fold.ts';
import { foldersOf } from '../scope/names.ts';
import { type Question, TERM_WEIGHTS } from '../question/question.ts';
import type { Passage } from '../types.ts';

/** Letters of a word to search for, because endings change. */
const HEAD = 5;
/** Minimum length of words with one typo, and with two. */
const MIN_LENGTH = 5;
const LONG_LENGTH = 9;

/** Terms of the question that no passage has and that may be typos. */
export function unfoundTerms(
  { terms }: Question,
  passages: readonly Pick<Passage, 'text' | 'fileName' | 'path' | 'headings'>[],
): string[] {
  const candidates = terms.filter(
    ({ surface, weight }) =>
      weight > TERM_WEIGHTS.answerKind && surface.length >= MIN_LENGTH && /^\p{L}+$/u.test(surface),
  );
  if (candidates.length === 0) return [];
  const texts = passages.map(({ text, fileName, path, headings }) =>
    [fileName, foldersOf(path), ...headings, text].join('\n').toLowerCase(),
  );
  return candidates.flatMap(({ surface, variants }) => {
    const heads = [surface.toLowerCase(), fold(surface.toLowerCase()), ...variants].map((form) =>
      form.slice(0, Math.max(HEAD, form.length - 2)),
    );
    const isFound = texts.some((text) => heads.some((head) => text.includes(head)));
    return isFound ? [] : variants.filter((variant) => variant.length >= MIN_LENGTH);
  });
}

/** Adds the closest index terms to the unfound terms of a question. */
export function correctTypos(
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
  const candidates = similar
    .filter((term) => isTypo(wrong, term))
    .map((term) => ({ term, apart: distance(wrong, term) }));
  const minDistance = Math.min(...candidates.map(({ apart }) => apart));
  return candidates.flatMap(({ term, apart }) => (apart === minDistance ? [term] : []));
}

/** Whether two terms differ by one typo, or two in a long word. */
export function isTypo(a: string, b: string): boolean {
  const allowed = a.length >= LONG_LENGTH ? 2 : 1;
  if (Math.abs(a.length - b.length) > allowed || a.charCodeAt(0) !== b.charCodeAt(0)) return false;
  return distance(a, b) <= allowed;
}

/** Optimal string alignment distance: insertions, deletions, substitutions, swapped neighbors. */
function distance(a: string, b: string): number {
  let previous: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let cost = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped =
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (swapped) cost = Math.min(cost, (previous[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    [previous, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
