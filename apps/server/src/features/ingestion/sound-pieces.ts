import { readFile } from 'node:fs/promises';
import {
  createKeyring,
  memberOf,
  type FileType,
  type SoundPiece,
  soundOf,
} from '@engram/extraction';
import { LRUCache } from 'lru-cache';
import { openFileSource } from '../../platform/media/file-source.ts';

/** A recording on this machine: a stored file, or a spoken question. */
export interface SoundFile {
  filePath: string;
  fileName: string;
  type: FileType;
  passwords?: readonly string[];
}

export interface PieceLimits {
  maxBytes: number;
  maxMs: number;
  overlapMs: number;
}

export interface PieceRequest {
  file: SoundFile;
  /** The path of the recording in an archive. */
  path: string | undefined;
  /** From 0. */
  index: number;
  limits: PieceLimits;
  /** Whether pieces must be 16 kHz WAV. */
  pcmOnly: boolean;
}

const MAX_OPEN = 8;
/** Total size of open archive members, which are in memory. */
const MAX_OPEN_BYTES = 64 * 1_048_576;

const noop = () => undefined;

interface OpenRecording {
  pieces: AsyncGenerator<SoundPiece, void>;
  next: number;
  openBytes: number;
  close(): Promise<void> | undefined;
}

/** Reads recordings piece by piece. Recently used ones stay open, so that the next piece is cheap. */
export function createSoundPieces() {
  const open = new LRUCache<string, OpenRecording>({
    max: MAX_OPEN,
    maxSize: MAX_OPEN_BYTES,
    // A larger entry would not be cached at all.
    sizeCalculation: ({ openBytes }) => Math.min(openBytes + 1, MAX_OPEN_BYTES),
    dispose: ({ pieces, close }) => void pieces.return().finally(close).catch(noop),
  });

  const start = async (request: PieceRequest): Promise<OpenRecording> => {
    const { file, path, limits, pcmOnly } = request;
    if (path !== undefined) {
      const bytes = new Uint8Array(await readFile(file.filePath));
      const member = await memberOf(bytes, path, createKeyring(file.passwords));
      const pieces = soundOf(member.bytes, member.type, { ...limits, pcmOnly });
      const openBytes = member.bytes.length;
      return { pieces, next: 0, openBytes, close: noop };
    }
    const source = await openFileSource(file.filePath);
    const pieces = soundOf(source, file.type, { ...limits, pcmOnly });
    return { pieces, next: 0, openBytes: 0, close: source.close };
  };

  /** The recording, positioned at or before the requested piece. */
  const recordingOf = async (key: string, request: PieceRequest): Promise<OpenRecording> => {
    const opened = open.get(key);
    if (opened && opened.next <= request.index) return opened;
    open.delete(key);
    const recording = await start(request);
    open.set(key, recording);
    return recording;
  };

  /** The requested piece; null after the last. @throws ExtractionError */
  return async function pieceOf(request: PieceRequest): Promise<SoundPiece | null> {
    const { file, path, index, limits, pcmOnly } = request;
    const key = JSON.stringify([file.filePath, path ?? null, limits, pcmOnly]);
    const recording = await recordingOf(key, request);
    try {
      for (;;) {
        const { value } = await recording.pieces.next();
        if (!value) break;
        recording.next += 1;
        if (recording.next > index) return value;
      }
    } catch (error) {
      open.delete(key);
      throw error;
    }
    open.delete(key);
    return null;
  };
}
