import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { freeBytesOf } from '../../files/disk-room.ts';
import { createGuardedFetch } from '../../http/guarded-fetch.ts';
import { parseJson } from '../../parse-json.ts';
import { fetchModel, HubError } from '../hub/fetch-model.ts';
import { CATALOGUE, type CatalogueModel } from './catalogue.ts';
import { createOwnModels, ggufFile, type OwnModel } from './own-models.ts';

export interface ShelfSettings {
  /** Address of the hub from which models are fetched. */
  modelHub: string;
  /** Hosts and address ranges outside the open internet that the hub may redirect to. */
  fetchAllow: readonly string[];
  /** Where models are kept. */
  modelsDir: string;
}

/** A model, and how far it is on this machine. */
export interface ShelvedModel extends Omit<OwnModel, 'kept'> {
  state: 'absent' | 'fetching' | 'paused' | 'here';
  /** Bytes of its file, where they are known, and how many of them are here. */
  bytes: number | null;
  done: number;
  /** Why the last fetch ended before its end, as a sentence. */
  problem: string | null;
}

/** There is no such model, or it is not here; `message` is a sentence. */
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
  /** What is offered. Default: the catalogue. */
  catalogue?: readonly CatalogueModel[] | undefined;
}

/** What is on the disk is believed for so long, in milliseconds: a command may change it. */
const BELIEVED_MS = 30_000;

const chosen = z.object({ model: z.string() });

interface Fetch {
  model: OwnModel;
  controller: AbortController;
  done: number;
  bytes: number | null;
  ended: Promise<void>;
}

/** The language models that can be fetched to this machine, those that were, and which one answers. */
export function createModelShelf(settings: ShelfSettings, options: ShelfOptions) {
  const { clock, catalogue = CATALOGUE, stepBack = async () => undefined } = options;
  const { modelHub: hub, modelsDir: folder } = settings;
  const fetch = createGuardedFetch({ allow: settings.fetchAllow, configured: [hub] });
  const own = createOwnModels(folder, catalogue);
  const choiceFile = path.join(folder, 'answering.json');
  const fetches = new Map<string, Fetch>();
  const problems = new Map<string, string>();

  async function named(name: string): Promise<OwnModel> {
    const model = await own.named(name);
    if (model === null) throw new ShelfError('unknown', `There is no model ${name}.`);
    return model;
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
    const all = await own.all();
    const here = new Map(all.flatMap(({ model, file }) => (file ? [[model.name, file]] : [])));
    known = { choice: await choice(), here };
    lookedAt = clock.now();
    looking = null;
  }

  /** Looks again where the last look is old. */
  async function lookAgain(): Promise<void> {
    if (clock.now() - lookedAt >= BELIEVED_MS) looking ??= look();
    await looking;
  }

  async function choose(model: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    await writeFile(`${choiceFile}.new`, JSON.stringify({ model }));
    await rename(`${choiceFile}.new`, choiceFile);
    await look();
  }

  async function bring(running: Fetch): Promise<void> {
    const { kept, name } = running.model;
    if (kept === null) return;
    await fetchModel({
      ...kept,
      hub,
      fetch,
      clock,
      signal: running.controller.signal,
      freeBytes: freeBytesOf,
      stepBack,
      choose: (files) => ggufFile(name, files),
      mostBytes: Infinity,
      onProgress: (done, bytes) => Object.assign(running, { done, bytes }),
    });
    if ((await choice()) === null) await choose(name);
  }

  async function stop(name: string): Promise<void> {
    const running = fetches.get(name);
    running?.controller.abort();
    await running?.ended;
  }

  async function stateOf(model: OwnModel, isHere: boolean): Promise<ShelvedModel> {
    const { kept: _, ...shown } = model;
    const running = fetches.get(model.name);
    const { bytes, done } = running ?? (await own.sizes(model));
    const idle = done > 0 ? 'paused' : 'absent';
    const state = running ? 'fetching' : isHere ? 'here' : idle;
    return { ...shown, state, bytes, done, problem: problems.get(model.name) ?? null };
  }

  return {
    /** The path of a model's file; null where it is not here as a whole, or there is no such model. */
    async fileOf(name: string): Promise<string | null> {
      const model = await own.named(name);
      return model === null ? null : own.fileOf(model);
    },

    /**
     * The model that was chosen, or else the best that is here, and its file; the file is null where
     * the choice is another's, such as Ollama's. An old answer is looked at again in the background.
     */
    current(): { name: string; file: string | null } | null {
      void lookAgain();
      const file = known.here.get(known.choice ?? '') ?? null;
      if (known.choice !== null && (file !== null || known.choice.includes(':'))) {
        return { name: known.choice, file };
      }
      const [best] = known.here;
      return best === undefined ? null : { name: best[0], file: best[1] };
    },

    /** Settles when what is known is no older than half a minute. */
    settled: lookAgain,

    /** What is offered, what is here beside it, and what is on its way. */
    async list(): Promise<ShelvedModel[]> {
      const all = await own.all();
      const names = new Set(all.map(({ model }) => model.name));
      const coming = [...fetches.values()].flatMap(({ model }) =>
        names.has(model.name) ? [] : { model, file: null },
      );
      return Promise.all(
        [...all, ...coming].map(({ model, file }) => stateOf(model, file !== null)),
      );
    },

    /**
     * Begins to fetch a model by its name in the catalogue or on the hub (OWNER/NAME), or goes on
     * with it; it answers once it is here, unless another was chosen. The promise that comes of it
     * settles when the fetch has ended, well or not: `list` tells.
     * @throws ShelfError for a model that cannot be
     */
    async get(name: string): Promise<{ ended: Promise<void> }> {
      const model = await named(name);
      const under = fetches.get(name);
      if (under) return under;
      problems.delete(name);
      const controller = new AbortController();
      const { done, bytes } = await own.sizes(model);
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
          return look();
        });
      return running;
    },

    /** Stops a fetch; what is here stays for the next one. */
    async pause(name: string): Promise<void> {
      await stop((await named(name)).name);
    },

    /** @throws ShelfError where the model is not here */
    async use(name: string): Promise<void> {
      if ((await own.fileOf(await named(name))) === null) {
        throw new ShelfError('absent', `${name} is not on this machine yet.`);
      }
      await choose(name);
    },

    /** Chooses a model of another runner, `ollama:MODEL`. */
    choose,

    /** Takes a model, or the part of it that is here, off the disk. */
    async remove(name: string): Promise<void> {
      const model = await named(name);
      await stop(name);
      if ((await choice()) === name) await rm(choiceFile, { force: true });
      await own.remove(model);
      problems.delete(name);
      await look();
    },

    async close(): Promise<void> {
      await Promise.all([...fetches.keys()].map(stop));
    },
  };
}

export type ModelShelf = ReturnType<typeof createModelShelf>;
