import type { HistoryEntry } from '@engram/contract';
import { Tooltip } from '@mantine/core';
import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { memo } from 'react';
import clamped from '../../../components/clamped.module.css';
import rowButton from '../../../components/row-button.module.css';
import { formatTime } from '../../../format/format.ts';
import { useTimeZone } from '../../../format/time-zone.ts';
import { useUpdateHistory } from '../api/update-history.ts';
import classes from './question-row.module.css';

interface QuestionRowProps {
  entry: HistoryEntry;
  /** Whether its answer is shown. */
  shown: boolean;
  /** Whether it can be saved from here. */
  starred: boolean;
  /** Whether it stands under TODAY. */
  today: boolean;
  onShow: (entry: HistoryEntry, today: boolean) => void;
}

/** A question that was asked, with its time and its star. */
export const QuestionRow = memo(function QuestionRow(props: QuestionRowProps) {
  const { entry, today, shown, starred, onShow } = props;
  const { timeZone, labelOf } = useTimeZone();
  return (
    <>
      <button
        type="button"
        className={`${rowButton.row} ${classes.entry}`}
        aria-current={shown || undefined}
        data-question
        onClick={() => onShow(entry, today)}
      >
        <span className={`${clamped.lines} ${classes.question}`}>{entry.searchText}</span>
        <span className={classes.time}>
          {formatTime(entry.date, timeZone, labelOf(entry.date))}
        </span>
      </button>
      {starred && <Star entry={entry} />}
    </>
  );
});

function Star({ entry }: { entry: HistoryEntry }) {
  const { mutate: update, isPending } = useUpdateHistory();
  const label = entry.isBookmark ? 'Un-Save' : 'Save';
  const Icon = entry.isBookmark ? IconStarFilled : IconStar;
  return (
    <Tooltip label={label} events={{ hover: true, focus: true, touch: false }}>
      <button
        type="button"
        className={classes.star}
        data-saved={entry.isBookmark || undefined}
        aria-label={`${label}: ${entry.searchText}`}
        aria-busy={isPending}
        onClick={() => {
          if (!isPending) update({ historyId: entry.id, isBookmark: !entry.isBookmark });
        }}
      >
        <Icon size={17} stroke={1.8} aria-hidden="true" />
      </button>
    </Tooltip>
  );
}
