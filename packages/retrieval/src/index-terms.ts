import { analyze } from './text/words.ts';
import { foldersOf } from './scope/names.ts';
import type { Chunk } from './types.ts';

export interface IndexContext {
  fileName: string;
  path?: string | null;
  keywords: readonly string[];
  /** ISO 639-1, of the file's text. */
  language: string;
}

/**
 * The index terms of a chunk and of its file name, folders, headings and keywords.
 * Counting the context more often found no more (squad, cranfield).
 */
export function indexTerms(chunk: Pick<Chunk, 'text' | 'headings'>, context: IndexContext): string {
  const { fileName, path, keywords, language } = context;
  const lines = [fileName, foldersOf(path), ...chunk.headings, ...keywords, chunk.text];
  return lines.flatMap((line) => analyze(line, language)).join(' ');
}
