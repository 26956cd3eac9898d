interface FileTypeSigns {
  endings: readonly string[];
  magic?: readonly string[];
  isNamedText?: boolean;
}

/** The accepted types. The server's known-types.ts does not compile if the contract differs. */
export const FILE_TYPES = {
  pdf: { endings: ['pdf'], magic: ['pdf'] },
  docx: { endings: ['docx'], magic: ['docx', 'docm', 'dotx', 'dotm'] },
  doc: { endings: ['doc'] },
  xlsx: { endings: ['xlsx'], magic: ['xlsx', 'xlsm', 'xltx', 'xltm'] },
  xls: { endings: ['xls'] },
  pptx: { endings: ['pptx'], magic: ['pptx', 'pptm', 'potx', 'potm', 'ppsx', 'ppsm'] },
  ppt: { endings: ['ppt'] },
  odt: { endings: ['odt'], magic: ['odt', 'ott'] },
  ods: { endings: ['ods'], magic: ['ods', 'ots'] },
  odp: { endings: ['odp'], magic: ['odp', 'otp'] },
  rtf: { endings: ['rtf'], magic: ['rtf'] },
  epub: { endings: ['epub'], magic: ['epub'] },
  eml: { endings: ['eml'], isNamedText: true },
  mbox: { endings: ['mbox'], isNamedText: true },
  ics: { endings: ['ics'] },
  vcf: { endings: ['vcf'] },
  txt: { endings: ['txt'] },
  md: { endings: ['md', 'markdown'], isNamedText: true },
  csv: { endings: ['csv', 'tsv'], isNamedText: true },
  html: { endings: ['html', 'htm', 'xhtml'], isNamedText: true },
  json: { endings: ['json', 'jsonl', 'ndjson'], isNamedText: true },
  zip: { endings: ['zip'], magic: ['zip'] },
  jpeg: { endings: ['jpg', 'jpeg'], magic: ['jpg'] },
  png: { endings: ['png'], magic: ['png', 'apng'] },
  gif: { endings: ['gif'], magic: ['gif'] },
  bmp: { endings: ['bmp'], magic: ['bmp'] },
  webp: { endings: ['webp'], magic: ['webp'] },
  tiff: { endings: ['tif', 'tiff'], magic: ['tif'] },
  mp3: { endings: ['mp3', 'mpeg'], magic: ['mp3'] },
  wav: { endings: ['wav'], magic: ['wav'] },
  mp4: { endings: ['mp4'], magic: ['mp4', 'm4a', 'm4v'] },
  avi: { endings: ['avi'], magic: ['avi'] },
  mov: { endings: ['mov'], magic: ['mov'] },
  mkv: { endings: ['mkv'], magic: ['mkv'] },
} as const satisfies Record<string, FileTypeSigns>;

export type FileType = keyof typeof FILE_TYPES;

const signs = Object.entries<FileTypeSigns>(FILE_TYPES) as [FileType, FileTypeSigns][];
const typesBy = (list: (signs: FileTypeSigns) => readonly string[] | undefined) =>
  new Map(signs.flatMap(([type, of]) => (list(of) ?? []).map((sign) => [sign, type] as const)));
const byEnding = typesBy(({ endings }) => endings);
const byMagic = typesBy(({ magic }) => magic);

export function typeByName(fileName: string): FileType | null {
  const ending = /\.([a-z0-9]{1,10})$/i.exec(fileName.trim())?.[1]?.toLowerCase() ?? '';
  return byEnding.get(ending) ?? null;
}

export const isNamedText = (type: FileType): boolean =>
  (FILE_TYPES[type] as FileTypeSigns).isNamedText === true;

export const typeByMagic = (magic: string): FileType | null => byMagic.get(magic) ?? null;

const PICTURES: ReadonlySet<FileType> = new Set(['jpeg', 'png', 'bmp', 'gif', 'webp', 'tiff']);

export const isPicture = (type: FileType): boolean => PICTURES.has(type);
