import { refuseKeyword } from '@engram/contract/browser';

/** Characters a keyword that is typed in the list may have. */
const LIST_KEYWORD_LIMIT = 20;

export const sameKeyword = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Why a word typed in the list cannot be a keyword, as a sentence; null where it can. */
export const refuseTyped = (typed: string): string | null =>
  [...typed.trim()].length > LIST_KEYWORD_LIMIT || refuseKeyword(typed) !== null
    ? `Keywords can only contain alphabets and numbers upto ${LIST_KEYWORD_LIMIT} characters.`
    : null;
