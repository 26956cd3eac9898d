import type { Citation, Location } from '@engram/contract';
import { fileLook } from '../../artifacts/file-types.ts';

/** The number of what is not a source of an answer but a file that was opened by itself. */
export const NO_SOURCE = 0;

/** A file, as far as opening it needs. */
export interface OpenedFile {
  artifactId: string;
  fileName: string;
  /** Media type. */
  fileType: string;
  /** Where it stands in the folder that it came from, where that is known. */
  path?: string | null;
}

function beginningOf(file: OpenedFile): Location {
  const { kind } = fileLook(file);
  if (kind === 'pdf') return { page: 1 };
  if (kind === 'slides') return { slide: 1 };
  if (kind === 'spreadsheet') return { sheet: '', row: 1 };
  return { line: 1 };
}

/** What opens a file at its beginning, with nothing in it marked. */
export const wholeFile = (file: OpenedFile): Citation => ({
  n: NO_SOURCE,
  artifactId: file.artifactId,
  fileName: file.fileName,
  path: file.path ?? null,
  location: beginningOf(file),
  quote: '',
  start: 0,
  end: 0,
});
