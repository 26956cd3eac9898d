import type { Client } from '@engram/client';
import { uploadArtifacts } from '@engram/contract';

const FILES_PER_UPLOAD = 1000;

/** What the note of a number can be found by, and no other. */
export const codeOf = (number: number): string => `QX${100_000 + number}`;

/** About 1.7 KB of text. */
const note = (number: number): string =>
  [
    `Note ${number}. The stone of this note has the code ${codeOf(number)}.`,
    ...Array.from(
      { length: 40 },
      (_, line) => `Line ${line} of note ${number} says ${number * 7 + line}.`,
    ),
  ].join('\n');

/** Uploads so many notes, a thousand at a time. */
export async function uploadNotes(client: Client, count: number): Promise<void> {
  for (let from = 0; from < count; from += FILES_PER_UPLOAD) {
    const size = Math.min(FILES_PER_UPLOAD, count - from);
    const files = Array.from({ length: size }, (_, at) => ({
      name: `note-${from + at}.txt`,
      content: new Blob([note(from + at)]),
    }));
    await client.upload(uploadArtifacts, files, {});
  }
}
