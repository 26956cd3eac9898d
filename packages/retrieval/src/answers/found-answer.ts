import { escapeMarkdown } from './markdown.ts';

export const NO_ANSWER = "Your files don't seem to say.";

export interface QuotedSection {
  n: number;
  fileName: string;
  /** The source location, such as 'page 3', or ''. */
  location: string;
  text: string;
  newer: string | null;
}

export const MAX_QUOTED = 3;

/** A found answer in Markdown, with the text of files escaped. */
export const foundMarkdown = (sections: readonly QuotedSection[]): string =>
  sections.map(quoteOf).join('\n\n');

function quoteOf({ n, fileName, location, text, newer }: QuotedSection): string {
  const heading = [`**${escapeMarkdown(fileName)}**`, escapeMarkdown(location)]
    .filter(Boolean)
    .join(', ');
  const note = newer === null ? '' : ` (newer: ${escapeMarkdown(newer)})`;
  const lines = text.split('\n').map(escapeMarkdown).filter(Boolean);
  return `${heading}${note} [${n}]\n\n${lines.map((line) => `> ${line}`).join('  \n')}`;
}
