import { Box, Button, Group, Text } from '@mantine/core';
import type { Artifact } from '@engram/contract';
import { useMutation } from '@tanstack/react-query';
import { IconTrash } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { plural } from '../../../format/format.ts';
import { notifyError } from '../../../components/notify.ts';
import { listIds } from '../api/list-artifacts.ts';
import type { FileFilter } from '../files-view.ts';

// Nobody changes files before some are selected.
const SelectionActions = lazy(async () => ({
  default: (await import('./selection-actions.tsx')).SelectionActions,
}));

interface SelectionBarProps {
  /** The files in sight. */
  files: readonly Artifact[];
  /** Files that are selected. */
  ids: ReadonlySet<string>;
  /** The person's active keywords. */
  knownKeywords: readonly string[];
  /** Called with files that belong to another list from now on. */
  onLeft: (ids: readonly string[]) => void;
  /** How many of them are on pages that are not in sight. */
  elsewhere: number;
  /** What the list is narrowed to. */
  filter: FileFilter;
  /** Files that could be selected, on all pages. */
  total: number;
  /** Whether all files of the shown page are selected. */
  wholePage: boolean;
  onSelect: (ids: readonly string[]) => void;
  onClear: () => void;
  onDelete: () => void;
}

/** How many files are selected, and what can be done with them. */
export function SelectionBar(props: SelectionBarProps) {
  const { ids, elsewhere, filter, total, wholePage, onSelect, onClear, onDelete } = props;
  const count = ids.size;
  // What arrives later is not selected: nobody has seen it.
  const selectAll = useMutation({
    mutationFn: () => listIds(filter),
    onSuccess: onSelect,
    onError: (error) => notifyError('The files were not selected', error),
  });
  return (
    <Group
      component="section"
      pos="sticky"
      top={8}
      gap="6px 14px"
      mb={10}
      p="8px 10px 8px 14px"
      bd="1px solid var(--eg-accent-line)"
      bdrs="var(--eg-radius-small)"
      bg="var(--eg-raised)"
      style={{ zIndex: 3 }}
      aria-label="Selected files"
    >
      <Box component="output" fw={600}>
        {plural(count, 'file')} selected
        {elsewhere > 0 && (
          <Text span inherit ms={8} c="dimmed" fw={400}>
            {elsewhere.toLocaleString('en-US')} on other pages
          </Text>
        )}
      </Box>
      {wholePage && count < total && (
        <Button
          variant="subtle"
          size="compact-sm"
          loading={selectAll.isPending}
          onClick={() => selectAll.mutate()}
        >
          Select all {total.toLocaleString('en-US')}
        </Button>
      )}
      <Group component="span" ml="auto" gap={6} align="stretch">
        <Suspense>
          <SelectionActions
            files={props.files}
            ids={ids}
            archived={filter.archived}
            knownKeywords={props.knownKeywords}
            disabled={selectAll.isPending}
            onLeft={props.onLeft}
          />
        </Suspense>
        <Button variant="default" size="xs" onClick={onClear}>
          Clear
        </Button>
        <Button
          variant="light"
          color="red"
          size="xs"
          leftSection={<IconTrash size={15} stroke={1.8} />}
          disabled={selectAll.isPending}
          onClick={onDelete}
        >
          Delete
        </Button>
      </Group>
    </Group>
  );
}
