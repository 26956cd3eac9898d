import { covers } from './choose-evidence.ts';
import { cutText, defuse, estimateTokens, fence, type Showable } from './fences.ts';

/** Passages are cut to this many tokens at least, or left out: less says too little. */
const SMALLEST_PASSAGE = 40;

/** What a model has before it while it answers one question. */
export interface Desk {
  /** What it was shown, `[n]` being the n-th; perhaps cut at the end. */
  shown: readonly Showable[];
  /** Tokens that may still be shown. */
  left(): number;
  /**
   * Lays out evidence, the best first, as far as it fits into so many tokens and into what is left.
   * What lies there already is named by its number. Answers the fenced text.
   */
  lay(items: readonly Showable[], tokens?: number): string;
  /** Lays out a text of its own, cut where it does not fit. Answers it with its fence. */
  note(text: string): string;
}

/** The beginning of a passage that fits; null when too little would be left. */
function cutTo(item: Showable, n: number, tokens: number): Showable | null {
  const around = estimateTokens(fence({ ...item, text: '' }, n));
  if (around + estimateTokens(defuse(item.text)) <= tokens) return item;
  // A figure without its end says less than nothing.
  if (item.figure !== undefined || tokens - around < SMALLEST_PASSAGE) return null;
  let text = cutText(item.text, tokens - around);
  // Defusing may lengthen a text by some tokens.
  while (around + estimateTokens(defuse(text)) > tokens && text.length > 1) {
    text = cutText(text, estimateTokens(text) - 8);
  }
  const places = item.places.filter(({ offset }) => offset < text.length);
  return { ...item, text, end: item.start + text.length, places };
}

/** @param tokens that all which is laid out may take together, as estimated */
export function createDesk(tokens: number): Desk {
  const shown: Showable[] = [];
  let left = tokens;

  function layOne(item: Showable, most: number): string {
    const n = shown.length + 1;
    const cut = cutTo(item, n, most);
    if (cut === null) return '';
    shown.push(cut);
    return fence(cut, n);
  }

  return {
    shown,
    left: () => left,
    lay(items, most = Infinity) {
      let room = Math.min(left, most);
      const laid: string[] = [];
      const known = new Set<number>();
      for (const item of items) {
        const before = shown.findIndex((other) => covers(other, item));
        if (before >= 0) {
          known.add(before + 1);
          continue;
        }
        const text = layOne(item, room);
        if (text === '') continue;
        laid.push(text);
        const taken = estimateTokens(text);
        room -= taken;
        left -= taken;
      }
      const found = [...known].join(', ');
      return [...laid, ...(found === '' ? [] : [`Found again: ${found}.`])].join('\n\n');
    },
    note(text) {
      if (text === '') return '';
      const said = `<note>\n${cutText(defuse(text), left - 10)}\n</note>`;
      left -= estimateTokens(said);
      return said;
    },
  };
}
