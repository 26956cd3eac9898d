import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Clock } from '../../clock.ts';
import type { EmbeddingDriver } from './embedding-driver.ts';
import { createGuardedFetch } from '../../http/guarded-fetch.ts';
import { fetchModel, HubError, isHubModel } from '../hub/fetch-model.ts';
import { fetchedModel, type HubFile, type HubPin, removeDamaged } from '../hub/kept-model.ts';
import {
  type LocalEncoder,
  openLocalEmbedder,
  openLocalReranker,
  type OpenFolder,
} from './local-encoder.ts';
import { MODEL_FILES, SIDE_FILES } from './model-folder.ts';
import { openRemoteEmbedder } from './remote-embedder.ts';
import { freeBytesOf } from '../../files/disk-room.ts';
import { ModelUnavailable } from '../model-unavailable.ts';

/** The settings that say where the models of folders and of the hub come from. */
export interface ModelPlaces {
  /** Address of the hub from which models are fetched. */
  modelHub: string;
  /** Hosts and address ranges outside the open internet that the hub may redirect to. */
  fetchAllow: readonly string[];
  /** Where models are kept. */
  modelsDir: string;
}

/** The settings that say what reranks; the names are those of the configuration. */
export interface RerankerSettings extends ModelPlaces {
  /** none | local:MODEL-or-FOLDER */
  reranker: string;
}

/** The settings that say what makes embeddings; the names are those of the configuration. */
export interface EmbedderSettings extends ModelPlaces {
  /** auto | none | local:MODEL-or-FOLDER | openai:MODEL | ollama:MODEL */
  embeddings: string;
  openaiApiKey?: string | undefined;
  openaiBaseUrl?: string | undefined;
  ollamaBaseUrl: string;
}

/** Where a model comes from. */
export interface ModelSource<Driver> {
  /** What is used, for a sentence. */
  name: string;
  /** The setting that names this source and no other. */
  setting: string;
  /** How far the opening that is under way is, as a sentence. */
  progress(): string;
  /** @throws Error with a sentence for a person as its message */
  open(signal: AbortSignal): Promise<Driver>;
}

export interface SourceDependencies {
  clock: Clock;
  yieldToRequests: (patienceMs: number) => Promise<void>;
  /** Whether a model that is not on this machine may be fetched. */
  mayFetch: boolean;
  /** What is taken for models by their names. */
  pinned: ReadonlyMap<string, HubPin>;
}

/**
 * What `auto` fetches: about 135 MB with numbers of 8 bits. It knows a hundred languages, so that a
 * question in one finds a file in another, and nobody has to say which languages the files have.
 */
const AUTOMATIC = 'Xenova/multilingual-e5-small';
/** Most bytes that are fetched without having been asked for by name, and with. */
const MOST_AUTOMATIC_BYTES = 150_000_000;
const MOST_NAMED_BYTES = 3_000_000_000;

/**
 * What is taken for a model by its name: one commit, and the SHA-256 of each file at it. A hub, or
 * whoever speaks for it, can send nothing else in its place.
 */
export const PINNED: ReadonlyMap<string, HubPin> = new Map([
  [
    AUTOMATIC,
    {
      revision: '761b726dd34fb83930e26aab4e9ac3899aa1fa78',
      files: [
        {
          name: 'config.json',
          size: 658,
          digest: 'cb99455288675345e1a4f411438d5d0adbba5fbd3a67ea4fb03c015433b996c1',
          kind: 'sha256',
        },
        {
          name: 'tokenizer.json',
          size: 17_082_730,
          digest: '0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39',
          kind: 'sha256',
        },
        {
          name: 'tokenizer_config.json',
          size: 443,
          digest: 'a1d6bc8734a6f635dc158508bef000f8e2e5a759c7d92f984b2c86e5ff53425b',
          kind: 'sha256',
        },
        {
          name: 'onnx/model_quantized.onnx',
          size: 118_308_185,
          digest: 'f80102d3f2a1229f387d3c81909990d8945513e347b0eab049f7de3c6f98c193',
          kind: 'sha256',
        },
      ],
    },
  ],
]);

const OPENAI = 'https://api.openai.com/v1';

const megabytes = (bytes: number): number => Math.round(bytes / 1_000_000);

/**
 * The files to fetch of those that a hub has of a model.
 * @throws HubError where they are no model in ONNX format
 */
export function onnxFiles(model: string, files: ReadonlyMap<string, HubFile>): HubFile[] {
  const main = MODEL_FILES.find((name) => files.has(name));
  if (main === undefined || SIDE_FILES.needed.some((name) => !files.has(name))) {
    throw new HubError(`The hub's ${model} is no model in ONNX format.`);
  }
  const names = [...SIDE_FILES.needed, ...SIDE_FILES.welcome, main];
  return names.flatMap((name) => files.get(name) ?? []);
}

function fromHub<Driver>(
  { model, mostBytes }: { model: string; mostBytes: number },
  open: OpenFolder<Driver>,
  settings: ModelPlaces,
  deps: SourceDependencies,
): ModelSource<Driver> {
  const name = model.split('/').at(-1) ?? model;
  const folder = settings.modelsDir;
  const pin = deps.pinned.get(model);
  let state = `${name} is loaded.`;
  return {
    name: `${name} on this machine`,
    setting: `local:${model}`,
    progress: () => state,
    async open(signal) {
      state = `${name} is being loaded.`;
      let found = await fetchedModel({ folder, model, pin });
      if (found === null && !deps.mayFetch) {
        throw new ModelUnavailable('down', `${name} is not on this machine any more.`);
      }
      if (found === null) {
        state = `${name} is about to be fetched.`;
        found = await fetchModel({
          ...deps,
          fetch: createGuardedFetch({
            allow: settings.fetchAllow,
            configured: [settings.modelHub],
            usesProxy: true,
          }),
          hub: settings.modelHub,
          model,
          folder,
          pin,
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
        return await open(found, deps.clock, signal);
      } catch (error) {
        // The next try fetches again what was damaged on the disk.
        await removeDamaged(found);
        throw error;
      }
    },
  };
}

function fromFolder<Driver>(
  folder: string,
  open: OpenFolder<Driver>,
  deps: SourceDependencies,
): ModelSource<Driver> {
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
      return open(folder, deps.clock, signal);
    },
  };
}

function fromServer(
  provider: 'openai' | 'ollama',
  model: string,
  settings: EmbedderSettings,
): ModelSource<EmbeddingDriver> {
  const { openaiApiKey: apiKey, openaiBaseUrl, ollamaBaseUrl } = settings;
  const isOpenai = provider === 'openai';
  const baseUrl = isOpenai
    ? (openaiBaseUrl ?? OPENAI)
    : `${ollamaBaseUrl.replace(/(?<!\/)\/+$/u, '')}/v1`;
  const { host } = new URL(baseUrl);
  const name = isOpenai ? `${model} at ${host}` : `${model} on Ollama at ${host}`;
  return {
    name,
    setting: `${provider}:${model}`,
    progress: () => `${name} is being asked.`,
    async open(signal) {
      if (isOpenai && apiKey === undefined && openaiBaseUrl === undefined) {
        throw new ModelUnavailable(
          'down',
          'openai:MODEL needs OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own.',
        );
      }
      const key = isOpenai ? apiKey : undefined;
      return openRemoteEmbedder({ provider, model, baseUrl, apiKey: key }, signal);
    },
  };
}

/** A model of a folder, or of the hub by its name there. */
function fromLocal<Driver>(
  name: string,
  open: OpenFolder<Driver>,
  settings: ModelPlaces,
  deps: SourceDependencies,
): ModelSource<Driver> {
  const folder = path.resolve(name.replace(/^~(?=\/)/u, homedir()));
  return isHubModel(name) && !existsSync(folder)
    ? fromHub({ model: name, mostBytes: MOST_NAMED_BYTES }, open, settings, deps)
    : fromFolder(folder, open, deps);
}

/** The setting `PROVIDER:NAME` in two. */
function splitSetting(setting: string): [provider: string, name: string] {
  const colon = setting.indexOf(':');
  return [setting.slice(0, colon), setting.slice(colon + 1).trim()];
}

/** Where the embedding model that the settings name comes from; null if they name none. */
export function createEmbedderSource(
  settings: EmbedderSettings,
  deps: SourceDependencies,
): ModelSource<EmbeddingDriver> | null {
  const { embeddings } = settings;
  if (embeddings === 'none') return null;
  if (embeddings === 'auto') {
    const automatic = { model: AUTOMATIC, mostBytes: MOST_AUTOMATIC_BYTES };
    return fromHub(automatic, openLocalEmbedder, settings, deps);
  }
  const [provider, name] = splitSetting(embeddings);
  return provider === 'openai' || provider === 'ollama'
    ? fromServer(provider, name, settings)
    : fromLocal(name, openLocalEmbedder, settings, deps);
}

/** Where the reranker that the settings name comes from; null if they name none. */
export function createRerankerSource(
  settings: RerankerSettings,
  deps: SourceDependencies,
): ModelSource<LocalEncoder> | null {
  if (settings.reranker === 'none') return null;
  return fromLocal(splitSetting(settings.reranker)[1], openLocalReranker, settings, deps);
}
