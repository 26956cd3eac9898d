import type { HistoryEntry } from '@engram/contract';
import { ActionIcon, Group, Loader, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { memo } from 'react';
import { formatTime, plural } from '../../../format/format.ts';
import { useTimeZone } from '../../../format/time-zone.ts';
import { Disclosure } from '../../../components/disclosure.tsx';
import { RowButton } from '../../../components/buttons.tsx';
import { previewOf } from '../answer.ts';
import { CategoryIcon, mostCategories } from '../related-categories.tsx';
import { useAnswerSound } from '../use-answer-sound.ts';
import classes from './earlier-today.module.css';

interface EarlierTodayProps {
  entries: readonly HistoryEntry[];
  onShow: (id: string) => void;
}

export const EarlierToday = memo(function EarlierToday(props: EarlierTodayProps) {
  const { entries, onShow } = props;
  if (entries.length === 0) return null;
  return (
    <section aria-label="Earlier today">
      <Disclosure label="Earlier today" note={plural(entries.length, 'question')}>
        <ul>
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} onShow={onShow} />
          ))}
        </ul>
      </Disclosure>
    </section>
  );
});

interface EntryProps {
  entry: HistoryEntry;
  onShow: (id: string) => void;
}

const Entry = memo(function Entry({ entry, onShow }: EntryProps) {
  return (
    <li className={classes.item}>
      <RowButton lined onClick={() => onShow(entry.id)}>
        <Text span inherit lineClamp={2} dir="auto" pr={40} fw={600}>
          {entry.searchText}
        </Text>
        <Text span size="sm" lineClamp={2} dir="auto" c="dimmed">
          {previewOf(entry.answers[0] ?? '')}
        </Text>
        <Facts entry={entry} />
      </RowButton>
      <Listen entry={entry} />
    </li>
  );
});

function Facts({ entry }: { entry: HistoryEntry }) {
  const { timeZone, labelOf } = useTimeZone();
  const { citations, similarVectors } = entry;
  return (
    <Group component="span" gap="2px 12px" fz="sm" c="dimmed">
      <span>
        {formatTime(entry.date, timeZone, labelOf(entry.date))} ·{' '}
        {citations.length > 0 ? plural(citations.length, 'source') : 'no sources'}
      </span>
      {mostCategories(similarVectors).map(({ category, count }) => (
        <Group key={category} component="span" gap={4} title={`${category} ${count}`}>
          <CategoryIcon category={category} size={14} />
          <span className="eg-visually-hidden">{category} </span>
          {count}
        </Group>
      ))}
    </Group>
  );
}

const LISTENING = {
  idle: { verb: 'Play', icon: <IconPlayerPlay size={14} /> },
  loading: { verb: 'Stop preparing', icon: <Loader size={14} /> },
  playing: { verb: 'Pause', icon: <IconPlayerPause size={14} /> },
  paused: { verb: 'Play', icon: <IconPlayerPlay size={14} /> },
};

function Listen({ entry }: { entry: HistoryEntry }) {
  const { status, failure, toggle } = useAnswerSound(entry.id);
  const { verb, icon } = LISTENING[status];
  return (
    <>
      <ActionIcon
        pos="absolute"
        top={6}
        right={4}
        variant="subtle"
        color={status === 'playing' ? 'indigo' : 'gray'}
        size={32}
        radius={8}
        aria-label={`${verb} the answer to ${entry.searchText}`}
        title={`${verb} the answer`}
        onClick={toggle}
      >
        {icon}
      </ActionIcon>
      {failure !== null && (
        <Text size="sm" px={10} pb={12} c="red" role="alert">
          The answer cannot be played. {failure}
        </Text>
      )}
    </>
  );
}
