/** A file that was dropped or pasted. */
export interface Taken {
  file: File;
  /** Where it stands in the folder that was dropped; null for a file by itself. */
  path: string | null;
}

/** Files at which a dropped folder is cut: more than anybody means to drop, less than a tab can hold. */
const MOST_FILES = 10_000;

/** Systems put files of their own into folders; nobody means to keep those. */
const isOfTheSystem = (name: string): boolean =>
  name.startsWith('.') || name === 'Thumbs.db' || name === 'desktop.ini';

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  // A reader answers some at a time, and nothing once it has told all.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}

async function walk(entry: FileSystemEntry, taken: Taken[]): Promise<void> {
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

/**
 * The files of a drop, those in its folders included. To be called while the event is handled:
 * afterwards the browser shows nothing of it any more.
 */
export function filesOf(data: DataTransfer): Promise<Taken[]> {
  const entries = [...data.items].flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry?.() : null;
    return entry ?? [];
  });
  const files = [...data.files];
  if (!entries.some((entry) => entry.isDirectory)) {
    return Promise.resolve(files.map((file) => ({ file, path: null })));
  }
  const taken: Taken[] = [];
  return (async () => {
    for (const entry of entries) await walk(entry, taken);
    return taken;
  })();
}

const pad = (part: number): string => String(part).padStart(2, '0');

/** Pictures from the clipboard all have the same name, which tells nothing: this one says when. */
export function namedPicture(file: File, at: Date): File {
  if (!/^image\.\w+$/u.test(file.name)) return file;
  const day = [at.getFullYear(), pad(at.getMonth() + 1), pad(at.getDate())].join('-');
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(pad).join('.');
  const name = `Screenshot ${day} ${time}.${file.name.slice('image.'.length)}`;
  return new File([file], name, { type: file.type, lastModified: at.getTime() });
}
