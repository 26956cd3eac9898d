import { useWindowEvent } from '@mantine/hooks';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { uploadPanel } from '../artifacts/dialogs.ts';
import { useStore } from '../browser/store.ts';
import { onFirstInteraction } from '../browser/when-idle.ts';
import { lazyPart } from '../components/lazy-part.tsx';
import { notifyError } from '../components/notify.ts';
import type { DroppedFile } from '../features/upload/read-dropped.ts';
import { wasInterrupted } from '../features/upload/unsent-list.ts';

/** The files of a drop, including those in folders. Must be called while the event is handled. */
async function filesOf(data: DataTransfer): Promise<DroppedFile[]> {
  const files = [...data.files];
  const entries = [...data.items].flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry?.() : null;
    return entry ?? [];
  });
  if (!entries.some((entry) => entry.isDirectory)) {
    return files.map((file) => ({ file, path: null }));
  }
  const dropped: DroppedFile[] = [];
  const { collectFiles } = await import('../features/upload/read-dropped.ts');
  for (const entry of entries) await collectFiles(entry, dropped);
  return dropped;
}

/** Open dialogs handle dropping and pasting themselves. A closed one may stay mounted. */
const isDialogOpen = (): boolean =>
  [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')].some(
    (dialog) => !dialog.closest('[style*="display: none"]'),
  );

const isField = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input, textarea, select, [contenteditable="true"]') !== null;

const hasFiles = (data: DataTransfer | null): data is DataTransfer =>
  data?.types.includes('Files') ?? false;

async function upload(
  queries: QueryClient,
  files: Promise<DroppedFile[]>,
  text = '',
): Promise<void> {
  try {
    const { uploadQueueOf } = await import('../features/upload/upload-queue.ts');
    const queue = uploadQueueOf(queries);
    const dropped = await files;
    if (text !== '') queue.offerNote(text);
    if (dropped.length > 0) queue.addFiles(dropped);
  } catch (error) {
    notifyError('The files could not be read', error);
  }
}

function useDropAndPaste(onContentAdded: () => void): boolean {
  const queries = useQueryClient();
  const [isOver, setOver] = useState(false);
  // The number of nested elements under the pointer.
  const depth = useRef(0);
  const start = (files: Promise<DroppedFile[]>, text?: string): void => {
    onContentAdded();
    void upload(queries, files, text);
  };
  const onDrag = (event: DragEvent): void => {
    if (!hasFiles(event.dataTransfer)) return;
    // Otherwise the browser would open the file.
    event.preventDefault();
    if (event.type === 'dragenter') depth.current++;
    if (event.type === 'dragleave') depth.current--;
    const isAllowed = !isDialogOpen();
    if (!isAllowed && event.type === 'dragover') event.dataTransfer.dropEffect = 'none';
    if (event.type !== 'dragover') setOver(isAllowed && depth.current > 0);
  };
  useWindowEvent('dragenter', onDrag);
  useWindowEvent('dragover', onDrag);
  useWindowEvent('dragleave', onDrag);
  useWindowEvent('drop', (event) => {
    depth.current = 0;
    setOver(false);
    if (!hasFiles(event.dataTransfer)) return;
    event.preventDefault();
    if (!isDialogOpen()) start(filesOf(event.dataTransfer));
  });
  useWindowEvent('paste', (event) => {
    const data = event.clipboardData;
    if (!data || event.defaultPrevented || isDialogOpen()) return;
    const text = data.getData('text/plain');
    // Copied cells and formatted text also contain a picture, but the text is used.
    if (data.files.length > 0 && text === '') {
      event.preventDefault();
      const files = [...data.files];
      const named = import('../features/upload/read-dropped.ts').then(({ nameScreenshot }) =>
        files.map((file) => ({ file: nameScreenshot(file, new Date()), path: null })),
      );
      start(named);
    } else if (!isField(event.target) && text.trim() !== '') {
      start(Promise.resolve([]), text.trim());
    }
  });
  return isOver;
}

let isLoaded = false;
const UploadTray = lazyPart(() => {
  isLoaded = true;
  return import('../features/upload/components/tray.tsx');
});

/**
 * Uploads what is dropped or pasted anywhere. The tray loads with the first upload, or if an earlier one
 * was interrupted, and stays on pages with another layout.
 */
export function LazyUploadTray() {
  const [isNeeded, setNeeded] = useState(() => isLoaded || wasInterrupted());
  const isOver = useDropAndPaste(() => setNeeded(true));
  const isOpen = useStore(uploadPanel);
  if (!isNeeded && isOver) setNeeded(true);
  useEffect(() => {
    if (!isOpen) return undefined;
    const load = (): void => setNeeded(true);
    const cancel = onFirstInteraction(load);
    return () => {
      cancel();
      load();
    };
  }, [isOpen]);
  return isNeeded && <UploadTray isOver={isOver} />;
}
