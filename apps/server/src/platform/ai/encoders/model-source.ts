import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Clock } from '../../clock.ts';
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

export interface SourceOptions {
  clock: Clock;
  yieldToRequests?: (patienceMs: number) => Promise<void>;
  mayFetch?: boolean;
  /** Models for which only these files are accepted. */
  pinned?: ReadonlyMap<string, HubPin>;
}

interface ModelSource {
  name: string;
  /** The value of the setting that names it. */
  setting: string;
  /**
   * @param report is called with progress messages
   * @throws Error with a message for the user
   */
  open(signal: AbortSignal, report: (progress: string) => void): Promise<EncoderDriver>;
}

/** The model for `auto`: 135 MB with 8-bit weights, for a hundred languages. */
const AUTOMATIC = 'Xenova/multilingual-e5-small';
/** The maximum size of that model, and of a named one. */
const MAX_AUTOMATIC_BYTES = 150_000_000;
const MAX_NAMED_BYTES = 3_000_000_000;

/** The SHA-256, size and name of each of its files, so that no hub can send others. */
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

/** The files of a model to fetch. @throws HubError if it is not in ONNX format */
export function onnxFiles(model: string, files: ReadonlyMap<string, HubFile>): HubFile[] {
  const main = MODEL_FILES.find((name) => files.has(name));
  if (main === undefined || SIDE_FILES.required.some((name) => !files.has(name))) {
    throw new HubError(`The hub's ${model} is not a model in ONNX format.`);
  }
  const names = [...SIDE_FILES.required, ...SIDE_FILES.optional, main];
  return names.flatMap((name) => files.get(name) ?? []);
}

/** @param setting auto | local:MODEL-or-FOLDER | openai:MODEL | ollama:MODEL */
export function modelSource(
  setting: string,
  task: ModelTask,
  settings: EncoderSettings,
  { clock, yieldToRequests, mayFetch = true, pinned = PINNED }: SourceOptions,
): ModelSource {
  function onHub(model: string, maxBytes: number): ModelSource {
    const name = model.split('/').at(-1) ?? model;
    const stored = { model, folder: settings.modelsDir, pin: pinned.get(model) };

    const fetch = (signal: AbortSignal, report: (progress: string) => void): Promise<string> => {
      if (!mayFetch) throw new ModelUnavailable('down', `${name} is no longer on this machine.`);
      report(`${name} will be downloaded.`);
      return fetchModel({
        ...hubOf(settings),
        ...stored,
        clock,
        yieldToRequests,
        choose: (files) => onnxFiles(model, files),
        maxBytes,
        signal,
        onProgress: (done, total) =>
          report(`${name} is being downloaded: ${megabytes(done)} of ${megabytes(total)} MB.`),
      });
    };

    return {
      name: `${name} on this machine`,
      setting: `local:${model}`,
      async open(signal, report) {
        report(`${name} is being loaded.`);
        const folder = (await fetchedModel(stored)) ?? (await fetch(signal, report));
        report(`${name} is being loaded.`);
        try {
          return await openLocalEncoder({ folder, task }, clock, signal);
        } catch (error) {
          // The next attempt fetches damaged files again.
          await removeDamaged(folder);
          throw error;
        }
      },
    };
  }

  function inFolder(folder: string): ModelSource {
    const name = path.basename(folder);
    return {
      name: `${name} on this machine`,
      setting: `local:${folder}`,
      async open(signal, report) {
        report(`${name} is being loaded.`);
        const stats = await stat(folder).catch(() => null);
        if (stats?.isDirectory()) return openLocalEncoder({ folder, task }, clock, signal);
        throw new ModelUnavailable('down', `The folder ${folder} does not exist.`);
      },
    };
  }

  function onServer(provider: 'openai' | 'ollama', model: string): ModelSource {
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
      async open(signal, report) {
        report(`Connecting to ${name}.`);
        if (server === null) throw new ModelUnavailable('down', OPENAI_MISSING);
        return openRemoteEmbedder({ provider, model, ...server }, signal);
      },
    };
  }

  if (setting === 'auto') return onHub(AUTOMATIC, MAX_AUTOMATIC_BYTES);
  const colon = setting.indexOf(':');
  const provider = setting.slice(0, colon);
  const name = setting.slice(colon + 1).trim();
  if (provider === 'openai' || provider === 'ollama') return onServer(provider, name);
  const folder = path.resolve(name.replace(/^~(?=\/)/u, homedir()));
  const isOnHub = isHubModel(name) && !existsSync(folder);
  return isOnHub ? onHub(name, MAX_NAMED_BYTES) : inFolder(folder);
}
