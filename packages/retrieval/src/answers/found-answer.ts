import { escapeMarkdown } from './markdown.ts';

export const NO_ANSWER = "Your files don't seem to say.";

export interface QuotedSection {
  n: number;
  fileName: string;
  /** Where it stands in its file, such as 'page 3'; empty for a file without such places. */
  place: string;
  text: string;
  /** The document that amends or replaces its file, such as 'Lease amendment 2, 12 May 2025'. */
  newer: string | null;
}

export const MAX_QUOTED = 3;

/** A found answer in Markdown: sections as quotes. Nothing in a file's text becomes markup. */
export const foundMarkdown = (sections: readonly QuotedSection[]): string =>
  sections.map(quoteOf).join('\n\n');

function quoteOf({ n, fileName, place, text, newer }: QuotedSection): string {
  const where = [`**${escapeMarkdown(fileName)}**`, escapeMarkdown(place)]
    .filter(Boolean)
    .join(', ');
  const note = newer === null ? '' : ` (newer: ${escapeMarkdown(newer)})`;
  const lines = text.split('\n').map(escapeMarkdown).filter(Boolean);
  return `${where}${note} [${n}]\n\n${lines.map((line) => `> ${line}`).join('  \n')}`;
}
