import { EventEmitter, once } from 'node:events';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { LanguageModel } from '@engram/contract';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { freeBytesOf } from '../../files/disk-room.ts';
import { HttpError } from '../../http/errors.ts';
import { parseJson } from '../../parse-json.ts';
import {
  fetchedBytes,
  fetchedModel,
  fetchModel,
  folderOf,
  HubError,
  type HubFile,
  type HubModel,
  hubOf,
  type HubSettings,
  isHubModel,
  pinOf,
  revisionOf,
  sizeOf,
} from '../hub.ts';
import { CATALOG, type CatalogModel } from './catalog.ts';

type ModelEntry = Pick<
  LanguageModel,
  'name' | 'title' | 'licence' | 'licenceUrl' | 'memoryBytes'
> & {
  /** Null for a file that the operator added. */
  source: HubModel | null;
};

const ENDING = '.gguf';

/** The file of a model to fetch, with 4-bit weights if possible. @throws HubError if none fits */
export function ggufFile(model: string, files: ReadonlyMap<string, HubFile>): HubFile[] {
  const candidates = [...files.values()].filter(
    ({ name }) => name.endsWith(ENDING) && !/mmproj|-of-\d+/iu.test(name),
  );
  const best = [/Q4_K_M/iu, /Q4/iu, /./u].flatMap((kind) =>
    candidates.filter(({ name }) => kind.test(name)),
  );
  const [file] = best;
  if (file === undefined) throw new HubError(`The hub's ${model} is not a model in GGUF format.`);
  return [file];
}

/** `done` is the number of bytes on this machine. */
export type StoredModel = Omit<LanguageModel, 'runner' | 'answers'> & { done: number };

export interface ModelStoreOptions {
  clock: Clock;
  yieldToRequests?: (patienceMs: number) => Promise<void>;
  catalog?: readonly CatalogModel[] | undefined;
  freeBytes?: ((folder: string) => Promise<number>) | undefined;
}

/** When the folder is read again, in milliseconds, because a command may change it. */
const CACHE_MS = 30_000;

/** The number of progress reports of a fetch. */
const REPORTS = 200;

const chosen = z.object({ model: z.string() });

interface Fetch {
  model: ModelEntry;
  controller: AbortController;
  done: number;
  bytes: number | null;
  ended: Promise<void>;
}

export function createModelStore(settings: HubSettings, options: ModelStoreOptions) {
  const { clock, catalog = CATALOG, freeBytes = freeBytesOf } = options;
  const { yieldToRequests = async () => undefined } = options;
  const { modelsDir: folder } = settings;
  const hub = hubOf(settings);
  const choiceFile = path.join(folder, 'answering.json');
  const fetches = new Map<string, Fetch>();
  const problems = new Map<string, string>();
  const changes = new EventEmitter().setMaxListeners(0);

  const listed = catalog.map(({ repository, pin, ...model }): ModelEntry => ({
    ...model,
    source: { model: repository, folder, pin },
  }));

  const looseFile = (name: string): string => path.join(folder, `${name}${ENDING}`);

  /** Finds a model by its name; null for an invalid name. */
  async function find(name: string): Promise<ModelEntry | null> {
    const model = listed.find((entry) => entry.name === name);
    if (model) return model;
    const unknown = { name, title: name, licence: null, licenceUrl: null, memoryBytes: null };
    if (isHubModel(name)) return { ...unknown, source: { model: name, folder } };
    const isName = name !== '' && path.basename(name) === name && !name.includes('\0');
    return isName && (await sizeOf(looseFile(name))) > 0 ? { ...unknown, source: null } : null;
  }

  async function fileOf({ name, source }: ModelEntry): Promise<string | null> {
    if (source === null) return looseFile(name);
    const modelFolder = await fetchedModel(source);
    const file = modelFolder ? (await pinOf(modelFolder))?.files[0] : null;
    return modelFolder && file?.name.endsWith(ENDING) ? path.join(modelFolder, file.name) : null;
  }

  /** The models of the catalog and others in the folder, with the file of each complete model. */
  async function listEntries(): Promise<{ model: ModelEntry; file: string | null }[]> {
    const listedFolders = new Set(
      listed.map(({ source }) => source && path.basename(folderOf(source))),
    );
    const names = (await readdir(folder).catch(() => [])).flatMap((entry) => {
      if (entry.endsWith(ENDING)) return entry.slice(0, -ENDING.length);
      return listedFolders.has(entry) || !entry.includes('--') ? [] : entry.replace('--', '/');
    });
    const others = await Promise.all(names.map(find));
    const models = [...listed, ...others.filter((model) => model !== null)];
    const entries = await Promise.all(
      models.map(async (model) => ({ model, file: await fileOf(model) })),
    );
    return entries.filter(({ model, file }) => file !== null || listed.includes(model));
  }

  async function sizesOf({ name, source }: ModelEntry) {
    if (source === null) {
      const size = await sizeOf(looseFile(name));
      return { bytes: size, done: size };
    }
    const fetched = (await revisionOf(source)) ?? '';
    const modelFolder = source.pin ? path.join(folderOf(source), source.pin.revision) : fetched;
    const files = (source.pin ?? (await pinOf(modelFolder)))?.files ?? [];
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    return { bytes: bytes || null, done: await fetchedBytes(modelFolder, files) };
  }

  async function findOrThrow(name: string): Promise<ModelEntry> {
    const model = await find(name);
    if (model === null)
      throw new HttpError(404, 'model_unknown', `The model ${name} does not exist.`);
    return model;
  }

  async function choice(): Promise<string | null> {
    const text = await readFile(choiceFile, 'utf8').catch(() => '');
    return chosen.safeParse(parseJson(text)).data?.model ?? null;
  }

  let cached: { choice: string | null; files: ReadonlyMap<string, string> } = {
    choice: null,
    files: new Map(),
  };
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  async function readState(): Promise<void> {
    const files = new Map(
      (await listEntries()).flatMap(({ model, file }) => (file ? [[model.name, file]] : [])),
    );
    cached = { choice: await choice(), files };
    readAt = clock.now();
    reading = null;
  }

  async function refresh(): Promise<void> {
    if (clock.now() - readAt >= CACHE_MS) reading ??= readState();
    await reading;
  }

  async function choose(model: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    await writeFile(`${choiceFile}.new`, JSON.stringify({ model }));
    await rename(`${choiceFile}.new`, choiceFile);
    await readState();
  }

  async function download(running: Fetch): Promise<void> {
    const { source, name } = running.model;
    if (source === null) return;
    await fetchModel({
      ...source,
      ...hub,
      clock,
      signal: running.controller.signal,
      freeBytes,
      yieldToRequests,
      choose: (files) => ggufFile(name, files),
      maxBytes: Infinity,
      onProgress: (done, bytes) => {
        const step = Math.ceil(bytes / REPORTS);
        const isReported = Math.floor(done / step) > Math.floor(running.done / step);
        Object.assign(running, { done, bytes });
        if (isReported) changes.emit('change');
      },
    });
    if ((await choice()) === null) await choose(name);
  }

  async function stop(name: string): Promise<void> {
    const running = fetches.get(name);
    running?.controller.abort();
    await running?.ended;
  }

  async function stateOf(model: ModelEntry, isHere: boolean): Promise<StoredModel> {
    const { source: _, ...details } = model;
    const running = fetches.get(model.name);
    const { bytes, done } = running ?? (await sizesOf(model));
    const idle = done > 0 ? 'paused' : 'absent';
    const state = running ? 'fetching' : isHere ? 'here' : idle;
    return { ...details, state, bytes, done, problem: problems.get(model.name) ?? null };
  }

  return {
    /** The path of a model's file; null if the model is unknown or incomplete. */
    async fileOf(name: string): Promise<string | null> {
      const model = await find(name);
      return model && fileOf(model);
    },

    /** The chosen or best model. `file` is null for models of Ollama. Refreshes an old state. */
    current(): { name: string; file: string | null } | null {
      void refresh();
      const { choice, files } = cached;
      const file = files.get(choice ?? '') ?? null;
      if (choice !== null && (file !== null || choice.includes(':'))) {
        return { name: choice, file };
      }
      const [best] = files;
      return best === undefined ? null : { name: best[0], file: best[1] };
    },

    /** Refreshes the state if it is old. */
    settled: refresh,

    async list(): Promise<StoredModel[]> {
      const stored = await listEntries();
      const names = new Set(stored.map(({ model }) => model.name));
      const fetching = [...fetches.values()].flatMap(({ model }) =>
        names.has(model.name) ? [] : { model, file: null },
      );
      return Promise.all(
        [...stored, ...fetching].map(({ model, file }) => stateOf(model, file !== null)),
      );
    },

    /**
     * Starts or resumes the fetch of a model by its name in the catalog or on the hub (OWNER/NAME). It is
     * chosen once it is complete, if no other one is. `ended` resolves even if the fetch fails.
     * @throws HttpError 404 for an unknown name
     */
    async get(name: string): Promise<{ ended: Promise<void> }> {
      const model = await findOrThrow(name);
      const { done, bytes } = await sizesOf(model);
      if ((await fileOf(model)) !== null) return { ended: Promise.resolve() };
      const earlier = fetches.get(name);
      if (earlier) return earlier;
      problems.delete(name);
      const controller = new AbortController();
      const running: Fetch = { model, controller, done, bytes, ended: Promise.resolve() };
      fetches.set(name, running);
      running.ended = download(running)
        .catch((error: unknown) => {
          if (controller.signal.aborted) return;
          const isKnown = error instanceof HubError;
          problems.set(name, isKnown ? error.message : 'The model could not be stored.');
        })
        .finally(() => {
          fetches.delete(name);
          return readState();
        })
        .finally(() => changes.emit('change'));
      return running;
    },

    /** Resolves at the next progress or the end of a fetch. @throws AbortError */
    async changed(signal: AbortSignal): Promise<void> {
      await once(changes, 'change', { signal });
    },

    async pause(name: string): Promise<void> {
      await stop((await findOrThrow(name)).name);
    },

    /** @throws HttpError 409 if the model is not on this machine */
    async use(name: string): Promise<void> {
      if ((await fileOf(await findOrThrow(name))) === null) {
        throw new HttpError(409, 'model_absent', `${name} is not on this machine yet.`);
      }
      await choose(name);
    },

    /** Chooses a model of Ollama, `ollama:MODEL`. */
    choose,

    async remove(name: string): Promise<void> {
      const model = await findOrThrow(name);
      await stop(name);
      if ((await choice()) === name) await rm(choiceFile, { force: true });
      const stored = model.source === null ? looseFile(name) : folderOf(model.source);
      await rm(stored, { recursive: true, force: true });
      problems.delete(name);
      await readState();
    },

    async freeBytes(): Promise<number> {
      await mkdir(folder, { recursive: true });
      return freeBytes(folder);
    },

    async close(): Promise<void> {
      await Promise.all([...fetches.keys()].map(stop));
    },
  };
}

export type ModelStore = ReturnType<typeof createModelStore>;
