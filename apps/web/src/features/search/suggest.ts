import { QUESTION_LIMIT } from '@engram/contract/browser';

export interface Match {
  suggestion: string;
  /** The offsets of the typed word, in UTF-16 units. */
  start: number;
  end: number;
}

/** Letters of the last word before anything is suggested. */
const SHORTEST_WORD = 3;
const SHOWN = 8;

/** For comparing: file names of a Mac have letters and accents apart. */
const fold = (text: string): string => text.normalize('NFC').toLowerCase();

const lastWord = (text: string): string => /(?<!\S)\S+$/u.exec(text)?.[0] ?? '';

/**
 * The rank of a suggestion, lower is better: it continues the whole text, begins with the word, has a
 * word that begins with it, or contains it.
 */
function rankOf(folded: string, at: number, text: string): number {
  if (folded.startsWith(text)) return 0;
  if (at === 0) return 1;
  return /[\p{L}\p{N}]/u.test(folded[at - 1] ?? '') ? 3 : 2;
}

export function matchSuggestions(suggestions: readonly string[], text: string): Match[] {
  const word = fold(lastWord(text));
  if ([...word].length < SHORTEST_WORD) return [];
  const whole = fold(text.trimStart());
  const ranked: Match[][] = [[], [], [], []];
  for (const suggestion of suggestions) {
    const folded = fold(suggestion);
    const at = folded.indexOf(word);
    if (at === -1 || folded === whole) continue;
    // Folding changes the length of a few letters, and the offsets with it.
    const exact = folded.length === suggestion.length;
    const [start, end] = exact ? [at, at + word.length] : [0, 0];
    ranked[rankOf(folded, at, whole)]?.push({ suggestion, start, end });
  }
  const shown: Match[] = [];
  for (const match of ranked.flat()) {
    if (shown.length === SHOWN) break;
    if (complete(text, match.suggestion).length <= QUESTION_LIMIT) shown.push(match);
  }
  return shown;
}

/** The end of the text that the suggestion begins with, at least the last word. */
function replaced(text: string, suggestion: string): string {
  const folded = fold(suggestion);
  const tails = [...text.matchAll(/(?<!\S)\S/gu)].map(({ index }) => text.slice(index));
  return tails.find((tail) => folded.startsWith(fold(tail))) ?? lastWord(text);
}

/** The text completed by a suggestion. A whole question replaces all of it. */
export function complete(text: string, suggestion: string): string {
  if (/[?？]\s*$/u.test(suggestion)) return suggestion;
  return text.slice(0, text.length - replaced(text, suggestion).length) + suggestion;
}
