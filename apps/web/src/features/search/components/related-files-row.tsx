import type { RelatedFile } from '@engram/contract';
import { countCategories, type Category } from '../related-categories.ts';
import { Chip, ChipGroup } from './chips.tsx';

/** Categories named in the row; all of them stand behind 'View All'. */
const SHOWN = 3;

interface RelatedFilesRowProps {
  files: readonly RelatedFile[];
  /** Opens the list of all files, or of one category. */
  onView: (category: Category | 'All') => void;
}

/** How many files of which kind belong to the answer. */
export function RelatedFilesRow({ files, onView }: RelatedFilesRowProps) {
  return (
    <ChipGroup heading="Related Files..">
      {countCategories(files)
        .sort((a, b) => b.count - a.count)
        .slice(0, SHOWN)
        .map(({ category, count }) => (
          <Chip key={category} onClick={() => onView(category)}>
            {category} {count}
          </Chip>
        ))}
      <Chip accent onClick={() => onView('All')}>
        View All
      </Chip>
    </ChipGroup>
  );
}
