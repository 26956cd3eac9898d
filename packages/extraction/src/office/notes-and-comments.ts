import type { TextBuilder } from '../text-builder.ts';
import type { Location } from '../types.ts';

interface NotesAndComments {
  notes?: readonly string[];
  edges: readonly string[];
  comments: readonly string[];
}

/** Writes what stands beside a document's body, without the body's headings. */
export function writeNotesAndComments(
  { notes = [], edges, comments }: NotesAndComments,
  builder: TextBuilder,
  location?: Location,
): void {
  builder.clearHeadings();
  for (const [at, note] of notes.entries()) {
    if (note.trim() !== '') builder.block('list', `${at + 1}. ${oneLine(note)}`, location);
  }
  writeEdges(edges, builder, location);
  writeComments(comments, builder, { level: 1, location });
}

/** Writes headers and footers: each text once, and none that is only a page number. */
export function writeEdges(
  edges: readonly string[],
  builder: TextBuilder,
  location?: Location,
): void {
  for (const edge of new Set(edges.map(lines))) {
    if (!/^[\d\s/–-]*$/.test(edge)) builder.block('prose', edge, location);
  }
}

export function writeComments(
  comments: readonly string[],
  builder: TextBuilder,
  { level, location }: { level: number; location?: Location | undefined },
): void {
  const said = comments.map(lines).filter((comment) => comment !== '');
  if (said.length === 0) return;
  builder.heading(level, 'Comments', location);
  for (const comment of said) builder.block('prose', comment, location);
}

/** A comment with its author's name before it: 'Ida Berg: Please check'; '' for an empty one. */
export const signedComment = (author: string, text: string): string =>
  text === '' || author === '' ? text : `${author}: ${text}`;

const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim();

const lines = (text: string): string =>
  text
    .split(/\r\n?|\n/)
    .map(oneLine)
    .filter((line) => line !== '')
    .join('\n');
