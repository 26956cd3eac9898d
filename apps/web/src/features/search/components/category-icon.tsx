import {
  IconFile,
  IconFileText,
  IconFileTypePdf,
  IconPhoto,
  IconTable,
  IconVideo,
  IconVolume,
} from '@tabler/icons-react';
import type { Category } from '../related-categories.ts';

const ICONS = {
  Images: IconPhoto,
  Videos: IconVideo,
  Audios: IconVolume,
  Pdf: IconFileTypePdf,
  Document: IconFileText,
  Spreadsheet: IconTable,
  Others: IconFile,
} satisfies Record<Category, unknown>;

/** A category's icon; decoration, as the name beside it says the same. */
export function CategoryIcon({ category, size = 15 }: { category: Category; size?: number }) {
  const Icon = ICONS[category];
  return <Icon size={size} stroke={1.7} aria-hidden="true" />;
}
