/** A file that was dropped or pasted. */
export interface Taken {
  file: File;
  /** Where it stands in the folder that was dropped; null for a file by itself. */
  path: string | null;
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
    const { walk } = await import('./read-dropped.ts');
    for (const entry of entries) await walk(entry, taken);
    return taken;
  })();
}
