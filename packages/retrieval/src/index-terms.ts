import { analyze } from './text/words.ts';
import { foldersOf } from './scope/names.ts';
import type { Chunk } from './types.ts';

/** What a chunk's file says of itself, indexed with each of its chunks. */
export interface IndexContext {
  fileName: string;
  /** Where the file stands in the folder that it came from: names joined by '/'. */
  path?: string | null;
  keywords: readonly string[];
  /** ISO 639-1, of the file's text. */
  language: string;
}

/**
 * The value of the index's term column for a chunk: the analysed terms of its text and of its
 * context (file name, folders, headings, keywords), joined by single spaces.
 * The context counts once: given twice or three times, it found no more (squad, cranfield).
 */
export function indexTerms(chunk: Pick<Chunk, 'text' | 'headings'>, context: IndexContext): string {
  const { fileName, path, keywords, language } = context;
  const lines = [fileName, foldersOf(path), ...chunk.headings, ...keywords, chunk.text];
  return lines.flatMap((line) => analyze(line, language)).join(' ');
}
