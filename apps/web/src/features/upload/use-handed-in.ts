import { useEffect } from 'react';
import type { HandedIn } from '../../uploads/upload-panel.ts';
import { takeIn } from './take-in.ts';
import { isEmpty, type UploadAction, type UploadContent } from './upload-state.ts';

export interface HandedInProps {
  /** What came from elsewhere and is to be put in. */
  handedIn: readonly HandedIn[];
  /** Called once it is in. */
  onTaken: () => void;
  /** Called with its ids when all of it is uploaded or removed. */
  onSettled: (ids: readonly string[]) => void;
}

interface Taking extends HandedInProps {
  content: UploadContent;
  dispatch: (action: UploadAction) => void;
  /** Sorts out what cannot be taken and tells of it; answers the others. */
  judge: (files: readonly File[]) => File[];
  /** Tells what a person should know of how it came in. */
  onNotice: (notice: string | null) => void;
}

/** Puts into the panel what comes from other apps, each thing once. */
export function useHandedIn(taking: Taking): void {
  const { handedIn, onTaken, onSettled, content, dispatch, judge, onNotice } = taking;
  useEffect(() => {
    if (handedIn.length === 0) return;
    const fresh = handedIn.filter(({ id }) => !content.shares.includes(id));
    onTaken();
    if (fresh.length === 0) return;
    const { files, text, notice } = takeIn(fresh, content.text);
    dispatch({ type: 'take', shares: fresh.map(({ id }) => id), files: judge(files), text });
    onNotice(notice);
  }, [handedIn, content, dispatch, judge, onTaken, onNotice]);

  const isSettled = content.shares.length > 0 && isEmpty(content);
  useEffect(() => {
    if (!isSettled) return;
    onSettled(content.shares);
    dispatch({ type: 'settle' });
  }, [isSettled, content.shares, dispatch, onSettled]);
}
