import { Button } from '@mantine/core';
import { IconDownload, IconPlayerPlay } from '@tabler/icons-react';
import { useRef, type SyntheticEvent } from 'react';
import { EmptyState } from '../../../components/empty-state.tsx';
import type { useSignedFile } from '../../../lib/signed-file.ts';
import { usePlayableLink } from '../use-playable-link.ts';
import classes from './media-view.module.css';

/** `MediaError.MEDIA_ERR_NETWORK`. */
const NETWORK_ERROR = 2;

/** Containers that no browser plays. */
const UNPLAYABLE = /^video\/(?:x-msvideo|avi|vnd\.avi)$/u;

interface PlayerProps {
  kind: 'video' | 'audio';
  name: string;
  file: ReturnType<typeof useSignedFile>;
  data: NonNullable<ReturnType<typeof useSignedFile>['data']>;
  /** Where to start, in seconds. */
  startAt: number;
  onTime: (seconds: number) => void;
  onMedia: (media: HTMLMediaElement | null) => void;
}

/** Plays a recording from a moment on, and goes on there when its link had to be signed anew. */
export function Player({ kind, name, file, data, startAt, onTime, onMedia }: PlayerProps) {
  const link = usePlayableLink(file, data.presignedUrl);
  const at = useRef(startAt);
  const wasPlaying = useRef(false);
  const failure = UNPLAYABLE.test(data.fileType) ? 'format' : link.failure;
  if (failure) {
    return (
      <Unplayed isNetwork={failure === 'network'} link={data.presignedUrl} onRetry={link.retry} />
    );
  }
  const props = {
    ref: onMedia,
    className: classes.media,
    src: link.src,
    controls: true,
    preload: 'metadata',
    'aria-label': name,
    onLoadedMetadata: ({ currentTarget: media }: SyntheticEvent<HTMLMediaElement>) => {
      if (at.current > 0) media.currentTime = at.current;
      // Browsers may refuse to play what nobody has clicked; the play button is there.
      if (wasPlaying.current) media.play().catch(() => undefined);
    },
    onTimeUpdate: ({ currentTarget: media }: SyntheticEvent<HTMLMediaElement>) => {
      // A player that has just failed is at its beginning again.
      if (media.error || media.readyState === 0) return;
      at.current = media.currentTime;
      onTime(media.currentTime);
    },
    onPlay: () => {
      wasPlaying.current = true;
    },
    onPause: ({ currentTarget: media }: SyntheticEvent<HTMLMediaElement>) => {
      if (!media.error) wasPlaying.current = false;
    },
    onError: ({ currentTarget: media }: SyntheticEvent<HTMLMediaElement>) =>
      link.onFailed(media.error?.code === NETWORK_ERROR),
  } as const;
  return kind === 'video' ? (
    // A person's own file has no captions to offer; what is said stands beside it.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <video {...props} playsInline>
      Your browser does not support the video tag.
    </video>
  ) : (
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <audio {...props}>Your browser does not support the audio tag.</audio>
  );
}

interface UnplayedProps {
  isNetwork: boolean;
  link: string;
  onRetry: () => void;
}

/** What to do with a recording that is not played here. */
function Unplayed({ isNetwork, link, onRetry }: UnplayedProps) {
  return (
    <output className={classes.unplayed}>
      <EmptyState
        icon={<IconPlayerPlay size={22} stroke={1.6} />}
        title={
          isNetwork
            ? 'The recording could not be fetched'
            : 'Your browser cannot play this recording'
        }
        text={
          isNetwork
            ? 'Check your connection and try again.'
            : 'Download it to play it in another program. What is said in it stands here.'
        }
        action={
          isNetwork ? (
            <Button variant="default" onClick={onRetry}>
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
    </output>
  );
}
