interface FileTypeEntry {
  endings: readonly string[];
  /** The module that reads it, which exports the functions of `Format`. */
  module: string;
  /** The names of the type and its variants in the library file-type. */
  magic?: readonly string[];
  /** Whether only the file name distinguishes this type from other text. */
  isNamedText?: boolean;
}

/** The accepted types. The server's known-types.test.ts does not compile if the contract differs. */
export const FILE_TYPES = {
  pdf: { endings: ['pdf'], module: 'pdf/pdf.ts', magic: ['pdf'] },
  docx: { endings: ['docx'], module: 'office/docx.ts', magic: ['docx', 'docm', 'dotx', 'dotm'] },
  doc: { endings: ['doc'], module: 'office/doc.ts' },
  xlsx: {
    endings: ['xlsx'],
    module: 'office/spreadsheets.ts',
    magic: ['xlsx', 'xlsm', 'xltx', 'xltm'],
  },
  xls: { endings: ['xls'], module: 'office/spreadsheets.ts' },
  pptx: {
    endings: ['pptx'],
    module: 'office/pptx.ts',
    magic: ['pptx', 'pptm', 'potx', 'potm', 'ppsx', 'ppsm'],
  },
  ppt: { endings: ['ppt'], module: 'office/ppt.ts' },
  odt: { endings: ['odt'], module: 'office/odf.ts', magic: ['odt', 'ott'] },
  ods: { endings: ['ods'], module: 'office/spreadsheets.ts', magic: ['ods', 'ots'] },
  odp: { endings: ['odp'], module: 'office/odf.ts', magic: ['odp', 'otp'] },
  pages: { endings: ['pages'], module: 'office/iwork.ts', magic: ['pages'] },
  numbers: { endings: ['numbers'], module: 'office/iwork.ts', magic: ['numbers'] },
  key: { endings: ['key'], module: 'office/iwork.ts', magic: ['key'] },
  rtf: { endings: ['rtf'], module: 'office/rtf.ts', magic: ['rtf'] },
  epub: { endings: ['epub'], module: 'html/epub.ts', magic: ['epub'] },
  eml: { endings: ['eml'], module: 'mail/mail.ts', isNamedText: true },
  msg: { endings: ['msg'], module: 'mail/mail.ts' },
  mbox: { endings: ['mbox'], module: 'mail/mail.ts', isNamedText: true },
  ics: { endings: ['ics'], module: 'calendar/ics.ts' },
  vcf: { endings: ['vcf'], module: 'calendar/vcf.ts' },
  txt: { endings: ['txt'], module: 'text/txt.ts' },
  md: { endings: ['md', 'markdown'], module: 'html/markdown.ts', isNamedText: true },
  code: {
    // prettier-ignore
    endings: [
      'js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'cts', 'tsx', 'vue', 'svelte', 'py', 'pyi', 'java',
      'kt', 'kts', 'scala', 'groovy', 'go', 'rs', 'c', 'h', 'cc', 'cpp', 'cxx', 'hpp', 'cs', 'fs',
      'vb', 'rb', 'php', 'swift', 'm', 'mm', 'dart', 'lua', 'pl', 'r', 'jl', 'hs', 'ex', 'exs',
      'erl', 'clj', 'sh', 'bash', 'zsh', 'fish', 'ps1', 'bat', 'sql', 'graphql', 'proto', 'yaml',
      'yml', 'toml', 'ini', 'cfg', 'conf', 'properties', 'css', 'scss', 'sass', 'less', 'tf', 'tex',
      'rst', 'adoc', 'diff', 'patch',
    ],
    module: 'text/code.ts',
    isNamedText: true,
  },
  log: { endings: ['log'], module: 'text/code.ts', isNamedText: true },
  csv: { endings: ['csv', 'tsv'], module: 'text/csv.ts', isNamedText: true },
  html: { endings: ['html', 'htm', 'xhtml'], module: 'html/html.ts', isNamedText: true },
  mht: { endings: ['mht', 'mhtml'], module: 'html/web-archive.ts', isNamedText: true },
  webarchive: { endings: ['webarchive'], module: 'html/web-archive.ts' },
  json: { endings: ['json', 'jsonl', 'ndjson'], module: 'text/json.ts', isNamedText: true },
  zip: { endings: ['zip'], module: 'archives/zip.ts', magic: ['zip'] },
  jpeg: { endings: ['jpg', 'jpeg'], module: 'pictures/image.ts', magic: ['jpg'] },
  png: { endings: ['png'], module: 'pictures/image.ts', magic: ['png', 'apng'] },
  gif: { endings: ['gif'], module: 'pictures/image.ts', magic: ['gif'] },
  bmp: { endings: ['bmp'], module: 'pictures/image.ts', magic: ['bmp'] },
  webp: { endings: ['webp'], module: 'pictures/image.ts', magic: ['webp'] },
  tiff: { endings: ['tif', 'tiff'], module: 'pictures/image.ts', magic: ['tif'] },
  heic: { endings: ['heic', 'heif', 'hif'], module: 'pictures/image.ts', magic: ['heic'] },
  mp3: { endings: ['mp3', 'mpeg'], module: 'media/media.ts', magic: ['mp3'] },
  wav: { endings: ['wav'], module: 'media/media.ts', magic: ['wav'] },
  m4a: { endings: ['m4a', 'm4b'], module: 'media/media.ts', magic: ['m4a', 'm4b'] },
  aac: { endings: ['aac'], module: 'media/media.ts', magic: ['aac'] },
  flac: { endings: ['flac'], module: 'media/media.ts', magic: ['flac'] },
  ogg: { endings: ['ogg', 'opus', 'oga'], module: 'media/media.ts', magic: ['ogg', 'opus', 'oga'] },
  weba: { endings: ['weba'], module: 'media/media.ts' },
  mp4: { endings: ['mp4'], module: 'media/media.ts', magic: ['mp4', 'm4v'] },
  avi: { endings: ['avi'], module: 'media/media.ts', magic: ['avi'] },
  mov: { endings: ['mov'], module: 'media/media.ts', magic: ['mov'] },
  mkv: { endings: ['mkv'], module: 'media/media.ts', magic: ['mkv'] },
  webm: { endings: ['webm'], module: 'media/media.ts', magic: ['webm'] },
} as const satisfies Record<string, FileTypeEntry>;

export type FileType = keyof typeof FILE_TYPES;

const entries = Object.entries<FileTypeEntry>(FILE_TYPES) as [FileType, FileTypeEntry][];
const typesBy = (keys: (entry: FileTypeEntry) => readonly string[] | undefined) =>
  new Map(
    entries.flatMap(([type, entry]) => (keys(entry) ?? []).map((key) => [key, type] as const)),
  );
const byEnding = typesBy(({ endings }) => endings);
const byMagic = typesBy(({ magic }) => magic);

export function typeByName(fileName: string): FileType | null {
  const ending = /\.([a-z0-9]{1,10})$/i.exec(fileName.trim())?.[1]?.toLowerCase() ?? '';
  return byEnding.get(ending) ?? null;
}

export const isNamedText = (type: FileType): boolean =>
  (FILE_TYPES[type] as FileTypeEntry).isNamedText === true;

export const typeByMagic = (magic: string): FileType | null => byMagic.get(magic) ?? null;

const PICTURES: ReadonlySet<FileType> = new Set([
  'jpeg',
  'png',
  'bmp',
  'gif',
  'webp',
  'tiff',
  'heic',
]);

export const isPicture = (type: FileType): boolean => PICTURES.has(type);
