import { Button, NativeSelect, Stack } from '@mantine/core';
import { Dialog } from '../../../components/dialog.tsx';
import { sortNames } from '../columns.ts';
import { sorts } from '../files-view.ts';
import { FilterControls, type FileFiltersProps } from './file-filters.tsx';

interface FilterSheetProps extends Omit<FileFiltersProps, 'onUpload'> {
  opened: boolean;
  onClose: () => void;
}

/** The filters and the order, where there is no room for them beside the search box. */
export function FilterSheet({ opened, onClose, view, onNarrow, onSort }: FilterSheetProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Filters">
      <Stack gap="md" pt={4}>
        <FilterControls stacked view={view} onNarrow={onNarrow} />
        <NativeSelect
          label="Sort by"
          data={sorts.map((value) => ({ value, label: sortNames[value] }))}
          value={view.sort}
          onChange={({ currentTarget: { value } }) =>
            onSort(sorts.find((each) => each === value) ?? view.sort)
          }
        />
        <Button onClick={onClose}>Show files</Button>
      </Stack>
    </Dialog>
  );
}
