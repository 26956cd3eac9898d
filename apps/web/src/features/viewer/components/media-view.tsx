import { Box, Stack, Text } from '@mantine/core';
import type { Citation } from '@engram/contract';
import { useMemo, useRef, useState } from 'react';
import { formatDuration } from '../../../format/format.ts';
import type { useSignedFile } from '../../../artifacts/signed-file.ts';
import { overlaps } from '../quote-place.ts';
import { partAt, transcriptOf, type TranscriptPart } from '../transcript.ts';
import { MarkedText } from './marked-text.tsx';
import { RowButton } from '../../../components/row-button.tsx';
import { QuotedRows } from './quoted-rows.tsx';
import { ReadSegments, type ReadFile } from './read-text.tsx';
import { Recording } from './recording.tsx';
import classes from './viewer.module.css';

interface MediaViewProps {
  citation: Citation;
  kind: 'video' | 'audio';
  file: ReturnType<typeof useSignedFile>;
  data: NonNullable<ReturnType<typeof useSignedFile>['data']>;
}

/** The moment a citation names, in seconds; the beginning where it names none. */
const startOf = ({ location }: Citation): number =>
  'startMs' in location ? Number(location.startMs) / 1000 : 0;

/** A recording at the cited second, with what is said in it. */
export function MediaView({ citation, kind, file, data }: MediaViewProps) {
  const player = useRef<HTMLMediaElement>(null);
  const startAt = startOf(citation);
  const [seconds, setSeconds] = useState(startAt);
  const playFrom = (ms: number): void => {
    if (!player.current) return;
    player.current.currentTime = ms / 1000;
    // A refusal only means that the play button is to be pressed.
    player.current.play().catch(() => undefined);
  };
  return (
    <Stack flex={1} mih={0} gap={0}>
      <Box flex="none" px={18} py={16} bg="var(--eg-surface-hover)">
        <Recording
          onMedia={(media) => {
            player.current = media;
          }}
          kind={kind}
          name={citation.fileName}
          file={file}
          data={data}
          startAt={startAt}
          onTime={setSeconds}
        />
      </Box>
      <ReadSegments citation={citation}>
        {({ segments, ...read }) => (
          <Transcript {...read} segments={segments} ms={seconds * 1000} onPlayFrom={playFrom} />
        )}
      </ReadSegments>
    </Stack>
  );
}

interface TranscriptProps extends ReadFile {
  segments: Parameters<typeof transcriptOf>[0];
  /** Where the player is, in milliseconds. */
  ms: number;
  onPlayFrom: (ms: number) => void;
}

/** Pixels of a part before it is measured. */
const PART_HEIGHT = 52;

function Transcript({ text, place, segments, ms, onPlayFrom }: TranscriptProps) {
  const parts = useMemo(() => transcriptOf(segments), [segments]);
  const isQuoted = ({ start, end }: TranscriptPart): boolean =>
    place !== null && overlaps([start, end], place);
  const quoteRow = parts.findIndex(isQuoted);
  const playing = partAt(parts, ms);
  return (
    <QuotedRows
      kind="list"
      label="What is said"
      count={parts.length}
      quoteRow={quoteRow}
      rowHeight={PART_HEIGHT}
      className={classes.column}
      rowProps={(index) => {
        const part = parts[index];
        return { 'data-quoted': (part && isQuoted(part)) || undefined };
      }}
      renderRow={(index) => {
        const part = parts[index];
        if (!part) return null;
        const words = (
          <span className={classes.words}>
            <MarkedText text={text} start={part.start} end={part.end} quote={place} />
          </span>
        );
        const { startMs } = part;
        if (startMs === null)
          return (
            <Text inherit py={6} pr={10} pl={68} c="dimmed">
              {words}
            </Text>
          );
        return (
          <RowButton
            aria-current={index === playing ? 'time' : undefined}
            onClick={() => onPlayFrom(startMs)}
          >
            <Text span flex="none" miw={46} size="sm" lh="inherit" fw={600} c="dimmed" ta="right">
              <span className="eg-visually-hidden">Play from </span>
              {formatDuration(startMs)}
            </Text>
            {words}
          </RowButton>
        );
      }}
    />
  );
}
