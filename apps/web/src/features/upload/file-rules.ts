import {
  fileTypeEntry,
  fileTypes,
  hasForeignEnding,
  typeOfMedia,
  typeOfName,
  type FileType,
} from '@engram/contract/browser';
import { randomId } from '@mantine/hooks';

export const MB = 1_048_576;

export const acceptedTypes: Record<string, string[]> = Object.fromEntries(
  fileTypes.flatMap((type) => {
    const { mediaTypes, endings } = fileTypeEntry(type);
    return mediaTypes.map((media) => [media, endings.map((ending) => `.${ending}`)]);
  }),
);

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
}

export const refusalAdvice: Record<RefusalKind, string> = {
  type: 'Save it in one of the formats named in this panel, or paste its text.',
  big: 'Make it smaller or split it, and choose it again.',
  small: 'Choose a file that is not empty.',
};

const refusalCodes: Record<string, RefusalKind> = {
  type_not_supported: 'type',
  file_too_large: 'big',
  file_empty: 'small',
};

export const withAdvice = (message: string, advice: string): string =>
  `${message}${message.endsWith('.') ? '' : '.'} ${advice}`;

export function refusalText({ message, code }: { message: string; code: string }): string {
  const kind = refusalCodes[code];
  return kind ? withAdvice(message, refusalAdvice[kind]) : message;
}

/** Limits in megabytes (2^20 bytes). */
export interface SizeLimits {
  mediaLimitMb: number;
  uploadLimitMb: number;
}

/** A file's type by its name, else by its media type; null if it is not accepted. */
function acceptedTypeOf(file: Pick<File, 'name' | 'type'>): FileType | null {
  const named = typeOfName(file.name);
  if (named) return named;
  const type = typeOfMedia(file.type);
  // Browsers also call source code plain text.
  return type === 'txt' && hasForeignEnding(file.name) ? null : type;
}

const limitOf = (type: FileType, limits: SizeLimits): number =>
  fileTypeEntry(type).size === 'media' ? limits.mediaLimitMb : limits.uploadLimitMb;

/** Whether a picture must be shrunk before it is sent. */
export function needsShrinking(file: File, limits: SizeLimits): boolean {
  const type = acceptedTypeOf(file);
  return (type === 'jpeg' || type === 'png') && file.size > limitOf(type, limits) * MB;
}

export const tooLarge = (name: string, limitMb: number): string =>
  `File too large: ${name} exceeds ${limitMb}MB.`;

/** Why a file is refused; null if it is accepted. The server checks the bytes again. */
export function refusalOf(file: File, limits: SizeLimits): Refusal | null {
  const refused = (kind: RefusalKind, message: string) => ({ id: randomId(), kind, message });
  const type = acceptedTypeOf(file);
  if (!type) return refused('type', `File type not supported: ${file.name}`);
  const limit = limitOf(type, limits);
  if (file.size > limit * MB && !needsShrinking(file, limits)) {
    return refused('big', tooLarge(file.name, limit));
  }
  if (file.size === 0) return refused('small', `${file.name} is empty.`);
  return null;
}
