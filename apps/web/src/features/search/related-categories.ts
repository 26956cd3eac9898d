import type { RelatedFile } from '@engram/contract';
import { fileTypeEntry, typeOfMedia } from '@engram/contract/browser';
import type { FileKind } from '@engram/contract/browser';

/** The kinds of files, in the order in which they are listed. */
export const categories = [
  'Images',
  'Videos',
  'Audios',
  'Pdf',
  'Document',
  'Spreadsheet',
  'Others',
] as const;
export type Category = (typeof categories)[number];

/** What a media type says of its category; first match wins. */
const signs: readonly [string, Category][] = [
  ['image', 'Images'],
  ['video', 'Videos'],
  ['audio', 'Audios'],
  ['pdf', 'Pdf'],
  // Before 'document': the type of an .xlsx reads '…officedocument.spreadsheetml.sheet'.
  ['spreadsheet', 'Spreadsheet'],
  ['document', 'Document'],
];

/** Categories of types whose media types say nothing; what is text is Others. */
const byKind: Partial<Record<FileKind, Category>> = {
  document: 'Document',
  book: 'Document',
  slides: 'Document',
  spreadsheet: 'Spreadsheet',
};

/** The category of a media type; whatever says nothing is Others. */
export function categoryOf(fileType: string | null | undefined): Category {
  const media = fileType?.toLowerCase() ?? '';
  const told = signs.find(([sign]) => media.includes(sign))?.[1];
  const type = typeOfMedia(media);
  if (told || !type || media.startsWith('text/')) return told ?? 'Others';
  return byKind[fileTypeEntry(type).kind] ?? 'Others';
}

export interface CategoryCount {
  category: Category;
  count: number;
}

/** How many files there are of each category, in the order of the list. */
export const countEach = (files: readonly RelatedFile[]): CategoryCount[] =>
  categories.map((category) => ({
    category,
    count: files.filter((file) => categoryOf(file.fileType) === category).length,
  }));

/** Categories that are named with an answer; all of them stand behind 'View All'. */
const MOST = 3;

/** The categories that most files are of, the largest first. */
export const mostCategories = (files: readonly RelatedFile[]): CategoryCount[] =>
  countEach(files)
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST);

/** What stands for a file in its card. */
export type Preview = 'player' | 'picture' | 'page' | 'icon' | 'name' | 'button';

/**
 * How a file is shown, by its media type: recordings play wherever they are; among all files
 * pictures, web pages and plain text have their icon and what is nothing else its name; among their
 * own kind pictures are seen and others have a button.
 */
export function previewOf(fileType: string | null | undefined, inCategory: boolean): Preview {
  const category = categoryOf(fileType);
  if (category === 'Videos' || category === 'Audios') return 'player';
  if (category === 'Images') return inCategory ? 'picture' : 'icon';
  if (category !== 'Others') return 'page';
  if (inCategory) return 'button';
  return /html|text\/plain/iu.test(fileType ?? '') ? 'icon' : 'name';
}
