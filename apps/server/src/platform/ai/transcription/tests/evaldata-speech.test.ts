import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  extract,
  ExtractionError,
  type FileType,
  soundOf,
  type SoundPiece,
  type TranscriptPart,
} from '@engram/extraction';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../../config.ts';
import { createFfmpeg } from '../../../media/ffmpeg.ts';
import { createLocalSpeech } from '../local-speech.ts';
import { createTranscriber, joinTranscripts } from '../transcription.ts';

/** Real speech, stored outside the project. */
const root = path.join(import.meta.dirname, '../../../../../../../../shared/evaldata/files');

interface Row {
  file: string;
  kind: string;
  must_contain: string[];
  min_hits?: number;
}

function rows(): Row[] {
  const list = path.join(root, 'expected.jsonl');
  if (!existsSync(list)) return [];
  const lines = readFileSync(list, 'utf8').trim().split('\n');
  return lines
    .map((line) => JSON.parse(line) as Row)
    .filter(({ file, kind }) => kind === 'asr' || (kind === 'noText' && file.startsWith('wav/')));
}

const log = { warn: (): void => undefined };
const config = loadConfig({
  ...process.env,
  ENGRAM_SECRET: 'only for this test, not a secret at all',
});
const transcriber = createTranscriber(config, { log });
const ffmpeg = createFfmpeg({ ffmpeg: config.ffmpeg, log });
const on = transcriber.describe().on && existsSync(root);
const { signal } = new AbortController();

async function* piecesOf(file: string, bytes: Uint8Array, type: FileType) {
  const pcmOnly = transcriber.kind === 'local';
  try {
    yield* soundOf(bytes, type, { ...transcriber.limits, pcmOnly });
  } catch (error) {
    if (!(error instanceof ExtractionError) || error.code !== 'unsupported') throw error;
    yield* ffmpeg.sound(path.join(root, file), { maxMs: transcriber.limits.maxMs });
  }
}

describe.runIf(on)('real speech', () => {
  const local = on && transcriber.folder !== null ? createLocalSpeech(transcriber.folder) : null;
  const transcribe = async (piece: SoundPiece): Promise<TranscriptPart[]> =>
    local?.transcribePiece(piece) ?? (await transcriber.transcribe(piece, { signal })).parts;

  test.for(rows())('$file is transcribed', { timeout: 300_000 }, async (row) => {
    const bytes = new Uint8Array(readFileSync(path.join(root, row.file)));
    const type = row.file.split('/')[0] as FileType;
    const transcripts: TranscriptPart[][] = [];
    for await (const piece of piecesOf(row.file, bytes, type))
      transcripts.push(await transcribe(piece));
    const parts = joinTranscripts(transcripts);
    // Tags repeat much of the speech, so only the transcript is compared.
    const transcript = parts.map(({ text }) => text).join(' ');
    const plain = transcript.toLowerCase().replace(/[^\p{Letter}\p{Number}]+/gu, ' ');
    const hits = row.must_contain.filter((phrase) => plain.includes(phrase.toLowerCase()));
    // The failure message shows the transcript.
    const enough = hits.length >= (row.min_hits ?? row.must_contain.length);
    expect(enough ? row.must_contain : transcript).toEqual(row.must_contain);
    const supplements = { transcripts: [{ parts }] };
    const { text } = await extract({ bytes, fileName: row.file, type, supplements });
    expect(row.kind === 'noText' ? text : '').toBe('');
  });
});

test.skipIf(on)(
  'ENGRAM_TRANSCRIPTION is set to none, or the recordings are missing: speech was not checked',
  () => {
    expect(on).toBe(false);
  },
);
