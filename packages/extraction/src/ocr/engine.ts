import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** Layouts that Tesseract can assume (`tessedit_pageseg_mode`). */
export const LAYOUT = { page: '3', sparse: '11' } as const;
export type Layout = (typeof LAYOUT)[keyof typeof LAYOUT];

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
  /** The line on which the letters stand. */
  baseline: PixelBox;
}

export interface EngineBlock {
  bbox: PixelBox;
  paragraphs: { lines: EngineLine[] }[];
}

/** The engine failed, not the picture. */
export class EngineError extends Error {
  override name = 'EngineError';
}

export type Engine = Awaited<ReturnType<typeof startEngine>>;

const WORKER = createRequire(import.meta.url).resolve(
  'tesseract.js/src/worker-script/node/index.js',
);
const NEURAL = 1;

interface Answer {
  jobId: string;
  status: 'resolve' | 'reject' | 'progress';
  data: unknown;
}

/**
 * Starts Tesseract in a worker thread. The library's `createWorker` hangs if the engine does not start,
 * ignores the thread's errors, and loads all languages from one folder.
 */
export async function startEngine(data: ReadonlyMap<string, Uint8Array>) {
  const worker = new Worker(WORKER, { stdout: true, stderr: true });
  worker.stdout.resume();
  worker.stderr.resume();
  const waiting = new Map<
    string,
    { resolve: (data: unknown) => void; reject: (error: Error) => void }
  >();
  let broken: Error | null = null;
  let jobs = 0;

  const failAll = (reason: string): void => {
    broken ??= new EngineError(reason);
    for (const { reject } of waiting.values()) reject(broken);
    waiting.clear();
  };
  worker.on('error', (error) => failAll(`The text recognition stopped: ${error.message}`));
  worker.on('exit', () => failAll('The text recognition has ended.'));
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
    /** Recognizes text in a PGM, PNG or JPEG. Throws {@link EngineError}. Start another once `broken`. */
    async recognize(picture: Uint8Array, layout: Layout): Promise<EngineBlock[]> {
      const answer = await ask('recognize', {
        image: picture,
        options: { tessedit_pageseg_mode: layout },
        output: { blocks: true, text: false },
      });
      return (answer as { blocks: EngineBlock[] | null }).blocks ?? [];
    },
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
