export interface DroppedFile {
  file: File;
  /** Its path in the dropped folder; null for a single file. */
  path: string | null;
}

/** The maximum number of files in a dropped folder, which a tab can still handle. */
const MAX_FILES = 10_000;

const isSystemFile = (name: string): boolean =>
  name.startsWith('.') || name === 'Thumbs.db' || name === 'desktop.ini';

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const children: FileSystemEntry[] = [];
  // A reader returns entries in batches, and an empty batch at the end.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (batch.length === 0) return children;
    children.push(...batch);
  }
}

export async function collectFiles(entry: FileSystemEntry, files: DroppedFile[]): Promise<void> {
  if (files.length >= MAX_FILES) return;
  if (entry.isFile) {
    const file = await fileOf(entry as FileSystemFileEntry);
    const path = entry.fullPath.replace(/^\//u, '');
    files.push({ file, path: path.includes('/') ? path : null });
  } else if (entry.isDirectory) {
    for (const inner of await entriesOf(entry as FileSystemDirectoryEntry)) {
      if (!isSystemFile(inner.name)) await collectFiles(inner, files);
    }
  }
}

const pad = (part: number): string => String(part).padStart(2, '0');

/** Names a picture from the clipboard by its time, as they are all called `image.png`. */
export function nameScreenshot(file: File, takenAt: Date): File {
  if (!/^image\.\w+$/u.test(file.name)) return file;
  const day = [takenAt.getFullYear(), pad(takenAt.getMonth() + 1), pad(takenAt.getDate())].join(
    '-',
  );
  const time = [takenAt.getHours(), takenAt.getMinutes(), takenAt.getSeconds()].map(pad).join('.');
  const name = `Screenshot ${day} ${time}.${file.name.slice('image.'.length)}`;
  return new File([file], name, { type: file.type, lastModified: takenAt.getTime() });
}
