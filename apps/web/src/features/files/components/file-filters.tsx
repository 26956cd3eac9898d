import {
  ActionIcon,
  Button,
  Checkbox,
  CloseButton,
  Group,
  Indicator,
  NativeSelect,
  Pill,
  Stack,
  TextInput,
} from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconSearch, IconUpload } from '@tabler/icons-react';
import { useOptimisticValue } from '../../../browser/address.ts';
import { uploadPanel } from '../../../artifacts/dialogs.ts';
import { lazyDialog } from '../../../components/lazy-part.tsx';
import { sortNames, sorts, type FilesAddress, type FilesView } from '../files-view.ts';
import classes from './files.module.css';

const Dialog = lazyDialog(async () => ({
  default: (await import('../../../components/dialog.tsx')).Dialog,
}));

const TYPING_PAUSE_MS = 250;

interface FilterCheckboxProps {
  address: FilesAddress;
  label: string;
  name: 'archived' | 'content';
}

function FilterCheckbox({ address: { view, setFilter }, label, name }: FilterCheckboxProps) {
  const { shown, show, commit } = useOptimisticValue(view[name], (on) => setFilter({ [name]: on }));
  return (
    <Checkbox
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

const choices: { [Name in Choice]: { label: string; names: Record<FilesView[Name], string> } } = {
  kind: {
    label: 'Type',
    names: {
      '': 'Any type',
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
    },
  },
  state: {
    label: 'Search Ready',
    names: { '': 'Any state', ready: 'Ready', reading: 'Reading', failed: 'Failed' },
  },
  source: {
    label: 'Source',
    names: {
      '': 'Any source',
      Web: 'Web',
      Text: 'Text',
      API: 'API',
      Connector: 'Connector',
      Share: 'Share',
      Mail: 'Mail',
    },
  },
  uploaded: {
    label: 'Uploaded On',
    names: {
      '': 'Any time',
      day: 'Last 24 hours',
      week: 'Last 7 days',
      month: 'Last 30 days',
      year: 'Last year',
    },
  },
};

interface FilterControlsProps {
  address: FilesAddress;
  stacked?: boolean;
}

function FilterControls({ address, stacked = false }: FilterControlsProps) {
  const { view, setFilter } = address;
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
          onRemove={() => setFilter({ keyword: '' })}
        >
          {view.keyword}
        </Pill>
      )}
      {choiceNames.map((name) => (
        <NativeSelect
          key={name}
          size={stacked ? 'sm' : 'xs'}
          {...(stacked ? { label: choices[name].label } : { 'aria-label': choices[name].label })}
          data={Object.entries(choices[name].names).map(([value, label]) => ({ value, label }))}
          value={view[name]}
          data-chosen={view[name] !== '' || undefined}
          onChange={({ currentTarget: { value } }) => setFilter({ [name]: value })}
        />
      ))}
      {choiceNames.some((name) => view[name] !== '') && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => setFilter({ kind: '', state: '', source: '', uploaded: '' })}
        >
          Clear filters
        </Button>
      )}
    </>
  );
}

export function FileFilters({ address }: { address: FilesAddress }) {
  const { view, setFilter, sortBy } = address;
  const search = useOptimisticValue(view.q, (q) => setFilter({ q }));
  const commitSearch = useDebouncedCallback(search.commit, TYPING_PAUSE_MS);
  const show = (typed: string): void => {
    search.show(typed);
    commitSearch(typed.trim());
  };
  const [isSheetOpen, { open: openSheet, close: closeSheet }] = useDisclosure();
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
          search.shown && <CloseButton size="sm" aria-label="Clear" onClick={() => show('')} />
        }
        maxLength={300}
        value={search.shown}
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
          onClick={openSheet}
        >
          <IconAdjustmentsHorizontal size={18} stroke={1.7} />
        </ActionIcon>
      </Indicator>
      <ActionIcon
        hiddenFrom="sm"
        size="var(--eg-control)"
        aria-label="Upload"
        onClick={() => uploadPanel.set(true)}
      >
        <IconUpload size={18} stroke={1.8} />
      </ActionIcon>
      <Dialog opened={isSheetOpen} onClose={closeSheet} title="Filters">
        <Stack gap="md" pt={4}>
          <FilterControls stacked address={address} />
          <NativeSelect
            label="Sort by"
            data={sorts.map((value) => ({ value, label: sortNames[value] }))}
            value={view.sort}
            onChange={({ currentTarget: { value } }) =>
              sortBy(sorts.find((sort) => sort === value) ?? view.sort)
            }
          />
          <Button onClick={closeSheet}>Show files</Button>
        </Stack>
      </Dialog>
    </Group>
  );
}
