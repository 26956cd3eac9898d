import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { freeBytesOf } from '../../files/disk-room.ts';
import { createGuardedFetch } from '../../http/guarded-fetch.ts';
import { parseJson } from '../../parse-json.ts';
import { fetchModel, HubError } from '../hub/fetch-model.ts';
import { bytesThere, fetchedModel, folderOf, type KeptModel } from '../hub/kept-model.ts';
import { CATALOGUE, type CatalogueModel } from './catalogue.ts';

export interface ShelfSettings {
  /** Address of the hub from which models are fetched. */
  modelHub: string;
  /** Hosts and address ranges outside the open internet that the hub may redirect to. */
  fetchAllow: readonly string[];
  /** Where models are kept. */
  modelsDir: string;
}

/** A model of the catalogue, and how far it is on this machine. */
export interface ShelvedModel extends CatalogueModel {
  bytes: number;
  state: 'absent' | 'fetching' | 'paused' | 'here';
  /** Bytes of it that are here. */
  done: number;
  /** Why the last fetch ended before its end, as a sentence. */
  problem: string | null;
}

/** There is no such model, or it is not in the state that this needs; `message` is a sentence. */
export class ShelfError extends Error {
  override readonly name = 'ShelfError';
  readonly code: 'unknown' | 'absent';

  constructor(code: 'unknown' | 'absent', message: string) {
    super(message);
    this.code = code;
  }
}

export interface ShelfOptions {
  clock: Clock;
  /** Waits, for so many milliseconds at most, while somebody waits for an answer. */
  stepBack?: (patienceMs: number) => Promise<void>;
  /** Told whenever something changed. */
  onChange?: () => void;
  /** What can be fetched. Default: the catalogue. */
  catalogue?: readonly CatalogueModel[] | undefined;
  fetch?: typeof globalThis.fetch;
  freeBytes?: (folder: string) => Promise<number>;
}

/** What is on the disk is believed for so long, in milliseconds: a command may change it. */
const BELIEVED_MS = 30_000;
/** Between two reports of how far a fetch is, in milliseconds. */
const REPORT_MS = 500;

const chosen = z.object({ model: z.string() });

/** The language models that can be fetched to this machine, those that were, and which one answers. */
export function createModelShelf(settings: ShelfSettings, options: ShelfOptions) {
  const { clock, catalogue = CATALOGUE, onChange = () => undefined } = options;
  const { stepBack = async () => undefined, freeBytes = freeBytesOf } = options;
  const { modelHub: hub, modelsDir: folder } = settings;
  const fetch =
    options.fetch ?? createGuardedFetch({ allow: settings.fetchAllow, configured: [hub] });
  const choiceFile = path.join(folder, 'answering.json');
  const fetches = new Map<
    string,
    { controller: AbortController; done: number; ended: Promise<void> }
  >();
  const problems = new Map<string, string>();

  const keptOf = ({ repository: model, pin }: CatalogueModel): KeptModel => ({
    model,
    folder,
    pin,
  });

  function named(name: string): CatalogueModel {
    const model = catalogue.find((each) => each.name === name);
    if (!model) throw new ShelfError('unknown', `There is no model ${name} in the catalogue.`);
    return model;
  }

  /** The path of a model's file; null where it is not here as a whole. */
  async function fileOf(name: string): Promise<string | null> {
    const model = named(name);
    const where = await fetchedModel(keptOf(model));
    return where === null ? null : path.join(where, model.pin.files[0]?.name ?? '');
  }

  async function bring(model: CatalogueModel, signal: AbortSignal): Promise<void> {
    let reported = 0;
    await fetchModel({
      ...keptOf(model),
      hub,
      fetch,
      clock,
      signal,
      freeBytes,
      stepBack,
      choose: () => [],
      mostBytes: Infinity,
      onProgress(done) {
        const running = fetches.get(model.name);
        if (running) running.done = done;
        if (clock.now() - reported < REPORT_MS) return;
        reported = clock.now();
        onChange();
      },
    });
  }

  /** The name that was chosen last; null where none was. */
  async function choice(): Promise<string | null> {
    const text = await readFile(choiceFile, 'utf8').catch(() => '');
    return chosen.safeParse(parseJson(text)).data?.model ?? null;
  }

  let known: { choice: string | null; here: ReadonlyMap<string, string> } = {
    choice: null,
    here: new Map(),
  };
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | null = null;

  async function look(): Promise<void> {
    const here = new Map<string, string>();
    for (const { name } of catalogue) {
      const file = await fileOf(name);
      if (file !== null) here.set(name, file);
    }
    known = { choice: await choice(), here };
    lookedAt = clock.now();
    looking = null;
  }

  /** Something is different: it is looked at before anybody is told. */
  async function changed(): Promise<void> {
    await looking;
    await look();
    onChange();
  }

  async function choose(model: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    await writeFile(`${choiceFile}.new`, JSON.stringify({ model }));
    await rename(`${choiceFile}.new`, choiceFile);
  }

  async function stop(name: string): Promise<void> {
    const running = fetches.get(name);
    running?.controller.abort();
    await running?.ended;
  }

  return {
    fileOf,

    /**
     * The model that was chosen, or else the best that is here, and its file; the file is null where
     * the chosen one is not of the catalogue. An old answer is looked at again in the background.
     */
    current(): { name: string; file: string | null } | null {
      if (clock.now() - lookedAt >= BELIEVED_MS) looking ??= look();
      const [best] = known.here;
      if (known.choice !== null) {
        const file = known.here.get(known.choice) ?? null;
        const isMissing = file === null && catalogue.some(({ name }) => name === known.choice);
        if (!isMissing) return { name: known.choice, file };
      }
      return best === undefined ? null : { name: best[0], file: best[1] };
    },

    /** Settles when the look that is under way has ended. */
    settled: async () => looking ?? undefined,

    async list(): Promise<ShelvedModel[]> {
      return Promise.all(
        catalogue.map(async (model) => {
          const running = fetches.get(model.name);
          const here = running === undefined && (await fileOf(model.name)) !== null;
          const bytes = model.pin.files.reduce((sum, { size }) => sum + size, 0);
          const place = path.join(folderOf(keptOf(model)), model.pin.revision);
          const part = running?.done ?? (await bytesThere(place, model.pin.files));
          const done = here ? bytes : part;
          const idle = done > 0 ? 'paused' : 'absent';
          const state = here ? 'here' : running ? 'fetching' : idle;
          return { ...model, bytes, state, done, problem: problems.get(model.name) ?? null };
        }),
      );
    },

    /**
     * Begins to fetch a model, or goes on with it; it answers once it is here, unless another was
     * chosen. Settles at the end, well or not: `list` tells.
     * @throws ShelfError for a model that is not in the catalogue
     */
    get(name: string): Promise<void> {
      const model = named(name);
      const running = fetches.get(name);
      if (running) return running.ended;
      const controller = new AbortController();
      problems.delete(name);
      const ended = bring(model, controller.signal)
        .then(async () => ((await choice()) === null ? choose(name) : undefined))
        .catch((error: unknown) => {
          if (controller.signal.aborted) return;
          const known = error instanceof HubError;
          problems.set(name, known ? error.message : 'The model could not be stored.');
        })
        .finally(() => {
          fetches.delete(name);
          return changed();
        });
      fetches.set(name, { controller, done: 0, ended });
      onChange();
      return ended;
    },

    /** Stops a fetch; what is here stays for the next one. */
    async pause(name: string): Promise<void> {
      await stop(named(name).name);
    },

    /** @throws ShelfError where the model is not here */
    async use(name: string): Promise<void> {
      if ((await fileOf(name)) === null) {
        throw new ShelfError('absent', `${name} is not on this machine yet.`);
      }
      await choose(name);
      await changed();
    },

    /** Chooses a model that is not of the catalogue, such as one of Ollama. */
    async choose(name: string): Promise<void> {
      await choose(name);
      await changed();
    },

    /** Takes a model, or the part of it that is here, off the disk. */
    async remove(name: string): Promise<void> {
      const model = named(name);
      await stop(name);
      if ((await choice()) === name) await rm(choiceFile, { force: true });
      await rm(folderOf(keptOf(model)), { recursive: true, force: true });
      problems.delete(name);
      await changed();
    },

    async close(): Promise<void> {
      await Promise.all([...fetches.keys()].map(stop));
    },
  };
}

export type ModelShelf = ReturnType<typeof createModelShelf>;
