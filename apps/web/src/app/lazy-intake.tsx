import { useWindowEvent } from '@mantine/hooks';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useUploadPanel } from '../artifacts/dialogs.ts';
import { onFirstInteraction } from '../browser/when-idle.ts';
import { lazyPart } from '../components/lazy-part.tsx';
import { notifyError } from '../components/notify.ts';
import type { DroppedFile } from '../features/upload/read-dropped.ts';
import { wasInterrupted } from '../features/upload/unsent-list.ts';

/** The files of a drop, with those in its folders. Must be called while the event is handled. */
async function filesOf(data: DataTransfer): Promise<DroppedFile[]> {
  const files = [...data.files];
  const entries = [...data.items].flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry?.() : null;
    return entry ?? [];
  });
  if (!entries.some((entry) => entry.isDirectory)) {
    return files.map((file) => ({ file, path: null }));
  }
  const taken: DroppedFile[] = [];
  const { collectFiles } = await import('../features/upload/read-dropped.ts');
  for (const entry of entries) await collectFiles(entry, taken);
  return taken;
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

async function take(queries: QueryClient, files: Promise<DroppedFile[]>, text = ''): Promise<void> {
  try {
    const { uploadQueueOf } = await import('../features/upload/upload-queue.ts');
    const queue = uploadQueueOf(queries);
    const taken = await files;
    if (text !== '') queue.offerNote(text);
    if (taken.length > 0) queue.addFiles(taken);
  } catch (error) {
    notifyError('What was dropped could not be read', error);
  }
}

function useIntake(onContentAdded: () => void): boolean {
  const queries = useQueryClient();
  const [isOver, setOver] = useState(false);
  // Elements within elements that the pointer is over.
  const depth = useRef(0);
  const intake = (files: Promise<DroppedFile[]>, text?: string): void => {
    onContentAdded();
    void take(queries, files, text);
  };
  const onDrag = (event: DragEvent): void => {
    if (!hasFiles(event.dataTransfer)) return;
    // Otherwise the browser would open the file.
    event.preventDefault();
    if (event.type === 'dragenter') depth.current++;
    if (event.type === 'dragleave') depth.current--;
    const may = !isDialogOpen();
    if (!may && event.type === 'dragover') event.dataTransfer.dropEffect = 'none';
    if (event.type !== 'dragover') setOver(may && depth.current > 0);
  };
  useWindowEvent('dragenter', onDrag);
  useWindowEvent('dragover', onDrag);
  useWindowEvent('dragleave', onDrag);
  useWindowEvent('drop', (event) => {
    depth.current = 0;
    setOver(false);
    if (!hasFiles(event.dataTransfer)) return;
    event.preventDefault();
    if (!isDialogOpen()) intake(filesOf(event.dataTransfer));
  });
  useWindowEvent('paste', (event) => {
    const data = event.clipboardData;
    if (!data || event.defaultPrevented || isDialogOpen()) return;
    const text = data.getData('text/plain');
    // Cells and formatted text are also copied as a picture. The text is used then.
    if (data.files.length > 0 && text === '') {
      event.preventDefault();
      const files = [...data.files];
      const naming = import('../features/upload/read-dropped.ts').then(({ nameScreenshot }) =>
        files.map((file) => ({ file: nameScreenshot(file, new Date()), path: null })),
      );
      intake(naming);
    } else if (!isField(event.target) && text.trim() !== '') {
      intake(Promise.resolve([]), text.trim());
    }
  });
  return isOver;
}

let isLoaded = false;
const IntakeHost = lazyPart(() => {
  isLoaded = true;
  return import('./intake-host.tsx');
});

/**
 * Takes what is dropped or pasted anywhere. The tray loads with it, as soon as the upload panel is
 * used, or when an upload was interrupted, and stays when the user opens a page with another layout.
 */
export function LazyIntake() {
  const [wanted, setWanted] = useState(() => isLoaded || wasInterrupted());
  const isOver = useIntake(() => setWanted(true));
  const { isOpen } = useUploadPanel();
  if (!wanted && isOver) setWanted(true);
  useEffect(() => {
    if (!isOpen) return undefined;
    const load = (): void => setWanted(true);
    const callOff = onFirstInteraction(load);
    return () => {
      callOff();
      load();
    };
  }, [isOpen]);
  return wanted && <IntakeHost isOver={isOver} />;
}
