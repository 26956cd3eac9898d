import type { Segment } from '@engram/extraction';
import { analyze, chunk, foldersOf, indexTerms } from '@engram/retrieval';
import type { IndexRow } from '../../platform/index/search-index.ts';

/** What a file's rows carry besides its text. */
export interface RowContext {
  artifactId: string;
  fileName: string;
  /** Where the file stands in the folder that it came from. */
  path: string | null;
  keywords: readonly string[];
}

/** Cuts a text into chunks and analyses them: the rows of the search index. */
export function indexRows(
  document: { text: string; segments: readonly Segment[] },
  { artifactId, ...context }: RowContext & { language: string },
): IndexRow[] {
  return chunk(document).map((piece) =>
    Object.assign(piece, { artifactId, terms: indexTerms(piece, context) }),
  );
}

/** The one row that makes a file without text findable by its name, its folders and its keywords. */
export function nameRow({ artifactId, fileName, path, keywords }: RowContext): IndexRow {
  const words = [fileName, foldersOf(path), ...keywords].join(' ');
  return {
    artifactId,
    ordinal: 0,
    start: 0,
    end: 0,
    text: '',
    terms: analyze(words, 'en').join(' '),
    location: { line: 1 },
    places: [],
    headings: [],
  };
}
