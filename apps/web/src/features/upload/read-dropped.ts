export interface Taken {
  file: File;
  /** Its path in the folder that was dropped; null for a single file. */
  path: string | null;
}

/** Files taken of a dropped folder: more than anybody means to drop, and a tab can hold them. */
const MOST_FILES = 10_000;

const isOfTheSystem = (name: string): boolean =>
  name.startsWith('.') || name === 'Thumbs.db' || name === 'desktop.ini';

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  // A reader returns some at a time, and none once it is through.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}

export async function walk(entry: FileSystemEntry, taken: Taken[]): Promise<void> {
  if (taken.length >= MOST_FILES) return;
  if (entry.isFile) {
    const file = await fileOf(entry as FileSystemFileEntry);
    const path = entry.fullPath.replace(/^\//u, '');
    taken.push({ file, path: path.includes('/') ? path : null });
  } else if (entry.isDirectory) {
    for (const inner of await entriesOf(entry as FileSystemDirectoryEntry)) {
      if (!isOfTheSystem(inner.name)) await walk(inner, taken);
    }
  }
}

const pad = (part: number): string => String(part).padStart(2, '0');

/** Names a picture from the clipboard by its time: they are all called `image.png`. */
export function namedPicture(file: File, at: Date): File {
  if (!/^image\.\w+$/u.test(file.name)) return file;
  const day = [at.getFullYear(), pad(at.getMonth() + 1), pad(at.getDate())].join('-');
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(pad).join('.');
  const name = `Screenshot ${day} ${time}.${file.name.slice('image.'.length)}`;
  return new File([file], name, { type: file.type, lastModified: at.getTime() });
}
