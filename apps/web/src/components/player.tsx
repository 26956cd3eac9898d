import { useRef, useState, type ReactNode, type SyntheticEvent } from 'react';
import type { SignedFile, useSignedFile } from '../artifacts/signed-file.ts';
import { usePlayableLink } from '../artifacts/signed-file.ts';

/** `MediaError.MEDIA_ERR_NETWORK`. */
const NETWORK_ERROR = 2;

/** Containers that no browser plays. */
const UNPLAYABLE = /^video\/(?:x-msvideo|avi|vnd\.avi)$/u;

/** Why a recording is not played. */
export interface Unplayed {
  /** Whether its bytes could not be fetched; otherwise the browser does not know its format. */
  isNetwork: boolean;
  /** Signs the file anew and tries once more. */
  retry: () => void;
}

export interface PlayerProps {
  kind: 'video' | 'audio';
  name: string;
  file: ReturnType<typeof useSignedFile>;
  data: SignedFile;
  className: string | undefined;
  /** What stands in the place of a recording that is not played here. */
  renderUnplayed: (unplayed: Unplayed) => ReactNode;
  /** How much is fetched before anybody presses play. */
  preload?: 'metadata' | 'none';
  /** A picture of the video, until it plays. */
  poster?: string | undefined;
  /** Where to start, in seconds. */
  startAt?: number;
  onTime?: (seconds: number) => void;
  onMedia?: (media: HTMLMediaElement | null) => void;
}

/** Plays a recording from a moment on, and goes on there when its link had to be signed anew. */
export function Player(props: PlayerProps) {
  const { kind, file, data, preload = 'metadata', startAt = 0, onTime, onMedia } = props;
  const link = usePlayableLink(file, data.presignedUrl);
  const at = useRef(startAt);
  const wasPlaying = useRef(false);
  const [wasPlayed, setWasPlayed] = useState(false);
  const failure = UNPLAYABLE.test(data.fileType) ? 'format' : link.failure;
  if (failure) {
    return props.renderUnplayed({ isNetwork: failure === 'network', retry: link.retry });
  }
  const media = {
    ref: onMedia,
    className: props.className,
    src: link.src,
    controls: true,
    // A new link is only gone on with once the browser looks at it.
    preload: wasPlayed ? 'metadata' : preload,
    'aria-label': props.name,
    onLoadedMetadata: ({ currentTarget: media }: SyntheticEvent<HTMLMediaElement>) => {
      if (at.current > 0) media.currentTime = at.current;
      // Browsers may refuse to play what nobody has clicked; the play button is there.
      if (wasPlaying.current) media.play().catch(() => undefined);
    },
    onTimeUpdate: ({ currentTarget: media }: SyntheticEvent<HTMLMediaElement>) => {
      // A player that has just failed is at its beginning again.
      if (media.error || media.readyState === 0) return;
      at.current = media.currentTime;
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
    // A person's own file has no captions to offer.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <video {...media} poster={props.poster} playsInline>
      Your browser does not support the video tag.
    </video>
  ) : (
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <audio {...media}>Your browser does not support the audio tag.</audio>
  );
}
