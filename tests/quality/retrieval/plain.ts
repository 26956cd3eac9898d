import snowball from 'snowball-stemmers';
import { buildBm25 } from './bm25.ts';
import type { EvalDocument } from './datasets.ts';

/** A part of a document in the baseline index. Offsets refer to the document's text. */
interface PlainPart {
  artifactId: string;
  start: number;
  end: number;
}

interface PlainIndex {
  /** The best parts, best first. */
  search(question: string, k: number): PlainPart[];
}

const PORTER = snowball.newStemmer('porter');
const stems = new Map<string, string>();

function stem(word: string): string {
  let known = stems.get(word);
  if (known === undefined) {
    known = PORTER.stem(word);
    stems.set(word, known);
  }
  return known;
}

/** Lucene's English stop words. */
const STOP_WORDS = new Set(
  `a an and are as at be but by for if in into is it no not of on or such that the their then there
these they this to was will with`.split(/\s+/u),
);

const termsOf = (text: string): string =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => !STOP_WORDS.has(word))
    .map(stem)
    .join(' ');

/** The end of a part of up to `length` characters: after a sentence or line, or else a word. */
function partEnd(text: string, start: number, length: number): number {
  const end = Math.min(text.length, start + length);
  if (end === text.length) return end;
  const part = text.slice(start, end);
  const stop = Math.max(part.lastIndexOf('. '), part.lastIndexOf('\n'));
  const at = stop > length / 2 ? stop : part.lastIndexOf(' ');
  return at > 0 ? start + at + 1 : end;
}

/**
 * The baseline for every variant: BM25 with k1 .9 and b .4 over title and text, analyzed as
 * Lucene's English analyzer does, with its stop words and Porter stemming in every language. A
 * document is one entry, or is split into parts of up to `length` characters at sentence ends.
 */
export function buildPlainIndex(
  documents: readonly EvalDocument[],
  length: number = Infinity,
): PlainIndex {
  const parts: PlainPart[] = [];
  const rows: string[] = [];
  for (const { id, title, text } of documents) {
    for (let start = 0, end = 0; start < text.length; start = end) {
      end = partEnd(text, start, length);
      parts.push({ artifactId: id, start, end });
      rows.push(termsOf(`${title} ${text.slice(start, end)}`));
    }
  }
  const index = buildBm25(rows, { k1: 0.9, b: 0.4 });
  return {
    search: (question, k) =>
      index.search(termsOf(question), k).flatMap(({ position }) => parts[position] ?? []),
  };
}
