import { lazyPart } from '../../../components/lazy-part.tsx';
import { useWindowEvent } from '@mantine/hooks';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { uploadPanel } from '../../../artifacts/dialogs.ts';
import { useStore } from '../../../browser/store.ts';
import { opensPalette } from '../palette.ts';
import { destinations } from '../destinations.ts';
import { palette, shortcutList } from '../dialogs.ts';

const ShortcutList = lazyPart(() => import('./shortcut-list.tsx'));

const SEQUENCE_MS = 1200;

/** Keys in fields and open dialogs are not shortcuts. */
const isHandledElsewhere = (event: KeyboardEvent): boolean =>
  event.defaultPrevented ||
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  (event.target instanceof HTMLElement &&
    event.target.closest('input, textarea, select, [contenteditable], [role="dialog"]') !== null);

/** Focuses the page's search field, an input with `data-search-input`. False if it has none. */
function focusSearchInput(): boolean {
  const input = document.querySelector<HTMLElement>('[data-search-input]');
  input?.focus();
  return input !== null;
}

export function Shortcuts() {
  const navigate = useNavigate();
  const isListOpen = useStore(shortcutList.opened);
  const lastGPress = useRef(-Infinity);
  useWindowEvent('keydown', (event) => {
    if (opensPalette(event)) {
      event.preventDefault();
      return palette.opened.get() ? palette.close() : palette.open();
    }
    if (isHandledElsewhere(event)) return;
    const destination =
      event.timeStamp - lastGPress.current < SEQUENCE_MS &&
      destinations.find(({ key }) => key === event.key);
    lastGPress.current = event.key === 'g' ? event.timeStamp : -Infinity;
    if (destination) void navigate(destination.to);
    else if (event.key === '/') {
      if (!focusSearchInput()) void navigate(paths.search);
    } else if (event.key === 'u') uploadPanel.set(true);
    else if (event.key === '?') shortcutList.open();
    else return;
    event.preventDefault();
  });
  return isListOpen && <ShortcutList />;
}
