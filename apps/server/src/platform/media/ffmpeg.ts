import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { setPriority } from 'node:os';
import path from 'node:path';
import type { SoundPiece } from '@engram/extraction';
import { createMixer, createPieceCutter, SPEECH_RATE } from '@engram/extraction/light';
import type { FastifyBaseLogger } from 'fastify';
import { residentMegabytes } from '../processes/resident-memory.ts';
import { withoutNetwork } from '../processes/sealed-process.ts';

/** ffmpeg is missing or failed; `message` is a sentence for the user. */
export class FfmpegError extends Error {
  override readonly name = 'FfmpegError';
}

/** Limits of a still: milliseconds and bytes. */
const STILL_MS = 20_000;
const STILL_BYTES = 4 << 20;
const SILENT_MS = 60_000;
const MEMORY_MB = 1024;
const MEMORY_CHECK_EVERY_MS = 100;
/** Maximum length of a recording, in milliseconds: a day. */
const LONGEST_MS = 86_400_000;
/** Lower priority than everything else. */
const NICENESS = 10;
const ERROR_LENGTH = 500;

/** ffmpeg's names of the accepted formats. None refers to other files. */
const FORMATS = 'wav,w64,mp3,mov,mp4,m4a,3gp,3g2,mj2,avi,matroska,webm,aac,flac,ogg';

/** Options of every call. Files may be hostile, so what ffmpeg opens and allocates is limited. */
const GUARDS = [
  '-hide_banner -nostdin -v error -threads 1',
  `-max_alloc ${256 << 20} -max_pixels 100000000`,
  `-protocol_whitelist file -format_whitelist ${FORMATS}`,
].flatMap((options) => options.split(' '));

/** Finds ffmpeg (a path, 'none', or undefined for the PATH) and runs it on files. */
export function createFfmpeg({
  ffmpeg: wanted,
  searchPath = process.env['PATH'] ?? '',
  log,
  memoryMb = MEMORY_MB,
}: {
  ffmpeg: string | undefined;
  searchPath?: string;
  log: Pick<FastifyBaseLogger, 'warn'>;
  memoryMb?: number;
}) {
  let found: string | null = null;
  let looking = true;
  const look = find(wanted, searchPath).then((file) => {
    found = file;
    looking = false;
    if (file === null && wanted !== undefined && wanted !== 'none') {
      log.warn({ ffmpeg: wanted }, 'ENGRAM_FFMPEG names no program that can be run');
    }
  });

  function absence(): string {
    if (looking) return 'ffmpeg is being looked for.';
    if (wanted === 'none') return 'ENGRAM_FFMPEG is set to none.';
    if (wanted !== undefined) return 'ENGRAM_FFMPEG names no program that can be run.';
    return 'ffmpeg is not installed: some videos have no still, and rare kinds of sound are not heard.';
  }

  async function program(): Promise<Program> {
    await look;
    if (found === null) throw new FfmpegError('ffmpeg, which could read it, is not installed.');
    return { file: found, memoryMb };
  }

  return {
    describe: (): { on: boolean; detail: string } =>
      found === null
        ? { on: false, detail: absence() }
        : { on: true, detail: `Stills and rare kinds of sound are read with ${found}.` },
    settled: (): Promise<void> => look,

    /**
     * A recording's sound as WAV of 16 kHz, one channel, in pieces of up to `maxMs` milliseconds that are
     * cut where it is quiet. Memory holds one piece.
     * @throws FfmpegError without ffmpeg, or if it reads nothing
     */
    async *sound(
      file: string,
      options: { maxMs: number; signal?: AbortSignal },
    ): AsyncGenerator<SoundPiece, void> {
      yield* soundPieces(await program(), file, options);
    },

    /** A picture of a video as JPEG, its longer side up to `size` pixels; null if it has none. */
    async still(
      file: string,
      options: { size: number; signal?: AbortSignal },
    ): Promise<Uint8Array | null> {
      return takeStill(await program(), file, options);
    },
  };
}

export type Ffmpeg = ReturnType<typeof createFfmpeg>;

async function find(wanted: string | undefined, searchPath: string): Promise<string | null> {
  if (wanted === 'none') return null;
  const name = process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg';
  const folders = searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const candidates =
    wanted === undefined
      ? folders.map((folder) => path.join(folder, name))
      : [path.resolve(wanted)];
  for (const candidate of candidates) {
    try {
      await access(candidate, constants.X_OK);
      return candidate;
    } catch {
      // The next folder may have it.
    }
  }
  return null;
}

/** Variables that a program needs to find its libraries. */
const PASSED_ENV = ['LD_LIBRARY_PATH', 'SystemRoot'];

/** ffmpeg, and its maximum resident memory in megabytes. */
interface Program {
  file: string;
  memoryMb: number;
}

/**
 * Runs ffmpeg without a shell, and without a network if the system supports that, and yields its output.
 * It is killed when the caller stops reading, or when it uses too much memory.
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
  }, MEMORY_CHECK_EVERY_MS);
  signal.addEventListener('abort', kill, { once: true });
  if (signal.aborted) kill();
  try {
    if (child.pid !== undefined) setPriority(child.pid, NICENESS);
  } catch {
    // It ended already.
  }
  try {
    for await (const chunk of child.stdout) yield chunk as Buffer;
    const code = await ended;
    signal.throwIfAborted();
    if (code === 0) return;
    throw new FfmpegError('ffmpeg could not read it.', { cause: new Error(errorText) });
  } finally {
    clearInterval(memoryWatch);
    signal.removeEventListener('abort', kill);
    kill();
  }
}

/** Aborts when ffmpeg is silent for too long, or with the caller. */
function createWatchdog(milliseconds: number, caller: AbortSignal | undefined) {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const watchdog = {
    signal: caller === undefined ? late.signal : AbortSignal.any([caller, late.signal]),
    start(): void {
      const reason = new FfmpegError('ffmpeg took too long to read it.');
      timer = setTimeout(() => late.abort(reason), milliseconds);
    },
    stop: (): void => clearTimeout(timer),
  };
  watchdog.start();
  return watchdog;
}

/** An input that cannot be taken for an option or another protocol. */
const inputOf = (file: string): string[] => ['-i', `file:${path.resolve(file)}`];

async function* soundPieces(
  program: Program,
  file: string,
  { maxMs, signal }: { maxMs: number; signal?: AbortSignal },
): AsyncGenerator<SoundPiece, void> {
  const watchdog = createWatchdog(SILENT_MS, signal);
  const only = ['-map', '0:a:0', '-vn', '-sn', '-dn', '-t', String(LONGEST_MS / 1000)];
  const samples = ['-ac', '1', '-ar', String(SPEECH_RATE), '-f', 's16le', 'pipe:1'];
  const args = [...GUARDS, ...inputOf(file), ...only, ...samples];
  const cutter = createPieceCutter({ maxMs });
  const mix = createMixer({ codec: 'pcm-s16', sampleRate: SPEECH_RATE, channels: 1 });
  let heard = false;
  try {
    for await (const chunk of run(program, args, watchdog.signal)) {
      // While a piece is transcribed, ffmpeg waits.
      watchdog.stop();
      heard = true;
      if (mix !== null) yield* cutter.push(mix(chunk));
      watchdog.start();
    }
  } catch (error) {
    // The beginning of a broken recording is used.
    if (!(error instanceof FfmpegError) || !heard) throw error;
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
  // The first second is often black; a shorter video has only that.
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
  const all: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > STILL_BYTES) return null;
    all.push(chunk);
  }
  return bytes === 0 ? null : new Uint8Array(Buffer.concat(all));
}
