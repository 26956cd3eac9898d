import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** How Tesseract looks for text on the picture (its `tessedit_pageseg_mode`). */
export const LAYOUT = { page: '3', sparse: '11' } as const;
export type Layout = (typeof LAYOUT)[keyof typeof LAYOUT];

/** A rectangle in pixels of the picture that was handed in. */
interface PixelBox {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

export interface EngineWord {
  text: string;
  /** 0 to 100. */
  confidence: number;
  bbox: PixelBox;
}

export interface EngineLine {
  words: EngineWord[];
  bbox: PixelBox;
  /** The line that the letters stand on. */
  baseline: PixelBox;
}

/** A part of the layout: a column's piece, a heading, a picture's caption. */
export interface EngineBlock {
  bbox: PixelBox;
  paragraphs: { lines: EngineLine[] }[];
}

/** What is thrown when the engine itself is at fault, and not the picture. */
export class EngineError extends Error {
  override name = 'EngineError';
}

export type Engine = Awaited<ReturnType<typeof startEngine>>;

const WORKER = createRequire(import.meta.url).resolve(
  'tesseract.js/src/worker-script/node/index.js',
);
/** Tesseract's own name for its neural engine, `OEM_LSTM_ONLY`. */
const NEURAL = 1;

interface Answer {
  jobId: string;
  status: 'resolve' | 'reject' | 'progress';
  data: unknown;
}

/**
 * Starts Tesseract in a thread of its own. The thread's messages are spoken to directly, since
 * `createWorker` never answers when the engine does not start, leaves the thread's `error` event to
 * end the process, and takes all languages from one folder.
 *
 * @param data by language, the unpacked `traineddata`
 * @throws {EngineError} when the engine does not start, for instance because the data is broken
 */
export async function startEngine(data: ReadonlyMap<string, Uint8Array>) {
  const worker = new Worker(WORKER, { stdout: true, stderr: true });
  // What the engine prints is of no use to anyone, and held in memory until it is read.
  worker.stdout.resume();
  worker.stderr.resume();
  const waiting = new Map<
    string,
    { resolve: (data: unknown) => void; reject: (error: Error) => void }
  >();
  let broken: Error | null = null;
  let jobs = 0;

  const breakDown = (reason: string): void => {
    broken ??= new EngineError(reason);
    for (const { reject } of waiting.values()) reject(broken);
    waiting.clear();
  };
  worker.on('error', (error) => breakDown(`The text recognition stopped: ${error.message}`));
  worker.on('exit', () => breakDown('The text recognition has ended.'));
  worker.on('message', ({ jobId, status, data: answer }: Answer) => {
    if (status === 'progress') return;
    const job = waiting.get(jobId);
    waiting.delete(jobId);
    if (status === 'resolve') job?.resolve(answer);
    else job?.reject(new EngineError(String(answer)));
  });

  const ask = (action: string, payload: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (broken) return reject(broken);
      jobs += 1;
      waiting.set(String(jobs), { resolve, reject });
      worker.postMessage({ workerId: 'ocr', jobId: String(jobs), action, payload }, []);
    });

  const engine = {
    /**
     * Recognises text in a picture of a kind that Leptonica reads (PGM, PNG, JPEG).
     *
     * @throws {EngineError} when the engine failed; once `broken` is true, start another
     */
    async recognize(picture: Uint8Array, layout: Layout): Promise<EngineBlock[]> {
      const answer = await ask('recognize', {
        image: picture,
        options: { tessedit_pageseg_mode: layout },
        output: { blocks: true, text: false },
      });
      return (answer as { blocks: EngineBlock[] | null }).blocks ?? [];
    },
    /** True once the engine has ended and answers nothing more. */
    get broken(): boolean {
      return broken !== null;
    },
    async close(): Promise<void> {
      await worker.terminate();
    },
  };
  try {
    await ask('load', { options: { lstmOnly: true, logging: false } });
    for (const [language, bytes] of data) {
      await ask('FS', { method: 'writeFile', args: [`./${language}.traineddata`, bytes] });
    }
    await ask('initialize', { langs: [...data.keys()].join('+'), oem: NEURAL, config: {} });
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
}
