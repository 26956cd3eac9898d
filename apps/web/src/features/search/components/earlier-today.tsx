import type { HistoryEntry } from '@engram/contract';
import { ActionIcon, Loader, Text } from '@mantine/core';
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react';
import { memo } from 'react';
import clamped from '../../../components/clamped.module.css';
import { formatTime, plural } from '../../../format/format.ts';
import { useTimeZone } from '../../../format/time-zone.ts';
import { RowButton } from '../../../components/row-button.tsx';
import { previewOf } from '../answer-preview.ts';
import { mostCategories } from '../related-categories.ts';
import { useAnswerSound } from '../use-answer-sound.ts';
import { CategoryIcon } from './category-icon.tsx';
import classes from './earlier-today.module.css';

interface EarlierTodayProps {
  entries: readonly HistoryEntry[];
  onShow: (id: string) => void;
}

/** Today's earlier searches, each with its answer, its sound and its files; a click shows it again. */
export const EarlierToday = memo(function EarlierToday(props: EarlierTodayProps) {
  const { entries, onShow } = props;
  if (entries.length === 0) return null;
  return (
    <section aria-label="Earlier today">
      <Text component="h2" size="sm" mb={6} c="dimmed" fw={600} lts={0} lh={1.4} ta="start">
        Earlier today
      </Text>
      <ul>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} onShow={onShow} />
        ))}
      </ul>
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
      <RowButton className={classes.entry} onClick={() => onShow(entry.id)}>
        <span className={`${clamped.lines} ${classes.question}`}>{entry.searchText}</span>
        <span className={`${clamped.lines} ${classes.answer}`}>
          {previewOf(entry.answers[0] ?? '')}
        </span>
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
    <span className={classes.facts}>
      <span>
        {formatTime(entry.date, timeZone, labelOf(entry.date))} ·{' '}
        {citations.length > 0 ? plural(citations.length, 'source') : 'no sources'}
      </span>
      {mostCategories(similarVectors).map(({ category, count }) => (
        <span key={category} className={classes.files} title={`${category} ${count}`}>
          <CategoryIcon category={category} size={14} />
          <span className="eg-visually-hidden">{category} </span>
          {count}
        </span>
      ))}
    </span>
  );
}

const LISTENING = {
  unasked: { verb: 'Play', icon: <IconPlayerPlayFilled size={14} /> },
  loading: { verb: 'Stop preparing', icon: <Loader size={14} /> },
  playing: { verb: 'Pause', icon: <IconPlayerPauseFilled size={14} /> },
  paused: { verb: 'Play', icon: <IconPlayerPlayFilled size={14} /> },
};

/** The answer's sound, without opening the answer. */
function Listen({ entry }: { entry: HistoryEntry }) {
  const { status, failure, toggle } = useAnswerSound(entry.id);
  const { verb, icon } = LISTENING[status];
  return (
    <>
      <ActionIcon
        className={classes.listen ?? ''}
        variant="subtle"
        color="gray"
        size={32}
        radius={8}
        data-status={status}
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
