import type { RecognizedLine } from '../types.ts';
import { openRaster, type Raster } from '../pictures/raster.ts';
import { type Engine, type EngineBlock, LAYOUT, startEngine } from './engine.ts';
import { certaintyOf, isDoubtful, plausibleLines } from './confidence.ts';
import { findLanguages, readLanguages } from './language-data.ts';
import { type Attempt, furtherAttempts } from './attempts.ts';
import { boxOnOriginal, type GrayPicture, toGray, toPgm, turn } from './prepare.ts';

const MIN_SIDE = 8;

export interface RecognizerOptions {
  /** Tesseract's names (eng, deu, chi_sim), likeliest first. */
  languages: readonly string[];
  /** Folder of `<language>.traineddata` or `.traineddata.gz`, preferred to packages. */
  dataFolder?: string;
}

export type Recognizer = ReturnType<typeof createRecognizer>;

/** Recognizes text with Tesseract, started by the first picture. Throws if a language has no data. */
export function createRecognizer({ languages, dataFolder }: RecognizerOptions) {
  const paths = findLanguages(languages, dataFolder);
  let engine: Promise<Engine> | null = null;
  let queue: Promise<unknown> = Promise.resolve();

  const runningEngine = async (): Promise<Engine> => {
    if ((await engine?.catch(() => null))?.broken) engine = null;
    engine ??= readLanguages(paths).then(startEngine);
    engine.catch(() => (engine = null));
    return engine;
  };

  const close = async (): Promise<void> => {
    const closing = engine;
    engine = null;
    await (await closing?.catch(() => null))?.close();
  };

  const recognize = async (
    picture: Uint8Array,
    signal?: AbortSignal,
  ): Promise<RecognizedLine[]> => {
    signal?.throwIfAborted();
    const raster = await openRaster(picture);
    if (Math.min(raster.width, raster.height) < MIN_SIDE) return [];
    const gray = await toGray(raster);
    const stop = (): void => void close();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      return linesOn(raster, await bestAttempt(await runningEngine(), gray));
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  };

  return {
    /**
     * The lines of a picture in reading order, boxes in fractions of it. Pictures are queued. Aborting
     * ends the engine. Throws {@link ExtractionError}, or {@link EngineError} if the engine failed.
     */
    recognize(
      picture: Uint8Array,
      { signal }: { signal?: AbortSignal } = {},
    ): Promise<RecognizedLine[]> {
      const done = queue.then(() => recognize(picture, signal));
      queue = done.catch(() => undefined);
      return done;
    },
    close,
  };
}

interface AttemptResult {
  blocks: EngineBlock[];
  gray: GrayPicture;
  degrees: number;
}

/** Recognizes the picture as it is, then in other ways while the result is doubtful. */
async function bestAttempt(engine: Engine, gray: GrayPicture): Promise<AttemptResult> {
  const recognizeAs = async ({ degrees, layout }: Attempt): Promise<AttemptResult> => {
    const turned = await turn(gray, degrees);
    return { blocks: await engine.recognize(toPgm(turned), layout), gray: turned, degrees };
  };
  let best = await recognizeAs({ degrees: 0, layout: LAYOUT.page });
  // After a good attempt, the next one improves the order of lines.
  const minRatio = isDoubtful(certaintyOf(best.blocks)) ? 1 : 0.95;
  for (const attempt of await furtherAttempts(best.blocks, gray)) {
    const result = await recognizeAs(attempt);
    if (certaintyOf(result.blocks).certain > certaintyOf(best.blocks).certain * minRatio)
      best = result;
    if (!isDoubtful(certaintyOf(best.blocks))) break;
  }
  return best;
}

function linesOn(original: Raster, { blocks, gray, degrees }: AttemptResult): RecognizedLine[] {
  const numbers = new Map<number, number>();
  return plausibleLines(blocks).map(({ line, block }) => {
    if (!numbers.has(block)) numbers.set(block, numbers.size + 1);
    return {
      block: numbers.get(block) ?? 1,
      words: line.words.map(({ text, bbox }) => ({
        text,
        ...boxOnOriginal(bbox, gray.size, degrees, gray.scale, original),
      })),
    };
  });
}
