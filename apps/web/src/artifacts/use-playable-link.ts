import { useCallback, useRef, useState } from 'react';
import type { useSignedFile } from './signed-file.ts';

/** A link that is younger than this cannot have expired. In milliseconds. */
const SURELY_VALID_MS = 60_000;

export type PlayFailure = 'network' | 'format';

interface PlayableLink {
  src: string;
  failure: PlayFailure | null;
  /** Called when the player could not go on. */
  onFailed: (isNetwork: boolean) => void;
  retry: () => void;
}

/**
 * A signed link for a player. It stays the same while it works, as a player starts anew with each
 * new one; when it fails because it has expired, the next one takes its place.
 */
export function usePlayableLink(
  file: ReturnType<typeof useSignedFile>,
  presignedUrl: string,
): PlayableLink {
  const { refetch, dataUpdatedAt } = file;
  const [src, setSrc] = useState(presignedUrl);
  const [failure, setFailure] = useState<PlayFailure | null>(null);
  const signedAt = useRef(dataUpdatedAt);

  const renew = useCallback(async () => {
    const { data, dataUpdatedAt: at } = await refetch();
    if (!data) {
      setFailure('network');
      return;
    }
    signedAt.current = at;
    setFailure(null);
    setSrc(data.presignedUrl);
  }, [refetch]);

  const onFailed = useCallback(
    (isNetwork: boolean) => {
      if (Date.now() - signedAt.current > SURELY_VALID_MS) void renew();
      else setFailure(isNetwork ? 'network' : 'format');
    },
    [renew],
  );
  return { src, failure, onFailed, retry: () => void renew() };
}
