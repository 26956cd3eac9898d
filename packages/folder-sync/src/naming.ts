import path from 'node:path';

/** What a folder is called in Engram: by its own name, with a number where others have that one. */
export function folderName(root: string, taken: ReadonlySet<string>): string {
  const plain = path
    .basename(root)
    .normalize('NFC')
    .replaceAll(/[\\\p{Cc}]/gu, ' ');
  const base = plain.trim() === '' ? 'Folder' : plain;
  let name = base;
  for (let number = 2; taken.has(name); number += 1) name = `${base} (${number})`;
  return name;
}

/** Whether a folder is another one, or holds it. */
export const holds = (outer: string, inner: string): boolean =>
  `${inner}${path.sep}`.startsWith(outer.endsWith(path.sep) ? outer : `${outer}${path.sep}`);
