import { Button, Checkbox, CloseButton, Group, NativeSelect, Pill, TextInput } from '@mantine/core';
import { fileKinds, fileSources } from '@engram/contract/browser';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconFilter, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useShownAtOnce } from '../../../browser/use-shown-at-once.ts';
import { kindNames, sortNames } from '../columns.ts';
import { type FileFilter, type FilesView, type Sort, sorts } from '../files-view.ts';
import classes from './files.module.css';

/** Pause in typing after which the list is filtered, in milliseconds. */
const TYPING_PAUSE_MS = 250;

interface FileFiltersProps {
  view: FilesView;
  onNarrow: (filter: Partial<FileFilter>) => void;
  onSort: (sort: Sort) => void;
}

interface NarrowerProps {
  view: FilesView;
  onNarrow: (filter: Partial<FileFilter>) => void;
}

interface SwitchableProps extends NarrowerProps {
  label: string;
  name: 'archived' | 'content';
}

function Switchable({ label, name, view, onNarrow }: SwitchableProps) {
  const { shown, show, commit } = useShownAtOnce(view[name], (on) => onNarrow({ [name]: on }));
  return (
    <Checkbox
      size="sm"
      label={label}
      checked={shown}
      onChange={({ currentTarget: { checked } }) => {
        show(checked);
        commit(checked);
      }}
    />
  );
}

type Choice = 'kind' | 'state' | 'source' | 'uploaded';

/** What can be chosen of each sort, by its name in the filter; the first lets all through. */
const choices: Record<Choice, { label: string; data: { value: string; label: string }[] }> = {
  kind: {
    label: 'Type',
    data: [
      { value: '', label: 'Any type' },
      ...fileKinds.map((value) => ({ value, label: kindNames[value] })),
    ],
  },
  state: {
    label: 'Search Ready',
    data: [
      { value: '', label: 'Any state' },
      { value: 'ready', label: 'Ready' },
      { value: 'reading', label: 'Reading' },
      { value: 'failed', label: 'Failed' },
    ],
  },
  source: {
    label: 'Source',
    data: [
      { value: '', label: 'Any source' },
      ...fileSources.map((value) => ({ value, label: value })),
    ],
  },
  uploaded: {
    label: 'Uploaded On',
    data: [
      { value: '', label: 'Any time' },
      { value: 'day', label: 'Last 24 hours' },
      { value: 'week', label: 'Last 7 days' },
      { value: 'month', label: 'Last 30 days' },
      { value: 'year', label: 'Last year' },
    ],
  },
};

/** Type, state, source and time; behind a button where there is little room. */
function Choices({ view, onNarrow }: NarrowerProps) {
  const [opened, setOpened] = useState(false);
  const names = Object.keys(choices) as Choice[];
  const chosen = names.filter((name) => view[name] !== '').length;
  return (
    <>
      <Button
        className={classes.more ?? ''}
        variant="default"
        size="compact-md"
        leftSection={<IconFilter size={15} stroke={1.8} />}
        aria-expanded={opened}
        onClick={() => setOpened(!opened)}
      >
        {chosen === 0 ? 'Filters' : `Filters (${chosen})`}
      </Button>
      <Group className={classes.choices ?? ''} gap={8} data-opened={opened}>
        {names.map((name) => (
          <NativeSelect
            key={name}
            size="xs"
            aria-label={choices[name].label}
            data={choices[name].data}
            value={view[name]}
            data-chosen={view[name] !== '' || undefined}
            onChange={({ currentTarget: { value } }) => onNarrow({ [name]: value })}
          />
        ))}
        {chosen > 0 && (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => onNarrow({ kind: '', state: '', source: '', uploaded: '' })}
          >
            Clear filters
          </Button>
        )}
      </Group>
    </>
  );
}

/** What narrows the list down, and orders it where the table has no headings. */
export function FileFilters({ view, onNarrow, onSort }: FileFiltersProps) {
  const words = useShownAtOnce(view.q, (q) => onNarrow({ q }));
  const commitWords = useDebouncedCallback(words.commit, TYPING_PAUSE_MS);
  const show = (typed: string): void => {
    words.show(typed);
    commitWords(typed.trim());
  };
  return (
    <Group component="search" gap="12px 20px" mb={16}>
      <TextInput
        flex="1 1 260px"
        maw={380}
        type="search"
        placeholder="Search..."
        aria-label={view.content ? 'Search files by name and content' : 'Search files by name'}
        data-search-input
        leftSection={<IconSearch size={16} stroke={1.8} />}
        rightSection={
          words.shown && <CloseButton size="sm" aria-label="Clear" onClick={() => show('')} />
        }
        maxLength={300}
        value={words.shown}
        onChange={({ currentTarget: { value } }) => show(value)}
      />
      <Switchable label="Search in content" name="content" view={view} onNarrow={onNarrow} />
      <Switchable label="Show Archived Only" name="archived" view={view} onNarrow={onNarrow} />
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
      <Choices view={view} onNarrow={onNarrow} />
      <NativeSelect
        className={classes.sort ?? ''}
        ms="auto"
        size="xs"
        aria-label="Sort by"
        data={sorts.map((value) => ({ value, label: sortNames[value] }))}
        value={view.sort}
        onChange={({ currentTarget: { value } }) =>
          onSort(sorts.find((each) => each === value) ?? view.sort)
        }
      />
    </Group>
  );
}
