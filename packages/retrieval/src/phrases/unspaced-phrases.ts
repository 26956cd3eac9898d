import { stopWords } from '../analysis/languages.ts';
import { countSight } from './counts.ts';
import type { PhraseCounts } from './counts.ts';

/** Scripts in which nothing stands between words. */
const UNSPACED = new Set(['ja', 'zh', 'th', 'lo', 'km', 'my']);

export const writtenUnspaced = (language: string): boolean => UNSPACED.has(language);

/** Japanese writes names of things in Han and katakana, and what joins them in hiragana. */
const JAPANESE = /[\p{Script=Han}\p{Script=Katakana}ー々]+/gu;
const NUMERALS = /^[一二三四五六七八九十百千万億]+.?$/u;
/** Counted by characters: about two make a word. */
const CHARACTERS_PER_WORD = 2;
const SHORTEST = 4;
const LONGEST = 12;
/** How sure a compound in its script, and one in a heading, make a name. */
const COMPOUND = 0.5;
const HEADING = 2;
/** Words of Chinese or Thai in one phrase. */
const MOST_WORDS = 3;

const segmenters = new Map<string, Intl.Segmenter>();

function segmenterOf(language: string): Intl.Segmenter {
  let segmenter = segmenters.get(language);
  if (segmenter === undefined) {
    segmenter = new Intl.Segmenter(language, { granularity: 'word' });
    segmenters.set(language, segmenter);
  }
  return segmenter;
}

/** Counts the phrases of a text without spaces; answers about how many words it has. */
export function unspacedPhrases(
  text: string,
  language: string,
  heading: boolean,
  counts: PhraseCounts,
): number {
  return language === 'ja'
    ? countCompounds(text, heading, counts)
    : countNeighbours(text, language, heading, counts);
}

function countCompounds(text: string, heading: boolean, counts: PhraseCounts): number {
  for (const [surface] of text.matchAll(JAPANESE)) {
    const { length } = surface;
    if (length < SHORTEST || length > LONGEST || NUMERALS.test(surface)) continue;
    countSight(counts, {
      surface,
      length: length / CHARACTERS_PER_WORD,
      within: null,
      form: heading ? HEADING : COMPOUND,
    });
  }
  return text.length / CHARACTERS_PER_WORD;
}

function countNeighbours(
  text: string,
  language: string,
  heading: boolean,
  counts: PhraseCounts,
): number {
  const outside = stopWords(language);
  let run: string[] = [];
  let words = 0;
  const close = (): void => {
    const whole = run.join('');
    for (let start = 0; start < run.length; start += 1) {
      const last = Math.min(run.length, start + MOST_WORDS);
      for (let end = start + 2; end <= last; end += 1) {
        const surface = run.slice(start, end).join('');
        const form = heading && surface === whole ? HEADING : 0;
        const within = surface === whole ? null : whole;
        countSight(counts, { surface, length: end - start, within, form });
      }
    }
    run = [];
  };
  for (const { segment, isWordLike } of segmenterOf(language).segment(text)) {
    if (isWordLike === true) words += 1;
    const inside =
      isWordLike === true && /^[\p{L}\p{M}]{2,}$/u.test(segment) && !outside.has(segment);
    if (inside) run.push(segment);
    else close();
  }
  close();
  return words;
}
