import type { Share } from '@engram/contract';
import { useState } from 'react';
import { notifyError } from '../../lib/notify.ts';
import { useCreateShare } from './api/create-share.ts';

/** Whether this device has a share sheet, and lets this page use it. */
function hasShareSheet(): boolean {
  if (typeof navigator.share !== 'function') return false;
  // Browsers that share but cannot be asked take an address.
  return navigator.canShare?.({ title: document.title, url: window.location.href }) ?? true;
}

/** Hands a link to the share sheet; false where that is refused and another way is needed. */
async function handOver({ question, url }: Share): Promise<boolean> {
  try {
    await navigator.share({ title: question, url });
    return true;
  } catch (error) {
    // Who closes the sheet has decided; a sheet that comes too late after the click is refused.
    return error instanceof DOMException && error.name === 'AbortError';
  }
}

/** Shares an answer: by the device's share sheet where there is one, else by a dialog. */
export function useShareAnswer() {
  const [shown, setShown] = useState<Share | null>(null);
  const [opened, setOpened] = useState(false);
  const create = useCreateShare();

  const share = async (historyId: string): Promise<void> => {
    try {
      const made = await create.mutateAsync(historyId);
      if (hasShareSheet() && (await handOver(made))) return;
      setShown(made);
      setOpened(true);
    } catch (error) {
      notifyError('The answer was not shared', error);
    }
  };
  return {
    share: (historyId: string): void => {
      if (!create.isPending) void share(historyId);
    },
    pending: create.isPending,
    /** What the dialog shows; null until it is first opened. */
    shown,
    opened,
    close: () => setOpened(false),
  };
}
