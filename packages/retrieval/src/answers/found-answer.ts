import { escapeMarkdown } from './markdown.ts';

/** The answer where the files do not seem to contain one. */
export const NO_ANSWER = "Your files don't seem to say.";

/** A section as a found answer quotes it. */
export interface QuotedSection {
  /** The number of its citation. */
  n: number;
  fileName: string;
  /** Where it stands in its file, such as 'page 3'; empty for a file without such places. */
  place: string;
  text: string;
  /** The document that amends or replaces its file, such as 'Lease amendment 2, 12 May 2025'. */
  newer: string | null;
}

/** Sections that a found answer quotes. */
export const MAX_QUOTED = 3;

/**
 * A found answer in Markdown: each section as a quote below its file, its place and `[n]`. Nothing in
 * a file's text can become markup.
 */
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
