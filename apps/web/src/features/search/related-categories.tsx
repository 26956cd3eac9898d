import {
  IconFile,
  IconFileText,
  IconFileTypePdf,
  IconPhoto,
  IconTable,
  IconVideo,
  IconVolume,
} from '@tabler/icons-react';
import type { RelatedFile } from '@engram/contract';
import { fileTypeEntry, typeOfMedia, type FileKind } from '@engram/contract/browser';

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

const mediaTypeParts: readonly [string, Category][] = [
  ['image', 'Images'],
  ['video', 'Videos'],
  ['audio', 'Audios'],
  ['pdf', 'Pdf'],
  // Before 'document', which the type of an .xlsx also contains.
  ['spreadsheet', 'Spreadsheet'],
  ['document', 'Document'],
];

/** Categories of file kinds whose media types do not contain a part above. */
const byKind: Partial<Record<FileKind, Category>> = {
  document: 'Document',
  book: 'Document',
  slides: 'Document',
  spreadsheet: 'Spreadsheet',
};

export function categoryOf(fileType: string | null | undefined): Category {
  const media = fileType?.toLowerCase() ?? '';
  const category = mediaTypeParts.find(([part]) => media.includes(part))?.[1];
  const type = typeOfMedia(media);
  if (category || !type || media.startsWith('text/')) return category ?? 'Others';
  return byKind[fileTypeEntry(type).kind] ?? 'Others';
}

interface CategoryCount {
  category: Category;
  count: number;
}

export const countEach = (files: readonly RelatedFile[]): CategoryCount[] =>
  categories.map((category) => ({
    category,
    count: files.filter((file) => categoryOf(file.fileType) === category).length,
  }));

const SHOWN = 3;

export const mostCategories = (files: readonly RelatedFile[]): CategoryCount[] =>
  countEach(files)
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, SHOWN);

type Preview = 'player' | 'picture' | 'page' | 'icon' | 'name' | 'button';

/** How a card shows a file: among all files, or `inCategory` among its own kind. */
export function previewOf(fileType: string | null | undefined, inCategory: boolean): Preview {
  const category = categoryOf(fileType);
  if (category === 'Videos' || category === 'Audios') return 'player';
  if (category === 'Images') return inCategory ? 'picture' : 'icon';
  if (category !== 'Others') return 'page';
  if (inCategory) return 'button';
  return /html|text\/plain/iu.test(fileType ?? '') ? 'icon' : 'name';
}

const ICONS = {
  Images: IconPhoto,
  Videos: IconVideo,
  Audios: IconVolume,
  Pdf: IconFileTypePdf,
  Document: IconFileText,
  Spreadsheet: IconTable,
  Others: IconFile,
} satisfies Record<Category, unknown>;

/** A decorative icon, as the category's name is beside it. */
export function CategoryIcon({ category, size = 15 }: { category: Category; size?: number }) {
  const Icon = ICONS[category];
  return <Icon size={size} stroke={1.7} aria-hidden="true" />;
}
