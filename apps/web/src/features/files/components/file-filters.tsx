import {
  ActionIcon,
  Button,
  Checkbox,
  CloseButton,
  Group,
  Indicator,
  NativeSelect,
  Pill,
  TextInput,
} from '@mantine/core';
import { fileKinds, fileSources, type FileKind } from '@engram/contract/browser';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconSearch, IconUpload } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useShownAtOnce } from '../../../browser/address.ts';
import type { FilesAddress } from '../files-view.ts';
import classes from './files.module.css';

const FilterSheet = lazy(async () => ({
  default: (await import('./filter-sheet.tsx')).FilterSheet,
}));

/** Pause in typing after which the list is filtered, in milliseconds. */
const TYPING_PAUSE_MS = 250;

interface FilterCheckboxProps {
  address: FilesAddress;
  label: string;
  name: 'archived' | 'content';
}

function FilterCheckbox({ address: { view, narrow }, label, name }: FilterCheckboxProps) {
  const { shown, show, commit } = useShownAtOnce(view[name], (on) => narrow({ [name]: on }));
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

const choiceNames = ['kind', 'state', 'source', 'uploaded'] as const;
type Choice = (typeof choiceNames)[number];

const kindNames: Record<FileKind, string> = {
  pdf: 'PDF',
  document: 'Documents',
  spreadsheet: 'Spreadsheets',
  slides: 'Slides',
  book: 'Books',
  mail: 'Mail',
  calendar: 'Calendars',
  contact: 'Contacts',
  image: 'Pictures',
  audio: 'Recordings',
  video: 'Videos',
  archive: 'Archives',
  web: 'Web pages',
  text: 'Texts',
};

/** What each select offers. The first choice shows all files. */
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

interface FilterControlsProps {
  address: FilesAddress;
  /** Whether the controls are below each other. */
  stacked?: boolean;
}

/** All filters besides the search box. */
export function FilterControls({ address, stacked = false }: FilterControlsProps) {
  const { view, narrow } = address;
  return (
    <>
      <FilterCheckbox address={address} label="Search in content" name="content" />
      <FilterCheckbox address={address} label="Show Archived Only" name="archived" />
      {view.keyword !== '' && (
        <Pill
          size="md"
          withRemoveButton
          removeButtonProps={{
            'aria-label': `Show files without ${view.keyword}, too`,
            'aria-hidden': false,
            tabIndex: 0,
          }}
          onRemove={() => narrow({ keyword: '' })}
        >
          {view.keyword}
        </Pill>
      )}
      {choiceNames.map((name) => (
        <NativeSelect
          key={name}
          size={stacked ? 'sm' : 'xs'}
          {...(stacked ? { label: choices[name].label } : { 'aria-label': choices[name].label })}
          data={choices[name].data}
          value={view[name]}
          data-chosen={view[name] !== '' || undefined}
          onChange={({ currentTarget: { value } }) => narrow({ [name]: value })}
        />
      ))}
      {choiceNames.some((name) => view[name] !== '') && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => narrow({ kind: '', state: '', source: '', uploaded: '' })}
        >
          Clear filters
        </Button>
      )}
    </>
  );
}

interface FileFiltersProps {
  address: FilesAddress;
  onUpload: () => void;
}

/** The search box with the filters, which are in a sheet on small screens. */
export function FileFilters({ address, onUpload }: FileFiltersProps) {
  const { view, narrow } = address;
  const words = useShownAtOnce(view.q, (q) => narrow({ q }));
  const commitWords = useDebouncedCallback(words.commit, TYPING_PAUSE_MS);
  const show = (typed: string): void => {
    words.show(typed);
    commitWords(typed.trim());
  };
  const [sheet, setSheet] = useState<boolean>();
  const filters = [view.content, view.archived, view.keyword, ...choiceNames.map((n) => view[n])];
  const active = filters.filter(Boolean).length;
  return (
    <Group component="search" className={classes.filters ?? ''} gap="10px 14px" mb={16}>
      <TextInput
        className={classes.words ?? ''}
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
      <Group className={classes.beside ?? ''} gap="8px 14px">
        <FilterControls address={address} />
      </Group>
      <Indicator
        className={classes.more ?? ''}
        label={active}
        disabled={active === 0}
        size={16}
        offset={4}
        aria-hidden={false}
      >
        <ActionIcon
          variant="default"
          size="var(--eg-control)"
          aria-label={active === 0 ? 'Filters' : `Filters (${active})`}
          aria-haspopup="dialog"
          onClick={() => setSheet(true)}
        >
          <IconAdjustmentsHorizontal size={18} stroke={1.7} />
        </ActionIcon>
      </Indicator>
      <ActionIcon hiddenFrom="sm" size="var(--eg-control)" aria-label="Upload" onClick={onUpload}>
        <IconUpload size={18} stroke={1.8} />
      </ActionIcon>
      {sheet !== undefined && (
        <Suspense>
          <FilterSheet address={address} opened={sheet} onClose={() => setSheet(false)} />
        </Suspense>
      )}
    </Group>
  );
}
