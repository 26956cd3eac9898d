import type { HistoryThread } from '@engram/contract';
import { Highlight, Text } from '@mantine/core';
import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { memo } from 'react';
import { IconButton } from '../../../components/icon-button.tsx';
import { RowButton } from '../../../components/buttons.tsx';
import { formatTime, plural } from '../../../format/format.ts';
import { useTimeZone } from '../../../format/time-zone.ts';
import { useUpdateHistory } from '../api.ts';

interface QuestionRowProps {
  entry: HistoryThread;
  shown: boolean;
  /** Whether it can be saved from here. */
  starred: boolean;
  today: boolean;
  words: readonly string[];
  onShow: (entry: HistoryThread, today: boolean) => void;
}

export const QuestionRow = memo(function QuestionRow(props: QuestionRowProps) {
  const { entry, today, shown, starred, words, onShow } = props;
  const { timeZone, labelOf } = useTimeZone();
  return (
    <>
      <RowButton
        lined
        aria-current={shown || undefined}
        data-question
        onClick={() => onShow(entry, today)}
      >
        <Text span inherit lineClamp={2} dir="auto" fw={600}>
          <Highlight component="span" unstyled highlight={[...words]}>
            {entry.searchText}
          </Highlight>
        </Text>
        {entry.found !== null && (
          <Text span size="sm" lineClamp={2} dir="auto" c="dimmed">
            <Highlight component="span" unstyled highlight={[...words]}>
              {entry.found}
            </Highlight>
          </Text>
        )}
        <Text span size="sm" c="dimmed">
          {formatTime(entry.date, timeZone, labelOf(entry.date))}
          {entry.turns > 1 && ` · ${plural(entry.turns, 'question')}`}
          {entry.times > 1 && ` · asked ${entry.times} times`}
        </Text>
      </RowButton>
      {starred && <Star entry={entry} />}
    </>
  );
});

function Star({ entry }: { entry: HistoryThread }) {
  const { mutate: update, isPending } = useUpdateHistory();
  const label = entry.isBookmark ? 'Un-Save' : 'Save';
  return (
    <IconButton
      label={`${label}: ${entry.searchText}`}
      tooltip={label}
      icon={entry.isBookmark ? IconStarFilled : IconStar}
      iconSize={17}
      size={40}
      flex="none"
      {...(entry.isBookmark ? { c: 'var(--eg-accent)' } : {})}
      aria-busy={isPending}
      onClick={() => {
        if (isPending) return;
        // What is saved of the talk, or of the same question asked again, is un-saved with it.
        update({
          body: {
            historyId: entry.id,
            isBookmark: !entry.isBookmark,
            ...(entry.isBookmark ? { wholeThread: true } : {}),
          },
        });
      }}
    />
  );
}
