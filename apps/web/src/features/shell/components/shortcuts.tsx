import { lazyPart } from '../../../components/lazy-part.tsx';
import { useWindowEvent } from '@mantine/hooks';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { useUploadPanel } from '../../../artifacts/dialogs.ts';
import { opensPalette } from '../palette.ts';
import { destinations } from '../destinations.ts';
import type { Dialog } from '../use-dialog.ts';

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

export function Shortcuts({ list, onPalette }: { list: Dialog; onPalette: () => void }) {
  const navigate = useNavigate();
  const { open: openUpload } = useUploadPanel();
  const lastGPress = useRef(-Infinity);
  useWindowEvent('keydown', (event) => {
    if (opensPalette(event)) {
      event.preventDefault();
      return onPalette();
    }
    if (isHandledElsewhere(event)) return;
    const destination =
      event.timeStamp - lastGPress.current < SEQUENCE_MS &&
      destinations.find(({ key }) => key === event.key);
    lastGPress.current = event.key === 'g' ? event.timeStamp : -Infinity;
    if (destination) void navigate(destination.to);
    else if (event.key === '/') {
      if (!focusSearchInput()) void navigate(paths.search);
    } else if (event.key === 'u') openUpload();
    else if (event.key === '?') list.open();
    else return;
    event.preventDefault();
  });
  return list.opened && <ShortcutList onClose={list.close} />;
}
