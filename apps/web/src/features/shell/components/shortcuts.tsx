import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { useUploadPanel } from '../../../uploads/upload-panel.ts';
import { places } from '../places.ts';

const ShortcutList = lazy(async () => ({
  default: (await import('./shortcut-list.tsx')).ShortcutList,
}));

/** How long `g` waits for its second key, in milliseconds. */
const SEQUENCE_MS = 1200;

/** Keys belong to what is being typed in, and to a dialog that is open. */
const isTaken = (event: KeyboardEvent): boolean =>
  event.defaultPrevented ||
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  (event.target instanceof HTMLElement &&
    event.target.closest('input, textarea, select, [contenteditable], [role="dialog"]') !== null);

/** Focuses the page's search field, an input with `data-search-input`; false when there is none. */
function focusSearchInput(): boolean {
  const input = document.querySelector<HTMLElement>('[data-search-input]');
  input?.focus();
  return input !== null;
}

function useShortcuts(onHelp: () => void): void {
  const navigate = useNavigate();
  const { open } = useUploadPanel();
  const pressedG = useRef(-Infinity);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isTaken(event)) return;
      const place =
        event.timeStamp - pressedG.current < SEQUENCE_MS ? places[event.key] : undefined;
      pressedG.current = event.key === 'g' ? event.timeStamp : -Infinity;
      if (place) void navigate(place.to);
      else if (event.key === '/') {
        if (!focusSearchInput()) void navigate(paths.search);
      } else if (event.key === 'u') open();
      else if (event.key === '?') onHelp();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [navigate, onHelp, open]);
}

/** The keys that work on every page, and the list of them. */
export function Shortcuts() {
  const [opened, setOpened] = useState(false);
  const showHelp = useCallback(() => setOpened(true), []);
  useShortcuts(showHelp);
  return (
    opened && (
      <Suspense>
        <ShortcutList onClose={() => setOpened(false)} />
      </Suspense>
    )
  );
}
