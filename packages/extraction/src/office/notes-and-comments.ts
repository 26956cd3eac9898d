import type { TextBuilder } from '../text-builder.ts';
import type { Location } from '../types.ts';

/** What a document holds beside its body. */
export interface NotesAndComments {
  notes: readonly string[];
  /** Headers and footers; each text is written once, however many pages have it. */
  edges: readonly string[];
  comments: readonly string[];
}

/** Writes what stands beside a document's body, under no heading of the body's. */
export function writeNotesAndComments(
  { notes, edges, comments }: NotesAndComments,
  builder: TextBuilder,
  location?: Location,
): void {
  builder.clearHeadings();
  for (const [at, note] of notes.entries()) {
    if (note.trim() !== '') builder.block('list', `${at + 1}. ${oneLine(note)}`, location);
  }
  for (const edge of new Set(edges.map(lines))) {
    // A number alone is the page's.
    if (!/^[\d\s/–-]*$/.test(edge)) builder.block('prose', edge, location);
  }
  const said = comments.map(lines).filter((comment) => comment !== '');
  if (said.length === 0) return;
  builder.heading(1, 'Comments', location);
  for (const comment of said) builder.block('prose', comment, location);
}

const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim();

const lines = (text: string): string =>
  text
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '')
    .join('\n');
