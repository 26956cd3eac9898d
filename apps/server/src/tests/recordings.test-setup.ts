import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** What browsers record: a second and a half of a tone of 450 Hz, as they write it. */
export const RECORDINGS = ['spoken.webm', 'spoken.ogg', 'spoken.m4a'] as const;

/** One of the recordings. */
export async function readRecording(
  name: (typeof RECORDINGS)[number],
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(path.join(import.meta.dirname, 'recordings', name)));
}
