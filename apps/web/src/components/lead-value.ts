import { withoutEscapes } from './markdown/plain-text.ts';

/** A value that an answer begins with. */
export interface LeadValue {
  value: string;
  /** What it is of, as plain text; empty where that is not said. */
  of: string;
  /** The Markdown of the rest. */
  rest: string;
}

/** What may follow a value that stands by itself: the numbers of its sources. */
const SOURCES = /^(?:\[\d+\])*$/u;
/** What is none of a plain text: a mark that is not escaped, and an escape at its end. */
const MARKED = /[\n`]|(?<!\\)[*[]|\\$/u;
/** Longest value, in UTF-16 units: what is longer is a sentence. */
const LONGEST = 80;

/**
 * The value in bold that an answer begins with, where it stands by itself or with what it is of in
 * parentheses; null where the answer begins otherwise.
 */
export function leadValue(markdown: string): LeadValue | null {
  const end = markdown.startsWith('**') ? markdown.indexOf('**', 2) : -1;
  const bold = markdown.slice(2, Math.max(2, end));
  if (end < 0 || bold.trim() === '' || bold.length > LONGEST || MARKED.test(bold)) return null;
  const after = markdown.slice(end + 2);
  const [line = ''] = after.split('\n', 1);
  const below = after.slice(line.length).trimStart();
  const said = line.trim();
  const value = withoutEscapes(bold);
  if (SOURCES.test(said))
    return { value, of: '', rest: [said, below].filter(Boolean).join('\n\n') };
  const of = said.slice(1, -1);
  if (!said.startsWith('(') || !said.endsWith(')') || MARKED.test(of)) return null;
  const plain = withoutEscapes(of);
  return { value, of: plain.charAt(0).toUpperCase() + plain.slice(1), rest: below };
}
