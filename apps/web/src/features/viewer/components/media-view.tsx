import { Box, Stack, Text, Button } from '@mantine/core';
import type { Citation } from '@engram/contract';
import { useRef, useState } from 'react';
import { formatDuration } from '../../../format/format.ts';
import type { useSignedFile } from '../../../artifacts/signed-file.ts';
import { overlaps } from '../find-in-text.ts';
import { MarkedText, QuotedRows } from './quoted-rows.tsx';
import { RowButton } from '../../../components/buttons.tsx';
import { ReadSegments, type SegmentedFile } from './read-text.tsx';
import classes from './viewer.module.css';
import type { ArtifactSegment } from '../api.ts';
import { IconDownload, IconPlayerPlay } from '@tabler/icons-react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { Player, type PlayerFailure } from '../../../components/player.tsx';

const startMsOf = ({ location }: Pick<Citation, 'location'>): number | null =>
  'startMs' in location ? Number(location.startMs) : null;

interface MediaViewProps {
  citation: Citation;
  kind: 'video' | 'audio';
  file: ReturnType<typeof useSignedFile>;
  data: NonNullable<ReturnType<typeof useSignedFile>['data']>;
}

export function MediaView({ citation, kind, file, data }: MediaViewProps) {
  const player = useRef<HTMLMediaElement>(null);
  const startAt = (startMsOf(citation) ?? 0) / 1000;
  const [seconds, setSeconds] = useState(startAt);
  const playFrom = (ms: number): void => {
    if (!player.current) return;
    player.current.currentTime = ms / 1000;
    // If the browser refuses to play, the play button is still there.
    player.current.play().catch(() => undefined);
  };
  return (
    <Stack flex={1} mih={0} gap={0}>
      <Box flex="none" px={18} py={16} bg="var(--eg-surface-hover)">
        <Player
          onMedia={(media) => {
            player.current = media;
          }}
          className={classes.media}
          kind={kind}
          name={citation.fileName}
          file={file}
          data={data}
          startAt={startAt}
          onTime={setSeconds}
          renderFailure={(failure) => <PlaybackFailure {...failure} link={data.presignedUrl} />}
        />
      </Box>
      <ReadSegments citation={citation}>
        {(read) => <Transcript {...read} ms={seconds * 1000} onPlayFrom={playFrom} />}
      </ReadSegments>
    </Stack>
  );
}

interface TranscriptProps extends SegmentedFile {
  ms: number;
  onPlayFrom: (ms: number) => void;
}

const PART_HEIGHT = 52;

function Transcript({ text, place, segments: parts, ms, onPlayFrom }: TranscriptProps) {
  const isQuoted = ({ start, end }: ArtifactSegment): boolean =>
    place !== null && overlaps([start, end], place);
  const quoteRow = parts.findIndex(isQuoted);
  const playing = parts.findLastIndex((part) => (startMsOf(part) ?? Infinity) <= ms);
  return (
    <QuotedRows
      kind="list"
      label="Transcript"
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
        const startMs = startMsOf(part);
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

const PlaybackFailure = ({ isNetwork, retry, link }: PlayerFailure & { link: string }) => (
  <Box component="output" w="100%">
    <EmptyState
      icon={<IconPlayerPlay size={22} stroke={1.6} />}
      title={
        isNetwork ? 'The recording could not be loaded' : 'Your browser cannot play this recording'
      }
      text={
        isNetwork
          ? 'Check your connection and try again.'
          : 'Download it to play it in another program. Its transcript is shown here.'
      }
      action={
        isNetwork ? (
          <Button variant="default" onClick={retry}>
            Try again
          </Button>
        ) : (
          <Button
            component="a"
            variant="default"
            href={link}
            target="_blank"
            rel="noopener noreferrer"
            leftSection={<IconDownload size={16} stroke={1.8} />}
          >
            Download
          </Button>
        )
      }
    />
  </Box>
);
