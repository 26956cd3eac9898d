import { useEffect } from 'react';
import type { HandedIn } from '../../artifacts/dialogs.ts';
import { takeIn } from './take-in.ts';
import type { PanelForm } from './upload-queue.ts';

export interface HandedInProps {
  /** What came from elsewhere and is to be put in. */
  handedIn: readonly HandedIn[];
  /** Called once it is in. */
  onTaken: () => void;
  /** Called with its ids when all of it is uploaded or removed. */
  onSettled: (ids: readonly string[]) => void;
}

interface Taking extends HandedInProps, Pick<PanelForm, 'text' | 'shares'> {
  /** Whether there is neither a file nor a text in the panel. */
  isEmpty: boolean;
  /** Called with new files, the text and shares that are to be in the panel, and a notice. */
  onTake: (
    files: readonly File[],
    change: Pick<PanelForm, 'text' | 'shares'>,
    notice: string | null,
  ) => void;
  /** Called when none of what came from elsewhere is left in the panel. */
  onEmpty: () => void;
}

/** Puts into the panel what comes from other apps, each thing once. */
export function useHandedIn(taking: Taking): void {
  const { handedIn, onTaken, onSettled, text, shares, isEmpty, onTake, onEmpty } = taking;
  useEffect(() => {
    if (handedIn.length === 0) return;
    const fresh = handedIn.filter(({ id }) => !shares.includes(id));
    onTaken();
    if (fresh.length === 0) return;
    const taken = takeIn(fresh, text);
    const ids = fresh.map(({ id }) => id);
    onTake(taken.files, { text: taken.text, shares: [...shares, ...ids] }, taken.notice);
  }, [handedIn, shares, text, onTaken, onTake]);

  const isSettled = shares.length > 0 && isEmpty;
  useEffect(() => {
    if (!isSettled) return;
    onSettled(shares);
    onEmpty();
  }, [isSettled, shares, onSettled, onEmpty]);
}
