import type { Question } from '../question/question.ts';
import { saysDate } from '../question/dates.ts';
import { MATCHING } from './weights.ts';
import { CAPITAL, termsOf } from '../analysis/words.ts';
import type { Match, Word } from '../analysis/words.ts';

/** Tells what the words of passages have to do with the question. */
export interface Matcher {
  /** Null for nothing. */
  match: (word: Word) => Match | null;
}

const NONE: readonly number[] = [];
const NO_TERMS: readonly { term: string; at: number }[] = [];

/** Matches words to a question's terms; a word's result is remembered until another question asks. */
export function createMatcher(question: Question): Matcher {
  const exact = new Map<string, number[]>();
  const byHead = new Map<string, { term: string; at: number }[]>();
  question.terms.forEach(({ variants, name }, at) => {
    for (const variant of variants) {
      exact.set(variant, [...(exact.get(variant) ?? []), at]);
      if (variant.length < MATCHING.softHead || (name && /\p{N}/u.test(variant))) continue;
      const head = variant.slice(0, MATCHING.softHead);
      byHead.set(head, [...(byHead.get(head) ?? []), { term: variant, at }]);
    }
  });
  const match = (word: Word): Match | null => {
    // Most words of a passage are no word of the question: nothing is made for them.
    let found: Set<number> | null = null;
    let soft: Set<number> | null = null;
    let lowered: Set<number> | null = null;
    for (const language of question.languages) {
      for (const term of termsOf(word, language)) {
        for (const at of exact.get(term) ?? NONE) {
          // 'doctors' is hardly the Doctor that a question names.
          const common = question.terms[at]?.capital === true && (word.shape & CAPITAL) === 0;
          if (common) lowered = (lowered ?? new Set()).add(at);
          else found = (found ?? new Set()).add(at);
        }
        if (byHead.size === 0 || term.length < MATCHING.softHead) continue;
        for (const near of byHead.get(term.slice(0, MATCHING.softHead)) ?? NO_TERMS) {
          if (sharesBeginning(near.term, term)) soft = (soft ?? new Set()).add(near.at);
        }
      }
    }
    for (const { range, terms } of question.dates) {
      if (saysDate(word.lower, range)) for (const at of terms) found = (found ?? new Set()).add(at);
    }
    if (found === null && soft === null && lowered === null) return null;
    const unsure = [...(soft ?? NONE)].filter((at) => found?.has(at) !== true);
    return { exact: [...(found ?? NONE)], soft: unsure, lowered: [...(lowered ?? NONE)] };
  };
  return { match: remembering(match) };
}

let matchers = 0;

/** Remembers on the words themselves, which costs less than a map of all that passages hold. */
function remembering(match: Matcher['match']): Matcher['match'] {
  matchers += 1;
  const number = matchers;
  return (word) => {
    if (word.matcher !== number) {
      word.match = match(word);
      word.matcher = number;
    }
    return word.match;
  };
}

/** Two stems of one family, coloni and colonial: the common beginning is most of the longer one. */
function sharesBeginning(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  let common = 0;
  while (common < shorter && a.charCodeAt(common) === b.charCodeAt(common)) common += 1;
  return common >= MATCHING.softShare * Math.max(a.length, b.length);
}

/** Whether two terms may be one word, once misspelt: a letter apart, or two in a long word. */
export function isTypo(a: string, b: string): boolean {
  const allowed = a.length >= MATCHING.longTypoLength ? 2 : 1;
  if (Math.abs(a.length - b.length) > allowed || a.charCodeAt(0) !== b.charCodeAt(0)) return false;
  return distance(a, b) <= allowed;
}

/** Optimal string alignment distance: insertions, deletions, substitutions, swapped neighbours. */
export function distance(a: string, b: string): number {
  let before: number[] = [];
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
      if (swapped) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
