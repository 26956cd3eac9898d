import {
  ADTS,
  CustomSource,
  FLAC,
  Input,
  type InputFormat,
  Logging,
  LogLevel,
  MATROSKA,
  MP3,
  MP4,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny';
import type { FileType } from '../types.ts';
import { ExtractionError } from '../errors.ts';
import { buffered, type ByteSource } from './byte-source.ts';

/** The number of recent reads to compare, more than in any loop of the library. */
const REMEMBERED_READS = 8;
/** Repeated reads after which the library is in an endless loop. */
const MAX_REPEATED_READS = 64;

// Warnings about users' files do not belong in the server's output.
Logging.level = LogLevel.Silent;

const FORMATS: Partial<Record<FileType, InputFormat[]>> = {
  wav: [WAVE],
  mp3: [MP3],
  mp4: [MP4, QTFF],
  mov: [QTFF, MP4],
  m4a: [MP4, QTFF],
  mkv: [MATROSKA, WEBM],
  webm: [WEBM, MATROSKA],
  weba: [WEBM, MATROSKA],
  ogg: [OGG],
  aac: [ADTS],
  flac: [FLAC],
};

/** Matroska, which includes WebM. */
export const MATROSKA_TYPES: ReadonlySet<FileType> = new Set(['mkv', 'webm', 'weba']);

const CACHE = 4 << 20;

/**
 * Opens a recording. The cache is off for Matroska, so that every read is seen: the library
 * loops endlessly on unknown data at the end of a file and elements without a readable size.
 */
export function openContainer(source: ByteSource, type: FileType): Input {
  const guarded = MATROSKA_TYPES.has(type);
  const blocks = buffered(source);
  const latest: string[] = [];
  let old = 0;
  const assertNew = (place: string): void => {
    old = latest.includes(place) ? old + 1 : 0;
    if (old > MAX_REPEATED_READS) {
      throw new ExtractionError('damaged', 'This recording is damaged and cannot be read further.');
    }
    if (old > 0) return;
    latest.push(place);
    if (latest.length > REMEMBERED_READS) latest.shift();
  };
  return new Input({
    formats: FORMATS[type] ?? [],
    source: new CustomSource({
      getSize: () => source.size,
      read(start, end) {
        if (guarded) assertNew(`${start}-${end}`);
        return blocks.read(start, end);
      },
      maxCacheSize: guarded ? 0 : CACHE,
      prefetchProfile: guarded ? 'none' : 'fileSystem',
    }),
  });
}
