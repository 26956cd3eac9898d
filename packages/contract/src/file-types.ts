/** Kinds of files, for icons, viewers and filters. */
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

/** The states of a file on screen: searchable, being read, or not readable. */
export const fileStates = ['ready', 'reading', 'failed'] as const;
export type FileState = (typeof fileStates)[number];

/** How a file was uploaded. */
export const fileSources = ['Web', 'Text', 'API', 'Connector', 'Share', 'Mail'] as const;
export type FileSource = (typeof fileSources)[number];

/** Kinds of files as users ask for them: 'my photos', 'the spreadsheet'. */
export type SpokenKind =
  'pdf' | 'picture' | 'spreadsheet' | 'presentation' | 'recording' | 'video' | 'archive' | 'text';

/** A file type that Engram accepts. */
export interface FileTypeEntry {
  /** The name in lists. Types with the same name are listed together. */
  name: string;
  /** Media types in lower case. Files are served as the first, clients may send the others. */
  mediaTypes: readonly [string, ...string[]];
  /** Extensions in lower case and without the dot, the usual one first. */
  endings: readonly [string, ...string[]];
  kind: FileKind;
  /** The label of its icon, up to four letters; the extension by default. */
  icon?: string;
  /** The smaller of the two size limits applies. */
  size?: 'media';
  /** Plain text, or text in a format. All other types may need OCR or transcription. */
  content?: 'text' | 'document';
}

/** The kinds that users ask for by a word of their own. */
export const SPOKEN_KINDS: Partial<Record<FileKind, SpokenKind>> = {
  pdf: 'pdf',
  spreadsheet: 'spreadsheet',
  slides: 'presentation',
  image: 'picture',
  audio: 'recording',
  video: 'video',
  archive: 'archive',
  text: 'text',
};

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument';

/** The file types that Engram accepts, in the order in which they are listed. */
export const FILE_TYPES = {
  pdf: { name: 'PDF', mediaTypes: ['application/pdf'], endings: ['pdf'], kind: 'pdf' },
  docx: {
    name: 'Word',
    mediaTypes: [`${OFFICE}.wordprocessingml.document`],
    endings: ['docx'],
    kind: 'document',
    icon: 'DOC',
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
    content: 'document',
  },
  xls: {
    name: 'Excel',
    mediaTypes: ['application/vnd.ms-excel'],
    endings: ['xls'],
    kind: 'spreadsheet',
    content: 'document',
  },
  pptx: {
    name: 'PowerPoint',
    mediaTypes: [`${OFFICE}.presentationml.presentation`],
    endings: ['pptx'],
    kind: 'slides',
    icon: 'PPT',
  },
  ppt: {
    name: 'PowerPoint',
    mediaTypes: ['application/vnd.ms-powerpoint'],
    endings: ['ppt'],
    kind: 'slides',
    content: 'document',
  },
  odt: {
    name: 'OpenDocument',
    mediaTypes: [`${OPEN_DOCUMENT}.text`],
    endings: ['odt'],
    kind: 'document',
  },
  ods: {
    name: 'OpenDocument',
    mediaTypes: [`${OPEN_DOCUMENT}.spreadsheet`],
    endings: ['ods'],
    kind: 'spreadsheet',
    content: 'document',
  },
  odp: {
    name: 'OpenDocument',
    mediaTypes: [`${OPEN_DOCUMENT}.presentation`],
    endings: ['odp'],
    kind: 'slides',
  },
  pages: {
    name: 'iWork',
    mediaTypes: ['application/vnd.apple.pages', 'application/x-iwork-pages-sffpages'],
    endings: ['pages'],
    kind: 'document',
    icon: 'PAGE',
  },
  numbers: {
    name: 'iWork',
    mediaTypes: ['application/vnd.apple.numbers', 'application/x-iwork-numbers-sffnumbers'],
    endings: ['numbers'],
    kind: 'spreadsheet',
    icon: 'NUM',
  },
  key: {
    name: 'iWork',
    mediaTypes: ['application/vnd.apple.keynote', 'application/x-iwork-keynote-sffkey'],
    endings: ['key'],
    kind: 'slides',
  },
  rtf: {
    name: 'rich text',
    mediaTypes: ['application/rtf', 'text/rtf', 'text/richtext', 'application/x-rtf'],
    endings: ['rtf'],
    kind: 'document',
  },
  epub: { name: 'EPUB', mediaTypes: ['application/epub+zip'], endings: ['epub'], kind: 'book' },
  eml: {
    name: 'mail',
    mediaTypes: ['message/rfc822'],
    endings: ['eml'],
    kind: 'mail',
    icon: 'MAIL',
  },
  msg: {
    name: 'mail',
    mediaTypes: ['application/vnd.ms-outlook'],
    endings: ['msg'],
    kind: 'mail',
    icon: 'MAIL',
  },
  mbox: {
    name: 'mail',
    mediaTypes: ['application/mbox', 'application/x-mbox'],
    endings: ['mbox'],
    kind: 'mail',
    icon: 'MAIL',
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
    content: 'text',
  },
  md: {
    name: 'Markdown',
    mediaTypes: ['text/markdown', 'text/x-markdown'],
    endings: ['md', 'markdown'],
    kind: 'text',
    content: 'text',
  },
  code: {
    name: 'source code',
    mediaTypes: [
      'text/x-source',
      'text/javascript',
      'application/javascript',
      'application/x-javascript',
      'text/css',
      'text/x-python',
      'application/x-sh',
      'application/sql',
      'application/yaml',
      'application/toml',
    ],
    // prettier-ignore
    endings: [
      'js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'cts', 'tsx', 'vue', 'svelte', 'py', 'pyi', 'java',
      'kt', 'kts', 'scala', 'groovy', 'go', 'rs', 'c', 'h', 'cc', 'cpp', 'cxx', 'hpp', 'cs', 'fs',
      'vb', 'rb', 'php', 'swift', 'm', 'mm', 'dart', 'lua', 'pl', 'r', 'jl', 'hs', 'ex', 'exs',
      'erl', 'clj', 'sh', 'bash', 'zsh', 'fish', 'ps1', 'bat', 'sql', 'graphql', 'proto', 'yaml',
      'yml', 'toml', 'ini', 'cfg', 'conf', 'properties', 'css', 'scss', 'sass', 'less', 'tf', 'tex',
      'rst', 'adoc', 'diff', 'patch',
    ],
    kind: 'text',
    icon: 'CODE',
    content: 'text',
  },
  log: {
    name: 'logs',
    mediaTypes: ['text/x-log'],
    endings: ['log'],
    kind: 'text',
    content: 'text',
  },
  csv: {
    name: 'CSV',
    mediaTypes: ['text/csv', 'text/tab-separated-values'],
    endings: ['csv', 'tsv'],
    kind: 'spreadsheet',
    content: 'text',
  },
  html: {
    name: 'HTML',
    mediaTypes: ['text/html', 'application/xhtml+xml'],
    endings: ['html', 'htm', 'xhtml'],
    kind: 'web',
    content: 'text',
  },
  mht: {
    name: 'web archives',
    mediaTypes: ['application/x-mimearchive', 'multipart/related'],
    endings: ['mht', 'mhtml'],
    kind: 'web',
    content: 'document',
  },
  webarchive: {
    name: 'web archives',
    mediaTypes: ['application/x-webarchive'],
    endings: ['webarchive'],
    kind: 'web',
    icon: 'WEB',
    content: 'document',
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
  },
  jpeg: {
    name: 'JPEG',
    mediaTypes: ['image/jpeg', 'image/jpg'],
    endings: ['jpg', 'jpeg'],
    kind: 'image',
    size: 'media',
  },
  png: { name: 'PNG', mediaTypes: ['image/png'], endings: ['png'], kind: 'image', size: 'media' },
  gif: { name: 'GIF', mediaTypes: ['image/gif'], endings: ['gif'], kind: 'image', size: 'media' },
  bmp: { name: 'BMP', mediaTypes: ['image/bmp'], endings: ['bmp'], kind: 'image' },
  webp: { name: 'WebP', mediaTypes: ['image/webp'], endings: ['webp'], kind: 'image' },
  tiff: {
    name: 'TIFF',
    mediaTypes: ['image/tiff'],
    endings: ['tif', 'tiff'],
    kind: 'image',
    icon: 'TIFF',
  },
  heic: {
    name: 'HEIC',
    mediaTypes: ['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence'],
    endings: ['heic', 'heif', 'hif'],
    kind: 'image',
  },
  mp3: {
    name: 'MP3',
    mediaTypes: ['audio/mpeg', 'audio/mp3', 'video/mpeg'],
    endings: ['mp3', 'mpeg'],
    kind: 'audio',
  },
  wav: {
    name: 'WAV',
    mediaTypes: ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave'],
    endings: ['wav'],
    kind: 'audio',
  },
  m4a: {
    name: 'M4A',
    mediaTypes: ['audio/mp4', 'audio/x-m4a', 'audio/m4a', 'audio/x-m4b'],
    endings: ['m4a', 'm4b'],
    kind: 'audio',
  },
  aac: { name: 'AAC', mediaTypes: ['audio/aac', 'audio/x-aac'], endings: ['aac'], kind: 'audio' },
  flac: {
    name: 'FLAC',
    mediaTypes: ['audio/flac', 'audio/x-flac'],
    endings: ['flac'],
    kind: 'audio',
  },
  ogg: {
    name: 'Ogg and Opus',
    mediaTypes: ['audio/ogg', 'application/ogg', 'audio/opus', 'audio/x-opus+ogg'],
    endings: ['ogg', 'opus', 'oga'],
    kind: 'audio',
  },
  weba: { name: 'WebM', mediaTypes: ['audio/webm'], endings: ['weba'], kind: 'audio' },
  mp4: { name: 'MP4', mediaTypes: ['video/mp4'], endings: ['mp4'], kind: 'video', size: 'media' },
  avi: {
    name: 'AVI',
    mediaTypes: ['video/x-msvideo', 'video/avi', 'video/vnd.avi'],
    endings: ['avi'],
    kind: 'video',
  },
  mov: { name: 'MOV', mediaTypes: ['video/quicktime'], endings: ['mov'], kind: 'video' },
  mkv: {
    name: 'MKV',
    mediaTypes: ['video/x-matroska', 'video/matroska'],
    endings: ['mkv'],
    kind: 'video',
  },
  webm: { name: 'WebM', mediaTypes: ['video/webm'], endings: ['webm'], kind: 'video' },
} as const satisfies Record<string, FileTypeEntry>;

export type FileType = keyof typeof FILE_TYPES;
