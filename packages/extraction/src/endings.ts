/**
 * The accepted types with the ends of their names. `apps/server/src/features/artifacts/known-types.ts`
 * fails to compile when these are not those of the contract's table.
 */
export const ENDINGS = {
  pdf: ['pdf'],
  docx: ['docx'],
  doc: ['doc'],
  xlsx: ['xlsx'],
  xls: ['xls'],
  pptx: ['pptx'],
  ppt: ['ppt'],
  odt: ['odt'],
  ods: ['ods'],
  odp: ['odp'],
  rtf: ['rtf'],
  epub: ['epub'],
  eml: ['eml'],
  mbox: ['mbox'],
  ics: ['ics'],
  vcf: ['vcf'],
  txt: ['txt'],
  md: ['md', 'markdown'],
  csv: ['csv', 'tsv'],
  html: ['html', 'htm', 'xhtml'],
  json: ['json', 'jsonl', 'ndjson'],
  zip: ['zip'],
  jpeg: ['jpg', 'jpeg'],
  png: ['png'],
  gif: ['gif'],
  bmp: ['bmp'],
  webp: ['webp'],
  tiff: ['tif', 'tiff'],
  mp3: ['mp3', 'mpeg'],
  wav: ['wav'],
  mp4: ['mp4'],
  avi: ['avi'],
  mov: ['mov'],
  mkv: ['mkv'],
} as const;

/** The accepted types, by what their bytes are. */
export type FileType = keyof typeof ENDINGS;

const byEnding = new Map<string, FileType>(
  Object.entries(ENDINGS).flatMap(([type, endings]) =>
    endings.map((ending) => [ending, type as FileType] as const),
  ),
);

/** The type that a file's name says, or null. */
export function typeByName(fileName: string): FileType | null {
  const ending = /\.([a-z0-9]{1,10})$/i.exec(fileName.trim())?.[1]?.toLowerCase() ?? '';
  return byEnding.get(ending) ?? null;
}

const PICTURES: ReadonlySet<FileType> = new Set(['jpeg', 'png', 'bmp', 'gif', 'webp', 'tiff']);

/** Whether files of a type are pictures. */
export const isPicture = (type: FileType): boolean => PICTURES.has(type);
