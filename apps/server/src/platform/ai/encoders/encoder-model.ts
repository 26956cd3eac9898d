import type { FastifyBaseLogger } from 'fastify';
import { systemClock } from '../../clock.ts';
import { HubError } from '../hub.ts';
import { ModelUnavailable, toModelUnavailable } from '../model-unavailable.ts';
import { withDeadline } from '../time-budget.ts';
import type { EncoderDriver, ModelTask } from './encoder-driver.ts';
import { type EncoderSettings, modelSource, type SourceOptions } from './model-source.ts';

export interface EncoderOptions extends Partial<SourceOptions> {
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  onReady?: () => void;
}

interface ModelUse {
  task: ModelTask;
  setting: string;
  /** Logged with the model's name when it is ready. */
  ready: string;
  /** Shown with the model's name while it can be called. */
  used: string;
  /** Shown after the state of a model that cannot be called yet. */
  fallback: string;
}

/** The maximum length of an output: twice that of the largest models in use. */
const MAX_DIMENSIONS = 8192;
const CALL_MS = 60_000;
/** The delay before a model is opened again, in milliseconds. It doubles up to the maximum. */
const FIRST_RETRY_MS = 10_000;
const MAX_RETRY_MS = 30 * 60_000;

/** Opens a model, retries after failures, and calls it. Null for the setting `none`. */
export function createEncoderModel(
  { task, setting, ready, used, fallback }: ModelUse,
  settings: EncoderSettings,
  options: EncoderOptions,
) {
  if (setting === 'none') return null;
  const { log, clock = systemClock, onReady } = options;
  const source = modelSource(setting, task, settings, { ...options, clock });
  const { name } = source;
  const closing = new AbortController();
  let driver: EncoderDriver | null = null;
  let progress = '';
  /** Why the model is unavailable, or why its last call failed. */
  let problem: string | null = null;
  let opening: Promise<void> | null = null;
  let retry: unknown;
  let failures = 0;

  async function open(): Promise<void> {
    try {
      const opened = await source.open(closing.signal, (state) => (progress = state));
      const { dimensions } = opened;
      if (dimensions < 1 || dimensions > MAX_DIMENSIONS) {
        await opened.close();
        const message = `Vectors of ${dimensions} numbers cannot be stored.`;
        throw new ModelUnavailable('malformed', message);
      }
      driver = opened;
      problem = null;
      failures = 0;
      log.info(`${ready}: ${name} is ready.`);
      onReady?.();
    } catch (error) {
      if (closing.signal.aborted) return;
      const { message } = error as Error;
      if (failures === 0) {
        // No network is normal for `auto`.
        if (setting === 'auto' && error instanceof HubError) log.info(message);
        else log.warn({ err: error }, message);
      }
      problem = message;
      retryLater();
    } finally {
      opening = null;
    }
  }

  function retryLater(): void {
    if (closing.signal.aborted) return;
    const wait = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
    failures += 1;
    clock.clearTimeout(retry);
    retry = clock.setTimeout(start, wait);
  }

  function start(): void {
    if (!closing.signal.aborted && driver === null) opening ??= open();
  }

  return {
    setting: source.setting,

    start,

    driver: (): EncoderDriver | null => driver,

    describe(): { on: boolean; detail: string } {
      if (driver) {
        const words = `${used} with ${name}.`;
        return { on: true, detail: problem ? `${words} The last call failed: ${problem}` : words };
      }
      const state = opening ? progress : (problem ?? `${name} is not loaded yet.`);
      return { on: false, detail: `${state} ${fallback}` };
    },

    /** @throws ModelUnavailable, or the signal's reason once it is aborted */
    async call<T>(
      signal: AbortSignal,
      task: (called: EncoderDriver, signal: AbortSignal) => Promise<T>,
    ): Promise<T> {
      const called = driver;
      if (called === null) {
        throw new ModelUnavailable('down', problem ?? 'The model is not loaded yet.');
      }
      const late = new ModelUnavailable('timeout', 'The model took too long.');
      try {
        const deadline = { milliseconds: CALL_MS, late, caller: signal };
        const result = await withDeadline(clock, deadline, (limited) => task(called, limited));
        problem = null;
        return result;
      } catch (error) {
        signal.throwIfAborted();
        const failure = toModelUnavailable(error);
        problem = failure.message;
        // A crashed model is opened again later.
        if (!called.usable && driver === called) {
          driver = null;
          retryLater();
          await called.close();
        }
        throw failure;
      }
    },

    settled: async (): Promise<void> => opening ?? undefined,

    async close(): Promise<void> {
      closing.abort();
      clock.clearTimeout(retry);
      await opening;
      await driver?.close();
      driver = null;
    },
  };
}
