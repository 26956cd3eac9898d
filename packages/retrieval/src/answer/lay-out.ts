import type { LibraryDocument } from '../documents/document.ts';
import type { Citation, SourceSegment } from '../types.ts';
import { escapeMarkdown } from './markdown.ts';
import { stepNumber } from './sections.ts';

/** Markdown that cites as it goes. */
export interface LaidOut {
  markdown: string;
  citations: Citation[];
}

/**
 * Segments of a document as Markdown: steps with their numbers, items, code in fences, terms in
 * bold, rows as items, paragraphs; each cited by itself.
 *
 * @param from the number of the first citation
 */
export function layOutSegments(
  document: LibraryDocument,
  segments: readonly SourceSegment[],
  from: number,
): LaidOut {
  const citations: Citation[] = [];
  const parts: { text: string; item: boolean }[] = [];
  for (const segment of segments) {
    const n = from + citations.length;
    const quote = document.text.slice(segment.start, segment.end);
    const { artifactId, fileName } = document;
    const { start, end } = segment;
    citations.push({ n, artifactId, fileName, quote, start, end });
    parts.push(...partsOf(segment.kind, quote, `[${n}]`));
  }
  let markdown = '';
  parts.forEach(({ text, item }, i) => {
    if (i > 0) markdown += item && parts[i - 1]?.item === true ? '\n' : '\n\n';
    markdown += text;
  });
  return { markdown, citations };
}

function partsOf(
  kind: SourceSegment['kind'],
  quote: string,
  mark: string,
): { text: string; item: boolean }[] {
  if (kind === 'code') return [{ text: `${fenced(quote)}\n${mark}`, item: false }];
  if (kind === 'definition') {
    const [term = '', ...said] = quote.split('\n');
    const rest = said.length === 0 ? '' : `: ${escapeMarkdown(said.join(' '))}`;
    return [{ text: `- **${escapeMarkdown(term)}**${rest} ${mark}`, item: true }];
  }
  if (kind === 'table') {
    return linesOf(quote).map((line) => ({
      text: `- ${escapeMarkdown(line.replaceAll('\t', ' · '))} ${mark}`,
      item: true,
    }));
  }
  if (kind === 'list') {
    return itemsOf(quote).map((item) => ({ text: `${itemText(item)} ${mark}`, item: true }));
  }
  return [{ text: `${escapeMarkdown(quote)} ${mark}`, item: false }];
}

const linesOf = (quote: string): string[] => quote.split('\n').filter((line) => line.trim() !== '');

const BULLET = /^\s*[-*+•‣▪◦·●○■□✓–—]\s+/u;

/** The items of a list; a line without a mark of its own goes on with the one before. */
function itemsOf(quote: string): string[] {
  const items: string[] = [];
  for (const line of linesOf(quote)) {
    const begins = items.length === 0 || BULLET.test(line) || stepNumber(line) !== null;
    if (begins) items.push(line);
    else items.push(`${items.pop() ?? ''} ${line}`);
  }
  return items;
}

function itemText(item: string): string {
  const number = stepNumber(item);
  const text = item.replace(number === null ? BULLET : /^\s*\(?\d{1,3}[.)]\s+/u, '');
  return `${number === null ? '-' : `${number}.`} ${escapeMarkdown(text)}`;
}

/** Code between fences that are longer than any in it. */
function fenced(code: string): string {
  const longest = Math.max(2, ...(code.match(/`+/gu) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${code.replace(/^\n+|(?<!\n)\n+$/gu, '')}\n${fence}`;
}
