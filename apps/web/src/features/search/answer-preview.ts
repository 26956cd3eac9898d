import { withoutEscapes } from '../../components/markdown/plain-text.ts';

/** As much as two or three lines hold, in UTF-16 units. */
const LONGEST = 220;
/** Longest beginning of an answer that is looked at: Markdown takes some of it. */
const LOOKED_AT = 1200;

/** The beginning of an answer as plain text on one line, without its formatting and its citations. */
export function previewOf(markdown: string): string {
  const plain = markdown
    .slice(0, LOOKED_AT)
    .replaceAll(/^[ \t]*(?:[-*+]|\d+[.)]|#{1,6}|>|\|[ \t:|-]+$)\s*/gmu, '')
    .replaceAll(/(?<!\\)\[\d+\]/gu, '')
    .replaceAll('[unverified]', '(not verified)')
    .replaceAll(/!?\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)/gu, '$1')
    .replaceAll(/(?<!\\)(?:\*{1,3}|`+|~~)/gu, '')
    .replaceAll(/(?<![\p{L}\p{N}\\])_{1,2}(?=\S)|(?<=\S)(?<!\\)_{1,2}(?![\p{L}\p{N}])/gu, '')
    .replaceAll('|', ' ');
  const text = withoutEscapes(plain)
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/ (?=[.,;:!?])/gu, '')
    .trim();
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST).trimEnd().toWellFormed()}…`;
}
