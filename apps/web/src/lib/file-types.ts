/** What a file is, for its icon. */
export type FileKind =
  | 'pdf'
  | 'document'
  | 'spreadsheet'
  | 'slides'
  | 'image'
  | 'audio'
  | 'video'
  | 'archive'
  | 'web'
  | 'text'
  | 'other';

interface FileLook {
  kind: FileKind;
  /** At most four letters. */
  label: string;
}

const byExtension: Record<string, FileKind> = {
  pdf: 'pdf',
  docx: 'document',
  doc: 'document',
  xlsx: 'spreadsheet',
  xls: 'spreadsheet',
  csv: 'spreadsheet',
  pptx: 'slides',
  ppt: 'slides',
  png: 'image',
  jpg: 'image',
  jpeg: 'image',
  gif: 'image',
  bmp: 'image',
  mp3: 'audio',
  wav: 'audio',
  mp4: 'video',
  avi: 'video',
  mov: 'video',
  mkv: 'video',
  zip: 'archive',
  html: 'web',
  htm: 'web',
  json: 'web',
  txt: 'text',
  md: 'text',
  markdown: 'text',
};

/** Media types by a part of their name; the first that fits wins. */
const byType: [RegExp, FileKind, string][] = [
  [/pdf/u, 'pdf', 'PDF'],
  [/spreadsheet|ms-excel/u, 'spreadsheet', 'XLS'],
  [/csv/u, 'spreadsheet', 'CSV'],
  [/presentation|powerpoint/u, 'slides', 'PPT'],
  [/wordprocessing|msword|document/u, 'document', 'DOC'],
  [/^image/u, 'image', 'IMG'],
  [/^audio/u, 'audio', 'AUD'],
  [/^video/u, 'video', 'VID'],
  [/zip/u, 'archive', 'ZIP'],
  [/html/u, 'web', 'HTML'],
  [/json/u, 'web', 'JSON'],
  [/^text/u, 'text', 'TXT'],
];

const short: Record<string, string> = {
  markdown: 'MD',
  jpeg: 'JPG',
  docx: 'DOC',
  xlsx: 'XLS',
  pptx: 'PPT',
  htm: 'HTML',
};

/** A file's kind and label, from its name where that says enough, else from its media type. */
export function fileLook({
  fileName,
  fileType,
}: {
  fileName?: string;
  fileType?: string;
}): FileLook {
  const extension = fileName?.match(/\.([a-z\d]{1,5})$/iu)?.[1]?.toLowerCase() ?? '';
  const kind = byExtension[extension];
  if (kind) return { kind, label: short[extension] ?? extension.toUpperCase() };
  const match = byType.find(([pattern]) => pattern.test(fileType?.toLowerCase() ?? ''));
  return match ? { kind: match[1], label: match[2] } : { kind: 'other', label: 'FILE' };
}
