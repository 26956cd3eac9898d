import { useRef, useState, type ReactNode, type SyntheticEvent } from 'react';
import type { SignedFile, useSignedFile } from '../artifacts/signed-file.ts';
import { usePlayableLink } from '../artifacts/signed-file.ts';

/** `MediaError.MEDIA_ERR_NETWORK`. */
const NETWORK_ERROR = 2;

const UNPLAYABLE = /^video\/(?:x-msvideo|avi|vnd\.avi)$/u;

export interface PlayerFailure {
  isNetwork: boolean;
  retry: () => void;
}

interface PlayerProps {
  kind: 'video' | 'audio';
  name: string;
  file: ReturnType<typeof useSignedFile>;
  data: SignedFile;
  className: string | undefined;
  renderFailure: (failure: PlayerFailure) => ReactNode;
  preload?: 'metadata' | 'none';
  poster?: string | undefined;
  startAt?: number;
  onTime?: (seconds: number) => void;
  onMedia?: (media: HTMLMediaElement | null) => void;
}

/** Plays a recording from a given time, and continues there after its link is renewed. */
export function Player(props: PlayerProps) {
  const { kind, file, data, preload = 'metadata', startAt = 0, onTime, onMedia } = props;
  const link = usePlayableLink(file, data.presignedUrl);
  const position = useRef(startAt);
  const wasPlaying = useRef(false);
  const [wasPlayed, setWasPlayed] = useState(false);
  const failure = UNPLAYABLE.test(data.fileType) ? 'format' : link.failure;
  if (failure) {
    return props.renderFailure({ isNetwork: failure === 'network', retry: link.retry });
  }
  const media = {
    ref: onMedia,
    className: props.className,
    src: link.src,
    controls: true,
    // To continue with a new link, the metadata is needed.
    preload: wasPlayed ? 'metadata' : preload,
    'aria-label': props.name,
    onLoadedMetadata: ({ currentTarget: media }: SyntheticEvent<HTMLMediaElement>) => {
      if (position.current > 0) media.currentTime = position.current;
      // If the browser requires a click to play, the play button is still there.
      if (wasPlaying.current) media.play().catch(() => undefined);
    },
    onTimeUpdate: ({ currentTarget: media }: SyntheticEvent<HTMLMediaElement>) => {
      // After a failure the player is reset to the beginning.
      if (media.error || media.readyState === 0) return;
      position.current = media.currentTime;
      onTime?.(media.currentTime);
    },
    onPlay: () => {
      wasPlaying.current = true;
      setWasPlayed(true);
    },
    onPause: ({ currentTarget: media }: SyntheticEvent<HTMLMediaElement>) => {
      if (!media.error) wasPlaying.current = false;
    },
    onError: ({ currentTarget: media }: SyntheticEvent<HTMLMediaElement>) =>
      link.onFailed(media.error?.code === NETWORK_ERROR),
  } as const;
  return kind === 'video' ? (
    <video {...media} poster={props.poster} playsInline>
      Your browser does not support the video tag.
    </video>
  ) : (
    <audio {...media}>Your browser does not support the audio tag.</audio>
  );
}
