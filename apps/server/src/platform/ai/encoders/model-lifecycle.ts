import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../clock.ts';
import type { HubPin } from '../hub/kept-model.ts';
import { ModelUnavailable, toModelUnavailable } from '../model-unavailable.ts';
import { type ModelSource, PINNED, type SourceDependencies } from './model-source.ts';

export interface ModelOptions {
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  clock?: Clock;
  /** Waits up to this many milliseconds while the server answers requests. */
  yieldToRequests?: (patienceMs: number) => Promise<void>;
  /** Called whenever the model becomes usable. */
  onReady?: () => void;
  /** Whether a model that is not on this machine may be fetched. Default: true. */
  mayFetch?: boolean;
  /** The only files accepted for models by their names. Default: those of this version of Engram. */
  pinned?: ReadonlyMap<string, HubPin>;
}

/** What a model's source needs. */
export const sourceDependencies = (options: ModelOptions, clock: Clock): SourceDependencies => ({
  clock,
  yieldToRequests: options.yieldToRequests ?? (async () => undefined),
  mayFetch: options.mayFetch ?? true,
  pinned: options.pinned ?? PINNED,
});

interface LifecycleOptions<Driver> extends Pick<ModelOptions, 'log' | 'onReady'> {
  source: ModelSource<Driver>;
  clock: Clock;
  /** Logged when the model is ready. */
  readyMessage: string;
  /** Throws if an opened model cannot be used. */
  check?: (driver: Driver) => void;
  /** Whether a failure to open the model is expected and no warning. */
  isExpected?: (error: unknown) => boolean;
}

/** Time limit of one call to a model, in milliseconds. */
const CALL_MS = 60_000;
/** Delay before the second attempt to open a model, in milliseconds; doubles up to the maximum. */
const FIRST_RETRY_MS = 10_000;
const LONGEST_RETRY_MS = 30 * 60_000;

/** Opens a model, again after a failure or a crash, and calls it with a time limit. */
export function createModelLifecycle<
  Driver extends { readonly usable: boolean; close(): Promise<void> },
>(options: LifecycleOptions<Driver>) {
  const { source, log, clock, readyMessage, check, isExpected, onReady } = options;
  const closing = new AbortController();
  let driver: Driver | null = null;
  /** Why there is no model now, or why its last call failed. */
  let trouble: string | null = null;
  let opening: Promise<void> | null = null;
  let retry: unknown;
  let failures = 0;

  async function open(): Promise<void> {
    try {
      const opened = await source.open(closing.signal);
      try {
        check?.(opened);
      } catch (error) {
        await opened.close();
        throw error;
      }
      driver = opened;
      trouble = null;
      failures = 0;
      log.info(readyMessage);
      onReady?.();
    } catch (error) {
      if (closing.signal.aborted) return;
      const { message } = error as Error;
      if (failures === 0) {
        if (isExpected?.(error)) log.info(message);
        else log.warn({ err: error }, message);
      }
      trouble = message;
      tryLater();
    } finally {
      opening = null;
    }
  }

  function tryLater(): void {
    if (closing.signal.aborted) return;
    const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
    failures += 1;
    clock.clearTimeout(retry);
    retry = clock.setTimeout(start, wait);
  }

  function start(): void {
    if (!closing.signal.aborted && driver === null) opening ??= open();
  }

  /** Closes a model that crashed, and opens it again later. */
  async function giveUp(crashed: Driver): Promise<void> {
    if (driver !== crashed) return;
    driver = null;
    tryLater();
    await crashed.close();
  }

  return {
    /** Begins to open the model. */
    start,

    /** The model; null until it can be called. */
    driver: (): Driver | null => driver,

    /** Why there is no model or why its last call failed, as a sentence; null if all is well. */
    trouble: (): string | null => trouble,

    /** The state of a model that cannot be called yet, as a sentence. */
    progress: (): string =>
      opening ? source.progress() : (trouble ?? `${source.name} is not loaded yet.`),

    /** Calls the model. @throws ModelUnavailable; the signal's reason once it is aborted */
    async call<T>(
      called: Driver,
      signal: AbortSignal,
      task: (signal: AbortSignal) => Promise<T>,
    ): Promise<T> {
      const late = new AbortController();
      const timer = clock.setTimeout(
        () => late.abort(new ModelUnavailable('timeout', 'The model took too long.')),
        CALL_MS,
      );
      try {
        const result = await task(AbortSignal.any([signal, late.signal]));
        trouble = null;
        return result;
      } catch (error) {
        signal.throwIfAborted();
        const failure = toModelUnavailable(late.signal.aborted ? late.signal.reason : error);
        trouble = failure.message;
        if (!called.usable) await giveUp(called);
        throw failure;
      } finally {
        clock.clearTimeout(timer);
      }
    },

    /** Settles when an attempt to open the model that is under way has ended. */
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
