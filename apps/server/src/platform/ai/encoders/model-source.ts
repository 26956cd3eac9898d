import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Clock } from '../../clock.ts';
import { freeBytesOf } from '../../files/disk-room.ts';
import { fetchModel, HubError, hubOf, type HubSettings, isHubModel } from '../hub/fetch-model.ts';
import { fetchedModel, type HubFile, type HubPin, removeDamaged } from '../hub/hub-model.ts';
import { ModelUnavailable } from '../model-unavailable.ts';
import {
  OPENAI_MISSING,
  type OpenAiSettings,
  openAiServer,
  withoutTrailingSlash,
} from '../openai-server.ts';
import type { EncoderDriver, ModelTask } from './encoder-driver.ts';
import { openLocalEncoder } from './local-encoder.ts';
import { MODEL_FILES, SIDE_FILES } from './model-folder.ts';
import { openRemoteEmbedder } from './remote-embedder.ts';

export interface EncoderSettings extends HubSettings, OpenAiSettings {
  ollamaBaseUrl: string;
}

export interface ModelSource {
  name: string;
  setting: string;
  progress(): string;
  /** @throws Error with a sentence for the user as its message */
  open(signal: AbortSignal): Promise<EncoderDriver>;
}

export interface SourceOptions {
  clock: Clock;
  yieldToRequests: (patienceMs: number) => Promise<void>;
  mayFetch: boolean;
  pinned: ReadonlyMap<string, HubPin>;
}

/** What `auto` fetches: 135 MB with 8-bit weights. It knows a hundred languages. */
const AUTOMATIC = 'Xenova/multilingual-e5-small';
/** Maximum bytes of that model, and of one that the setting names. */
const MAX_AUTOMATIC_BYTES = 150_000_000;
const MAX_NAMED_BYTES = 3_000_000_000;

const pinnedFile = (name: string, size: number, digest: string): HubFile => ({
  name,
  size,
  digest,
  kind: 'sha256',
});

/** One commit of each model, and the SHA-256 of its files, so that no hub can send other ones. */
export const PINNED: ReadonlyMap<string, HubPin> = new Map([
  [
    AUTOMATIC,
    {
      revision: '761b726dd34fb83930e26aab4e9ac3899aa1fa78',
      files: [
        pinnedFile(
          'config.json',
          658,
          'cb99455288675345e1a4f411438d5d0adbba5fbd3a67ea4fb03c015433b996c1',
        ),
        pinnedFile(
          'tokenizer.json',
          17_082_730,
          '0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39',
        ),
        pinnedFile(
          'tokenizer_config.json',
          443,
          'a1d6bc8734a6f635dc158508bef000f8e2e5a759c7d92f984b2c86e5ff53425b',
        ),
        pinnedFile(
          'onnx/model_quantized.onnx',
          118_308_185,
          'f80102d3f2a1229f387d3c81909990d8945513e347b0eab049f7de3c6f98c193',
        ),
      ],
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
  { model, mostBytes, task }: { model: string; mostBytes: number; task: ModelTask },
  settings: HubSettings,
  { mayFetch, pinned, ...options }: SourceOptions,
): ModelSource {
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
          ...options,
          ...hubOf(settings),
          ...stored,
          choose: (files) => onnxFiles(model, files),
          mostBytes,
          freeBytes: freeBytesOf,
          signal,
          onProgress: (done, total) => {
            state = `${name} is being fetched: ${megabytes(done)} of ${megabytes(total)} MB.`;
          },
        });
        state = `${name} is being loaded.`;
      }
      try {
        return await openLocalEncoder({ folder, task }, options.clock, signal);
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
      const isFolder = await stat(folder).then(
        (stats) => stats.isDirectory(),
        () => false,
      );
      if (!isFolder) throw new ModelUnavailable('down', `There is no folder ${folder}.`);
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

/** Where a model comes from: none | auto | local:MODEL-or-FOLDER | openai:MODEL | ollama:MODEL */
export function createModelSource(
  setting: string,
  task: ModelTask,
  settings: EncoderSettings,
  options: SourceOptions,
): ModelSource | null {
  if (setting === 'none') return null;
  if (setting === 'auto') {
    return fromHub({ model: AUTOMATIC, mostBytes: MAX_AUTOMATIC_BYTES, task }, settings, options);
  }
  const colon = setting.indexOf(':');
  const provider = setting.slice(0, colon);
  const name = setting.slice(colon + 1).trim();
  if (provider === 'openai' || provider === 'ollama') return fromServer(provider, name, settings);
  const folder = path.resolve(name.replace(/^~(?=\/)/u, homedir()));
  return isHubModel(name) && !existsSync(folder)
    ? fromHub({ model: name, mostBytes: MAX_NAMED_BYTES, task }, settings, options)
    : fromFolder(folder, task, options.clock);
}
