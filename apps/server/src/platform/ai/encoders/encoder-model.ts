import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { type Clock, systemClock } from '../../clock.ts';
import { freeBytesOf } from '../../files/disk-room.ts';
import {
  fetchedModel,
  fetchModel,
  HubError,
  type HubFile,
  hubOf,
  type HubPin,
  type HubSettings,
  isHubModel,
  removeDamaged,
} from '../hub.ts';
import { ModelUnavailable, toModelUnavailable } from '../model-unavailable.ts';
import {
  OPENAI_MISSING,
  type OpenAiSettings,
  openAiServer,
  withoutTrailingSlash,
} from '../openai-server.ts';
import { withDeadline } from '../time-budget.ts';
import type { EncoderDriver, ModelTask } from './encoder-driver.ts';
import { openLocalEncoder } from './local-encoder.ts';
import { MODEL_FILES, SIDE_FILES } from './model-folder.ts';
import { openRemoteEmbedder } from './remote-embedder.ts';

export interface EncoderSettings extends HubSettings, OpenAiSettings {
  ollamaBaseUrl: string;
}

export interface EncoderOptions {
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  clock?: Clock;
  onReady?: () => void;
  yieldToRequests?: (patienceMs: number) => Promise<void>;
  mayFetch?: boolean;
  /** The models of which only these files are accepted. */
  pinned?: ReadonlyMap<string, HubPin>;
}

interface ModelSource {
  name: string;
  setting: string;
  progress(): string;
  /** @throws Error with a sentence for the user as its message */
  open(signal: AbortSignal): Promise<EncoderDriver>;
}

/** What `auto` fetches: 135 MB with 8-bit weights. It knows a hundred languages. */
const AUTOMATIC = 'Xenova/multilingual-e5-small';
/** Maximum bytes of that model, and of one that the setting names. */
const MAX_AUTOMATIC_BYTES = 150_000_000;
const MAX_NAMED_BYTES = 3_000_000_000;

/** SHA-256, bytes and name of each of its files, so that no hub can send other ones. */
const AUTOMATIC_FILES = `
cb99455288675345e1a4f411438d5d0adbba5fbd3a67ea4fb03c015433b996c1 658 config.json
0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39 17082730 tokenizer.json
a1d6bc8734a6f635dc158508bef000f8e2e5a759c7d92f984b2c86e5ff53425b 443 tokenizer_config.json
f80102d3f2a1229f387d3c81909990d8945513e347b0eab049f7de3c6f98c193 118308185 onnx/model_quantized.onnx`;

export const PINNED: ReadonlyMap<string, HubPin> = new Map([
  [
    AUTOMATIC,
    {
      revision: '761b726dd34fb83930e26aab4e9ac3899aa1fa78',
      files: AUTOMATIC_FILES.trim()
        .split('\n')
        .map((line): HubFile => {
          const [digest = '', size, name = ''] = line.split(' ');
          return { name, size: Number(size), digest, kind: 'sha256' };
        }),
    },
  ],
]);

const megabytes = (bytes: number): number => Math.round(bytes / 1_000_000);

/** The files of a model to fetch. @throws HubError if they are not a model in ONNX format */
export function onnxFiles(model: string, files: ReadonlyMap<string, HubFile>): HubFile[] {
  const main = MODEL_FILES.find((name) => files.has(name));
  if (main === undefined || SIDE_FILES.needed.some((name) => !files.has(name))) {
    throw new HubError(`The hub's ${model} is no model in ONNX format.`);
  }
  const names = [...SIDE_FILES.needed, ...SIDE_FILES.welcome, main];
  return names.flatMap((name) => files.get(name) ?? []);
}

function fromHub(
  model: string,
  maxBytes: number,
  task: ModelTask,
  settings: HubSettings,
  options: EncoderOptions & { clock: Clock },
): ModelSource {
  const { mayFetch = true, pinned = PINNED, clock } = options;
  const { yieldToRequests = async () => undefined } = options;
  const name = model.split('/').at(-1) ?? model;
  const stored = { model, folder: settings.modelsDir, pin: pinned.get(model) };
  let state = `${name} is loaded.`;
  return {
    name: `${name} on this machine`,
    setting: `local:${model}`,
    progress: () => state,
    async open(signal) {
      state = `${name} is being loaded.`;
      let folder = await fetchedModel(stored);
      if (folder === null && !mayFetch) {
        throw new ModelUnavailable('down', `${name} is not on this machine any more.`);
      }
      if (folder === null) {
        state = `${name} is about to be fetched.`;
        folder = await fetchModel({
          ...hubOf(settings),
          ...stored,
          clock,
          yieldToRequests,
          choose: (files) => onnxFiles(model, files),
          maxBytes,
          freeBytes: freeBytesOf,
          signal,
          onProgress: (done, total) => {
            state = `${name} is being fetched: ${megabytes(done)} of ${megabytes(total)} MB.`;
          },
        });
        state = `${name} is being loaded.`;
      }
      try {
        return await openLocalEncoder({ folder, task }, clock, signal);
      } catch (error) {
        // The next attempt fetches files again that were damaged on the disk.
        await removeDamaged(folder);
        throw error;
      }
    },
  };
}

function fromFolder(folder: string, task: ModelTask, clock: Clock): ModelSource {
  const name = path.basename(folder);
  return {
    name: `${name} on this machine`,
    setting: `local:${folder}`,
    progress: () => `${name} is being loaded.`,
    async open(signal) {
      const stats = await stat(folder).catch(() => null);
      if (!stats?.isDirectory()) {
        throw new ModelUnavailable('down', `There is no folder ${folder}.`);
      }
      return openLocalEncoder({ folder, task }, clock, signal);
    },
  };
}

function fromServer(
  provider: 'openai' | 'ollama',
  model: string,
  settings: EncoderSettings,
): ModelSource {
  const ollama = {
    apiKey: undefined,
    baseUrl: `${withoutTrailingSlash(settings.ollamaBaseUrl)}/v1`,
    host: new URL(settings.ollamaBaseUrl).host,
  };
  const server = provider === 'openai' ? openAiServer(settings) : ollama;
  const name = `${model} ${provider === 'ollama' ? 'on Ollama ' : ''}at ${server?.host}`;
  return {
    name,
    setting: `${provider}:${model}`,
    progress: () => `${name} is being asked.`,
    async open(signal) {
      if (server === null) throw new ModelUnavailable('down', OPENAI_MISSING);
      const { apiKey, baseUrl } = server;
      return openRemoteEmbedder({ provider, model, baseUrl, apiKey }, signal);
    },
  };
}

/** @param setting auto | local:MODEL-or-FOLDER | openai:MODEL | ollama:MODEL */
function sourceOf(
  setting: string,
  task: ModelTask,
  settings: EncoderSettings,
  options: EncoderOptions & { clock: Clock },
): ModelSource {
  if (setting === 'auto') return fromHub(AUTOMATIC, MAX_AUTOMATIC_BYTES, task, settings, options);
  const colon = setting.indexOf(':');
  const provider = setting.slice(0, colon);
  const name = setting.slice(colon + 1).trim();
  if (provider === 'openai' || provider === 'ollama') return fromServer(provider, name, settings);
  const folder = path.resolve(name.replace(/^~(?=\/)/u, homedir()));
  return isHubModel(name) && !existsSync(folder)
    ? fromHub(name, MAX_NAMED_BYTES, task, settings, options)
    : fromFolder(folder, task, options.clock);
}

interface ModelUse {
  task: ModelTask;
  setting: string;
  /** Logged when the model is ready, without the part that names it. */
  ready: string;
  /** Shown while the model can be called, without the part that names it. */
  used: string;
  /** Shown behind the state of a model that cannot be called yet. */
  fallback: string;
}

/** Maximum numbers of one output: twice those of the largest models in use. */
const MAX_DIMENSIONS = 8192;
const CALL_MS = 60_000;
/** Delay before the second attempt to open a model, in milliseconds; doubles up to the maximum. */
const FIRST_RETRY_MS = 10_000;
const LONGEST_RETRY_MS = 30 * 60_000;

/** Opens a model, again after a failure, and calls it. Null if the setting names none. */
export function createEncoderModel(
  { task, setting, ready, used, fallback }: ModelUse,
  settings: EncoderSettings,
  options: EncoderOptions,
) {
  if (setting === 'none') return null;
  const { log, clock = systemClock, onReady } = options;
  const source = sourceOf(setting, task, settings, { ...options, clock });
  const { name } = source;
  const closing = new AbortController();
  let driver: EncoderDriver | null = null;
  /** Why there is no model now, or why its last call failed. */
  let problem: string | null = null;
  let opening: Promise<void> | null = null;
  let retry: unknown;
  let failures = 0;

  async function open(): Promise<void> {
    try {
      const opened = await source.open(closing.signal);
      const { dimensions } = opened;
      if (dimensions < 1 || dimensions > MAX_DIMENSIONS) {
        await opened.close();
        const message = `Vectors of ${dimensions} numbers cannot be kept.`;
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
        // `auto` on a machine without a network needs no attention.
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
    const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
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
        return { on: true, detail: problem ? `${words} It failed just now: ${problem}` : words };
      }
      const progress = opening ? source.progress() : (problem ?? `${name} is not loaded yet.`);
      return { on: false, detail: `${progress} ${fallback}` };
    },

    /** @throws ModelUnavailable, or the signal's reason once it is aborted */
    async call<T>(
      signal: AbortSignal,
      work: (called: EncoderDriver, signal: AbortSignal) => Promise<T>,
    ): Promise<T> {
      const called = driver;
      if (called === null) {
        throw new ModelUnavailable('down', problem ?? 'The model is not there yet.');
      }
      const late = new ModelUnavailable('timeout', 'The model took too long.');
      try {
        const deadline = { milliseconds: CALL_MS, late, caller: signal };
        const result = await withDeadline(clock, deadline, (limited) => work(called, limited));
        problem = null;
        return result;
      } catch (error) {
        signal.throwIfAborted();
        const failure = toModelUnavailable(error);
        problem = failure.message;
        // A model that crashed is opened again later.
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
