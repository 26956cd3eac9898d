import { memoize } from '../memoize.ts';
import type { Question } from '../question/question.ts';
import { saysDate } from '../question/dates.ts';
import { CAPITAL, termsOf, type Word } from '../text/words.ts';

export interface Match {
  exact: readonly number[];
  /** By a common beginning. */
  soft: readonly number[];
  /** Names of the question that are written here without a capital. */
  lowered: readonly number[];
}

/** Matches a word to a question's terms; null where it matches none. */
export type Matcher = (word: Word) => Match | null;

/** What a word that is only like a term counts beside the term itself. */
export const SOFT = 0.5;
/** Letters that two stems must share at their head, and their least share of the longer one. */
const SOFT_HEAD = 4;
const SOFT_SHARE = 0.7;

export function createMatcher(question: Question): Matcher {
  const exact = new Map<string, number[]>();
  const byHead = new Map<string, { term: string; at: number }[]>();
  question.terms.forEach(({ variants, name }, at) => {
    for (const variant of variants) {
      exact.set(variant, [...(exact.get(variant) ?? []), at]);
      if (variant.length < SOFT_HEAD || (name && /\p{N}/u.test(variant))) continue;
      const head = variant.slice(0, SOFT_HEAD);
      byHead.set(head, [...(byHead.get(head) ?? []), { term: variant, at }]);
    }
  });
  const isKnown = (term: string): boolean =>
    exact.has(term) || byHead.has(term.slice(0, SOFT_HEAD));
  const isNear = (word: Word): boolean =>
    question.languages.some((language) => termsOf(word, language).some(isKnown));
  const match = (word: Word): Match | null => {
    // Most words of a passage are none of the question.
    if (question.dates.length === 0 && !isNear(word)) return null;
    const terms = question.languages.flatMap((language) => termsOf(word, language));
    const [found, soft, lowered] = [new Set<number>(), new Set<number>(), new Set<number>()];
    for (const term of terms) {
      for (const at of exact.get(term) ?? []) {
        // 'doctors' is hardly the Doctor that a question names.
        const isCommon = question.terms[at]?.capital === true && (word.shape & CAPITAL) === 0;
        (isCommon ? lowered : found).add(at);
      }
      for (const near of byHead.get(term.slice(0, SOFT_HEAD)) ?? []) {
        if (sharesBeginning(near.term, term)) soft.add(near.at);
      }
    }
    for (const { range, terms } of question.dates) {
      if (saysDate(word.lower, range)) for (const at of terms) found.add(at);
    }
    if (found.size + soft.size + lowered.size === 0) return null;
    return { exact: [...found], soft: [...soft.difference(found)], lowered: [...lowered] };
  };
  return memoize(match);
}

/** Two stems of one family, coloni and colonial: the common beginning is most of the longer one. */
function sharesBeginning(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  let common = 0;
  while (common < shorter && a.charCodeAt(common) === b.charCodeAt(common)) common += 1;
  return common >= SOFT_SHARE * Math.max(a.length, b.length);
}
