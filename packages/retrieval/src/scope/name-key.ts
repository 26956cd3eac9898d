import { fold } from '../languages/fold.ts';

/** What names are compared by: letters and digits alone, without accents and case. */
export const keyOf = (text: string): string =>
  fold(text.normalize('NFKC').toLowerCase()).replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
