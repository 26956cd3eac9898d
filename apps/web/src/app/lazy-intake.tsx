import { lazyPart } from '../components/lazy-part.tsx';
import { useEffect, useState } from 'react';
import { onFirstInteraction } from '../browser/when-idle.ts';
import { wasInterrupted } from '../features/upload/unsent-list.ts';
import { useUploadPanel } from '../artifacts/dialogs.ts';
import type { Intake } from './intake-host.tsx';
import type { Taken } from '../features/upload/read-dropped.ts';

/** The files of a drop, with those in its folders. Must be called while the event is handled. */
async function filesOf(data: DataTransfer): Promise<Taken[]> {
  const files = [...data.files];
  const entries = [...data.items].flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry?.() : null;
    return entry ?? [];
  });
  if (!entries.some((entry) => entry.isDirectory)) {
    return files.map((file) => ({ file, path: null }));
  }
  const taken: Taken[] = [];
  const { walk } = await import('../features/upload/read-dropped.ts');
  for (const entry of entries) await walk(entry, taken);
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

/** Tracks dragging over the window, and collects what is dropped or pasted. */
function useIntake(): { isOver: boolean; intakes: readonly Intake[] } {
  const [isOver, setOver] = useState(false);
  const [intakes, setIntakes] = useState<readonly Intake[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let depth = 0;
    const leave = (): void => setOver((depth = 0) > 0);
    const take = (files: Promise<Taken[]>, text = ''): void =>
      setIntakes((all) => [...all, { id: all.length, files, text }]);
    const onDrag = (event: DragEvent): void => {
      if (!hasFiles(event.dataTransfer)) return;
      // Otherwise the browser would open the file.
      event.preventDefault();
      if (event.type === 'dragenter') depth++;
      if (event.type === 'dragleave') depth--;
      const may = !isDialogOpen();
      if (!may && event.type === 'dragover') event.dataTransfer.dropEffect = 'none';
      if (event.type !== 'dragover') setOver(may && depth > 0);
    };
    const onDrop = (event: DragEvent): void => {
      leave();
      if (!hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      if (!isDialogOpen()) take(filesOf(event.dataTransfer));
    };
    const onPaste = (event: ClipboardEvent): void => {
      const data = event.clipboardData;
      if (!data || event.defaultPrevented || isDialogOpen()) return;
      const text = data.getData('text/plain');
      // Cells and formatted text are also copied as a picture. The text is used then.
      if (data.files.length > 0 && text === '') {
        event.preventDefault();
        const files = [...data.files];
        const naming = import('../features/upload/read-dropped.ts').then(({ namedPicture }) =>
          files.map((file) => ({ file: namedPicture(file, new Date()), path: null })),
        );
        take(naming);
      } else if (!isField(event.target) && text.trim() !== '') {
        take(Promise.resolve([]), text.trim());
      }
    };
    for (const name of ['dragenter', 'dragover', 'dragleave'] as const) {
      window.addEventListener(name, onDrag, { signal });
    }
    window.addEventListener('drop', onDrop, { signal });
    window.addEventListener('paste', onPaste, { signal });
    return () => controller.abort();
  }, []);
  return { isOver, intakes };
}

let isLoaded = false;
const IntakeHost = lazyPart(async () => {
  isLoaded = true;
  return (await import('./intake-host.tsx')).default;
});

/**
 * Takes what is dropped or pasted anywhere. The tray loads with it, as soon as the upload panel is
 * used, or when an upload was interrupted, and stays when the user goes on to a page with another layout.
 */
export function LazyIntake() {
  const { isOver, intakes } = useIntake();
  const [wanted, setWanted] = useState(() => isLoaded || wasInterrupted());
  const { isOpen } = useUploadPanel();
  if (!wanted && (isOver || intakes.length > 0)) setWanted(true);
  useEffect(() => {
    if (!isOpen) return undefined;
    const load = (): void => setWanted(true);
    const callOff = onFirstInteraction(load);
    return () => {
      callOff();
      load();
    };
  }, [isOpen]);
  return wanted && <IntakeHost isOver={isOver} intakes={intakes} />;
}
