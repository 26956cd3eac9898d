import { memoize } from '../memoize.ts';
import type { Question } from '../question/question.ts';
import { matchesDate } from '../question/dates.ts';
import { CAPITAL, termsOf, type Word } from '../text/words.ts';

export interface Match {
  exact: readonly number[];
  soft: readonly number[];
  /** Names of the question that are written without a capital here. */
  lowered: readonly number[];
}

export type Matcher = (word: Word) => Match | null;

/** Weight of a similar word. */
export const SOFT = 0.5;
/** Letters that two stems must share at their start, and their share of the longer one. */
const SOFT_HEAD = 4;
const SOFT_SHARE = 0.7;

export function createMatcher(question: Question): Matcher {
  const exact = new Map<string, number[]>();
  const byHead = new Map<string, { term: string; index: number }[]>();
  question.terms.forEach(({ variants, name }, index) => {
    for (const variant of variants) {
      exact.set(variant, [...(exact.get(variant) ?? []), index]);
      if (variant.length < SOFT_HEAD || (name && /\p{N}/u.test(variant))) continue;
      const head = variant.slice(0, SOFT_HEAD);
      byHead.set(head, [...(byHead.get(head) ?? []), { term: variant, index }]);
    }
  });
  const isKnown = (term: string): boolean =>
    exact.has(term) || byHead.has(term.slice(0, SOFT_HEAD));
  const isNear = (word: Word): boolean =>
    question.languages.some((language) => termsOf(word, language).some(isKnown));
  const match = (word: Word): Match | null => {
    // Most words match nothing.
    if (question.dates.length === 0 && !isNear(word)) return null;
    const terms = question.languages.flatMap((language) => termsOf(word, language));
    const [equal, soft, lowered] = [new Set<number>(), new Set<number>(), new Set<number>()];
    for (const term of terms) {
      for (const index of exact.get(term) ?? []) {
        // 'doctors' is probably not the Doctor in the question.
        const isCommon = question.terms[index]?.capital === true && (word.shape & CAPITAL) === 0;
        (isCommon ? lowered : equal).add(index);
      }
      for (const near of byHead.get(term.slice(0, SOFT_HEAD)) ?? []) {
        if (sharesBeginning(near.term, term)) soft.add(near.index);
      }
    }
    for (const { range, terms } of question.dates) {
      if (matchesDate(word.lower, range)) for (const index of terms) equal.add(index);
    }
    if (equal.size + soft.size + lowered.size === 0) return null;
    return { exact: [...equal], soft: [...soft.difference(equal)], lowered: [...lowered] };
  };
  return memoize(match);
}

/** Whether two stems share most of their beginning: coloni and colonial. */
function sharesBeginning(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  let common = 0;
  while (common < shorter && a.charCodeAt(common) === b.charCodeAt(common)) common += 1;
  return common >= SOFT_SHARE * Math.max(a.length, b.length);
}
