import { mkdir } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import type { LanguageModel, ModelsState } from '@engram/contract';
import type { Config } from '../../config.ts';
import type { AnswerModel } from '../../platform/ai/answering/answer-model.ts';
import { type ModelShelf, ShelfError } from '../../platform/ai/local/model-shelf.ts';
import type { Caller } from '../../platform/http/admission.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { isOfThisMachine } from '../../platform/http/loopback.ts';

export interface ModelsDependencies {
  shelf: ModelShelf;
  /** What answers; null where none is wanted. */
  model: AnswerModel | null;
  config: Pick<Config, 'llm' | 'host' | 'publicUrl' | 'modelsDir'>;
  countUsers: () => Promise<number>;
  freeBytes: (folder: string) => Promise<number>;
}

type Who = Pick<Caller, 'role'>;

const OLLAMA = 'ollama:';

/** Errors of the shelf as answers of a call. */
function asHttp(error: unknown): never {
  if (!(error instanceof ShelfError)) throw error;
  throw error.code === 'unknown'
    ? new HttpError(404, 'model_unknown', error.message)
    : new HttpError(409, 'model_absent', error.message);
}

/** The models that can write answers on this machine, and the choice among them. */
export function createModelsService(deps: ModelsDependencies) {
  const { shelf, model, config, countUsers, freeBytes } = deps;
  const isLocal = isOfThisMachine(config);
  const setting = config.llm === 'auto' ? null : config.llm;

  async function mayChange({ role }: Who): Promise<boolean> {
    return role === 'ADMIN' || (isLocal && (await countUsers()) === 1);
  }

  async function assertMayChange(who: Who): Promise<void> {
    if (await mayChange(who)) return;
    throw new HttpError(
      403,
      'admins_only',
      'Only admins, or the only user of a server of this machine, may do this.',
    );
  }

  async function models(): Promise<LanguageModel[]> {
    const answering = model?.describe().on ? model.answering() : null;
    const own = (await shelf.list()).map((each): LanguageModel => ({
      ...each,
      runner: 'engram',
      answers: answering === `local:${each.name}`,
    }));
    const offered = (model?.offered() ?? []).map((title): LanguageModel => {
      const name = `${OLLAMA}${title}`;
      return {
        name,
        title,
        runner: 'ollama',
        state: 'here',
        bytes: null,
        done: null,
        memoryBytes: null,
        licence: null,
        licenceUrl: null,
        problem: null,
        answers: answering === name,
      };
    });
    return [...own, ...offered];
  }

  async function state(who: Who): Promise<ModelsState> {
    await model?.settled();
    await mkdir(config.modelsDir, { recursive: true });
    const measured = model?.measured() ?? null;
    return {
      models: await models(),
      detail: model?.describe().detail ?? 'ENGRAM_LLM is none: no model writes answers.',
      setting,
      mayChange: await mayChange(who),
      machine: {
        memoryBytes: totalmem(),
        processors: availableParallelism(),
        freeDiskBytes: await freeBytes(config.modelsDir),
        readsPerSecond: measured?.readsPerSecond ?? null,
        gpu: measured?.gpu ?? null,
      },
    };
  }

  /** Does something to the models, and answers how they are then. */
  const changing =
    (change: (name: string) => Promise<void>) =>
    async (who: Who, name: string): Promise<ModelsState> => {
      await assertMayChange(who);
      await change(name).catch(asHttp);
      return state(who);
    };

  return {
    state,

    /** Begins to fetch a model; it goes on when the caller leaves. */
    get: changing(async (name) => {
      await shelf.get(name);
    }),

    pause: changing(shelf.pause),

    use: changing(async (name) => {
      if (setting !== null) {
        const words = `ENGRAM_LLM is ${setting}, which wins over what is chosen here.`;
        throw new HttpError(409, 'model_set', words);
      }
      if (!name.startsWith(OLLAMA)) return shelf.use(name);
      if (!model?.offered().includes(name.slice(OLLAMA.length))) {
        throw new HttpError(404, 'model_unknown', 'Ollama has no such model.');
      }
      await shelf.choose(name);
    }),

    remove: changing(shelf.remove),
  };
}

export type ModelsService = ReturnType<typeof createModelsService>;
