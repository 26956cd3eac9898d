import { Checkbox, CloseButton, NativeSelect, Pill, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useShownAtOnce } from '../../../browser/use-shown-at-once.ts';
import { sortNames } from '../columns.ts';
import { type FileFilter, type FilesView, type Sort, sorts } from '../files-view.ts';
import classes from './files.module.css';

/** Pause in typing after which the list is filtered, in milliseconds. */
const TYPING_PAUSE_MS = 250;

interface FileFiltersProps {
  view: FilesView;
  onNarrow: (filter: Partial<FileFilter>) => void;
  onSort: (sort: Sort) => void;
}

/** What narrows the list down, and orders it where the table has no headings. */
export function FileFilters({ view, onNarrow, onSort }: FileFiltersProps) {
  const words = useShownAtOnce(view.q, (q) => onNarrow({ q }));
  const archived = useShownAtOnce(view.archived, (only) => onNarrow({ archived: only }));
  const commitWords = useDebouncedCallback(words.commit, TYPING_PAUSE_MS);
  const show = (typed: string): void => {
    words.show(typed);
    commitWords(typed.trim());
  };
  return (
    <search className={classes.filters}>
      <TextInput
        className={classes.search ?? ''}
        type="search"
        placeholder="Search..."
        aria-label="Search files by name"
        data-search-input
        leftSection={<IconSearch size={16} stroke={1.8} />}
        rightSection={
          words.shown && <CloseButton size="sm" aria-label="Clear" onClick={() => show('')} />
        }
        maxLength={300}
        value={words.shown}
        onChange={({ currentTarget: { value } }) => show(value)}
      />
      <Checkbox
        size="sm"
        label="Show Archived Only"
        checked={archived.shown}
        onChange={({ currentTarget: { checked } }) => {
          archived.show(checked);
          archived.commit(checked);
        }}
      />
      {view.keyword !== '' && (
        <Pill
          size="md"
          withRemoveButton
          removeButtonProps={{
            'aria-label': `Show files without ${view.keyword}, too`,
            'aria-hidden': false,
            tabIndex: 0,
          }}
          onRemove={() => onNarrow({ keyword: '' })}
        >
          {view.keyword}
        </Pill>
      )}
      <NativeSelect
        className={classes.sort ?? ''}
        size="xs"
        aria-label="Sort by"
        data={sorts.map((value) => ({ value, label: sortNames[value] }))}
        value={view.sort}
        onChange={({ currentTarget: { value } }) =>
          onSort(sorts.find((each) => each === value) ?? view.sort)
        }
      />
    </search>
  );
}
