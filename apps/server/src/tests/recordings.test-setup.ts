import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** Recordings as browsers write them: 1.5 seconds of a 450 Hz tone. */
export const RECORDINGS = ['spoken.webm', 'spoken.ogg', 'spoken.m4a'] as const;

/** One of the recordings. */
export async function readRecording(
  name: (typeof RECORDINGS)[number],
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(path.join(import.meta.dirname, 'recordings', name)));
}
