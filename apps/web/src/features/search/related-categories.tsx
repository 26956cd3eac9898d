import {
  IconFile,
  IconFileText,
  IconFileTypePdf,
  IconPhoto,
  IconTable,
  IconVideo,
  IconVolume,
} from '@tabler/icons-react';
import type { FileKind, RelatedFile } from '@engram/contract';
import { fileLook } from '../../artifacts/file-types.ts';

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

const byKind: Partial<Record<FileKind | 'other', Category>> = {
  image: 'Images',
  video: 'Videos',
  audio: 'Audios',
  pdf: 'Pdf',
  document: 'Document',
  book: 'Document',
  slides: 'Document',
  spreadsheet: 'Spreadsheet',
};

export function categoryOf(fileType: string | null | undefined): Category {
  const media = fileType?.toLowerCase() ?? '';
  // A table as text, such as CSV, is not a spreadsheet.
  if (media.startsWith('text/')) return 'Others';
  return byKind[fileLook({ fileType: media }).kind] ?? 'Others';
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
