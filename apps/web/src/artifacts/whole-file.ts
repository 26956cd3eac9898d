import type { Citation, Location } from '@engram/contract';
import type { Viewed } from './evidence.ts';
import { fileLook } from './file-types.ts';

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
export const wholeFile = (file: OpenedFile, n = 1): Citation => ({
  n,
  artifactId: file.artifactId,
  fileName: file.fileName,
  path: file.path ?? null,
  location: beginningOf(file),
  quote: '',
  start: 0,
  end: 0,
});

/** What shows one file of a list in the evidence pane, with the others before and after it. */
export function viewedFile(file: OpenedFile, list: readonly OpenedFile[] = [file]): Viewed {
  const at = list.findIndex(({ artifactId }) => artifactId === file.artifactId);
  return { list: list.map((one, index) => wholeFile(one, index + 1)), n: at + 1, noun: 'file' };
}
