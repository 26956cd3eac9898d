import type { RelatedFile } from '@engram/contract';

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

/** The category of a media type; whatever says nothing is Others. */
export function categoryOf(fileType: string | null | undefined): Category {
  const type = fileType?.toLowerCase() ?? '';
  return signs.find(([sign]) => type.includes(sign))?.[1] ?? 'Others';
}

export interface CategoryCount {
  category: Category;
  count: number;
}

/** How many files there are of each category that has any, in the order of the list. */
export function countCategories(files: readonly RelatedFile[]): CategoryCount[] {
  return categories
    .map((category) => ({
      category,
      count: files.filter((file) => categoryOf(file.fileType) === category).length,
    }))
    .filter(({ count }) => count > 0);
}
