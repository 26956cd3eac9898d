import { Box, Button, Group, Stack, Text } from '@mantine/core';
import {
  IconArchive,
  IconDeviceLaptop,
  IconExternalLink,
  IconFiles,
  IconTrash,
} from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { Pages } from '../api/use-pages.ts';
import { ConfirmModal } from '../components/confirm-modal.tsx';
import { CopyField } from '../components/copy-field.tsx';
import { Dialog } from '../components/dialog.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Entry } from '../components/entry.tsx';
import { ErrorState } from '../components/error-state.tsx';
import { FailureNote } from '../components/failure-note.tsx';
import { FileFolder, FileName } from '../components/file-name.tsx';
import { FileTypeIcon } from '../components/file-type-icon.tsx';
import { ListHead } from '../components/list-head.tsx';
import { LoadingBlocks } from '../components/loading-blocks.tsx';
import { Menu } from '../components/menu.tsx';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { PagedList } from '../components/paged-list.tsx';
import { Pairs } from '../components/pairs.tsx';
import { Panel } from '../components/panel.tsx';
import { Progress } from '../components/progress.tsx';
import { Prose } from '../components/prose.tsx';
import { Row, Rows } from '../components/row.tsx';
import { Table, Under, type Column } from '../components/table.tsx';
import { Tag } from '../components/tag.tsx';

interface Fruit {
  name: string;
  origin: string;
  price: string;
}

const fruits: Fruit[] = [
  { name: 'Fig', origin: 'Izmir', price: '$2.00' },
  { name: 'Plum', origin: 'Meissen', price: '$1.50' },
];

const columns: Column<Fruit>[] = [
  {
    header: 'Fruit',
    kind: 'main',
    cell: ({ name, origin }) => (
      <>
        {name}
        <Under>from {origin}</Under>
      </>
    ),
  },
  { header: 'Price', kind: 'number', cell: ({ price }) => price },
];

const failure = new Error('The server is not answering.');
const nothing = () => undefined;
const page: Pages<Fruit> = {
  rows: fruits,
  total: 2,
  error: null,
  isStale: false,
  hasMore: false,
  isLoadingMore: false,
  moreFailed: false,
  loadMore: nothing,
  refetch: nothing,
};

const lists: Record<string, Partial<Pages<Fruit>>> = {
  'Read to its end': {},
  'With more to read': { total: 40, hasMore: true },
  'While more is read': { total: 40, hasMore: true, isLoadingMore: true },
  'When more could not be read': { total: 40, hasMore: true, moreFailed: true },
  'Of an earlier question': { isStale: true },
  Empty: { rows: [], total: 0 },
  Loading: { rows: undefined },
  Failed: { rows: undefined, error: failure },
};

const longName = 'Minutes of the general meeting of the allotment society, final version 3.docx';

/** The parts that pages are put together from, each in its states. Only developers see it. */
export function Kit() {
  return (
    <Page
      title="Kit"
      lead="The parts of components/, each in its states, in the scheme of the app."
      actions={<Button variant="default">An action of Page</Button>}
    >
      <Stack component="section" gap={20} aria-labelledby="parts">
        <h2 id="parts" className="eg-visually-hidden">
          Parts
        </h2>
        {parts.map(({ name, line, shown }) => (
          <Panel key={name} title={name} lead={line}>
            <Stack gap={14}>{shown}</Stack>
          </Panel>
        ))}
        <Panel title="Panel" lead="Frames one subject." aside={<Tag>aside</Tag>} />
        <Panel title="Panel, danger" lead="What is done here cannot be taken back." danger />
      </Stack>
    </Page>
  );
}

interface Part {
  name: string;
  line: string;
  shown: ReactNode;
}

const parts: Part[] = [
  {
    name: 'Table',
    line: 'Rows of facts, which become cards where there is little room.',
    shown: (
      <Table caption="Fruit" columns={columns} rows={fruits} keyOf={({ name }) => name} dense />
    ),
  },
  {
    name: 'Rows and Row',
    line: 'Things below each other, each with what can be done with it.',
    shown: (
      <Rows label="Devices">
        <Row
          icon={IconDeviceLaptop}
          name={
            <>
              Laptop <Tag>this one</Tag>
            </>
          }
          facts={['Berlin', 'Active now']}
        />
        <Row
          icon={IconDeviceLaptop}
          name="Desktop"
          facts={['Last active yesterday']}
          action={<Button variant="default">Sign out</Button>}
        />
      </Rows>
    ),
  },
  {
    name: 'Pairs',
    line: 'Labels, each with its value.',
    shown: (['plain', 'lined'] as const).map((look) => (
      <Pairs
        key={look}
        lined={look === 'lined'}
        pairs={[
          { label: 'Figs', value: '$2.00' },
          { label: 'Due today', value: '$2.00', strong: true },
        ]}
      />
    )),
  },
  {
    name: 'Tag',
    line: 'A word or two that mark what they stand beside.',
    shown: (
      <div>
        {(['accent', 'quiet', 'success', 'warning', 'danger'] as const).map((tone) => (
          <span key={tone}>
            <Tag tone={tone}>{tone}</Tag>{' '}
          </span>
        ))}
      </div>
    ),
  },
  {
    name: 'Entry',
    line: 'A way of a list of ways; the one that somebody is at is marked.',
    shown: (
      <div>
        <Entry aria-current>Orchard</Entry>
        <Entry>Cellar</Entry>
      </div>
    ),
  },
  {
    name: 'Prose',
    line: 'Running text, in three sizes.',
    shown: (['sm', 'md', 'lg'] as const).map((size) => (
      <Prose key={size} size={size}>
        <h3>Plums</h3>
        <p>
          They are <strong>ripe</strong> in <code>September</code>.
        </p>
      </Prose>
    )),
  },
  {
    name: 'EmptyState',
    line: 'Nothing is here yet, and what to do about it.',
    shown: (
      <EmptyState
        icon={<IconFiles size={22} stroke={1.6} />}
        title="No files yet"
        text="Add one to ask about it."
        action={<Button>Add files</Button>}
      />
    ),
  },
  {
    name: 'ErrorState',
    line: 'Something could not be loaded: what, why, and a way to try again.',
    shown: <ErrorState title="Your files could not be loaded" error={failure} onRetry={nothing} />,
  },
  {
    name: 'Notice',
    line: 'A sentence or two about how things stand, in six tones.',
    shown: (['accent', 'warning', 'success', 'danger', 'plain', 'quiet'] as const).map((tone) => (
      <Notice key={tone} tone={tone} icon={IconFiles}>
        The {tone} figs are still being counted.
      </Notice>
    )),
  },
  {
    name: 'FailureNote',
    line: 'Something that was tried has failed, said where it was tried.',
    shown: <FailureNote title="The key was not made." error={failure} />,
  },
  {
    name: 'ListHead',
    line: 'The heading of a list, with how many it holds.',
    shown: <ListHead id="fruit" title="Fruit" count={2} />,
  },
  {
    name: 'CopyField',
    line: 'A value to take along, and the button that copies it.',
    shown: <CopyField labelled label="Address" value="https://figs.example" onCopy={nothing} />,
  },
  {
    name: 'Menu',
    line: 'What else can be done with something, behind three dots.',
    shown: (
      <div>
        <Menu
          label="Options for the fig"
          groups={[
            [{ icon: IconExternalLink, label: 'Open in a new tab', href: '/kit' }],
            [
              { icon: IconArchive, label: 'Archive', disabled: true },
              { icon: IconTrash, label: 'Delete', tone: 'danger', onClick: nothing },
            ],
          ]}
        />
      </div>
    ),
  },
  {
    name: 'Progress',
    line: 'How much of something is done or used, with or without words.',
    shown: (
      <>
        <Progress label="Fruit picked" share={0.4} />
        <Progress
          label="Basket: 9 of 10 kg"
          share={0.9}
          color="yellow.6"
          words="Basket"
          aside="9 of 10 kg"
        />
        <Progress label="Fruit being washed" share={1} animated words="Washing…" />
      </>
    ),
  },
  {
    name: 'Dialog',
    line: 'One matter over the page; from below on phones.',
    shown: <Asking />,
  },
  {
    name: 'ConfirmModal',
    line: 'Asks before something is done that cannot be taken back.',
    shown: <Confirmation />,
  },
  {
    name: 'FileName, FileFolder and FileTypeIcon',
    line: 'A file on one line, cut in its middle where there is no room for it.',
    shown: ['lease.pdf', longName, 'خطاب.docx', 'pier.png', 'talk.mp3'].map((name) => (
      <Group key={name} gap={10} wrap="nowrap" maw={320}>
        <FileTypeIcon fileName={name} />
        <Box flex={1} miw={0}>
          <FileName name={name} />
          <FileFolder path={`Home/Papers/${name}`} />
        </Box>
      </Group>
    )),
  },
  {
    name: 'LoadingBlocks',
    line: 'Stands where panels and rows will stand when they are loaded.',
    shown: <LoadingBlocks label="Loading the fruit" heights={[44, 120]} />,
  },
  {
    name: 'PagedList',
    line: 'A list that is read page by page, in all its states.',
    shown: Object.entries(lists).map(([state, over]) => (
      <div key={state}>
        <Text size="sm" fw={600}>
          {state}
        </Text>
        <PagedList pages={{ ...page, ...over }} nouns={['fruit', 'fruits']} empty="No fruit.">
          {(rows) => <Text>{rows.map(({ name }) => name).join(', ')}</Text>}
        </PagedList>
      </div>
    )),
  },
];

function Asking() {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <div>
      <Button variant="default" onClick={() => setOpened(true)}>
        Open
      </Button>
      <Dialog
        opened={opened}
        onClose={close}
        title="Pick the figs"
        actions={<Button onClick={close}>Pick</Button>}
      >
        <Text>They are ripe.</Text>
        <FailureNote title="The figs were not picked." error={failure} />
      </Dialog>
    </div>
  );
}

function Confirmation() {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <div>
      <Button variant="default" onClick={() => setOpened(true)}>
        Ask
      </Button>
      <ConfirmModal
        opened={opened}
        title="Confirm Delete"
        question="Delete this file?"
        consequence="It cannot be brought back."
        yes="Delete"
        pending={false}
        onClose={close}
        onConfirm={close}
      />
    </div>
  );
}
