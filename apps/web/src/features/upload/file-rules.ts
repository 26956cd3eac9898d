import { randomId } from '@mantine/hooks';

export const MB = 1_048_576;

/** Media types that are taken, each with the endings that stand for it. */
export const acceptedTypes: Record<string, string[]> = {
  'application/pdf': ['.pdf'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['.docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['.xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['.pptx'],
  'application/vnd.ms-powerpoint': ['.ppt'],
  'text/plain': ['.txt', '.md', '.markdown'],
  'text/csv': ['.csv'],
  'text/html': ['.html', '.htm'],
  'application/json': ['.json'],
  'application/zip': ['.zip'],
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/png': ['.png'],
  'image/bmp': ['.bmp'],
  'image/gif': ['.gif'],
  'audio/wav': ['.wav'],
  'audio/mpeg': ['.mp3', '.mpeg'],
  'video/mp4': ['.mp4'],
  'video/x-msvideo': ['.avi'],
  'video/quicktime': ['.mov'],
  'video/x-matroska': ['.mkv'],
};

/** Other names that browsers give to the same types. */
const synonyms: Record<string, string> = {
  'image/jpg': 'image/jpeg',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/mp3': 'audio/mpeg',
  'text/markdown': 'text/plain',
  'text/x-markdown': 'text/plain',
  'video/mpeg': 'audio/mpeg',
  'video/avi': 'video/x-msvideo',
  'video/vnd.avi': 'video/x-msvideo',
  'video/matroska': 'video/x-matroska',
  'application/x-zip-compressed': 'application/zip',
};

/** Types that keep to the smaller limit. */
const mediaTypes = new Set(['image/jpeg', 'image/png', 'image/gif', 'video/mp4']);

/** Media types and endings by which other apps know what they can share with this one. */
export const shareableTypes: readonly string[] = [
  ...Object.keys(acceptedTypes),
  ...Object.keys(synonyms),
  ...Object.values(acceptedTypes).flat(),
];

export const acceptedTypesText =
  'PDF, Word (docx), Excel (xlsx), PowerPoint (pptx, ppt), text, Markdown, CSV, HTML, JSON, ZIP, JPEG, PNG, GIF, BMP, MP3, WAV, MP4, AVI, MOV, MKV';

/** Why a file is not taken; the drop widget has a heading of its own for each. */
export type RefusalKind = 'type' | 'big' | 'small';

export const refusalHeadings: Record<RefusalKind, string> = {
  type: 'File type is not supported',
  big: 'File size is too big',
  small: 'File size is too small',
};

export interface Refusal {
  id: string;
  kind: RefusalKind;
  message: string;
  file: File;
}

/** What to do with a file that is not taken. */
export const refusalAdvice: Record<RefusalKind, string> = {
  type: 'Save it in one of the formats named in this panel, or paste its text.',
  big: 'Make it smaller or divide it, and choose it again.',
  small: 'Choose a file that has something in it.',
};

/** The codes by which the server refuses a file for the same reasons. */
const refusalCodes: Record<string, RefusalKind> = {
  type_not_supported: 'type',
  file_too_large: 'big',
  file_empty: 'small',
};

/** What the server says of a file that it does not take, with what to do. */
export function refusalText({ message, code }: { message: string; code: string }): string {
  const kind = refusalCodes[code];
  return kind ? `${message} ${refusalAdvice[kind]}` : message;
}

/** Limits in megabytes (2^20 bytes). */
export interface SizeLimits {
  mediaLimitMb: number;
  uploadLimitMb: number;
}

/** A file's media type as far as its ending and the browser tell; null when it is not taken. */
export function acceptedTypeOf(file: Pick<File, 'name' | 'type'>): string | null {
  const name = file.name.toLowerCase();
  const byEnding = Object.entries(acceptedTypes).find(([, endings]) =>
    endings.some((ending) => name.endsWith(ending)),
  );
  if (byEnding) return byEnding[0];
  const type = file.type.toLowerCase().split(';', 1)[0] ?? '';
  const known = synonyms[type] ?? type;
  return known in acceptedTypes ? known : null;
}

/** Why a file cannot be taken, or null. The server judges again, by the bytes. */
export function refusalOf(file: File, limits: SizeLimits): Refusal | null {
  const refused = (kind: RefusalKind, message: string): Refusal => ({
    id: randomId(),
    kind,
    message,
    file,
  });
  const type = acceptedTypeOf(file);
  if (!type) return refused('type', `File type not supported: ${file.name}`);
  const limit = mediaTypes.has(type) ? limits.mediaLimitMb : limits.uploadLimitMb;
  if (file.size > limit * MB) {
    return refused('big', `File too large: ${file.name} exceeds ${limit}MB.`);
  }
  if (file.size === 0) return refused('small', `There is nothing in ${file.name}.`);
  return null;
}
