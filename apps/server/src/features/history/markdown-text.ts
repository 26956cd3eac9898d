import MarkdownIt, { type Token } from 'markdown-it';

const parser = new MarkdownIt({ html: true });
// Addresses of links are left out, so none has to be refused.
parser.validateLink = () => true;

export const parseMarkdown = (markdown: string): Token[] => parser.parse(markdown, {});

/** The label of a link to a source or a note. */
const CITATION = /^\^?\d+$/u;
export const withoutTags = (html: string): string => html.replaceAll(/<[^<>]*>/gu, ' ');

/** The words of a paragraph, heading or cell, including citation marks, without links to sources. */
export function inlineText(tokens: readonly Token[]): string {
  let said = '';
  /** Where the labels of the links begin that are open. */
  const labels: number[] = [];
  for (const { type, content, children } of tokens) {
    if (type === 'text' || type === 'code_inline') said += content;
    else if (type === 'image') said += inlineText(children ?? []);
    else if (type === 'softbreak' || type === 'hardbreak') said += ' ';
    else if (type === 'html_inline') said += withoutTags(content);
    else if (type === 'link_open') labels.push(said.length);
    else if (type === 'link_close') {
      const at = labels.pop() ?? said.length;
      if (CITATION.test(said.slice(at).trim())) said = said.slice(0, at);
    }
  }
  return said;
}

/** All words of an answer on one line, without Markdown and citation marks. */
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
