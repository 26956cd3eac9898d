import type { TextBuilder } from '../text-builder.ts';
import type { Location } from '../types.ts';

/** Writes notes, headers, footers and comments below no heading. */
export function writeNotesAndComments(
  {
    notes = [],
    edges,
    comments,
  }: { notes?: readonly string[]; edges: readonly string[]; comments: readonly string[] },
  builder: TextBuilder,
  location?: Location,
): void {
  builder.clearHeadings();
  for (const [index, note] of notes.entries()) {
    if (note.trim() !== '') builder.block('list', `${index + 1}. ${oneLine(note)}`, location);
  }
  writeEdges(edges, builder, location);
  writeComments(comments, builder, { level: 1, location });
}

/** Writes distinct headers and footers that are not only a page number. */
export function writeEdges(
  edges: readonly string[],
  builder: TextBuilder,
  location?: Location,
): void {
  for (const edge of new Set(edges.map(trimLines))) {
    if (!/^[\d\s/–-]*$/.test(edge)) builder.block('prose', edge, location);
  }
}

export function writeComments(
  comments: readonly string[],
  builder: TextBuilder,
  { level, location }: { level: number; location?: Location | undefined },
): void {
  const texts = comments.map(trimLines).filter((comment) => comment !== '');
  if (texts.length === 0) return;
  builder.heading(level, 'Comments', location);
  for (const comment of texts) builder.block('prose', comment, location);
}

/** 'Ida Berg: Please check', or '' for an empty comment. */
export const signedComment = (author: string, text: string): string =>
  text === '' || author === '' ? text : `${author}: ${text}`;

const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim();

const trimLines = (text: string): string =>
  text
    .split(/\r\n?|\n/)
    .map(oneLine)
    .filter((line) => line !== '')
    .join('\n');
