import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { setPriority } from 'node:os';
import path from 'node:path';
import type { SoundPiece } from '@engram/extraction';
import { createMixer, createPieceCutter, SPEECH_RATE } from '@engram/extraction/light';
import type { FastifyBaseLogger } from 'fastify';
import { residentMegabytes } from '../processes/resident-memory.ts';
import { withoutNetwork } from '../processes/sealed-process.ts';

/** ffmpeg is missing or failed. The message is for the user. */
export class FfmpegError extends Error {
  override readonly name = 'FfmpegError';
}

/** The limits of a still, in milliseconds and bytes. */
const STILL_MS = 20_000;
const STILL_BYTES = 4 << 20;
const IDLE_TIMEOUT_MS = 60_000;
const MEMORY_MB = 1024;
const MEMORY_CHECK_MS = 100;
/** The maximum length of a recording: a day. */
const MAX_LENGTH_MS = 86_400_000;
/** Lower priority than everything else. */
const NICENESS = 10;
const ERROR_LENGTH = 500;

/** ffmpeg's names of the accepted formats, none of which refers to other files. */
const FORMATS = 'wav,w64,mp3,mov,mp4,m4a,3gp,3g2,mj2,avi,matroska,webm,aac,flac,ogg';

/** Options of every call. They limit what ffmpeg opens and allocates, because files may be hostile. */
const GUARDS = [
  '-hide_banner -nostdin -v error -threads 1',
  `-max_alloc ${256 << 20} -max_pixels 100000000`,
  `-protocol_whitelist file -format_whitelist ${FORMATS}`,
].flatMap((options) => options.split(' '));

/** Finds ffmpeg by a setting (a path, 'none', or undefined for the PATH) and runs it. */
export function createFfmpeg({
  ffmpeg: setting,
  searchPath = process.env['PATH'] ?? '',
  log,
  memoryMb = MEMORY_MB,
}: {
  ffmpeg: string | undefined;
  searchPath?: string;
  log: Pick<FastifyBaseLogger, 'warn'>;
  memoryMb?: number;
}) {
  let exe: string | null = null;
  let isSearching = true;
  const search = find(setting, searchPath).then((file) => {
    exe = file;
    isSearching = false;
    if (file === null && setting !== undefined && setting !== 'none') {
      log.warn({ ffmpeg: setting }, 'ENGRAM_FFMPEG names no executable program');
    }
  });

  function absence(): string {
    if (isSearching) return 'Looking for ffmpeg.';
    if (setting === 'none') return 'ENGRAM_FFMPEG is set to none.';
    if (setting !== undefined) return 'ENGRAM_FFMPEG names no executable program.';
    return 'ffmpeg is not installed, so some videos have no preview and rare audio formats are not transcribed.';
  }

  async function program(): Promise<Program> {
    await search;
    if (exe === null) throw new FfmpegError('This file needs ffmpeg, which is not installed.');
    return { file: exe, memoryMb };
  }

  return {
    describe: (): { on: boolean; detail: string } =>
      exe === null
        ? { on: false, detail: absence() }
        : { on: true, detail: `Video previews and rare audio formats are read with ${exe}.` },
    settled: (): Promise<void> => search,

    /**
     * A recording's sound as 16 kHz mono WAV, cut at silence into pieces of up to `maxMs` milliseconds. Holds
     * one piece in memory.
     * @throws FfmpegError if ffmpeg is missing or reads nothing
     */
    async *sound(
      file: string,
      options: { maxMs: number; signal?: AbortSignal },
    ): AsyncGenerator<SoundPiece, void> {
      yield* soundPieces(await program(), file, options);
    },

    /** A still of a video as JPEG, at most `size` pixels wide and high; null if it has none. */
    async still(
      file: string,
      options: { size: number; signal?: AbortSignal },
    ): Promise<Uint8Array | null> {
      return takeStill(await program(), file, options);
    },
  };
}

export type Ffmpeg = ReturnType<typeof createFfmpeg>;

async function find(setting: string | undefined, searchPath: string): Promise<string | null> {
  if (setting === 'none') return null;
  const name = process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg';
  const folders = searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const candidates =
    setting === undefined
      ? folders.map((folder) => path.join(folder, name))
      : [path.resolve(setting)];
  for (const candidate of candidates) {
    try {
      await access(candidate, constants.X_OK);
      return candidate;
    } catch {
      // Continues with the next folder.
    }
  }
  return null;
}

/** The variables that a program needs to find its libraries. */
const PASSED_ENV = ['LD_LIBRARY_PATH', 'SystemRoot'];

interface Program {
  file: string;
  /** The maximum resident memory. */
  memoryMb: number;
}

/**
 * Runs ffmpeg without a shell, if possible without network access, and yields its output. It is killed if
 * the caller stops reading or if it uses too much memory.
 */
async function* run(
  { file, memoryMb }: Program,
  options: string[],
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const env = Object.fromEntries(PASSED_ENV.map((name) => [name, process.env[name]]));
  const [program, args] = withoutNetwork(file, options);
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  let errorText = '';
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', (code) => resolve(code));
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorText = (errorText + text).slice(-ERROR_LENGTH);
  });
  const kill = (): void => void child.kill('SIGKILL');
  const memoryWatch = setInterval(() => {
    void residentMegabytes(child.pid).then((megabytes) => megabytes > memoryMb && kill());
  }, MEMORY_CHECK_MS);
  signal.addEventListener('abort', kill, { once: true });
  if (signal.aborted) kill();
  try {
    if (child.pid !== undefined) setPriority(child.pid, NICENESS);
  } catch {
    // It has already ended.
  }
  try {
    for await (const chunk of child.stdout) yield chunk as Buffer;
    const code = await ended;
    signal.throwIfAborted();
    if (code === 0) return;
    throw new FfmpegError('ffmpeg could not read the file.', { cause: new Error(errorText) });
  } finally {
    clearInterval(memoryWatch);
    signal.removeEventListener('abort', kill);
    kill();
  }
}

/** Aborts if ffmpeg sends nothing for too long, or with the caller. */
function createWatchdog(milliseconds: number, caller: AbortSignal | undefined) {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const watchdog = {
    signal: caller === undefined ? late.signal : AbortSignal.any([caller, late.signal]),
    start(): void {
      const reason = new FfmpegError('ffmpeg took too long to read the file.');
      timer = setTimeout(() => late.abort(reason), milliseconds);
    },
    stop: (): void => clearTimeout(timer),
  };
  watchdog.start();
  return watchdog;
}

/** An input that cannot be parsed as an option or another protocol. */
const inputOf = (file: string): string[] => ['-i', `file:${path.resolve(file)}`];

async function* soundPieces(
  program: Program,
  file: string,
  { maxMs, signal }: { maxMs: number; signal?: AbortSignal },
): AsyncGenerator<SoundPiece, void> {
  const watchdog = createWatchdog(IDLE_TIMEOUT_MS, signal);
  const only = ['-map', '0:a:0', '-vn', '-sn', '-dn', '-t', String(MAX_LENGTH_MS / 1000)];
  const samples = ['-ac', '1', '-ar', String(SPEECH_RATE), '-f', 's16le', 'pipe:1'];
  const args = [...GUARDS, ...inputOf(file), ...only, ...samples];
  const cutter = createPieceCutter({ maxMs });
  const mix = createMixer({ codec: 'pcm-s16', sampleRate: SPEECH_RATE, channels: 1 });
  let hasSound = false;
  try {
    for await (const chunk of run(program, args, watchdog.signal)) {
      // ffmpeg waits while a piece is transcribed.
      watchdog.stop();
      hasSound = true;
      if (mix !== null) yield* cutter.push(mix(chunk));
      watchdog.start();
    }
  } catch (error) {
    // The beginning of a damaged recording is used.
    if (!(error instanceof FfmpegError) || !hasSound) throw error;
  } finally {
    watchdog.stop();
  }
  yield* cutter.end();
}

async function takeStill(
  program: Program,
  file: string,
  { size, signal }: { size: number; signal?: AbortSignal },
): Promise<Uint8Array | null> {
  // The first second is often black, but some videos are shorter.
  for (const from of ['1', '0']) {
    const watchdog = createWatchdog(STILL_MS, signal);
    const scale = `scale=min(${size}\\,iw):min(${size}\\,ih):force_original_aspect_ratio=decrease`;
    const picture = ['-map', '0:V:0', '-frames:v', '1', '-vf', scale, '-c:v', 'mjpeg', '-q:v', '4'];
    const args = [...GUARDS, '-ss', from, ...inputOf(file), ...picture, '-f', 'mjpeg', 'pipe:1'];
    const still = await collect(run(program, args, watchdog.signal)).catch((error: unknown) => {
      if (!(error instanceof FfmpegError)) throw error;
      return null;
    });
    watchdog.stop();
    if (still !== null) return still;
  }
  return null;
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Uint8Array | null> {
  const collected: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > STILL_BYTES) return null;
    collected.push(chunk);
  }
  return bytes === 0 ? null : new Uint8Array(Buffer.concat(collected));
}
