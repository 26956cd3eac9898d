import { EventEmitter, once } from 'node:events';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { freeBytesOf } from '../../files/disk-room.ts';
import { parseJson } from '../../parse-json.ts';
import { fetchModel, HubError, hubOf, type HubSettings } from '../hub.ts';
import { CATALOGUE, type CatalogueModel } from './catalogue.ts';
import { createModelFiles, ggufFile, type ModelEntry } from './model-files.ts';

export interface StoredModel extends Omit<ModelEntry, 'source'> {
  state: 'absent' | 'fetching' | 'paused' | 'here';
  /** Size of its file, null if unknown, and the bytes of it that are on this machine. */
  bytes: number | null;
  done: number;
  problem: string | null;
}

/** A model is unknown or not on this machine; `message` is a sentence for the user. */
export class ModelStoreError extends Error {
  override readonly name = 'ModelStoreError';
  readonly code: 'unknown' | 'absent';

  constructor(code: 'unknown' | 'absent', message: string) {
    super(message);
    this.code = code;
  }
}

export interface ModelStoreOptions {
  clock: Clock;
  yieldToRequests?: (patienceMs: number) => Promise<void>;
  catalogue?: readonly CatalogueModel[] | undefined;
  freeBytes?: ((folder: string) => Promise<number>) | undefined;
}

/** The state of the disk is read again after this time, in milliseconds: a command may change it. */
const CACHE_MS = 30_000;

/** How often a fetch reports its progress, in equal steps. */
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
  const { clock, catalogue = CATALOGUE, freeBytes = freeBytesOf } = options;
  const { yieldToRequests = async () => undefined } = options;
  const { modelsDir: folder } = settings;
  const hub = hubOf(settings);
  const files = createModelFiles(folder, catalogue);
  const choiceFile = path.join(folder, 'answering.json');
  const fetches = new Map<string, Fetch>();
  const problems = new Map<string, string>();
  const changes = new EventEmitter().setMaxListeners(0);

  async function named(name: string): Promise<ModelEntry> {
    const model = await files.named(name);
    if (model === null) throw new ModelStoreError('unknown', `There is no model ${name}.`);
    return model;
  }

  async function choice(): Promise<string | null> {
    const text = await readFile(choiceFile, 'utf8').catch(() => '');
    return chosen.safeParse(parseJson(text)).data?.model ?? null;
  }

  let known: { choice: string | null; here: ReadonlyMap<string, string> } = {
    choice: null,
    here: new Map(),
  };
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  async function readState(): Promise<void> {
    const all = await files.all();
    const here = new Map(all.flatMap(({ model, file }) => (file ? [[model.name, file]] : [])));
    known = { choice: await choice(), here };
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

  async function bring(running: Fetch): Promise<void> {
    const { source, name } = running.model;
    if (source === null) return;
    await fetchModel({
      ...source,
      ...hub,
      clock,
      signal: running.controller.signal,
      freeBytes,
      yieldToRequests,
      choose: (offered) => ggufFile(name, offered),
      mostBytes: Infinity,
      onProgress: (done, bytes) => {
        const step = Math.ceil(bytes / REPORTS);
        const isNews = Math.floor(done / step) > Math.floor(running.done / step);
        Object.assign(running, { done, bytes });
        if (isNews) changes.emit('change');
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
    const { source: _, ...shown } = model;
    const running = fetches.get(model.name);
    const { bytes, done } = running ?? (await files.sizes(model));
    const idle = done > 0 ? 'paused' : 'absent';
    const state = running ? 'fetching' : isHere ? 'here' : idle;
    return { ...shown, state, bytes, done, problem: problems.get(model.name) ?? null };
  }

  return {
    /** The path of a model's file; null if the model is unknown or not complete. */
    async fileOf(name: string): Promise<string | null> {
      const model = await files.named(name);
      return model === null ? null : files.fileOf(model);
    },

    /** The chosen or best model. `file` is null for another runner's. Old state is refreshed. */
    current(): { name: string; file: string | null } | null {
      void refresh();
      const file = known.here.get(known.choice ?? '') ?? null;
      if (known.choice !== null && (file !== null || known.choice.includes(':'))) {
        return { name: known.choice, file };
      }
      const [best] = known.here;
      return best === undefined ? null : { name: best[0], file: best[1] };
    },

    /** Resolves when the state is at most half a minute old. */
    settled: refresh,

    async list(): Promise<StoredModel[]> {
      const all = await files.all();
      const names = new Set(all.map(({ model }) => model.name));
      const coming = [...fetches.values()].flatMap(({ model }) =>
        names.has(model.name) ? [] : { model, file: null },
      );
      return Promise.all(
        [...all, ...coming].map(({ model, file }) => stateOf(model, file !== null)),
      );
    },

    /**
     * Starts or resumes the fetch of a model by its name in the catalogue or on the hub (OWNER/NAME).
     * The model answers when it is complete, unless another one is chosen. `ended` resolves when the
     * fetch has ended or failed, and `list` has the result.
     * @throws ModelStoreError for an unknown name
     */
    async get(name: string): Promise<{ ended: Promise<void> }> {
      const model = await named(name);
      const { done, bytes } = await files.sizes(model);
      if ((await files.fileOf(model)) !== null) return { ended: Promise.resolve() };
      const earlier = fetches.get(name);
      if (earlier) return earlier;
      problems.delete(name);
      const controller = new AbortController();
      const running: Fetch = { model, controller, done, bytes, ended: Promise.resolve() };
      fetches.set(name, running);
      running.ended = bring(running)
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
      await stop((await named(name)).name);
    },

    /** @throws ModelStoreError if the model is not on this machine */
    async use(name: string): Promise<void> {
      if ((await files.fileOf(await named(name))) === null) {
        throw new ModelStoreError('absent', `${name} is not on this machine yet.`);
      }
      await choose(name);
    },

    /** Chooses a model of another runner, `ollama:MODEL`. */
    choose,

    async remove(name: string): Promise<void> {
      const model = await named(name);
      await stop(name);
      if ((await choice()) === name) await rm(choiceFile, { force: true });
      await files.remove(model);
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
