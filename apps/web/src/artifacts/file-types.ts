import {
  fileTypeEntry,
  fileTypeIcon,
  typeOfMedia,
  typeOfName,
  type FileKind,
} from '@engram/contract/browser';

/** Kinds that are shown with headings, lists, tables and pictures. */
const RENDERED: ReadonlySet<string> = new Set<FileKind>([
  'document',
  'book',
  'mail',
  'calendar',
  'contact',
  'web',
]);

export function isRendered(file: { fileName?: string; fileType?: string }): boolean {
  const { kind, label } = fileLook(file);
  return RENDERED.has(kind) || label === 'MD';
}

interface FileLook {
  kind: FileKind | 'other';
  /** Up to four letters. */
  label: string;
}

/** Kinds of other media types, by their first part. */
const families: readonly [begin: string, kind: FileKind, label: string][] = [
  ['image/', 'image', 'IMG'],
  ['audio/', 'audio', 'AUD'],
  ['video/', 'video', 'VID'],
  ['text/', 'text', 'TXT'],
];

/** A file's kind and label, from its name if its ending is known, else from its media type. */
export function fileLook({
  fileName = '',
  fileType = '',
}: {
  fileName?: string;
  fileType?: string;
}): FileLook {
  const type = typeOfName(fileName) ?? typeOfMedia(fileType);
  if (type) {
    return { kind: fileTypeEntry(type).kind, label: fileTypeIcon(type) };
  }
  const family = families.find(([begin]) => fileType.toLowerCase().startsWith(begin));
  return family ? { kind: family[1], label: family[2] } : { kind: 'other', label: 'FILE' };
}
