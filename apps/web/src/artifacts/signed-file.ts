import { signArtifact } from '@engram/contract/browser';
import { api } from '../api/api.ts';
import { useCall } from '../api/use-call.ts';
import { notifyError } from '../components/notify.ts';
import { useRef, useState } from 'react';

/** Milliseconds after which a link is signed again. It expires after 15 minutes. */
export const LINK_REFRESH_MS = 10 * 60_000;

const signFile = async (artifactId: string) =>
  (await api.call(signArtifact, { params: { artifactId } })).data;

export type SignedFile = Awaited<ReturnType<typeof signFile>>;

/** {@link signFile}, signed again while it is in use. Returns `known` until it is loaded. */
export const useSignedFile = (artifactId: string, known?: SignedFile) =>
  useCall(
    signArtifact,
    { params: { artifactId } },
    {
      ...(known && { placeholderData: known }),
      staleTime: LINK_REFRESH_MS,
      refetchInterval: LINK_REFRESH_MS,
    },
  );

/**
 * Opens the address that a call returns in a new tab.
 * @param failed The title of the error message.
 */
export async function openInNewTab(failed: string, ask: () => Promise<string>): Promise<void> {
  // Browsers block a tab that opens long after the click, so it opens before the call.
  const tab = window.open('', '_blank');
  if (tab) tab.opener = null;
  try {
    const url = await ask();
    if (tab) tab.location.replace(url);
    else window.location.assign(url);
  } catch (error) {
    tab?.close();
    notifyError(failed, error);
  }
}

export const openFile = (artifactId: string): Promise<void> =>
  openInNewTab(
    'The file could not be opened',
    async () => (await signFile(artifactId)).presignedUrl,
  );

/** Saves the response of an address of this server without leaving the page. */
export function download(url: string, fileName = ''): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
}

export async function saveFile(artifactId: string): Promise<void> {
  try {
    const { presignedUrl, fileName } = await signFile(artifactId);
    download(presignedUrl, fileName);
  } catch (error) {
    notifyError('The file was not downloaded', error);
  }
}

/** Milliseconds in which a link cannot have expired. */
const MIN_LINK_AGE_MS = 60_000;

/**
 * A signed link for a player. It is replaced only when it has expired, since a player restarts with
 * each new link. Call `onFailed` when the player fails.
 */
export function usePlayableLink(file: ReturnType<typeof useSignedFile>, presignedUrl: string) {
  const { refetch, dataUpdatedAt } = file;
  const [src, setSrc] = useState(presignedUrl);
  const [failure, setFailure] = useState<'network' | 'format' | null>(null);
  const signedAt = useRef(dataUpdatedAt);

  const renew = async (): Promise<void> => {
    const { data, dataUpdatedAt: updatedAt } = await refetch();
    if (!data) return setFailure('network');
    signedAt.current = updatedAt;
    setFailure(null);
    setSrc(data.presignedUrl);
  };
  const onFailed = (isNetwork: boolean): void => {
    if (Date.now() - signedAt.current > MIN_LINK_AGE_MS) void renew();
    else setFailure(isNetwork ? 'network' : 'format');
  };
  return { src, failure, onFailed, retry: () => void renew() };
}
