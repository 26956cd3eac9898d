import { refuseKeyword } from '@engram/contract/browser';

/** Characters a keyword that is typed in the list may have. */
export const LIST_KEYWORD_LIMIT = 20;

export const sameKeyword = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Why a word typed in the list cannot be a keyword, as a sentence; null where it can. */
export function refuseTyped(typed: string): string | null {
  if ([...typed.trim()].length > LIST_KEYWORD_LIMIT) {
    return `A keyword can have at most ${LIST_KEYWORD_LIMIT} characters.`;
  }
  return refuseKeyword(typed);
}
