/** The kinds of files that people tell apart: for a file's icon, how it is shown, and to filter by. */
export const fileKinds = [
  'pdf',
  'document',
  'spreadsheet',
  'slides',
  'book',
  'mail',
  'calendar',
  'contact',
  'image',
  'audio',
  'video',
  'archive',
  'web',
  'text',
] as const;
export type FileKind = (typeof fileKinds)[number];

/** Kinds of files as people speak of them: 'my photos', 'the spreadsheet'. */
export type SpokenKind =
  'pdf' | 'picture' | 'spreadsheet' | 'presentation' | 'recording' | 'video' | 'archive' | 'text';

/** All that Engram says of one type of files; what depends on a type is read from here. */
export interface FileTypeEntry {
  /** What lists of types call it; types of one name are listed together. */
  name: string;
  /** Media types in lower case; files are served as the first, browsers may send the others. */
  mediaTypes: readonly [string, ...string[]];
  /** Ends of names, in lower case and without the dot; the first is the usual one. */
  endings: readonly [string, ...string[]];
  kind: FileKind;
  /** What stands on its icon, at most four letters, where that is not its ending. */
  icon?: string;
  /** Its files keep to the smaller of the two limits. */
  size?: 'media';
  /** By what word people mean it; without one they call it a file, as they do all others. */
  spoken?: SpokenKind;
  /**
   * - `text`: text by its bytes, read in a moment.
   * - `document`: text within a format.
   * - `recognized`: may hold pictures or sound of which words have to be recognised.
   */
  content: 'text' | 'document' | 'recognized';
}

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument';

/**
 * The types of files that Engram takes, in the order in which they are listed. The server, the upload
 * panel, the lists and the documents know types from here alone.
 */
export const FILE_TYPES = {
  pdf: {
    name: 'PDF',
    mediaTypes: ['application/pdf'],
    endings: ['pdf'],
    kind: 'pdf',
    spoken: 'pdf',
    content: 'recognized',
  },
  docx: {
    name: 'Word',
    mediaTypes: [`${OFFICE}.wordprocessingml.document`],
    endings: ['docx'],
    kind: 'document',
    icon: 'DOC',
    content: 'recognized',
  },
  doc: {
    name: 'Word',
    mediaTypes: ['application/msword'],
    endings: ['doc'],
    kind: 'document',
    content: 'document',
  },
  xlsx: {
    name: 'Excel',
    mediaTypes: [`${OFFICE}.spreadsheetml.sheet`],
    endings: ['xlsx'],
    kind: 'spreadsheet',
    icon: 'XLS',
    spoken: 'spreadsheet',
    content: 'document',
  },
  xls: {
    name: 'Excel',
    mediaTypes: ['application/vnd.ms-excel'],
    endings: ['xls'],
    kind: 'spreadsheet',
    spoken: 'spreadsheet',
    content: 'document',
  },
  pptx: {
    name: 'PowerPoint',
    mediaTypes: [`${OFFICE}.presentationml.presentation`],
    endings: ['pptx'],
    kind: 'slides',
    icon: 'PPT',
    spoken: 'presentation',
    content: 'recognized',
  },
  ppt: {
    name: 'PowerPoint',
    mediaTypes: ['application/vnd.ms-powerpoint'],
    endings: ['ppt'],
    kind: 'slides',
    spoken: 'presentation',
    content: 'document',
  },
  odt: {
    name: 'OpenDocument',
    mediaTypes: [`${OPEN_DOCUMENT}.text`],
    endings: ['odt'],
    kind: 'document',
    content: 'recognized',
  },
  ods: {
    name: 'OpenDocument',
    mediaTypes: [`${OPEN_DOCUMENT}.spreadsheet`],
    endings: ['ods'],
    kind: 'spreadsheet',
    spoken: 'spreadsheet',
    content: 'document',
  },
  odp: {
    name: 'OpenDocument',
    mediaTypes: [`${OPEN_DOCUMENT}.presentation`],
    endings: ['odp'],
    kind: 'slides',
    spoken: 'presentation',
    content: 'recognized',
  },
  rtf: {
    name: 'rich text',
    mediaTypes: ['application/rtf', 'text/rtf', 'text/richtext', 'application/x-rtf'],
    endings: ['rtf'],
    kind: 'document',
    content: 'recognized',
  },
  epub: {
    name: 'EPUB',
    mediaTypes: ['application/epub+zip'],
    endings: ['epub'],
    kind: 'book',
    content: 'recognized',
  },
  eml: {
    name: 'mail',
    mediaTypes: ['message/rfc822'],
    endings: ['eml'],
    kind: 'mail',
    icon: 'MAIL',
    content: 'recognized',
  },
  mbox: {
    name: 'mail',
    mediaTypes: ['application/mbox', 'application/x-mbox'],
    endings: ['mbox'],
    kind: 'mail',
    icon: 'MAIL',
    content: 'recognized',
  },
  ics: {
    name: 'calendars',
    mediaTypes: ['text/calendar', 'application/ics'],
    endings: ['ics'],
    kind: 'calendar',
    content: 'text',
  },
  vcf: {
    name: 'contacts',
    mediaTypes: ['text/vcard', 'text/x-vcard', 'text/directory'],
    endings: ['vcf'],
    kind: 'contact',
    content: 'text',
  },
  txt: {
    name: 'text',
    mediaTypes: ['text/plain'],
    endings: ['txt'],
    kind: 'text',
    spoken: 'text',
    content: 'text',
  },
  md: {
    name: 'Markdown',
    mediaTypes: ['text/markdown', 'text/x-markdown'],
    endings: ['md', 'markdown'],
    kind: 'text',
    spoken: 'text',
    content: 'text',
  },
  csv: {
    name: 'CSV',
    mediaTypes: ['text/csv', 'text/tab-separated-values'],
    endings: ['csv', 'tsv'],
    kind: 'spreadsheet',
    spoken: 'spreadsheet',
    content: 'text',
  },
  html: {
    name: 'HTML',
    mediaTypes: ['text/html', 'application/xhtml+xml'],
    endings: ['html', 'htm', 'xhtml'],
    kind: 'web',
    content: 'text',
  },
  json: {
    name: 'JSON',
    mediaTypes: ['application/json', 'application/x-ndjson'],
    endings: ['json', 'jsonl', 'ndjson'],
    kind: 'web',
    content: 'text',
  },
  zip: {
    name: 'ZIP',
    mediaTypes: ['application/zip', 'application/x-zip-compressed'],
    endings: ['zip'],
    kind: 'archive',
    spoken: 'archive',
    content: 'recognized',
  },
  jpeg: {
    name: 'JPEG',
    mediaTypes: ['image/jpeg', 'image/jpg'],
    endings: ['jpg', 'jpeg'],
    kind: 'image',
    size: 'media',
    spoken: 'picture',
    content: 'recognized',
  },
  png: {
    name: 'PNG',
    mediaTypes: ['image/png'],
    endings: ['png'],
    kind: 'image',
    size: 'media',
    spoken: 'picture',
    content: 'recognized',
  },
  gif: {
    name: 'GIF',
    mediaTypes: ['image/gif'],
    endings: ['gif'],
    kind: 'image',
    size: 'media',
    spoken: 'picture',
    content: 'recognized',
  },
  bmp: {
    name: 'BMP',
    mediaTypes: ['image/bmp'],
    endings: ['bmp'],
    kind: 'image',
    spoken: 'picture',
    content: 'recognized',
  },
  webp: {
    name: 'WebP',
    mediaTypes: ['image/webp'],
    endings: ['webp'],
    kind: 'image',
    spoken: 'picture',
    content: 'recognized',
  },
  tiff: {
    name: 'TIFF',
    mediaTypes: ['image/tiff'],
    endings: ['tif', 'tiff'],
    kind: 'image',
    icon: 'TIFF',
    spoken: 'picture',
    content: 'recognized',
  },
  mp3: {
    name: 'MP3',
    mediaTypes: ['audio/mpeg', 'audio/mp3', 'video/mpeg'],
    endings: ['mp3', 'mpeg'],
    kind: 'audio',
    spoken: 'recording',
    content: 'recognized',
  },
  wav: {
    name: 'WAV',
    mediaTypes: ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave'],
    endings: ['wav'],
    kind: 'audio',
    spoken: 'recording',
    content: 'recognized',
  },
  mp4: {
    name: 'MP4',
    mediaTypes: ['video/mp4'],
    endings: ['mp4'],
    kind: 'video',
    size: 'media',
    spoken: 'video',
    content: 'recognized',
  },
  avi: {
    name: 'AVI',
    mediaTypes: ['video/x-msvideo', 'video/avi', 'video/vnd.avi'],
    endings: ['avi'],
    kind: 'video',
    spoken: 'video',
    content: 'recognized',
  },
  mov: {
    name: 'MOV',
    mediaTypes: ['video/quicktime'],
    endings: ['mov'],
    kind: 'video',
    spoken: 'video',
    content: 'recognized',
  },
  mkv: {
    name: 'MKV',
    mediaTypes: ['video/x-matroska', 'video/matroska'],
    endings: ['mkv'],
    kind: 'video',
    spoken: 'video',
    content: 'recognized',
  },
} as const satisfies Record<string, FileTypeEntry>;

/** A type of files that Engram takes. */
export type FileType = keyof typeof FILE_TYPES;
