import { useEffect, useRef } from 'react';
import type { Evidence, Offer, Viewed } from '../artifacts/evidence.ts';

/** What keys mean something else in: fields, recordings, and dialogs and menus above the page. */
const OTHERS =
  'input, textarea, select, audio, video, [contenteditable], [role="menu"], [role="separator"], [role="slider"], [role="listbox"], [role="dialog"]:not([data-evidence])';

const STEPS: Partial<Record<string, number>> = {
  ArrowLeft: -1,
  '[': -1,
  ArrowRight: 1,
  ']': 1,
};

interface EvidenceKeys {
  evidence: Evidence;
  shown: Viewed | null;
  /** What the answer last shown or focused rests on. */
  offered: Offer | null;
  onClose: () => void;
}

/** What a key is to do to the pane; null where it means nothing. */
function actionOf(key: string, keys: EvidenceKeys): (() => void) | null {
  const { shown, offered, onClose } = keys;
  const { docked, open, goTo } = keys.evidence;
  // The sheet closes itself.
  if (key === 'Escape') return shown && docked ? onClose : null;
  const by = STEPS[key];
  if (by !== undefined && shown !== null) {
    const at = shown.list.findIndex(({ n }) => n === shown.n);
    const next = shown.list[at + by];
    return next ? () => goTo(next.n) : null;
  }
  const list = offered ?? shown;
  const wanted = /^[1-9]$/u.test(key) ? list?.list.find(({ n }) => n === Number(key)) : undefined;
  return list && wanted ? () => open({ ...list, n: wanted.n }) : null;
}

/** 1 to 9 open a source, arrows or brackets step through them, Escape closes the pane. */
export function useEvidenceKeys(keys: EvidenceKeys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.closest(OTHERS)) return;
      const action = actionOf(event.key, latest.current);
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
