import { unzipSync, zipSync } from 'fflate';
import { ExtractionError, toExtractionError } from '../errors.ts';
import { isOle, oleStreams } from './ole.ts';

/** What all parts read of one Office file may add up to once inflated, in bytes. */
const MAX_INFLATED_BYTES = 200_000_000;
const MAX_ENTRIES = 20_000;

/** The parts of an Office file by their path in the package, inflated. */
export type OfficeParts = Map<string, Uint8Array>;

/**
 * Inflates the parts of an Office file whose path `wanted` accepts. Sizes are checked before
 * anything is inflated, and an entry never inflates beyond the size it declares.
 *
 * @throws {ExtractionError} encrypted, damaged or too_large
 */
export function readOfficeParts(bytes: Uint8Array, wanted: (path: string) => boolean): OfficeParts {
  if (isOle(bytes)) refuseOle(bytes);
  let total = 0;
  let entries = 0;
  try {
    const files = unzipSync(bytes, {
      filter: (file) => {
        entries += 1;
        if (entries > MAX_ENTRIES) throw tooLarge();
        const path = file.name.replace(/^\/+/, '');
        if (!wanted(path)) return false;
        total += Math.max(file.originalSize, file.size);
        if (total > MAX_INFLATED_BYTES) throw tooLarge();
        return true;
      },
    });
    return new Map(Object.entries(files).map(([name, data]) => [name.replace(/^\/+/, ''), data]));
  } catch (error) {
    if (error instanceof ExtractionError) throw error;
    throw damaged(error);
  }
}

/** Packs parts again, uncompressed, for a library that wants a zip: it sees only checked sizes. */
export function repack(parts: OfficeParts): Uint8Array {
  return zipSync(Object.fromEntries(parts), { level: 0 });
}

/** The part as text, or null when the file has none of that path. */
export function partText(parts: OfficeParts, path: string): string | null {
  const bytes = parts.get(path);
  if (bytes === undefined) return null;
  const charset = bytes[0] === 0xff ? 'utf-16le' : bytes[0] === 0xfe ? 'utf-16be' : 'utf-8';
  return new TextDecoder(charset).decode(bytes);
}

export function damaged(cause?: unknown): ExtractionError {
  return toExtractionError(cause, 'This document is damaged and cannot be opened.');
}

function refuseOle(bytes: Uint8Array): never {
  const streams = oleStreams(bytes);
  if (
    streams === null ||
    streams.includes('EncryptedPackage') ||
    streams.includes('EncryptionInfo')
  ) {
    throw new ExtractionError('encrypted', 'This document is password-protected.');
  }
  throw new ExtractionError(
    'unsupported',
    'This document is in a format from before 2007. Save it as docx, xlsx or pptx and upload it again.',
  );
}

function tooLarge(): ExtractionError {
  return new ExtractionError('too_large', 'This document unpacks to more than can be read safely.');
}
