import { Button, NativeSelect, Stack } from '@mantine/core';
import { Dialog } from '../../../components/dialog.tsx';
import { sortNames, sorts, type FilesAddress } from '../files-view.ts';
import { FilterControls } from './file-filters.tsx';

interface FilterSheetProps {
  address: FilesAddress;
  opened: boolean;
  onClose: () => void;
}

/** The filters and the order on small screens. */
export function FilterSheet({ address, opened, onClose }: FilterSheetProps) {
  const { view, sortBy } = address;
  return (
    <Dialog opened={opened} onClose={onClose} title="Filters">
      <Stack gap="md" pt={4}>
        <FilterControls stacked address={address} />
        <NativeSelect
          label="Sort by"
          data={sorts.map((value) => ({ value, label: sortNames[value] }))}
          value={view.sort}
          onChange={({ currentTarget: { value } }) =>
            sortBy(sorts.find((each) => each === value) ?? view.sort)
          }
        />
        <Button onClick={onClose}>Show files</Button>
      </Stack>
    </Dialog>
  );
}
