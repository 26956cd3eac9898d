import type { RelatedFile } from '@engram/contract';
import { mostCategories, type Category } from '../related-categories.ts';
import { CategoryIcon } from './category-icon.tsx';
import { ChipGroup, ChipItem } from './chips.tsx';

interface RelatedFilesRowProps {
  files: readonly RelatedFile[];
  /** Opens the list of all files, or of one category. */
  onView: (category: Category | 'All') => void;
}

/** How many files of which kind belong to the answer. */
export function RelatedFilesRow({ files, onView }: RelatedFilesRowProps) {
  return (
    <ChipGroup heading="Related Files..">
      {mostCategories(files).map(({ category, count }) => (
        <ChipItem
          key={category}
          icon={<CategoryIcon category={category} />}
          onClick={() => onView(category)}
        >
          {category} {count}
        </ChipItem>
      ))}
      <ChipItem accent onClick={() => onView('All')}>
        View All
      </ChipItem>
    </ChipGroup>
  );
}
