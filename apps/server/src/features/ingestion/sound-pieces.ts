import { readFile } from 'node:fs/promises';
import { memberOf, type SoundPiece, soundOf } from '@engram/extraction';
import { openFileSource } from '../../platform/media/file-source.ts';
import type { PieceLimits, SourceFile } from './recognition-messages.ts';

/** Which piece of which recording. */
export interface PieceRequest {
  file: SourceFile;
  /** The member of an archive that is the recording. */
  path: string | undefined;
  /** From 0. */
  index: number;
  limits: PieceLimits;
  /** Only WAV of 16 kHz. */
  pcmOnly: boolean;
}

interface OpenRecording {
  key: string;
  pieces: AsyncGenerator<SoundPiece, void>;
  /** The piece that comes next. */
  next: number;
  close(): Promise<void>;
}

/**
 * Hands out recordings piece by piece. The last recording stays open, so that asking for its next
 * piece does not begin at its first again.
 */
export function createSoundPieces() {
  let open: OpenRecording | null = null;

  const close = async (): Promise<void> => {
    const last = open;
    open = null;
    await last?.pieces.return();
    await last?.close();
  };

  const start = async (key: string, request: PieceRequest): Promise<OpenRecording> => {
    const { file, path, limits, pcmOnly } = request;
    if (path !== undefined) {
      const member = await memberOf(new Uint8Array(await readFile(file.filePath)), path);
      const pieces = soundOf(member.bytes, member.type, { ...limits, pcmOnly });
      return { key, pieces, next: 0, close: () => Promise.resolve() };
    }
    const source = await openFileSource(file.filePath);
    const pieces = soundOf(source, file.type, { ...limits, pcmOnly });
    return { key, pieces, next: 0, close: source.close };
  };

  /** The piece that was asked for; null behind the last. Throws ExtractionError. */
  return async function pieceOf(request: PieceRequest): Promise<SoundPiece | null> {
    const { file, path, index, limits, pcmOnly } = request;
    const key = JSON.stringify([file.filePath, path ?? null, limits, pcmOnly]);
    if (open?.key !== key || open.next > index) {
      await close();
      open = await start(key, request);
    }
    try {
      for (;;) {
        const { value } = await open.pieces.next();
        if (!value) break;
        open.next += 1;
        if (open.next > index) return value;
      }
    } catch (error) {
      await close();
      throw error;
    }
    await close();
    return null;
  };
}
