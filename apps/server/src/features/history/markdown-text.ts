import MarkdownIt, { type Token } from 'markdown-it';

const parser = new MarkdownIt({ html: true });
// Only the texts of links are used, so all addresses are valid.
parser.validateLink = () => true;

export const parseMarkdown = (markdown: string): Token[] => parser.parse(markdown, {});

/** The label of a link to a source or a note. */
const CITATION = /^\^?\d+$/u;

export const withoutTags = (html: string): string => html.replaceAll(/<[^<>]*>/gu, ' ');

/** The text of a paragraph, heading or cell with citation marks, without links to sources. */
export function inlineText(tokens: readonly Token[]): string {
  let text = '';
  const labels: number[] = [];
  for (const { type, content, children } of tokens) {
    if (type === 'text' || type === 'code_inline') text += content;
    else if (type === 'image') text += inlineText(children ?? []);
    else if (type === 'softbreak' || type === 'hardbreak') text += ' ';
    else if (type === 'html_inline') text += withoutTags(content);
    else if (type === 'link_open') labels.push(text.length);
    else if (type === 'link_close') {
      const index = labels.pop() ?? text.length;
      if (CITATION.test(text.slice(index).trim())) text = text.slice(0, index);
    }
  }
  return text;
}

export const plainText = (markdown: string): string =>
  parseMarkdown(markdown)
    .map(({ type, content, children }) => {
      if (type === 'inline') return inlineText(children ?? []);
      return type === 'fence' || type === 'code_block' ? content : '';
    })
    .join(' ')
    .replaceAll(/ ?\[(?:\d+|unverified)\]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();

/** Characters of an excerpt before and after the first match. */
const BEFORE = 60;
const AFTER = 100;

export function excerptAround(answer: string, words: readonly string[]): string | null {
  const text = plainText(answer);
  const lower = text.toLowerCase();
  const matches = words.map((word) => lower.indexOf(word.toLowerCase())).filter((i) => i >= 0);
  if (matches.length === 0) return null;
  const index = Math.min(...matches);
  const from = index <= BEFORE ? 0 : text.indexOf(' ', index - BEFORE) + 1;
  const start = from > index ? index : from;
  const end = index + AFTER >= text.length ? text.length : text.lastIndexOf(' ', index + AFTER);
  const stop = end <= index ? index + AFTER : end;
  return `${start > 0 ? '…' : ''}${text.slice(start, stop)}${stop < text.length ? '…' : ''}`;
}
