import {
  fileTypeEntry,
  fileTypes,
  hasForeignEnding,
  typeOfMedia,
  typeOfName,
} from '@engram/contract/browser';
import type { FileType } from '@engram/contract/browser';
import { randomId } from '@mantine/hooks';

export const MB = 1_048_576;

/** Media types that are taken, each with the endings that stand for it. */
export const acceptedTypes: Record<string, string[]> = Object.fromEntries(
  fileTypes.flatMap((type) => {
    const { mediaTypes, endings } = fileTypeEntry(type);
    return mediaTypes.map((media) => [media, endings.map((ending) => `.${ending}`)]);
  }),
);

/** Media types and endings by which other apps know what they can share with this one. */
export const shareableTypes: readonly string[] = [
  ...Object.keys(acceptedTypes),
  ...new Set(Object.values(acceptedTypes).flat()),
];

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

/** A refusal and what to do, as sentences. */
export const withAdvice = (message: string, advice: string): string =>
  `${message}${message.endsWith('.') ? '' : '.'} ${advice}`;

/** What the server says of a file that it does not take, with what to do. */
export function refusalText({ message, code }: { message: string; code: string }): string {
  const kind = refusalCodes[code];
  return kind ? withAdvice(message, refusalAdvice[kind]) : message;
}

/** Limits in megabytes (2^20 bytes). */
export interface SizeLimits {
  mediaLimitMb: number;
  uploadLimitMb: number;
}

/** A file's type as far as its ending and the browser tell; null when it is not taken. */
export function acceptedTypeOf(file: Pick<File, 'name' | 'type'>): FileType | null {
  const named = typeOfName(file.name);
  if (named) return named;
  const told = typeOfMedia(file.type);
  // Browsers call much plain text that is written for programs.
  return told === 'txt' && hasForeignEnding(file.name) ? null : told;
}

const limitOf = (type: FileType, limits: SizeLimits): number =>
  fileTypeEntry(type).size === 'media' ? limits.mediaLimitMb : limits.uploadLimitMb;

/** Whether a picture is above the limit and is shrunk before it is sent. */
export function needsShrinking(file: File, limits: SizeLimits): boolean {
  const type = acceptedTypeOf(file);
  return (type === 'jpeg' || type === 'png') && file.size > limitOf(type, limits) * MB;
}

export const tooLarge = (name: string, limitMb: number): string =>
  `File too large: ${name} exceeds ${limitMb}MB.`;

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
  const limit = limitOf(type, limits);
  if (file.size > limit * MB && !needsShrinking(file, limits)) {
    return refused('big', tooLarge(file.name, limit));
  }
  if (file.size === 0) return refused('small', `There is nothing in ${file.name}.`);
  return null;
}
